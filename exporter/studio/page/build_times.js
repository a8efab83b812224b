// @ts-check
/** How long the build took, in the head of the page: a button that lists the times of its stages. */

import { element } from "./elements.js";

// Builds that take longer show their time while they run, in milliseconds.
const LONG = 200;

export class BuildTimes {
  /** @param {HTMLElement} button @param {HTMLElement} panel */
  constructor(button, panel) {
    this.button = button;
    this.panel = panel;
    this.timer = 0;
    /** The draft that is being built. */
    this.revision = 0;
    /** @type {Record<string, number>} */ this.seconds = {};
    button.addEventListener("click", () => this.toggle());
    document.addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Node && !panel.contains(target) && !button.contains(target)) this.close();
    });
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      problems: (event) => { if (event.revision >= this.revision) this.built(event.problems.length === 0); },
    };
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft({ revision }) {
    if (revision === this.revision) return; // it was saved, and is not built again
    this.revision = revision;
    if (this.timer || this.button.classList.contains("busy")) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.tell("Building ...", true);
    }, LONG);
  }

  /** @param {import("./level.js").LevelView} level */
  showLevel(level) {
    this.seconds = level.seconds;
    if (!this.panel.hidden) this.list();
  }

  hide() {
    this.seconds = {};
    clearTimeout(this.timer);
    this.timer = 0;
    this.tell("", false);
    this.close();
  }

  /** @param {boolean} good */
  built(good) {
    clearTimeout(this.timer);
    this.timer = 0;
    const sum = Object.values(this.seconds).reduce((all, one) => all + one, 0);
    this.tell(good && sum ? `Built in ${duration(sum)}` : "", false);
    if (!good) this.close();
  }

  /** @param {string} text @param {boolean} busy */
  tell(text, busy) {
    this.button.textContent = text;
    this.button.hidden = !text;
    this.button.classList.toggle("busy", busy);
  }

  toggle() {
    if (!this.panel.hidden) return this.close();
    this.list();
    this.panel.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
  }

  close() {
    this.panel.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  escape() {
    const open = !this.panel.hidden;
    if (open) {
      this.close();
      this.button.focus();
    }
    return open;
  }

  list() {
    this.panel.replaceChildren(
      element("strong", {}, "Times of the last build"),
      element("table", {}, ...Object.entries(this.seconds).map(([stage, seconds]) => element("tr", {},
        element("th", { scope: "row" }, stage), element("td", {}, duration(seconds))))),
      element("p", { className: "about" }, "A stage that did not change is not built again."),
    );
  }
}

/** @param {number} seconds */
const duration = (seconds) => {
  if (seconds >= 0.9995) return `${seconds.toFixed(1)} s`;
  return seconds < 0.00995 ? `${Math.max(0.1, seconds * 1000).toFixed(1)} ms` : `${Math.round(seconds * 1000)} ms`;
};
