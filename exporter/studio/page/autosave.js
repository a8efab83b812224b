// @ts-check
/** Saves by itself, once a change is shown without problems; off until somebody switches it on. */

import { storage } from "./elements.js";

const KEY = "level-exporter-autosave";
const WAIT = 500;

export class Autosave {
  /** @param {HTMLElement} button @param {import("./page.js").Page} page */
  constructor(button, page) {
    this.button = button;
    this.page = page;
    /** A file that has changed meanwhile is for a person to look at: until then nothing is saved. */
    this.paused = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.on = storage()?.getItem(KEY) === "on";
    this.draw();
    button.addEventListener("click", () => this.toggle());
  }

  /** @returns {Record<string, (event: any) => void>} */
  get handlers() {
    return {
      problems: (event) => this.settled(event),
      conflict: () => { this.paused = true; },
      saved: () => { this.paused = false; },
    };
  }

  showDraft() {
    clearTimeout(this.timer);
  }

  toggle() {
    this.on = !this.on;
    this.paused = false;
    storage()?.setItem(KEY, this.on ? "on" : "off");
    this.draw();
    this.wait();
  }

  draw() {
    this.button.setAttribute("aria-pressed", String(this.on));
  }

  /** What was built has these problems. @param {{problems: object[], revision: number}} event */
  settled(event) {
    if (event.problems.length === 0 && event.revision === this.page.draft?.revision) this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { draft, faults, stale } = this.page;
      if (!this.on || this.paused || !draft?.changed || faults.length || stale) return;
      // Only the very draft that was shown to be right.
      this.page.send({ do: "save", revision: draft.revision });
    }, WAIT);
  }
}
