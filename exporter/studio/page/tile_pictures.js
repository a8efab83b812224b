// @ts-check
/** How the tiles of a layer look, as small pictures. */

import { contextOf } from "./elements.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */

/** @type {WeakMap<Layer, Map<number, HTMLCanvasElement>>} */
const known = new WeakMap();

/** Return the picture of each tile that has one, by its id. @param {LevelView} level @param {Layer} layer */
export function tilePictures(level, layer) {
  const found = known.get(layer) ?? picturesOf(level, layer);
  known.set(layer, found);
  return found;
}

/** @param {LevelView} level @param {Layer} layer */
function picturesOf({ tileset }, layer) {
  /** @type {Map<number, HTMLCanvasElement>} */
  const found = new Map();
  if (!tileset) return found;
  for (const [at, tile] of layer.tiles.entries()) {
    const numbers = layer.pictures[at] ?? [];
    if (!numbers.length) continue;
    const canvas = square(tileset.size);
    for (const number of numbers) contextOf(canvas).drawImage(pictureOf(tileset, number - 1), 0, 0);
    found.set(tile.id, canvas);
  }
  return found;
}

/** @param {import("./level.js").Tileset} tileset @param {number} number */
function pictureOf({ size, columns, margin, spacing, pixels }, number) {
  const width = 2 * margin + columns * size + (columns - 1) * spacing;
  const left = margin + (number % columns) * (size + spacing);
  const top = margin + Math.floor(number / columns) * (size + spacing);
  const canvas = square(size);
  const image = new ImageData(size, size);
  for (let row = 0; row < size; row++) {
    const from = ((top + row) * width + left) * 4;
    image.data.set(pixels.subarray(from, from + size * 4), row * size * 4);
  }
  contextOf(canvas).putImageData(image, 0, 0);
  return canvas;
}

/** @param {number} side */
function square(side) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  return canvas;
}
