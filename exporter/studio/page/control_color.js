// @ts-check
/** A colour: a field to choose it, and its text, which may have an opacity. */

import { element } from "./elements.js";
import { showText } from "./uncommitted.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function colorControl(field, change) {
  const picked = element("input", { type: "color", "aria-label": `${field.name.replaceAll("_", " ")}: choose`, onchange: () => change(picked.value + typed.value.slice(7)) });
  const typed = element("input", {
    type: "text", id: field.id, className: "code", maxlength: 9, spellcheck: "false", placeholder: field.optional ? "automatic" : "#rrggbb",
    onchange: () => change(typed.value === "" && field.optional ? undefined : typed.value),
  });
  return {
    nodes: [picked, typed],
    show: (value) => {
      const shown = String(value ?? field.fallback ?? "");
      showText(typed, shown);
      picked.value = shown.slice(0, 7) || "#808080";
    },
  };
}

/** Whether a text of a schema is a colour. @param {import("./schema.js").JsonSchema} one */
export function isColor(one) {
  return one.type === "string" && (one.pattern ?? "").startsWith("^(?:#[0-9a-fA-F]{6}");
}
