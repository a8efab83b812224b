// @ts-check
/** Parts inside a section that fold away: how they stand outlives that they are drawn again. */

import { element } from "./elements.js";

export class Folding {
  constructor() {
    /** The open parts. @type {Set<string>} */
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
      // A part that a search opened is not the user's choice.
      if (made.closest("[data-finding]") || !made.isConnected) return;
      if (made.open) this.opened.add(key);
      else this.opened.delete(key);
    });
    return made;
  }

  /**
   * Return the fields above a part: the written ones. Their order is fixed while the part is open.
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
