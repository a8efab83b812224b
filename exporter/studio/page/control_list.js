// @ts-check
/** A list: a row for each entry, to add, sort and remove. */

import { element } from "./elements.js";
import { initialValue, nextValue } from "./initial_value.js";
import { actionButton } from "./inspector_parts.js";
import { focusFirst } from "./row_words.js";

/** @typedef {import("./schema.js").JsonSchema} JsonSchema */
/** @typedef {import("./parameter_row.js").ParameterRow} ParameterRow */

/**
 * @param {ParameterRow} row
 * @param {JsonSchema} part the schema of the list
 * @returns {import("./parameter_row.js").Control}
 */
export function listControl(row, part) {
  const { field, host, path, schema, title } = row;
  // A list of a fixed length has a schema for each of its entries.
  const fixed = Array.isArray(part.items) ? part.items : null;
  const item = /** @type {JsonSchema} */ (part.items ?? {});
  const node = element("div", { className: "entries", role: "group", "aria-label": title });
  /** @type {{node: HTMLElement, row: ParameterRow, up: HTMLButtonElement, down: HTMLButtonElement, remove: HTMLButtonElement}[]} */
  const rows = [];
  /** @type {unknown[]} */
  let listed = [];

  const add = actionButton("plus", "Add", `Add to ${title}`, async () => {
    const whole = fixed ?? !listed.length;
    const value = whole ? initialValue(schema, fixed ? part : item, row.known(item)) : nextValue(listed);
    await host.change(whole ? { set: path, value: fixed ? value : [value] } : { insert: [...path, listed.length], value }, "");
    focusFirst(rows[rows.length - 1]?.row.node);
  }, { "aria-label": `Add to ${title}` });

  /** @param {number} from @param {number} to */
  const move = async (from, to) => {
    await host.change({ move: [...path, from], place: to }, "");
    const { up, down } = rows[to] ?? rows[from];
    const pressed = to < from ? up : down;
    (pressed.disabled ? (pressed === up ? down : up) : pressed).focus();
  };

  /** @param {number} at */
  const remove = (at) => {
    const isLast = listed.length === 1 && !field.isNeeded;
    void (isLast ? row.change(undefined) : host.change({ remove: [...path, at] }, ""));
  };

  /** @param {number} at */
  const entry = (at) => {
    const name = `${title} ${at + 1}`;
    const up = actionButton("up", "", `Move ${name} up`, () => move(at, at - 1), { "aria-label": `Move ${name} up` });
    const down = actionButton("down", "", `Move ${name} down`, () => move(at, at + 1), { "aria-label": `Move ${name} down` });
    const away = actionButton("close", "", `Remove ${name}`, () => remove(at), { "aria-label": `Remove ${name}` });
    const own = { ...schema.field(name, fixed?.[at] ?? item), isNeeded: true };
    const label = element("label", { for: `parameter-${[...path, at].join("-")}`, "aria-label": name }, String(at + 1));
    const one = row.child(own, [...path, at], { label, actions: fixed ? [] : [up, down, away] });
    return { node: one.node, row: one, up, down, remove: away };
  };

  return {
    nodes: [node, add],
    show: (value) => {
      listed = /** @type {unknown[]} */ (value ?? []);
      const count = fixed && listed.length ? fixed.length : listed.length;
      row.node.classList.toggle("bare", !count);
      while (rows.length > count) rows.pop()?.node.remove();
      while (rows.length < count) {
        rows.push(entry(rows.length));
        node.append(rows[rows.length - 1].node);
      }
      rows.forEach((one, at) => {
        one.up.disabled = at === 0;
        one.down.disabled = at === count - 1;
        one.remove.disabled = count <= (part.minItems ?? 0) && field.isNeeded === true;
        one.row.show();
      });
      add.hidden = count >= (fixed?.length ?? part.maxItems ?? Infinity);
    },
  };
}
