// @ts-check
/** The name of a layer or object that the spec has: a list of those that fit. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @param {() => string[]} known the names that fit
 * @returns {import("./parameter_row.js").Control}
 */
export function nameControl(field, change, known) {
  const select = element("select", { id: field.id, onchange: () => change(select.value === "" ? undefined : select.value) });
  let drawn = "";
  return {
    nodes: [select],
    show: (value) => {
      const shown = String(value ?? "");
      const names = [...new Set([...known(), ...(shown ? [shown] : [])])];
      const text = JSON.stringify(names);
      if (text !== drawn) {
        drawn = text;
        const none = field.optional || !shown ? [element("option", { value: "" }, field.optional ? "automatic" : "choose")] : [];
        select.replaceChildren(...none, ...names.map((name) => element("option", { value: name }, name)));
      }
      select.value = shown;
    },
  };
}
