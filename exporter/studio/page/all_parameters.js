// @ts-check
/** Every parameter of a level: of the level itself, its layers, objects and tables. */

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("./schema.js").Field} Field */
/** @typedef {{owner: string, name: string, path: (string | number)[], value: unknown, field: Field}} Parameter */

// The keys of a spec that hold things of their own.
const THINGS = new Set(["layers", "objects", "tables"]);
// Numbers of every layer, which change no cell.
const COMMON = new Set(["recipe", "z_index"]);

/** @param {Schema} schema @param {any} data @returns {Parameter[]} */
export function parametersOf(schema, data) {
  /** @type {(owner: string, fields: Field[], path: (string | number)[], values: any) => Parameter[]} */
  const listed = (owner, fields, path, values) => fields.map((field) => ({ owner, name: field.name, path: [...path, field.name], value: values?.[field.name], field }));
  const objects = Array.isArray(data.objects) ? data.objects : [];
  return [
    ...listed("level", levelFields(schema, data), [], data),
    ...(data.visibility ? listed("sight", schema.visibilityFields(), ["visibility"], data.visibility) : []),
    ...Object.entries(data.layers ?? {}).flatMap(([name, layer]) => [
      ...listed(name, [{ ...schema.field("generator", {}), about: "" }], ["layers", name], layer),
      ...listed(name, schema.layerFields(layer?.generator), ["layers", name], layer),
    ]),
    ...objects.flatMap((/** @type {any} */ one, /** @type {number} */ index) => listed(String(one?.name), schema.objectFields(), ["objects", index], one)),
  ];
}

/** The keys of a level itself; unknown ones too. @param {Schema} schema @param {any} data @returns {Field[]} */
export function levelFields(schema, data) {
  const names = new Set([...Object.keys(schema.schema.properties ?? {}), ...Object.keys(data)]);
  return [...names].filter((name) => !THINGS.has(name) && name !== "visibility").map((name) => schema.field(name, schema.part(name)));
}

/** The names of all numbers of layers: `ground.wall_percent`. @param {Schema} schema @param {any} data @returns {string[]} */
export function numbersOf(schema, data) {
  return parametersOf(schema, data)
    .filter(({ path, field }) => path[0] === "layers" && (field.kind === "integer" || field.kind === "number") && !COMMON.has(field.name))
    .map(({ owner, name }) => `${owner}.${name}`);
}
