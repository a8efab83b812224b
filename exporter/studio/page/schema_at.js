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
  let [ones, value] = [forms(schema, schema.schema, data), data];
  for (const key of path) {
    value = value?.[key];
    ones = ones.flatMap((one) => entry(one, key)).flatMap((one) => forms(schema, one, value));
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

/** @param {Schema} schema @param {JsonSchema} one @param {any} value @returns {JsonSchema[]} */
function forms(schema, one, value) {
  const own = schema.follow(one);
  if (own.anyOf) return own.anyOf.flatMap((part) => forms(schema, part, value));
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
  const own = one.properties?.[key];
  if (own) return [own];
  const pattern = Object.entries(one.patternProperties ?? {}).find(([text]) => new RegExp(text, "u").test(key));
  const other = pattern?.[1] ?? one.additionalProperties;
  return other && typeof other === "object" ? [other] : [];
}
