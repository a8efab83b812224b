// @ts-check
/** Places stamps and prefabs: a ghost follows the pointer, R turns it, F flips it; a press on a placed stamp takes it up. */

import { contextOf, element } from "./elements.js";
import { icon } from "./icon.js";
import { say } from "./notices.js";
import { tilePictures } from "./tile_pictures.js";

/** @typedef {{x: number, y: number}} Cell */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {import("./tools.js").Tools} Tools */
/** @typedef {import("./messages.js").PieceData} Piece */
/** How a piece lies: its top left corner, its quarter turns in degrees, and whether it is flipped before. @typedef {{x: number, y: number, turn: number, flip: boolean}} Place */
/** A placed stamp in hand: where it was, and how far the pointer is from its corner. @typedef {{piece: Piece, index: number, was: Place, dx: number, dy: number}} Carried */

const TURN = "M12.5 6A5 5 0 1 0 13 9.5M13 2.5V6.5H9";
const FLIP = "M8 1.5V14.5M6 4.5 2.5 11.5H6ZM10 4.5 13.5 11.5H10Z";
// The most cells of a piece's side that its button shows, and about how many pixels it is drawn with.
const MOST_SIDE = 512;
const PICTURE = 256;
export const STAMP = {
  name: "stamp", label: "Stamp", key: "K", help: "Place stamps and prefabs; R turns, F flips, a press on a placed one takes it up",
  icon: "M6.5 8.5V6A2.5 2.5 0 1 1 9.5 6V8.5H12.5V11H3.5V8.5ZM3.5 13.5H12.5",
};

export class StampTool {
  /** @param {Tools} tools @param {import("./tools.js").Host} host */
  constructor(tools, host) {
    this.tools = tools;
    this.host = host;
    /** @type {Piece[] | null} */ this.pieces = null;
    this.problem = "";
    /** The chosen piece, which comes again with another draft. @type {Piece | null} */ this.chosen = null;
    this.turn = 0;
    this.flip = false;
    /** @type {Carried | null} */ this.carried = null;
    /** The cell that the pointer is pressed on. @type {Cell | null} */ this.at = null;
    this.keyed = false;
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      pieces: (event) => {
        this.problem = event.problem ?? "";
        const pieces = event.problem === null ? event.pieces : [];
        // A prefab that has a stamp is offered once.
        this.pieces = pieces.filter((one) => one.stamp || !this.stampOf(one));
        this.redraw();
      },
    };
  }

  /** The server was started again, and knows of no tool. */
  welcomed() {
    if (this.tools.tool === "stamp") this.tools.choose("look");
  }

  /** The tool is taken, or put away. @param {boolean} on */
  use(on) {
    this.host.send({ do: "pieces", on });
    if (!on) this.pieces = null;
  }

  redraw() {
    this.tools.drawn = "";
    this.tools.draw();
    this.host.changed();
  }

  /** @returns {Piece | null} */
  get piece() {
    if (this.carried) return this.carried.piece;
    const { pieces, chosen } = this;
    return pieces?.find((one) => chosen && keyOf(one) === keyOf(chosen)) ?? pieces?.find((one) => one.name === chosen?.name) ?? pieces?.[0] ?? null;
  }

  // --- the pointer ----------------------------------------------------------------------------

  /** @param {Cell} cell @param {number} button */
  down(cell, button) {
    const placed = this.placedAt(cell);
    if (button === 2) {
      if (placed) this.remove(placed.piece, placed.index);
      return true;
    }
    this.at = cell;
    if (placed) {
      const { piece, index, place } = placed;
      this.carried = { piece, index, was: place, dx: cell.x - place.x, dy: cell.y - place.y };
      [this.turn, this.flip] = [place.turn, place.flip];
    }
    this.drag(cell);
    return true;
  }

  /** @param {Cell} cell */
  drag(cell) {
    if (this.at) this.at = cell;
    this.host.changed();
  }

  /** @param {Cell} cell */
  up(cell) {
    const { carried, piece, at } = this;
    this.at = null;
    this.carried = null;
    this.keyed = false;
    const place = at && piece && this.placeOf(piece, cell, carried);
    if (place && !this.isInside(piece, place)) say("There is nothing of it on the map: drop it further inside.", true);
    else if (place && carried) this.move(carried, place);
    else if (place && piece) this.put(piece, place);
    this.host.changed();
  }

  /** Put back what is carried. @returns {boolean} whether there was something */
  cancel() {
    const had = this.at !== null;
    this.at = null;
    this.carried = null;
    this.keyed = false;
    return had;
  }

  /** @param {string} name of a key, in capitals @param {Cell | null} cell @returns {boolean} whether it is the tool's */
  key(name, cell) {
    if (name === "R") this.turn = (this.turn + 90) % 360;
    else if (name === "F") this.mirror();
    else if (!cell || !["ENTER", "DELETE", "BACKSPACE"].includes(name)) return false;
    else if (name !== "ENTER") this.down(cell, 2);
    else if (this.keyed) this.up(cell);
    else {
      this.down(cell, 0);
      if (this.carried) this.keyed = true;
      else this.up(cell);
    }
    this.host.changed();
    return true;
  }

  /** Exchange left and right as they are now seen: the spec flips before it turns. */
  mirror() {
    this.flip = !this.flip;
    this.turn = (360 - this.turn) % 360;
  }

  // --- the spec -------------------------------------------------------------------------------

  /** The places of a stamp, as the spec has them. @param {Piece} piece @returns {Place[]} */
  places(piece) {
    const written = piece.stamp ? this.host.spec()?.layers?.[piece.layer]?.at ?? [[0, 0]] : [];
    if (!Array.isArray(written)) return [];
    // A place that is not written to its end keeps its number, and lies nowhere.
    return written.map((/** @type {any} */ one) => {
      const [x, y] = [Array.isArray(one) ? one : one?.at].flat().map((part) => (typeof part === "number" ? part : NaN));
      return { x, y, turn: [90, 180, 270].includes(one?.turn) ? one.turn : 0, flip: one?.flip === true };
    });
  }

  /** The uppermost placed stamp at a cell. @param {Cell} cell @returns {{piece: Piece, index: number, place: Place} | null} */
  placedAt(cell) {
    for (const piece of [...this.pieces ?? []].reverse()) {
      const places = this.places(piece);
      for (let index = places.length - 1; index >= 0; index--) {
        const { x, y } = places[index];
        const { width, height } = sizeOf(piece, places[index].turn);
        const isIn = x <= cell.x && cell.x < x + width && y <= cell.y && cell.y < y + height;
        if (isIn && cellsOf(piece, places[index]).some((one) => one.x === cell.x && one.y === cell.y)) return { piece, index, place: places[index] };
      }
    }
    return null;
  }

  /** The layer that is a stamp of a piece. @param {Piece} piece @returns {string | undefined} */
  stampOf(piece) {
    if (piece.stamp) return piece.layer;
    const layers = Object.entries(/** @type {Record<string, any>} */ (this.host.spec()?.layers ?? {}));
    const glyphs = JSON.stringify(piece.glyphs);
    return piece.art ? layers.find(([, one]) => one?.generator === "stamp" && one.art === piece.art && JSON.stringify(one.glyphs ?? {}) === glyphs)?.[0] : undefined;
  }

  /** Place a piece: where its stamp has places, else in a stamp of its own. @param {Piece} piece @param {Place} place */
  put(piece, place) {
    const below = this.tools.layer;
    const same = this.stampOf(piece);
    if (same !== undefined) {
      const written = this.host.spec().layers[same].at;
      const path = ["layers", same, "at"];
      if (Array.isArray(written)) void this.host.change([{ insert: [...path, written.length], value: placeValue(place) }]);
      else void this.host.change([{ set: path, value: [[0, 0], placeValue(place)] }]);
    } else if (!piece.art) say(`${piece.name} has tiles that cannot be drawn in characters.`, true);
    else if (below) this.host.send({ do: "place_stamp", layer: below.name, name: piece.name, art: piece.art, glyphs: piece.glyphs, at: placeValue(place) });
  }

  /** @param {Carried} carried @param {Place} place */
  move({ piece, index, was }, place) {
    if (JSON.stringify(was) === JSON.stringify(place)) return;
    const path = ["layers", piece.layer, "at"];
    const written = this.host.spec()?.layers?.[piece.layer]?.at;
    void this.host.change([written ? { set: [...path, index], value: placeValue(place) } : { set: path, value: [placeValue(place)] }]);
  }

  /** @param {Piece} piece @param {number} index */
  remove(piece, index) {
    if (this.places(piece).length < 2) return say(`This is the only place of ${piece.layer}: remove the layer instead.`, true);
    void this.host.change([{ remove: ["layers", piece.layer, "at", index] }]);
  }

  // --- what is shown --------------------------------------------------------------------------

  /** Where a piece lies with the pointer at a cell. @param {Piece} piece @param {Cell} cell @param {Carried | null} carried @returns {Place} */
  placeOf(piece, cell, carried) {
    const { turn, flip } = this;
    if (carried) return { x: cell.x - carried.dx, y: cell.y - carried.dy, turn, flip };
    const { width, height } = sizeOf(piece, turn);
    return { x: cell.x - Math.floor(width / 2), y: cell.y - Math.floor(height / 2), turn, flip };
  }

  /** @param {Piece} piece @param {Place} place */
  isInside(piece, place) {
    return cellsOf(piece, place).some((one) => this.tools.level?.has(one.x, one.y));
  }

  /** The cells of the ghost. @param {Cell | null} hover @returns {import("./tools.js").Drawn[]} */
  ghost(hover) {
    const { piece, carried } = this;
    const { level } = this.tools;
    const cell = this.at && !this.keyed ? this.at : hover;
    const layer = piece && level?.layer(piece.layer);
    if (!cell || !level || !layer || (!this.at && this.placedAt(cell))) return [];
    const pictures = tilePictures(level, layer);
    const tiles = new Map(layer.tiles.map((one) => [one.id, one]));
    return cellsOf(piece, this.placeOf(piece, cell, carried)).filter((one) => level.has(one.x, one.y))
      .map(({ x, y, id }) => ({ x, y, color: tiles.get(id)?.color ?? "#0000", picture: pictures.get(id), faint: true }));
  }

  /** The frame of the ghost, or of the placed stamp under the pointer. @param {Cell | null} hover @returns {Box | null} */
  frame(hover) {
    const { piece, carried } = this;
    const cell = this.at && !this.keyed ? this.at : hover;
    if (!cell) return null;
    const placed = this.at ? null : this.placedAt(cell);
    if (placed) return { ...placed.place, ...sizeOf(placed.piece, placed.place.turn) };
    return piece && { ...this.placeOf(piece, cell, carried), ...sizeOf(piece, this.turn) };
  }

  /** @returns {Node[]} */
  options() {
    const { pieces, piece } = this;
    if (!pieces) return [element("span", { className: "note" }, "...")];
    if (!pieces.length) return [element("span", { className: "note" }, this.problem || "The level has no stamps or prefabs: add a layer of either, or turn a drawing into a layer.")];
    const buttons = pieces.map((one) => element("button", {
      type: "button", title: `${one.name}, ${one.width} x ${one.height}${one.stamp ? "" : ` (of ${one.layer})`}`, "aria-label": one.name, "data-piece": one.name, "aria-pressed": String(one === piece),
      onclick: () => {
        this.chosen = one;
        [this.turn, this.flip] = [0, false];
        this.redraw();
        this.host.picture.focus({ preventScroll: true });
      },
    }, this.picture(one)));
    /** @param {string} id @param {string} path @param {string} title @param {string} key */
    const button = (id, path, title, key) => element("button", {
      id, type: "button", className: "quiet", title: `${title} (${key})`, "aria-label": title, onclick: () => this.key(key, null),
    }, icon(path));
    return [
      element("span", { className: "palette", role: "group", "aria-label": "Piece to place" }, element("span", { className: "tiles" }, ...buttons), element("span", { className: "chosen" }, piece?.name ?? "")),
      button("stamp-turn", TURN, "Turn", "R"), button("stamp-flip", FLIP, "Flip", "F"),
    ];
  }

  /** @param {Piece} piece */
  picture(piece) {
    const { level } = this.tools;
    const longest = Math.max(piece.width, piece.height);
    if (longest > MOST_SIDE) return null;
    const layer = level?.layer(piece.layer);
    const pictures = level && layer ? tilePictures(level, layer) : new Map();
    const own = pictures.values().next().value?.width ?? 1;
    const side = Math.max(1, Math.min(own, Math.floor(PICTURE / longest)));
    const canvas = element("canvas", { width: piece.width * side, height: piece.height * side, "aria-hidden": "true" });
    const context = contextOf(canvas);
    for (const { x, y, id } of cellsOf(piece, { x: 0, y: 0, turn: 0, flip: false })) {
      context.fillStyle = layer?.tiles.find((one) => one.id === id)?.color ?? "#0000";
      const picture = pictures.get(id);
      if (picture) context.drawImage(picture, x * side, y * side, side, side);
      else context.fillRect(x * side, y * side, side, side);
    }
    return canvas;
  }
}

/** @param {Piece} piece */
function keyOf({ layer, name, art }) {
  return JSON.stringify([layer, name, art]);
}

/** A place as the spec has it. @param {Place} place */
function placeValue({ x, y, turn, flip }) {
  return turn || flip ? { at: [x, y], ...(turn ? { turn } : {}), ...(flip ? { flip } : {}) } : [x, y];
}

/** @param {Piece} piece @param {number} turn */
function sizeOf({ width, height }, turn) {
  return turn % 180 ? { width: height, height: width } : { width, height };
}

/** The cells of a piece at a place, with the ids of their tiles. @param {Piece} piece @param {Place} place @returns {(Cell & {id: number})[]} */
function cellsOf({ width, height, cells }, place) {
  const found = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const id = cells[row * width + column];
      if (id < 0) continue;
      let [x, y, across, down] = [place.flip ? width - 1 - column : column, row, width, height];
      for (let turned = 0; turned < place.turn; turned += 90) [x, y, across, down] = [down - 1 - y, x, down, across];
      found.push({ x: place.x + x, y: place.y + y, id });
    }
  }
  return found;
}
