// @ts-check
/** Shows a level to look at and walk in: the shared part of the studio's page and the page of one level. */

import { Camera } from "./camera.js";
import { CellFacts } from "./cell_facts.js";
import { halvesOf } from "./compare_halves.js";
import { coveredBy, tellCovered } from "./covered.js";
import { byId } from "./elements.js";
import { Hold } from "./hold.js";
import { LayersPanel } from "./layers.js";
import { MarksLayer } from "./marks.js";
import { toggleHelp } from "./notices.js";
import { Pointer } from "./pointer.js";
import { SidePanels } from "./side_panels.js";
import { themeColors } from "./theme.js";
import { Walking } from "./walking.js";

/** @typedef {{x: number, y: number}} Cell */
/** @typedef {import("./compare_halves.js").Rectangle} Rectangle */
/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/**
 * The tools of pointer and keys besides looking.
 * @typedef {object} ViewTools
 * @property {string} tool `look` for none
 * @property {(level: LevelView) => void} show
 * @property {(cell: Cell, button: number, press?: import("./tools.js").Press) => boolean} down whether the tool takes the pointer
 * @property {(cell: Cell) => void} drag
 * @property {(cell: Cell) => void} up
 * @property {() => void} cancel
 * @property {(event: KeyboardEvent, cell: Cell | null) => boolean} key whether the key was the tool's
 * @property {() => void} walked walking, or sight, has begun or ended
 * @property {(cell: Cell | null) => void} hovered another cell is under the pointer or the keyboard
 * @property {(tool: "look") => void} choose
 * @property {() => boolean} putBack whether an object was carried, which then is where it was
 * @property {(hover: Cell | null) => import("./tools.js").Drawn[]} shown the cells that are not in the picture yet
 * @property {(hover: Cell | null) => {x: number, y: number, width: number, height: number} | null} frame what is selected
 * @property {import("./shapes.js").Mirror} mirrors in which is drawn
 * @property {(hover: Cell | null) => string} note what a shape measures
 */
/**
 * The steps of a layer, shown instead of the finished one.
 * @typedef {object} ViewSteps
 * @property {boolean} open
 * @property {boolean} objects whether objects are shown beside it
 * @property {(layer: Layer) => {visible: boolean, opacity: number} | null} shown
 * @property {(layer: Layer) => Layer} drawn
 * @property {(context: CanvasRenderingContext2D, camera: Camera, color: string) => void} drawMarks
 */
/**
 * A part of a page: each of these is called if it is there.
 * @typedef {object} Part
 * @property {import("./messages.js").Handlers} [handlers] the handler of each event of the server
 * @property {import("./keyboard.js").Key[]} [keys]
 * @property {() => void} [welcomed] the server has answered, for the first time or again
 * @property {() => void} [again] the first level since the server answered: it may be another server, which knows of no requested view
 * @property {(draft: import("./messages.js").DraftEvent) => void} [showDraft]
 * @property {(level: LevelView) => void} [showLevel]
 * @property {() => void} [hide] there is no level to show
 * @property {() => void} [drawOver] draws over the picture and its marks, in every frame
 * @property {() => boolean} [escape] whether there was something to close
 */

export class Viewer {
  /**
   * @param {HTMLCanvasElement} picture
   * @param {import("./renderer.js").Renderer | import("./plain_renderer.js").PlainRenderer} renderer draws on it
   */
  constructor(picture, renderer) {
    this.picture = picture;
    this.camera = new Camera();
    this.renderer = renderer;
    this.marks = new MarksLayer(byId("marks"));
    this.layers = new LayersPanel(byId("left"), () => this.redraw());
    this.facts = new CellFacts(byId("cell"));
    this.walking = new Walking(this);
    this.walk = this.walking.walk;
    /** @type {Part[]} */ this.parts = [];
    /** @type {LevelView | null} */ this.level = null;
    /** @type {Cell | null} */ this.hover = null;
    /** @type {Cell | null} */ this.pin = null;
    /** @type {Uint8Array | null} */ this.pinned = null;
    /** @type {Uint8Array | null} */ this.fog = null;
    /** Whether the cells are shaded that the one under the pointer does not see. */
    this.shading = false;
    this.sight = new Hold("KeyS", picture, () => this.look());
    picture.addEventListener("blur", () => this.look());
    /** The halves of the canvas where another level is shown beside this one, which has the second. @type {[Rectangle, Rectangle] | null} */
    this.halves = null;
    this.fitted = "";
    /** The camera as it was put last to show all of the level. */
    this.fittedView = "";
    this.waiting = false;
    this.colors = themeColors();
    /** @type {SidePanels} */ this.panels;
    // Each page makes these in its own way.
    /** @type {import("./overlays.js").Overlays} */ this.overlays;
    /** @type {ViewSteps} */ this.steps;
    /** @type {ViewTools} */ this.tools;
    /** @type {import("./keyboard.js").Keyboard} */ this.keyboard;
  }

  /** @param {LevelView} level @param {string} [text] its spec */
  showLevel(level, text) {
    this.follow(level);
    this.level = level;
    this.renderer.show(level);
    this.marks.show(level);
    this.layers.show(level);
    for (const part of this.parts) part.showLevel?.(level);
    const { whole } = level;
    if (this.fitted !== `${level.id} ${whole.width} ${whole.height}`) {
      this.fitted = `${level.id} ${whole.width} ${whole.height}`;
      this.fitCamera();
      this.pin = this.hover = null;
      this.walk.end();
    }
    this.walking.showLevel(level, text);
    this.tools.show(level);
    this.walking.changed();
    this.pinAt(this.pin);
  }

  /** Keep the view, and what is under it, where another window of the same world is shown. @param {LevelView} level */
  follow(level) {
    const [before, now] = [this.level?.world, level.world];
    if (!before || !now || this.level?.id !== level.id) return;
    const { fits } = this;
    const [dx, dy] = [before.x - now.x, before.y - now.y];
    this.camera.x += dx;
    this.camera.y += dy;
    if (fits) this.fittedView = viewOf(this.camera);
    /** @type {(cell: Cell | null) => Cell | null} */
    const moved = (cell) => (cell && level.has(cell.x + dx, cell.y + dy) ? { x: cell.x + dx, y: cell.y + dy } : null);
    this.hover = moved(this.hover);
    this.pin = moved(this.pin);
    if (!dx && !dy) return;
    this.walk.hero = moved(this.walk.hero);
    this.walk.remembered = null;
  }

  // --- looking --------------------------------------------------------------------------------

  /** Light the cells seen from the cell under the pointer, the pinned one or the hero. */
  look() {
    const { level } = this;
    if (!level) return;
    const { hover } = this;
    const seen = this.walk.on || !hover || (this.tools.tool !== "look" && !this.shades) ? null : level.visibleFrom(hover.x, hover.y);
    const lit = this.walk.on ? this.walk.lit(level) : this.shades ? seen : null;
    this.fog = this.walk.on ? lit : null;
    // The dark would change the colours of an overlay, and is that of the finished level.
    this.renderer.light((this.overlays.layer.overlay || this.steps.open) && !this.walk.on ? null : lit);
    this.facts.show(this, seen);
    this.redraw();
  }

  /** Whether sight is shown: while it is switched on or its key is held, and never from inside a wall. */
  get shades() {
    const { hover, level, picture } = this;
    if (!level || !hover || !(this.shading || this.sight.held) || this.walk.on) return false;
    const here = picture.matches(":hover") || document.activeElement === picture;
    return here && !level.sight?.opaque[hover.y * level.width + hover.x];
  }

  /** @param {Cell | null} cell */
  pinAt(cell) {
    this.pin = cell;
    this.pinned = cell && this.level ? this.level.visibleFrom(cell.x, cell.y) : null;
    this.redraw();
  }

  /** The theme is another one. */
  recolor() {
    this.colors = themeColors();
    this.redraw();
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
    // Fog hides all unexplored cells; cells out of the pointer's sight are only shaded.
    const colors = this.fog ? { ...this.colors, dark: this.colors.unknown } : this.colors;
    const camera = this.canvasCamera;
    this.renderer.draw(camera, (layer) => this.steps.shown(layer) ?? this.layers.shown(layer), colors, () => this.overlays.layer.draw(camera));
    const { level, hover, pinned } = this;
    this.marks.draw(level, camera, {
      hover: this.walk.on ? null : hover, pin: this.pin, hero: this.walk.hero, fog: this.fog,
      seen: level && hover && pinned ? pinned[hover.y * level.width + hover.x] === 1 : null,
      shows: (name) => this.steps.objects && this.layers.showsObject(name), chosen: this.layers.broughtOut,
      drawn: this.tools.shown(hover), frame: this.tools.frame(hover), mirrors: this.tools.mirrors, note: this.tools.note(hover),
    }, this.colors);
    this.overlays.layer.drawMarks(this.marks.context, camera, this.fog && level ? { cells: this.fog, width: level.width } : null);
    this.steps.drawMarks(this.marks.context, camera, this.colors.accent);
    for (const part of this.parts) part.drawOver?.();
  }

  resize() {
    const fits = this.fits;
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.picture;
    const width = Math.max(1, Math.round(clientWidth * ratio));
    const height = Math.max(1, Math.round(clientHeight * ratio));
    for (const canvas of [this.picture, this.marks.canvas]) {
      canvas.width = width;
      canvas.height = height;
    }
    if (this.halves) this.halves = halvesOf(this.picture);
    const part = this.halves ? this.halves[1] : { width, height };
    this.camera.resize(part.width, part.height);
    if (fits) this.fitCamera();
    this.draw();
  }

  /** Show the level in the second half of the canvas, or in all of it. @param {boolean} on */
  halve(on) {
    if (on === (this.halves !== null)) return;
    const held = this.camera.holds(this.level?.whole);
    this.halves = on ? halvesOf(this.picture) : null;
    this.resize();
    if (held) this.fit();
  }

  /** The camera for drawing on the whole canvas. */
  get canvasCamera() {
    return this.halves ? this.camera.within(this.halves[1], this.picture) : this.camera;
  }

  /** The half in which a pixel of the canvas lies, else all of it. @param {{x: number, y: number}} pixel */
  partAt({ x, y }) {
    const second = this.halves?.[1];
    return second && x >= second.left && y >= second.top ? second : { left: 0, top: 0 };
  }

  // --- pointer and keys -----------------------------------------------------------------------

  listen() {
    new ResizeObserver(() => this.resize()).observe(this.picture);
    new ResizeObserver(() => this.covered()).observe(byId("over"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolor());
    this.panels = new SidePanels(() => this.refit());
    new Pointer(this);
  }

  /** @param {Cell | null} cell */
  hoverAt(cell) {
    const inside = cell && this.level?.has(cell.x, cell.y) ? cell : null;
    if (inside?.x === this.hover?.x && inside?.y === this.hover?.y) return;
    this.hover = inside;
    this.tools.hovered(inside);
    this.look();
  }

  /** The path of the selected thing. */
  get selectedPath() {
    return "";
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

  /** Nothing is pinned any more. */
  deselect() {
    this.pinAt(null);
  }

  shade() {
    this.shading = !this.shading;
    this.walking.changed();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoomAt(factor, this.camera.width / 2, this.camera.height / 2);
    this.redraw();
  }

  /** @param {number} x @param {number} y @param {number} zoom */
  view(x, y, zoom) {
    const { world } = this.level ?? {};
    Object.assign(this.camera, { x: x - (world?.x ?? 0), y: y - (world?.y ?? 0), zoom });
    this.draw();
  }

  fit() {
    this.fitCamera();
    this.redraw();
  }

  /** Fit the whole level into the uncovered part of the picture. */
  fitCamera() {
    const { camera, level } = this;
    if (!level) return;
    camera.fit(level.whole, coveredBy(this.picture, camera, this.halves !== null));
    this.fittedView = viewOf(camera);
  }

  /** Whether the view is still the fitted one, so that it may be fitted again. */
  get fits() {
    return this.fittedView === viewOf(this.camera);
  }

  /** There is more or less room for the level. */
  refit() {
    if (this.fits) this.fit();
  }

  /** The panels over the top of the picture have another size. */
  covered() {
    tellCovered();
    // Problems come and go while one types: the level does not jump for them.
    const { camera, level, fits } = this;
    if (!level || !fits || (byId("problems").querySelector("details[open]") && !byId("problems").hidden)) return;
    const { y, zoom } = camera;
    this.fitCamera();
    // Nor does it for the options of a tool, if they leave it free.
    if (camera.zoom === zoom && (level.whole.y - y) * zoom >= coveredBy(this.picture, camera, this.halves !== null).top) {
      camera.y = y;
      this.fittedView = viewOf(camera);
    }
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

  help() {
    toggleHelp(this.keyboard.list);
  }

  /** @param {string} side */
  unfold(side) {
    this.panels.unfold(side);
  }

  /** @param {string} side */
  fold(side) {
    this.panels.fold(side);
  }

  escape() {
    if (!byId("help").hidden) byId("help").hidden = true;
    else if (this.parts.some((one) => one.escape?.())) return;
    else if (this.tools.putBack()) this.picture.focus({ preventScroll: true });
    else if (this.walk.on) this.walk.end();
    else if (this.tools.tool !== "look") this.tools.choose("look");
    else this.deselect();
    this.walking.changed();
  }
}

/** @param {Camera} camera */
function viewOf({ x, y, zoom }) {
  return `${x} ${y} ${zoom}`;
}
