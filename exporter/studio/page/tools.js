// @ts-check
/** The palette over the picture, and the pointer's action with each tool. */

import { Drawing, drawable, erasedTile } from "./drawing.js";
import { element } from "./elements.js";
import { line } from "./level-blob.js";
import { ObjectsTool } from "./objects_tool.js";
import { fillPad } from "./pad.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {{x: number, y: number}} Cell */
/** @typedef {"look" | "draw" | "erase" | "objects"} Tool */
/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => void} send
 * @property {() => void} changed the level is another one, and perhaps its lit cells
 * @property {() => void} walk begins and ends walking
 * @property {(step: [number, number]) => void} step
 * @property {() => boolean} walking
 * @property {() => void} steps opens and closes the steps of a layer
 * @property {() => boolean} stepping whether they are open
 * @property {HTMLElement} picture
 * @property {(cell: Cell) => void} pick a click that a tool has no use for
 * @property {(thing: import("./level.js").Thing) => void} dropped an object was moved to another cell
 * @property {() => number} zoom pixels a cell
 */

const TOOLS = /** @type {[Tool, string, string][]} */ ([
  ["look", "Look", "Look and pin cells (1)"], ["draw", "Draw", "Draw tiles; the right button erases (2)"],
  ["erase", "Erase", "Erase tiles (3)"], ["objects", "Objects", "Move, add and remove objects (4)"],
]);
const RESTORE = "as generated";
// Smaller objects are not dragged with the tool Look: the picture is.
const LEAST_ZOOM = 7;

export class Tools {
  /** @param {HTMLElement} bar @param {HTMLElement} pad @param {Host} host */
  constructor(bar, pad, host) {
    this.bar = bar;
    this.host = host;
    this.drawing = new Drawing(host.send);
    this.objects = new ObjectsTool(host);
    /** @type {Tool} */
    this.tool = "look";
    this.layerName = "";
    /** Which tile each layer is drawn with. @type {Map<string, string>} */
    this.tiles = new Map();
    /** @type {LevelView | null} */
    this.level = null;
    /** The last cell of a stroke. @type {Cell | null} */
    this.last = null;
    this.erasing = false;
    /** Whether something of the stroke is drawn. */
    this.begun = false;
    this.strokes = 0;
    this.drawn = "";
    this.pad = pad;
    fillPad(pad, host.step);
    this.draw();
  }

  /** @param {LevelView} level */
  show(level) {
    this.level = level;
    this.drawing.show(level);
    this.objects.show(level);
    this.draw();
  }

  /** There is no level to draw on. */
  hide() {
    this.level = null;
    this.draw();
  }

  /** The layer that is drawn on. @returns {Layer | null} */
  get layer() {
    if (!this.level) return null;
    const layers = drawable(this.level);
    return layers.find((one) => one.name === this.layerName) ?? layers.find((one) => one.role === "play") ?? layers[0] ?? null;
  }

  /** The tile to draw; null for the generated one, undefined without a layer. */
  get tile() {
    const { layer } = this;
    if (!layer) return undefined;
    const name = this.tiles.get(layer.name);
    if (name === RESTORE) return null;
    return layer.tiles.find((one) => one.name === name) ?? layer.tiles.find((one) => one.opaque) ?? layer.tiles[0];
  }

  /** @param {Tool} tool */
  choose(tool) {
    this.tool = tool;
    this.objects.carried = null;
    this.draw();
    this.host.changed();
  }

  /** Draw on a layer. @param {string} name */
  drawOn(name) {
    this.layerName = name;
    this.choose("draw");
  }

  /** Add objects of a name by clicks. @param {string} name */
  addObjects(name) {
    this.objects.adding = name;
    this.drawn = "";
    this.choose("objects");
  }

  /** Take hand edits of a layer back. @param {string} name @param {Cell[]} cells */
  restore(name, cells) {
    const layer = this.level?.layer(name);
    if (layer) this.drawing.draw(layer, cells, null, "");
  }

  /** Whether walking has begun or ended. */
  walked() {
    this.pad.hidden = !this.host.walking();
    this.drawn = "";
    this.draw();
  }

  draw() {
    const { layer, level } = this;
    const edits = layer && level ? level.edits.layers[layer.name] ?? 0 : 0;
    const state = JSON.stringify([this.tool, layer?.name, layer?.tiles, level && drawable(level).map((one) => one.name), level?.edits.names, edits, this.host.walking(), this.host.stepping()]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focus = document.activeElement instanceof HTMLElement && this.bar.contains(document.activeElement) ? document.activeElement.id : "";
    const buttons = TOOLS.map(([tool, name, title]) => element("button", {
      id: `tool-${tool}`, className: "quiet", title, "aria-pressed": String(this.tool === tool),
      onclick: (/** @type {MouseEvent} */ event) => this.clicked(event, () => this.choose(tool)),
    }, name));
    buttons.splice(1, 0, element("button", {
      id: "tool-walk", className: "quiet", title: "Walk (G)", "aria-pressed": String(this.host.walking()),
      onclick: (/** @type {MouseEvent} */ event) => this.clicked(event, this.host.walk),
    }, "Walk"));
    buttons.push(element("button", {
      id: "tool-steps", className: "quiet", title: "How a layer is made, step by step (T)", "aria-pressed": String(this.host.stepping()), onclick: this.host.steps,
    }, "Steps"));
    this.bar.replaceChildren(...buttons, ...this.options(edits));
    if (focus) document.getElementById(focus)?.focus();
  }

  /** A click gives the keys back to the picture; a key on the button keeps them. @param {MouseEvent} event @param {() => void} action */
  clicked(event, action) {
    action();
    if (event.detail > 0) this.host.picture.focus({ preventScroll: true });
  }

  /** Return the controls of the chosen tool. @param {number} edits @returns {Node[]} */
  options(edits) {
    const { level, layer } = this;
    if (!level || !layer || this.tool === "look") return [];
    if (this.tool === "objects") return this.objects.options();
    const layers = element("select", {
      id: "draw-layer", "aria-label": "Layer to draw on",
      onchange: () => { this.layerName = layers.value; this.draw(); },
    }, ...drawable(level).map((one) => element("option", { value: one.name, selected: one.name === layer.name }, one.name)));
    /** @type {HTMLElement[]} */
    const found = [layers];
    if (this.tool === "draw") found.push(this.palette(layer));
    if (edits) {
      found.push(element("button", {
        id: "stamp", title: `Make a layer of the ${edits} drawn cells`,
        onclick: () => this.host.send({ do: "stamp", layer: layer.name }),
      }, "Turn into a layer"));
    }
    return found;
  }

  /** @param {Layer} layer */
  palette(layer) {
    const { tile } = this;
    const swatch = element("span", { className: "swatch", "aria-hidden": "true" });
    swatch.style.backgroundColor = tile ? tile.color : "transparent";
    const names = [...layer.tiles.map((one) => one.name), RESTORE];
    const select = element("select", {
      id: "draw-tile", "aria-label": "Tile to draw",
      onchange: () => {
        this.tiles.set(layer.name, select.value);
        swatch.style.backgroundColor = this.tile ? this.tile.color : "transparent";
      },
    }, ...[...new Set(names)].map((name) => element("option", { value: name, selected: name === (tile ? tile.name : RESTORE) }, name)));
    return element("span", { className: "palette" }, swatch, select);
  }

  // --- the pointer ----------------------------------------------------------------------------

  /**
   * @param {Cell} cell @param {number} button
   * @param {boolean} [touch] a finger may be the first of two: it draws once it moves or leaves
   * @returns {boolean} whether the tool takes the pointer
   */
  down(cell, button, touch = false) {
    if (!this.level || button === 1) return false;
    if (this.tool === "look") return button === 0 && !touch && !this.host.walking() && this.host.zoom() >= LEAST_ZOOM && this.objects.take(cell);
    if (this.tool === "objects") return this.objects.down(cell, button);
    this.erasing = button === 2 || this.tool === "erase";
    this.strokes += 1;
    this.last = cell;
    if (!touch) this.drag(cell);
    return true;
  }

  /** @param {Cell} cell */
  drag(cell) {
    if (this.tool === "objects" || this.tool === "look") return this.objects.drag(cell);
    if (!this.last || (this.last.x === cell.x && this.last.y === cell.y && this.begun)) return;
    this.brush(line(this.last, cell));
    this.last = cell;
  }

  /** @param {Cell} cell */
  up(cell) {
    if (this.tool === "objects" || this.tool === "look") return this.objects.up(cell);
    this.drag(cell);
    this.cancel();
  }

  /** Put back the carried object; return whether there was one. */
  putBack() {
    const carried = this.objects.carried !== null;
    if (carried) this.cancel();
    return carried;
  }

  /** Cancel the stroke: a second finger moves the picture instead. */
  cancel() {
    this.last = null;
    this.begun = false;
    this.objects.cancel();
  }

  /** @param {Cell[]} cells */
  brush(cells) {
    const { layer } = this;
    const tile = this.erasing && layer ? erasedTile(layer) ?? null : this.tile;
    if (!layer || tile === undefined) return;
    this.begun = true;
    this.drawing.draw(layer, cells, tile, `stroke ${this.strokes}`);
    this.host.changed();
  }

  // --- the keyboard ---------------------------------------------------------------------------

  /** @param {KeyboardEvent} event @param {Cell | null} cell @returns {boolean} whether the key was the tool's */
  key(event, cell) {
    const number = /^Digit([1-4])$/.exec(event.code);
    if (number && !event.shiftKey) {
      this.choose(TOOLS[Number(number[1]) - 1][0]);
      return true;
    }
    if (!cell || this.tool === "look" || event.target !== this.host.picture) return false;
    const erases = event.key === "Delete" || event.key === "Backspace";
    if (event.key !== "Enter" && event.key !== " " && !erases) return false;
    if (this.tool === "objects") return this.objects.key(cell, erases);
    this.down(cell, erases ? 2 : 0);
    this.up(cell);
    return true;
  }
}
