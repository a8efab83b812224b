// @ts-check
/** Parts inside a section that fold away: how they stand outlives that they are drawn again. */

import { element } from "./elements.js";

export class Folding {
  constructor() {
    /** What is open. @type {Set<string>} */
    this.opened = new Set();
    /** The fields that stand above each part. @type {Map<string, Set<string>>} */
    this.above = new Map();
  }

  /** Another level is shown. */
  forget() {
    this.opened.clear();
    this.above.clear();
  }

  /**
   * @param {string} key @param {string} title @param {Node[]} content
   * @returns {HTMLDetailsElement}
   */
  part(key, title, content) {
    const made = element("details", { className: "more", open: this.opened.has(key) }, element("summary", { id: `fold-${key.replaceAll(" ", "-")}` }, title), ...content);
    made.addEventListener("toggle", () => {
      // What is opened only to show what was looked for is not what the user chose.
      if (made.closest("[data-finding]") || !made.isConnected) return;
      if (made.open) this.opened.add(key);
      else this.opened.delete(key);
    });
    return made;
  }

  /**
   * The fields that stand above a part: those that are written; while it is open none changes its place.
   * @param {string} key @param {string[]} written @returns {Set<string>}
   */
  standing(key, written) {
    const before = this.above.get(key);
    if (before && this.opened.has(key)) return before;
    const now = new Set(written);
    this.above.set(key, now);
    return now;
  }
}
