// @ts-check
/** A mapping: a row for each parameter that its schema has, and rows with keys of one's own to add, rename and remove. */

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { initialValue } from "./initial_value.js";
import { actionButton } from "./inspector_parts.js";
import { ParameterGroup } from "./parameter_group.js";
import { focusFirst } from "./row_words.js";
import { formsOf, otherEntry } from "./schema_at.js";
import { showText } from "./uncommitted.js";

/** @typedef {import("./schema.js").JsonSchema} JsonSchema */
/** @typedef {import("./parameter_row.js").ParameterRow} ParameterRow */

// So many parameters need no fold.
const FEW = 5;

/**
 * @param {ParameterRow} row
 * @param {JsonSchema} part the schema of the mapping
 * @returns {import("./parameter_row.js").Control}
 */
export function mappingControl(row, part) {
  const { field, host, path, schema, title } = row;
  const node = element("div", { className: "entries", role: "group", "aria-label": title });
  const own = element("div", {});
  /** @type {ParameterGroup | null} */ let group = null;
  /** The rows with keys of one's own. @type {Map<string, {row: ParameterRow, key: HTMLInputElement}>} */
  const others = new Map();
  /** @type {Record<string, unknown>} */
  let values = {};
  let [drawn, isOpen] = ["", false];

  /** @param {string} key */
  const remove = (key) => {
    const isLast = Object.keys(values).length === 1 && !field.isNeeded;
    return isLast ? row.remove() : host.change({ remove: [...path, key] }, "");
  };

  const begin = actionButton("plus", "Add", `Add ${title}`, async () => {
    isOpen = true;
    if (part.required?.length) await row.change(initialValue(schema, part, row.known(part)));
    else control.show(undefined);
    focusFirst(group?.rows[0]?.node);
  }, { "aria-label": `Add ${title}` });

  const list = element("datalist", { id: `${row.id}-keys` });
  const added = element("input", {
    type: "text", id: `${row.id}-new`, placeholder: "new key", "aria-label": `New key of ${title}`, list: list.id, spellcheck: "false", autocomplete: "off",
    onfocus: () => list.replaceChildren(...row.known(part.propertyNames ?? {}).filter((name) => !(name in values)).map((value) => element("option", { value }))),
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") void add(); },
  });
  const plus = element("button", { className: "quiet", title: "Add it", "aria-label": `Add a key to ${title}`, onclick: () => add() }, icon("plus"));
  const fresh = element("div", { className: "new-entry" }, added, list, plus);
  const add = async () => {
    const key = added.value.trim();
    const one = otherEntry(part, key);
    if (!key || key in values || !one) return added.focus();
    added.value = "";
    const value = initialValue(schema, one, row.known(one));
    await host.change(row.value === undefined ? { set: path, value: { [key]: value } } : { set: [...path, key], value }, "");
    focusFirst(others.get(key)?.row.place);
  };

  /** @param {string} key @param {JsonSchema} one */
  const other = (key, one) => {
    const input = element("input", {
      type: "text", className: "key", "aria-label": `Key ${key} of ${title}`, spellcheck: "false",
      onchange: () => { if (input.value && input.value !== key && !(input.value in values)) void host.change({ rename: [...path, key], key: input.value }, ""); },
    });
    const away = actionButton("close", "", `Remove ${key}`, () => remove(key), { "aria-label": `Remove ${title} ${key}` });
    return { row: row.child({ ...schema.field(key, one), isNeeded: true }, [...path, key], { label: input, actions: [away], remove: () => remove(key) }), key: input };
  };

  /** @param {[string, JsonSchema][]} known */
  const draw = (known) => {
    const required = new Set(part.required ?? []);
    const rows = known.map(([name, one]) => row.child({ ...schema.field(name, one), isNeeded: required.has(name) }, [...path, name], { remove: () => remove(name) }));
    group = rows.length ? new ParameterGroup(rows, (one) => rows.length <= FEW || required.has(one.field.name), row.id) : null;
    own.replaceChildren(...group ? [group.node] : []);
  };

  const control = {
    nodes: [node],
    show: (/** @type {unknown} */ value) => {
      values = /** @type {Record<string, unknown>} */ (value ?? {});
      const known = new Map(formsOf(schema, part, value).flatMap((one) => Object.entries(one.properties ?? {})));
      const isBare = known.size > 0 && !isOpen && value === undefined;
      const names = JSON.stringify([isBare, ...known.keys()]);
      row.node.classList.toggle("bare", isBare);
      if (names !== drawn) {
        drawn = names;
        if (isBare) node.replaceChildren(begin);
        else {
          draw([...known]);
          node.replaceChildren(own, ...[...others.values()].map((one) => one.row.node), ...otherEntry(part) ? [fresh] : []);
        }
      }
      if (isBare) return;
      group?.show();
      for (const [key, one] of others) {
        if (key in values && !known.has(key)) continue;
        one.row.node.remove();
        others.delete(key);
      }
      for (const key of Object.keys(values)) {
        const one = known.has(key) ? null : otherEntry(part, key) ?? {};
        if (!one) continue;
        const there = others.get(key) ?? other(key, one);
        if (!others.has(key)) {
          others.set(key, there);
          node.insertBefore(there.row.node, fresh.parentNode === node ? fresh : null);
        }
        showText(there.key, key);
        there.row.show();
      }
    },
  };
  return control;
}
