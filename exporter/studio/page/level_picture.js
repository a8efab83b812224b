// @ts-check
/**
 * The whole level as one picture, whatever part of it the page shows: with the layers, opacities, objects and overlay of the
 * page, but without shade, grid and frames.
 */

import { Camera } from "./camera.js";
import { MarksLayer } from "./marks.js";
import { OverlayLayer } from "./overlay_layer.js";
import { Renderer } from "./renderer.js";
import { rendererOf } from "./renderers.js";

/**
 * The longest side of a picture in pixels: more needs memory that a tab does not have everywhere. No
 * level has a longer side in cells.
 */
export const LONGEST = 8192;
// Graphics cards draw a piece of this side at once.
const PIECE = 2048;
// The background below a level, as in the pictures of `exporter preview`, in light and dark.
const GROUND = [24 / 255, 22 / 255, 30 / 255];
const BLACK = [0, 0, 0];

/** The most pixels a cell that fit. @param {{width: number, height: number}} level */
export function mostPixels(level) {
  return Math.floor(LONGEST / Math.max(level.width, level.height));
}

/**
 * @param {import("./page.js").Page} page
 * @param {number} side whole pixels a cell
 * @returns {HTMLCanvasElement}
 */
export function levelPicture(page, side) {
  const level = /** @type {import("./level.js").LevelView} */ (page.level);
  const picture = document.createElement("canvas");
  picture.width = level.width * side;
  picture.height = level.height * side;
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
  const cells = Math.max(1, Math.floor(PIECE / side));
  const canvas = document.createElement("canvas");
  const marks = new MarksLayer(document.createElement("canvas"));
  for (const one of [canvas, marks.canvas]) {
    one.width = Math.min(cells, level.width) * side;
    one.height = Math.min(cells, level.height) * side;
  }
  const renderer = rendererOf(canvas);
  const overlay = new OverlayLayer(renderer);
  renderer.show(level);
  marks.show(level);
  overlay.show(page.overlays.layer.overlay, level.width, level.height);
  const colors = { ...page.colors, background: GROUND, ground: GROUND, solid: BLACK, grid: "#00000000" };
  const camera = Object.assign(new Camera(), { zoom: side, width: canvas.width, height: canvas.height });
  for (let y = 0; y < level.height; y += cells) {
    for (let x = 0; x < level.width; x += cells) {
      Object.assign(camera, { x, y });
      renderer.draw(camera, (layer) => page.layers.shown(layer), colors);
      overlay.draw(camera);
      marks.draw(level, camera, {
        hover: null, pin: null, seen: null, hero: null, fog: null, drawn: page.level ? page.tools.shown(null) : [],
        shows: (name) => page.layers.showsObject(name), chosen: page.layers.broughtOut,
      }, colors);
      overlay.drawMarks(marks.context, camera);
      for (const one of [canvas, marks.canvas]) context.drawImage(one, x * side, y * side);
    }
  }
  // Browsers have few contexts at once.
  if (renderer instanceof Renderer) renderer.gl.getExtension("WEBGL_lose_context")?.loseContext();
  return picture;
}

/** @param {HTMLCanvasElement} picture @returns {Promise<Blob>} a PNG */
export function pngOf(picture) {
  return new Promise((resolve, reject) => picture.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error("There is not enough memory for a picture of this size."))), "image/png",
  ));
}
