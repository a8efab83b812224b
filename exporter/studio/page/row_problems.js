// @ts-check
/** Shows problems at the parameters that they are about. */

import { element } from "./elements.js";
import { describe, fieldsOf, idOf, ownOf } from "./row_words.js";

/** @typedef {import("./messages.js").ProblemData} Fault */

export class RowProblems {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    /** The file whose parameters are shown; problems of other files are left out. */
    this.file = "";
    /** @type {Fault[]} */ this.faults = [];
    /** Why a change was refused, by its path as text; until the draft is another one. @type {Map<string, string>} */
    this.refused = new Map();
    /** The rows that tell something, and what. @type {Map<HTMLElement, string>} */
    this.told = new Map();
  }

  /** Parameters of another file are shown. @param {string} file */
  begin(file) {
    this.file = file;
    this.faults = [];
  }

  /** @param {Fault[]} faults */
  show(faults) {
    this.faults = faults;
    this.mark();
  }

  /** @param {(string | number)[]} path @param {string} why */
  refuse(path, why) {
    this.refused.set(JSON.stringify(path), why);
    this.mark();
  }

  /** Show the problems at each row, also at rows that were drawn again. */
  mark() {
    const wanted = this.wanted();
    for (const row of this.told.keys()) if (!wanted.has(row)) tell(row, "");
    for (const [row, text] of wanted) if (this.told.get(row) !== text) tell(row, text);
    this.told = wanted;
  }

  /** @returns {Map<HTMLElement, string>} */
  wanted() {
    /** @type {Map<HTMLElement, string>} */
    const wanted = new Map();
    const faults = this.faults.filter((one) => one.file === this.file && one.path.length);
    if (!faults.length && !this.refused.size) return wanted;
    const rows = new Map(/** @type {HTMLElement[]} */ ([...this.panel.querySelectorAll(".row[data-parameter]")])
      .map((row) => [row.dataset.parameter, row]));
    /** @param {HTMLElement} row @param {string} text */
    const add = (row, text) => wanted.set(row, wanted.has(row) ? `${wanted.get(row)}\n${text}` : text);
    for (const { path, message } of faults) {
      // A problem inside a list or mapping is shown at its innermost row.
      for (let length = path.length; length > 0; length--) {
        const row = rows.get(JSON.stringify(path.slice(0, length)));
        if (!row) continue;
        add(row, message);
        break;
      }
    }
    for (const [path, why] of this.refused) {
      const row = rows.get(path);
      if (row) add(row, why);
    }
    return wanted;
  }
}

/** @param {HTMLElement} row @param {string} text empty when all is well */
function tell(row, text) {
  row.querySelector(":scope > .why")?.remove();
  row.classList.toggle("wrong", Boolean(text));
  const fields = fieldsOf(row);
  // A text that was refused stays wrong whatever the spec has.
  const wrong = text || ownOf(row, ".control .why:not([hidden])").length;
  for (const field of fields) {
    if (wrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  if (text) {
    const why = element("p", { className: "why", id: `problem-${idOf(row)}` }, text);
    row.insertBefore(why, row.querySelector(":scope > .sentence"));
  }
  describe(row);
}
