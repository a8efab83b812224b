// @ts-check
/** The value of a property: its type, and an editor for it. A mapping with one key names the type of its value. */

import { element } from "./elements.js";
import { actionButton } from "./inspector_parts.js";
import { showText } from "./uncommitted.js";

/** @typedef {"number" | "text" | "switch" | "color" | "list" | "object" | "vector" | "resource" | "none"} Kind */

const NAMES = /** @type {[Kind, string][]} */ ([
  ["number", "number"], ["text", "text"], ["switch", "yes or no"], ["color", "colour"], ["list", "list"], ["object", "object"], ["vector", "vector"], ["resource", "resource"],
]);
// Their values are mappings with their name as the key.
const MAPPED = new Set(["color", "object", "vector", "resource"]);

export class PropertyValue {
  /**
   * @param {import("./inspector.js").Inspector} inspector @param {(string | number)[]} path
   * @param {string} name @param {string} id of its field @param {boolean} [isEntry] whether it is in a list, which no other list can be in
   */
  constructor(inspector, path, name, id, isEntry = false) {
    this.inspector = inspector;
    this.path = path;
    this.name = name;
    this.id = id;
    this.isEntry = isEntry;
    this.types = element("select", {
      className: "type", "aria-label": `Type of ${name}`, title: "Type",
      onchange: () => void this.set(converted(inspector, contentOf(this.value), /** @type {Kind} */ (this.types.value))),
    });
    this.node = element("span", { className: "control" });
    /** @type {Kind | ""} */ this.kind = "";
    this.editor = /** @type {{nodes: HTMLElement[], show: (content: any) => void}} */ ({ nodes: [], show: () => {} });
  }

  get value() {
    return this.inspector.valueAt(this.path);
  }

  /** @param {unknown} value */
  async set(value) {
    const refused = await this.inspector.change({ set: this.path, value });
    if (refused) this.inspector.refuse(this.path, refused);
  }

  show() {
    const kind = kindOf(this.value);
    if (kind !== this.kind) {
      this.kind = kind;
      this.types.replaceChildren(...optionsOf(kind, this.isEntry));
      this.editor = this.make(kind, (content) => void this.set(MAPPED.has(kind) ? { [kind]: content } : content));
      this.node.replaceChildren(...this.editor.nodes, this.types);
    }
    this.editor.show(contentOf(this.value));
  }

  /** @param {Kind} kind @param {(content: unknown) => void} change */
  make(kind, change) {
    const { id, name } = this;
    if (kind === "list") return this.listEditor();
    if (kind === "object") {
      const select = element("select", { id, onchange: () => change(select.value) });
      return { nodes: [select], show: (/** @type {any} */ value) => {
        select.replaceChildren(...[...new Set([...thingsOf(this.inspector), String(value)])].map((one) => element("option", { value: one, selected: one === value }, one)));
      } };
    }
    if (kind === "switch") {
      const box = element("input", { id, type: "checkbox", onchange: () => change(box.checked) });
      return { nodes: [box], show: (/** @type {any} */ value) => { box.checked = Boolean(value); } };
    }
    if (kind === "vector") {
      const inputs = [0, 1, 2].map((place) => element("input", {
        id: place ? `${id}-${place}` : id, type: "number", step: "any", "aria-label": `${name}: ${"xyz"[place]}`, onchange: () => take(),
      }));
      const take = () => {
        const typed = inputs.map((one) => one.value);
        if (typed[0] && typed[1]) change(typed.filter(Boolean).map(Number));
      };
      return { nodes: [element("span", { className: "pair" }, ...inputs)], show: (/** @type {any} */ value) => inputs.forEach((one, place) => showText(one, String(value?.[place] ?? ""))) };
    }
    const input = element("input", { id, type: kind === "number" || kind === "color" ? kind : "text", step: "any", onchange: () => {
      if (kind !== "number") change(input.value);
      else if (input.value !== "") change(Number(input.value));
    } });
    return { nodes: [input], show: (/** @type {any} */ value) => {
      if (kind === "color") input.value = String(value).slice(0, 7);
      else showText(input, String(value ?? ""));
    } };
  }

  /** A row for each entry, to add, sort and remove. */
  listEditor() {
    const { id, inspector, name, path } = this;
    const node = element("span", { className: "entries", role: "group", "aria-label": name });
    /** @type {{node: HTMLElement, value: PropertyValue}[]} */
    const rows = [];
    /** @type {unknown[]} */
    let listed = [];
    const add = actionButton("plus", "Add", `Add to ${name}`, async () => {
      await inspector.change({ insert: [...path, listed.length], value: listed.length ? listed[listed.length - 1] : "" });
      /** @type {HTMLElement | null} */ (document.getElementById(`${id}-${listed.length - 1}`))?.focus();
    }, { id, "aria-label": `Add to ${name}` });
    /** @param {number} at */
    const entry = (at) => {
      const value = new PropertyValue(inspector, [...path, at], `${name} ${at + 1}`, `${id}-${at}`, true);
      /** @type {(sign: "up" | "down" | "close", title: string, action: () => void) => HTMLElement} */
      const button = (sign, title, action) => actionButton(sign, "", title, action, { "aria-label": title });
      const actions = element("span", { className: "row-actions" },
        button("up", `Move ${value.name} up`, () => { if (at) void inspector.change({ move: [...path, at], place: at - 1 }); }),
        button("down", `Move ${value.name} down`, () => { if (at < listed.length - 1) void inspector.change({ move: [...path, at], place: at + 1 }); }),
        button("close", `Remove ${value.name}`, () => void inspector.change({ remove: [...path, at] })));
      return { value, node: element("div", { className: "row property", "data-parameter": JSON.stringify([...path, at]) },
        element("label", { for: `${id}-${at}`, "aria-label": value.name }, String(at + 1)), value.node, actions) };
    };
    return { nodes: [node, add], show: (/** @type {any} */ content) => {
      listed = content ?? [];
      while (rows.length > listed.length) rows.pop()?.node.remove();
      while (rows.length < listed.length) {
        rows.push(entry(rows.length));
        node.append(rows[rows.length - 1].node);
      }
      for (const { value } of rows) value.show();
    } };
  }
}

/** @param {Kind} kind the chosen one @param {boolean} [isEntry] of a list */
export function optionsOf(kind, isEntry = false) {
  return NAMES.filter(([one]) => !isEntry || one !== "list").map(([one, text]) => element("option", { value: one, selected: one === kind }, text));
}

/** The names of objects that a property may refer to. @param {import("./inspector.js").Inspector} inspector @returns {string[]} */
function thingsOf(inspector) {
  return [...new Set([...inspector.objects.map((one) => one?.name), ...(inspector.level?.legend.map((one) => one.name) ?? [])])].filter(Boolean);
}

/**
 * A value of another type, as near as may be.
 * @param {import("./inspector.js").Inspector} inspector @param {any} content @param {Kind} kind @returns {unknown}
 */
export function converted(inspector, content, kind) {
  const text = typeof content === "string" ? content : "";
  const things = kind === "object" ? thingsOf(inspector) : [];
  switch (kind) {
    case "number": return Number.isFinite(Number(content)) ? Number(content) : 0;
    case "switch": return content === null || Boolean(content);
    case "list": return content === null ? [] : [content].flat();
    case "color": return { color: /^#[0-9a-f]{6}/i.test(text) ? text : "#ff8000" };
    case "object": return { object: things.includes(text) ? text : things[0] ?? "start" };
    case "vector": return { vector: Array.isArray(content) && content.length > 1 && content.every(Number.isFinite) ? content.slice(0, 3) : [0, 0] };
    case "resource": return { resource: /^(res|uid):\/\/./.test(text) ? text : "res://icon.svg" };
    default: return content === null || typeof content === "object" ? "" : String(content);
  }
}

/** @param {any} value @returns {Kind} */
export function kindOf(value) {
  if (Array.isArray(value)) return "list";
  if (value !== null && typeof value === "object") return /** @type {Kind} */ (Object.keys(value)[0] ?? "none");
  return typeof value === "boolean" ? "switch" : typeof value === "number" ? "number" : "text";
}

/** A value without the name of its type. @param {any} value */
function contentOf(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? Object.values(value)[0] : value;
}
