// Loads a project with Excalibur's plugin for LDtk, as a game would, and tells what the game has.
// Asked with {"excalibur": the plugin's folder, "project": its JSON text}; without a screen.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import "./no_screen.mjs";

const question = JSON.parse(readFileSync(0, "utf8"));
const { LdtkResource } = createRequire(import.meta.url)(question.excalibur);
const resource = new LdtkResource("levels/crypt.ldtk", {
  headless: true,
  fileLoader: async () => JSON.parse(question.project),
});
// The one thing that needs a browser: decoding the tileset's picture.
resource._imageLoader.load = async () => [];
await resource.load();

const views = (tile) =>
  tile.getGraphics().map(({ sourceView: { x, y, width, height } }) => [x, y, width, height]);
const told = [...resource.levels.values()].map((level) => ({
  name: level.ldtkLevel.identifier,
  size: [level.ldtkLevel.pxWid, level.ldtkLevel.pxHei],
  layers: level.layers.map(({ ldtkLayer, tilemap, entities }) => ({
    name: ldtkLayer.__identifier,
    type: ldtkLayer.__type,
    visible: ldtkLayer.visible,
    grid: ldtkLayer.intGridCsv,
    // Row by row, which parts of the tileset the game draws in a cell.
    map: tilemap && { at: [tilemap.pos.x, tilemap.pos.y], tiles: tilemap.tiles.map(views) },
    entities: entities && ldtkLayer.entityInstances.map(({ __identifier, px, fieldInstances }) => ({
      name: __identifier,
      px,
      fields: Object.fromEntries(fieldInstances.map((field) => [field.__identifier, field.__value])),
    })),
  })),
}));
console.log(JSON.stringify(told));
process.exit(0);
