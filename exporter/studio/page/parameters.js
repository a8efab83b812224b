// @ts-check
/** The panel of parameters: a control for everything that can be written, grouped by layer. */

import { choiceControl } from "./control_choice.js";
import { numberControl } from "./control_number.js";
import { switchControl } from "./control_switch.js";
import { textControl } from "./control_text.js";
import { valueControl } from "./control_value.js";
import { element, section } from "./elements.js";
import { addLayerForm, addObjectForm, layerButtons, objectButtons } from "./structure.js";

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("./schema.js").Field} Field */
/** @typedef {(string | number)[]} Path */
/** @typedef {{change: (changes: object[], merge: string) => void, send: (message: object) => void, names: {layers: string[], objects: string[]}, belowSeed: Node}} Host */

const COMMON = new Set(["size", "role", "recipe", "require"]);
let drags = 0;

export class Parameters {
  /** @param {HTMLElement} panel @param {Host} host */
  constructor(panel, host) {
    this.panel = panel;
    this.host = host;
    /** @type {Schema | null} */
    this.schema = null;
    /** @type {any} */
    this.data = null;
    this.shape = "";
    /** The sections that are drawn, each with what it was drawn from. @type {Map<string, {from: string, node: HTMLElement}>} */
    this.drawn = new Map();
    panel.addEventListener("pointerdown", () => drags++);
  }

  /** @param {Schema} schema */
  know(schema) {
    this.schema = schema;
    this.shape = "";
    this.drawn.clear();
    this.draw();
  }

  /** @param {any} data the draft as plain data */
  show(data) {
    this.data = data;
    this.draw();
  }

  draw() {
    if (!this.schema || this.data === null || typeof this.data !== "object") return;
    const text = JSON.stringify(this.data);
    if (text === this.shape) return;
    this.shape = text;
    const focus = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
    const dragged = document.activeElement?.getAttribute("type") === "range";
    if (dragged && this.panel.contains(document.activeElement)) {
      this.shape = "";  // drawn once the hand is off
      return;
    }
    const top = this.panel.scrollTop;
    const wanted = this.sections();
    const present = [...this.panel.children];
    if (wanted.length === present.length) present.forEach((one, place) => one !== wanted[place] && one.replaceWith(wanted[place]));
    else this.panel.replaceChildren(...wanted);
    this.panel.scrollTop = top;
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  }

  sections() {
    const { data } = this;
    const schema = /** @type {Schema} */ (this.schema);
    const names = this.host.names;
    const found = [this.kept("level", [data.seed, data.size], () => section("Level", [
      this.row(schema.field("seed", { ...schema.schema.properties.seed, anyOf: undefined, type: "integer" }), ["seed"],
        data.seed && typeof data.seed === "object" ? [] : [this.dice()]),
      this.host.belowSeed,
      this.row(schema.field("size", schema.schema.properties.size), ["size"]),
    ]))];
    for (const [name, layer] of Object.entries(data.layers ?? {})) {
      if (layer && typeof layer === "object" && !Array.isArray(layer)) {
        found.push(this.kept(`layer ${name}`, [layer, names], () => this.layer(name, layer)));
      }
    }
    (Array.isArray(data.objects) ? data.objects : []).forEach((/** @type {any} */ one, /** @type {number} */ index) => {
      if (one && typeof one === "object") {
        found.push(this.kept(`object ${index}`, [one, names, data.objects.length], () => this.object(one, index)));
      }
    });
    if (data.visibility && typeof data.visibility === "object") {
      found.push(this.kept("visibility", [data.visibility, names],
        () => section("Visibility", schema.visibilityFields().map((field) => this.row(field, ["visibility", field.name])), false)));
    }
    const objects = Array.isArray(data.objects) ? data.objects : [];
    found.push(this.kept("add", [Object.keys(data.layers ?? {}), objects], () => section("Add", [
      addLayerForm(this.host, schema, Object.keys(data.layers ?? {})), addObjectForm(this.host, objects),
    ])));
    return found;
  }

  /**
   * A section as it is drawn already, if it would be the same.
   * @param {string} key @param {any} from what it is drawn from
   * @param {() => HTMLElement} make
   */
  kept(key, from, make) {
    const text = JSON.stringify(from);
    const before = this.drawn.get(key);
    if (before && before.from === text) return before.node;
    const node = make();
    this.drawn.set(key, { from: text, node });
    return node;
  }

  /** The names of all numbers of layers: `ground.wall_percent`. */
  numbers() {
    const { schema } = this;
    if (!schema) return [];
    return Object.entries(this.data?.layers ?? {}).flatMap(([name, layer]) => schema.layerFields(layer?.generator)
      .filter((field) => (field.kind === "integer" || field.kind === "number") && !COMMON.has(field.name))
      .map((field) => `${name}.${field.name}`));
  }

  /** @param {string} name @param {any} layer */
  layer(name, layer) {
    const schema = /** @type {Schema} */ (this.schema);
    const fields = schema.layerFields(layer.generator);
    /** @type {Path} */
    const path = ["layers", name];
    const own = fields.filter((field) => !COMMON.has(field.name)).map((field) => this.row(field, [...path, field.name]));
    const common = fields.filter((field) => COMMON.has(field.name)).map((field) => this.row(field, [...path, field.name]));
    return section(`${name}`, [
      element("p", { className: "about" }, `${layer.generator}: ${schema.aboutGenerator(layer.generator)}`),
      ...own,
      element("details", { className: "more" }, element("summary", {}, "Layer options"), ...common),
      layerButtons(this.host, name, Object.keys(this.data.layers)),
    ]);
  }

  /** @param {any} one @param {number} index */
  object(one, index) {
    const schema = /** @type {Schema} */ (this.schema);
    const fields = schema.objectFields();
    const written = fields.filter((field) => field.name in one || field.name === "count");
    const others = fields.filter((field) => !written.includes(field));
    /** @type {(field: Field) => Node} */
    const row = (field) => this.row(field, ["objects", index, field.name]);
    return section(`Object ${one.name}`, [
      ...written.map(row),
      element("details", { className: "more" }, element("summary", {}, "More"), ...others.map(row)),
      objectButtons(this.host, one.name, index, this.data.objects.length),
    ], false);
  }

  dice() {
    const roll = () => {
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
      this.host.change([{ set: ["seed"], value: seed }], "");
    };
    return element("button", { className: "quiet", title: "Another seed (N)", id: "another-seed", onclick: roll }, "New");
  }

  /** @param {Field} field @param {Path} path @param {Node[]} [beside] */
  row(field, path, beside = []) {
    const value = this.valueAt(path);
    const id = `parameter-${path.join("-")}`;
    const known = { ...field, id };
    /** @type {(value: any, dragged?: boolean) => void} */
    const change = (wanted, dragged = false) => {
      const one = wanted === undefined ? { remove: path } : { set: path, value: wanted };
      this.host.change([one], dragged ? `drag ${drags} ${id}` : "");
    };
    const reset = value !== undefined && path.length > 1 && field.name !== "name"
      ? element("button", {
          className: "reset", title: `Default: ${JSON.stringify(field.fallback)}`, "aria-label": `Reset ${field.name}`,
          onclick: () => change(undefined),
        }, "↺")
      : null;
    return element("div", { className: "row", title: field.about },
      element("label", { for: id }, field.name.replaceAll("_", " "), field.unit ? element("small", {}, ` ${field.unit}`) : null),
      element("span", { className: "control" }, ...this.control(known, value, change), ...beside, reset));
  }

  /** @param {Field} field @param {any} value @param {(value: any, dragged?: boolean) => void} change */
  control(field, value, change) {
    const plain = value === undefined || value === null || typeof value !== "object";
    if (!plain || field.kind === "pair" || field.kind === "other") {
      return valueControl(field, value, change);
    }
    if (field.kind === "integer" || field.kind === "number") return numberControl(field, value, change);
    if (field.kind === "choice") return choiceControl(field, value, change);
    if (field.kind === "switch") return switchControl(field, value, change);
    const known = field.name.match(/from|near/) && !field.name.includes("layer") ? this.host.names.objects : this.host.names.layers;
    return textControl(field, value, change, field.kind === "name" ? known : []);
  }

  /** @param {Path} path */
  valueAt(path) {
    let value = this.data;
    for (const step of path) {
      if (value === null || typeof value !== "object") return undefined;
      value = value[step];
    }
    return value;
  }
}
