// @ts-check
/** Text and names; with the names that would fit to choose from. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 * @param {string[]} [known]
 */
export function textControl(field, value, change, known = []) {
  const list = element("datalist", { id: `${field.id}-known` },
    ...known.map((name) => element("option", { value: name })));
  const input = element("input", {
    type: "text",
    id: field.id,
    value: value ?? field.fallback ?? "",
    list: `${field.id}-known`,
    placeholder: field.optional ? "automatic" : "",
    onchange: () => change(input.value === "" && field.optional ? undefined : input.value),
  });
  return [input, list];
}
