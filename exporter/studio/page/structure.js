// @ts-check
/** Forms that add objects and tables to the spec. */

import { element } from "./elements.js";

/** @typedef {{change: (changes: import("./messages.js").Change[]) => unknown, expect: (path: string) => void}} Host */

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
export function freeName(wanted, taken) {
  let found = wanted;
  for (let number = 2; taken.includes(found); number++) found = `${wanted}_${number}`;
  return found;
}
