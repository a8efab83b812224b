// @ts-check
/**
 * The right panel: the selected thing and nothing else. Each kind of thing has an inspector in a file of its own, which makes
 * the view once; afterwards values are updated in place.
 */

import { byId, element } from "./elements.js";
import { icon } from "./icons.js";
import { inspectEdit } from "./inspect_edit.js";
import { inspectLayer } from "./inspect_layer.js";
import { inspectLevel } from "./inspect_level.js";
import { inspectObjects } from "./inspect_objects.js";
import { inspectLock } from "./inspect_lock.js";
import { inspectRoom } from "./inspect_room.js";
import { inspectTable } from "./inspect_table.js";
import { KnownNames } from "./known_names.js";
import { ParameterRow } from "./parameter_row.js";
import { ParameterSearch } from "./parameter_search.js";
import { RowProblems } from "./row_problems.js";
import { RowSentences } from "./row_words.js";
import { Schema } from "./schema.js";
import { LEVEL, subjectOf } from "./selection.js";
import { dropTyped, noteCommitted } from "./uncommitted.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {import("./parameter_row.js").Path} Path */
/** @typedef {import("./parameter_group.js").ParameterGroup} ParameterGroup */
/**
 * What an inspector makes.
 * @typedef {object} View
 * @property {keyof typeof ICONS} kind
 * @property {[string, string][]} above the names and paths of what it belongs to, below the level
 * @property {Node} title
 * @property {Node[]} content
 * @property {Node[]} [actions]
 * @property {import("./inspector_parts.js").Order} [order] what moves and removes it
 * @property {ParameterGroup[]} [groups]
 * @property {() => string} about says in a line what it is
 * @property {() => void} [show] shows the draft and the picture as they are now
 */

const ICONS = /** @type {const} */ ({ level: "level", layer: "layer", objects: "object", room: "room", table: "table", lock: "lock", edit: "edit" });

export class Inspector {
  /** @param {HTMLElement} panel @param {import("./page.js").Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    this.selection = page.selection;
    /** @type {Schema | null} */ this.schema = null;
    /** @type {any} */ this.data = null;
    this.file = "";
    /** Of the draft that is shown. */
    this.revision = 0;
    /** Texts of controls that were refused. @type {Map<string, import("./control_value.js").Refusal>} */
    this.refusals = new Map();
    this.drags = 0;
    this.names = new KnownNames(this);
    this.known = "";
    /** The values that the rows show. @type {any} */ this.shownData = null;
    /** @type {View | null} */ this.view = null;
    this.drawn = "";
    this.crumbs = element("nav", { className: "crumbs", "aria-label": "What is selected" });
    this.about = element("p", { className: "about" });
    this.faults = element("div", { className: "faults" });
    this.node = element("div", { id: "inspector" });
    this.search = new ParameterSearch(this);
    panel.append(this.search.node, page.found.node, this.search.results, this.node);
    this.problems = new RowProblems(this.node);
    new RowSentences(panel);
    noteCommitted(panel);
    panel.addEventListener("pointerdown", () => { this.drags += 1; });
    panel.addEventListener("keydown", (event) => { if (event.key === "Escape" && dropTyped(event.target)) event.stopPropagation(); });
  }

  /** Handlers of the server's events about parameters. @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      schema: (event) => {
        this.schema = new Schema(event.schema);
        this.drawn = "";
        this.show();
      },
      // An error in an earlier draft may be fixed in this one.
      problems: (event) => {
        if (event.revision < this.revision) return;
        this.problems.show(event.problems);
        this.show();
      },
    };
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    this.revision = draft.revision;
    this.problems.refused.clear();
    // While the text is broken the controls stay as they were, and cannot be used.
    const isBroken = draft.data === null || typeof draft.data !== "object";
    this.panel.inert = isBroken && draft.file === this.file && this.view !== null;
    if (this.panel.inert) return;
    if (draft.file !== this.file) {
      this.refusals.clear();
      this.problems.begin(draft.file);
    }
    this.file = draft.file;
    this.data = draft.data;
    this.selection.showDraft(draft);
    this.show();
  }

  /** @param {import("./level.js").LevelView} level */
  showLevel(level) {
    this.selection.showLevel(level);
    this.show();
  }

  hide() {
    this.selection.level = null;
  }

  /** The picture, if it is of this level. */
  get level() {
    return this.selection.level;
  }

  get layers() {
    return Object.keys(this.data?.layers ?? {});
  }

  /** @returns {any[]} */
  get objects() {
    return Array.isArray(this.data?.objects) ? this.data.objects : [];
  }

  // --- drawing --------------------------------------------------------------------------------

  /** Show the selected thing, the draft and the picture as they are now. */
  show() {
    const { schema } = this;
    if (!schema) return;
    if (this.shape() !== this.drawn) this.begin(schema);
    const { view } = this;
    if (!view) return;
    const known = this.knownText();
    // A step of a slider brings a draft, its picture and its problems: the rows change with the first alone.
    if (this.data !== this.shownData || known !== this.known) {
      this.shownData = this.data;
      this.known = known;
      for (const group of view.groups ?? []) group.show();
    }
    const about = view.about();
    if (this.about.textContent !== about) this.about.textContent = about;
    view.show?.();
    view.order?.show();
    this.problems.mark();
    for (const group of view.groups ?? []) group.arrange();
    this.showFaults();
    this.search.apply();
  }

  /** The names of the spec and of the level, to see whether they have changed. */
  knownText() {
    const { data, layers, level, objects } = this;
    const shown = level?.layers.map((one) => [one.name, one.rooms.map((room) => room.name), one.tiles.map((tile) => tile.name)]);
    return JSON.stringify([layers, objects.map((one) => one?.name), Object.keys(data?.tables ?? {}), shown, level?.legend.map((one) => one.name), level?.mission?.locks.map((one) => one.name)]);
  }

  /** Make the view of the selected thing. @param {Schema} schema */
  begin(schema) {
    const focus = this.node.contains(document.activeElement) ? document.activeElement?.id : "";
    this.drawn = this.shape();
    this.shownData = null;
    const view = this.view = this.isReadable ? this.inspect(schema) : null;
    if (!view) {
      return this.node.replaceChildren(element("p", { className: "about nothing" },
        "The text of this level cannot be read, so it has no parameters to show. Fix the text (Y)."));
    }
    this.crumbs.replaceChildren(...this.crumbsOf(view));
    this.node.replaceChildren(this.crumbs,
      element("div", { className: "subject" }, icon(ICONS[view.kind]), element("div", { className: "words" }, view.title, this.about)),
      element("div", { className: "actions", role: "toolbar", "aria-label": "Actions" }, ...view.actions ?? []), this.faults, ...view.content);
    this.panel.scrollTop = 0;
    // Another generator has other controls, and the choice of it keeps the focus.
    if (focus) byId(focus)?.focus({ preventScroll: true });
  }

  get isReadable() {
    return this.data !== null && typeof this.data === "object";
  }

  /** What the controls of the selected thing depend on, beside their values. */
  shape() {
    const { subject } = this.selection;
    const own = subject.kind === "layer" ? this.data?.layers?.[subject.name]?.generator : null;
    return JSON.stringify([this.file, this.selection.path, own, this.isReadable]);
  }

  /** @param {Schema} schema @returns {View} */
  inspect(schema) {
    const { subject } = this.selection;
    switch (subject.kind) {
      case "layer": return inspectLayer(this, schema, subject.name);
      case "objects": return inspectObjects(this, schema, subject.index);
      case "things": return inspectObjects(this, schema, subject.name);
      case "room": return inspectRoom(this, subject.layer, subject.index);
      case "lock": return inspectLock(this, subject.name);
      case "table": return inspectTable(this, schema, subject.name);
      case "edit": return inspectEdit(this, subject);
      default: return inspectLevel(this, schema);
    }
  }

  /** @param {View} view */
  crumbsOf(view) {
    const { path } = this.selection;
    if (path === LEVEL) return [];
    const order = [element("span", { className: "space" }), ...view.order?.nodes ?? []];
    /** @type {[string, string][]} */
    const steps = [["Level", LEVEL], ...view.above];
    return [...steps.flatMap(([name, to], place) => [
      ...(place ? [element("span", { "aria-hidden": "true" }, "›")] : []),
      to ? element("button", { className: "quiet", onclick: () => this.selection.select(to) }, name) : element("span", {}, name),
    ]), ...order];
  }

  /** The problems of the selected thing that no row shows; of the level, those of everything. */
  showFaults() {
    const { path } = this.selection;
    const marked = new Set([...this.node.querySelectorAll(".row.wrong > .why")].flatMap((one) => (one.textContent ?? "").split("\n")));
    const all = [...this.problems.faults, ...(this.level && !this.page.stale ? this.level.warnings : [])];
    const own = all.filter((one) => !marked.has(one.message) && (path === LEVEL || this.isAbout(one, path)));
    const text = JSON.stringify([path, own]);
    if (this.faults.dataset.shown === text) return;
    this.faults.dataset.shown = text;
    this.faults.replaceChildren(...own.map((one) => {
      const to = path === LEVEL ? this.pathOf(one) : "";
      const words = [icon("problem"), element("span", {}, to ? element("b", {}, `${this.titleOf(to)} `) : null, one.message)];
      const className = one.severity === "error" ? "fault bad" : "fault";
      return to ? element("button", { className, title: "Select it", onclick: () => this.selection.select(to) }, ...words) : element("p", { className }, ...words);
    }));
  }

  /** The selectable thing that a problem is about; empty for none. @param {import("./messages.js").ProblemData} problem */
  pathOf({ file, path }) {
    const [head, name, third] = path;
    if (file !== this.file) {
      // A problem in the file of hand edits, whose order the cells have.
      const at = head === "layers" && typeof third === "number" ? this.level?.edits.cells?.[name]?.places[third] : undefined;
      const width = this.level?.layer(String(name))?.width ?? 1;
      const edit = at === undefined ? "" : `edits.${name}.${at % width},${Math.floor(at / width)}`;
      return this.selection.has(edit) ? edit : "";
    }
    const found = ["layers", "objects", "tables"].includes(String(head)) && name !== undefined ? `${head}.${name}` : "";
    return this.selection.has(found) ? found : "";
  }

  /** @param {import("./messages.js").ProblemData} problem @param {string} path */
  isAbout(problem, path) {
    return this.pathOf(problem) === path;
  }

  /** @param {string} path @returns {string} */
  titleOf(path) {
    const subject = subjectOf(path);
    if (subject?.kind === "objects") return String(this.objects[subject.index]?.name ?? path);
    if (subject && "name" in subject) return subject.name;
    return path;
  }

  // --- rows -----------------------------------------------------------------------------------

  /** @param {Field} field @param {Path} path @param {{beside?: Node[], late?: (value: unknown) => void}} [more] */
  row(field, path, more) {
    return new ParameterRow(this, field, path, more);
  }

  /** @param {Path} path */
  valueAt(path) {
    let value = this.data;
    for (const step of path) {
      if (value === null || typeof value !== "object") return undefined;
      value = value[step];
    }
    return value;
  }

  /** @param {import("./messages.js").Change} change @param {string} merge @returns {Promise<string | undefined>} */
  change(change, merge = "") {
    return this.page.change([change], merge);
  }

  /** @param {Path} path @param {string} why */
  refuse(path, why) {
    this.problems.refuse(path, why);
  }

  /** The names that a parameter may have. @param {Field} field @param {Path} path */
  namesFor(field, path) {
    return this.names.that(field.names, path);
  }

  /** Show a parameter and give it the focus: of the thing that is selected for it. @param {Path} path */
  reveal(path) {
    const to = path[0] === "layers" || path[0] === "objects" || path[0] === "tables" ? `${path[0]}.${path[1]}` : LEVEL;
    if (this.selection.path !== to) this.selection.select(to);
    const row = /** @type {HTMLElement | null} */ (this.node.querySelector(`.row[data-parameter='${JSON.stringify(path)}']`));
    const fold = row?.closest("details");
    if (fold) fold.open = true;
    const field = row && byId(`parameter-${path.join("-")}`);
    field?.focus();
    row?.scrollIntoView({ block: "nearest" });
  }
}
