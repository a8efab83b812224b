// Reads a map with the reader of Excalibur's plugin for Tiled, and tells what that found.
// Asked with {"excalibur": the plugin's folder, "map": its JSON text}; without a screen.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import "./no_screen.mjs";

const question = JSON.parse(readFileSync(0, "utf8"));
const { TiledMap, isCSV, isInfiniteLayer, needsDecoding } = createRequire(import.meta.url)(question.excalibur);
const map = TiledMap.parse(JSON.parse(question.map));
const told = map.layers.map((layer) => {
  if (layer.type !== "tilelayer") {
    return { name: layer.name, polygons: layer.objects.map(({ x, y, polygon }) => [x, y, polygon]) };
  }
  const cells = isInfiniteLayer(layer) ? layer.chunks.map((chunk) => chunk.data) : layer.data;
  return {
    name: layer.name,
    visible: layer.visible,
    // The two forms that the plugin goes on with.
    form: needsDecoding(layer) ? "encoded" : isCSV(layer) ? "numbers" : "unknown",
    cells,
  };
});
console.log(JSON.stringify(told));
process.exit(0);
