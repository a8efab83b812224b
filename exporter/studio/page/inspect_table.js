// @ts-check
/** A table of game data: its columns, and its rows to change, add, sort and remove. */

import { countOf, element } from "./elements.js";
import { Facts } from "./facts.js";
import { icon } from "./icons.js";
import { actionButton } from "./inspector_parts.js";
import { say } from "./notices.js";
import { ParameterRow } from "./parameter_row.js";
import { showText } from "./uncommitted.js";

// Rows that are shown: more are for the text.
const MOST_ROWS = 200;
// The server takes no more changes at once.
const MOST_CHANGES = 250;

/** @param {import("./inspector.js").Inspector} inspector @param {import("./schema.js").Schema} schema @param {string} name @returns {import("./inspector.js").View} */
export function inspectTable(inspector, schema, name) {
  const path = ["tables", name];
  const facts = new Facts();
  const table = element("table", { className: "cells" });
  const columns = new ParameterRow(columnHost(inspector, name), schema.tableField("columns"), [...path, "columns"]);
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
  /** @param {number} from @param {number} to */
  const move = async (from, to) => {
    await inspector.change({ move: [...path, "rows", from], place: to });
    const buttons = /** @type {NodeListOf<HTMLButtonElement> | undefined} */ (table.tBodies[0]?.rows[to]?.querySelectorAll("button"));
    buttons?.[to < from ? 0 : 1]?.focus();
  };
  /** Sort the rows by a column; those that are sorted already the other way round. @param {string} column @param {number} index */
  const sort = (column, index) => {
    const values = /** @type {any[]} */ (own().rows ?? []).map((row) => cellOf(row, column, index) ?? "");
    const order = [...values.keys()].sort((a, b) => compared(values[a], values[b]) || a - b);
    if (order.every((from, to) => from === to)) order.sort((a, b) => compared(values[b], values[a]) || a - b);
    /** @type {import("./messages.js").Change[]} */
    const moves = [];
    const present = [...values.keys()];
    order.forEach((wanted, to) => {
      const from = present.indexOf(wanted);
      if (from === to) return;
      present.splice(to, 0, ...present.splice(from, 1));
      moves.push({ move: [...path, "rows", from], place: to });
    });
    if (moves.length) void inspector.page.change(moves);
  };
  const draw = () => {
    const rows = own().rows ?? [];
    fields = rows.slice(0, MOST_ROWS).map((/** @type {any} */ _, /** @type {number} */ at) => names().map((column, index) => field(at, index, column)));
    table.replaceChildren(element("thead", {}, element("tr", {}, ...names().map((column, index) => element("th", { scope: "col" },
      element("button", { className: "quiet", title: `Sort by ${column}`, disabled: rows.length > MOST_ROWS, onclick: () => sort(column, index) }, column))), element("td", {}))),
      element("tbody", {}, ...fields.map((inputs, at) => element("tr", {}, ...inputs.map((input) => element("td", {}, input)), element("td", {}, element("span", { className: "row-actions" },
        actionButton("up", "", "Move the row up", () => move(at, at - 1), { "aria-label": `Move row ${at + 1} up`, disabled: at === 0 }),
        actionButton("down", "", "Move the row down", () => move(at, at + 1), { "aria-label": `Move row ${at + 1} down`, disabled: at === rows.length - 1 }),
        element("button", { className: "reset", title: "Remove the row", "aria-label": `Remove row ${at + 1}`, onclick: () => void inspector.change({ remove: [...path, "rows", at] }) }, icon("close"))))))));
  };
  return {
    kind: "table", above: [["Tables", ""]], title: element("h2", {}, name),
    about: () => `Table, ${countOf(own().rows?.length ?? 0, "row")}`,
    actions: [actionButton("plus", "Add row", "Add a row", add, { id: "add-row" })],
    order: { show: () => {}, nodes: [actionButton("remove", "", `Remove table ${name}`, () => void inspector.change({ remove: Object.keys(inspector.data.tables).length > 1 ? path : ["tables"] }),
      { id: `remove-tables-${name}`, "aria-label": `Remove table ${name}` })] },
    content: [element("div", { className: "scrolled" }, table), columns.node, facts.node],
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

/** @param {any} one @param {any} other */
const compared = (one, other) => (typeof one === "string" || typeof other === "string" ? String(one).localeCompare(String(other)) : Number(one) - Number(other));

/**
 * The host of the columns: a column that comes or goes takes its cells in every row along.
 * @param {import("./inspector.js").Inspector} inspector @param {string} name @returns {import("./parameter_row.js").RowHost}
 */
function columnHost(inspector, name) {
  const path = ["tables", name];
  /** @param {import("./messages.js").Change} change @returns {import("./messages.js").Change[]} */
  const rowChanges = (change) => {
    const { columns = {}, rows } = inspector.data.tables[name];
    const key = "set" in change ? change.set[3] : "remove" in change ? change.remove[3] : "rename" in change ? change.rename[3] : undefined;
    if (key === undefined || !rows?.length) return [];
    const at = Object.keys(columns).indexOf(String(key));
    if ("set" in change && (at >= 0 || !("value" in change))) return [];
    const added = "value" in change ? first(String(change.value)) : undefined;
    /** @type {(row: any, index: number) => import("./messages.js").Change[]} */
    const cellChanges = (row, index) => {
      const [cells, isList] = [[...path, "rows", index], Array.isArray(row)];
      if ("set" in change) return isList ? [{ insert: [...cells, row.length], value: added }] : [{ set: [...cells, key], value: added }];
      if ("remove" in change) return isList || key in row ? [{ remove: [...cells, isList ? at : key] }] : [];
      return "rename" in change && !isList && key in row ? [{ rename: [...cells, key], key: change.key }] : [];
    };
    if (rows.some(isRounded)) return rows.flatMap(cellChanges);
    /** @type {(row: any) => unknown} */
    const rowAfter = (row) => {
      const isList = Array.isArray(row);
      if ("remove" in change) return isList ? row.toSpliced(at, 1) : without(row, key);
      if ("rename" in change) return isList ? row : Object.fromEntries(Object.entries(row).map(([own, value]) => [own === key ? change.key : own, value]));
      return isList ? [...row, added] : { ...row, [key]: added };
    };
    // One value for all rows: the server compares them, and writes what differs.
    return [{ set: [...path, "rows"], value: rows.map(rowAfter) }];
  };
  return Object.assign(Object.create(inspector), {
    change: async (/** @type {import("./messages.js").Change} */ change, merge = "") => {
      const changes = [change, ...rowChanges(change)];
      if (changes.length <= MOST_CHANGES) return inspector.page.change(changes, merge);
      const why = "This table has many rows and integers above 9,007,199,254,740,991: change its columns in the text.";
      say(why, true);
      return why;
    },
  });
}

/** @param {Record<string, unknown>} row @param {string | number} column */
const without = (row, column) => Object.fromEntries(Object.entries(row).filter(([own]) => own !== String(column)));

/** Whether a row has a number that this page holds rounded, and must not write back. @param {any} row */
const isRounded = (row) => Object.values(row ?? {}).some((one) => Number.isInteger(one) && !Number.isSafeInteger(one));

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
