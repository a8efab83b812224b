// @ts-check
/** Properties of objects: each value has a type and an editor for it. A mapping with one key names the type of its value. */

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { showText } from "./uncommitted.js";
import { yamlText } from "./yaml_text.js";

/** @typedef {"number" | "text" | "switch" | "color" | "list" | "object" | "vector" | "resource" | "none"} Kind */

const NAMES = /** @type {[Kind, string][]} */ ([
  ["number", "number"], ["text", "text"], ["switch", "yes or no"], ["color", "colour"], ["list", "list"], ["object", "object"], ["vector", "vector"], ["resource", "resource"],
]);
// Their values are mappings with their name as the key.
const MAPPED = new Set(["color", "object", "vector", "resource"]);

export class PropertyRows {
  /** @param {import("./inspector.js").Inspector} inspector @param {(string | number)[]} path of the mapping */
  constructor(inspector, path) {
    this.inspector = inspector;
    this.path = path;
    this.rows = element("div", { className: "rows" });
    this.name = element("input", { type: "text", id: "new-property", placeholder: "new property", maxlength: 64, "aria-label": "Name of the new property",
      onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") this.add(); } });
    this.kind = element("select", { id: "new-property-type", "aria-label": "Type of the new property" }, ...optionsOf("number"));
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
    if (!name || name in this.values) return this.name.focus();
    this.name.value = "";
    const value = this.converted(null, /** @type {Kind} */ (this.kind.value));
    const none = this.inspector.valueAt(this.path) === undefined;
    void this.inspector.change(none ? { set: this.path, value: { [name]: value } } : { set: [...this.path, name], value });
  }

  /** The names of objects that a property may refer to. @returns {string[]} */
  get things() {
    return [...new Set([...this.inspector.objects.map((one) => one?.name), ...(this.inspector.level?.legend.map((one) => one.name) ?? [])])].filter(Boolean);
  }

  show() {
    const { values } = this;
    const drawn = JSON.stringify(Object.entries(values).map(([name, value]) => [name, kindOf(value)]));
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.editors.clear();
      this.rows.replaceChildren(...Object.entries(values).map(([name, value]) => this.row(name, kindOf(value))));
    }
    for (const [name, show] of this.editors) show(contentOf(values[name]));
  }

  /** @param {string} name @param {Kind} kind */
  row(name, kind) {
    const id = `property-${name}`;
    const path = [...this.path, name];
    /** @param {unknown} content */
    const change = async (content) => {
      const refused = await this.inspector.change({ set: path, value: MAPPED.has(kind) ? { [kind]: content } : content });
      if (refused) this.inspector.refuse(path, refused);
    };
    const remove = () => void this.inspector.change({ remove: Object.keys(this.values).length === 1 ? this.path : path });
    const types = element("select", {
      className: "type", "aria-label": `Type of ${name}`, title: "Type",
      onchange: () => void this.inspector.change({ set: path, value: this.converted(contentOf(this.values[name]), /** @type {Kind} */ (types.value)) }),
    }, ...optionsOf(kind));
    return element("div", { className: "row property", "data-parameter": JSON.stringify(path), "data-kind": kind },
      element("label", { for: id }, name), element("span", { className: "control" }, ...this.editor(name, kind, id, change), types),
      element("button", { className: "reset", title: `Remove ${name}`, "aria-label": `Remove the property ${name}`, onclick: remove }, icon("close")));
  }

  /** @param {string} name @param {Kind} kind @param {string} id @param {(content: unknown) => void} change @returns {HTMLElement[]} */
  editor(name, kind, id, change) {
    if (kind === "object") {
      const select = element("select", { id, onchange: () => change(select.value) });
      this.editors.set(name, (value) => {
        select.replaceChildren(...[...new Set([...this.things, String(value)])].map((one) => element("option", { value: one, selected: one === value }, one)));
      });
      return [select];
    }
    if (kind === "switch") {
      const box = element("input", { id, type: "checkbox", onchange: () => change(box.checked) });
      this.editors.set(name, (value) => { box.checked = Boolean(value); });
      return [box];
    }
    if (kind === "vector") {
      const inputs = [0, 1, 2].map((place) => element("input", {
        id: place ? `${id}-${place}` : id, type: "number", step: "any", "aria-label": `${name}: ${"xyz"[place]}`, onchange: () => take(),
      }));
      const take = () => {
        const typed = inputs.map((one) => one.value);
        if (typed[0] && typed[1]) change(typed.filter(Boolean).map(Number));
      };
      this.editors.set(name, (value) => inputs.forEach((one, place) => showText(one, String(value?.[place] ?? ""))));
      return [element("span", { className: "pair" }, ...inputs)];
    }
    if (kind === "list") {
      // As in the spec: one entry may be a mapping with a type.
      const input = element("input", { id, type: "text", className: "code", title: "Values with commas between", onchange: () => void this.write(name, `[${input.value}]`) });
      this.editors.set(name, (value) => showText(input, /** @type {unknown[]} */ (value ?? []).map(yamlText).join(", ")));
      return [input];
    }
    const input = element("input", { id, type: kind === "number" || kind === "color" ? kind : "text", step: "any", onchange: () => {
      if (kind !== "number") change(input.value);
      else if (input.value !== "") change(Number(input.value));
    } });
    this.editors.set(name, (value) => {
      if (kind === "color") input.value = String(value).slice(0, 7);
      else showText(input, String(value ?? ""));
    });
    return [input];
  }

  /** @param {string} name @param {string} yaml */
  async write(name, yaml) {
    const path = [...this.path, name];
    const refused = await this.inspector.change({ set: path, yaml });
    if (refused) this.inspector.refuse(path, refused);
  }

  /** A value of another type, as near as may be. @param {any} content @param {Kind} kind @returns {unknown} */
  converted(content, kind) {
    const text = typeof content === "string" ? content : "";
    switch (kind) {
      case "number": return Number.isFinite(Number(content)) ? Number(content) : 0;
      case "switch": return content === null || Boolean(content);
      case "list": return content === null ? [] : [content].flat();
      case "color": return { color: /^#[0-9a-f]{6}/i.test(text) ? text : "#ff8000" };
      case "object": return { object: this.things.includes(text) ? text : this.things[0] ?? "start" };
      case "vector": return { vector: Array.isArray(content) && content.length > 1 && content.every(Number.isFinite) ? content.slice(0, 3) : [0, 0] };
      case "resource": return { resource: /^(res|uid):\/\/./.test(text) ? text : "res://icon.svg" };
      default: return content === null || typeof content === "object" ? "" : String(content);
    }
  }
}

/** @param {Kind} kind the chosen one */
function optionsOf(kind) {
  return NAMES.map(([one, text]) => element("option", { value: one, selected: one === kind }, text));
}

/** @param {any} value @returns {Kind} */
function kindOf(value) {
  if (Array.isArray(value)) return "list";
  if (value !== null && typeof value === "object") return /** @type {Kind} */ (Object.keys(value)[0] ?? "none");
  return typeof value === "boolean" ? "switch" : typeof value === "number" ? "number" : "text";
}

/** A value without the name of its type. @param {any} value */
function contentOf(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? Object.values(value)[0] : value;
}
