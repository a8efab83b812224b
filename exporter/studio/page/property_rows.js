// @ts-check
/** Properties of a level or of objects: a row for each, to add and remove; see `PropertyValue`. */

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { converted, kindOf, optionsOf, PropertyValue } from "./property_value.js";

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
    /** The rows by their names. @type {Map<string, {node: HTMLElement, value: PropertyValue}>} */
    this.shown = new Map();
  }

  /** @returns {Record<string, unknown>} */
  get values() {
    const values = /** @type {any} */ (this.inspector.valueAt(this.path));
    return values && typeof values === "object" && !Array.isArray(values) ? values : {};
  }

  add() {
    const name = this.name.value.trim();
    if (!name || name in this.values) return this.name.focus();
    this.name.value = "";
    void this.inspector.change({ set: [...this.path, name], value: converted(this.inspector, null, /** @type {any} */ (this.kind.value)) });
  }

  show() {
    const names = Object.keys(this.values);
    for (const [name, { node }] of this.shown) {
      if (names.includes(name)) continue;
      node.remove();
      this.shown.delete(name);
    }
    names.forEach((name, at) => {
      const row = this.shown.get(name) ?? this.row(name);
      this.shown.set(name, row);
      if (this.rows.children[at] !== row.node) this.rows.insertBefore(row.node, this.rows.children[at] ?? null);
      row.value.show();
      row.node.dataset.kind = kindOf(this.values[name]);
    });
  }

  /** @param {string} name */
  row(name) {
    const id = `property-${name}`;
    const path = [...this.path, name];
    const value = new PropertyValue(this.inspector, path, name, id);
    const remove = () => void this.inspector.change({ remove: Object.keys(this.values).length === 1 ? this.path : path });
    return { value, node: element("div", { className: "row property", "data-parameter": JSON.stringify(path) }, element("label", { for: id }, name), value.node,
      element("button", { className: "reset", title: `Remove ${name}`, "aria-label": `Remove the property ${name}`, onclick: remove }, icon("close"))) };
  }
}
