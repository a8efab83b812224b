// @ts-check
/** A seed: a whole number or any text. A text that looks like a number is quoted. */

import { element } from "./elements.js";

const WHOLE = /^[-+]?[0-9]+$/;
const QUOTED = /^"([^"\\]|\\.)*"$/;

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
export function seedControl(field, value, change) {
  const input = element("input", {
    type: "text", id: field.id, spellcheck: "false", autocomplete: "off",
    value: seedText(value ?? field.fallback ?? 0), placeholder: String(field.fallback ?? ""),
    onchange: () => change(input.value.trim() === "" ? undefined : seedOf(input.value)),
  });
  return [input];
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
