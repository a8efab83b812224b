// @ts-check
/** A number: a slider where its range is known, and a field for typing. */

import { element } from "./elements.js";
import { sliderRange } from "./slider_range.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown, merge?: boolean) => void} change
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
  const range = sliderRange(field, Number(shown));
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
