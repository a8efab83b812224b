// @ts-check
/** A key that does something while it is held, over the picture. */

import { takesKeys } from "./uncommitted.js";

export class Hold {
  /**
   * @param {string} code of the key
   * @param {HTMLElement} picture
   * @param {(held: boolean) => void} changed
   */
  constructor(code, picture, changed) {
    this.held = false;
    /** @param {boolean} held */
    const set = (held) => {
      if (held === this.held) return;
      this.held = held;
      changed(held);
    };
    window.addEventListener("keydown", (event) => {
      const { target } = event;
      const free = target === picture || target === document.body || (code !== "Space" && !takesKeys(target));
      if (event.code !== code || !free || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // The page would scroll.
      event.preventDefault();
      set(true);
    });
    window.addEventListener("keyup", (event) => { if (event.code === code) set(false); });
    window.addEventListener("blur", () => set(false));
  }
}
