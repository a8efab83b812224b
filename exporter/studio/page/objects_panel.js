// @ts-check
/** The legend of the objects: marks and pictures, placed and requested counts, and demands. */

import { contextOf, element, section, withButtons } from "./elements.js";
import { icon } from "./icons.js";
import { drawMark } from "./object_marks.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").LegendEntry} LegendEntry */

// With more names there is a field that looks for them.
const MANY = 8;
// Pixels of a mark's picture.
const SIDE = 16;

export class ObjectsPanel {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    /** The names that are not shown. @type {Set<string>} */
    this.hidden = new Set();
    /** The name that is framed. @type {string | null} */
    this.broughtOut = null;
    /** The names with unfolded demands. @type {Set<string>} */
    this.unfolded = new Set();
    /** @type {{name: string, node: HTMLElement, find: HTMLElement}[]} */
    this.rows = [];
    this.filter = element("input", {
      type: "search", placeholder: "Filter names", "aria-label": "Filter objects by name", className: "object-filter",
      autocomplete: "off", spellcheck: "false", oninput: () => this.sift(),
    });
    this.none = element("p", { className: "about", hidden: true }, "No object has such a name.");
  }

  /**
   * @param {LevelView | null} level @param {import("./layers.js").Outline | null} outline
   * @returns {Node[]} nothing if the level neither has nor wants objects, and none can be added
   */
  parts(level, outline) {
    this.rows = level?.legend.map((one) => this.row(level, one, outline)) ?? [];
    const beside = outline?.add("object") ?? [];
    if (!this.rows.length && !beside.length) return [];
    const many = this.rows.length > MANY;
    if (!many) this.filter.value = "";
    this.sift();
    return [withButtons(section("Objects", [...(many ? [this.filter, this.none] : []), ...this.rows.map((one) => one.node)]), beside)];
  }

  /** Show the rows whose names match the search. */
  sift() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const { name, node } of this.rows) node.hidden = !name.toLowerCase().includes(wanted);
    this.none.hidden = this.rows.some((one) => !one.node.hidden);
  }

  /** @param {LevelView} level @param {LegendEntry} entry @param {import("./layers.js").Outline | null} outline */
  row(level, entry, outline) {
    const { name } = entry;
    const eye = element("input", {
      type: "checkbox", checked: !this.hidden.has(name), "aria-label": `Show ${name}`, className: "eye",
      onchange: () => {
        if (eye.checked) this.hidden.delete(name);
        else this.hidden.add(name);
        this.redraw();
      },
    });
    const find = element("button", {
      className: "quiet late", "aria-pressed": String(this.broughtOut === name), title: `Bring out ${name}`, "aria-label": `Bring out ${name}`,
      onclick: () => this.bringOut(name),
    }, icon("find"));
    const node = element("div", { className: "layer thing", "data-object": name }, element("span", { className: "box" }, eye, icon("eye")), keyOf(level, name),
      outline?.object(name) ?? element("span", { className: "name", title: name }, name), countOf(entry), find, ...this.demands(entry));
    return { name, node, find };
  }

  /** @param {string} name */
  bringOut(name) {
    this.broughtOut = this.broughtOut === name ? null : name;
    for (const one of this.rows) one.find.setAttribute("aria-pressed", String(one.name === this.broughtOut));
    this.redraw();
  }

  /** Where the objects may stand, on a line that unfolds. @param {LegendEntry} entry @returns {Node[]} */
  demands({ name, groups }) {
    if (!groups.some((one) => one.demands.length)) return [];
    const several = groups.length > 1;
    const texts = groups.map((one) => one.demands.map((demand) => `${demand.name} ${demand.text}`).join(", "));
    const lines = groups.flatMap((one) => [
      ...(several ? [element("dt", { className: "group" }, `${one.placed} of ${one.asked}`)] : []),
      ...one.demands.flatMap((demand) => [element("dt", {}, demand.name), element("dd", {}, demand.text)]),
    ]);
    const details = element("details", { className: "demands", open: this.unfolded.has(name) },
      element("summary", { title: "What they demand of their cells" }, 
        element("span", { className: "line" }, texts.filter(Boolean).join("; ")), element("span", { className: "word" }, "demands")),
      element("dl", {}, ...lines));
    details.addEventListener("toggle", () => {
      if (details.open) this.unfolded.add(name);
      else if (details.isConnected) this.unfolded.delete(name);
    });
    return [details];
  }
}

/** The mark of a name, and its picture if it has one. @param {LevelView} level @param {string} name */
function keyOf(level, name) {
  const mark = element("canvas", { width: SIDE, height: SIDE });
  drawMark(contextOf(mark), level.markOf(name), SIDE / 2, SIDE / 2, 5);
  const kinds = Object.keys(level.sprites);
  const kind = kinds.includes(name) ? name : kinds.find((one) => one.startsWith(`${name}/`));
  if (kind === undefined) return element("span", { className: "key", "aria-hidden": "true" }, mark);
  const pixels = new Uint8ClampedArray(level.sprites[kind]);
  const side = Math.sqrt(pixels.length / 4);
  const sprite = element("canvas", { width: side, height: side });
  contextOf(sprite).putImageData(new ImageData(pixels, side, side), 0, 0);
  return element("span", { className: "key", "aria-hidden": "true" }, mark, sprite);
}

/** @param {LegendEntry} entry */
function countOf({ placed, asked }) {
  const short = placed < asked;
  const title = short ? `${asked - placed} ${asked - placed === 1 ? "finds" : "find"} no place: lower the count or the demands` : null;
  return element("span", { className: short ? "count short" : "count", title }, asked ? `${placed} of ${asked}` : String(placed));
}
