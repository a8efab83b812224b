// @ts-check
/** The controls of a spec beside its layers and objects, and the generator of a layer. */

import { lateChoiceControl } from "./control_choice.js";
import { element } from "./elements.js";
import { explain } from "./row_words.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {{change: (changes: import("./messages.js").Change[], merge: string) => void}} Host */

const OWN = new Set(["size", "level", "seed", "rng", "layers", "visibility", "objects"]);

/**
 * Return the top-level fields of a spec that are edited as text.
 * @param {Schema} schema
 * @param {any} data
 * @returns {Field[]}
 */
export function otherFields(schema, data) {
  const names = new Set([...Object.keys(schema.schema.properties ?? {}), ...Object.keys(data)]);
  return [...names].filter((name) => !OWN.has(name)).map((name) => ({ ...schema.field(name, schema.part(name)), kind: "other" }));
}

/**
 * The generator of a layer; another one keeps the parameters that it has too.
 * @param {Host} host @param {Schema} schema @param {string} name @param {any} layer @param {string[]} names the layers in their order
 */
export function generatorRow(host, schema, name, layer, names) {
  const id = `parameter-layers-${name}-generator`;
  const choices = schema.generatorNames().sort();
  if (!choices.includes(layer.generator)) choices.unshift(layer.generator ?? "");
  const field = /** @type {Field} */ ({ name: "generator", id, kind: "choice", choices, optional: false });
  /** @param {unknown} wanted */
  const take = (wanted) => host.change(generatorChanges(schema, name, layer, String(wanted), names.slice(0, names.indexOf(name))), "");
  const about = "Parameters that the other generator has too are kept.";
  const row = element("div", { className: "row set", "data-path": JSON.stringify(["layers", name, "generator"]), title: about },
    element("label", { for: id }, "generator"), element("span", { className: "control" }, ...lateChoiceControl(field, layer.generator, take)));
  explain(row, about);
  return row;
}

/**
 * @param {Schema} schema @param {string} name @param {any} layer @param {string} wanted
 * @param {string[]} earlier the layers that it may read
 */
function generatorChanges(schema, name, layer, wanted, earlier) {
  const path = ["layers", name];
  const before = new Map(schema.layerFields(layer.generator).map((field) => [field.name, field]));
  const after = new Map(schema.layerFields(wanted).map((field) => [field.name, field]));
  /** @type {import("./messages.js").Change[]} */
  const changes = [{ set: [...path, "generator"], value: wanted }];
  for (const [key, value] of Object.entries(layer)) {
    if (key === "generator") continue;
    const field = after.get(key);
    const same = field && (before.get(key)?.kind ?? field.kind) === field.kind;
    if (!same || (field.kind === "choice" && !field.choices.includes(value))) changes.push({ remove: [...path, key] });
  }
  for (const needed of schema.requiredLayerNames(wanted)) {
    if (!(needed in layer) && earlier.length) changes.push({ set: [...path, needed], value: earlier[earlier.length - 1] });
  }
  return changes;
}

/** A button that adds the visibility. @param {Host} host @param {Schema} schema */
export function addVisibilityForm(host, schema) {
  const radius = schema.visibilityFields().find((field) => field.name === "radius")?.fallback;
  const add = () => host.change([{ set: ["visibility"], value: { radius } }], "");
  return element("div", { className: "add" }, element("button", { id: "add-visibility", onclick: add }, "Add visibility"));
}

/** A button that removes the visibility. @param {Host} host */
export function removeVisibilityForm(host) {
  const remove = () => host.change([{ remove: ["visibility"] }], "");
  return element("div", { className: "structure" }, element("button", { className: "quiet", id: "remove-visibility", onclick: remove }, "Remove visibility"));
}
