// @ts-check
/** A level as the page has it: what the server sent, and what can be asked of a cell. */

import { fieldOfView } from "./level-blob.js";
import { markAt } from "./object_marks.js";

/** @typedef {import("./frames.js").Cells} Cells */
/** @typedef {{id: number, name: string, walkable: boolean, opaque: boolean, color: string}} Tile */
/** @typedef {{between: boolean, numbers: Uint16Array}} Drawing */
/**
 * @typedef {object} Layer
 * @property {string} name
 * @property {"tiles" | "heights"} kind
 * @property {string} generator
 * @property {string} role
 * @property {boolean} aligned
 * @property {number} width
 * @property {number} height
 * @property {boolean} complete
 * @property {Uint8Array | Uint16Array} cells
 * @property {Tile[]} tiles
 * @property {{minimum: number, maximum: number, units: string} | null} heights
 * @property {{name: string, x: number, y: number, width: number, height: number}[]} rooms
 * @property {any} certificate
 * @property {Drawing[]} drawings
 */
/** @typedef {{id: number, name: string, x: number, y: number, properties: Record<string, any>, entry: number | null, kind?: string}} Thing */
/** @typedef {{message: string, file: string, line: number, column: number, severity: string, text: string, path: (string | number)[]}} Problem */
/** @typedef {{layer: string | null, rule: import("./level-blob.js").SightRule, radius: number, seeWalls: boolean, opaque: Uint8Array}} Sight */
/** @typedef {{size: number, columns: number, rows: number, margin: number, spacing: number, pixels: Uint8Array}} Tileset */
/**
 * @typedef {object} Edits
 * @property {Record<string, number>} ordinals which of its name each placed object is, by its id
 * @property {string[]} names of the objects that can be added
 * @property {Record<string, number>} layers how many cells are edited
 * @property {number} objects
 */

/**
 * A name of objects: how many stand of those that are asked for (0 where nothing was), and the groups of the spec.
 * @typedef {object} LegendEntry
 * @property {string} name
 * @property {string} color
 * @property {number} placed
 * @property {number} asked
 * @property {{placed: number, asked: number, demands: {name: string, text: string}[]}[]} groups
 */

export const UNREACHABLE = 65535;

// Objects that the level's legend does not have.
const UNKNOWN = { color: "#ebebeb", shape: 0 };

export class LevelView {
  /** @param {any} sent */
  constructor(sent) {
    /** @type {string} */ this.name = sent.name;
    /** @type {number} */ this.width = sent.width;
    /** @type {number} */ this.height = sent.height;
    /** @type {number | string} */ this.seed = sent.seed;
    /** @type {Layer[]} */ this.layers = sent.layers;
    /** @type {Thing[]} */ this.objects = sent.objects;
    /** @type {Sight | null} */ this.sight = sent.sight;
    /** @type {Uint8Array} */ this.walkable = sent.walkable;
    /** @type {[number, number] | null} */ this.start = sent.start;
    /** @type {Uint16Array} */ this.steps = sent.steps;
    /** @type {Tileset | null} */ this.tileset = sent.tileset;
    /** @type {Record<string, number[]>} */ this.sprites = sent.sprites ?? {};
    /** @type {Problem[]} */ this.warnings = sent.warnings;
    /** @type {Problem[]} */ this.problems = sent.problems;
    /** @type {Record<string, number>} */ this.seconds = sent.seconds;
    /** @type {number} */ this.revision = sent.revision;
    /** @type {string} */ this.id = sent.level;
    /** The number of the last message of drawing that it holds. @type {number} */ this.drawn = sent.drawn;
    /** @type {Edits} */ this.edits = sent.edits;
    /** @type {LegendEntry[]} */ this.legend = sent.legend ?? [];
    /** The marks of objects by their names. */
    this.marks = new Map(this.legend.map((one, place) => [one.name, markAt(one.color, place)]));
    /** @type {number | string | null} */ this.foundSeed = sent.foundSeed;
    /** @type {boolean} */ this.pinned = sent.pinned ?? false;
  }

  /** @param {number} x @param {number} y */
  has(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** How objects of a name are marked where cells are small. @param {string} name */
  markOf(name) {
    return this.marks.get(name) ?? UNKNOWN;
  }

  /** @param {string} name */
  layer(name) {
    return this.layers.find((layer) => layer.name === name) ?? null;
  }

  /**
   * The number a layer has at a cell of the level; a layer of another size is asked at its nearest
   * sample.
   * @param {Layer} layer @param {number} x @param {number} y
   */
  value(layer, x, y) {
    if (layer.aligned) return layer.cells[y * layer.width + x];
    const column = Math.floor(((x + 0.5) * layer.width) / this.width);
    const row = Math.floor(((y + 0.5) * layer.height) / this.height);
    return layer.cells[row * layer.width + column];
  }

  /**
   * What a person is told of a layer at a cell: the tile's name, or the height with its unit.
   * @param {Layer} layer @param {number} x @param {number} y
   */
  told(layer, x, y) {
    const value = this.value(layer, x, y);
    if (layer.kind === "tiles") return layer.tiles.find((tile) => tile.id === value)?.name ?? `${value}`;
    if (!layer.heights) return `${value}`;
    const { minimum, maximum, units } = layer.heights;
    const height = minimum + ((maximum - minimum) * value) / 65535;
    return `${Number(height.toPrecision(5))} ${units}`;
  }

  /**
   * What a cell sees: a byte for each cell, 1 where it is seen. Null without sight.
   * @param {number} x @param {number} y
   * @returns {Uint8Array | null}
   */
  visibleFrom(x, y) {
    const part = this.partSeen(x, y);
    if (!part) return null;
    const found = new Uint8Array(this.width * this.height);
    for (let row = 0; row < part.height; row++) {
      const from = row * part.width;
      found.set(part.seen.subarray(from, from + part.width), (part.top + row) * this.width + part.left);
    }
    return found;
  }

  /**
   * What a cell sees, of the part of the map that its sight can reach: what lies outside blocks sight as
   * the edge of the map does, and no ray comes back from there.
   * @param {number} x @param {number} y
   * @returns {{left: number, top: number, width: number, height: number, seen: Uint8Array} | null}
   */
  partSeen(x, y) {
    if (!this.sight || !this.has(x, y)) return null;
    const { rule, radius, seeWalls, opaque } = this.sight;
    const [left, top] = [Math.max(0, x - radius), Math.max(0, y - radius)];
    const width = Math.min(this.width, x + radius + 1) - left;
    const height = Math.min(this.height, y + radius + 1) - top;
    const part = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      const from = (top + row) * this.width + left;
      part.set(opaque.subarray(from, from + width), row * width);
    }
    const seen = fieldOfView({ width, height, rule, radius, seeWalls, opaque: part }, x - left, y - top);
    return { left, top, width, height, seen };
  }

  /** @param {number} x @param {number} y */
  thingsAt(x, y) {
    return this.objects.filter((one) => one.x === x && one.y === y);
  }
}
