// @ts-check
/** The panel of parameters: a control for everything that can be written, grouped by layer. */

import { choiceControl } from "./control_choice.js";
import { hasLines, linesControl } from "./control_lines.js";
import { isPair, pairControl } from "./control_pair.js";
import { numberControl } from "./control_number.js";
import { seedControl } from "./control_seed.js";
import { switchControl } from "./control_switch.js";
import { textControl } from "./control_text.js";
import { valueControl } from "./control_value.js";
import { element, section } from "./elements.js";
import { Folding } from "./folding.js";
import { addVisibilityForm, generatorRow, otherFields, removeVisibilityForm } from "./other_parameters.js";
import { ParameterFinder } from "./parameter_finder.js";
import { RowProblems } from "./row_problems.js";
import { explain, RowSentences } from "./row_words.js";
import { Schema } from "./schema.js";
import { addLayerForm, addObjectForm, layerButtons, objectButtons } from "./structure.js";
import { keepTyping, noteCommitted } from "./uncommitted.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {(string | number)[]} Path */
/** @typedef {{change: (changes: import("./messages.js").Change[], merge: string) => Promise<string | undefined>, send: (message: import("./messages.js").Request) => void, names: {layers: string[], objects: string[]}, belowSeed: Node}} Host */

// DisplayedState after the generator's parameters: COMMON for every layer, SHARED for layers with cells.
const COMMON = new Set(["size", "role", "recipe", "require", "y_sort", "z_index", "godot"]);
const SHARED = new Set(["connect", "fixed", "only_in", "never_in"]);
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
    /** The drawn sections, each with its source. @type {Map<string, {from: string, node: HTMLElement}>} */
    this.drawn = new Map();
    this.folding = new Folding();
    /** Texts of controls that were refused. @type {Map<string, import("./control_value.js").Refusal>} */
    this.refusals = new Map();
    this.level = "";
    this.finder = new ParameterFinder(panel);
    this.problems = new RowProblems(panel);
    new RowSentences(panel);
    /** Of the draft that is shown. */
    this.revision = 0;
    /** The slider in the hand: it is not drawn again before it is let go. @type {EventTarget | null} */
    this.dragging = null;
    panel.addEventListener("pointerdown", () => drags++);
    for (const name of ["pointerdown", "keydown"]) panel.addEventListener(name, ({ target }) => { this.dragging = isSlider(target) ? target : null; });
    for (const name of ["pointerup", "pointercancel", "keyup"]) window.addEventListener(name, () => this.letGo());
    // The field with the focus before loses it after the slider was taken.
    window.addEventListener("focusout", ({ target }) => target === this.dragging && this.letGo());
    noteCommitted(panel);
  }

  letGo() {
    if (!this.dragging) return;
    this.dragging = null;
    // Not at once: a slider that is drawn again would never tell that it was let go.
    setTimeout(() => this.draw());
  }

  /** @param {Schema} schema */
  know(schema) {
    this.schema = schema;
    this.shape = "";
    this.drawn.clear();
    this.draw();
  }

  /** Handlers of the server's events about parameters. @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      schema: (event) => this.know(new Schema(event.schema)),
      // An error in an earlier draft may be fixed in this one.
      problems: (event) => { if (event.revision >= this.revision) this.problems.show(event.problems); },
    };
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    const data = /** @type {any} */ (draft.data);
    if (draft.level !== this.level) {
      this.shape = "";
      this.folding.forget();
      this.refusals.clear();
      this.problems.begin(draft.file);
    }
    this.level = draft.level;
    this.revision = draft.revision;
    this.problems.refused.clear();
    const objects = Array.isArray(data?.objects) ? data.objects : [];
    this.host.names = {
      layers: Object.keys(data?.layers ?? {}),
      objects: [...new Set(objects.map((/** @type {any} */ one) => one?.name))],
    };
    this.data = data;
    this.draw();
  }

  draw() {
    if (!this.schema) return;
    const isReadable = this.data !== null && typeof this.data === "object";
    // While the text is broken the controls stay as they were, and cannot be used.
    this.panel.inert = !isReadable && this.shape !== "";
    if (this.panel.inert) return;
    if (!isReadable) return this.drawNothing();
    if (this.dragging) return;
    const text = JSON.stringify(this.data);
    if (text === this.shape) return this.problems.mark();
    this.shape = text;
    keepTyping(() => this.redraw());
  }

  redraw() {
    const wanted = this.sections();
    const present = [...this.panel.children];
    if (wanted.length === present.length) {
      // Nothing here asks where anything lies: the browser would lay out the page for an answer.
      present.forEach((one, place) => one !== wanted[place] && one.replaceWith(wanted[place]));
    } else {
      const top = this.panel.scrollTop;
      this.panel.replaceChildren(...wanted);
      this.panel.scrollTop = top;
    }
    this.problems.mark();
    this.finder.apply();
  }

  /** Say that the parameters of the text cannot be read. */
  drawNothing() {
    this.shape = "";
    this.drawn.clear();
    this.panel.replaceChildren(element("p", { className: "about nothing" },
      "The text of this level cannot be read, so it has no parameters to show. Fix the text (Y)."));
  }

  sections() {
    const { data } = this;
    const schema = /** @type {Schema} */ (this.schema);
    const names = this.host.names;
    const found = [this.finder.node, this.kept("level", [data.seed, data.size, data.level, data.rng], () => section("Level", [
      this.row({ ...schema.field("seed", schema.part("seed")), kind: "seed" }, ["seed"],
        data.seed && typeof data.seed === "object" ? [] : [this.dice()]),
      this.host.belowSeed,
      ...["size", "level", "rng"].map((name) => this.row(schema.field(name, schema.part(name)), [name])),
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
        () => section("Visibility", [
          ...schema.visibilityFields().map((field) => this.row(field, ["visibility", field.name])), removeVisibilityForm(this.host),
        ], false)));
    }
    const objects = Array.isArray(data.objects) ? data.objects : [];
    const others = otherFields(schema, data);
    found.push(this.kept("other", others.map(({ name }) => [name, data[name]]),
      () => section("Other", others.map((field) => this.row(field, [field.name])), false)));
    const bare = data.visibility === undefined || data.visibility === null;
    found.push(this.kept("add", [Object.keys(data.layers ?? {}), objects, bare], () => section("Add", [
      addLayerForm(this.host, schema, Object.keys(data.layers ?? {})), addObjectForm(this.host, objects),
      ...bare ? [addVisibilityForm(this.host, schema)] : [],
    ])));
    return found;
  }

  /**
   * A section as it is drawn already, if it would be the same.
   * @param {string} key @param {any} from its source
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
    /** @param {(name: string) => boolean} wanted */
    const rows = (wanted) => fields.filter(({ name }) => wanted(name)).map((field) => this.row(field, [...path, field.name]));
    return section(`${name}`, [
      generatorRow(this.host, schema, name, layer, Object.keys(this.data.layers)),
      element("p", { className: "about" }, schema.aboutGenerator(layer.generator)),
      ...rows((one) => !COMMON.has(one) && !SHARED.has(one)),
      ...rows((one) => SHARED.has(one)),
      this.folding.part(`layer ${name}`, "Layer options", rows((one) => COMMON.has(one))),
      layerButtons(this.host, name, Object.keys(this.data.layers)),
    ]);
  }

  /** @param {any} one @param {number} index */
  object(one, index) {
    const schema = /** @type {Schema} */ (this.schema);
    const fields = schema.objectFields();
    const key = `object ${index} ${one.name}`;
    const above = this.folding.standing(key, fields.map(({ name }) => name).filter((name) => name in one || name === "count"));
    const others = fields.filter((field) => !above.has(field.name));
    /** @type {(field: Field) => Node} */
    const row = (field) => this.row(field, ["objects", index, field.name]);
    return section(`Object ${one.name}`, [
      ...fields.filter((field) => above.has(field.name)).map(row),
      this.folding.part(key, "More", schema.objectGroups().flatMap(([title, names]) => {
        const rows = others.filter(({ name }) => names.includes(name)).map(row);
        return rows.length ? [element("h3", { className: "about" }, title), ...rows] : [];
      })),
      objectButtons(this.host, one.name, index, this.data.objects.length),
    ], false);
  }

  dice() {
    const roll = () => {
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
      this.host.change([{ set: ["seed"], value: seed }], "");
    };
    return element("button", { className: "quiet", title: "Another seed (N)", "aria-label": "Another seed", id: "another-seed", onclick: roll }, "⚄");
  }

  /** @param {Field} field @param {Path} path @param {Node[]} [beside] */
  row(field, path, beside = []) {
    const value = this.valueAt(path);
    const id = `parameter-${path.join("-")}`;
    const known = { ...field, id };
    /** @type {(value: unknown, dragged?: boolean) => Promise<void>} */
    const change = async (wanted, dragged = false) => {
      const one = wanted === undefined ? { remove: path } : { set: path, value: wanted };
      const refused = await this.host.change([one], dragged ? `drag ${drags} ${id}` : "");
      if (refused) this.problems.refuse(path, refused);
    };
    /** @param {string} yaml */
    const write = (yaml) => this.host.change([{ set: path, yaml }], "");
    const reset = value !== undefined && (path.length > 1 || !["seed", "size"].includes(field.name)) && field.name !== "name"
      ? element("button", {
          className: "reset", title: `Default: ${JSON.stringify(field.fallback)}`, "aria-label": `Reset ${field.name}`,
          onclick: () => change(undefined),
        }, "↺")
      : null;
    const row = element("div", { className: value === undefined ? "row" : "row set", "data-path": JSON.stringify(path), title: field.about },
      element("label", { for: id }, field.name.replaceAll("_", " "), field.unit ? element("small", {}, ` ${field.unit}`) : null),
      element("span", { className: "control" }, ...this.control(known, value, change, write), ...beside, reset));
    explain(row, field.about);
    return row;
  }

  /**
   * @param {Field} field @param {unknown} value @param {(value: unknown, dragged?: boolean) => any} change
   * @param {(yaml: string) => Promise<string | undefined>} write
   */
  control(field, value, change, write) {
    const plain = value === undefined || value === null || typeof value !== "object";
    if (isPair(field, value)) return pairControl(field, value, change);
    if (!plain || field.kind === "pair" || field.kind === "other") return valueControl(field, value, change, write, this.refusals);
    if (hasLines(field, value)) return linesControl(field, value, change);
    if (field.kind === "seed") return seedControl(field, value, change);
    if (field.kind === "integer" || field.kind === "number") return numberControl(field, value, change);
    if (field.kind === "choice") return choiceControl(field, value, change);
    if (field.kind === "switch") return switchControl(field, value, change);
    const known = field.name.match(/from|near/) && !field.name.includes("layer") ? this.host.names.objects : this.host.names.layers;
    return textControl(field, value, change, field.kind === "name" && field.name !== "level" ? known : []);
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

/** @param {EventTarget | null} place */
function isSlider(place) {
  return place instanceof HTMLInputElement && place.type === "range";
}
