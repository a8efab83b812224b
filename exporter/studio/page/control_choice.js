// @ts-check
/** One of a few values. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {any} value
 * @param {(value: any) => void} change
 */
export function choiceControl(field, value, change) {
  const shown = value ?? field.fallback;
  const select = element("select", {
    id: field.id,
    onchange: () => change(select.value === "" ? undefined : JSON.parse(select.value)),
  });
  if (field.optional) select.append(element("option", { value: "" }, "automatic"));
  for (const choice of field.choices) {
    const text = typeof choice === "string" ? choice : JSON.stringify(choice);
    select.append(element("option", { value: JSON.stringify(choice), selected: choice === shown }, text));
  }
  return [select];
}
