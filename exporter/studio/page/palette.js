// @ts-check
/** The tiles of a layer as pictures, of which one is drawn with. */

import { contextOf, element } from "./elements.js";
import { icon } from "./icon.js";
import { tilePictures } from "./tile_pictures.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {import("./level.js").Tile} Tile */

export const RESTORE = "as generated";
const BACK = "M3 7.5A5.5 5.5 0 1 1 4.5 12M3 3.5V7.5H7";

/**
 * @param {LevelView} level @param {Layer} layer
 * @param {string} chosen the name of a tile @param {(name: string) => void} choose
 */
export function palette(level, layer, chosen, choose) {
  const name = element("span", { className: "chosen" }, chosen);
  const names = [...new Set([...layer.tiles.map((one) => one.name), RESTORE])];
  const buttons = names.map((one) => {
    const tile = layer.tiles.find((each) => each.name === one);
    return element("button", {
      type: "button", title: one, "aria-label": one, "data-tile": one, "aria-pressed": String(one === chosen),
      onclick: () => {
        for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.tile === one));
        name.textContent = one;
        choose(one);
      },
    }, tile ? pictured(level, layer, tile) : icon(BACK));
  });
  return element("span", { id: "draw-tile", className: "palette", role: "group", "aria-label": "Tile to draw" },
    element("span", { className: "tiles" }, ...buttons), name);
}

/** A tile as the level shows it, else in its colour. @param {LevelView} level @param {Layer} layer @param {Tile} tile */
export function pictured(level, layer, tile) {
  const picture = tilePictures(level, layer).get(tile.id);
  const side = picture?.width ?? 1;
  const canvas = element("canvas", { width: side, height: side, "aria-hidden": "true" });
  const context = contextOf(canvas);
  if (picture) context.drawImage(picture, 0, 0);
  else {
    context.fillStyle = tile.color;
    context.fillRect(0, 0, side, side);
  }
  return canvas;
}
