// @ts-check
/** One of a few values. */

import { element } from "./elements.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function choiceControl(field, change) {
  const select = selectOf(field);
  select.addEventListener("change", () => change(valueOf(select)));
  return { nodes: [select], show: (value) => showChoice(select, value ?? field.fallback) };
}

/**
 * A choice that changes much: keys only choose, and Enter takes it, or leaving the field; Escape gives it up. The mouse
 * takes at once.
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @returns {import("./parameter_row.js").Control}
 */
export function lateChoiceControl(field, change) {
  const select = selectOf(field);
  let first = "";
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
      byKeys = false;
    // Where the list is open its own Enter takes.
    } else byKeys = !(event.altKey || event.key === " " || event.key === "F4");
  });
  select.addEventListener("change", () => { if (!byKeys) take(); });
  select.addEventListener("blur", take);
  return {
    nodes: [select],
    show: (value) => {
      // What the keys have chosen is not taken yet.
      const pending = byKeys && select.value !== first;
      const chosen = select.value;
      showChoice(select, value ?? field.fallback);
      first = select.value;
      if (pending) select.value = chosen;
    },
  };
}

/** @param {HTMLSelectElement} select */
const valueOf = (select) => (select.value === "" ? undefined : JSON.parse(select.value));

/** @param {HTMLSelectElement} select @param {unknown} shown */
function showChoice(select, shown) {
  const text = shown === null || shown === undefined ? "" : JSON.stringify(shown);
  // A value that is wrong is shown all the same.
  if (![...select.options].some((one) => one.value === text)) select.append(optionOf(shown ?? ""));
  select.value = text;
}

/** @param {unknown} choice */
function optionOf(choice) {
  const text = typeof choice === "string" ? choice : JSON.stringify(choice);
  return element("option", { value: choice === "" ? "" : JSON.stringify(choice) }, text);
}

/** @param {import("./schema.js").Field} field @returns {HTMLSelectElement} */
function selectOf(field) {
  const select = element("select", { id: field.id });
  if (field.optional) select.append(element("option", { value: "" }, "automatic"));
  select.append(...field.choices.map(optionOf));
  return select;
}
