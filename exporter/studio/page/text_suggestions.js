// @ts-check
/** What can be written at a position of a spec's text, and what its keys mean: from the JSON Schema. */

import { element } from "./elements.js";
import { namedBy } from "./schema.js";
import { otherEntry, schemaOf, schemasAt } from "./schema_at.js";
import { keyAt, positionAt } from "./yaml_position.js";

/** @typedef {import("./schema.js").JsonSchema} JsonSchema */
/**
 * What suggestions are made of.
 * @typedef {object} Known
 * @property {() => import("./schema.js").Schema | null} schema
 * @property {() => any} data the values of the last text that could be read
 * @property {import("./known_names.js").KnownNames} names those of the level
 */

export class TextSuggestions {
  /** @param {any} codemirror @param {Known} known */
  constructor(codemirror, known) {
    this.codemirror = codemirror;
    this.known = known;
  }

  /** Suggestions for the text before the caret. @param {any} context as CodeMirror gives it */
  complete(context) {
    const { state, pos } = context;
    const schema = this.known.schema();
    const place = schema && positionAt(state, this.codemirror.syntaxTree(state), pos);
    if (!schema || !place || (place.from === pos && !context.explicit && !place.value)) return null;
    const data = this.known.data();
    const ones = schemasAt(schema, place.path, data);
    const colon = /^\s*:/.test(state.sliceDoc(pos, state.doc.lineAt(pos).to));
    /** @type {[string, JsonSchema][]} */
    const keys = ones.flatMap((one) => [
      ...this.known.names.that(namedBy(one.propertyNames ?? {}), place.path).map((name) => /** @type {[string, JsonSchema]} */ ([name, otherEntry(one, name) ?? {}])),
      ...Object.entries(one.properties ?? {}),
    ]);
    const options = place.value || !keys.length ? this.values(ones, place.path) : this.keys(keys, valueAt(data, place.path), colon);
    return options.length ? { from: place.from, options, validFor: /^[\w.-]*$/ } : null;
  }

  /** @param {[string, JsonSchema][]} keys @param {any} present the values there @param {boolean} colon whether one follows already */
  keys(keys, present, colon) {
    return [...new Map(keys)].filter(([name]) => !(present && name in present)).map(([name, one]) => ({
      label: name, type: "property", detail: detailOf(one), info: one.description, apply: colon ? name : `${name}: `,
    }));
  }

  /** @param {JsonSchema[]} ones @param {(string | number)[]} path */
  values(ones, path) {
    const schema = /** @type {import("./schema.js").Schema} */ (this.known.schema());
    const key = path.findLast((one) => typeof one === "string");
    /** @type {{label: string, type: string, info?: string}[]} */
    const options = ones.flatMap((one) => [
      ...(one.enum ?? (one.const === undefined ? [] : [one.const])).map((value) => ({
        label: String(value), type: "enum", info: key === "generator" ? schema.aboutGenerator(String(value)) : undefined,
      })),
      ...(one.type === "boolean" ? ["true", "false"] : []).map((label) => ({ label, type: "keyword" })),
      ...this.known.names.that(namedBy(one), path).map((label) => ({ label, type: "variable", detail: namedBy(one) })),
    ]);
    return [...new Map(options.map((one) => [one.label, one])).values()];
  }

  /** What the key at a position means. @param {any} view @param {number} at */
  hover(view, at) {
    const schema = this.known.schema();
    const key = schema && keyAt(view.state, this.codemirror.syntaxTree(view.state), at);
    const data = this.known.data();
    const one = key && schemaOf(schema, key.path, data);
    if (!schema || !one) return null;
    const about = [one.description, key.path.at(-1) === "generator" ? schema.aboutGenerator(valueAt(data, key.path)) : ""];
    const create = () => ({
      dom: element("div", { className: "about" }, element("b", {}, String(key.path.at(-1))), ` ${detailOf(one)}`,
        ...about.filter(Boolean).map((text) => element("p", {}, text))),
    });
    return { pos: key.from, end: key.to, above: true, create };
  }
}

/** @param {any} data @param {(string | number)[]} path */
function valueAt(data, path) {
  return path.reduce((value, key) => value?.[key], data);
}

/** The allowed range and the default, in short. @param {JsonSchema} one @returns {string} */
function detailOf(one) {
  const parts = (one.anyOf ?? [one]).filter((part) => part.type !== "null");
  const { minimum, maximum } = { ...parts[0], ...one };
  const range = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "";
  const simple = one.default !== undefined && one.default !== null && typeof one.default !== "object";
  return [range, simple ? `default ${one.default}` : ""].filter(Boolean).join(", ");
}
