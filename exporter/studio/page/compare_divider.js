// @ts-check
/** The divider between two levels: the pointer, a finger and the arrow keys move it. */

import { element } from "./elements.js";

const STEPS = /** @type {Record<string, number>} */ ({
  ArrowLeft: -0.02, ArrowDown: -0.02, ArrowRight: 0.02, ArrowUp: 0.02, PageDown: -0.1, PageUp: 0.1, Home: -1, End: 1,
});

export class Divider {
  /** @param {HTMLElement} stage @param {() => void} moved */
  constructor(stage, moved) {
    this.stage = stage;
    this.moved = moved;
    /** Which part of the picture lies left of it, 0 to 1. */
    this.position = 0.5;
    this.node = element("div", {
      id: "divider", className: "divider", role: "slider", tabindex: 0, hidden: true, "aria-label": "Divider between A and B",
      "aria-orientation": "horizontal", "aria-valuemin": 0, "aria-valuemax": 100,
    }, element("span", { className: "knob", "aria-hidden": "true" }, "A ↔ B"));
    this.node.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.node.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      this.node.setPointerCapture(event.pointerId);
      this.node.focus();
      event.preventDefault();
    });
    this.node.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!this.node.hasPointerCapture(event.pointerId)) return;
      const box = stage.getBoundingClientRect();
      this.move((event.clientX - box.left) / box.width);
    });
    // Above the picture, and below all that lies over it.
    stage.querySelector("#marks")?.after(this.node);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // Else the arrows would also move the cell under the keyboard.
    event.stopPropagation();
    event.preventDefault();
    this.move(this.position + step * (event.shiftKey ? 5 : 1));
  }

  /** @param {number} position */
  move(position) {
    this.position = Math.min(Math.max(position, 0), 1);
    this.moved();
  }

  /** Put it where it belongs. @param {boolean} shown @param {string} label of A */
  draw(shown, label) {
    this.node.hidden = !shown;
    if (!shown) return;
    const percent = Math.round(this.position * 100);
    this.node.style.left = `${this.position * 100}%`;
    this.node.setAttribute("aria-valuenow", String(percent));
    this.node.setAttribute("aria-valuetext", `${percent} %: left of it A, ${label}; right of it B, the draft`);
  }
}
