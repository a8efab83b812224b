// @ts-check
/**
 * The words below a parameter: its problem, and the sentence that explains it. The sentence is shown when the row gets the
 * keyboard's focus; for the mouse it is the title of the row.
 */

import { element } from "./elements.js";

const FIELDS = ".control :is(input:not([type=range]), select, textarea)";

/** The sentence of a row, and its title. @param {HTMLElement} row @param {string} sentence */
export function explain(row, sentence) {
  const [field] = fieldsOf(row);
  // A field's own title would not be read out beside the sentence.
  const text = [sentence, field?.title].filter(Boolean).join(" ");
  if (text) row.append(element("p", { className: "sentence", id: `about-${idOf(row)}` }, text));
  describe(row);
}

/** Elements of a row, without those of rows in it. @param {HTMLElement} row @param {string} selector @returns {HTMLElement[]} */
export function ownOf(row, selector) {
  return /** @type {HTMLElement[]} */ ([...row.querySelectorAll(selector)]).filter((one) => one.closest(".row") === row);
}

/** The id of the parameter of a row. @param {HTMLElement} row */
export const idOf = (row) => `parameter-${JSON.parse(row.dataset.parameter ?? "[]").join("-")}`;

/** Give the first field in an element the focus. @param {HTMLElement | undefined} node */
export const focusFirst = (node) => /** @type {HTMLElement | null | undefined} */ (node?.querySelector(FIELDS))?.focus();

/** The fields of a row. @param {HTMLElement} row */
export const fieldsOf = (row) => ownOf(row, FIELDS);

/** Link the fields of a row to the texts below them. @param {HTMLElement} row */
export function describe(row) {
  const words = [...ownOf(row, ".why:not([hidden])"), ...ownOf(row, ".sentence")].map((one) => one.id).join(" ");
  for (const field of fieldsOf(row)) {
    if (words) field.setAttribute("aria-describedby", words);
    else field.removeAttribute("aria-describedby");
  }
}

/** Shows the sentence of the row that has the keyboard. */
export class RowSentences {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    /** @type {Element | null} */ this.shown = null;
    /** @type {Element | null} */ this.wanted = null;
    this.pressed = false;
    panel.addEventListener("focusin", ({ target }) => {
      const keys = document.documentElement.hasAttribute("data-keyboard");
      // Where a list opens at a press, no release may come.
      if (keys) this.pressed = false;
      this.show(keys && target instanceof Element ? target.closest(".row") : null);
    });
    panel.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && panel.contains(relatedTarget))) this.show(null);
    });
    // Nothing may move below the pointer before the click has arrived.
    document.addEventListener("pointerdown", () => { this.pressed = true; this.show(null); }, true);
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(() => this.released()), true);
  }

  released() {
    this.pressed = false;
    this.show(this.wanted);
  }

  /** @param {Element | null} row */
  show(row) {
    this.wanted = row;
    if (this.pressed || row === this.shown) return;
    this.shown?.classList.remove("explained");
    row?.classList.add("explained");
    this.shown = row;
  }
}
