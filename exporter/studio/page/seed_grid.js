// @ts-check
/** The grid of small pictures: sorted, filtered or as a sweep; one of them has the focus. */

import { element } from "./elements.js";
import { figure } from "./seed_level.js";

/** @typedef {import("./seed_level.js").SeedLevel} SeedLevel */
/**
 * @typedef {object} Order
 * @property {string} metric the name of a metric; empty for the order in which they came
 * @property {boolean} descending
 * @property {"all" | "matching" | "complete" | "starred"} show complete ones match, too
 */

/** Failed levels come after the others. @param {SeedLevel} a @param {SeedLevel} b */
const inOrder = (a, b) => Number(Boolean(a.failure)) - Number(Boolean(b.failure)) || a.number - b.number;

export class SeedGrid {
  /**
   * @param {(level: SeedLevel | null) => void} onFocus
   * @param {(level: SeedLevel) => void} onUse
   */
  constructor(onFocus, onUse) {
    this.onFocus = onFocus;
    this.onUse = onUse;
    this.box = element("div", { className: "seed-grid", role: "listbox", tabindex: -1, "aria-label": "Levels" });
    /** @type {SeedLevel[]} */ this.levels = [];
    /** @type {Map<string, SeedLevel>} */ this.stars = new Map();
    /** @type {Map<SeedLevel, HTMLElement>} */ this.cells = new Map();
    /** @type {SeedLevel | null} */ this.focused = null;
    /** Whether the user gave the focus. */
    this.picked = false;
    /** @type {SeedLevel | null} */ this.other = null;
    /** @type {Order} */ this.order = { metric: "", descending: true, show: "all" };
    /** @type {{names: string[], values: unknown[][]} | null} */ this.sweep = null;
  }

  /** Begin another sheet. @param {{names: string[], values: unknown[][]} | null} sweep */
  begin(sweep) {
    this.levels = [];
    this.cells.clear();
    this.sweep = sweep;
    this.focused = this.other = null;
    this.picked = false;
    this.box.classList.toggle("sweep", sweep !== null);
    this.arrange();
    this.onFocus(null);
  }

  /** @param {SeedLevel[]} levels */
  add(levels) {
    this.levels.push(...levels);
    if (this.sweep || this.order.metric || this.order.show !== "all") return this.arrange();
    for (const level of levels) {
      const [next] = this.levels.filter((one) => this.cells.has(one) && inOrder(one, level) > 0).sort(inOrder);
      this.box.insertBefore(this.cell(level), this.cells.get(next) ?? null);
    }
    // A failed level has the focus until a better one comes.
    if (!this.focused || (this.focused.failure && !this.picked)) this.focus(this.shown()[0], this.box.contains(document.activeElement));
  }

  /** The levels that are shown, in their order. @returns {SeedLevel[]} */
  shown() {
    const { metric, descending, show } = this.order;
    if (this.sweep) return [...this.levels].sort((a, b) => a.number - b.number);
    const wanted = show === "starred" ? [...this.stars.values()]
      : this.levels.filter((one) => show === "all" || (one.matches && (show === "matching" || one.complete)));
    const sign = descending ? -1 : 1;
    return wanted.sort((a, b) => {
      if (!metric) return inOrder(a, b);
      const [first, second] = [a.metrics[metric], b.metrics[metric]];
      // Levels without this metric come last, whatever the direction.
      if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
      return (first - second) * sign || a.number - b.number;
    });
  }

  /** @param {Partial<Order>} order */
  sort(order) {
    Object.assign(this.order, order);
    this.arrange();
  }

  arrange() {
    const hadFocus = this.box.contains(document.activeElement);
    const shown = this.shown();
    if (this.sweep) this.box.replaceChildren(...this.sweepCells(shown));
    else this.box.replaceChildren(...shown.map((one) => this.cell(one)));
    if (!this.focused || !shown.includes(this.focused)) this.focus(shown[0] ?? null, hadFocus);
    else if (hadFocus) this.cells.get(this.focused)?.focus({ preventScroll: true });
  }

  /** A sweep with its values beside and above. @param {SeedLevel[]} shown */
  sweepCells(shown) {
    const { names, values } = /** @type {{names: string[], values: unknown[][]}} */ (this.sweep);
    const columns = values[0] ?? [];
    this.box.style.setProperty("--columns", String(columns.length));
    const corner = element("span", { className: "axis" }, names.length > 1 ? `${names[0]} →\n${names[1]} ↓` : `${names[0]} →`);
    const parts = [corner, ...columns.map((one) => element("span", { className: "axis" }, figure(one)))];
    for (let row = 0; row < (values[1]?.length ?? 1); row++) {
      parts.push(element("span", { className: "axis" }, values[1] ? figure(values[1][row]) : ""));
      for (let column = 0; column < columns.length; column++) {
        const found = shown.find((one) => one.column === column && one.row === row);
        parts.push(found ? this.cell(found) : element("span", { className: "seed-empty" }));
      }
    }
    return parts;
  }

  /** @param {SeedLevel} level @returns {HTMLElement} */
  cell(level) {
    const { metric } = this.order;
    const label = this.sweep ? "" : String(level.seed);
    const value = metric && level.metrics[metric] !== undefined ? figure(level.metrics[metric]) : "";
    let made = this.cells.get(level);
    if (!made) {
      made = /** @type {HTMLElement} */ (element("div", {
        role: "option", tabindex: -1, className: "seed", id: `seed-${level.number}`,
        "data-seed": level.seed, onclick: () => { this.picked = true; this.focus(level, true); }, ondblclick: () => this.onUse(level),
        onfocus: () => this.focus(level, false),
      }, level.canvas(), element("span", { className: "label" }, element("b", {}), element("small", {}), element("i", {}))));
      this.cells.set(level, made);
    }
    /** @type {(tag: string, text: string) => void} */
    const write = (tag, text) => { /** @type {Element} */ (made?.querySelector(tag)).textContent = text; };
    write("b", label);
    write("small", value);
    write("i", this.stars.has(level.key) ? "★" : "");
    made.classList.toggle("miss", Boolean(level.miss) || level.leftOut);
    made.classList.toggle("failed", Boolean(level.failure));
    made.classList.toggle("other", level === this.other);
    made.classList.toggle("incomplete", !level.failure && !level.complete);
    made.title = [level.why, ...level.warnings].filter(Boolean).join("\n");
    const starred = this.stars.has(level.key) ? ", starred" : "";
    made.setAttribute("aria-label", `${level.title}${metric ? `, ${metric} ${value || "none"}` : ""}${starred}${level.why ? `: ${level.why}` : ""}`);
    made.setAttribute("aria-selected", String(level === this.focused));
    made.tabIndex = level === this.focused ? 0 : -1;
    return made;
  }

  /** @param {SeedLevel | null} level @param {boolean} move whether the keyboard goes there */
  focus(level, move) {
    const before = this.focused;
    this.focused = level;
    for (const one of [before, level]) if (one && this.cells.has(one)) this.cell(one);
    if (level && move) this.cells.get(level)?.focus();
    if (before !== level) this.onFocus(level);
  }

  /** Mark the levels that a pack shall leave out. @param {Set<number | string>} seeds */
  leaveOut(seeds) {
    for (const one of this.levels) {
      if (one.leftOut === seeds.has(one.seed)) continue;
      one.leftOut = !one.leftOut;
      if (this.cells.has(one)) this.cell(one);
    }
  }

  /** @param {SeedLevel} level */
  star(level) {
    if (!this.stars.delete(level.key)) this.stars.set(level.key, level);
    if (this.order.show === "starred") this.arrange();
    else this.cell(level);
  }

  /** Note with which level others are compared. @param {SeedLevel | null} level */
  compareWith(level) {
    const before = this.other;
    this.other = level;
    for (const one of [before, level]) if (one && this.cells.has(one)) this.cell(one);
  }

  /** How many stand in a row. */
  columns() {
    if (this.sweep) return this.sweep.values[0]?.length ?? 1;
    return Math.max(1, getComputedStyle(this.box).gridTemplateColumns.split(" ").length);
  }

  /** @param {string} key of an event @returns {boolean} whether the focus has moved */
  move(key) {
    const shown = this.shown();
    const steps = /** @type {Record<string, number>} */ ({
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns(), ArrowDown: this.columns(),
      Home: -shown.length, End: shown.length,
    });
    if (!(key in steps) || !shown.length) return false;
    const place = this.focused ? shown.indexOf(this.focused) : -1;
    const wanted = place + steps[key];
    const edge = key === "Home" || key === "End" ? Math.min(Math.max(wanted, 0), shown.length - 1) : wanted;
    const next = shown[edge];
    this.picked = true;
    if (next) this.focus(next, true);
    return true;
  }
}
