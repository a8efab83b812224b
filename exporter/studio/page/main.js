// @ts-check
/** The page: puts its parts together, and answers pointer and keys. */

import { Camera } from "./camera.js";
import { Connection } from "./connection.js";
import { element } from "./elements.js";
import { FoundSeed } from "./found_seed.js";
import { LayersPanel } from "./layers.js";
import { LevelView, UNREACHABLE } from "./level.js";
import { MarksLayer } from "./marks.js";
import { Overlays } from "./overlays.js";
import { Parameters } from "./parameters.js";
import { PlainRenderer } from "./plain_renderer.js";
import { PresetsPanel } from "./presets.js";
import { Renderer } from "./renderer.js";
import { Schema } from "./schema.js";
import { Seeds } from "./seeds.js";
import { themeColors } from "./theme.js";
import { Tools } from "./tools.js";
import { FOGS, STEPS, Walk } from "./walk.js";

/** @typedef {{x: number, y: number}} Cell */

const TOKEN = "level-exporter-token";
const KEYS = [
  ["wheel, + and -", "zoom"], ["drag, Shift + arrows", "move the picture"], ["0", "fit the level"],
  ["click, Enter", "pin a cell: who sees whom"], ["arrows", "move the cell under the keyboard"],
  ["V", "shade what the cell under the pointer does not see"],
  ["G", "walk; Q W E A D Z X C, arrows or the number pad step, S and 5 wait"], ["F", "fog: off, remembered, strict"],
  ["1, 2, 3, 4", "look, draw, erase, objects; Enter draws or takes, Delete erases or removes"],
  ["right button", "erases what is drawn, removes an object"], ["N", "another seed"], ["S", "many seeds; there: arrows, Enter uses, S stars, C compares"], ["O", "choose an overlay"], ["[ and ]", "fold the panels"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["Ctrl+S", "save"], ["Esc", "end walking, unpin, close"], ["?", "these keys"],
];

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.picture = /** @type {HTMLCanvasElement} */ (byId("picture"));
    this.camera = new Camera();
    this.renderer = rendererOf(this.picture);
    this.marks = new MarksLayer(byId("marks"));
    this.layers = new LayersPanel(byId("left"), () => this.redraw());
    this.found = new FoundSeed(byId("right"), {
      send: (message) => this.send(message), change: (changes) => void this.change(changes),
    });
    this.parameters = new Parameters(byId("right"), {
      change: (changes, merge) => void this.change(changes, merge), send: (message) => this.send(message),
      names: { layers: [], objects: [] }, belowSeed: this.found.node,
    });
    this.seeds = new Seeds(byId("stage"), byId("open-seeds"), {
      send: (message) => this.send(message), change: (changes) => this.change(changes),
      parameters: () => this.parameters.numbers(), closed: () => this.picture.focus(),
    });
    this.overlays = new Overlays(this.renderer, { send: (message) => this.send(message), redraw: () => this.look() });
    this.layers.more = [this.overlays.panel];
    this.walk = new Walk();
    this.tools = new Tools(byId("tools"), byId("pad"), {
      send: (message) => this.send(message), changed: () => this.look(), walk: () => this.toggleWalk(),
      step: (step) => this.step(step), walking: () => this.walk.on, picture: this.picture,
    });
    this.presets = new PresetsPanel(byId("presets"), (message) => this.send(message));
    /** @type {LevelView | null} */ this.level = null;
    /** @type {any} */ this.draft = null;
    /** @type {any[]} */ this.faults = [];
    /** @type {Cell | null} */ this.hover = null;
    /** @type {Cell | null} */ this.pin = null;
    /** @type {Uint8Array | null} */ this.pinned = null;
    this.shading = true;
    this.fitted = "";
    /** The spec that the hero walks in. @type {string | undefined} */
    this.walkedText = undefined;
    this.stale = false;
    this.waiting = false;
    this.asked = false;
    /** @type {((value: any) => void)[]} */ this.waiters = [];
    /** @type {((value: any) => void)[]} */ this.savers = [];
    /** @type {((value: any) => void) | null} */ this.loaded = null;
    this.ready = new Promise((resolve) => { this.loaded = resolve; });
    this.colors = themeColors();
    this.connection = new Connection(tokenOf(), (event) => this.receive(event), (state) => this.connected(state));
    this.listen();
    this.resize();
    this.connection.connect();
  }

  // --- the server -----------------------------------------------------------------------------

  /** @param {any} event */
  receive(event) {
    const handlers = /** @type {Record<string, (event: any) => void>} */ ({
      welcome: (one) => this.welcomed(one),
      levels: (one) => this.listLevels(one.levels),
      schema: (one) => this.parameters.know(new Schema(one.schema)),
      draft: (one) => this.showDraft(one),
      level: (one) => this.showLevel(new LevelView(one)),
      problems: (one) => this.showProblems(one),
      saved: () => this.saved(""),
      refused: (one) => this.refused(one),
      presets: (one) => this.presets.know(one.presets),
      created: (one) => this.created(one.level),
      conflict: (one) => this.showConflict(one.lines),
      ...this.seeds.handlers,
      overlays: (one) => this.overlays.know(one.overlays),
      overlay: (one) => this.overlays.receive(one),
    });
    handlers[event.event]?.(event);
  }

  /** @param {any} event */
  welcomed(event) {
    byId("title").textContent = event.title;
    document.title = `${event.title} - Level Exporter`;
    this.seeds.welcomed();
  }

  /** @param {"connected" | "waiting" | "refused" | "full"} state */
  connected(state) {
    const texts = {
      connected: "", waiting: "The studio does not answer. Trying again ...",
      refused: "This address is of an earlier run: open the one that the studio printed last.",
      full: "Too many tabs are open.",
    };
    this.say(texts[state], state !== "connected");
  }

  /** @param {{id: string, name: string}[]} levels */
  listLevels(levels) {
    const select = byId("levels");
    const wanted = this.draft?.level ?? new URLSearchParams(location.hash.slice(1)).get("level") ?? levels[0]?.id;
    select.replaceChildren(...levels.map((one) => element("option", { value: one.id }, one.name)));
    select.hidden = levels.length < 2;
    if (!levels.length) {
      this.presets.open();
      return this.say("There is no level in this project yet.");
    }
    select.value = levels.some((one) => one.id === wanted) ? wanted : levels[0].id;
    if (!this.draft) this.send({ do: "open", level: select.value });
  }

  /** @param {any} draft */
  showDraft(draft) {
    this.draft = draft;
    this.stale = true;
    byId("undo").disabled = draft.undo === 0;
    byId("redo").disabled = draft.redo === 0;
    byId("save").disabled = !draft.changed;
    byId("levels").value = draft.level;
    byId("conflict").hidden = true;
    this.parameters.host.names = {
      layers: Object.keys(draft.data?.layers ?? {}),
      objects: [...new Set((Array.isArray(draft.data?.objects) ? draft.data.objects : []).map((/** @type {any} */ one) => one?.name))],
    };
    this.parameters.show(draft.data);
    this.found.showDraft(draft.data);
    this.seeds.showDraft(draft);
    this.overlays.draft(draft.data);
  }

  /** @param {LevelView} level */
  showLevel(level) {
    this.level = level;
    this.stale = false;
    this.renderer.show(level);
    this.marks.show(level);
    this.layers.show(level);
    this.found.showLevel(level);
    this.seeds.showLevel(level);
    this.overlays.show(level);
    if (this.fitted !== `${level.id} ${level.width} ${level.height}`) {
      this.fitted = `${level.id} ${level.width} ${level.height}`;
      this.camera.fit(level.width, level.height);
      this.pin = this.hover = null;
      this.walk.end();
    }
    if (this.walk.hero && !level.has(this.walk.hero.x, this.walk.hero.y)) this.walk.end();
    // What is drawn does not take away what the hero remembers.
    if (this.draft?.text !== this.walkedText) this.walk.remembered = null;
    this.walkedText = this.draft?.text;
    this.tools.show(level);
    this.walked();
    this.pinAt(this.pin);
  }

  /** @param {any} event */
  showProblems(event) {
    this.faults = event.problems;
    const warnings = this.level && !this.stale ? this.level.warnings : [];
    const told = [...event.problems, ...warnings];
    const panel = byId("problems");
    panel.hidden = told.length === 0;
    panel.classList.toggle("mild", event.problems.length === 0);
    panel.replaceChildren(...told.slice(0, 12).map((one) => element("pre", {}, one.text)));
    const seconds = this.level ? Object.values(this.level.seconds).reduce((a, b) => a + b, 0) : 0;
    if (event.problems.length) this.say(this.stale ? "The picture is of the last good text." : "", this.stale);
    else this.say(`Built in ${Math.max(1, Math.round(seconds * 1000))} ms`);
    this.picture.classList.toggle("stale", this.stale);
    if (event.revision >= (this.draft?.revision ?? 0)) for (const done of this.waiters.splice(0)) done(undefined);
    if (this.loaded) this.loaded(undefined);
    // The picture comes first: for the controls every generator is looked at.
    if (!this.parameters.schema && !this.asked) {
      this.asked = true;
      this.send({ do: "schema" });
      this.overlays.again();
    }
    this.redraw();
  }

  /** @param {string} why empty when all is well */
  saved(why) {
    if (!why) this.say("Saved.");
    for (const done of this.savers.splice(0)) done(why || undefined);
  }

  /** Open a level that was made. @param {string | null} level */
  created(level) {
    byId("presets").hidden = true;
    if (!level) return;
    this.draft = null;
    this.send({ do: "open", level });
  }

  /** @param {any} event */
  refused(event) {
    this.presets.refused(event.text);
    if (this.tools.drawing.waiting.length && this.draft) {
      // The picture as it is without what was refused.
      this.tools.drawing.drop();
      this.send({ do: "open", level: this.draft.level });
    }
    this.say(event.text, true);
    this.saved(event.text);
    for (const done of this.waiters.splice(0)) done(event.text);
  }

  /** @param {{side: string, text: string}[]} lines */
  showConflict(lines) {
    this.saved("the file has changed");
    const panel = byId("conflict");
    const marks = /** @type {Record<string, string>} */ ({ both: "  ", mine: "+ ", theirs: "- " });
    panel.replaceChildren(
      element("strong", {}, "The file has changed while you worked on it."),
      element("pre", {}, ...lines.map((one) => element("span", { className: one.side }, `${marks[one.side]}${one.text}\n`))),
      element("button", { className: "main", onclick: () => this.send({ do: "adopt", how: "mine" }) }, "Make my changes on the file's text"),
      " ",
      element("button", { onclick: () => this.send({ do: "adopt", how: "theirs" }) }, "Take the file's text"),
    );
    panel.hidden = false;
  }

  /** @param {object} message */
  send(message) {
    this.connection.send(message);
  }

  /**
   * @param {object[]} changes @param {string} [merge]
   * @returns {Promise<any>} ends when the picture shows it
   */
  change(changes, merge = "") {
    this.send({ do: "change", changes, merge });
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** @param {string} text @param {boolean} [bad] */
  say(text, bad = false) {
    const place = byId("state");
    place.textContent = text;
    place.classList.toggle("bad", bad);
  }

  /** @returns {Promise<any>} ends when the file is written, or tells why it is not */
  save() {
    this.send({ do: "save" });
    return new Promise((resolve) => this.savers.push(resolve));
  }

  // --- looking --------------------------------------------------------------------------------

  /** What the cell under the pointer, the pinned one or the hero sees becomes the light. */
  look() {
    const { level } = this;
    if (!level) return;
    let lit = null;
    if (this.walk.on) lit = this.walk.lit(level);
    else if (this.shading && this.hover) lit = level.visibleFrom(this.hover.x, this.hover.y);
    // The dark would change the colours of an overlay.
    this.renderer.light(this.overlays.layer.overlay && !this.walk.on ? null : lit);
    this.tell(lit);
    this.redraw();
  }

  /** @param {Cell | null} cell */
  pinAt(cell) {
    this.pin = cell;
    this.pinned = cell && this.level ? this.level.visibleFrom(cell.x, cell.y) : null;
    this.redraw();
  }

  /** Say what is at the cell. @param {Uint8Array | null} lit */
  tell(lit) {
    const { level } = this;
    const cell = this.walk.hero ?? this.hover;
    const place = byId("cell");
    if (!level || !cell || !level.has(cell.x, cell.y)) return place.replaceChildren();
    const steps = level.steps[cell.y * level.width + cell.x];
    const parts = [element("b", {}, `${cell.x}, ${cell.y}`)];
    for (const layer of level.layers) parts.push(element("span", {}, `${layer.name}: ${level.told(layer, cell.x, cell.y)}`));
    for (const thing of level.thingsAt(cell.x, cell.y)) parts.push(element("span", {}, `${thing.name} #${thing.id}`));
    parts.push(element("span", {}, steps === UNREACHABLE ? "cannot be reached" : `${steps} steps from the start`));
    const over = this.overlays.told(cell.x, cell.y);
    if (over) parts.push(element("span", { className: "over" }, over));
    const seen = lit && !this.walk.on ? lit.reduce((sum, one) => sum + Number(one === 1), 0) : null;
    if (seen !== null) parts.push(element("span", {}, `sees ${seen} cells`));
    if (this.pin && this.pinned && this.hover) {
      const one = this.pinned[this.hover.y * level.width + this.hover.x] === 1;
      const back = lit ? lit[this.pin.y * level.width + this.pin.x] === 1 : false;
      parts.push(element("span", {}, one === back ? (one ? "they see each other" : "neither sees the other") : one ? "is seen by the pinned cell" : "sees the pinned cell"));
    }
    place.replaceChildren(...parts);
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    this.renderer.draw(this.camera, (layer) => this.layers.shown(layer), this.colors);
    this.overlays.layer.draw(this.camera);
    const { level, hover, pinned } = this;
    this.marks.draw(level, this.camera, {
      hover: this.walk.on ? null : hover, pin: this.pin, hero: this.walk.hero,
      seen: level && hover && pinned ? pinned[hover.y * level.width + hover.x] === 1 : null,
      shows: (name) => this.layers.showsObject(name), chosen: this.layers.broughtOut,
      drawn: this.tools.drawing.colored(),
    }, this.colors);
    this.overlays.layer.drawMarks(this.marks.context, this.camera);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.picture;
    const width = Math.max(1, Math.round(clientWidth * ratio));
    const height = Math.max(1, Math.round(clientHeight * ratio));
    for (const canvas of [this.picture, this.marks.canvas]) {
      canvas.width = width;
      canvas.height = height;
    }
    this.camera.resize(width, height);
    this.draw();
  }

  // --- pointer and keys -----------------------------------------------------------------------

  listen() {
    new ResizeObserver(() => this.resize()).observe(this.picture);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colors = themeColors();
      this.redraw();
    });
    byId("levels").addEventListener("change", () => {
      this.draft = null;
      this.send({ do: "open", level: byId("levels").value });
    });
    for (const name of ["undo", "redo", "save"]) byId(name).addEventListener("click", () => this.send({ do: name }));
    for (const side of ["left", "right"]) byId(`toggle-${side}`).addEventListener("click", () => this.fold(side));
    if (matchMedia("(max-width: 760px)").matches) for (const side of ["left", "right"]) this.fold(side);
    byId("new-level").addEventListener("click", () => this.presets.toggle());
    this.listenToPointer();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.draft?.changed) event.preventDefault();
    });
  }

  listenToPointer() {
    /** @type {Map<number, {x: number, y: number}>} */
    const pointers = new Map();
    let moved = false;
    let drawing = false;
    /** @type {(event: PointerEvent | WheelEvent) => {x: number, y: number}} */
    const pixel = (event) => {
      const box = this.picture.getBoundingClientRect();
      const ratio = this.picture.width / box.width;
      return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
    };
    this.picture.addEventListener("pointerdown", (event) => {
      this.picture.setPointerCapture(event.pointerId);
      const at = pixel(event);
      pointers.set(event.pointerId, at);
      moved = false;
      if (pointers.size > 1) {
        if (drawing) this.tools.cancel();
        drawing = false;
        return;
      }
      drawing = this.tools.down(this.camera.cellAt(at.x, at.y), event.button, event.pointerType === "touch");
    });
    this.picture.addEventListener("pointermove", (event) => {
      const now = pixel(event);
      const before = pointers.get(event.pointerId);
      if (!before) return this.hoverAt(this.camera.cellAt(now.x, now.y));
      if (Math.hypot(now.x - before.x, now.y - before.y) < 4 && !moved) return;
      moved = true;
      if (drawing) {
        pointers.set(event.pointerId, now);
        const cell = this.camera.cellAt(now.x, now.y);
        this.tools.drag(cell);
        return this.hoverAt(cell);
      }
      if (pointers.size === 2) {
        const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
        const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        this.camera.zoomAt(factor, other.x, other.y);
      } else {
        this.camera.pan(now.x - before.x, now.y - before.y);
      }
      pointers.set(event.pointerId, now);
      this.redraw();
    });
    this.picture.addEventListener("pointerup", (event) => {
      const now = pixel(event);
      const cell = this.camera.cellAt(now.x, now.y);
      if (drawing) {
        drawing = false;
        pointers.delete(event.pointerId);
        this.hoverAt(cell);
        return this.tools.up(cell);
      }
      if (pointers.delete(event.pointerId) && !moved && pointers.size === 0) this.click(this.camera.cellAt(now.x, now.y));
    });
    this.picture.addEventListener("pointercancel", (event) => {
      pointers.delete(event.pointerId);
      if (drawing) this.tools.cancel();
      drawing = false;
    });
    this.picture.addEventListener("contextmenu", (event) => {
      if (this.tools.tool !== "look") event.preventDefault();
    });
    this.picture.addEventListener("pointerleave", () => this.hoverAt(null));
    this.picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      const at = pixel(event);
      this.camera.zoomAt(2 ** (-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 100) / 250), at.x, at.y);
      this.redraw();
    }, { passive: false });
  }

  /** @param {Cell | null} cell */
  hoverAt(cell) {
    const inside = cell && this.level?.has(cell.x, cell.y) ? cell : null;
    if (inside?.x === this.hover?.x && inside?.y === this.hover?.y) return;
    this.hover = inside;
    this.look();
  }

  /** @param {Cell} cell */
  click(cell) {
    const { level } = this;
    if (!level || !level.has(cell.x, cell.y)) return;
    if (this.walk.on) {
      this.walk.hero = cell;
      return this.look();
    }
    const same = this.pin && this.pin.x === cell.x && this.pin.y === cell.y;
    this.pinAt(same ? null : cell);
    this.hoverAt(cell);
    this.look();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.code === "KeyS") return this.done(event, () => this.send({ do: "save" }));
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (control && event.code === "KeyZ" && !typing) return this.done(event, () => this.send({ do: event.shiftKey ? "redo" : "undo" }));
    if (control || event.altKey || (typing && event.code !== "Escape")) return;
    if (this.walk.on && STEPS[event.code]) return this.done(event, () => this.step(STEPS[event.code]));
    if (this.tools.key(event, this.hover)) return event.preventDefault();
    const arrow = event.code.startsWith("Arrow") ? STEPS[event.code] : null;
    if (arrow && event.shiftKey) return this.done(event, () => this.pan(arrow));
    if (arrow && this.level) return this.done(event, () => this.moveHover(/** @type {[number, number]} */ (arrow)));
    const actions = /** @type {Record<string, () => void>} */ ({
      "+": () => this.zoom(1.5), "=": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5),
      0: () => this.fit(), v: () => this.shade(), g: () => this.toggleWalk(), f: () => this.nextFog(),
      n: () => byId("another-seed")?.click(), s: () => this.seeds.toggle(), o: () => this.chooseOverlay(),
      "[": () => this.fold("left"), "]": () => this.fold("right"),
      "?": () => this.help(), Escape: () => this.escape(),
    });
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) return this.done(event, action);
    if (event.key === "Enter" && event.target === this.picture && this.hover) {
      return this.done(event, () => this.click(/** @type {Cell} */ (this.hover)));
    }
  }

  /** @param {KeyboardEvent} event @param {() => void} action */
  done(event, action) {
    event.preventDefault();
    action();
  }

  /** @param {[number, number]} step */
  step(step) {
    const { level } = this;
    if (!level || !this.walk.step(level, step)) return;
    const hero = /** @type {Cell} */ (this.walk.hero);
    this.camera.centre(hero.x, hero.y);
    this.look();
  }

  toggleWalk() {
    if (!this.walk.on) return this.beginWalk();
    this.walk.end();
    this.walked();
  }

  beginWalk() {
    const { level } = this;
    if (!level) return;
    const from = this.hover && level.walkable[this.hover.y * level.width + this.hover.x] ? this.hover : null;
    if (!this.walk.begin(level, from)) return this.say("Nobody can walk in this level.", true);
    if (this.camera.zoom < 12) this.camera.zoom = 16;
    const hero = /** @type {Cell} */ (this.walk.hero);
    this.camera.centre(hero.x, hero.y);
    this.walked();
  }

  /** The hero has come or gone, or the level is another one. */
  walked() {
    this.tools.walked();
    this.look();
  }

  nextFog() {
    this.walk.fog = FOGS[(FOGS.indexOf(this.walk.fog) + 1) % FOGS.length];
    this.say(`Fog: ${this.walk.fog}`);
    this.look();
  }

  shade() {
    this.shading = !this.shading;
    this.look();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoomAt(factor, this.camera.width / 2, this.camera.height / 2);
    this.redraw();
  }

  /** @param {number} x @param {number} y @param {number} zoom */
  view(x, y, zoom) {
    Object.assign(this.camera, { x, y, zoom });
    this.draw();
  }

  fit() {
    if (this.level) this.camera.fit(this.level.width, this.level.height);
    this.redraw();
  }

  /** @param {[number, number]} step */
  pan(step) {
    this.camera.pan(-step[0] * 64, -step[1] * 64);
    this.redraw();
  }

  /** @param {[number, number]} step */
  moveHover(step) {
    const level = /** @type {LevelView} */ (this.level);
    const from = this.hover ?? (level.start ? { x: level.start[0], y: level.start[1] } : { x: 0, y: 0 });
    const cell = this.hover ? { x: from.x + step[0], y: from.y + step[1] } : from;
    if (level.has(cell.x, cell.y)) this.hoverAt(cell);
  }

  /** @param {string} side */
  fold(side) {
    const folded = byId(side).classList.toggle("folded");
    byId(`toggle-${side}`).setAttribute("aria-expanded", String(!folded));
  }

  chooseOverlay() {
    if (byId("left").classList.contains("folded")) this.fold("left");
    this.overlays.panel.open = true;
    this.overlays.choice.focus();
  }

  help() {
    const panel = byId("help");
    panel.hidden = !panel.hidden;
    panel.replaceChildren(element("strong", {}, "Keys"),
      element("dl", {}, ...KEYS.flatMap(([key, what]) => [element("dt", {}, key), element("dd", {}, what)])));
  }

  escape() {
    if (!byId("help").hidden) byId("help").hidden = true;
    else if (!byId("presets").hidden) byId("presets").hidden = true;
    else if (this.tools.objects.carried) this.tools.cancel();
    else if (this.walk.on) this.walk.end();
    else if (this.tools.tool !== "look") this.tools.choose("look");
    else this.pinAt(null);
    this.walked();
  }
}

/** @param {HTMLCanvasElement} canvas @returns {Renderer | PlainRenderer} */
function rendererOf(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true });
  // A canvas that was asked for WebGL in vain can still be drawn on.
  return gl ? new Renderer(gl) : new PlainRenderer(canvas);
}

/** The token stands in the address only until it is known. */
function tokenOf() {
  const parts = new URLSearchParams(location.hash.slice(1).replace(/^([\w-]{20,})(&|$)/, "token=$1$2"));
  const token = parts.get("token") ?? sessionStorage.getItem(TOKEN) ?? "";
  sessionStorage.setItem(TOKEN, token);
  parts.delete("token");
  history.replaceState(null, "", `${location.pathname}${parts.size ? `#${parts}` : ""}`);
  return token;
}

const page = new Page();
const face = {
  ready: page.ready,
  level: () => page.level && {
    name: page.level.name, width: page.level.width, height: page.level.height,
    layers: page.level.layers.map((one) => one.name),
  },
  /** @param {string} layer @param {number} x @param {number} y */
  cell: (layer, x, y) => {
    const found = page.level?.layer(layer);
    return found && page.level ? page.level.value(found, x, y) : null;
  },
  /** @param {number} x @param {number} y */
  visibleFrom: (x, y) => page.level?.visibleFrom(x, y) ?? null,
  /** @param {string} path @param {any} value */
  set: (path, value) => page.change([{ set: path.split(".").map((one) => (/^\d+$/.test(one) ? Number(one) : one)), value }]),
  problems: () => [...page.faults, ...(page.level?.warnings ?? [])],
  save: () => page.save(),
  /** What lies over the level: its name, and what the overlay says of a cell. */
  overlay: () => ({ name: page.overlays.layer.overlay?.name ?? "", problem: page.overlays.problem }),
  /** @param {number} x @param {number} y */
  overlayAt: (x, y) => page.overlays.told(x, y),
  /** How many hand edits the picture has. */
  edits: () => {
    const edits = page.level?.edits;
    return edits ? Object.values(edits.layers).reduce((sum, one) => sum + one, edits.objects) : 0;
  },
  objects: () => page.level?.objects.map(({ name, x, y }) => ({ name, x, y })) ?? [],
  walking: () => page.walk.on,
  /** The draft's text. */
  text: () => page.draft?.text ?? null,
  /**
   * Look at a part of the level: the cell in the upper left corner, and pixels a cell.
   * @param {number} x @param {number} y @param {number} zoom
   */
  view: (x, y, zoom) => page.view(x, y, zoom),
};
Object.assign(window, { levelExporter: Object.freeze(face) });
