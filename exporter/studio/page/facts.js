// @ts-check
/** Measures of a thing, as a list of names and numbers that is updated in place. */

import { element } from "./elements.js";

export class Facts {
  constructor() {
    this.node = element("dl", { className: "facts" });
    this.names = "";
    /** @type {HTMLElement[]} */ this.values = [];
  }

  /** @param {[string, string][]} facts */
  show(facts) {
    const names = JSON.stringify(facts.map(([name]) => name));
    if (names !== this.names) {
      this.names = names;
      this.values = facts.map(() => element("dd", {}));
      this.node.replaceChildren(...facts.map(([name], place) => element("div", {}, element("dt", {}, name), this.values[place])));
      this.node.hidden = !facts.length;
    }
    facts.forEach(([, text], place) => {
      if (this.values[place].textContent !== text) this.values[place].textContent = text;
    });
  }
}

/** @param {number} part @param {number} whole */
export function percent(part, whole) {
  const share = whole ? (100 * part) / whole : 0;
  return `${share && share < 10 ? share.toFixed(1) : Math.round(share)} %`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
