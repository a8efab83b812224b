// @ts-check
/** The tools over the picture: their buttons, the controls of the chosen one, and what the pointer does with it. */

import { Drawing, drawable, erasedTile } from "./drawing.js";
import { element } from "./elements.js";
import { icon } from "./icon.js";
import { say } from "./notices.js";
import { ObjectsTool } from "./objects_tool.js";
import { fillPad } from "./pad.js";
import { palette, RESTORE } from "./palette.js";
import { mirrored } from "./shapes.js";
import { tilePictures } from "./tile_pictures.js";
import { BRUSH } from "./tool_brush.js";
import { ERASER } from "./tool_eraser.js";
import { FILL } from "./tool_fill.js";
import { LINE } from "./tool_line.js";
import { PICKER } from "./tool_picker.js";
import { RECTANGLE } from "./tool_rectangle.js";
import { SELECTION, SelectionTool } from "./tool_selection.js";
import { STAMP, StampTool } from "./tool_stamp.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {import("./level.js").Tile} Tile */
/** @typedef {import("./shapes.js").Mirror} Mirror */
/** @typedef {{x: number, y: number}} Cell */
/** How the pointer went down. @typedef {{pointerType?: string, ctrlKey?: boolean, altKey?: boolean}} Press */
/** A drawn cell: its colour, its picture if there is one, and whether it is only shown. @typedef {Cell & {color: string, picture?: HTMLCanvasElement, faint?: boolean}} Drawn */
/** @typedef {{size: number, filled: boolean, layer: Layer}} Options */
/** @typedef {{name: string, label: string, key: string, digit?: number, help: string, icon: string}} Button */
/**
 * A tool that draws cells: along the pointer (`stroke`), from where it goes down to where it leaves (`shape`), or where it
 * goes down (`click`).
 * @typedef {object} Cells
 * @property {("tile" | "size" | "filled" | "mirror")[]} controls
 * @property {boolean} [erases]
 * @property {boolean} [picks] takes the tile instead of drawing
 * @property {(from: Cell, to: Cell, options: Options) => Cell[]} [stroke]
 * @property {(from: Cell, to: Cell, options: Options) => Cell[]} [shape]
 * @property {(from: Cell, to: Cell) => string} [note] says what a shape measures
 * @property {(cell: Cell, options: Options) => Cell[]} [click]
 */
/** @typedef {Button & Cells} CellTool */
/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => void} send
 * @property {(changes: import("./messages.js").Change[]) => Promise<unknown>} change
 * @property {() => any} spec what the draft's text means
 * @property {() => void} changed the level is another one, and perhaps its lit cells
 * @property {() => void} walk begins and ends walking
 * @property {(step: [number, number]) => void} step
 * @property {() => boolean} walking
 * @property {() => void} sight switches it on and off
 * @property {() => boolean} seeing
 * @property {() => void} steps opens and closes the steps of a layer
 * @property {() => boolean} stepping whether they are open
 * @property {HTMLElement} picture
 * @property {(cell: Cell) => void} pick a click that a tool has no use for
 * @property {(thing: import("./level.js").Thing) => void} dropped an object was moved to another cell
 * @property {() => import("./mission_proof.js").MissionProof} proof of the mission while an object is dragged
 * @property {() => number} zoom pixels a cell
 */

/** @type {Button} */
const LOOK = { name: "look", label: "Look", key: "1", digit: 1, help: "Select what lies at a cell, drag objects, pin cells", icon: "M4 2.5V12L6.5 9.5 8.5 13.5 10.5 12.5 8.5 8.8H12Z" };
/** @type {Button} */
const OBJECTS = { name: "objects", label: "Objects", key: "4", digit: 4, help: "Move, add and remove objects", icon: "M2.5 6.5H13.5V13H2.5ZM2.5 6.5 4 3.5H12L13.5 6.5M7 8.5H9" };
const CELL_TOOLS = [BRUSH, ERASER, LINE, RECTANGLE, FILL, PICKER];
/** @type {Button[]} */
const TOOLS = [LOOK, ...CELL_TOOLS, SELECTION, STAMP, OBJECTS];
const WALK = "M8 3.5A1 1 0 1 0 8 1.5 1 1 0 1 0 8 3.5ZM8 5.5V9L5.5 14M8 9 10.5 14M4.5 8.5 8 5.5 11.5 8.5";
const EYE = "M1.5 8C3.5 4.5 6 3.5 8 3.5S12.5 4.5 14.5 8C12.5 11.5 10 12.5 8 12.5S3.5 11.5 1.5 8ZM6 8A2 2 0 1 0 10 8 2 2 0 1 0 6 8Z";
const FRAMES = "M2.5 4.5H10.5V12.5H2.5ZM5 4.5V2.5H13.5V10.5H10.5";
const MIRROR = "M8 1.5V14.5M6 4.5 2.5 11.5H6ZM10 4.5 13.5 11.5H10Z";
/** @type {Record<Mirror, string>} */
const MIRRORS = { "": "no mirror", x: "left and right", y: "top and bottom", xy: "both ways" };
/** @type {Record<Mirror, string>} */
const ARROWS = { "": "", x: "↔", y: "↕", xy: "✛" };
const MOST_SIZE = 9;
// The server takes no more in a message, and a level has no more edits.
const MOST_CELLS = 50_000;
// The most cells of a shape that are shown while it is dragged; of a larger one its outline is.
const MOST_SHOWN = 10_000;
// Smaller objects are not dragged with the tool Look: the picture is.
const LEAST_ZOOM = 7;

export class Tools {
  /** @param {HTMLElement} bar @param {HTMLElement} pad @param {Host} host */
  constructor(bar, pad, host) {
    this.bar = bar;
    this.host = host;
    this.drawing = new Drawing(host.send);
    this.objects = new ObjectsTool(host);
    this.selection = new SelectionTool(this);
    this.stamp = new StampTool(this, host);
    this.tool = "look";
    this.layerName = "";
    /** Which tile each layer is drawn with. @type {Map<string, string>} */
    this.tiles = new Map();
    this.size = 1;
    this.filled = true;
    /** @type {Mirror} */
    this.mirror = "";
    /** @type {LevelView | null} */
    this.level = null;
    /** The first and the last cell of a stroke. @type {Cell | null} */
    this.from = null;
    /** @type {Cell | null} */
    this.last = null;
    this.erasing = false;
    /** Whether something of the stroke is drawn. */
    this.begun = false;
    /** Whether the keyboard began a shape, which its next key ends. */
    this.keyed = false;
    // Another number than those of a page before, whose last stroke may be the last step.
    this.strokes = Date.now();
    this.drawn = "";
    this.pad = pad;
    fillPad(pad, host.step);
    this.draw();
  }

  /** @param {LevelView} level */
  show(level) {
    if (this.level?.id !== level.id) this.selection.cancel();
    this.level = level;
    if (level.world && this.tool !== "look") this.choose("look");
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

  /** The chosen tool, if it draws cells. */
  get cellTool() {
    return CELL_TOOLS.find((one) => one.name === this.tool);
  }

  /** The chosen tool, if it does everything by itself. */
  get ownTool() {
    if (this.tool === "objects") return this.objects;
    if (this.tool === "stamp") return this.stamp;
    return this.tool === "select" ? this.selection : null;
  }

  /** @param {string} tool */
  choose(tool) {
    if (this.level?.world && tool !== "look") return say("A world of this size is shown in windows and not drawn on: edit its cells in a file beside the spec (.edits.yaml), or draw on a smaller level.", true);
    if (tool !== this.tool) this.selection.cancel();
    if ((tool === "stamp") !== (this.tool === "stamp")) this.stamp.use(tool === "stamp");
    this.tool = tool;
    this.cancel();
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

  /** Walking, or sight, has begun or ended. */
  walked() {
    this.pad.hidden = !this.host.walking();
    this.drawn = "";
    this.draw();
  }

  draw() {
    const { layer, level, host } = this;
    const edits = layer && level ? level.edits.layers[layer.name] ?? 0 : 0;
    const state = JSON.stringify([
      this.tool, level?.world !== null, layer?.name, layer?.tiles, layer?.pictures, level && drawable(level).map((one) => one.name), level?.edits.names, edits,
      host.walking(), host.stepping(), host.seeing(), this.size, this.filled, this.mirror, this.tile?.name, this.selection.box,
    ]);
    if (state === this.drawn) return;
    this.drawn = state;
    const active = document.activeElement;
    const focus = active instanceof HTMLElement && this.bar.contains(active) ? active : null;
    const same = focus?.id ? `#${focus.id}` : focus?.dataset.tile ? `[data-tile="${CSS.escape(focus.dataset.tile)}"]` : "";
    const tools = TOOLS.map((one) => this.button(one, this.tool === one.name && (one !== LOOK || !host.walking() && !host.stepping()), () => {
      if (one === LOOK && host.walking()) host.walk();
      if (one === LOOK && host.stepping()) host.steps();
      this.choose(one.name);
    }));
    const looks = [
      this.button({ name: "walk", label: "Walk", key: "G", help: "Walk", icon: WALK }, host.walking(), host.walk),
      this.button({ name: "sight", label: "Sight", key: "V, or hold S", help: "Show what the cell under the pointer sees", icon: EYE }, host.seeing(), host.sight),
      this.button({ name: "steps", label: "Steps", key: "T", help: "How a layer is made, step by step", icon: FRAMES }, host.stepping(), host.steps),
    ];
    this.bar.replaceChildren(
      element("span", { className: "tool-buttons" }, tools[0], ...(level?.world ? looks.slice(0, 2) : looks), element("span", { className: "gap" }), ...(level?.world ? [] : tools.slice(1))),
      ...this.controls(edits),
    );
    if (same) /** @type {HTMLElement | null} */ (this.bar.querySelector(same))?.focus();
  }

  /** @param {Button} one @param {boolean} pressed @param {() => void} action */
  button(one, pressed, action) {
    return element("button", {
      id: `tool-${one.name}`, type: "button", className: "quiet", title: `${one.help} (${one.key})`, "aria-pressed": String(pressed),
      onclick: (/** @type {MouseEvent} */ event) => this.clicked(event, action),
    }, icon(one.icon), element("span", { className: "label" }, one.label));
  }

  /** A click gives the keys back to the picture; a key on the button keeps them. @param {MouseEvent} event @param {() => void} action */
  clicked(event, action) {
    action();
    if (event.detail > 0) this.host.picture.focus({ preventScroll: true });
  }

  /** Return the controls of the chosen tool. @param {number} edits @returns {Node[]} */
  controls(edits) {
    const { level, layer, cellTool, ownTool } = this;
    if (!level || !layer || this.tool === "look") return [];
    if (ownTool === this.objects) return [element("span", { className: "options" }, ...this.objects.options())];
    const layers = element("select", {
      id: "draw-layer", "aria-label": "Layer to draw on",
      onchange: () => { this.layerName = layers.value; this.draw(); },
    }, ...drawable(level).map((one) => element("option", { value: one.name, selected: one.name === layer.name }, one.name)));
    /** @type {Node[]} */
    const found = [layers];
    if (ownTool) found.push(...ownTool.options());
    const makers = {
      tile: () => palette(level, layer, this.tile?.name ?? RESTORE, (name) => { this.tiles.set(layer.name, name); this.host.picture.focus({ preventScroll: true }); }),
      size: () => this.sizeControl(), filled: () => this.filledControl(), mirror: () => this.mirrorControl(),
    };
    for (const control of cellTool?.controls ?? []) found.push(makers[control]());
    if (edits && this.tool !== "stamp") {
      found.push(element("button", {
        id: "stamp", title: `Make a layer of the ${edits} drawn cells`,
        onclick: () => this.host.send({ do: "stamp", layer: layer.name }),
      }, "Turn into a layer"));
    }
    return [element("span", { className: "options" }, ...found)];
  }

  sizeControl() {
    const range = element("input", {
      id: "brush-size", type: "range", min: 1, max: MOST_SIZE, value: this.size, "aria-label": "Brush size", title: "Brush size (, and .)",
      oninput: () => { this.size = Number(range.value); shown.textContent = range.value; },
    });
    const shown = element("span", { className: "note" }, String(this.size));
    return element("span", { className: "size" }, range, shown);
  }

  filledControl() {
    return element("button", {
      id: "draw-filled", type: "button", className: "quiet", title: "Fill the rectangle, or draw its edge", "aria-pressed": String(this.filled),
      onclick: () => { this.filled = !this.filled; this.draw(); },
    }, "Filled");
  }

  mirrorControl() {
    const ways = /** @type {Mirror[]} */ (Object.keys(MIRRORS));
    return element("button", {
      id: "draw-mirror", type: "button", className: "quiet", title: "Draw the same in the mirror: left and right, top and bottom, both (H)",
      "aria-label": `Mirror: ${MIRRORS[this.mirror]}`, "aria-pressed": String(this.mirror !== ""),
      onclick: () => this.setMirror(ways[(ways.indexOf(this.mirror) + 1) % ways.length]),
    }, icon(MIRROR), element("span", {}, `Mirror ${ARROWS[this.mirror]}`));
  }

  /** @param {Mirror} mirror */
  setMirror(mirror) {
    this.mirror = mirror;
    this.draw();
    this.host.changed();
  }

  /** @param {number} size */
  setSize(size) {
    this.size = Math.min(Math.max(size, 1), MOST_SIZE);
    this.draw();
    this.host.changed();
  }

  // --- the pointer ----------------------------------------------------------------------------

  /**
   * @param {Cell} cell @param {number} button
   * @param {Press} [press] a finger may be the first of two: it draws once it moves or leaves
   * @returns {boolean} whether the tool takes the pointer
   */
  down(cell, button, press = {}) {
    const { cellTool, ownTool } = this;
    if (!this.level || this.level.world || button === 1) return false;
    if (this.tool === "look") return button === 0 && press.pointerType !== "touch" && !this.host.walking() && this.host.zoom() >= LEAST_ZOOM && this.objects.take(cell);
    if (ownTool) return ownTool.down(cell, button, press);
    if (!cellTool) return false;
    if (cellTool.picks || press.altKey) return this.pick(cell);
    this.erasing = button === 2 || cellTool.erases === true;
    this.begin();
    this.from = this.last = cell;
    if (press.pointerType !== "touch" && !cellTool.click) this.drag(cell);
    return true;
  }

  /** @param {Cell} cell */
  drag(cell) {
    if (this.tool === "look") return this.objects.drag(cell);
    if (this.ownTool) return this.ownTool.drag(cell);
    const { last, options, cellTool } = this;
    if (!last || !options || (last.x === cell.x && last.y === cell.y && this.begun)) return;
    this.last = cell;
    if (cellTool?.stroke) {
      this.begun = true;
      this.brush(cellTool.stroke(last, cell, options));
    }
    this.host.changed();
  }

  /** @param {Cell} cell */
  up(cell) {
    if (this.tool === "look") return this.objects.up(cell);
    if (this.ownTool) return this.ownTool.up(cell);
    this.drag(cell);
    const { from, options, cellTool } = this;
    if (from && options && cellTool?.shape) this.brush(cellTool.shape(from, cell, options));
    if (from && options && cellTool?.click) this.brush(cellTool.click(from, options));
    this.cancel();
  }

  /** Put back what is carried, or end a shape or a selection; return whether there was something. */
  putBack() {
    const held = this.objects.carried !== null || this.stamp.cancel() || this.from !== null || this.selection.box !== null;
    if (held) {
      this.selection.cancel();
      this.cancel();
      this.draw();
      this.host.changed();
    }
    return held;
  }

  /** Cancel the stroke: a second finger moves the picture instead. */
  cancel() {
    this.from = this.last = null;
    this.begun = this.keyed = false;
    this.objects.cancel();
    this.stamp.cancel();
    if (this.selection.begun) this.selection.cancel();
  }

  /** Begin a step to undo. */
  begin() {
    this.strokes += 1;
  }

  /** What the messages of one step share. */
  get merge() {
    return `stroke ${this.strokes}`;
  }

  /** @returns {Options | null} */
  get options() {
    const { layer, size, filled } = this;
    return layer && { layer, size, filled };
  }

  /** The tile that the stroke leaves: null for the generated one, undefined for nothing to draw. */
  get leaves() {
    const { layer } = this;
    return this.erasing && layer ? erasedTile(layer) ?? null : this.tile;
  }

  /** @param {Cell[]} cells */
  brush(cells) {
    const { layer, level, leaves } = this;
    if (!layer || !level || leaves === undefined) return;
    this.put(layer, mirrored(cells, level, this.mirror), leaves);
  }

  /** @param {Cell[]} cells */
  erase(cells) {
    const { layer } = this;
    if (layer) this.put(layer, cells, erasedTile(layer) ?? null);
  }

  /** @param {Layer} layer @param {Cell[]} cells @param {Tile | null} tile */
  put(layer, cells, tile) {
    const inside = cells.filter((one) => this.level?.has(one.x, one.y));
    if (inside.length > MOST_CELLS) return say(`That is ${inside.length} cells: draw at most ${MOST_CELLS} at once.`, true);
    this.drawing.draw(layer, inside, tile, this.merge);
    this.host.changed();
  }

  /** Draw with the tile of a cell from now on. @param {Cell} cell */
  pick(cell) {
    const { layer, level } = this;
    const tile = layer && level?.has(cell.x, cell.y) ? layer.tiles.find((one) => one.id === layer.cells[cell.y * layer.width + cell.x]) : undefined;
    if (layer && tile) this.tiles.set(layer.name, tile.name);
    this.draw();
    return true;
  }

  /**
   * Draw cells for a script, as one step.
   * @param {string} name of a layer @param {[number, number][]} cells
   * @param {string | null} tile its name; null restores the generated tiles
   * @returns {string | undefined} the reason if nothing can be drawn
   */
  paint(name, cells, tile) {
    const { level } = this;
    const layer = level && drawable(level).find((one) => one.name === name);
    if (!layer) return `there is no layer ${name} to draw on`;
    const found = tile === null ? null : layer.tiles.find((one) => one.name === tile);
    if (found === undefined) return `the layer ${name} has no tile ${tile} (those it has: ${layer.tiles.map((one) => one.name).join(", ")})`;
    const outside = cells.find(([x, y]) => !level.has(x, y));
    if (outside) return `the cell ${outside.join(", ")} is outside (${level.width} x ${level.height} cells)`;
    if (cells.length > MOST_CELLS) return `draw at most ${MOST_CELLS} cells at once`;
    this.begin();
    this.put(layer, cells.map(([x, y]) => ({ x, y })), found);
    return undefined;
  }

  // --- what is shown before it is built ---------------------------------------------------------

  /** The cells that are drawn and not in the picture yet, and those that the tool would draw. @param {Cell | null} hover @returns {Drawn[]} */
  shown(hover) {
    const { layer, level } = this;
    if (!layer || !level) return [];
    const found = this.drawing.colored(level);
    if (this.tool === "stamp") return [...found, ...this.stamp.ghost(hover)];
    const pictures = tilePictures(level, layer);
    if (this.tool === "select") {
      const tiles = new Map(layer.tiles.map((one) => [one.id, one]));
      return [...found, ...this.selection.carried().map((one) => ({ ...one, color: tiles.get(one.id)?.color ?? "#0000", picture: pictures.get(one.id), faint: true }))];
    }
    const { leaves } = this.from ? this : { leaves: this.cellTool?.erases ? erasedTile(layer) : this.tile };
    if (!leaves) return found;
    const cells = mirrored(this.aimed(hover), level, this.mirror).filter((one) => level.has(one.x, one.y));
    return [...found, ...cells.map((one) => ({ ...one, color: leaves.color, picture: pictures.get(leaves.id), faint: true }))];
  }

  /** The cells that the tool would draw. @param {Cell | null} hover @returns {Cell[]} */
  aimed(hover) {
    const { cellTool, options, from, last } = this;
    const to = this.keyed ? hover : last;
    if (!cellTool || !options || cellTool.picks || this.host.walking()) return [];
    if (cellTool.shape && from && to) {
      const large = Math.abs(from.x - to.x) * Math.abs(from.y - to.y) > MOST_SHOWN;
      return cellTool.shape(from, to, large ? { ...options, filled: false, size: 1 } : options);
    }
    if (from || !hover) return [];
    return cellTool.click ? [hover] : (cellTool.stroke ?? BRUSH.stroke)?.(hover, hover, this.tool === "rectangle" && this.filled ? { ...options, size: 1 } : options) ?? [];
  }

  /** The frame of the selection, or of a stamp. @param {Cell | null} hover */
  frame(hover) {
    if (this.tool === "stamp") return this.stamp.frame(hover);
    return this.tool === "select" ? this.selection.frame : null;
  }

  /** The mirrors that the tool draws in. */
  get mirrors() {
    return this.cellTool?.controls.includes("mirror") ? this.mirror : "";
  }

  /** What a shape measures while it is dragged. @param {Cell | null} hover @returns {string} */
  note(hover) {
    const to = this.keyed ? hover : this.last;
    return this.from && to ? this.cellTool?.note?.(this.from, to) ?? "" : "";
  }

  // --- the keyboard ---------------------------------------------------------------------------

  /** @param {KeyboardEvent} event @param {Cell | null} cell @returns {boolean} whether the key was the tool's */
  key(event, cell) {
    const digit = /^Digit([1-4])$/.exec(event.code);
    const name = event.key.toUpperCase();
    if (this.tool === "stamp" && !this.host.walking() && !event.shiftKey && this.stamp.key(name, event.target === this.host.picture ? cell : null)) return true;
    const chosen = digit ? !event.shiftKey && TOOLS.find((one) => one.digit === Number(digit[1])) : this.host.walking() ? undefined : TOOLS.find((one) => one.key === name);
    if (chosen) {
      this.choose(chosen.name);
      return true;
    }
    if (this.tool === "look") return false;
    if (this.cellTool && !event.shiftKey && (name === "," || name === "." || name === "H")) {
      const ways = /** @type {Mirror[]} */ (Object.keys(MIRRORS));
      if (name === "H") this.setMirror(ways[(ways.indexOf(this.mirror) + 1) % ways.length]);
      else this.setSize(this.size + (name === "," ? -1 : 1));
      return true;
    }
    const erases = event.key === "Delete" || event.key === "Backspace";
    if (!cell || event.target !== this.host.picture || (event.key !== "Enter" && !erases)) return false;
    if (this.tool === "objects") return this.objects.key(cell, erases);
    if (this.tool === "select") {
      if (erases) return this.selection.erase();
      if (this.selection.begun) this.selection.up(cell);
      else this.selection.down(cell, 0, event);
      return true;
    }
    this.enter(cell, erases);
    return true;
  }

  /** A key begins a shape, and ends it; it draws with all else at once. @param {Cell} cell @param {boolean} erases */
  enter(cell, erases) {
    if (this.keyed) return this.up(cell);
    this.down(cell, erases ? 2 : 0);
    if (this.cellTool?.shape) this.keyed = this.from !== null;
    else this.up(cell);
    this.host.changed();
  }

  /** The keyboard has moved the cell it points at. @param {Cell | null} cell */
  hovered(cell) {
    if (cell && this.selection.begun && this.tool === "select") this.selection.drag(cell);
  }
}
