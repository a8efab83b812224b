// @ts-check
/** Parameters in one list: the set and usual ones first, the others behind *More*. */

import { element } from "./elements.js";

/** @typedef {import("./parameter_row.js").ParameterRow} ParameterRow */

export class ParameterGroup {
  /**
   * @param {ParameterRow[]} rows in their order
   * @param {(row: ParameterRow) => boolean | undefined} isUsual whether a row stands first although the spec does not set it
   * @param {string} id of the fold
   */
  constructor(rows, isUsual, id) {
    this.rows = rows;
    this.first = element("div", { className: "rows" });
    this.count = element("small", {});
    this.fold = element("summary", { id: `fold-${id}` }, "More ", this.count);
    this.more = element("details", { className: "more" }, this.fold);
    this.node = element("div", { className: "group" }, this.first, this.more);
    /** The headings behind *More*, by the groups of their rows. @type {Map<string, HTMLElement>} */
    this.headings = new Map();
    // What comes first is decided once: a row whose value is taken out stays where it is.
    for (const row of rows) {
      const { group } = row.field;
      if (group && !this.headings.has(group)) {
        const heading = element("h4", {}, group);
        this.headings.set(group, heading);
        this.more.append(heading);
      }
      (row.stands || isUsual(row) ? this.first : this.more).append(row.node);
    }
    this.tally();
  }

  /** Show the values that the draft has. */
  show() {
    for (const row of this.rows) row.show();
    this.arrange();
  }

  /** Move rows that are set by now before the fold; but not below the hand of a person who has opened it. */
  arrange() {
    if (this.more.open) return;
    let moved = false;
    /** @type {Node | null} */
    let next = null;
    for (const row of [...this.rows].reverse()) {
      if (row.stands && row.node.parentNode === this.more) {
        this.first.insertBefore(row.node, next);
        moved = true;
      }
      if (row.node.parentNode === this.first) next = row.node;
    }
    if (moved) this.tally();
  }

  tally() {
    const left = this.more.querySelectorAll(":scope > .row").length;
    this.more.hidden = !left;
    this.count.textContent = String(left);
    for (const [group, heading] of this.headings) heading.hidden = !this.rows.some(({ field, node }) => field.group === group && node.parentNode === this.more);
  }
}
