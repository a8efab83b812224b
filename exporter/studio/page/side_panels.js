// @ts-check
/**
 * The panels at the sides. Where the window is too narrow for them, the style sheet lays them over the
 * picture: there they begin folded, and of two that would cover each other one is open.
 */

import { byId } from "./elements.js";

export class SidePanels {
  /** @param {() => void} changed a panel was folded or opened */
  constructor(changed) {
    this.changed = changed;
    this.sides = ["text", "left", "right"].filter((side) => byId(side));
    /** The sides whose panels lie over the picture. @type {Set<string>} */
    this.over = new Set();
    /** The sides that were open beside the picture: they will be again. @type {Set<string>} */
    this.put = new Set();
    for (const side of this.sides) byId(`toggle-${side}`).addEventListener("click", () => this.fold(side));
    window.addEventListener("resize", () => this.follow());
    this.follow();
  }

  /** The window has another width. */
  follow() {
    for (const side of this.sides) {
      const over = getComputedStyle(byId(side)).position === "absolute";
      if (over === this.over.has(side)) continue;
      if (over) this.over.add(side);
      else this.over.delete(side);
      if (over && !this.folded(side)) {
        this.set(side, true);
        this.put.add(side);
      } else if (!over && this.put.delete(side)) this.set(side, false);
    }
  }

  /** @param {string} side */
  folded(side) {
    return byId(side).classList.contains("folded");
  }

  /** Fold a panel, or open it. @param {string} side */
  fold(side) {
    if (!byId(side)) return;
    this.set(side, !this.folded(side));
    this.follow(); // the text needs the room of others
    if (this.folded(side) || !this.over.has(side)) return;
    for (const other of this.over) if (other !== side) this.set(other, true);
  }

  /** @param {string} side */
  unfold(side) {
    if (this.folded(side)) this.fold(side);
  }

  /** @param {string} side @param {boolean} folded */
  set(side, folded) {
    byId(side).classList.toggle("folded", folded);
    byId(`toggle-${side}`).setAttribute("aria-expanded", String(!folded));
    this.changed();
  }
}
