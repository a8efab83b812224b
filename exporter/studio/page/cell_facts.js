// @ts-check
/** Describes the cell under the pointer, the keyboard or the hero. */

import { element } from "./elements.js";
import { UNREACHABLE } from "./level.js";

export class CellFacts {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** @param {import("./viewer.js").Viewer} page @param {Uint8Array | null} lit the cells seen from it */
  show(page, lit) {
    const { level, pin, pinned, hover } = page;
    const cell = page.walk.hero ?? hover;
    if (!level || !cell || !level.has(cell.x, cell.y)) return this.place.replaceChildren();
    const steps = level.steps[cell.y * level.width + cell.x];
    const parts = [element("b", {}, `${cell.x - level.whole.x}, ${cell.y - level.whole.y}`)];
    const told = level.layers.filter((one) => page.layers.shown(one).visible || page.selectedPath === `layers.${one.name}`);
    for (const layer of told) parts.push(element("span", {}, `${layer.name}: ${level.told(page.steps.drawn(layer), cell.x, cell.y)}`));
    for (const thing of level.thingsAt(cell.x, cell.y)) parts.push(element("span", {}, level.nameOf(thing)));
    // Walks through a world do not end at the window.
    if (!level.world) parts.push(element("span", {}, steps === UNREACHABLE ? "cannot be reached" : `${steps} steps from the start`));
    const over = page.overlays.told(cell.x, cell.y);
    if (over) parts.push(element("span", { className: "over" }, over));
    const seen = lit && !page.walk.on ? ones(level.partSeen(cell.x, cell.y)?.seen ?? new Uint8Array()) : null;
    if (seen !== null) parts.push(element("span", {}, `sees ${seen} ${seen === 1 ? "cell" : "cells"}`));
    if (pin && pinned && hover) {
      const one = pinned[hover.y * level.width + hover.x] === 1;
      const back = lit ? lit[pin.y * level.width + pin.x] === 1 : false;
      parts.push(element("span", {}, one === back ? (one ? "they see each other" : "neither sees the other") : one ? "is seen by the pinned cell" : "sees the pinned cell"));
    }
    this.place.replaceChildren(...parts);
  }
}

/** @param {Uint8Array} cells */
function ones(cells) {
  let count = 0;
  for (let at = 0; at < cells.length; at++) if (cells[at] === 1) count++;
  return count;
}
