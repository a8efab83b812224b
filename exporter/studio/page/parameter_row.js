// @ts-check
/** One parameter: its name, its control, and the button that takes it out of the spec. Its value is updated in place. */

import { choiceControl, lateChoiceControl } from "./control_choice.js";
import { hasLines, linesControl } from "./control_lines.js";
import { nameControl } from "./control_name.js";
import { isNamePair, namePairControl } from "./control_name_pair.js";
import { isNames, namesControl } from "./control_names.js";
import { hasSlider, numberControl } from "./control_number.js";
import { isPair, pairControl } from "./control_pair.js";
import { seedControl } from "./control_seed.js";
import { switchControl } from "./control_switch.js";
import { textControl } from "./control_text.js";
import { valueControl } from "./control_value.js";
import { element } from "./elements.js";
import { describe, explain } from "./row_words.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {(string | number)[]} Path */
/** A control: its elements, and how it shows another value. @typedef {{nodes: Node[], show: (value: unknown) => void}} Control */
/**
 * @typedef {object} RowHost
 * @property {(path: Path) => unknown} valueAt
 * @property {(change: import("./messages.js").Change, merge: string) => Promise<string | undefined>} change
 * @property {(path: Path, why: string) => void} refuse
 * @property {(field: Field, path: Path) => string[]} namesFor
 * @property {number} drags counts drags of sliders: each is one step for undo
 * @property {Map<string, import("./control_value.js").Refusal>} refusals
 */

// Of these keys there is always a value.
const WITHOUT_RESET = new Set(["seed", "size", "name", "generator"]);

export class ParameterRow {
  /**
   * @param {RowHost} host @param {Field} field @param {Path} path
   * @param {{beside?: Node[], late?: (value: unknown) => void}} [more] nodes beside the control; a choice that is made late
   */
  constructor(host, field, path, { beside = [], late } = {}) {
    this.host = host;
    this.path = path;
    this.late = late;
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
      element("label", { for: this.id }, field.name.replaceAll("_", " "), field.unit ? element("small", {}, ` ${field.unit}`) : null), this.place, this.reset);
    this.show();
    explain(this.node, field.about);
  }

  /** Whether the spec sets it, or a problem is shown here: it is then never behind *More*. */
  get stands() {
    return this.node.classList.contains("set") || this.node.classList.contains("wrong");
  }

  /** @param {unknown} wanted undefined for the default @param {boolean} [dragged] */
  async change(wanted, dragged = false) {
    const change = wanted === undefined ? { remove: this.path } : { set: this.path, value: wanted };
    const refused = await this.host.change(change, dragged ? `drag ${this.host.drags} ${this.id}` : "");
    if (refused) this.host.refuse(this.path, refused);
  }

  /** Show the value that the draft has. */
  show() {
    const value = this.host.valueAt(this.path);
    const text = JSON.stringify([value, this.field.names ? this.host.namesFor(this.field, this.path) : null]);
    if (text === this.shown) return;
    this.shown = text;
    const kind = this.late ? "late" : kindOf(this.field, value);
    if (kind !== this.kind) this.begin(kind);
    this.control.show(value);
    this.node.classList.toggle("set", value !== undefined);
    this.reset.hidden = value === undefined || (WITHOUT_RESET.has(this.field.name) && this.path.length < 4);
  }

  /** Put another kind of control into the row. @param {string} kind */
  begin(kind) {
    const { field, host } = this;
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
      seed: () => seedControl(field, change),
      slider: () => numberControl(field, change, true),
      number: () => numberControl(field, change, false),
      choice: () => choiceControl(field, change),
      switch: () => switchControl(field, change),
      name: () => nameControl(field, change, known),
      text: () => textControl(field, change, known),
      value: () => valueControl(field, change, (yaml) => host.change({ set: this.path, yaml }, ""), host.refusals),
    };
    this.kind = kind;
    this.control = kinds[kind]();
    this.node.dataset.kind = kind;
    this.place.replaceChildren(...this.control.nodes, ...this.beside);
    describe(this.node);
  }
}

/** Which control serves for a value. @param {Field} field @param {unknown} value @returns {string} */
function kindOf(field, value) {
  const plain = value === undefined || value === null || typeof value !== "object";
  if (isPair(field, value)) return "pair";
  if (isNamePair(field, value)) return "ends";
  if (isNames(field, value)) return "names";
  if (!plain || field.kind === "pair" || field.kind === "other") return "value";
  if (hasLines(field, value)) return "lines";
  if (field.kind === "integer" || field.kind === "number") return hasSlider(field, value) ? "slider" : "number";
  if (field.kind === "text" && (field.names === "layer" || field.names === "object")) return "name";
  return field.kind;
}
