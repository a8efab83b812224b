// Asks levels what they say as a whole.
// In: {module, paths}. Out: a list of {roles, aligned, play, seen, walkable, opaque} or {error}.

import { readFileSync } from "node:fs";

const { module, paths } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob, LevelBlobError } = await import(module);
const answers = [];
for (const path of paths) {
  const level = await new LevelBlob(readFileSync(path)).level();
  try {
    const { walkable, opaque } = level;
    answers.push({
      roles: level.layers.map((layer) => layer.role),
      aligned: level.layers.map((layer) => layer.gridAligned),
      play: level.playLayers.map((layer) => layer.name),
      seen: level.seenLayers.map((layer) => layer.name),
      walkable: walkable.join(""),
      opaque: opaque.join(""),
    });
    if (level.walkable !== walkable || level.opaque !== opaque) throw new Error("masks are not kept");
  } catch (error) {
    if (!(error instanceof LevelBlobError)) throw error;
    answers.push({ error: error.message });
  }
}
console.log(JSON.stringify(answers));
