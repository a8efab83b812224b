// @ts-check
/** The value that a new entry begins with: its schema's default, or the simplest that fits. */

import { isColor } from "./control_color.js";

/** @typedef {import("./schema.js").JsonSchema} JsonSchema */

/**
 * @param {import("./schema.js").Schema} schema @param {JsonSchema} one
 * @param {string[]} [known] names that fit
 * @returns {unknown}
 */
export function initialValue(schema, one, known = []) {
  if (one.default !== undefined && one.default !== null) return one.default;
  const [part = {}] = schema.partsOf(one);
  if (part.const !== undefined) return part.const;
  if (part.enum) return part.enum[0];
  if (part.type === "array") {
    const { items = {} } = part;
    const each = Array.isArray(items) ? items : Array(part.minItems ?? 0).fill(items);
    return each.map((item) => initialValue(schema, item, known));
  }
  if (part.type === "object" || part.properties) {
    return Object.fromEntries((part.required ?? []).map((name) => [name, initialValue(schema, part.properties?.[name] ?? {}, known)]));
  }
  if (part.type === "boolean") return false;
  if (part.type === "integer" || part.type === "number") return Math.min(Math.max(part.minimum ?? 0, 0), part.maximum ?? 0);
  return isColor(part) ? "#808080" : known[0] ?? (part.pattern || part.minLength ? "name" : "");
}

/** The value of a new entry of a list: as the last one is, with a name of its own. @param {unknown[]} listed @returns {unknown} */
export function nextValue(listed) {
  const last = structuredClone(listed[listed.length - 1]);
  if (!last || typeof last !== "object" || !("name" in last)) return last;
  const named = /** @type {{name: string}} */ (last);
  const taken = new Set(listed.map((one) => /** @type {any} */ (one)?.name));
  const base = String(named.name).replace(/_?[0-9]+$/, "");
  for (let number = 2; taken.has(named.name); number++) named.name = `${base}_${number}`;
  return last;
}
