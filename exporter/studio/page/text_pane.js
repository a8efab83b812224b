// @ts-check
/** The text of the level's spec beside its picture: the editor is loaded when the pane is opened for the first time. */

import { byId, element, storage } from "./elements.js";
import { PanelEdge } from "./panel_edge.js";
import { Schema } from "./schema.js";
import { TextDraft } from "./text_draft.js";
import { textEditor } from "./text_editor.js";
import { TextSuggestions } from "./text_suggestions.js";
import { rangeOf } from "./yaml_position.js";

/** @typedef {import("./messages.js").Request} Request */

const OPEN = "level-exporter-text";

export class TextPane {
  /** @param {HTMLElement} panel @param {import("./page.js").Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    new PanelEdge(panel);
    new MutationObserver(() => this.toggled()).observe(panel, { attributeFilter: ["class"] });
    this.about = element("p", { className: "about nothing" }, "Loading the editor ...");
    this.host = element("div", { className: "text-editor" });
    panel.append(this.about, this.host);
    /** Messages that wait until the server has what was typed before them, with the count of those texts. @type {{message: Request, after: number}[]} */
    this.held = [];
    /** @type {Promise<void> | null} */ this.loading = null;
    /** @type {any} */ this.codemirror = null;
    /** @type {any} */ this.view = null;
    /** @type {TextDraft | null} */ this.draft = null;
    /** @type {(range: {from: number, to: number} | null) => void} */ this.showRange = () => {};
    /** @type {Schema | null} */ this.schema = null;
    /** @type {any} */ this.data = null;
    /** What is selected. @type {(string | number)[]} */ this.path = [];
    /** Whether its lines are shown. */
    this.isShown = false;
  }

  get isOpen() {
    return !this.panel.classList.contains("folded");
  }

  get keys() {
    return [{ key: "Y", help: "the text of the level; there: Ctrl+Space suggests, Ctrl+F finds, Esc leaves", action: () => this.toggle() }];
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      schema: (event) => {
        this.schema = new Schema(event.schema);
        // The picture and the controls come first.
        if (storage()?.getItem(OPEN) === "open") this.page.unfold("text");
      },
      problems: () => this.mark(),
      refused: (event) => { if (event.do === "text") this.refused(); },
    };
  }

  /** Open the pane or close it; who opens it by a key writes at once. */
  toggle() {
    this.page.fold("text");
    if (this.isOpen) void this.load().then(() => this.view?.focus());
    else this.page.picture.focus({ preventScroll: true });
  }

  /** The pane was opened or closed. */
  toggled() {
    storage()?.setItem(OPEN, this.isOpen ? "open" : "");
    if (this.isOpen) void this.load();
  }

  /** @returns {Promise<void>} ends when the editor is there */
  load() {
    this.loading ??= this.make().catch(() => {
      this.about.textContent = "The editor cannot be loaded. Close this and open it again.";
      this.loading = null;
    });
    return this.loading;
  }

  async make() {
    const codemirror = await import("./codemirror.js");
    const { page } = this;
    const draft = new TextDraft(codemirror, {
      number: () => (page.changes += 1),
      send: (message) => page.connection.send(message),
      taken: () => {
        for (const one of this.held) one.after -= 1;
        this.release();
      },
    });
    const suggestions = new TextSuggestions(codemirror, {
      schema: () => this.schema,
      data: () => this.data,
      names: page.inspector.names,
    });
    const made = textEditor(codemirror, this.host.attachShadow({ mode: "open" }), {
      updated: (update) => {
        draft.updated(update);
        // A long text is parsed on in the background.
        if (!this.isShown && !update.docChanged && codemirror.syntaxTree(update.state) !== codemirror.syntaxTree(update.startState)) this.showSelected();
      },
      isLocked: () => draft.isLocked, remote: draft.remote, suggestions,
    });
    draft.view = made.view;
    Object.assign(this, { codemirror, draft, view: made.view, showRange: made.showRange });
    this.about.hidden = true;
    if (page.draft) this.showDraft(page.draft);
    this.mark();
  }

  /** @param {import("./messages.js").DraftEvent} event */
  showDraft(event) {
    if (event.data !== null && typeof event.data === "object") this.data = event.data;
    const { draft } = this;
    if (!draft) return;
    const other = draft.draft && draft.draft.level !== event.level;
    draft.show(event);
    if (other) this.path = [];
    if (!draft.pieces.length) this.release(true);
    this.showSelected();
  }

  welcomed() {
    this.draft?.welcomed();
  }

  refused() {
    this.draft?.refused();
    this.release(true);
  }

  /** Whether a message waits for what was typed before it. @param {Request} message */
  holds(message) {
    const after = this.draft?.close() ?? 0;
    if (after) this.held.push({ message, after });
    return after > 0;
  }

  /** Send what waits for nothing any more. @param {boolean} [all] */
  release(all = false) {
    while (this.held.length && (all || this.held[0].after <= 0)) {
      const next = this.held.shift();
      if (next) this.page.connection.send(next.message);
    }
  }

  /** Show the lines of a selected part of the level. @param {string | (string | number)[]} path such as `layers.NAME` or `objects.2` */
  showLines(path) {
    this.path = typeof path === "string" ? pathOf(path) : path;
    this.showSelected();
  }

  showSelected() {
    const range = this.range();
    this.isShown = range !== null;
    this.showRange(range);
  }

  range() {
    return this.view && this.path.length ? rangeOf(this.view.state, this.codemirror.syntaxTree(this.view.state), this.path) : null;
  }

  /** Mark the problems in the text they are of. */
  mark() {
    const { page, view, draft } = this;
    if (!view || !draft || draft.pieces.length || !page.draft) return;
    const document = view.state.doc;
    const told = [...page.faults, ...(page.level && !page.stale ? page.level.warnings : [])];
    const diagnostics = told.filter((one) => one.file === page.draft?.file && one.line > 0 && one.line <= document.lines).map((one) => {
      const line = document.line(one.line);
      const from = Math.min(line.to, line.from + Math.max(0, one.column - 1));
      const to = Math.min(line.to, from + Math.max(1, one.length));
      return { from, to, severity: one.severity === "error" ? "error" : "warning", message: one.message };
    });
    view.dispatch(this.codemirror.setDiagnostics(view.state, diagnostics));
  }

  /** Leave the editor for the picture. @returns {boolean} whether the caret was in it */
  escape() {
    if (document.activeElement !== this.host) return false;
    byId("picture").focus({ preventScroll: true });
    return true;
  }

  /** There is no level to show. */
  hide() {
    this.path = [];
  }
}

/** The path in a spec of a selection; of a room or a hand edit that of its layer. @param {string} text */
function pathOf(text) {
  const parts = text.split(".");
  const own = parts[0] === "rooms" || parts[0] === "edits" ? ["layers", parts[1] ?? ""] : parts;
  return own.filter((one) => one !== "" && one !== "level").map((one) => (/^\d+$/.test(one) && own[0] === "objects" ? Number(one) : one));
}
