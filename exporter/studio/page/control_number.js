// @ts-check
/** A number: a slider where its range is known, and a field for typing. */

import { element } from "./elements.js";
import { sliderRange } from "./slider_range.js";
import { showText } from "./uncommitted.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown, merge?: boolean) => void} change
 * @param {boolean} slides whether there is a slider
 * @returns {import("./parameter_row.js").Control}
 */
export function numberControl(field, change, slides) {
  const whole = field.kind === "integer";
  const typed = element("input", {
    type: "number", step: whole ? 1 : "any", id: field.id, placeholder: "auto",
    onchange: () => change(typed.value === "" ? undefined : Number(typed.value)),
  });
  if (!slides) return { nodes: [typed], show: (value) => showText(typed, String(value ?? field.fallback ?? "")) };
  let latest = 0;
  /** Whether the slider is in the hand: it then stays where it is. */
  let held = false;
  const show = () => {
    showText(typed, String(latest));
    const [least, most] = sliderRange(field, latest) ?? [0, 0];
    // Before the value, which the range would cut.
    Object.assign(slider, { min: least, max: most, step: whole ? 1 : (most - least) / 200 });
    slider.value = String(latest);
  };
  const hold = () => { held = true; };
  const release = () => {
    held = false;
    if (Number(slider.value) === latest) show();
  };
  const slider = element("input", {
    type: "range", id: `${field.id}-slider`, tabindex: -1, "aria-hidden": "true",
    onpointerdown: hold, onkeydown: hold, onpointerup: release, onpointercancel: release, onkeyup: release, onblur: release,
    oninput: () => {
      const chosen = Number(Number(slider.value).toPrecision(6));
      typed.value = String(chosen);
      change(chosen, true);
    },
  });
  return {
    nodes: [slider, typed],
    show: (value) => {
      latest = Number(value ?? field.fallback);
      if (!held) show();
    },
  };
}

/** Whether a number has a slider. @param {import("./schema.js").Field} field @param {unknown} value */
export function hasSlider(field, value) {
  const shown = value ?? field.fallback;
  return typeof shown === "number" && sliderRange(field, shown) !== null;
}
