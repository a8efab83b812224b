// @ts-check
/**
 * Drawn cells: sent to the server and applied in the page at once, so that sight and steps follow before the server has built
 * anything. Each message has a number; a picture names the last number it includes, and later cells are drawn on it again.
 */

import { isEmpty } from "./level.js";
import { tilePictures } from "./tile_pictures.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {import("./level.js").Tile} Tile */
/** @typedef {{x: number, y: number}} Cell */
/** @typedef {import("./tools.js").Drawn} Drawn */
/** @typedef {{number: number, layer: string, tile: number | null, color: string, cells: Cell[]}} Stroke */

/** The layers that can be drawn on. @param {LevelView} level */
export function drawable(level) {
  return level.layers.filter((layer) => layer.kind === "tiles" && layer.aligned);
}

/** Return the tile that erasing leaves: none, or one to walk on. @param {Layer} layer @returns {Tile | undefined} */
export function erasedTile(layer) {
  return layer.tiles.find(isEmpty) ?? layer.tiles.find((tile) => tile.walkable);
}

export class Drawing {
  /** @param {(message: import("./messages.js").Request) => void} send */
  constructor(send) {
    this.send = send;
    this.number = 0;
    /** @type {Stroke[]} */
    this.waiting = [];
    /** @type {LevelView | null} */
    this.level = null;
  }

  /** Take a new picture, and draw the missing cells on it. @param {LevelView} level */
  show(level) {
    const same = this.level?.id === level.id;
    this.level = level;
    this.number = Math.max(this.number, level.drawn);
    this.waiting = same ? this.waiting.filter((one) => one.number > level.drawn) : [];
    for (const stroke of this.waiting) this.apply(level, stroke);
  }

  /** Forget the refused cells. */
  drop() {
    this.waiting = [];
  }

  /**
   * Draw cells of a layer.
   * @param {Layer} layer @param {Cell[]} cells
   * @param {Tile | null} tile null to restore the generated tile
   * @param {string} merge shared by the messages of one stroke
   */
  draw(layer, cells, tile, merge) {
    const { level } = this;
    const inside = level ? cells.filter((one) => level.has(one.x, one.y)) : [];
    if (!level || !inside.length) return;
    const stroke = { number: ++this.number, layer: layer.name, tile: tile ? tile.id : null, color: tile?.color ?? "#0000", cells: inside };
    this.waiting.push(stroke);
    this.apply(level, stroke);
    const drawn = { layer: layer.name, cells: inside.map((one) => cellOf(one)), number: stroke.number, merge };
    this.send(tile ? { do: "draw", tile: isEmpty(tile) ? null : tile.name, ...drawn } : { do: "restore", ...drawn });
  }

  /** @param {LevelView} level @param {Stroke} stroke */
  apply(level, stroke) {
    const layer = level.layer(stroke.layer);
    if (!layer || stroke.tile === null) return;
    for (const { x, y } of stroke.cells) {
      if (!level.has(x, y)) continue;
      const at = y * level.width + x;
      layer.cells[at] = stroke.tile;
      level.walkable[at] = Number(walkableAt(level, at));
      if (level.sight) level.sight.opaque[at] = Number(opaqueAt(level, layer, at));
    }
  }

  /** Cells that are drawn and not yet in the picture. @param {LevelView} level @returns {Drawn[]} */
  colored(level) {
    return this.waiting.flatMap((one) => {
      const layer = level.layer(one.layer);
      const picture = layer && one.tile !== null ? tilePictures(level, layer).get(one.tile) : undefined;
      return one.cells.map((cell) => ({ ...cell, color: one.color, picture }));
    });
  }
}

/** Whether a cell is walkable: a floor in some play layer, a block in none. @param {LevelView} level @param {number} at */
function walkableAt(level, at) {
  let floor = false;
  for (const layer of level.layers) {
    if (layer.role !== "play" || layer.kind !== "tiles" || !layer.aligned) continue;
    const tile = layer.tiles.find((one) => one.id === layer.cells[at]);
    if (!tile) continue;
    if (!tile.walkable && !isEmpty(tile)) return false;
    floor ||= tile.walkable;
  }
  return floor;
}

/** @param {LevelView} level @param {Layer} drawn @param {number} at */
function opaqueAt(level, drawn, at) {
  const only = level.sight?.layer ?? null;
  if (only !== null && only !== drawn.name) return level.sight?.opaque[at] === 1;
  return level.layers.some((layer) => {
    const blocks = only !== null ? layer.name === only : layer.role === "play" && layer.kind === "tiles" && layer.aligned;
    return blocks && layer.tiles.find((one) => one.id === layer.cells[at])?.opaque === true;
  });
}

/** @param {Cell} cell @returns {import("./messages.js").Cell} */
function cellOf({ x, y }) {
  return [x, y];
}
