// @ts-check
/** A value of several plain types, such as a seed: what is typed decides. A text that looks like another type is quoted. */

import { element } from "./elements.js";
import { showText } from "./uncommitted.js";

const QUOTED = /^"([^"\\]|\\.)*"$/;
const WHOLE = /^[-+]?[0-9]+$/;
const NUMBER = /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i;

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @param {string[]} types that the value may have, as a JSON Schema names them
 * @returns {import("./parameter_row.js").Control}
 */
export function scalarControl(field, change, types) {
  const input = element("input", {
    type: "text", id: field.id, spellcheck: "false", autocomplete: "off", placeholder: String(field.fallback ?? ""),
    onchange: () => change(input.value.trim() === "" ? undefined : valueOf(input.value, types)),
  });
  return {
    nodes: [input],
    show: (value) => {
      const shown = value ?? field.fallback;
      showText(input, shown === undefined || shown === null ? "" : textOf(shown, types));
    },
  };
}

/** @param {unknown} value @param {string[]} types */
function textOf(value, types) {
  const plain = typeof value !== "string" || (valueOf(value, types) === value && !value.includes("\n"));
  return plain ? String(value) : JSON.stringify(value);
}

/** @param {string} text @param {string[]} types @returns {number | string | boolean} */
function valueOf(text, types) {
  const typed = text.trim();
  const number = Number(typed);
  if (types.includes("integer") && WHOLE.test(typed) && Number.isSafeInteger(number)) return number;
  if (types.includes("number") && NUMBER.test(typed)) return number;
  if (types.includes("boolean") && (typed === "true" || typed === "false")) return typed === "true";
  if (!QUOTED.test(typed)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
