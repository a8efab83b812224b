// @ts-check
/** The schema of an entry of a spec, by its path. */

/** @typedef {import("./schema.js").JsonSchema} JsonSchema */
/** @typedef {import("./schema.js").Schema} Schema */

/**
 * Return the schemas that an entry may have: a value is often allowed in several forms.
 * @param {Schema} schema @param {(string | number)[]} path @param {any} data of the spec: what it is decides about more, such as `generator`
 * @returns {JsonSchema[]}
 */
export function schemasAt(schema, path, data) {
  let [ones, value] = [formsOf(schema, schema.schema, data), data];
  for (const key of path) {
    value = value?.[key];
    ones = ones.flatMap((one) => entry(one, key)).flatMap((one) => formsOf(schema, one, value));
  }
  return ones;
}

/**
 * The entry's own schema: with its description and default, before its forms.
 * @param {Schema} schema @param {(string | number)[]} path @param {any} data @returns {JsonSchema | null}
 */
export function schemaOf(schema, path, data) {
  const key = path[path.length - 1];
  const around = schemasAt(schema, path.slice(0, -1), data).flatMap((one) => entry(one, key));
  return around.find((one) => one.description) ?? around[0] ?? null;
}

/** The schemas of which a value has one, with those that its own values decide about. @param {Schema} schema @param {JsonSchema} one @param {any} value @returns {JsonSchema[]} */
export function formsOf(schema, one, value) {
  const own = schema.follow(one);
  if (own.anyOf) return own.anyOf.flatMap((part) => formsOf(schema, part, value));
  const more = (own.allOf ?? []).filter((part) => {
    const conditions = Object.entries(part.if?.properties ?? {});
    return part.then && conditions.length && conditions.every(([name, { const: wanted }]) => value?.[name] === wanted);
  });
  return [own, ...more.map((part) => /** @type {JsonSchema} */ (part.then))];
}

/** @param {JsonSchema} one @param {string | number} key @returns {JsonSchema[]} */
function entry(one, key) {
  if (typeof key === "number") {
    const items = Array.isArray(one.items) ? one.items[key] : one.items;
    return items ? [items] : [];
  }
  const own = one.properties?.[key] ?? otherEntry(one, key);
  return own ? [own] : [];
}

/**
 * The schema of an entry with a key that the schema does not name; of any such entry without a key.
 * @param {JsonSchema} one @param {string} [key] @returns {JsonSchema | null}
 */
export function otherEntry(one, key) {
  const pattern = Object.entries(one.patternProperties ?? {}).find(([text]) => key === undefined || new RegExp(text, "u").test(key));
  const other = pattern?.[1] ?? one.additionalProperties;
  return other && typeof other === "object" ? other : null;
}

/** Whether a value has a form, as far as an editor of that form needs it. @param {Schema} schema @param {JsonSchema} one @param {any} value @returns {boolean} */
export function fits(schema, one, value) {
  const part = schema.follow(one);
  if (part.anyOf) return part.anyOf.some((form) => fits(schema, form, value));
  if (part.const !== undefined || part.enum) return (part.enum ?? [part.const]).includes(value);
  if (value === null) return part.type === "null";
  if (Array.isArray(value)) {
    const { items = {} } = part;
    if (part.type !== "array") return false;
    if (Array.isArray(items)) return items.length === value.length && items.every((item, at) => fits(schema, item, value[at]));
    return value.every((item) => fits(schema, items, item));
  }
  if (typeof value === "object") {
    if (part.type !== "object" && !part.properties) return false;
    const entries = formsOf(schema, part, value);
    return Object.keys(value).every((key) => entries.some((form) => entry(form, key).length));
  }
  return { string: "string", boolean: "boolean", integer: "number", number: "number" }[part.type ?? ""] === typeof value && (part.type !== "integer" || Number.isInteger(value));
}
