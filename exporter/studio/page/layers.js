// @ts-check
/** The left panel: layers with eye, opacity and solo; below them the legend of the objects, and what the studio adds. */

import { element, section, withButtons } from "./elements.js";
import { icon } from "./icons.js";
import { ObjectsPanel } from "./objects_panel.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/**
 * What a page that selects things adds to the lists.
 * @typedef {object} Outline
 * @property {(name: string) => HTMLElement} layer the name of a layer, to select
 * @property {(name: string) => HTMLElement} object the name of objects, to select
 * @property {() => Node[]} first before the layers
 * @property {() => Node[]} last after the objects
 * @property {() => string[]} layers the names of all layers of the spec
 * @property {(what: "layer" | "object") => Node[]} add beside a headline
 * @property {() => string} text changes when any of these does
 */

const ROLES = /** @type {Record<string, string>} */ ({
  play: "seen and walked on", picture: "only seen", data: "for programs", none: "in no file",
});

export class LayersPanel {
  /** @param {HTMLElement} panel @param {() => void} redraw */
  constructor(panel, redraw) {
    this.panel = panel;
    this.redraw = redraw;
    /** @type {LevelView | null} */
    this.level = null;
    /** @type {Map<string, {visible: boolean, opacity: number}>} */
    this.chosen = new Map();
    /** @type {string | null} */
    this.solo = null;
    this.objects = new ObjectsPanel(redraw);
    /** Further parts of the panel. @type {Node[]} */
    this.more = [];
    /** @type {Outline | null} */ this.outline = null;
    this.drawn = "";
  }

  /** There is no level to show. */
  hide() {
    this.level = null;
    this.drawChanged();
  }

  /** @param {LevelView} level */
  show(level) {
    const before = this.level;
    if (before && before.id !== level.id) {
      this.chosen.clear();
      this.solo = null;
    }
    this.level = level;
    this.drawChanged();
  }

  /** Draw the lists again if they would be others. */
  drawChanged() {
    const { level } = this;
    const text = JSON.stringify([
      level && [level.id, level.layers.map((one) => one.name + one.role), level.legend, Object.keys(level.sprites)], this.outline?.text(),
    ]);
    if (text === this.drawn) return;
    this.drawn = text;
    this.draw();
  }

  /** @param {Layer} layer @param {LevelView | null} [level] which it is of, if not of the one that is shown */
  shown(layer, level = this.level) {
    if (this.solo !== null) return { visible: layer.name === this.solo, opacity: 1 };
    return this.chosen.get(layer.name) ?? this.byDefault(layer, /** @type {LevelView} */ (level));
  }

  /** @param {Layer} layer @param {LevelView} level */
  byDefault(layer, level) {
    const anySeen = level.layers.some((one) => one.drawings.length);
    if (layer.kind === "heights") return { visible: !anySeen, opacity: 1 };
    return { visible: anySeen ? layer.drawings.length > 0 : true, opacity: 1 };
  }

  /** @param {string} name */
  showsObject(name) {
    return !this.objects.hidden.has(name);
  }

  /** The name of the objects that are framed. */
  get broughtOut() {
    return this.objects.broughtOut;
  }

  draw() {
    const { level, outline } = this;
    const focus = document.activeElement instanceof HTMLElement && this.panel.contains(document.activeElement) ? document.activeElement.dataset.path : "";
    const names = outline?.layers() ?? level?.layers.map((one) => one.name) ?? [];
    const layers = [...names].reverse().map((name) => this.row(name, level?.layer(name) ?? null));
    const beside = outline?.add("layer") ?? [];
    // A form that is being filled in stays.
    const form = this.panel.querySelector("details > .add");
    const below = form?.parentElement?.querySelector("summary .title")?.textContent;
    this.panel.replaceChildren(
      ...outline?.first() ?? [],
      ...layers.length || beside.length ? [withButtons(section("Layers", layers), beside)] : [],
      ...this.objects.parts(level, outline),
      ...outline?.last() ?? [],
      ...this.more,
    );
    for (const title of form ? this.panel.querySelectorAll("summary .title") : []) if (form && title.textContent === below) title.parentElement?.after(form);
    if (focus) /** @type {HTMLElement | null} */ (this.panel.querySelector(`[data-path="${CSS.escape(focus)}"]`))?.focus();
  }

  /** @param {string} name @param {Layer | null} layer null if it is in no picture yet */
  row(name, layer) {
    const label = this.outline?.layer(name) ?? element("span", { className: "name", title: layer ? `${layer.generator}, ${layer.width} x ${layer.height}` : null }, name);
    if (!layer) return element("div", { className: "layer missing" }, element("span", { className: "box" }), label);
    const state = this.shown(layer);
    const eye = element("input", {
      type: "checkbox", checked: state.visible, "aria-label": `Show ${layer.name}`, className: "eye",
      onchange: () => this.set(layer, { ...this.shown(layer), visible: eye.checked }),
    });
    const opacity = element("input", {
      type: "range", min: 0, max: 100, value: Math.round(state.opacity * 100), "aria-label": `Opacity of ${layer.name}`, title: "Opacity",
      oninput: () => this.set(layer, { visible: true, opacity: Number(opacity.value) / 100 }),
    });
    const solo = element("button", {
      className: "quiet late", "aria-pressed": String(this.solo === layer.name), title: `Show only ${layer.name}`, "aria-label": `Show only ${layer.name}`,
      onclick: () => this.showOnly(layer.name),
    }, icon("only"));
    return element("div", { className: "layer" }, element("span", { className: "box" }, eye, icon("eye")), label,
      element("span", { className: `role ${layer.role}`, title: ROLES[layer.role] }, layer.role), solo, opacity);
  }

  /** Show one layer alone, or all again. @param {string} name */
  showOnly(name) {
    this.solo = this.solo === name ? null : name;
    this.draw();
    this.redraw();
  }

  /** @param {Layer} layer @param {{visible: boolean, opacity: number}} state */
  set(layer, state) {
    this.chosen.set(layer.name, state);
    this.redraw();
  }
}
