// @ts-check
/** Hand edits under which the generated level has changed: kept, dropped or shown by buttons. */

import { element } from "./elements.js";

/** @typedef {{x: number, y: number}} Cell */
/** @typedef {import("./messages.js").CellConflictsData} CellConflicts */
/** @typedef {import("./messages.js").ObjectConflictData} ObjectConflict */
/** @typedef {import("./messages.js").Request} Request */

export class EditConflicts {
  /** @param {HTMLElement} panel @param {{send: (message: Request) => void, show: (cell: Cell) => void}} host */
  constructor(panel, host) {
    this.panel = panel;
    this.host = host;
    this.shown = "";
    /** The frames around the edited cells. @type {Cell[]} */
    this.cells = [];
  }

  /** @param {import("./level.js").LevelView} level */
  showLevel({ id, edits }) {
    const { conflicts } = edits;
    const state = JSON.stringify([id, conflicts]);
    if (state === this.shown) return;
    this.shown = state;
    this.cells = [...conflicts.cells.flatMap((one) => one.cells), ...conflicts.objects.map((one) => one.at)].map(([x, y]) => ({ x, y }));
    this.panel.hidden = this.cells.length === 0;
    this.panel.replaceChildren(
      element("strong", {}, "The level has changed below your edits"),
      ...conflicts.cells.map((one) => this.row(
        `${one.layer}: ${one.cells.length} ${one.cells.length === 1 ? "cell" : "cells"}`, one.cells[0], keptCells(one),
        [{ do: "restore", layer: one.layer, cells: one.cells }])),
      ...conflicts.objects.map((one) => this.row(
        `${one.name} ${one.ordinal}`, one.at, [keptObject(one)], [{ do: "restore_object", name: one.name, ordinal: one.ordinal }])),
    );
  }

  /** Whether a warning says what is listed here: it names commands instead of buttons. @param {{message: string}} warning */
  tells({ message }) {
    return this.cells.length > 0 && message.includes("exporter edits take --accept");
  }

  hide() {
    this.shown = "";
    this.cells = [];
    this.panel.hidden = true;
  }

  /** @param {string} what @param {import("./messages.js").Cell} at @param {Request[]} keeps @param {Request[]} drops */
  row(what, [x, y], keeps, drops) {
    return element("div", { className: "moved-row" }, element("span", {}, what),
      element("button", { onclick: () => this.host.show({ x, y }) }, "Show"),
      element("button", { title: "They start from the present level", onclick: () => this.send(keeps) }, "Keep mine"),
      element("button", { title: "The generated level shows again", onclick: () => this.send(drops) }, "Drop"));
  }

  /** Send messages as one step to undo. @param {Request[]} messages */
  send(messages) {
    const merge = `settle ${Date.now()}`;
    for (const one of messages) this.host.send(/** @type {Request} */ ({ ...one, merge }));
  }

  /** @param {CanvasRenderingContext2D} context @param {import("./camera.js").Camera} camera @param {string} color */
  drawMarks(context, camera, color) {
    context.strokeStyle = color;
    context.lineWidth = 2;
    for (const { x, y } of this.cells) context.strokeRect((x - camera.x) * camera.zoom, (y - camera.y) * camera.zoom, camera.zoom, camera.zoom);
  }
}

/** Draw the same tiles again: the edits then start from the present level. @param {CellConflicts} one @returns {Request[]} */
function keptCells({ layer, cells, now }) {
  return [...new Set(now)].map((tile) => ({ do: "draw", layer, tile, cells: cells.filter((_, at) => now[at] === tile) }));
}

/** @param {ObjectConflict} one @returns {Request} */
function keptObject({ name, ordinal, now }) {
  return now ? { do: "move", name, ordinal, to: now } : { do: "remove_object", name, ordinal };
}
