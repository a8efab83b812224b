// @ts-check
/** Measures what covers the edges of the picture: a level is fitted into the rest. */

import { byId } from "./elements.js";

/** @typedef {import("./camera.js").Insets} Insets */

// In pixels of the page: what stays free around the level, the line with the facts of a cell, and the
// names of two levels beside each other.
const MARGIN = 8;
const FACTS = 26;
const NAMES = 34;
/** The most of a side that is left out. */
const MOST = 0.5;

/**
 * @param {HTMLCanvasElement} picture
 * @param {{width: number, height: number}} part of it, in device pixels, into which is fitted
 * @param {boolean} named whether names stand below the tools
 * @returns {Insets} in device pixels
 */
export function coveredBy(picture, part, named) {
  const box = picture.getBoundingClientRect();
  const ratio = picture.width / Math.max(box.width, 1);
  const top = Math.max(byId("over").getBoundingClientRect().bottom - box.top, 0) + (named ? NAMES : 0);
  const [left, right] = ["left", "right"].map((side) => panelOver(side, box));
  /** @type {(edge: number, side: number) => number} */
  const held = (edge, side) => Math.round(Math.min((edge + MARGIN) * ratio, side * MOST));
  return { left: held(left, part.width), right: held(right, part.width), top: held(top, part.height), bottom: held(FACTS, part.height) };
}

/** How much of the picture a panel covers that is laid over it; one that leaves too little does not count. @param {string} side @param {DOMRect} box */
function panelOver(side, box) {
  const panel = byId(side);
  if (!panel) return 0;
  const { left, right } = panel.getBoundingClientRect();
  const wide = Math.max(0, Math.min(right, box.right) - Math.max(left, box.left));
  return wide <= box.width * MOST ? wide : 0;
}

/** Pass on to the style sheet the height of the panels over the top of the picture. */
export function tellCovered() {
  const over = byId("over");
  byId("stage").style.setProperty("--over", `${over.offsetTop + over.offsetHeight}px`);
}
