// Asks what is seen from and at cells that are none.
// In: {module, path}. Out: the errors' names, and what cells outside the map see.

import { readFileSync } from "node:fs";

const { module, path } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob } = await import(module);
const level = await new LevelBlob(readFileSync(path)).level();
const odd = [];
for (const at of [1.5, NaN, Infinity, undefined]) {
  const asked = [
    () => level.visibleFrom(at, 1),
    () => level.canSee({ x: 1, y: at }, { x: 1, y: 1 }),
    () => level.canSee({ x: 1, y: 1 }, { x: at, y: 1 }),
  ];
  for (const ask of asked) {
    try {
      odd.push(`answer: ${ask()}`);
    } catch (error) {
      odd.push(error.name);
    }
  }
}
const outside = [
  level.visibleFrom(-1, 2).reduce((sum, cell) => sum + cell, 0),
  level.canSee({ x: -1, y: 2 }, { x: 1, y: 1 }),
  level.canSee({ x: 1, y: 1 }, { x: 40, y: 1 }),
];
console.log(JSON.stringify({ odd, outside }));
