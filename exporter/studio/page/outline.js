// @ts-check
/** What can be selected in the left panel: the level, its layers, objects, tables and hand edits. Arrows move between them. */

import { byId, countOf, element, section, withButtons } from "./elements.js";
import { icon } from "./icons.js";
import { nameOf } from "./level.js";
import { LEVEL, subjectOf } from "./selection.js";
import { addObjectForm, addTableForm } from "./structure.js";

// More hand edits are found on the map.
const MOST_EDITS = 40;
// A stroke makes more, which would push what follows out of sight.
const FEW_EDITS = 8;

export class Outline {
  /** @param {import("./inspector.js").Inspector} inspector @param {HTMLElement} panel */
  constructor(inspector, panel) {
    this.inspector = inspector;
    this.panel = panel;
    panel.addEventListener("keydown", (event) => this.key(event));
  }

  /** Mark what is selected. */
  mark() {
    const { path } = this.inspector.selection;
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (this.panel.querySelectorAll("[data-path]"))) {
      const chosen = one.dataset.path === path;
      if (one.getAttribute("aria-checked") !== String(chosen)) one.setAttribute("aria-checked", String(chosen));
      if (one.tabIndex !== (chosen ? 0 : -1)) one.tabIndex = chosen ? 0 : -1;
    }
    // One of them can be reached by Tab.
    const first = /** @type {HTMLElement | null} */ (this.panel.querySelector("[data-path]"));
    if (first && !this.panel.querySelector("[data-path][tabindex='0']")) first.tabIndex = 0;
  }

  /** @param {string} path @param {string} text @param {Node[]} [before] */
  name(path, text, before = []) {
    return element("span", {
      className: "name", "data-path": path, role: "radio", title: text,
      onclick: () => this.inspector.selection.select(path),
    }, ...before, text);
  }

  /** @param {string} name */
  layer(name) {
    return this.name(`layers.${name}`, name);
  }

  /** @param {string} name */
  object(name) {
    const { objects } = this.inspector;
    const indexes = objects.flatMap((one, index) => (one?.name === name ? [index] : []));
    if (indexes.length < 2) return this.name(`objects.${indexes[0] ?? name}`, name);
    // Entries of one name, each to select.
    return element("span", { className: "name several" }, name, ...indexes.map((index, place) => this.name(`objects.${index}`, `${place + 1}`)));
  }

  layers() {
    return this.inspector.layers;
  }

  first() {
    const { page, isReadable } = this.inspector;
    if (!page.draft || !isReadable) return [];
    const name = nameOf(page.draft.file);
    return [element("div", { className: "layer head" }, icon("level"), this.name(LEVEL, name))];
  }

  last() {
    const { data, level, isReadable } = this.inspector;
    if (!isReadable) return [];
    const tables = Object.entries(data?.tables ?? {});
    const edits = Object.entries(level?.edits.cells ?? {}).flatMap(([layer, { places }]) => [...places.slice(0, MOST_EDITS)].map((at) => ({ layer, at })));
    const width = (/** @type {string} */ layer) => level?.layer(layer)?.width ?? 1;
    return [
      withButtons(section("Tables", tables.map(([name, one]) => element("div", { className: "layer" }, icon("table"), this.name(`tables.${name}`, name),
        element("span", { className: "count" }, countOf(/** @type {any} */ (one)?.rows?.length ?? 0, "row")))), tables.length > 0), this.add("table")),
      ...edits.length ? [section("Hand edits", edits.slice(0, MOST_EDITS).map(({ layer, at }) => {
        const cell = `${at % width(layer)},${Math.floor(at / width(layer))}`;
        return element("div", { className: "layer" }, icon("edit"), this.name(`edits.${layer}.${cell}`, `${layer} ${cell.replace(",", ", ")}`));
      }), edits.length <= FEW_EDITS)] : [],
    ];
  }

  /** @param {"layer" | "object" | "table"} what @returns {Node[]} */
  add(what) {
    if (!this.inspector.isReadable) return [];
    const button = element("button", {
      className: "quiet plus", id: `new-${what}`, title: `Add ${what === "object" ? "objects" : `a ${what}`}`, "aria-label": `Add ${what}`,
      onclick: () => this.toggle(what, button),
    }, icon("plus"));
    return [button];
  }

  /** Open or close the form below a headline. @param {"layer" | "object" | "table"} what @param {HTMLElement} button */
  toggle(what, button) {
    const { inspector } = this;
    if (what === "layer") return inspector.page.layerGallery.toggle();
    const details = button.parentElement?.querySelector("details");
    const open = details?.querySelector(":scope > .add");
    if (open) return open.remove();
    if (!inspector.schema || !details) return;
    const host = {
      change: (/** @type {import("./messages.js").Change[]} */ changes) => inspector.page.change(changes),
      expect: (/** @type {string} */ path) => {
        inspector.selection.expect(path);
        form.remove();
      },
    };
    /** @type {HTMLElement} */
    const form = what === "object" ? addObjectForm(host, inspector.objects) : addTableForm(host, inspector.data.tables);
    details.open = true;
    details.querySelector("summary")?.after(form);
    /** @type {HTMLInputElement} */ (byId(`new-${what}-name`)).select();
  }

  /** Changes when the lists are others. */
  text() {
    const { data, objects, layers, level, isReadable, page } = this.inspector;
    const tables = Object.entries(data?.tables ?? {}).map(([name, one]) => [name, /** @type {any} */ (one)?.rows?.length]);
    const edits = Object.entries(level?.edits.cells ?? {}).map(([layer, { places }]) => [layer, [...places.slice(0, MOST_EDITS)]]);
    return JSON.stringify([page.draft?.file, isReadable, layers, objects.map((one) => one?.name), tables, edits]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    if (!(target instanceof HTMLElement) || !target.dataset.path) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.inspector.selection.select(target.dataset.path);
    else if (step) {
      const all = /** @type {HTMLElement[]} */ ([...this.panel.querySelectorAll("[data-path]")]).filter((one) => one.offsetParent);
      const next = all[all.indexOf(target) + step];
      if (next?.dataset.path && subjectOf(next.dataset.path)) {
        this.inspector.selection.select(next.dataset.path);
        next.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
