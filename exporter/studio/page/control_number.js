// @ts-check
/** A number: a slider where its range is known, and a field for what is typed. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {any} value
 * @param {(value: any, merge?: boolean) => void} change
 */
export function numberControl(field, value, change) {
  const whole = field.kind === "integer";
  const shown = value ?? field.fallback;
  const typed = element("input", {
    type: "number",
    step: whole ? 1 : "any",
    value: shown ?? "",
    placeholder: shown === null || shown === undefined ? "automatic" : "",
    id: field.id,
    onchange: () => change(typed.value === "" ? undefined : Number(typed.value)),
  });
  const range = rangeOf(field, Number(shown));
  if (!range || shown === null || shown === undefined) return [typed];
  const slider = element("input", {
    type: "range",
    id: `${field.id}-slider`,
    min: range[0],
    max: range[1],
    step: whole ? 1 : (range[1] - range[0]) / 200,
    value: shown,
    tabindex: -1,
    "aria-hidden": "true",
    oninput: () => {
      const chosen = Number(Number(slider.value).toPrecision(6));
      typed.value = String(chosen);
      change(chosen, true);
    },
  });
  return [slider, typed];
}

/**
 * The range of the slider; of numbers with a wide one that around the present value.
 * @param {import("./schema.js").Field} field @param {number} value
 * @returns {[number, number] | null}
 */
function rangeOf(field, value) {
  if (field.least === null || field.most === null) return null;
  if (field.most - field.least <= 1000) return [field.least, field.most];
  return [field.least, Math.min(field.most, Math.max(100, Math.abs(value) * 4))];
}
