// @ts-check
/** Finds parameters by name in the panel, and shows those set in the spec. */

import { element } from "./elements.js";

export class ParameterFinder {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    /** How each section stood before something was looked for. @type {Map<HTMLDetailsElement, boolean>} */
    this.folds = new Map();
    this.input = element("input", {
      type: "search", id: "find-parameter", placeholder: "Find a parameter", "aria-label": "Find a parameter",
      spellcheck: "false", autocomplete: "off", oninput: () => this.apply(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || !this.input.value) return;
        this.input.value = "";
        this.apply();
        event.stopPropagation();
      },
    });
    this.written = element("button", {
      type: "button", className: "quiet", id: "written-parameters", "aria-pressed": "false", title: "Only what the spec writes",
      onclick: () => {
        this.written.setAttribute("aria-pressed", String(!this.onlyWritten));
        this.apply();
      },
    }, "written");
    this.none = element("p", { className: "about", role: "status", hidden: true }, "No parameter is called so.");
    this.node = element("div", { className: "finder" }, this.input, this.written, this.none);
  }

  get onlyWritten() {
    return this.written.getAttribute("aria-pressed") === "true";
  }

  /** Show all of the parameters that match the search; everything if it is empty. */
  apply() {
    const text = this.input.value.trim().toLowerCase().replaceAll("_", " ");
    const finds = Boolean(text) || this.onlyWritten;
    this.panel.toggleAttribute("data-finding", finds);
    let found = 0;
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (this.panel.querySelectorAll(":scope > details"))) {
      const title = section.querySelector("summary")?.textContent?.toLowerCase() ?? "";
      const whole = Boolean(text) && title.includes(text);
      let shown = 0;
      for (const row of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll(".row"))) {
        const label = row.querySelector("label")?.textContent?.toLowerCase() ?? "";
        const fits = !finds || ((whole || label.includes(text)) && (!this.onlyWritten || row.classList.contains("set")));
        row.classList.toggle("missed", !fits);
        shown += Number(fits);
      }
      section.classList.toggle("missed", finds && shown === 0);
      found += shown;
    }
    this.unfold(finds);
    this.none.hidden = found > 0 || !finds;
  }

  /** Open folded parts during a search, and fold them afterwards. @param {boolean} finds */
  unfold(finds) {
    if (finds) {
      for (const one of /** @type {NodeListOf<HTMLDetailsElement>} */ (this.panel.querySelectorAll("details"))) {
        if (!this.folds.has(one)) this.folds.set(one, one.open);
        one.open = true;
      }
      return;
    }
    for (const [one, open] of this.folds) one.open = open;
    this.folds.clear();
  }
}
