// @ts-check
/** The part of the left panel that chooses an overlay and explains its colours. */

import { contextOf, element, section } from "./elements.js";
import { FIRST_NUMBER, hasMark, OverlayLayer } from "./overlay_layer.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./overlay_layer.js").Overlay} Overlay */
/** @typedef {import("./messages.js").ListedOverlayData} Known */

const NONE = "none";
const WORDS = /** @type {Record<string, string>} */ ({ layer: "Layer", object: "Object", entry: "Objects" });

const SWATCH = 12;

export class Overlays {
  /**
   * @param {import("./renderer.js").Renderer | import("./plain_renderer.js").PlainRenderer} renderer
   * @param {{send: (message: import("./messages.js").Request) => void, redraw: () => void, unfold: () => void, selected: () => string}} host
   */
  constructor(renderer, host) {
    this.layer = new OverlayLayer(renderer);
    this.host = host;
    /** @type {Known[]} */ this.known = [];
    /** @type {LevelView | null} */ this.level = null;
    /** @type {any} */ this.data = null;
    /** The requested overlay: `name` or `name:argument`; empty for none. */
    this.asked = "";
    this.name = "";
    this.argument = "";
    /** @type {string | null} */ this.problem = null;
    this.choice = element("select", {
      id: "overlay",
      onchange: () => {
        this.choose(this.choice.value, this.host.selected());
        this.unseen = Boolean(this.asked);
      },
    });
    /** Whether a person waits for the legend, which may be below the others. */
    this.unseen = false;
    this.arguments = element("select", { id: "overlay-argument", onchange: () => this.choose(this.name, this.arguments.value) });
    this.argumentLabel = element("label", { for: "overlay-argument" });
    this.argumentRow = element("div", { className: "row", hidden: true }, this.argumentLabel, this.arguments);
    this.about = element("p", { className: "about" });
    this.legend = element("div", { className: "legend", role: "status" });
    this.panel = section("Overlays", [
      element("div", { className: "row" }, element("label", { for: "overlay" }, "Show"), this.choice),
      this.argumentRow, this.about, this.legend,
    ]);
  }

  /** @param {Known[]} known */
  know(known) {
    this.known = known;
    this.choice.replaceChildren(element("option", { value: "" }, NONE),
      ...known.map((one) => element("option", { value: one.name }, one.name.replaceAll("_", " "))));
    this.choice.value = this.name;
  }

  /** Handlers of the server's events about overlays. @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      // The controls come first: the list takes the server a while.
      schema: () => this.host.send({ do: "overlays" }),
      overlays: (event) => this.know(event.overlays),
      overlay: (event) => this.receive(event),
    };
  }

  get keys() {
    return [{ key: "O", help: "choose an overlay", action: () => this.focus() }];
  }

  focus() {
    this.host.unfold();
    this.panel.open = true;
    this.choice.focus();
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    this.data = draft.data;
  }

  /** @param {LevelView} level */
  showLevel(level) {
    const before = this.level;
    this.level = level;
    if (before && (before.id !== level.id || before.width !== level.width || before.height !== level.height)) this.clear();
    const names = this.names();
    if (this.name && names && !names.includes(this.argument)) this.choose(this.name);
    else this.listArguments();
  }

  hide() {
    this.level = null;
    this.clear();
  }

  /** The chosen overlay comes from the server. @param {import("./messages.js").Events["overlay"]} overlay */
  receive(overlay) {
    const { level } = this;
    if (!level || overlay.name !== this.asked || overlay.level !== level.id) return;
    this.problem = overlay.problem;
    const fits = overlay.problem === null && overlay.values.length === level.width * level.height;
    this.layer.show(fits ? overlay : null, level.width, level.height);
    this.explain();
    if (this.unseen) this.panel.scrollIntoView({ block: "nearest" });
    this.unseen = false;
    this.host.redraw();
  }

  again() {
    if (this.asked) this.host.send({ do: "overlay", name: this.asked });
  }

  /** @param {string} name @param {string} [argument] */
  choose(name, argument) {
    this.name = name;
    this.choice.value = name;
    const names = this.names();
    this.argument = [argument, this.argument, names?.[0]].find((one) => names?.includes(one)) ?? "";
    this.listArguments();
    this.clear();
    const lacking = names && !names.length;
    this.asked = !name || lacking ? "" : this.argument ? `${name}:${this.argument}` : name;
    this.problem = lacking ? "This level has no objects." : null;
    this.host.send({ do: "overlay", name: this.asked || null });
    this.explain();
    this.host.redraw();
  }

  clear() {
    this.layer.show(null, 0, 0);
    this.explain();
  }

  /** Return the arguments that can follow the overlay's name; null without any. */
  names() {
    const { level } = this;
    const kind = this.known.find((one) => one.name === this.name)?.argument;
    if (!kind || !level) return null;
    if (kind === "layer") return ["", ...level.layers.filter((one) => one.aligned).map((one) => one.name)];
    if (kind === "object") return [...new Set(level.objects.map((one) => one.name))];
    /** @type {Record<string, number>} */
    const counts = {};
    const entries = Array.isArray(this.data?.objects) ? this.data.objects : [];
    return entries.map((/** @type {any} */ one) => {
      const name = String(one?.name);
      counts[name] = (counts[name] ?? 0) + 1;
      return counts[name] === 1 ? name : `${name}:${counts[name]}`;
    });
  }

  listArguments() {
    const names = this.names();
    this.argumentRow.hidden = !names;
    if (!names) return;
    const kind = /** @type {Known} */ (this.known.find((one) => one.name === this.name)).argument;
    this.argumentLabel.textContent = WORDS[kind];
    this.arguments.replaceChildren(...names.map((/** @type {string} */ one) => element("option", { value: one }, one || "all")));
    this.arguments.value = this.argument;
  }

  explain() {
    const known = this.known.find((one) => one.name === this.name);
    this.about.textContent = this.problem ?? known?.summary ?? "";
    this.about.classList.toggle("bad", this.problem !== null);
    const { overlay } = this.layer;
    /** @type {Node[]} */
    const lines = [];
    if (overlay?.scale) lines.push(this.ramp(overlay));
    const seen = overlay?.classes.filter((one) => one.count || (overlay.classes.length === 1 && !overlay.scale)) ?? [];
    for (const one of seen) {
      lines.push(element("div", { className: "kind" }, swatch(one.color, one.id),
        element("span", { className: "name" }, one.name), element("span", { className: "count" }, String(one.count))));
    }
    this.legend.replaceChildren(...lines);
  }

  /** @param {Overlay} overlay */
  ramp(overlay) {
    const { low, high, unit } = /** @type {import("./messages.js").OverlayScaleData} */ (overlay.scale);
    const canvas = element("canvas", { width: 256, height: 1, className: "ramp", "aria-hidden": "true" });
    const pixels = new Uint8ClampedArray(overlay.palette.subarray(1024, 2048));
    contextOf(canvas).putImageData(new ImageData(pixels, 256, 1), 0, 0);
    return element("div", { className: "scale" }, canvas,
      element("span", {}, String(low)), element("span", {}, `${high} ${unit}`));
  }

  /** Return the overlay's text for a cell; empty for none. @param {number} x @param {number} y */
  told(x, y) {
    const { overlay } = this.layer;
    if (!overlay || !this.level) return "";
    const value = overlay.values[y * this.level.width + x];
    if (value >= FIRST_NUMBER && overlay.scale) return `${this.name.replaceAll("_", " ")}: ${value - FIRST_NUMBER} ${overlay.scale.unit}`;
    return overlay.classes.find((one) => one.id === value)?.name ?? "";
  }
}

/** A square as the cells of a class are drawn; the page allows no styles in elements. @param {string} color @param {number} id */
function swatch(color, id) {
  const canvas = element("canvas", { width: SWATCH, height: SWATCH, className: "swatch", "aria-hidden": "true" });
  const context = contextOf(canvas);
  context.fillStyle = color;
  context.fillRect(0, 0, SWATCH, SWATCH);
  context.fillStyle = "#000000c0";
  for (let y = 0; y < SWATCH; y++) for (let x = 0; x < SWATCH; x++) if (hasMark(id, (x + 0.5) / SWATCH, (y + 0.5) / SWATCH)) context.fillRect(x, y, 1, 1);
  return canvas;
}
