// @ts-check
/** Creates a level from a preset: the choice of presets, and the name of the file. */

import { element } from "./elements.js";

/** @typedef {import("./messages.js").Preset} Preset */

export class PresetsPanel {
  /** @param {HTMLElement} panel @param {(message: import("./messages.js").Request) => void} send */
  constructor(panel, send) {
    this.panel = panel;
    this.send = send;
    /** @type {Preset[]} */
    this.presets = [];
    /** Why the last wish was refused. */
    this.why = element("p", { className: "why", role: "alert" });
  }

  /** Handlers of the server's events about presets. @returns {import("./messages.js").Handlers} */
  get handlers() {
    return { presets: (event) => this.know(event.presets), refused: (event) => { if (event.do === "presets" || event.do === "create") this.refused(event.text); } };
  }

  escape() {
    const open = !this.panel.hidden;
    this.panel.hidden = true;
    return open;
  }

  toggle() {
    if (this.panel.hidden) this.open();
    else this.panel.hidden = true;
  }

  open() {
    this.panel.hidden = false;
    if (this.presets.length) this.draw();
    else {
      this.panel.replaceChildren(element("p", { className: "about" }, "Looking for presets ..."));
      this.send({ do: "presets" });
    }
  }

  /** @param {Preset[]} presets */
  know(presets) {
    this.presets = presets;
    if (!this.panel.hidden) this.draw();
  }

  /** @param {string} why */
  refused(why) {
    if (!this.panel.hidden) this.why.textContent = why;
  }

  draw() {
    this.why.textContent = "";
    const about = element("p", { className: "about" });
    const preset = element("select", { id: "preset", size: 10, onchange: () => tell() },
      ...this.presets.map((one) => element("option", { value: one.name }, one.name)));
    const name = element("input", { id: "new-level-name", type: "text", maxlength: 64, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") create(); } });
    const create = () => this.send({ do: "create", name: name.value, preset: preset.value });
    const tell = () => {
      about.textContent = this.presets.find((one) => one.name === preset.value)?.summary ?? "";
      name.value = preset.value;
    };
    preset.value = this.presets.some((one) => one.name === "caves") ? "caves" : this.presets[0]?.name;
    tell();
    this.panel.replaceChildren(
      element("strong", {}, "A new level"),
      element("label", { for: "preset" }, "Start from"), preset, about,
      element("label", { for: "new-level-name" }, "Name"), name, this.why,
      element("button", { id: "create-level", className: "main", onclick: create }, "Create"), " ",
      element("button", { onclick: () => { this.panel.hidden = true; } }, "Cancel"),
    );
    preset.focus();
  }
}
