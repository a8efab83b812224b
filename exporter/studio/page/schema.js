// @ts-check
/** The allowed values of a spec, from its JSON Schema: the source of every control. */

/**
 * The keys of a JSON Schema that the page reads.
 * @typedef {object} JsonSchema
 * @property {string} [type]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {unknown[]} [enum]
 * @property {string} [const]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {string} [pattern]
 * @property {string[]} [required]
 * @property {JsonSchema | JsonSchema[]} [items]
 * @property {Record<string, JsonSchema>} [properties]
 * @property {Record<string, JsonSchema>} [patternProperties]
 * @property {JsonSchema} [additionalProperties]
 * @property {JsonSchema} [propertyNames]
 * @property {string} [title]
 * @property {JsonSchema[]} [anyOf]
 * @property {JsonSchema[]} [allOf]
 * @property {JsonSchema} [if]
 * @property {JsonSchema} [then]
 * @property {Record<string, JsonSchema>} [definitions]
 * @property {Record<string, string[]>} [x-groups] the properties by titles
 * @property {string} [$ref]
 * @property {string} [x-names]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {number} [minLength]
 */
/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} [id] of its element
 * @property {string} kind number | integer | switch | choice | text | pair | other
 * @property {string} names what it names: layer | object | tile | room | table | column | measure | lock | walk; empty for none
 * @property {string} about
 * @property {string} unit
 * @property {unknown} fallback the default
 * @property {boolean} optional whether it may be left out for nothing at all
 * @property {boolean} [isNeeded] whether its owner cannot be without it
 * @property {string} [group] the heading below which it is listed
 * @property {number | null} least
 * @property {number | null} most
 * @property {unknown[]} choices
 * @property {JsonSchema} schema
 */

export class Schema {
  /** @param {JsonSchema} schema */
  constructor(schema) {
    this.schema = schema;
    /** @type {Map<string, JsonSchema>} */
    this.generators = new Map();
    for (const one of this.part("layers").additionalProperties?.allOf ?? []) {
      const name = one.if?.properties?.generator.const;
      if (name && one.then) this.generators.set(name, one.then);
    }
  }

  /** Return the schema of a top-level key of a spec. @param {string} name @returns {JsonSchema} */
  part(name) {
    return this.schema.properties?.[name] ?? {};
  }

  generatorNames() {
    return [...this.generators.keys()];
  }

  /** @param {string} name */
  aboutGenerator(name) {
    return this.generators.get(name)?.description ?? "";
  }

  /** The parameters of a generator that name a layer and have no default. @param {string} generator @returns {string[]} */
  requiredLayerNames(generator) {
    /** @type {string[]} */
    const required = this.generators.get(generator)?.required ?? [];
    return required.filter((name) => this.layerFields(generator).some((field) => field.name === name && field.names === "layer"));
  }

  /** @param {string} generator @returns {Field[]} */
  layerFields(generator) {
    const found = this.generators.get(generator);
    return found ? this.fields(found, ["generator"]) : [];
  }

  /** @returns {Field[]} */
  objectFields() {
    return this.fields(/** @type {JsonSchema} */ (this.part("objects").items), []);
  }

  /** The measures of a level: those that can be required. @returns {string[]} */
  measureNames() {
    const limits = Object.entries(this.resolved(this.part("require")).properties ?? {});
    return limits.filter(([, one]) => one.allOf).map(([name]) => name);
  }

  /** A parameter of every table. @param {string} name @returns {Field} */
  tableField(name) {
    const table = this.part("tables").additionalProperties ?? {};
    return { ...this.field(name, table.properties?.[name] ?? {}), isNeeded: table.required?.includes(name) };
  }

  /** @returns {Field[]} */
  visibilityFields() {
    return this.fields(this.resolved(this.part("visibility")), []);
  }

  /** By their groups, those in none first. @param {JsonSchema} owner @param {string[]} without @returns {Field[]} */
  fields(owner, without) {
    const resolved = this.resolved(owner);
    const grouped = Object.entries(resolved["x-groups"] ?? {}).flatMap(([group, names]) => names.map((name) => ({ group, name })));
    const place = (/** @type {string} */ name) => grouped.findIndex((one) => one.name === name);
    return Object.entries(resolved.properties ?? {})
      .filter(([name]) => !without.includes(name))
      .map(([name, one]) => ({ ...this.field(name, one), isNeeded: resolved.required?.includes(name), group: grouped[place(name)]?.group }))
      .sort((a, b) => place(a.name) - place(b.name));
  }

  /** @param {string} name @param {JsonSchema} one @returns {Field} */
  field(name, one) {
    const parts = (one.anyOf ?? [one]).map((part) => this.follow(part));
    const kinds = parts.filter((part) => part.type !== "null");
    const main = kinds[0] ?? one;
    const [, about, unit] = /^([\s\S]*?)(?: \[([^\]]+)\])?$/.exec(one.description ?? "") ?? ["", "", "", ""];
    return {
      name,
      kind: kindOf(name, one, kinds),
      names: kinds.map(namedBy).find(Boolean) ?? "",
      about: about ?? "",
      unit: unit ?? "",
      fallback: one.default,
      optional: kinds.length < parts.length,
      least: one.minimum ?? main.minimum ?? null,
      most: one.maximum ?? main.maximum ?? null,
      choices: one.enum ?? kinds.flatMap((part) => part.enum ?? []),
      schema: one,
    };
  }

  /** A schema behind a reference, or the first that is no nothing. @param {JsonSchema} one @returns {JsonSchema} */
  resolved(one) {
    if (one.anyOf) {
      return this.resolved(one.anyOf.find((part) => part.type !== "null") ?? {});
    }
    return this.follow(one);
  }

  /** The forms that a value may have, without nothing. @param {JsonSchema} one @returns {JsonSchema[]} */
  partsOf(one) {
    const own = this.follow(one);
    return (own.anyOf?.flatMap((part) => this.partsOf(part)) ?? [own]).filter((part) => part.type !== "null");
  }

  /** @param {JsonSchema} one @returns {JsonSchema} */
  follow(one) {
    const name = (one.$ref ?? (one.allOf?.length === 1 ? one.allOf[0].$ref : undefined))?.replace("#/definitions/", "");
    return name ? this.schema.definitions?.[name] ?? {} : one;
  }
}

/** What a value names, or each entry of a list. @param {JsonSchema} one @returns {string} */
export function namedBy(one) {
  const items = Array.isArray(one.items) ? one.items[0] : one.items;
  return one["x-names"] ?? items?.["x-names"] ?? "";
}

/** @param {string} name @param {JsonSchema} one @param {JsonSchema[]} kinds */
function kindOf(name, one, kinds) {
  const choices = one.enum ?? (kinds.every((part) => part.enum) ? kinds.flatMap((part) => part.enum) : null);
  if (choices?.length) return "choice";
  if (kinds.length !== 1) return kinds.every((part) => part.type === "integer" || part.type === "number") ? "number" : "other";
  const [main] = kinds;
  if (main.type === "boolean") return "switch";
  if (main.type === "integer" || main.type === "number") return main.type;
  if (main.type === "string") return "text";
  const items = Array.isArray(main.items) ? main.items : [];
  if (main.type === "array" && items.length === 2 && items.every((item) => item.type === "integer")) return "pair";
  return "other";
}
