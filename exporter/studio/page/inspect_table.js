// @ts-check
/** A table of game data: its columns, and its rows to change, add and remove. */

import { element } from "./elements.js";
import { Facts } from "./facts.js";
import { icon } from "./icons.js";
import { actionButton } from "./inspector_parts.js";
import { showText } from "./uncommitted.js";

// Rows that are shown: more are for the text.
const MOST_ROWS = 200;

/** @param {import("./inspector.js").Inspector} inspector @param {import("./schema.js").Schema} schema @param {string} name @returns {import("./inspector.js").View} */
export function inspectTable(inspector, schema, name) {
  const path = ["tables", name];
  const facts = new Facts();
  const table = element("table", { className: "cells" });
  const columns = inspector.row({ ...schema.field("columns", {}), kind: "other", about: "Type of every column by name." }, [...path, "columns"]);
  const own = () => inspector.data.tables[name] ?? {};
  const names = () => Object.keys(own().columns ?? {});
  /** @type {(value: any, column: string, index: number) => unknown} */
  const cellOf = (value, column, index) => (Array.isArray(value) ? value[index] : value?.[column]);
  /** @type {HTMLInputElement[][]} */
  let fields = [];
  let drawn = "";
  const add = () => {
    const row = Object.values(own().columns ?? {}).map((type) => first(String(type)));
    const { rows } = own();
    void inspector.change(Array.isArray(rows) && rows.length ? { insert: [...path, "rows", rows.length], value: row } : { set: [...path, "rows"], value: [row] });
  };
  /** @param {number} at @param {number} index @param {string} column */
  const field = (at, index, column) => {
    const type = String(own().columns[column]);
    const input = element("input", {
      type: /^(integer|number)/.test(type) ? "number" : "text", step: "any", id: `cell-${at}-${index}`, "aria-label": `${column}, row ${at + 1}`,
      onchange: () => void inspector.change({ set: [...path, "rows", at, Array.isArray(own().rows[at]) ? index : column], value: typed(input.value, type) }),
    });
    return input;
  };
  const draw = () => {
    const rows = own().rows ?? [];
    fields = rows.slice(0, MOST_ROWS).map((/** @type {any} */ _, /** @type {number} */ at) => names().map((column, index) => field(at, index, column)));
    table.replaceChildren(element("thead", {}, element("tr", {}, ...names().map((column) => element("th", { scope: "col" }, column)), element("td", {}))),
      element("tbody", {}, ...fields.map((inputs, at) => element("tr", {}, ...inputs.map((input) => element("td", {}, input)), element("td", {},
        element("button", { className: "reset", title: "Remove the row", "aria-label": `Remove row ${at + 1}`, onclick: () => void inspector.change({ remove: [...path, "rows", at] }) }, icon("close")))))));
  };
  return {
    kind: "table", above: [["Tables", ""]], title: element("h2", {}, name),
    about: () => `Table, ${own().rows?.length ?? 0} rows`,
    actions: [actionButton("plus", "Add row", "Add a row", add, { id: "add-row" })],
    order: { show: () => {}, nodes: [actionButton("remove", "", `Remove table ${name}`, () => void inspector.change({ remove: Object.keys(inspector.data.tables).length > 1 ? path : ["tables"] }),
      { id: `remove-tables-${name}`, "aria-label": `Remove table ${name}` })] },
    content: [element("div", { className: "scrolled" }, table), element("h3", {}, "Columns"), columns.node, facts.node],
    show: () => {
      columns.show();
      const users = inspector.objects.filter((one) => one?.spawn?.table === name).map((one) => one.name);
      facts.show(users.length ? [["used by", users.join(", ")]] : []);
      const shape = JSON.stringify([own().columns, own().rows?.length]);
      if (shape !== drawn) {
        drawn = shape;
        draw();
      }
      fields.forEach((inputs, at) => inputs.forEach((input, index) => showText(input, shownAs(cellOf(own().rows[at], names()[index], index)))));
    },
  };
}

/** @param {unknown} value */
const shownAs = (value) => (value === null || value === undefined ? "" : String(value));

/** The value that a new row has in a column. @param {string} type */
function first(type) {
  if (type.endsWith("?")) return null;
  return { text: "", boolean: false }[type] ?? 0;
}

/** @param {string} text @param {string} type */
function typed(text, type) {
  if (text === "" && type.endsWith("?")) return null;
  if (type.startsWith("text")) return text;
  if (type.startsWith("boolean")) return text === "true" ? true : text === "false" ? false : text;
  return text === "" ? text : Number(text);
}
