// @ts-check
/** Text of several lines, as a drawing is: every line break stays. */

import { element } from "./elements.js";

const LEAST = 3;
const MOST = 16;

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
export function linesControl(field, value, change) {
  const shown = String(value ?? field.fallback ?? "");
  const area = linesField(field.id ?? "", shown, field.optional ? "automatic" : "");
  area.addEventListener("change", () => change(area.value === "" && field.optional ? undefined : area.value));
  return [area];
}

/**
 * A field of several lines, as high as its text.
 * @param {string} id @param {string} text @param {string} [placeholder]
 * @returns {HTMLTextAreaElement}
 */
export function linesField(id, text, placeholder = "") {
  const lines = text.split("\n").length;
  const area = element("textarea", {
    id, className: "code", spellcheck: "false", autocomplete: "off", wrap: "off", placeholder,
    rows: Math.min(MOST, Math.max(Math.min(LEAST, lines + 1), lines)),
  });
  // The text between the tags begins with the first line break; the text that is set does not lose it.
  area.defaultValue = text;
  area.value = text;
  return area;
}

/** Whether a text needs several lines, or may. @param {import("./schema.js").Field} field @param {unknown} value */
export function hasLines(field, value) {
  const parts = /** @type {any[]} */ (field.schema?.anyOf ?? [field.schema]);
  const long = field.kind === "text" && parts.some((part) => part?.maxLength > 1000);
  return typeof value === "string" ? value.includes("\n") || long : long && !value;
}
