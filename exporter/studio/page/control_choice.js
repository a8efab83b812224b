// @ts-check
/** One of a few values. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
export function choiceControl(field, value, change) {
  const select = selectOf(field, value);
  select.addEventListener("change", () => change(valueOf(select)));
  return [select];
}

/**
 * A choice that changes much: keys only choose, and Enter takes it, or leaving the field; Escape gives it up. The mouse
 * takes at once.
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
export function lateChoiceControl(field, value, change) {
  const select = selectOf(field, value);
  const first = select.value;
  let byKeys = false;
  const take = () => {
    byKeys = false;
    if (select.isConnected && select.value !== first) change(valueOf(select));
  };
  select.title = "Enter takes what the keys chose, Escape gives it up.";
  select.addEventListener("pointerdown", () => { byKeys = false; });
  select.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && select.value !== first) {
      event.preventDefault();
      take();
    } else if (event.key === "Escape" && select.value !== first) {
      event.stopPropagation();
      select.value = first;
    // Where the list is open its own Enter takes.
    } else byKeys = !(event.altKey || event.key === " " || event.key === "F4");
  });
  select.addEventListener("change", () => { if (!byKeys) take(); });
  select.addEventListener("blur", take);
  return [select];
}

/** @param {HTMLSelectElement} select */
const valueOf = (select) => (select.value === "" ? undefined : JSON.parse(select.value));

/**
 * @param {import("./schema.js").Field} field
 * @param {unknown} value
 * @returns {HTMLSelectElement}
 */
function selectOf(field, value) {
  const shown = value ?? field.fallback;
  const select = element("select", { id: field.id });
  if (field.optional) select.append(element("option", { value: "" }, "automatic"));
  for (const choice of field.choices) {
    const text = typeof choice === "string" ? choice : JSON.stringify(choice);
    select.append(element("option", { value: JSON.stringify(choice), selected: choice === shown }, text));
  }
  return select;
}
