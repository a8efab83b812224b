// @ts-check
/** Yes or no. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
export function switchControl(field, value, change) {
  const box = element("input", {
    type: "checkbox",
    id: field.id,
    checked: Boolean(value ?? field.fallback),
    onchange: () => change(box.checked),
  });
  return [box];
}
