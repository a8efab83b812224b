// @ts-check
/** The page: puts its parts together, and shows the server's events. */

import { numbersOf } from "./all_parameters.js";
import { Compare } from "./compare.js";
import { Autosave } from "./autosave.js";
import { BuildTimes } from "./build_times.js";
import { DragChanges } from "./drag_changes.js";
import { editingKeys } from "./editing_keys.js";
import { byId, element } from "./elements.js";
import { EditConflicts } from "./edit_conflicts.js";
import { ExportPanel } from "./export_panel.js";
import { Exported } from "./exported.js";
import { SeedResult } from "./seed_result.js";
import { Inspector } from "./inspector.js";
import { Keyboard } from "./keyboard.js";
import { LevelView, nameOf } from "./level.js";
import { LayerGallery } from "./layer_gallery.js";
import { Links } from "./links.js";
import { hideConflict, isBad, say, showConflict, showFaults } from "./notices.js";
import { Minimap } from "./minimap.js";
import { MissionProof } from "./mission_proof.js";
import { MovedObjects } from "./moved_objects.js";
import { Outline } from "./outline.js";
import { ModelView } from "./model_view.js";
import { Overlays } from "./overlays.js";
import { Painting } from "./painting.js";
import { PanelEdge } from "./panel_edge.js";
import { Proposals } from "./proposals.js";
import { Seeds } from "./seeds.js";
import { Selection } from "./selection.js";
import { markSelection } from "./selection_marks.js";
import { Share } from "./share.js";
import { StartPage } from "./start_page.js";
import { Steps } from "./steps.js";
import { TextPane } from "./text_pane.js";
import { keepToken, refusalOf } from "./token.js";
import { Tools } from "./tools.js";
import { ViewBar } from "./view_bar.js";
import { Viewer } from "./viewer.js";
import { WorldView } from "./world_view.js";

/** @typedef {import("./viewer.js").Part} Part */

/**
 * Who waits for the picture of a change: its number, whether it was sent when it was made, and whether the connection broke since.
 * @typedef {{number: number, done: (why: string | undefined) => void, sent: boolean, broken: boolean}} Waiter
 */

export class Page extends Viewer {
  /**
   * @param {HTMLCanvasElement} picture
   * @param {import("./renderer.js").Renderer | import("./plain_renderer.js").PlainRenderer} renderer draws on it
   * @param {import("./connection.js").Connection} connection
   */
  constructor(picture, renderer, connection) {
    super(picture, renderer);
    this.found = new SeedResult(byId("right"), {
      send: (message) => this.send(message), change: (changes) => void this.change(changes),
    });
    this.selection = new Selection(() => this.selected());
    /** @type {import("./messages.js").DraftEvent | null} */ this.draft = null;
    this.stale = false;
    /** @type {Inspector} */ this.inspector = new Inspector(byId("right"), this);
    this.outline = this.layers.outline = new Outline(this.inspector, byId("left"));
    this.edge = new PanelEdge(byId("right"));
    this.seeds = new Seeds(byId("stage"), byId("open-seeds"), {
      send: (message) => this.send(message), change: (changes) => this.change(changes),
      compare: (seed) => this.compare.withSeed(seed), build: () => this.exports.start(), walk: () => { if (!this.walk.on) this.walking.toggle(); },
      parameters: () => (this.inspector.schema && this.inspector.isReadable ? numbersOf(this.inspector.schema, this.inspector.data) : []), closed: () => this.picture.focus(),
    });
    this.overlays = new Overlays(this.renderer, { send: (message) => this.send(message), redraw: () => this.look(), unfold: () => this.unfold("left"), selected: () => this.inspector.titleOf(this.selection.path) });
    this.layers.more = [this.overlays.panel];
    this.steps = new Steps(byId("stage"), this.picture, this.renderer, {
      send: (message) => this.send(message), redraw: () => this.look(), toggled: () => this.tools.draw(),
      shown: (layer) => this.layers.shown(layer), fit: () => this.fit(), fitted: () => this.camera.holds(this.level?.whole),
    });
    this.tools = new Tools(byId("tools"), byId("pad"), {
      send: (message) => this.send(message), change: (changes) => this.change(changes), spec: () => this.draft?.data, changed: () => this.look(), walk: () => this.walking.toggle(),
      step: (step) => this.walking.step(step), walking: () => this.walk.on, picture: this.picture,
      sight: () => this.shade(), seeing: () => this.shading,
      steps: () => this.steps.toggle(), stepping: () => this.steps.open, zoom: () => this.camera.zoom,
      pick: (cell) => this.click(cell), proof: () => this.proof, dropped: (thing) => this.selection.select(this.selection.pathOf(thing), thing),
    });
    const shown = { send: this.send.bind(this), show: this.showCell.bind(this), redraw: () => this.redraw() };
    this.proof = new MissionProof(byId("proof"), this);
    this.painting = new Painting(this.tools);
    this.moved = new MovedObjects(byId("moved"), shown);
    this.conflicts = new EditConflicts(byId("edit-conflicts"), shown);
    this.start = new StartPage(byId("start"), this);
    this.layerGallery = new LayerGallery(byId("layer-gallery"), this);
    this.world = new WorldView(this);
    this.minimap = new Minimap(byId("stage"), this);
    this.viewBar = new ViewBar(byId("view"), this);
    this.share = new Share(byId("share"), byId("open-share"), this);
    this.links = new Links(byId("linked"), this);
    /** @type {Part[]} */
    this.parts = [{ escape: hideConflict }, new ModelView(byId("view"), this), this.share, this.links, this.inspector, this.found, this.seeds, this.overlays, this.steps, this.layerGallery, this.start, this.tools.stamp, this.proof, this.painting, this.moved, this.conflicts, { drawOver: () => this.drawHandwork() }, this.minimap, this.viewBar, this.world];
    this.compare = new Compare(this, byId("stage"), byId("open-compare"));
    this.text = new TextPane(byId("text"), this);
    this.exports = new ExportPanel(byId("export-panel"), byId("export"), this);
    this.times = new BuildTimes(byId("built"), byId("build-times"));
    this.drags = new DragChanges((drag) => this.connection.send({ do: "change", ...drag }));
    this.parts.push(this.times, this.drags, this.compare, this.text, this.exports, new Autosave(byId("autosave"), this), new Exported(byId("exported")),
      new Proposals(byId("proposal"), (message) => this.send(message)));
    /** @type {Keyboard} */ this.keyboard = new Keyboard(this, editingKeys(this));
    /** @type {import("./messages.js").ProblemData[]} */ this.faults = [];
    /** The level that is open or shall be. @type {string | null} */
    this.opened = null;
    /** Whether levels that are not open have changes, too. */
    this.unsaved = false;
    this.asked = false;
    /** Whether no level has come since the server answered. */
    this.isFirstLevel = true;
    /** The newest draft when an action ended last. */
    this.resultRevision = 0;
    this.changes = 0;
    /** Callers that wait for the picture of a change, by its number. @type {Waiter[]} */
    this.waiters = [];
    /** @type {((why: string | undefined) => void)[]} */ this.savers = [];
    /** @type {((value: unknown) => void) | null} */ this.loaded = null;
    this.ready = new Promise((resolve) => { this.loaded = resolve; });
    this.connection = connection;
    connection.listener = (event) => this.receive(event);
    connection.onState = (state) => this.connected(state);
    this.listen();
    this.resize();
  }

  // --- the server -----------------------------------------------------------------------------

  /** @param {import("./messages.js").Event} event */
  receive(event) {
    /** @type {import("./messages.js").Handlers} */
    const handlers = {
      welcome: (one) => this.welcomed(one),
      levels: (one) => this.listLevels(one),
      draft: (one) => this.showDraft(one),
      level: (one) => this.showLevel(new LevelView(one)),
      problems: (one) => this.showProblems(one),
      saved: (one) => this.saved("", one.changed),
      refused: (one) => this.refused(one),
      created: (one) => this.created(one.level),
      conflict: (one) => this.showConflict(one),
    };
    for (const one of [handlers, ...this.parts.map((part) => part.handlers)]) handle(one, event);
  }

  /** @param {import("./messages.js").WelcomeEvent} event */
  welcomed(event) {
    byId("title").textContent = event.title;
    document.title = `${event.title} - Level Exporter`;
    this.opened = event.open ?? this.opened; // a server that was started again opens nothing by itself
    keepToken(this.connection.token);
    this.resultRevision = 0; // a server that was started again counts from the first
    this.isFirstLevel = true;
    // The draft that follows says which of them arrived.
    for (const one of this.waiters) one.broken = one.sent;
    for (const part of this.parts) part.welcomed?.();
  }

  /** @param {"connected" | "waiting" | "refused" | "full"} state */
  connected(state) {
    const texts = {
      connected: "", waiting: "The studio does not answer. Trying again ...",
      refused: state === "refused" ? refusalOf(this.connection.token) : "",
      full: "Too many tabs are open.",
    };
    say(texts[state], state !== "connected");
    // What is done without a server would be lost.
    for (const node of [...document.querySelectorAll(".bar button, .bar select"), byId("right"), byId("text"), byId("tools")]) node.inert = state !== "connected";
  }

  /** @param {import("./messages.js").LevelsEvent} event */
  listLevels({ levels, open }) {
    const select = byId("levels");
    select.replaceChildren(...levels.map((one) => element("option", { value: one.id, title: one.name },
      `${nameOf(one.name)}${one.gone ? " (deleted)" : one.changed ? " (not saved)" : ""}`)));
    select.hidden = !levels.length;
    const linked = this.links.follow(levels);
    this.unsaved = levels.some((one) => one.changed);
    this.start.know(levels);
    if (!levels.length) {
      this.hideLevel();
      say("There is no level in this project yet.");
      return this.choose();
    }
    const wanted = open ?? this.opened ?? new URLSearchParams(location.hash.slice(1)).get("level");
    const known = levels.find((one) => one.id === wanted) ?? (levels.length === 1 ? levels[0] : null);
    select.value = known?.id ?? "";
    if (open !== null || linked) return;
    if (known) this.openLevel(known.id);
    else {
      this.hideLevel();
      this.choose();
    }
  }

  /** Let the user choose a level: none is open. */
  choose() {
    this.draft = null;
    this.opened = null;
    this.start.open();
    this.loaded?.(undefined);
  }

  /** @param {string} level its id */
  openLevel(level) {
    this.start.hide();
    this.opened = level;
    this.send({ do: "open", level });
  }

  /** Hide the picture when the open level has none. */
  hideLevel() {
    this.level = this.hover = this.pin = this.fog = null;
    byId("stale").hidden = true;
    this.fitted = "";
    this.walk.end();
    this.renderer.show(null);
    this.layers.hide();
    for (const part of this.parts) part.hide?.();
    this.tools.hide();
    this.tools.walked();
    this.facts.show(this, null);
    this.redraw();
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    this.draft = draft;
    this.changes = Math.max(this.changes, draft.number); // a page that was loaded again goes on counting
    this.stale = true;
    this.opened = draft.level;
    if (this.level && this.level.id !== draft.level) this.hideLevel();
    byId("undo").disabled = draft.undo === 0;
    byId("redo").disabled = draft.redo === 0;
    byId("save").disabled = !draft.changed;
    byId("levels").value = draft.level;
    byId("conflict").hidden = true;
    for (const part of this.parts) part.showDraft?.(draft);
    this.outlined();
  }

  /** @param {LevelView} level */
  showLevel(level) {
    // A build that was overtaken may come all the same.
    this.stale = level.revision < (this.draft?.revision ?? 0);
    super.showLevel(level, this.draft?.text);
    this.outlined();
    const { isFirstLevel } = this;
    this.isFirstLevel = false;
    if (isFirstLevel) for (const part of this.parts) part.again?.();
  }

  // --- the selection --------------------------------------------------------------------------

  get selectedPath() {
    return this.selection?.path ?? "";
  }

  /** Another thing is selected. */
  selected() {
    if (!this.inspector) return;
    this.inspector.show();
    this.outline.mark();
    this.text?.showLines(this.selection.path);
    this.redraw();
  }

  /** The spec or the picture is another one, and perhaps the lists. */
  outlined() {
    this.layers.drawChanged();
    this.outline.mark();
  }

  /** A click selects what lies at the cell, besides what it does to the sight. @param {import("./viewer.js").Cell} cell */
  click(cell) {
    // An object is looked at itself; other cells are pinned.
    if (this.level?.thingsAt(cell.x, cell.y).length && !this.walk.on) this.pinAt(null);
    else super.click(cell);
    if (this.level?.has(cell.x, cell.y) && !this.walk.on) this.selection.click(cell, (layer) => this.layers.shown(layer).visible);
  }

  deselect() {
    super.deselect();
    this.selection.select("level");
  }

  draw() {
    super.draw();
    if (this.selection) markSelection(this);
  }

  /** Move the picture until a cell is in it. @param {import("./viewer.js").Cell} cell */
  showCell({ x, y }) {
    const { camera } = this;
    const margin = 2;
    if (x < camera.x + margin || y < camera.y + margin || x > camera.x + camera.width / camera.zoom - margin || y > camera.y + camera.height / camera.zoom - margin) camera.centre(x, y);
    this.redraw();
  }

  /** Copy the chosen object, and choose the copy. */
  copyObject() {
    const { chosen } = this.selection;
    const cell = chosen && this.tools.objects.copy(chosen);
    if (chosen && cell) this.selection.thing = { id: -1, name: chosen.name, ...cell };
  }

  /** @param {import("./messages.js").ProblemsEvent} event */
  showProblems(event) {
    const newest = event.revision >= (this.draft?.revision ?? 0);
    if (newest) this.showNewest(event);
    if (this.loaded) this.loaded(undefined);
    // The picture comes first: the controls are many.
    if (!this.inspector.schema && !this.asked) {
      this.asked = true;
      this.send({ do: "schema" });
    }
    this.redraw();
  }

  /** Show the problems of the draft. @param {import("./messages.js").ProblemsEvent} event */
  showNewest(event) {
    this.faults = event.problems;
    showFaults(event.problems, this.level && !this.stale ? this.level.warnings.filter((one) => !this.conflicts.tells(one)) : []);
    if (event.problems.length) {
      const stale = this.level ? "Picture of the last good text." : "No picture until the text is right.";
      if (this.stale) say(stale, true);
      else if (!isBad()) say(""); // the reason of a failed save stays beside the problems of its file
    }
    else if (event.revision > this.resultRevision) say("");
    this.picture.classList.toggle("stale", this.stale);
    byId("stale").hidden = !this.stale || !this.level;
    this.changed();
  }

  /** Say how an action ended: the draft at that time may still be being built, and does not take it back. @param {string} text @param {boolean} [bad] */
  sayResult(text, bad) {
    say(text, bad);
    this.resultRevision = this.draft?.revision ?? 0;
  }

  /** @param {string} why empty when all is well @param {boolean} [changed] whether there was something to save */
  saved(why, changed = true) {
    if (!why) this.sayResult(changed ? "Saved." : "Nothing has changed since the last save.");
    for (const done of this.savers.splice(0)) done(why || undefined);
  }

  /** Open a level that was made. @param {string | null} level */
  created(level) {
    if (!level) return;
    this.openLevel(level);
  }

  /** @param {import("./messages.js").RefusedEvent} event */
  refused(event) {
    if (this.tools.drawing.waiting.length && this.draft) {
      // Open the level again without the refused cells.
      this.tools.drawing.drop();
      this.send({ do: "open", level: this.draft.level });
    }
    this.sayResult(event.text, true);
    if (event.do === "save" || event.do === "adopt") this.saved(event.text);
    if (event.do === "change" || event.do === "text") this.end((one) => one.number === event.number, event.problems[0]?.text ?? event.text);
  }

  /** @param {import("./messages.js").ConflictEvent} conflict */
  showConflict(conflict) {
    this.saved(conflict.gone ? "the file was deleted" : "the file has changed");
    showConflict(conflict, (how) => {
      byId("conflict").hidden = true;
      this.send({ do: "adopt", how });
    });
  }

  /** @param {import("./messages.js").Request} message @returns {boolean} whether it is on its way */
  send(message) {
    // Send earlier drag changes first, and typed text.
    this.drags?.flush();
    if (this.text?.holds(message)) return false;
    return this.connection.send(message);
  }

  /**
   * @param {import("./messages.js").Change[]} changes @param {string} [merge]
   * @returns {Promise<string | undefined>} ends when the picture shows it
   */
  change(changes, merge = "") {
    const number = (this.changes += 1);
    let sent = true;
    if (merge.startsWith("drag")) this.drags.add({ changes, merge, number });
    else sent = this.send({ do: "change", changes, merge, number });
    return new Promise((done) => this.waiters.push({ number, done, sent, broken: false }));
  }

  /** Replace the text of the level. @param {string} text @returns {Promise<string | undefined>} ends when the picture shows it */
  setText(text) {
    const number = (this.changes += 1);
    const sent = this.send({ do: "text", text, number });
    return new Promise((done) => this.waiters.push({ number, done, sent, broken: false }));
  }

  /** The draft is shown: so are the changes that it holds. Others may be on their way to the server. */
  changed() {
    const held = this.draft?.number ?? 0;
    this.end((one) => one.number <= held, undefined);
    this.end((one) => one.broken, "The connection broke before this change arrived: make it again.");
  }

  /** End waiting for some changes. @param {(one: Waiter) => boolean} which @param {string | undefined} why they are not shown */
  end(which, why) {
    const ended = this.waiters.filter(which);
    this.waiters = this.waiters.filter((one) => !ended.includes(one));
    for (const { done } of ended) done(why);
  }

  /** @returns {Promise<string | undefined>} resolves when the file is written, or with the reason why it is not */
  save() {
    this.send({ do: "save" });
    return new Promise((resolve) => this.savers.push(resolve));
  }

  // --- the page's own buttons -----------------------------------------------------------------

  listen() {
    super.listen();
    byId("levels").addEventListener("change", () => this.openLevel(byId("levels").value));
    for (const name of /** @type {const} */ (["undo", "redo", "save"])) byId(name).addEventListener("click", () => this.send({ do: name }));
    byId("open-start").addEventListener("click", () => this.start.open());
    byId("new-level").addEventListener("click", () => this.start.open(true));
    // A press beside a gallery or the keys closes them, and does nothing else. Others stay open beside work on the level.
    document.addEventListener("pointerdown", (event) => {
      const dialog = byId("stage").querySelector(":scope > :is(.gallery-dialog, #help):not([hidden])");
      if (!dialog || !(event.target instanceof Element) || dialog.contains(event.target) || event.target.closest("button")) return;
      event.stopPropagation();
      if (dialog.id === "help") byId("help").hidden = true;
      else this.layerGallery.escape();
    }, true);
    window.addEventListener("beforeunload", (event) => {
      if (this.draft?.changed || this.unsaved) event.preventDefault();
    });
  }

  /** Mark what drawing moved, and edits that do not fit any more. */
  drawHandwork() {
    this.moved.drawMarks(this.marks.context, this.canvasCamera, this.colors);
    this.conflicts.drawMarks(this.marks.context, this.canvasCamera, this.colors.bad);
  }

  find() {
    this.unfold("right");
    this.inspector.search.input.focus();
  }
}

/**
 * @template {keyof import("./messages.js").Events} Name
 * @param {import("./messages.js").Handlers | undefined} handlers
 * @param {import("./messages.js").Events[Name]} event
 */
function handle(handlers, event) {
  const name = /** @type {Name} */ (event.event);
  handlers?.[name]?.(event);
}
