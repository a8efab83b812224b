// @ts-check
/** Draws over the picture: objects, the grid, the cell under the pointer, the pinned cell. */

import { sameBytes } from "./frames.js";
import { line } from "./level-blob.js";
import { drawMark } from "./object_marks.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {{x: number, y: number}} Cell */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const GRID_ZOOM = 14;
const SPRITE_ZOOM = 8;
// Smaller marks have no recognisable shape.
const LEAST_RADIUS = 3.25;
const LEAST_FRAME = 10;
// How strongly things are drawn that are remembered and not seen.
const REMEMBERED = 0.35;
// How strongly cells are shown that a tool would draw.
const FAINT = 0.7;

/**
 * @typedef {object} Marks
 * @property {Cell | null} hover
 * @property {Cell | null} pin
 * @property {boolean | null} seen whether the pinned cell sees the one under the pointer
 * @property {Cell | null} hero
 * @property {Uint8Array | null} fog cells that the hero sees (1) or remembers (2); null for everything
 * @property {(name: string) => boolean} shows whether objects of a name are shown
 * @property {string | null} chosen the objects that are brought out
 * @property {import("./tools.js").Drawn[]} drawn cells that are not in the picture yet
 * @property {Box | null} [frame] what is selected
 * @property {import("./shapes.js").Mirror} [mirrors] in which is drawn
 * @property {string} [note] stands beside the cell under the pointer
 */

export class MarksLayer {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Map<string, HTMLCanvasElement>} */
    this.sprites = new Map();
    /** Whether the edges of cells are drawn where these are large. */
    this.gridded = true;
    /** What they were made of. @type {Record<string, Uint8Array>} */
    this.pixels = {};
  }

  /** @param {LevelView} level */
  show(level) {
    const before = this.pixels;
    this.pixels = level.sprites;
    for (const name of this.sprites.keys()) if (!(name in level.sprites)) this.sprites.delete(name);
    for (const [name, pixels] of Object.entries(level.sprites)) {
      if (sameBytes(before[name], pixels)) continue;
      const side = Math.sqrt(pixels.length / 4);
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = side;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.putImageData(new ImageData(new Uint8ClampedArray(pixels), side, side), 0, 0);
      this.sprites.set(name, canvas);
    }
  }

  /**
   * @param {LevelView | null} level
   * @param {Camera} camera
   * @param {Marks} marks
   * @param {{accent: string, good: string, bad: string, grid: string}} colors
   */
  draw(level, camera, marks, colors) {
    const { context, canvas } = this;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!level) return;
    context.imageSmoothingEnabled = false;
    if (this.gridded && camera.zoom >= GRID_ZOOM) this.grid(level, camera, colors.grid);
    for (const cell of marks.drawn) this.fill(cell, camera);
    for (const thing of level.objects) {
      const known = marks.fog ? marks.fog[thing.y * level.width + thing.x] : 1;
      if (!known || !marks.shows(thing.name)) continue;
      context.globalAlpha = known === 1 ? 1 : REMEMBERED;
      this.thing(thing, level.markOf(thing.name), camera, marks.chosen === thing.name, colors.accent);
    }
    context.globalAlpha = 1;
    if (marks.hero) this.hero(marks.hero, camera, colors.accent);
    if (marks.pin) {
      this.frame(marks.pin, camera, colors.accent, 2);
      if (marks.hover) {
        const color = marks.seen ? colors.good : colors.bad;
        for (const cell of line(marks.pin, marks.hover)) this.dot(cell, camera, color);
      }
    }
    if (marks.hover) this.frame(marks.hover, camera, colors.accent, 1);
    if (marks.frame) this.dashed([marks.frame], camera);
    this.dashed(axesOf(level, marks.mirrors ?? ""), camera);
    if (marks.hover && marks.note) this.note(marks.hover, camera, marks.note);
  }

  /** @param {LevelView} level @param {Camera} camera @param {string} color */
  grid(level, camera, color) {
    const { context } = this;
    const left = Math.max(Math.floor(camera.x), 0);
    const top = Math.max(Math.floor(camera.y), 0);
    const right = Math.min(Math.ceil(camera.x + camera.width / camera.zoom), level.width);
    const bottom = Math.min(Math.ceil(camera.y + camera.height / camera.zoom), level.height);
    context.fillStyle = color;
    const [x0, y0] = this.at({ x: left, y: top }, camera);
    const [x1, y1] = this.at({ x: right, y: bottom }, camera);
    for (let x = left; x <= right; x++) context.fillRect(this.at({ x, y: 0 }, camera)[0], y0, 1, y1 - y0);
    for (let y = top; y <= bottom; y++) context.fillRect(x0, this.at({ x: 0, y }, camera)[1], x1 - x0, 1);
  }

  /**
   * @param {import("./level.js").Thing} thing @param {import("./object_marks.js").Mark} mark
   * @param {Camera} camera @param {boolean} chosen @param {string} accent
   */
  thing(thing, mark, camera, chosen, accent) {
    const [px, py] = this.at(thing, camera);
    if (px < -camera.zoom || py < -camera.zoom || px > camera.width || py > camera.height) return;
    const { context } = this;
    const sprite = this.sprites.get(thing.kind ?? thing.name) ?? this.sprites.get(thing.name);
    if (sprite && camera.zoom >= SPRITE_ZOOM) {
      context.drawImage(sprite, px, py, camera.zoom, camera.zoom);
    } else {
      drawMark(context, mark, px + camera.zoom / 2, py + camera.zoom / 2, Math.max(camera.zoom * 0.36, LEAST_RADIUS));
    }
    if (chosen) this.frame(thing, camera, accent, 2, LEAST_FRAME);
  }

  /** A figure: shoulders and a head, in a ring that is seen on any ground. @param {Cell} cell @param {Camera} camera @param {string} color */
  hero(cell, camera, color) {
    const { context } = this;
    const [left, top] = this.at(cell, camera);
    const side = Math.max(camera.zoom, 8);
    const [x, y] = [left + camera.zoom / 2, top + camera.zoom / 2];
    context.fillStyle = color;
    context.strokeStyle = "#fff";
    context.lineWidth = Math.max(1.5, side / 12);
    context.beginPath();
    context.arc(x, y, side * 0.44, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.fillStyle = "#fff";
    context.beginPath();
    context.arc(x, y - side * 0.11, side * 0.13, 0, 2 * Math.PI);
    context.moveTo(x + side * 0.22, y + side * 0.25);
    context.arc(x, y + side * 0.25, side * 0.22, 0, Math.PI, true);
    context.fill();
  }

  /** @param {Cell} cell @param {Camera} camera @param {string} color @param {number} width @param {number} [least] pixels of its side */
  frame(cell, camera, color, width, least = 3) {
    const side = Math.max(camera.zoom, least);
    // Marks larger than the cell are centred on it.
    const [px, py] = this.at(cell, camera).map((one) => one - Math.round((side - camera.zoom) / 2));
    this.context.strokeStyle = color;
    this.context.lineWidth = width;
    this.context.strokeRect(px + 0.5 - width / 2, py + 0.5 - width / 2, side + width - 1, side + width - 1);
  }

  /** A frame around a rectangle of cells. @param {Cell & {width: number, height: number}} area @param {Camera} camera @param {string} color */
  outline({ x, y, width, height }, camera, color) {
    const [px, py] = this.at({ x, y }, camera);
    const [right, bottom] = this.at({ x: x + width, y: y + height }, camera);
    this.context.strokeStyle = color;
    this.context.lineWidth = 2;
    this.context.strokeRect(px, py, right - px, bottom - py);
  }

  /** @param {import("./tools.js").Drawn} cell @param {Camera} camera */
  fill(cell, camera) {
    const { context } = this;
    const [px, py] = this.at(cell, camera);
    const side = Math.max(camera.zoom, 1);
    context.globalAlpha = cell.faint ? FAINT : 1;
    context.fillStyle = cell.color;
    if (cell.picture) context.drawImage(cell.picture, px, py, side, side);
    else context.fillRect(px, py, side, side);
    context.globalAlpha = 1;
  }

  /** Dashed frames that are seen on any ground. @param {Box[]} boxes @param {Camera} camera */
  dashed(boxes, camera) {
    const { context } = this;
    context.lineWidth = 2;
    for (const box of boxes) {
      const [left, top] = this.at(box, camera);
      for (const [color, dash] of /** @type {[string, number[]][]} */ ([["#000c", []], ["#fff", [5, 5]]])) {
        context.strokeStyle = color;
        context.setLineDash(dash);
        context.beginPath();
        // A box without a side would be drawn there and back, over its own dashes.
        if (box.width && box.height) context.rect(left, top, box.width * camera.zoom, box.height * camera.zoom);
        else {
          context.moveTo(left, top);
          context.lineTo(left + box.width * camera.zoom, top + box.height * camera.zoom);
        }
        context.stroke();
      }
    }
    context.setLineDash([]);
  }

  /** @param {Cell} cell @param {Camera} camera @param {string} text */
  note(cell, camera, text) {
    const { context } = this;
    const [left, top] = this.at({ x: cell.x + 1, y: cell.y + 1 }, camera);
    const ratio = window.devicePixelRatio || 1;
    context.font = `${12 * ratio}px system-ui, sans-serif`;
    context.fillStyle = "#000c";
    context.fillRect(left + 6, top + 6, context.measureText(text).width + 10 * ratio, 18 * ratio);
    context.fillStyle = "#fff";
    context.fillText(text, left + 6 + 5 * ratio, top + 6 + 13 * ratio);
  }

  /** @param {Cell} cell @param {Camera} camera @param {string} color */
  dot(cell, camera, color) {
    const [px, py] = this.at(cell, camera);
    const side = Math.max(camera.zoom / 4, 2);
    this.context.fillStyle = color;
    this.context.fillRect(px + (camera.zoom - side) / 2, py + (camera.zoom - side) / 2, side, side);
  }

  /** @param {Cell} cell @param {Camera} camera @returns {[number, number]} */
  at(cell, camera) {
    return [Math.round((cell.x - camera.x) * camera.zoom), Math.round((cell.y - camera.y) * camera.zoom)];
  }
}

/** The lines in which is mirrored, as boxes without a width or a height. @param {LevelView} level @param {import("./shapes.js").Mirror} mirrors @returns {Box[]} */
function axesOf({ width, height }, mirrors) {
  return [
    ...(mirrors.includes("x") ? [{ x: width / 2, y: 0, width: 0, height }] : []),
    ...(mirrors.includes("y") ? [{ x: 0, y: height / 2, width, height: 0 }] : []),
  ];
}
