// @ts-check
/** Properties of objects: each has a type and an editor for it. */

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { showText } from "./uncommitted.js";

/** @typedef {"number" | "text" | "color" | "switch" | "reference"} Kind */

const NAMES = /** @type {[Kind, string][]} */ ([["number", "number"], ["text", "text"], ["color", "colour"], ["switch", "yes or no"], ["reference", "object"]]);
const COLOR = /^#[0-9a-fA-F]{6}$/;
const FIRST = /** @type {Record<Kind, unknown>} */ ({ number: 0, text: "", color: "#ff0000", switch: true });

export class PropertyRows {
  /** @param {import("./inspector.js").Inspector} inspector @param {(string | number)[]} path of the mapping */
  constructor(inspector, path) {
    this.inspector = inspector;
    this.path = path;
    /** What a person has chosen, where the value alone does not tell. @type {Map<string, Kind>} */
    this.kinds = new Map();
    this.rows = element("div", { className: "rows" });
    this.name = element("input", { type: "text", id: "new-property", placeholder: "new property", maxlength: 64, "aria-label": "Name of the new property",
      onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") this.add(); } });
    this.kind = element("select", { id: "new-property-type", "aria-label": "Type of the new property" }, ...NAMES.map(([kind, text]) => element("option", { value: kind }, text)));
    const add = element("button", { id: "add-property", className: "quiet", title: "Add the property", "aria-label": "Add the property", onclick: () => this.add() }, icon("plus"));
    this.node = element("div", {}, element("h3", {}, "Properties"), this.rows, element("div", { className: "row property new" }, this.name, this.kind, add));
    this.drawn = "";
    /** How each editor shows a value. @type {Map<string, (value: any) => void>} */
    this.editors = new Map();
  }

  /** @returns {Record<string, unknown>} */
  get values() {
    return /** @type {any} */ (this.inspector.valueAt(this.path)) ?? {};
  }

  add() {
    const name = this.name.value.trim();
    const kind = /** @type {Kind} */ (this.kind.value);
    if (!name || name in this.values) return this.name.focus();
    this.kinds.set(name, kind);
    this.name.value = "";
    const value = kind === "reference" ? this.things[0] ?? "" : FIRST[kind];
    const none = this.inspector.valueAt(this.path) === undefined;
    void this.inspector.change(none ? { set: this.path, value: { [name]: value } } : { set: [...this.path, name], value });
  }

  /** The names of objects that a reference may have. */
  get things() {
    return [...new Set([...this.inspector.objects.map((one) => one?.name), ...(this.inspector.level?.legend.map((one) => one.name) ?? [])])].filter(Boolean);
  }

  /** @param {string} name @param {unknown} value @returns {Kind} */
  kindOf(name, value) {
    if (typeof value === "boolean") return "switch";
    if (typeof value === "number") return "number";
    const chosen = this.kinds.get(name);
    if (typeof value === "string" && COLOR.test(value)) return chosen === "text" ? "text" : "color";
    return chosen === "reference" ? "reference" : "text";
  }

  show() {
    const { values } = this;
    const drawn = JSON.stringify(Object.entries(values).map(([name, value]) => [name, this.kindOf(name, value)]));
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.editors.clear();
      this.rows.replaceChildren(...Object.entries(values).map(([name, value]) => this.row(name, this.kindOf(name, value))));
    }
    for (const [name, show] of this.editors) show(values[name]);
  }

  /** @param {string} name @param {Kind} kind */
  row(name, kind) {
    const id = `property-${name}`;
    const path = [...this.path, name];
    /** @param {unknown} value */
    const change = (value) => void this.inspector.change({ set: path, value });
    const remove = () => void this.inspector.change({ remove: Object.keys(this.values).length === 1 ? this.path : path });
    const types = element("select", {
      className: "type", "aria-label": `Type of ${name}`, title: "Type",
      onchange: () => {
        const wanted = /** @type {Kind} */ (types.value);
        this.kinds.set(name, wanted);
        change(converted(this.values[name], wanted, this.things));
        this.show();
      },
    }, ...NAMES.map(([one, text]) => element("option", { value: one, selected: one === kind }, text)));
    return element("div", { className: "row property", "data-parameter": JSON.stringify(path), "data-kind": kind },
      element("label", { for: id }, name), element("span", { className: "control" }, this.editor(name, kind, id, change), types),
      element("button", { className: "reset", title: `Remove ${name}`, "aria-label": `Remove the property ${name}`, onclick: remove }, icon("close")));
  }

  /** @param {string} name @param {Kind} kind @param {string} id @param {(value: unknown) => void} change @returns {HTMLElement} */
  editor(name, kind, id, change) {
    if (kind === "reference") {
      const select = element("select", { id, onchange: () => change(select.value) });
      this.editors.set(name, (value) => {
        select.replaceChildren(...[...new Set([...this.things, String(value)])].map((one) => element("option", { value: one, selected: one === value }, one)));
      });
      return select;
    }
    if (kind === "switch") {
      const box = element("input", { id, type: "checkbox", onchange: () => change(box.checked) });
      this.editors.set(name, (value) => { box.checked = Boolean(value); });
      return box;
    }
    const input = element("input", { id, type: kind, step: "any", onchange: () => {
      if (kind !== "number") change(input.value);
      else if (input.value !== "") change(Number(input.value));
    } });
    this.editors.set(name, (value) => {
      if (kind === "color") input.value = String(value);
      else showText(input, String(value ?? ""));
    });
    return input;
  }
}

/** A value of another type, as near as may be. @param {unknown} value @param {Kind} kind @param {string[]} things */
function converted(value, kind, things) {
  if (kind === "number") return Number.isFinite(Number(value)) ? Number(value) : 0;
  if (kind === "switch") return Boolean(value);
  if (kind === "text") return String(value ?? "");
  if (kind === "reference") return things.includes(String(value)) ? value : things[0] ?? "";
  return COLOR.test(String(value)) ? value : FIRST.color;
}
