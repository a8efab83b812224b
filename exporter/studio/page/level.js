// @ts-check
/** A level in the page: the server's data, and queries of its cells. */

import { fieldOfView } from "./level-blob.js";
import { markAt } from "./object_marks.js";

/** @typedef {import("./frames.js").Cells} Cells */
/** @typedef {import("./messages.js").LevelEvent} LevelEvent */
/** @typedef {import("./messages.js").TileData} Tile */
/** @typedef {import("./messages.js").DrawingData} Drawing */
/** @typedef {import("./messages.js").LayerData} Layer */
/** @typedef {import("./messages.js").ObjectData} Thing */
/** @typedef {import("./messages.js").ProblemData} Problem */
/** @typedef {import("./messages.js").SightData} Sight */
/** @typedef {import("./messages.js").EditsData} Edits */
/** @typedef {import("./messages.js").LegendEntryData} LegendEntry */
/** @typedef {import("./messages.js").TilesetPictureData} Tileset */

export const UNREACHABLE = 65535;

/** The name of a level by its file. @param {string} file */
export function nameOf(file) {
  return file.replace(/^.*\//, "").replace(/\.level\.[a-z]+$/, "");
}

const EMPTY_NAMES = new Set(["empty", "nothing", "none", "other"]);

/** @param {Tile} tile */
export const isEmpty = (tile) => EMPTY_NAMES.has(tile.name);

// Objects that the level's legend does not have.
const UNKNOWN = { color: "#ebebeb", shape: 0 };

export class LevelView {
  /** @param {LevelEvent} sent */
  constructor(sent) {
    this.name = sent.name;
    this.width = sent.width;
    this.height = sent.height;
    this.seed = sent.seed;
    /** The world of which the level is a window; null for a whole level. */
    this.world = sent.world ?? null;
    this.layers = sent.layers;
    this.objects = sent.objects;
    this.mission = sent.mission ?? null;
    this.sight = sent.sight;
    this.walkable = sent.walkable;
    this.start = sent.start;
    this.steps = sent.steps;
    this.tileset = sent.tileset;
    this.sprites = sent.sprites ?? {};
    this.warnings = sent.warnings;
    this.problems = sent.problems;
    this.seconds = sent.seconds;
    this.revision = sent.revision;
    this.id = sent.level;
    /** The number of the last message of drawing that it holds. @type {number} */ this.drawn = sent.drawn;
    this.edits = sent.edits;
    this.legend = sent.legend ?? [];
    /** The marks of objects by their names. */
    this.marks = new Map(this.legend.map((one, place) => [one.name, markAt(one.color, place)]));
    this.seedResult = sent.seedResult;
    this.pinned = sent.pinned ?? false;
  }

  /** The world, or the level, in the level's cells. */
  get whole() {
    const { world } = this;
    return world ? { x: -world.x, y: -world.y, width: world.width, height: world.height } : { x: 0, y: 0, width: this.width, height: this.height };
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
   * Return a layer's number at a cell of the level; in a layer of another size, the nearest sample.
   * @param {Layer} layer @param {number} x @param {number} y
   */
  value(layer, x, y) {
    if (layer.aligned) return layer.cells[y * layer.width + x];
    const column = Math.floor(((x + 0.5) * layer.width) / this.width);
    const row = Math.floor(((y + 0.5) * layer.height) / this.height);
    return layer.cells[row * layer.width + column];
  }

  /**
   * Describe a layer at a cell: the tile's name, or the height with its unit.
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
   * Return the cells seen from a cell: a byte for each cell, 1 where it is seen. Null without sight.
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
   * Return the cells seen from a cell, in the part of the map within its radius: cells outside block sight as the edge of the
   * map does, and no ray comes back from there.
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

  /** The place of a cell among the hand edits of a layer; -1 if it is as it was generated. @param {string} layer @param {number} x @param {number} y */
  editedAt(layer, x, y) {
    const found = this.layer(layer);
    return found && x < found.width ? this.edits.cells?.[layer]?.places.indexOf(y * found.width + x) ?? -1 : -1;
  }

  /** The rooms of a layer at a cell, by their numbers. @param {Layer} layer @param {number} x @param {number} y */
  roomsAt(layer, x, y) {
    return layer.rooms.flatMap((one, index) => (x >= one.x && y >= one.y && x < one.x + one.width && y < one.y + one.height ? [index] : []));
  }

  /** Whether a layer has something at a cell. @param {Layer} layer @param {number} x @param {number} y */
  holds(layer, x, y) {
    if (layer.kind === "heights") return true;
    const value = this.value(layer, x, y);
    const tile = layer.tiles.find((one) => one.id === value);
    return tile !== undefined && !isEmpty(tile);
  }

  /** How an object is called: its number among those of its name, as in warnings and files of edits. @param {Thing} thing */
  nameOf(thing) {
    const ordinal = this.edits.ordinals[thing.id];
    return ordinal ? `${thing.name} ${ordinal}` : `${thing.name} (added)`;
  }

  /** The name of the lock that closes a cell; empty for none. @param {number} x @param {number} y */
  lockAt(x, y) {
    return this.mission?.locks.find((one) => one.cells.some(([column, row]) => column === x && row === y))?.name ?? "";
  }

  /** Whether the mission depends on where an object lies. @param {Thing} thing */
  isOfMission({ name, properties }) {
    const { mission } = this;
    return mission !== null && (name === mission.start || name === mission.goal || mission.locks.some((one) => one.name === properties.opens));
  }

  /** @param {number} x @param {number} y */
  thingsAt(x, y) {
    return this.objects.filter((one) => one.x === x && one.y === y);
  }
}
