// @ts-check
/** Marks the differences: a frame around changed cells, and shapes for objects, as `exporter diff -o` draws them. */

import { painted } from "./plain_renderer.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

// Those of the command's picture, which people with any colour vision tell apart.
const FRAME = [240, 228, 66];
const [RIM, LINE, ADDED, REMOVED, MOVED] = ["#100c14", "rgb(240 228 66)", "#56b4e9", "#f06e14", "#ffffff"];
// Cells smaller than this are tinted, as a frame would cover them.
const FRAME_ZOOM = 5;
const LEAST_SIZE = 11;

export class CompareMarks {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
    /** @type {Uint8Array | null} */
    this.mask = null;
    this.width = 0;
    this.height = 0;
    /** @type {HTMLCanvasElement | null} */
    this.tint = null;
  }

  /** @param {Uint8Array | null} mask a byte a cell @param {number} width @param {number} height */
  show(mask, width, height) {
    Object.assign(this, { mask, width, height, tint: null });
  }

  /** @param {Camera} camera */
  cells(camera) {
    const { mask, width, height, context } = this;
    if (!mask) return;
    if (camera.zoom >= FRAME_ZOOM) return this.frames(mask, camera);
    this.tint ??= painted(width, height, (pixels) => {
      for (let at = 0; at < mask.length; at++) if (mask[at]) pixels.set([...FRAME, 190], at * 4);
    });
    context.imageSmoothingEnabled = false;
    const [left, top] = [Math.round(-camera.x * camera.zoom), Math.round(-camera.y * camera.zoom)];
    context.drawImage(this.tint, left, top, width * camera.zoom, height * camera.zoom);
  }

  /** Frame connected cells, inside of their edge. @param {Uint8Array} mask @param {Camera} camera */
  frames(mask, camera) {
    const { width, height, context } = this;
    const line = Math.max(1, Math.round(camera.zoom / 9));
    const [left, top] = [Math.max(Math.floor(camera.x), 0), Math.max(Math.floor(camera.y), 0)];
    const right = Math.min(Math.ceil(camera.x + camera.width / camera.zoom), width);
    const bottom = Math.min(Math.ceil(camera.y + camera.height / camera.zoom), height);
    /** @type {(x: number, y: number) => boolean} */
    const changed = (x, y) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] !== 0;
    /** @type {(value: number, from: number) => number} */
    const pixel = (value, from) => Math.round((value - from) * camera.zoom);
    // The dark rim is seen where the picture is bright.
    for (const [color, wide] of /** @type {[string, number][]} */ ([[RIM, line + 1], [LINE, line]])) {
      context.fillStyle = color;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          if (!changed(x, y)) continue;
          const [x0, y0, x1, y1] = [pixel(x, camera.x), pixel(y, camera.y), pixel(x + 1, camera.x), pixel(y + 1, camera.y)];
          if (!changed(x, y - 1)) context.fillRect(x0, y0, x1 - x0, wide);
          if (!changed(x, y + 1)) context.fillRect(x0, y1 - wide, x1 - x0, wide);
          if (!changed(x - 1, y)) context.fillRect(x0, y0, wide, y1 - y0);
          if (!changed(x + 1, y)) context.fillRect(x1 - wide, y0, wide, y1 - y0);
        }
      }
    }
  }

  /** @param {import("./messages.js").ObjectChangesData} objects @param {Camera} camera @param {(name: string) => boolean} shows */
  objects(objects, camera, shows) {
    const radius = Math.max(camera.zoom, LEAST_SIZE) / 2;
    /** @type {(at: [number, number]) => [number, number]} */
    const centre = ([x, y]) => [(x + 0.5 - camera.x) * camera.zoom, (y + 0.5 - camera.y) * camera.zoom];
    for (const one of objects.changed) {
      if (!shows(one.name)) continue;
      const [from, to] = [centre(one.was.at), centre(one.now.at)];
      const way = Math.hypot(to[0] - from[0], to[1] - from[1]);
      if (one.moved) {
        const part = Math.max(way - radius, 0) / way;
        this.stroke(MOVED, (path) => {
          path.moveTo(...from);
          path.lineTo(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
        });
        this.stroke(MOVED, (path) => path.arc(...from, Math.max(radius / 3, 2), 0, 2 * Math.PI));
      }
      this.stroke(MOVED, (path) => path.arc(...to, radius, 0, 2 * Math.PI));
    }
    for (const one of objects.removed.filter((gone) => shows(gone.name))) {
      const [x, y] = centre(one.at);
      this.stroke(REMOVED, (path) => {
        for (const side of [-1, 1]) {
          path.moveTo(x - radius * 0.7, y - radius * 0.7 * side);
          path.lineTo(x + radius * 0.7, y + radius * 0.7 * side);
        }
      });
    }
    for (const one of objects.added.filter((come) => shows(come.name))) {
      const [x, y] = centre(one.at);
      const reach = radius * 1.5;
      this.stroke(ADDED, (path) => {
        path.moveTo(x - reach, y);
        for (const [dx, dy] of [[0, -reach], [reach, 0], [0, reach]]) path.lineTo(x + dx, y + dy);
        path.closePath();
      });
    }
  }

  /** @param {Box} box @param {Camera} camera @param {string} color */
  box(box, camera, color) {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = 2;
    const [x, y] = [(box.x - camera.x) * camera.zoom, (box.y - camera.y) * camera.zoom];
    context.strokeRect(x - 3, y - 3, box.width * camera.zoom + 6, box.height * camera.zoom + 6);
  }

  /** @param {string} color @param {(path: CanvasRenderingContext2D) => void} draw */
  stroke(color, draw) {
    const { context } = this;
    context.beginPath();
    draw(context);
    for (const [style, width] of /** @type {[string, number][]} */ ([[RIM, 4], [color, 2]])) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.stroke();
    }
  }
}
