// @ts-check
/** A value of several forms, such as the name of a tile or a tile with its own colour: which form, and its control. */

import { element } from "./elements.js";
import { initialValue } from "./initial_value.js";
import { fits } from "./schema_at.js";

/** @typedef {import("./schema.js").JsonSchema} JsonSchema */

/**
 * @param {import("./parameter_row.js").ParameterRow} row
 * @param {(field: import("./schema.js").Field, value: unknown) => import("./parameter_row.js").Control & {kind: string}} make another control
 * @returns {import("./parameter_row.js").Control}
 */
export function formsControl(row, make) {
  const { field, schema } = row;
  const parts = schema.partsOf(field.schema);
  const names = namesOf(parts);
  const isNullable = (field.schema.anyOf ?? []).some((one) => one.type === "null");
  const select = element("select", {
    className: "form", id: `${field.id}-form`, "aria-label": `Form of ${row.title}`,
    onchange: () => {
      const part = parts[Number(select.value)];
      if (select.value === "null") void row.change(null);
      else if (part) void row.change(initialValue(schema, part, row.known(part)));
      else void row.change(undefined);
    },
  });
  const place = element("span", { className: "control" });
  /** @type {(import("./parameter_row.js").Control & {kind: string}) | null} */ let inner = null;
  let [shownForm, shownKind] = ["", ""];
  return {
    nodes: [select, place],
    show: (value) => {
      const at = value === undefined || value === null ? -1 : parts.findIndex((part) => fits(schema, part, value));
      const form = value === null && isNullable && !field.optional ? "null" : at < 0 ? "" : String(at);
      const part = { ...parts[at], description: field.about, default: undefined };
      const own = at < 0 ? null : { ...schema.field(field.name, part), id: field.id };
      const kind = own ? row.kindOf(own, value) : "";
      if (form !== shownForm || kind !== shownKind || !select.options.length) {
        [shownForm, shownKind] = [form, kind];
        const none = field.isNeeded && form !== "" ? [] : [element("option", { value: "" }, field.isNeeded ? "choose" : "unset")];
        select.replaceChildren(...none, ...names.map((name, index) => element("option", { value: index }, name)),
          ...isNullable && field.isNeeded ? [element("option", { value: "null" }, "none")] : []);
        select.value = form;
        inner = own && !isConstant(parts[at]) ? make(own, value) : null;
        place.replaceChildren(...inner?.nodes ?? []);
        place.dataset.kind = kind;
      }
      inner?.show(value);
    },
  };
}

/** @param {JsonSchema} part */
const isConstant = (part) => part.const !== undefined || part.enum?.length === 1;

/** Names of the forms: what tells them apart. @param {JsonSchema[]} parts @returns {string[]} */
function namesOf(parts) {
  const names = parts.map((part) => {
    if (isConstant(part)) return String(part.const ?? part.enum?.[0]);
    if (part.enum) return "known name";
    if (part["x-names"]) return part["x-names"];
    if (Array.isArray(part.items)) return `${part.items.length} values`;
    if (part.type === "array") return "list";
    if (part.type === "object" || part.properties) return (part.title ?? "mapping").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    return { boolean: "yes or no", string: "text" }[part.type ?? ""] ?? "number";
  });
  return names.map((name, at) => (names.indexOf(name) === at ? name : `${name} ${at + 1}`));
}
