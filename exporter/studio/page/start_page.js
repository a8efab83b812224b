// @ts-check
/** The start page: the project's levels, those changed last first, and what a new one can start from. */

import { element } from "./elements.js";
import { actionCard, Gallery } from "./gallery.js";
import { icon } from "./icons.js";
import { nameOf } from "./level.js";
import { base64Of, levelPicture } from "./new_picture.js";

const LONGEST_NAME = 64;

export class StartPage {
  /** @param {HTMLElement} panel @param {import("./page.js").Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    /** @type {import("./messages.js").ListedLevelData[]} */ this.listed = [];
    this.levels = new Gallery("level", {
      send: (message) => page.send(message), choose: (id) => page.openLevel(id),
      text: (card) => ({ title: nameOf(card.summary), about: [this.unsaved(card.name) ? "not saved" : "", since(card.changed)].filter(Boolean).join(", ") }),
    });
    this.presets = new Gallery("preset", {
      send: (message) => page.send(message), choose: (name) => this.create(name),
      text: (card) => ({ title: card.name, about: card.summary }),
      first: () => [actionCard("from-picture", icon("picture"), "Your picture", "Each colour becomes a tile: a photo, a sketch, pixel art", () => this.file.click())],
    });
    this.search = element("input", { id: "start-search", type: "search", placeholder: "Find a level or a preset", "aria-label": "Find a level or a preset", oninput: () => this.filter() });
    this.name = element("input", { id: "new-level-name", type: "text", maxlength: LONGEST_NAME, placeholder: "as its preset", spellcheck: "false" });
    this.file = element("input", { id: "picture-file", type: "file", accept: "image/*", hidden: true, onchange: () => this.chosen() });
    /** Why nothing was made. */
    this.why = element("p", { className: "why", role: "alert" });
    this.close = element("button", { className: "quiet", title: "Back to the level (Esc)", "aria-label": "Back to the level", onclick: () => this.escape() }, icon("close"));
    this.fresh = element("h2", { id: "new-title" }, "New level");
    panel.append(element("div", { className: "start-page" },
      element("div", { className: "start-head" }, this.search, this.close),
      element("section", { className: "start-levels", "aria-labelledby": "levels-title" }, element("h2", { id: "levels-title" }, "Levels"), this.levels.node),
      element("section", { "aria-labelledby": "new-title" },
        element("div", { className: "start-new" }, this.fresh, element("label", { for: "new-level-name" }, "Name"), this.name), this.why, this.file, this.presets.node)));
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    const [levels, presets] = [this.levels.handlers, this.presets.handlers];
    return {
      gallery: (event) => { levels.gallery?.(event); presets.gallery?.(event); },
      card: (event) => { levels.card?.(event); presets.card?.(event); },
      created: (event) => { this.why.textContent = ""; if (event.level) this.name.value = ""; },
      refused: (event) => { if (event.do === "create" || event.do === "gallery") this.why.textContent = event.text; },
    };
  }

  /** @param {import("./messages.js").ListedLevelData[]} levels */
  know(levels) {
    this.listed = levels;
    this.panel.querySelector(".start-levels")?.toggleAttribute("hidden", levels.length === 0);
    this.fresh.textContent = levels.length ? "New level" : "Start the first level from a picture or a preset";
    if (!this.panel.hidden) this.levels.ask();
  }

  /** Show it. @param {boolean} [fresh] for a new level */
  open(fresh = false) {
    this.close.hidden = !this.page.draft;
    const begins = this.panel.hidden;
    if (begins) {
      this.panel.hidden = false;
      this.levels.ask();
      this.presets.ask();
    }
    // Who is typing goes on when the list of levels changes.
    if (!begins && !fresh) return;
    if (fresh) this.fresh.scrollIntoView();
    (fresh ? this.name : this.search).focus({ preventScroll: true });
  }

  hide() {
    const focused = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    if (focused) this.page.picture.focus({ preventScroll: true });
  }

  /** The server was started again. */
  welcomed() {
    if (!this.panel.hidden) this.presets.ask();
  }

  /** @returns {boolean} whether it was open, and another level is */
  escape() {
    if (this.panel.hidden || !this.page.draft) return false;
    this.hide();
    this.page.picture.focus({ preventScroll: true });
    return true;
  }

  filter() {
    for (const one of [this.levels, this.presets]) one.filter(this.search.value);
  }

  /** @param {string} id */
  unsaved(id) {
    return this.listed.some((one) => one.id === id && one.changed);
  }

  /** @param {string} preset @param {string} [picture] */
  create(preset, picture) {
    this.why.textContent = "";
    const name = this.name.value || freeName(preset, this.listed.map((one) => nameOf(one.name)));
    this.page.send({ do: "create", name, preset, ...picture ? { picture } : {} });
  }

  /** A picture was chosen. */
  async chosen() {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (!file) return;
    try {
      const name = file.name.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, LONGEST_NAME - 3);
      this.create(name || "picture", base64Of(await levelPicture(file)));
    } catch {
      this.why.textContent = `${file.name} is no picture that this browser can read.`;
    }
  }
}


/** @param {string} wanted @param {string[]} taken */
function freeName(wanted, taken) {
  let found = wanted;
  for (let number = 2; taken.includes(found); number++) found = `${wanted}-${number}`;
  return found;
}

/** How long ago a time was. @param {number} seconds since 1970 */
function since(seconds) {
  if (!seconds) return "";
  const ago = Math.max(0, Date.now() / 1000 - seconds);
  /** @type {[number, string][]} */
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"]];
  for (const [length, name] of units) {
    const count = Math.floor(ago / length);
    if (count) return `changed ${count} ${name}${count > 1 ? "s" : ""} ago`;
  }
  return "changed just now";
}
