// @ts-check
/** Text; with the names that would fit to choose from. */

import { element } from "./elements.js";
import { showText } from "./uncommitted.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @param {() => string[]} known names that would fit
 * @returns {import("./parameter_row.js").Control}
 */
export function textControl(field, change, known) {
  const list = element("datalist", { id: `${field.id}-known` });
  const input = element("input", {
    type: "text", id: field.id, list: field.names ? list.id : null, placeholder: field.optional ? "automatic" : "",
    onfocus: () => list.replaceChildren(...known().map((name) => element("option", { value: name }))),
    onchange: () => change(input.value === "" && field.optional ? undefined : input.value),
  });
  return { nodes: field.names ? [input, list] : [input], show: (value) => showText(input, String(value ?? field.fallback ?? "")) };
}
