// @ts-check
/** Everything else: lists and mappings as JSON, which is valid spec text. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {any} value
 * @param {(value: any) => void} change
 */
export function valueControl(field, value, change) {
  const shown = value ?? field.fallback;
  const input = element("input", {
    type: "text",
    id: field.id,
    className: "code",
    spellcheck: "false",
    value: shown === null || shown === undefined ? "" : JSON.stringify(shown),
    placeholder: "automatic",
    onchange: () => {
      if (input.value.trim() === "") return change(undefined);
      try {
        input.setCustomValidity("");
        change(JSON.parse(input.value));
      } catch {
        try {
          change(JSON.parse(`"${input.value}"`));
        } catch {
          input.setCustomValidity("Write numbers, \"texts\", [lists] or {\"key\": value}.");
          input.reportValidity();
        }
      }
    },
  });
  return [input];
}
