// @ts-check
/**
 * Draws a level where the browser has no WebGL 2: one pixel a cell, in the mean colour of its tile, enlarged. It shows
 * everything but the pictures of single tiles.
 */

import { sheetsOf } from "./renderer.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {import("./camera.js").Camera} Camera */

const BLACK = "0,0,0,255";
const CLEAR = [0, 0, 0, 0];

export class PlainRenderer {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    /** @type {LevelView | null} */
    this.level = null;
    /** @type {Map<Layer, HTMLCanvasElement>} */
    this.pictures = new Map();
    /** @type {Uint8Array | null} */
    this.lit = null;
    /** @type {HTMLCanvasElement | null} */
    this.dark = null;
    /** @type {Uint8Array} */
    this.means = new Uint8Array();
    /** @type {Layer | null} */
    this.instead = null;
    /** @type {import("./world_view.js").Overview | null} */
    this.overview = null;
    /** How black cells of a legend are drawn. @type {number[]} */
    this.solid = [0, 0, 0];
  }

  /** Another level on the same canvas. */
  another() {
    return new PlainRenderer(this.context.canvas);
  }

  /** Draw in a part of the canvas alone. @param {import("./compare_halves.js").Rectangle} part @param {() => void} draw */
  within({ left, top, width, height }, draw) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    draw();
    context.restore();
  }

  /** @param {LevelView | null} level */
  show(level) {
    this.level = level;
    this.pictures.clear();
    this.lit = this.dark = null;
    this.means = meansOf(level);
  }

  /** Lay the picture of a world below its window. @param {import("./world_view.js").Overview | null} overview */
  spread(overview) {
    this.overview = overview;
  }

  /**
   * Replace the layer of the same name by this one, with its current cells; null restores all.
   * @param {Layer | null} layer
   */
  replace(layer) {
    if (this.instead) this.pictures.delete(this.instead);
    this.instead = layer;
  }

  /** @param {Uint8Array | null} lit 1 in sight, 2 remembered, 0 neither; null for all */
  light(lit) {
    this.lit = lit;
    this.dark = null;
  }

  /**
   * @param {Camera} camera
   * @param {(layer: Layer) => {visible: boolean, opacity: number}} shown
   * @param {import("./theme.js").GroundColors & {dark: number[], remembered: number[]}} colors
   * @param {() => void} [below] draws over the layers and below the dark
   */
  draw(camera, shown, colors, below) {
    const { context, level } = this;
    context.globalAlpha = 1;
    context.fillStyle = `rgb(${numbersOf(colors.background).join(" ")})`;
    context.fillRect(0, 0, camera.width, camera.height);
    if (!level) return;
    if (this.overview && level.world) {
      const { x, y } = level.whole;
      const { canvas, columns, rows, step } = this.overview;
      context.drawImage(canvas, (x - camera.x) * camera.zoom, (y - camera.y) * camera.zoom, columns * step * camera.zoom, rows * step * camera.zoom);
    }
    context.fillStyle = `rgb(${numbersOf(colors.ground).join(" ")})`;
    context.fillRect(...positionOf(level, camera));
    const solid = numbersOf(colors.solid);
    if (solid.join() !== this.solid.join()) this.pictures.clear();
    this.solid = solid;
    context.imageSmoothingEnabled = camera.zoom < 1;
    for (const layer of [...level.layers].sort((a, b) => Number(a.kind === "tiles") - Number(b.kind === "tiles"))) {
      const { visible, opacity } = shown(layer);
      if (!visible || opacity === 0) continue;
      context.globalAlpha = opacity;
      this.lay(this.picture(this.instead?.name === layer.name ? this.instead : layer), level, camera);
    }
    context.globalAlpha = 1;
    below?.();
    if (this.lit) this.lay(this.darkness(level, colors), level, camera);
  }

  /**
   * Lay a picture over the level, a pixel a cell.
   * @param {HTMLCanvasElement} picture @param {Camera} camera @param {number} opacity
   */
  cover(picture, camera, opacity) {
    if (!this.level) return;
    this.context.imageSmoothingEnabled = false;
    this.context.globalAlpha = opacity;
    this.lay(picture, this.level, camera);
    this.context.globalAlpha = 1;
  }

  /** @param {HTMLCanvasElement} picture @param {LevelView} level @param {Camera} camera */
  lay(picture, level, camera) {
    this.context.drawImage(picture, ...positionOf(level, camera));
  }

  /** @param {Layer} layer */
  picture(layer) {
    let picture = this.pictures.get(layer);
    if (!picture) {
      picture = painted(layer.width, layer.height, (pixels) => this.paint(layer, pixels));
      this.pictures.set(layer, picture);
    }
    return picture;
  }

  /** @param {Layer} layer @param {Uint8ClampedArray} pixels */
  paint(layer, pixels) {
    const colorOf = cellColors(layer, this.means, this.solid);
    for (let at = 0; at < layer.cells.length; at++) pixels.set(colorOf(at), at * 4);
  }

  /** @param {LevelView} level @param {{dark: number[], remembered: number[]}} colors */
  darkness(level, colors) {
    const lit = /** @type {Uint8Array} */ (this.lit);
    const bytes = [colors.dark, [0, 0, 0, 0], colors.remembered].map((one) => one.map((part) => Math.round(part * 255)));
    this.dark ??= painted(level.width, level.height, (pixels) => {
      for (let at = 0; at < lit.length; at++) pixels.set(bytes[lit[at]], at * 4);
    });
    return this.dark;
  }
}

/** The mean colours of a level's tiles, four bytes each. @param {LevelView | null} level */
export function meansOf(level) {
  const sheets = level?.tileset ? sheetsOf(level.tileset) : [];
  return sheets.length ? sheets[sheets.length - 1].pixels : new Uint8Array();
}

/**
 * Return what gives the colour of a cell of a layer by its index: red, green, blue and opacity, to 255.
 * @param {Layer} layer @param {Uint8Array} means @param {number[]} solid for black, which means that no colour was chosen: it would be lost on a dark page
 * @returns {(at: number) => ArrayLike<number>}
 */
export function cellColors(layer, means, solid) {
  if (layer.kind === "heights") return (at) => [layer.cells[at] >> 8, layer.cells[at] >> 8, layer.cells[at] >> 8, 255];
  const drawing = layer.drawings.find((one) => !one.between);
  if (drawing) {
    const { numbers } = drawing;
    return (at) => (numbers[at] ? means.subarray((numbers[at] - 1) * 4, numbers[at] * 4) : CLEAR);
  }
  const colors = new Map(layer.tiles.map((tile) => [tile.id, bytesOf(tile.color)]));
  for (const [id, color] of colors) if (color.join() === BLACK) colors.set(id, [...solid, 255]);
  return (at) => colors.get(layer.cells[at]) ?? CLEAR;
}

/**
 * @param {number} width @param {number} height
 * @param {(pixels: Uint8ClampedArray) => void} paint
 */
export function painted(width, height, paint) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  paint(image.data);
  context.putImageData(image, 0, 0);
  return canvas;
}

/** Where a level lies on the canvas. @param {LevelView} level @param {Camera} camera @returns {[number, number, number, number]} */
function positionOf(level, camera) {
  return [Math.round(-camera.x * camera.zoom), Math.round(-camera.y * camera.zoom), level.width * camera.zoom, level.height * camera.zoom];
}

/** @param {number[]} color from 0 to 1 @returns {number[]} to 255 */
function numbersOf(color) {
  return color.map((part) => Math.round(part * 255));
}

/** @param {string} color `#rrggbb` or `#rrggbbaa` */
function bytesOf(color) {
  const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return [...parts, color.length > 7 ? parseInt(color.slice(7), 16) : 255];
}
