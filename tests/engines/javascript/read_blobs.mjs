// Reads blobs and prints what is in each, or why it is refused.
// In: {module, files: [{path, viewers}]}. Out: a list of {levels} or {error}.

import { readFileSync } from "node:fs";
import { plain, summary } from "./summary.mjs";

const { module, files } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob, LevelBlobError } = await import(module);
const answers = [];
for (const { path, viewers } of files) {
  try {
    answers.push({ levels: await summary(new LevelBlob(readFileSync(path)), viewers) });
  } catch (error) {
    if (!(error instanceof LevelBlobError)) throw error;
    answers.push({ error: error.message });
  }
}
console.log(plain(answers));
