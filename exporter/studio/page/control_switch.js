// @ts-check
/** Yes or no. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function switchControl(field, change) {
  const box = element("input", { type: "checkbox", id: field.id, onchange: () => change(box.checked) });
  return { nodes: [box], show: (value) => { box.checked = Boolean(value ?? field.fallback); } };
}
