// Validates models with Khronos' validator. Asked with {"validator": its folder, "files": {name: path}};
// prints the errors and warnings of each file that has some.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const question = JSON.parse(readFileSync(0, "utf8"));
const { validateBytes } = createRequire(import.meta.url)(question.validator);
const found = {};
for (const [name, path] of Object.entries(question.files)) {
  const report = await validateBytes(new Uint8Array(readFileSync(path)));
  const messages = report.issues.messages.filter(({ severity }) => severity < 2);
  if (messages.length) {
    found[name] = messages.slice(0, 5).map(({ code, message, pointer }) => [code, message, pointer]);
  }
}
console.log(JSON.stringify(found));
