// @ts-check
/** Lists the differences of two levels in words: counts, and entries to look at. */

import { element } from "./elements.js";

/** @typedef {import("./messages.js").BoxData} Box */
/** @typedef {import("./messages.js").MetricChangeData} MetricChange */
/** @typedef {(box: Box, layer?: string) => void} Look */

const MOST = 200;
const MARKS = /** @type {Record<string, string>} */ ({ added: "+", removed: "−", changed: "~" });

/** @param {number} count @param {string} word */
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The counts in a line. @param {import("./messages.js").DifferenceData} found */
export function summaryOf(found) {
  if (found.equal) return "no difference";
  const { layers, objects } = found;
  const parts = layers.changed.flatMap(({ name, kind, cells }) => (
    cells?.changed ? [`${name}: ${counted(cells.changed, kind === "tiles" ? "cell" : "sample")}`] : []));
  const others = layers.changed.length - parts.length + layers.added.length + layers.removed.length;
  if (parts.length > 3) parts.splice(3, Infinity, `and ${parts.length - 3} more layers`);
  if (others) parts.push(`${counted(others, "layer")} otherwise`);
  const moved = objects.changed.filter((one) => one.moved).length;
  const told = [[objects.added.length, "added"], [objects.removed.length, "removed"], [moved, "moved"], [objects.changed.length - moved, "with other properties"]]
    .filter(([count]) => count).map(([count, word]) => `${count} ${word}`);
  if (told.length) parts.push(`objects: ${told.join(", ")}`);
  if (found.was.size.join() !== found.now.size.join()) parts.push(`size ${found.was.size.join(" x ")} → ${found.now.size.join(" x ")}`);
  return parts.length ? parts.join("; ") : "Different, but no cells and no objects.";
}

/**
 * @param {import("./messages.js").ComparisonEvent} event
 * @param {Look} look shows a part of the level
 * @returns {Node[]}
 */
export function listOf(event, look) {
  const found = event.difference;
  return [
    ...aboutLevels(found),
    ...found.layers.changed.map((one) => layerOf(one, look)),
    ...named("Layers", [...found.layers.added.map((name) => `+ ${name}`), ...found.layers.removed.map((name) => `− ${name}`),
      ...(found.layers.reordered ? ["in another order"] : [])]),
    ...objectsOf(found.objects, look),
    ...named("Also", othersOf(found)),
    ...metricsOf(found.metrics),
    ...linesOf("Lines of the spec", event.lines),
    ...linesOf("Lines of the hand edits", event.editLines),
  ];
}

/** @param {import("./messages.js").DifferenceData} found */
function aboutLevels(found) {
  const { was, now, compared, walkable } = found;
  const lines = [];
  if (was.level !== now.level) lines.push(`${was.level} → ${now.level}`);
  if (was.seed !== now.seed) lines.push(`seed ${was.seed} → ${now.seed}`);
  if (was.size.join() !== now.size.join()) {
    lines.push(`A has ${was.size.join(" x ")} cells, B has ${now.size.join(" x ")}: compared are the ${compared.join(" x ")} that both have, from the upper left corner.`);
  }
  if (walkable.opened || walkable.closed) lines.push(`walkable: ${counted(walkable.opened, "cell")} opened, ${walkable.closed} closed`);
  return named("", lines);
}

/** @param {import("./messages.js").LayerChangeData} layer @param {Look} look */
function layerOf(layer, look) {
  const { cells, heights } = layer;
  const name = element("b", {}, layer.name);
  const box = cells?.box;
  const head = cells?.changed && box
    ? entry([name, ` ${cells.changed} of ${cells.compared} changed (${(cells.share * 100).toFixed(1)} %)`], () => look(box, layer.name))
    : element("p", {}, name, cells ? " no cell changed" : " has other contents");
  const lines = [
    ...(cells?.pairs ?? []).map((one) => `${one.cells}  ${one.was} → ${one.now}`),
    ...(heights ? [`${heights.raised} higher, ${heights.lowered} lower, at most ${figure(heights.largest)} ${heights.units}`] : []),
    ...[...layer.legend, ...layer.facts].map(changeText),
    ...Object.entries(layer.masks).map(([mask, count]) => `${mask}: ${counted(Number(count), "cell")}`),
    ...listChange("rooms", layer.rooms), ...listChange("connections", layer.connections),
  ];
  return element("div", { className: "difference" }, head, ...listed(lines));
}

/** @param {import("./messages.js").ObjectChangesData} objects @param {Look} look */
function objectsOf(objects, look) {
  /** @type {(at: [number, number]) => Box} */
  const cell = ([x, y]) => ({ x, y, width: 1, height: 1 });
  /** @type {(a: Box, b: Box) => Box} */
  const both = (a, b) => ({
    x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1,
  });
  /** @type {[string, Box][]} */
  const entries = [];
  for (const one of objects.removed) entries.push([`− ${one.name} ${one.number} at ${one.at}`, cell(one.at)]);
  for (const one of objects.added) entries.push([`+ ${one.name} ${one.number} at ${one.at}`, cell(one.at)]);
  for (const { name, was, now, moved, properties } of objects.changed) {
    const others = properties.length ? `: ${properties.map(changeText).join(", ")}` : "";
    entries.push([`~ ${name} ${was.number} at ${was.at}${moved ? ` → ${now.at}` : ""}${others}`, both(cell(was.at), cell(now.at))]);
  }
  if (!entries.length && !objects.other_ids) return [];
  const other = objects.other_ids ? `${objects.other_ids} with other ids; ` : "";
  return [element("div", { className: "difference" }, element("p", {}, element("b", {}, "Objects"), ` ${other}${objects.same} as before`),
    ...entries.slice(0, MOST).map(([text, box]) => entry([text], () => look(box))), more(entries.length))];
}

/** @param {import("./messages.js").DifferenceData} found @returns {string[]} */
function othersOf(found) {
  const { visibility } = found;
  const sight = !visibility ? [] : visibility.views === null
    ? [`visibility: ${visibility.kind}${visibility.reason ? ` (${visibility.reason})` : ""}`]
    : [`visibility: ${counted(visibility.views, "cell")} with another view`];
  return [
    ...sight,
    ...found.tables.map((one) => `table ${one.name}: ${one.kind === "changed" ? `${one.added} rows added, ${one.removed} removed` : one.kind}`),
    ...found.puzzles.map((one) => `puzzle ${one.name}: ${one.kind}`),
    ...found.properties.map(changeText),
    ...(found.tileset ? ["other pictures of tiles"] : []),
  ];
}

/** @param {import("./messages.js").DifferenceData["metrics"]} metrics */
function metricsOf(metrics) {
  if (!Object.keys(metrics).length) return [];
  /** @type {(value: number | null) => string} */
  const told = (value) => (value === null ? "–" : figure(value));
  /** @param {MetricChange} one @returns {(number | null)[]} */
  const figures = ({ was, now, difference }) => [was, now, difference];
  const rows = Object.entries(metrics).map(([name, one]) => element("tr", {}, element("th", { scope: "row" }, name),
    ...figures(one).map((value, at) => element("td", {}, (at === 2 && Number(value) > 0 ? "+" : "") + told(value)))));
  const head = ["metric", "A", "B", "difference"].map((word) => element("th", { scope: "col" }, word));
  return [element("table", { className: "figures" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows))];
}

/** @param {string} title @param {import("./messages.js").DifferingLine[] | null} lines */
function linesOf(title, lines) {
  if (lines && !lines.length) return [];
  const marks = /** @type {Record<string, string>} */ ({ both: "  ", mine: "+ ", theirs: "- " });
  const body = lines
    ? element("pre", {}, ...lines.map((one) => element("span", { className: one.side }, `${marks[one.side]}${one.text}\n`)))
    : element("p", {}, "too many to compare");
  return [element("div", { className: "difference" }, element("p", {}, element("b", {}, title)), body)];
}

/** @param {string} title @param {string[]} lines */
function named(title, lines) {
  if (!lines.length) return [];
  return [element("div", { className: "difference" }, title ? element("p", {}, element("b", {}, title)) : null, ...listed(lines))];
}

/** @param {string[]} lines */
function listed(lines) {
  return lines.length ? [element("ul", {}, ...lines.slice(0, MOST).map((line) => element("li", {}, line))), more(lines.length)] : [];
}

/** @param {number} count */
function more(count) {
  return count > MOST ? element("p", {}, `and ${count - MOST} more`) : null;
}

/** @param {(Node | string)[]} content @param {() => void} look */
function entry(content, look) {
  return element("button", { type: "button", className: "entry", title: "Show it in the picture", onclick: look }, ...content);
}

/** @param {import("./messages.js").NamedChangeData} one */
function changeText(one) {
  if (one.kind === "added") return `+ ${one.name} ${short(one.now)}`;
  if (one.kind === "removed") return `− ${one.name}`;
  return `${MARKS[one.kind]} ${one.name} ${short(one.was)} → ${short(one.now)}`;
}

/** @param {unknown} value */
function short(value) {
  const text = value !== null && typeof value === "object" && "name" in value ? "" : JSON.stringify(value) ?? "";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** @param {number} value */
function figure(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

/** @param {string} name @param {import("./messages.js").ListChangeData | null} change */
function listChange(name, change) {
  return change ? [`${name}: ${change.was} → ${change.now}`] : [];
}
