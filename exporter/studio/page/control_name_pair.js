// @ts-check
/** Two names, such as the ends of a walk: a list of those that fit for each. */

import { element } from "./elements.js";

const ENDS = ["first", "second"];

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @param {() => string[]} known the names that fit
 * @returns {import("./parameter_row.js").Control}
 */
export function namePairControl(field, change, known) {
  const title = field.name.replaceAll("_", " ");
  const selects = ENDS.map((end, place) => element("select", {
    id: place ? `${field.id}-second` : field.id, "aria-label": `${title}: ${end}`, onchange: () => take(),
  }));
  const take = () => {
    const chosen = selects.map((one) => one.value);
    if (chosen.every(Boolean)) change(chosen);
    else if (!chosen.some(Boolean) && field.optional) change(undefined);
  };
  return {
    nodes: [element("span", { className: "pair" }, ...selects)],
    show: (value) => {
      const shown = /** @type {string[]} */ (value ?? []);
      selects.forEach((select, place) => {
        const names = [...new Set(["", ...known(), ...shown])];
        select.replaceChildren(...names.map((name) => element("option", { value: name }, name || "none")));
        select.value = shown[place] ?? "";
      });
    },
  };
}

/** Whether a value is shown so. @param {import("./schema.js").Field} field @param {unknown} value */
export function isNamePair(field, value) {
  const items = (field.schema.anyOf ?? [field.schema]).find((part) => part.type === "array")?.items;
  if (!field.names || !Array.isArray(items) || items.length !== 2) return false;
  return value === undefined || value === null || (Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string"));
}
