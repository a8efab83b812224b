// @ts-check
/** One parameter: its name, its control, and the button that takes it out of the spec. Its value is updated in place. */

import { choiceControl, lateChoiceControl } from "./control_choice.js";
import { colorControl, isColor } from "./control_color.js";
import { formsControl } from "./control_forms.js";
import { hasLines, linesControl } from "./control_lines.js";
import { listControl } from "./control_list.js";
import { mappingControl } from "./control_mapping.js";
import { nameControl } from "./control_name.js";
import { isNamePair, namePairControl } from "./control_name_pair.js";
import { isNames, namesControl } from "./control_names.js";
import { hasSlider, numberControl } from "./control_number.js";
import { isPair, pairControl } from "./control_pair.js";
import { scalarControl } from "./control_scalar.js";
import { switchControl } from "./control_switch.js";
import { textControl } from "./control_text.js";
import { valueControl } from "./control_value.js";
import { element } from "./elements.js";
import { describe, explain } from "./row_words.js";
import { fits } from "./schema_at.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {(string | number)[]} Path */
/** A control: its elements, and how it shows another value. @typedef {{nodes: Node[], show: (value: unknown) => void}} Control */
/**
 * @typedef {object} RowHost
 * @property {import("./schema.js").Schema | null} schema there is one before there are rows
 * @property {string} known the names of the level, to see whether they have changed
 * @property {(path: Path) => unknown} valueAt
 * @property {(change: import("./messages.js").Change, merge: string) => Promise<string | undefined>} change
 * @property {(path: Path, why: string) => void} refuse
 * @property {(field: Field, path: Path) => string[]} namesFor
 * @property {number} drags counts drags of sliders: each is one step for undo
 * @property {Map<string, import("./control_value.js").Refusal>} refusals
 */

/**
 * What a row has beside its control.
 * @typedef {object} More
 * @property {Node[]} [beside] nodes beside the control
 * @property {(value: unknown) => void} [late] makes a choice that is taken late
 * @property {Node} [label] in place of the name
 * @property {Node[]} [actions] in place of the button that takes the value out
 * @property {() => Promise<string | undefined>} [remove] takes the value out
 */

// Rows in these change with the names of the level, although their own value is the same.
const STRUCTURES = new Set(["list", "tuple", "mapping", "forms"]);
// Longer lists and mappings are for the text.
const MOST = 200;
// Of these keys there is always a value.
const WITHOUT_RESET = new Set(["seed", "size", "name", "generator"]);

export class ParameterRow {
  /**
   * @param {RowHost} host @param {Field} field @param {Path} path @param {More} [more]
   */
  constructor(host, field, path, { beside = [], late, label, actions, remove } = {}) {
    this.host = host;
    this.path = path;
    this.late = late;
    this.remove = remove ?? (() => host.change({ remove: path }, ""));
    this.id = `parameter-${path.join("-")}`;
    this.field = { ...field, id: this.id };
    /** What is shown, as text. @type {string | null} */
    this.shown = null;
    this.kind = "";
    /** @type {Control} */ this.control = { nodes: [], show: () => {} };
    this.place = element("span", { className: "control" });
    this.reset = element("button", {
      className: "reset", title: `Default: ${JSON.stringify(field.fallback)}`, "aria-label": `Reset ${field.name}`, hidden: true,
      onclick: () => this.change(undefined),
    }, "↺");
    this.beside = beside;
    this.node = element("div", { className: "row", "data-parameter": JSON.stringify(path), title: field.about },
      label ?? element("label", { for: this.id }, field.name.replaceAll("_", " "), field.unit && !field.name.endsWith(field.unit) ? element("small", {}, ` ${field.unit}`) : null), this.place,
      actions ? element("span", { className: "row-actions" }, ...actions) : this.reset);
    this.show();
    explain(this.node, field.about);
  }

  /** Whether the spec sets it, or a problem is shown here: it is then never behind *More*. */
  get stands() {
    return this.node.classList.contains("set") || this.node.classList.contains("wrong");
  }

  /** @param {unknown} wanted undefined for the default @param {boolean} [dragged] */
  async change(wanted, dragged = false) {
    const refused = wanted === undefined ? await this.remove()
      : await this.host.change({ set: this.path, value: wanted }, dragged ? `drag ${this.host.drags} ${this.id}` : "");
    if (refused) this.host.refuse(this.path, refused);
  }

  /** Show the value that the draft has. */
  show() {
    const { value } = this;
    const text = JSON.stringify([value, STRUCTURES.has(this.kind) ? this.host.known : this.field.names ? this.host.namesFor(this.field, this.path) : null]);
    if (text === this.shown) return;
    this.shown = text;
    const kind = this.late ? "late" : this.kindOf(this.field, value);
    if (kind !== this.kind) this.begin(kind);
    this.control.show(value);
    if (STRUCTURES.has(kind)) describe(this.node);
    this.node.classList.toggle("set", value !== undefined);
    this.reset.hidden = value === undefined || Boolean(this.field.isNeeded) || (WITHOUT_RESET.has(this.field.name) && this.path.length < 4);
  }

  get schema() {
    return /** @type {import("./schema.js").Schema} */ (this.host.schema);
  }

  /** Its name in words, with those of what it is in. */
  get title() {
    const { path } = this;
    const own = path[0] === "layers" || path[0] === "objects" || path[0] === "tables" ? path.slice(2) : path;
    return own.map((one) => (typeof one === "number" ? one + 1 : one.replaceAll("_", " "))).join(" ");
  }

  get value() {
    return this.host.valueAt(this.path);
  }

  /** A row of an entry in the value of this one. @param {Field} field @param {Path} path @param {More} more */
  child(field, path, more) {
    return new ParameterRow(this.host, field, path, more);
  }

  /** The names that an entry of a schema may have. @param {import("./schema.js").JsonSchema} one @returns {string[]} */
  known(one) {
    const field = this.schema.field(this.field.name, one);
    return field.names ? this.host.namesFor(field, this.path) : [];
  }

  /** Put another kind of control into the row. @param {string} kind */
  begin(kind) {
    this.kind = kind;
    this.control = this.make(kind, this.field);
    this.node.dataset.kind = kind;
    this.place.replaceChildren(...this.control.nodes, ...this.beside);
    describe(this.node);
  }

  /** @param {string} kind @param {Field} field that of the row, or of one of its forms @returns {Control} */
  make(kind, field) {
    const { host } = this;
    const part = this.schema.partsOf(field.schema)[0] ?? {};
    /** @type {(value: unknown, dragged?: boolean) => void} */
    const change = (value, dragged) => void this.change(value, dragged);
    const known = () => host.namesFor(field, this.path);
    /** @type {Record<string, () => Control>} */
    const kinds = {
      late: () => lateChoiceControl(field, /** @type {(value: unknown) => void} */ (this.late)),
      pair: () => pairControl(field, change),
      ends: () => namePairControl(field, change, known),
      names: () => namesControl(field, change, known),
      lines: () => linesControl(field, change),
      seed: () => scalarControl(field, change, ["integer", "string"]),
      scalar: () => scalarControl(field, change, this.schema.partsOf(field.schema).map((one) => one.type ?? "")),
      slider: () => numberControl(field, change, true),
      number: () => numberControl(field, change, false),
      choice: () => choiceControl(field, change),
      switch: () => switchControl(field, change),
      name: () => nameControl(field, change, known),
      text: () => textControl(field, change, known),
      color: () => colorControl(field, change),
      list: () => listControl(this, part),
      tuple: () => listControl(this, part),
      mapping: () => mappingControl(this, part),
      forms: () => formsControl(this, (own, value) => {
        const wide = this.kindOf(own, value);
        const inner = wide === "slider" ? "number" : wide;
        return { ...this.make(inner, own), kind: inner };
      }),
      value: () => valueControl(field, change, (yaml) => host.change({ set: this.path, yaml }, ""), host.refusals),
    };
    return kinds[kind]();
  }

  /** Which control serves for a value. @param {Field} field @param {unknown} value @returns {string} */
  kindOf(field, value) {
    const { schema } = this;
    const nested = value !== undefined && value !== null && typeof value === "object";
    if (isPair(field, value)) return "pair";
    if (isNamePair(field, value)) return "ends";
    if (isNames(field, value)) return "names";
    if (field.kind === "seed" && !nested) return "seed";
    if (hasLines(field, value)) return "lines";
    const parts = schema.partsOf(field.schema);
    const isStructured = parts.some(isStructure);
    if (nested && !(isStructured && parts.some((part) => fits(schema, part, value)) && sizeOf(value) <= MOST)) return "value";
    if (!isStructured) {
      if (parts.length === 1 && isColor(parts[0])) return "color";
      if (field.kind === "integer" || field.kind === "number") return typeof this.path[this.path.length - 1] === "string" && hasSlider(field, value) ? "slider" : "number";
      if (field.kind === "text" && (field.names === "layer" || field.names === "object")) return "name";
      return field.kind === "other" ? "scalar" : field.kind;
    }
    if (value !== undefined && value !== null && !parts.some((part) => fits(schema, part, value))) return "value";
    if (parts.length > 1) return "forms";
    if (parts[0].type !== "array") return "mapping";
    return Array.isArray(parts[0].items) && !parts[0].items.some(isStructure) ? "tuple" : "list";
  }
}

/** @param {import("./schema.js").JsonSchema} part */
function isStructure(part) {
  return part.type === "array" || part.type === "object" || Boolean(part.properties);
}

/** How many entries a list or mapping has. @param {unknown} value */
const sizeOf = (value) => Object.keys(/** @type {object} */ (value)).length;
