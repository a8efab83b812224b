// @ts-check
/** The buttons over the picture of a page that only shows a level. */

import { element } from "./elements.js";
import { fillPad } from "./pad.js";

/** @typedef {import("./viewer.js").Viewer} Viewer */

export class LevelTools {
  /** @param {HTMLElement} bar @param {HTMLElement} pad @param {Viewer} page */
  constructor(bar, pad, page) {
    this.tool = "look";
    this.mirrors = /** @type {const} */ ("");
    this.page = page;
    this.pad = pad;
    fillPad(pad, (step) => page.walking.step(step));
    this.walk = this.button("tool-walk", "Walk", "Walk (G)", () => page.walking.toggle());
    this.fog = this.button("tool-fog", "Fog", "Fog: off, remembered, strict (F)", () => page.walking.nextFog());
    this.sight = this.button("tool-sight", "Sight", "What the cell under the pointer sees (V, or hold S)", () => page.shade());
    bar.replaceChildren(this.walk, this.fog, this.sight,
      this.button("tool-fit", "Fit", "Fit the level (0)", () => page.fit()),
      this.button("tool-help", "Keys", "The keys (?)", () => page.help()));
    this.walked();
  }

  /**
   * @param {string} id @param {string} name @param {string} title @param {() => void} action
   * @returns {HTMLButtonElement}
   */
  button(id, name, title, action) {
    return element("button", {
      id, title, className: "quiet",
      onclick: (/** @type {MouseEvent} */ event) => {
        action();
        // A click gives the keys back to the picture; a key on the button keeps them.
        if (event.detail > 0) this.page.picture.focus({ preventScroll: true });
      },
    }, name);
  }

  /** Walking, or sight, has begun or ended. */
  walked() {
    this.sight.setAttribute("aria-pressed", String(this.page.shading));
    const { on } = this.page.walk;
    this.walk.setAttribute("aria-pressed", String(on));
    this.fog.hidden = this.pad.hidden = !on;
  }

  // Empty versions of the editing tools: this page changes no level.

  show() {}

  hovered() {}

  /** @returns {import("./tools.js").Drawn[]} */
  shown() {
    return [];
  }

  frame() {
    return null;
  }

  note() {
    return "";
  }

  choose() {}

  down() {
    return false;
  }

  drag() {}

  up() {}

  cancel() {}

  key() {
    return false;
  }

  putBack() {
    return false;
  }
}
