// @ts-check
/**
 * The seed that a spec has searched for: shown below the parameter, and taken over by *Use*. While
 * a slider is dragged it stays; letting go searches again.
 */

import { element } from "./elements.js";

/** @typedef {{send: (message: import("./messages.js").Request) => void, change: (changes: import("./messages.js").Change[]) => void}} Host */

export class SeedResult {
  /** @param {HTMLElement} panel where the sliders are @param {Host} host */
  constructor(panel, host) {
    this.host = host;
    this.searches = false;
    this.text = element("span", { id: "found-seed" });
    /** @type {number | string | null} */ this.seed = null;
    const use = element("button", {
      className: "quiet", title: "Write this seed in place of the search",
      onclick: () => this.seed !== null && host.change([{ set: ["seed"], value: this.seed }]),
    }, "Use");
    this.node = element("div", { className: "found", hidden: true }, element("span", {}, "found"),
      element("span", { className: "control" }, this.text, use));
    panel.addEventListener("change", (event) => {
      const slider = event.target instanceof HTMLInputElement && event.target.type === "range";
      if (slider && this.searches) host.send({ do: "release" });
    });
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft({ data }) {
    const seed = data && typeof data === "object" && "seed" in data ? data.seed : null;
    this.searches = seed !== null && typeof seed === "object";
    if (!this.searches) this.seed = null;
    this.node.hidden = this.seed === null;
  }

  /** @param {import("./level.js").LevelView} level */
  showLevel(level) {
    this.seed = level.seedResult;
    this.text.textContent = `${level.seedResult}${level.pinned ? " (kept while you drag)" : ""}`;
    this.node.hidden = this.seed === null || !this.searches;
  }
}
