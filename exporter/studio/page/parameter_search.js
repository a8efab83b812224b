// @ts-check
/** Finds parameters of the whole level by name, and lists those that the spec sets. */

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { parametersOf } from "./all_parameters.js";

const MOST = 60;

export class ParameterSearch {
  /** @param {import("./inspector.js").Inspector} inspector */
  constructor(inspector) {
    this.inspector = inspector;
    this.input = element("input", {
      type: "search", id: "find-parameter", placeholder: "Find a parameter", "aria-label": "Find a parameter",
      spellcheck: "false", autocomplete: "off", oninput: () => this.apply(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    this.written = element("button", {
      type: "button", className: "quiet", id: "written-parameters", "aria-pressed": "false", title: "List the values that the spec sets",
      onclick: () => {
        this.written.setAttribute("aria-pressed", String(!this.onlySet));
        this.apply();
      },
    }, "Set only");
    this.node = element("div", { className: "finder" }, icon("find"), this.input, this.written);
    this.results = element("div", { className: "found-parameters", hidden: true });
    this.results.addEventListener("keydown", (event) => this.key(event));
    this.drawn = "";
  }

  get onlySet() {
    return this.written.getAttribute("aria-pressed") === "true";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const found = /** @type {HTMLElement[]} */ ([...this.results.querySelectorAll("button")]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) {
      const at = found.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const next = at + step < 0 ? this.input : found[Math.min(at + step, found.length - 1)];
      next.focus();
    } else if (event.key === "Enter" && event.target === this.input) found[0]?.click();
    else if (event.key === "Escape" && (this.input.value || this.onlySet)) this.end();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Show the selected thing again. */
  end() {
    this.input.value = "";
    this.written.setAttribute("aria-pressed", "false");
    this.apply();
  }

  /** List the parameters that match; the selected thing if nothing is looked for. */
  apply() {
    const { inspector, onlySet } = this;
    const text = this.input.value.trim().toLowerCase().replaceAll("_", " ");
    const finds = Boolean(text) || onlySet;
    this.results.hidden = !finds;
    inspector.node.hidden = finds;
    if (!finds || !inspector.schema || !inspector.data) return;
    const found = parametersOf(inspector.schema, inspector.data).filter(({ owner, name, value }) =>
      (`${name.replaceAll("_", " ")}`.includes(text) || owner.toLowerCase() === text) && (!onlySet || value !== undefined));
    const drawn = JSON.stringify(found);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.results.replaceChildren(...found.slice(0, MOST).map(({ owner, name, value, path }) => element("button", {
      className: value === undefined ? "found-parameter" : "found-parameter set",
      onclick: () => {
        this.end();
        inspector.reveal(path);
      },
    }, element("small", {}, owner), element("span", {}, name.replaceAll("_", " ")), element("small", { className: "value" }, value === undefined ? "" : JSON.stringify(value)))),
    element("p", { className: "about", role: "status" }, found.length ? `${found.length} found` : "No parameter has this name."));
  }
}
