// Reads packs and answers questions about them, as tests/vectors/manifest.json has them.
// In: {module, files: [{path, find, daily, shuffled, metrics}]}. Out: a list of answers.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const { module, files } = JSON.parse(readFileSync(0, "utf8"));
const { openPack } = await import(module);

/** @param {any} level */
function summary(level) {
  const { cells } = level.layer("ground");
  return {
    cells: createHash("sha256").update(cells).digest("hex"),
    objects: level.objects.map((/** @type {any} */ one) => [one.id, one.name, one.x, one.y]),
  };
}

/** @param {any} file */
async function answer(file) {
  try {
    const pack = await openPack(readFileSync(file.path));
    const levels = [];
    for (let index = 0; index < pack.count; index++) levels.push(summary(await pack.level(index)));
    const metrics = {};
    for (const name of file.metrics) {
      const values = Float64Array.from(await pack.values(name));
      metrics[name] = Buffer.from(values.buffer).toString("hex");
    }
    return {
      error: "",
      is_same: true,
      name: pack.name,
      levels,
      metrics,
      seeds: [...(await pack.values("seed"))],
      find: await Promise.all(file.find.map((/** @type {string} */ text) => pack.find(text))),
      daily: file.daily.map((/** @type {string} */ date) => pack.daily(date)),
      shuffled: file.shuffled.map((/** @type {number} */ order) => pack.shuffled(order)),
    };
  } catch (error) {
    if (error.name !== "LevelBlobError") throw error;
    return { error: error.message };
  }
}

console.log(JSON.stringify(await Promise.all(files.map(answer))));
