// Imports the reader with nothing but what a browser has, from a URL, and opens a level by URL.
// In: {module, url}. Out: {name, cells}.

import { readFileSync } from "node:fs";

const { module, url } = JSON.parse(readFileSync(0, "utf8"));
// For the module alone, as Node's own streams and fetch need theirs.
const missing = "const process = undefined, Buffer = undefined, global = undefined, require = undefined;\n";
const text = missing + readFileSync(new URL(module), "utf8");
const { LevelBlob } = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
const level = await (await LevelBlob.open(url)).level();
console.log(JSON.stringify({ name: level.name, cells: level.layers[0].cells.length }));
