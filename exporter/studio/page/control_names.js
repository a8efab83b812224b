// @ts-check
/** A list of names: each can be taken out, and others added from a list of those that fit. */

import { element } from "./elements.js";
import { icon } from "./icons.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @param {() => string[]} known the names that fit
 * @returns {import("./parameter_row.js").Control}
 */
export function namesControl(field, change, known) {
  const title = field.name.replaceAll("_", " ");
  const chips = element("span", { className: "chips" });
  const select = element("select", {
    id: field.id, "aria-label": `Add to ${title}`,
    onchange: () => { if (select.value) change([...listed, select.value]); },
  });
  const fixed = /** @type {any} */ (field.schema).minItems ?? listSchema(field)?.minItems ?? 0;
  /** @type {string[]} */
  let listed = [];
  /** @param {number} place */
  const without = (place) => {
    const left = listed.filter((_, at) => at !== place);
    change(left.length || fixed ? left : undefined);
  };
  return {
    nodes: [chips, select],
    show: (value) => {
      listed = typeof value === "string" ? [value] : /** @type {string[]} */ (value ?? []);
      chips.replaceChildren(...listed.map((name, place) => element("span", { className: "chip" }, name,
        element("button", { className: "quiet", title: `Remove ${name}`, "aria-label": `Remove ${name} from ${title}`, onclick: () => without(place) }, icon("close")))));
      select.replaceChildren(element("option", { value: "" }, listed.length ? "add ..." : "none; add ..."),
        ...known().filter((name) => !listed.includes(name)).map((name) => element("option", { value: name }, name)));
    },
  };
}

/** The list among the values of a field. @param {import("./schema.js").Field} field @returns {any} */
function listSchema(field) {
  return (field.schema.anyOf ?? [field.schema]).find((part) => part.type === "array");
}

/** Whether a value is shown so: a list of any length, of names. @param {import("./schema.js").Field} field @param {unknown} value */
export function isNames(field, value) {
  const list = listSchema(field);
  if (!field.names || !list || Array.isArray(list.items)) return false;
  const others = (field.schema.anyOf ?? []).filter((part) => part !== list && part.type !== "null");
  if (others.some((part) => part.type !== "string" || part.const !== undefined)) return false;
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return others.length > 0;
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
