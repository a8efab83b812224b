// @ts-check
/** The edge of a panel at the right: dragged, or moved by the arrows, it makes the panel wider. */

import { element, storage } from "./elements.js";

const KEY = "level-exporter-width-";
const LEAST = 260;
const MOST = 900;
const STEP = 24;

export class PanelEdge {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    this.node = element("div", {
      className: "edge", id: `${panel.id}-edge`, role: "separator", tabindex: 0, "aria-orientation": "vertical",
      "aria-label": "Width of the panel", "aria-controls": panel.id, "aria-valuemin": LEAST, "aria-valuemax": MOST,
      title: "Drag to make the panel wider (or the arrows; a double click resets)",
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        if (event.button === 0) this.node.setPointerCapture(event.pointerId);
      },
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (this.node.hasPointerCapture(event.pointerId)) this.widen(panel.getBoundingClientRect().right - event.clientX);
      },
      ondblclick: () => this.widen(null),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    panel.before(this.node);
    const stored = Number(storage()?.getItem(KEY + panel.id) ?? 0);
    if (stored) this.widen(stored);
    new ResizeObserver(() => this.node.setAttribute("aria-valuenow", String(Math.round(panel.getBoundingClientRect().width)))).observe(panel);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const width = this.panel.getBoundingClientRect().width;
    const wanted = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: LEAST, End: MOST }[event.key];
    if (wanted === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.widen(wanted);
  }

  /** @param {number | null} wanted in pixels; null for the style's width */
  widen(wanted) {
    const width = wanted === null ? null : Math.round(Math.min(MOST, Math.max(LEAST, Math.min(wanted, innerWidth * 0.6))));
    this.panel.style.width = width === null ? "" : `${width}px`;
    if (width === null) storage()?.removeItem(KEY + this.panel.id);
    else storage()?.setItem(KEY + this.panel.id, String(width));
  }
}
