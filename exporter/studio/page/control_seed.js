// @ts-check
/** A seed: a whole number or any text. A text that looks like a number is quoted. */

import { element } from "./elements.js";
import { showText } from "./uncommitted.js";

const WHOLE = /^[-+]?[0-9]+$/;
const QUOTED = /^"([^"\\]|\\.)*"$/;

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function seedControl(field, change) {
  const input = element("input", {
    type: "text", id: field.id, spellcheck: "false", autocomplete: "off", placeholder: String(field.fallback ?? ""),
    onchange: () => change(input.value.trim() === "" ? undefined : seedOf(input.value)),
  });
  return { nodes: [input], show: (value) => showText(input, seedText(value ?? field.fallback ?? 0)) };
}

/** @param {unknown} seed */
function seedText(seed) {
  const plain = typeof seed !== "string" || (seedOf(seed) === seed && !seed.includes("\n"));
  return plain ? String(seed) : JSON.stringify(seed);
}

/** @param {string} text @returns {number | string} */
function seedOf(text) {
  const typed = text.trim();
  if (WHOLE.test(typed) && Number.isSafeInteger(Number(typed))) return Number(typed);
  if (!QUOTED.test(typed)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
