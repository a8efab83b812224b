// @ts-check
/** Selects a rectangle of cells; a drag inside moves them, with Ctrl or Alt it copies them. */

import { element } from "./elements.js";
import { boxOf, rectangle } from "./shapes.js";

/** @typedef {{x: number, y: number}} Cell */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {import("./tools.js").Tools} Tools */
/** @typedef {import("./tools.js").Press} Press */

export const SELECTION = {
  name: "select", label: "Select", key: "M", help: "Select cells; drag them to move, with Ctrl or Alt to copy, Delete erases",
  icon: "M2.5 5V2.5H5M7 2.5H9M11 2.5H13.5V5M13.5 7V9M13.5 11V13.5H11M9 13.5H7M5 13.5H2.5V11M2.5 9V7",
};

export class SelectionTool {
  /** @param {Tools} tools */
  constructor(tools) {
    this.tools = tools;
    /** @type {Box | null} */
    this.box = null;
    /** The cell where the pointer went down. @type {Cell | null} */
    this.from = null;
    this.to = { x: 0, y: 0 };
    this.carrying = false;
    this.copies = false;
    /** The switch for those who have neither Ctrl nor Alt. */
    this.copying = false;
  }

  /** @param {Cell} cell @param {number} _button @param {Press} press */
  down(cell, _button, press) {
    if (!this.tools.layer) return false;
    this.from = this.to = cell;
    this.carrying = this.holds(cell);
    this.copies = this.copying || press.ctrlKey === true || press.altKey === true;
    if (!this.carrying) this.box = null;
    this.drag(cell);
    return true;
  }

  /** @param {Cell} cell */
  drag(cell) {
    const { level } = this.tools;
    if (!this.from || !level) return;
    this.to = cell;
    /** @param {Cell} one @returns {Cell} */
    const inside = ({ x, y }) => ({ x: Math.min(Math.max(x, 0), level.width - 1), y: Math.min(Math.max(y, 0), level.height - 1) });
    if (!this.carrying) this.box = boxOf(inside(this.from), inside(cell));
    this.tools.host.changed();
  }

  /** @param {Cell} cell */
  up(cell) {
    this.drag(cell);
    const { box } = this;
    if (this.carrying && box) this.drop(box);
    this.from = null;
    this.carrying = false;
    this.tools.draw();
    this.tools.host.changed();
  }

  /** Whether a key has begun what the next one ends. */
  get begun() {
    return this.from !== null;
  }

  /** How far the cells are carried. */
  get step() {
    return this.from && this.carrying ? { x: this.to.x - this.from.x, y: this.to.y - this.from.y } : { x: 0, y: 0 };
  }

  /** The selected cells as they would be now, with their tiles. @returns {(Cell & {id: number})[]} */
  carried() {
    const { layer } = this.tools;
    if (!this.box || !layer || !this.carrying) return [];
    const { step } = this;
    return cellsOf(this.box).map(({ x, y }) => ({ x: x + step.x, y: y + step.y, id: layer.cells[y * layer.width + x] }));
  }

  /** The frame of the selection where it is now. @returns {Box | null} */
  get frame() {
    return this.box && { ...this.box, x: this.box.x + this.step.x, y: this.box.y + this.step.y };
  }

  /** Draw the cells in their new places, as one step. @param {Box} box */
  drop(box) {
    const { tools } = this;
    const { layer } = tools;
    if (!layer || (!this.step.x && !this.step.y)) return;
    const put = this.carried();
    tools.begin();
    if (!this.copies) tools.erase(cellsOf(box));
    for (const tile of layer.tiles) {
      const cells = put.filter((one) => one.id === tile.id);
      if (cells.length) tools.drawing.draw(layer, cells, tile, tools.merge);
    }
    this.box = this.frame;
  }

  /** Erase the selected cells. @returns {boolean} whether there were some */
  erase() {
    if (!this.box) return false;
    this.tools.begin();
    this.tools.erase(cellsOf(this.box));
    this.tools.host.changed();
    return true;
  }

  /** Put back what is carried, else end the selection. @returns {boolean} whether there was one */
  cancel() {
    const had = this.box !== null || this.from !== null;
    if (!this.carrying) this.box = null;
    this.from = null;
    this.carrying = false;
    return had;
  }

  /** @param {Cell} cell */
  holds(cell) {
    const { box } = this;
    return box !== null && cell.x >= box.x && cell.y >= box.y && cell.x < box.x + box.width && cell.y < box.y + box.height;
  }

  /** @returns {Node[]} */
  options() {
    const copy = element("button", {
      id: "select-copy", type: "button", className: "quiet", title: "A drag copies the cells (or hold Ctrl or Alt)", "aria-pressed": String(this.copying),
      onclick: () => {
        this.copying = !this.copying;
        copy.setAttribute("aria-pressed", String(this.copying));
      },
    }, "Copy");
    return [copy, element("span", { className: "note" }, this.box ? `${this.box.width} x ${this.box.height}` : "drag a rectangle")];
  }
}

/** @param {Box} box */
function cellsOf(box) {
  return rectangle(box, { x: box.x + box.width - 1, y: box.y + box.height - 1 }, true);
}
