// @ts-check
/** The details of one level of a sheet, or of two beside each other. */

import { element } from "./elements.js";
import { figure } from "./seed_level.js";

/** @typedef {import("./seed_level.js").SeedLevel} SeedLevel */

/**
 * @param {SeedLevel} level
 * @param {SeedLevel | null} other the level to compare with
 * @param {string[]} metrics their names in order
 * @param {Node[]} actions
 * @returns {Node[]}
 */
export function detailsOf(level, other, metrics, actions) {
  const compared = other && other !== level ? other : null;
  const pictures = element("div", { className: "pair" }, card(level), compared ? card(compared) : null);
  return [pictures, element("div", { className: "seed-actions" }, ...actions), figures(level, compared, metrics)];
}

/** @param {SeedLevel} level */
function card(level) {
  return element("figure", {}, level.drawn ? level.canvas() : null, element("figcaption", {}, level.title,
    level.why ? element("span", { className: "why" }, ` ${level.why}`) : null,
    level.warnings.length ? element("ul", { className: "warnings" }, ...level.warnings.map((one) => element("li", {}, one))) : null));
}

/** @param {SeedLevel} level @param {SeedLevel | null} other @param {string[]} metrics */
function figures(level, other, metrics) {
  const names = metrics.filter((name) => level.metrics[name] !== undefined || other?.metrics[name] !== undefined);
  /** @type {(tag: "th" | "td", texts: string[]) => Node} */
  const row = (tag, [name, ...texts]) => element("tr", {}, element("th", { scope: tag === "th" ? "col" : "row" }, name),
    ...texts.map((text) => element(tag, tag === "th" ? { scope: "col" } : {}, text)));
  const rows = names.map((name) => {
    const [first, second] = [level.metrics[name], other?.metrics[name]];
    const value = first === undefined ? "–" : figure(first);
    if (!other) return row("td", [name, value]);
    const known = first !== undefined && second !== undefined;
    return row("td", [name, value, second === undefined ? "–" : figure(second), known ? difference(first - second) : ""]);
  });
  const head = other ? [element("thead", {}, row("th", ["metric", "this", "other", "difference"]))] : [];
  return element("table", { className: "figures" }, ...head, element("tbody", {}, ...rows));
}

/** @param {number} value */
function difference(value) {
  if (value === 0) return "=";
  return `${value > 0 ? "+" : "−"}${figure(Math.abs(value))}`;
}
