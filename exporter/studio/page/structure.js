// @ts-check
/** Forms that add layers, objects and tables to the spec. */

import { element } from "./elements.js";

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {{change: (changes: import("./messages.js").Change[]) => unknown, expect: (path: string) => void}} Host */

/** A form that adds a layer of a generator. @param {Host} host @param {Schema} schema @param {string[]} names */
export function addLayerForm(host, schema, names) {
  const about = element("p", { className: "about" });
  const generator = element("select", { id: "new-layer-generator", "aria-label": "Generator", onchange: () => explain() },
    ...schema.generatorNames().sort().map((one) => element("option", { value: one }, one)));
  const explain = () => {
    about.textContent = schema.aboutGenerator(generator.value);
    form.name.value = freeName(generator.value, names);
  };
  const form = addForm("layer", "Add layer", names, (name) => {
    /** @type {Record<string, unknown>} */
    const value = { generator: generator.value };
    // A parameter without a default is most often the layer to read.
    for (const needed of schema.requiredLayerNames(generator.value)) if (names.length) value[needed] = names[names.length - 1];
    host.expect(`layers.${name}`);
    host.change([{ set: ["layers", name], value }]);
  });
  if (schema.generatorNames().includes("cellular_caves")) generator.value = "cellular_caves";
  explain();
  form.node.prepend(generator);
  form.node.append(about);
  return form.node;
}

/** @param {Host} host @param {any[]} objects those of the spec */
export function addObjectForm(host, objects) {
  const form = addForm("object", "Add objects", [], (name) => {
    const value = { name, count: 1 };
    host.expect(`objects.${objects.length}`);
    host.change([objects.length ? { insert: ["objects", objects.length], value } : { set: ["objects"], value: [value] }]);
  });
  form.name.value = freeName("chest", objects.map((one) => one?.name));
  return form.node;
}

/** @param {Host} host @param {any} tables those of the spec */
export function addTableForm(host, tables) {
  const names = Object.keys(tables ?? {});
  const form = addForm("table", "Add table", names, (name) => {
    const value = { columns: { name: "text", weight: "integer" }, rows: [["thing", 1]] };
    host.expect(`tables.${name}`);
    host.change([names.length ? { set: ["tables", name], value } : { set: ["tables"], value: { [name]: value } }]);
  });
  form.name.value = freeName("loot", names);
  return form.node;
}

/**
 * A field for a name, and a button.
 * @param {string} what @param {string} text of the button @param {string[]} taken names that are not free @param {(name: string) => void} add
 */
function addForm(what, text, taken, add) {
  const name = element("input", {
    id: `new-${what}-name`, type: "text", maxlength: 64, "aria-label": `Name of the new ${what}`, spellcheck: "false",
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") take(); },
  });
  const take = () => {
    if (!name.value || taken.includes(name.value)) return name.focus();
    add(name.value);
  };
  return { name, node: element("div", { className: "add" }, name, element("button", { id: `add-${what}`, className: "main", onclick: take }, text)) };
}

/** @param {string} wanted @param {string[]} taken */
function freeName(wanted, taken) {
  let found = wanted;
  for (let number = 2; taken.includes(found); number++) found = `${wanted}_${number}`;
  return found;
}
