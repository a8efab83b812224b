// @ts-check
/** Text of several lines, as a drawing is: every line break stays. */

import { element } from "./elements.js";
import { showText } from "./uncommitted.js";

const LEAST = 3;
const MOST = 16;

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function linesControl(field, change) {
  const area = linesField(field.id ?? "", field.optional ? "automatic" : "");
  area.addEventListener("change", () => change(area.value === "" && field.optional ? undefined : area.value));
  return { nodes: [area], show: (value) => showLines(area, String(value ?? field.fallback ?? "")) };
}

/**
 * A field of several lines.
 * @param {string} id @param {string} [placeholder]
 * @returns {HTMLTextAreaElement}
 */
export function linesField(id, placeholder = "") {
  return element("textarea", { id, className: "code", spellcheck: "false", autocomplete: "off", wrap: "off", placeholder });
}

/** Show a text in such a field, which becomes as high as the text. @param {HTMLTextAreaElement} area @param {string} text */
export function showLines(area, text) {
  const lines = text.split("\n").length;
  area.rows = Math.min(MOST, Math.max(Math.min(LEAST, lines + 1), lines));
  showText(area, text);
}

/** Whether a text needs several lines, or may. @param {import("./schema.js").Field} field @param {unknown} value */
export function hasLines(field, value) {
  const parts = /** @type {any[]} */ (field.schema?.anyOf ?? [field.schema]);
  const long = field.kind === "text" && parts.some((part) => part?.maxLength > 1000);
  return typeof value === "string" ? value.includes("\n") || long : long && !value;
}
