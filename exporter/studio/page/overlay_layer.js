// @ts-check
/** Draws an overlay: a texture of classes and numbers, the colours they have, and marks above. */

import { PlainRenderer, painted } from "./plain_renderer.js";
import { HEAD } from "./shaders.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./renderer.js").Renderer} Renderer */
/** @typedef {import("./messages.js").OverlayEvent} Overlay */

/** Values from here on are numbers, those below classes. */
export const FIRST_NUMBER = 256;
const OPACITY = 0.69;
const LABEL_ZOOM = 6;

// Smaller cells have no room for a mark.
const MARK_ZOOM = 7;

/**
 * The mark of a class in each of its cells, so that eyes which do not tell the colours tell the shapes: none, a line along
 * the lower or the left edge, both, or a square in the corner.
 * @param {number} id of the class @param {number} x @param {number} y in the cell, 0 to 1
 */
export function hasMark(id, x, y) {
  const [across, down] = [y > 0.74 && y < 0.9, x > 0.1 && x < 0.26];
  return [false, across, down, across || down, x > 0.1 && x < 0.36 && y > 0.1 && y < 0.36][(id - 1) % 5];
}

/** Classes have their colour in the first row of the palette, numbers in the second. The marks are those of `hasMark`. */
const OVERLAY = `${HEAD}
bool marked(int kind, vec2 at) {
  bool across = at.y > 0.74 && at.y < 0.9;
  bool down = at.x > 0.1 && at.x < 0.26;
  if (kind == 4) return at.x > 0.1 && at.x < 0.36 && at.y > 0.1 && at.y < 0.36;
  return (kind == 1 || kind == 3) && across || (kind == 2 || kind == 3) && down;
}
uniform usampler2D numbers;
uniform sampler2D palette;
uniform uint low;
uniform uint high;
void main() {
  ivec2 cell = ivec2(floor(place()));
  if (!inside(cell)) discard;
  uint value = texelFetch(numbers, cell, 0).r;
  if (value == 0u) discard;
  ivec2 at = ivec2(int(value), 0);
  if (value >= ${FIRST_NUMBER}u) {
    float part = float(value - ${FIRST_NUMBER}u - low) / float(max(high - low, 1u));
    at = ivec2(int(floor(part * 255.0)), 1);
  }
  vec4 found = texelFetch(palette, at, 0);
  if (found.a == 0.0) discard;
  bool mark = at.y == 0 && zoom >= ${MARK_ZOOM}.0 && marked((at.x - 1) % 5, fract(place()));
  color = mark ? vec4(found.rgb * 0.25, 1.0) : vec4(found.rgb, opacity);
}
`;

export class OverlayLayer {
  /** @param {Renderer | PlainRenderer} renderer */
  constructor(renderer) {
    this.renderer = renderer;
    /** The canvas over the cells where there is no WebGL. @type {HTMLCanvasElement | null} */
    this.picture = null;
    /** @type {WebGLTexture[]} */
    this.textures = [];
    /** @type {Overlay | null} */
    this.overlay = null;
  }

  /** @param {Overlay | null} overlay @param {number} width @param {number} height */
  show(overlay, width, height) {
    const { renderer } = this;
    this.overlay = overlay;
    this.picture = null;
    if (renderer instanceof PlainRenderer) {
      if (overlay) this.picture = painted(width, height, (pixels) => paint(overlay, pixels));
      return;
    }
    for (const texture of this.textures.splice(0)) renderer.gl.deleteTexture(texture);
    if (!overlay) return;
    const { values } = overlay;
    const numbers = values instanceof Int32Array
      ? this.wide(renderer, new Uint32Array(values), width, height)
      : renderer.grid(values, width, height).texture;
    this.textures = [numbers, renderer.grid(overlay.palette, 256, 2, true).texture];
  }

  /**
   * Numbers that 16 bits do not hold.
   * @param {Renderer} renderer @param {Uint32Array} values @param {number} width @param {number} height
   */
  wide(renderer, values, width, height) {
    const { gl } = renderer;
    const { texture } = renderer.grid(new Uint8Array(1), 1, 1);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, values);
    return texture;
  }

  /** @param {Camera} camera */
  draw(camera) {
    const { renderer, overlay } = this;
    if (!overlay || !renderer.level) return;
    if (renderer instanceof PlainRenderer) {
      if (this.picture) renderer.cover(this.picture, camera, OPACITY);
      return;
    }
    const { gl } = renderer;
    renderer.use("overlay", OVERLAY, camera, OPACITY);
    renderer.bind("numbers", this.textures[0], 0);
    renderer.bind("palette", this.textures[1], 1);
    gl.uniform1ui(renderer.place("low"), overlay.scale?.low ?? 0);
    gl.uniform1ui(renderer.place("high"), overlay.scale?.high ?? 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Camera} camera
   * @param {{cells: Uint8Array, width: number} | null} [fog] known cells (not 0): marks of others are hidden; null for all
   */
  drawMarks(context, camera, fog = null) {
    if (!this.overlay) return;
    /** @type {(x: number, y: number) => boolean} */
    const known = (x, y) => !fog || fog.cells[Math.floor(y) * fog.width + Math.floor(x)] > 0;
    /** @type {(x: number, y: number) => [number, number]} */
    const centre = (x, y) => [(x + 0.5 - camera.x) * camera.zoom, (y + 0.5 - camera.y) * camera.zoom];
    const width = Math.max(1.5, camera.zoom / 10);
    context.save();
    context.lineJoin = "round";
    for (const mark of this.overlay.marks) {
      context.beginPath();
      if (mark.kind === "circle") {
        if (!known(mark.x, mark.y)) continue;
        const [x, y] = centre(mark.x, mark.y);
        context.arc(x, y, mark.radius * camera.zoom, 0, 2 * Math.PI);
      } else if (mark.kind === "path") {
        let drawing = false;
        for (let at = 0; at < mark.cells.length; at += 2) {
          const [x, y] = [mark.cells[at], mark.cells[at + 1]];
          const shown = known(x, y);
          // A path ends at the edge of the known cells.
          if (shown && drawing) context.lineTo(...centre(x, y));
          else if (shown) context.moveTo(...centre(x, y));
          drawing = shown;
        }
      } else continue;
      for (const [color, wide] of /** @type {[string, number][]} */ ([["#14101880", width + 2], ["#ffffff", width]])) {
        context.strokeStyle = color;
        context.lineWidth = wide;
        context.stroke();
      }
    }
    if (camera.zoom >= LABEL_ZOOM) this.labels(context, camera, centre, known);
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Camera} camera
   * @param {(x: number, y: number) => [number, number]} centre
   * @param {(x: number, y: number) => boolean} known
   */
  labels(context, camera, centre, known) {
    const size = Math.round(Math.min(Math.max(camera.zoom * 0.7, 11), 18) * (window.devicePixelRatio || 1));
    context.font = `${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const mark of /** @type {Overlay} */ (this.overlay).marks) {
      if (mark.kind !== "label" || !known(mark.x, mark.y)) continue;
      const [x, y] = centre(mark.x, mark.y);
      if (x < -200 || y < -20 || x > camera.width + 200 || y > camera.height + 20) continue;
      const wide = context.measureText(mark.text).width + size * 0.6;
      context.fillStyle = "#141018d0";
      context.fillRect(x - wide / 2, y - size * 0.65, wide, size * 1.3);
      context.fillStyle = "#ffffff";
      context.fillText(mark.text, x, y);
    }
  }
}

/**
 * Paint the colours of an overlay, a pixel a cell.
 * @param {Overlay} overlay @param {Uint8ClampedArray} pixels
 */
function paint(overlay, pixels) {
  const { values, palette, scale } = overlay;
  const low = scale?.low ?? 0;
  const range = Math.max((scale?.high ?? 0) - low, 1);
  for (let cell = 0; cell < values.length; cell++) {
    const value = values[cell];
    if (value === 0) continue;
    const at = value < FIRST_NUMBER ? value : 256 + Math.floor(((value - FIRST_NUMBER - low) / range) * 255);
    pixels.set(palette.subarray(at * 4, at * 4 + 4), cell * 4);
  }
}
