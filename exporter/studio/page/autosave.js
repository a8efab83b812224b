// @ts-check
/**
 * Saves a change once it is shown without problems; off until a user switches it on. Changes from a link can be anybody's:
 * they wait until the user edits or saves.
 */

import { storage } from "./elements.js";

const KEY = "level-exporter-autosave";
const WAIT = 500;
const SAVES = "Autosave: save each change once it is shown without problems";
const WAITS = "Autosave is paused: the last change is of a link. Edit the level or save it (Ctrl+S) to go on.";

export class Autosave {
  /** @param {HTMLElement} button @param {import("./page.js").Page} page */
  constructor(button, page) {
    this.button = button;
    this.page = page;
    /** A file that has changed meanwhile is for a person to look at: until then nothing is saved. */
    this.paused = false;
    /** Whether the last change is of a link. */
    this.waits = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.on = storage()?.getItem(KEY) === "on";
    this.draw();
    button.addEventListener("click", () => this.toggle());
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      problems: (event) => this.settled(event),
      conflict: () => { this.paused = true; },
      saved: () => { this.paused = false; },
    };
  }

  /** @param {{linked: boolean, changed: boolean}} draft */
  showDraft({ linked, changed }) {
    clearTimeout(this.timer);
    this.waits = linked && changed;
    this.draw();
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
    this.button.title = this.on && this.waits ? WAITS : SAVES;
    this.button.classList.toggle("waits", this.on && this.waits);
  }

  /** Schedule a save after a build without problems. @param {{problems: object[], revision: number}} event */
  settled(event) {
    if (event.problems.length === 0 && event.revision === this.page.draft?.revision) this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { draft, faults, stale } = this.page;
      if (!this.on || this.paused || this.waits || !draft?.changed || faults.length || stale) return;
      // Only the very draft that was shown to be right.
      this.page.send({ do: "save", revision: draft.revision });
    }, WAIT);
  }
}
