// Asks a world what its cells see.
// In: {module, file, description, steps: [["set" | "remove", column, row] | ["see", x, y]]}; a
// description takes the place of the file's. Out: a list with {seen, opaque, near} of each cell that
// is asked for, or with the message of an error; or a message alone if it is no world.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { module, file, description, steps } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob, LevelBlobError, World } = await import(module);

function told(error) {
  if (error instanceof LevelBlobError || error instanceof RangeError) return error.message;
  throw error;
}

function view(world, x, y) {
  const near = [];
  for (let dy = -4; dy <= 4; dy++) {
    for (let dx = -4; dx <= 4; dx++) {
      near.push(Number(world.canSee({ x, y }, { x: x + dx, y: y + dy })));
    }
  }
  const [seen, opaque] = [world.visibleFrom(x, y), world.opaqueAround(x, y)];
  return { seen: seen.join(""), opaque: opaque.join(""), near: near.join("") };
}

let world;
const answers = [];
try {
  world = new World(description === undefined ? JSON.parse(readFileSync(file)) : description);
} catch (error) {
  console.log(JSON.stringify(told(error)));
}
for (const [what, x, y] of world ? steps : []) {
  try {
    if (what === "set") {
      const blob = new LevelBlob(readFileSync(join(dirname(file), world.partPath(x, y))));
      world.setPart(x, y, await blob.level());
    } else if (what === "remove") world.removePart(x, y);
    else answers.push(view(world, x, y));
  } catch (error) {
    answers.push(told(error));
  }
}
if (world) console.log(JSON.stringify(answers));
