// @ts-check
/** Two whole numbers, such as the width and height of a level. */

import { element } from "./elements.js";
import { showText } from "./uncommitted.js";

const SIDES = ["width", "height"];

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function pairControl(field, change) {
  const title = field.name.replaceAll("_", " ");
  const inputs = [0, 1].map((place) => element("input", {
    type: "number", step: 1, id: place ? `${field.id}-second` : field.id, placeholder: field.optional ? "auto" : "",
    "aria-label": field.name === "size" ? `${title}: ${SIDES[place]}` : `${title}: ${place ? "second" : "first"}`,
    onchange: () => take(),
  }));
  const take = () => {
    const typed = inputs.map((one) => one.value);
    if (typed.every((one) => one !== "")) change(typed.map(Number));
    else if (field.optional && typed.every((one) => one === "")) change(undefined);
  };
  return {
    nodes: [element("span", { className: "pair" }, inputs[0], field.name === "size" ? "x" : "", inputs[1])],
    show: (value) => {
      const shown = /** @type {unknown[] | null | undefined} */ (value ?? field.fallback);
      inputs.forEach((one, place) => showText(one, String(shown?.[place] ?? "")));
    },
  };
}

/** Whether a value can be shown so. @param {import("./schema.js").Field} field @param {unknown} value */
export function isPair(field, value) {
  if (field.kind !== "pair") return false;
  return value === undefined || value === null || (Array.isArray(value) && value.length === 2 && value.every(Number.isInteger));
}
