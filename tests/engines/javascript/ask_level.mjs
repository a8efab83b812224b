// Asks levels what games ask them.
// In: {module, world, layer, part, cave, pairs, relief}. Out: the answers by name.

import { readFileSync } from "node:fs";

const { module, world, layer, part, cave, pairs, relief } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob } = await import(module);
const open = (path) => new LevelBlob(readFileSync(path));
const { x, y, width, height, cells } = await open(world).part(layer, part);
const level = await open(cave).level();
const heights = (await open(relief).level()).layer("relief").realHeights();
const answers = {
  part: { x, y, width, height, cells: [...cells] },
  sees: pairs.map(([from, to]) => level.canSee(from, to)),
  lines: pairs.map(([from, to]) => level.lineUntil(from, to).map((cell) => [cell.x, cell.y])),
  heights: [...heights.slice(0, 50)],
};
console.log(JSON.stringify(answers));
