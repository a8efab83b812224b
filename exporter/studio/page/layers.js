// @ts-check
/** The left panel: layers with eye, opacity and solo; below them the legend of the objects. */

import { element, section } from "./elements.js";
import { ObjectsPanel } from "./objects_panel.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */

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
  }

  /** There is no level to show. */
  hide() {
    this.level = null;
    this.panel.replaceChildren(...this.more);
  }

  /** @param {LevelView} level */
  show(level) {
    const before = this.level;
    const same = before && before.id === level.id
      && before.layers.map((one) => one.name + one.role).join() === level.layers.map((one) => one.name + one.role).join()
      && JSON.stringify([before.legend, Object.keys(before.sprites)])
        === JSON.stringify([level.legend, Object.keys(level.sprites)]);
    if (before && before.id !== level.id) {
      this.chosen.clear();
      this.solo = null;
    }
    this.level = level;
    if (!same) this.draw();
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
    const { level } = this;
    if (!level) return;
    const layers = [...level.layers].reverse().map((layer) => this.layer(layer));
    this.panel.replaceChildren(
      section("Layers", layers),
      ...this.objects.parts(level),
      ...this.more,
    );
  }

  /** @param {Layer} layer */
  layer(layer) {
    const state = this.shown(layer);
    const eye = element("input", {
      type: "checkbox", checked: state.visible, "aria-label": `Show ${layer.name}`, className: "eye",
      onchange: () => this.set(layer, { ...this.shown(layer), visible: eye.checked }),
    });
    const opacity = element("input", {
      type: "range", min: 0, max: 100, value: Math.round(state.opacity * 100), "aria-label": `Opacity of ${layer.name}`,
      oninput: () => this.set(layer, { visible: true, opacity: Number(opacity.value) / 100 }),
    });
    const solo = element("button", {
      className: "quiet", "aria-pressed": String(this.solo === layer.name), title: `Show only ${layer.name}`,
      onclick: () => {
        this.solo = this.solo === layer.name ? null : layer.name;
        this.draw();
        this.redraw();
      },
    }, "solo");
    return element("div", { className: "layer" }, eye,
      element("span", { className: "name", title: `${layer.generator}, ${layer.width} x ${layer.height}` }, layer.name),
      element("span", { className: `role ${layer.role}`, title: ROLES[layer.role] }, layer.role), solo, opacity);
  }

  /** @param {Layer} layer @param {{visible: boolean, opacity: number}} state */
  set(layer, state) {
    this.chosen.set(layer.name, state);
    this.redraw();
  }
}
