// @ts-check
/**
 * Compares the draft, B, with another level, A: the picture of A lies over that of B, left of a divider
 * or by turns, or beside it. The server finds and counts the differences, as `exporter diff` does.
 */

import { CompareBar } from "./compare_bar.js";
import { Blink } from "./compare_blink.js";
import { Divider } from "./compare_divider.js";
import { Halves } from "./compare_halves.js";
import { CompareMarks } from "./compare_marks.js";
import { element } from "./elements.js";
import { LevelView } from "./level.js";
import { MarksLayer } from "./marks.js";

/** @typedef {import("./compare_list.js").Box} Box */

const FRAMED_ZOOM = 32;

export class Compare {
  /** @param {import("./page.js").Page} page @param {HTMLElement} stage @param {HTMLElement} button */
  constructor(page, stage, button) {
    this.page = page;
    this.button = button;
    this.open = false;
    this.number = 0;
    /** @type {import("./compare_bar.js").Mode} */
    this.mode = "swipe";
    /** The server's result. @type {import("./messages.js").Events["comparison"] | null} */
    this.event = null;
    /** @type {LevelView | null} */
    this.other = null;
    /** Which level A was compared with. */
    this.level = "";
    /** @type {Box | null} */
    this.framed = null;
    this.lit = "";
    this.renderer = page.renderer.another();
    this.marks = new MarksLayer(page.marks.canvas);
    this.changes = new CompareMarks(page.marks.context);
    this.divider = new Divider(stage, () => page.redraw());
    this.halves = new Halves(stage);
    this.blink = new Blink(() => this.changed());
    this.showing = element("div", { className: "showing", hidden: true });
    stage.append(this.showing);
    this.bar = new CompareBar(stage, {
      chosen: () => this.ask(), keep: () => this.keep(), show: (mode) => this.show(mode),
      hold: (on) => (on ? this.blink.hold() : this.blink.release()), play: () => this.blink.play(!this.blink.playing),
      marked: () => this.mark(), close: () => this.close(), send: (message) => page.send(message), look: (box, layer) => this.look(box, layer),
    });
    button.addEventListener("click", () => this.toggle());
    document.addEventListener("keyup", (event) => {
      if (event.code === "KeyA" || event.key.toLowerCase() === "a") this.blink.release();
    });
    window.addEventListener("blur", () => this.blink.release());
    this.changed();
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      levels: (event) => {
        this.bar.levels = event.levels;
        this.bar.offer();
      },
      kept: (event) => {
        this.bar.kept = event.label;
        this.bar.offer();
        this.bar.what.value = "kept";
        this.bar.choose();
      },
      comparison: (event) => this.receive(event),
      outputs: (event) => this.bar.outputs.receive(event),
    };
  }

  get keys() {
    return [
      { key: "C", help: "compare with the saved file, a commit, a seed, another level; the divider: arrows", action: () => this.toggle() },
      { key: "A", help: "hold: A, what the level is compared with", action: () => { if (this.other && this.mode !== "side") this.blink.hold(); } },
    ];
  }

  // --- with what ------------------------------------------------------------------------------

  toggle() {
    if (this.open) this.close();
    else this.begin();
  }

  begin() {
    this.open = true;
    this.button.setAttribute("aria-pressed", "true");
    this.bar.show(true);
    this.page.halve(this.mode === "side");
    this.bar.what.focus();
    this.ask();
  }

  close() {
    this.open = false;
    this.button.setAttribute("aria-pressed", "false");
    this.blink.play(false);
    this.bar.outputs.unfold(false);
    this.page.halve(false);
    this.forget();
    this.bar.show(false);
    this.page.send({ do: "compare", number: ++this.number, with: null });
    this.page.picture.focus();
    this.page.redraw();
  }

  /** @returns {boolean} */
  escape() {
    if (!this.open) return false;
    this.close();
    return true;
  }

  /** Compare with a seed. @param {number | string} seed */
  withSeed(seed) {
    this.bar.what.value = "seed";
    this.bar.value.value = String(seed);
    this.bar.field();
    if (this.open) this.ask();
    else this.begin();
  }

  keep() {
    this.page.send({ do: "keep" });
  }

  ask() {
    if (!this.open) return;
    this.forget();
    this.bar.tell(null);
    this.page.send({ do: "compare", number: ++this.number, with: this.bar.wanted });
  }

  again() {
    this.ask();
  }

  forget() {
    this.event = this.other = this.framed = null;
    this.changes.show(null, 0, 0);
    this.changed();
  }

  /** @param {import("./messages.js").Events["comparison"]} event */
  receive(event) {
    const { level } = this.page;
    if (!this.open || event.number !== this.number || event.level !== level?.id) return;
    this.event = event;
    this.level = event.level;
    this.other = event.problem === null ? new LevelView(event.other) : null;
    if (this.other) {
      this.renderer.show(this.other);
      this.marks.show(this.other);
    }
    this.lit = "";
    this.bar.tell(event);
    this.mark();
    this.changed();
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    const other = this.level !== "" && draft.level !== this.level;
    this.level = draft.level;
    if (!this.open) return;
    // The server keeps the requested comparison for every draft.
    if (other) this.ask();
    else this.bar.wait();
  }

  /** There is no level to show. */
  hide() {
    this.forget();
  }

  /** @param {LevelView} level */
  showLevel(level) {
    const number = Number(level.seed);
    this.bar.nextSeed = String(Number.isSafeInteger(number) ? number + 1 : 1);
  }

  // --- looking --------------------------------------------------------------------------------

  /** @param {import("./compare_bar.js").Mode} mode */
  show(mode) {
    this.mode = mode;
    this.page.halve(this.open && mode === "side");
    this.blink.play(false);
  }

  /** Which changed cells are marked. */
  mark() {
    const { event, bar } = this;
    const level = this.page.level;
    const found = event?.problem === null ? event : null;
    const mask = found && bar.marking ? found.masks[bar.layer.value] ?? found.changed : null;
    const [width, height] = found?.difference.now.size ?? [0, 0];
    this.changes.show(mask, width, height);
    if (level) this.page.redraw();
  }

  changed() {
    this.bar?.modes(this.mode, this.blink);
    const seen = this.mode === "blink" || this.blink.on;
    if (this.showing) {
      this.showing.hidden = !this.other || !seen;
      this.showing.textContent = this.blink.on ? `A: ${this.event?.label}` : "B: the draft";
    }
    if (this.page.camera.width > 1) this.page.redraw();
  }

  /** Bring a part of the level into the middle. @param {Box} box @param {string} [layer] */
  look(box, layer) {
    const { camera } = this.page;
    if (layer !== undefined && this.event?.problem === null && layer in this.event.masks) {
      this.bar.layer.value = layer;
      this.mark();
    }
    const fitting = Math.min(camera.width / (box.width + 4), camera.height / (box.height + 4));
    camera.zoom = Math.min(fitting >= 1 ? Math.floor(fitting) : fitting, FRAMED_ZOOM);
    camera.centre(box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2);
    this.framed = box;
    this.page.redraw();
  }

  /** The part of the canvas in which A is seen; null for none. @returns {import("./compare_halves.js").Rectangle | null} */
  get part() {
    if (!this.open) return null;
    const { halves, picture: { width, height } } = this.page;
    if (halves) return halves[0];
    if (!this.other) return null;
    if (this.blink.on) return { left: 0, top: 0, width, height };
    const columns = this.mode === "swipe" ? Math.round(width * this.divider.position) : 0;
    return columns ? { left: 0, top: 0, width: columns, height } : null;
  }

  /** Draw A over the drawing of B, and the differences over both. */
  drawOver() {
    const { page, part, other } = this;
    const label = this.event?.label ?? "";
    this.divider.draw(Boolean(other) && this.open && this.mode === "swipe", label);
    this.halves.draw(page.halves, label, page.picture);
    if (part) this.drawOther(other, part);
    if (!other || !this.open || !this.bar.marking) return;
    if (!page.halves) return this.drawChanges(page.camera);
    for (const half of page.halves) this.within(half, () => this.drawChanges(page.camera.within(half, page.picture)));
  }

  /** @param {import("./camera.js").Camera} camera */
  drawChanges(camera) {
    const { page } = this;
    this.changes.cells(camera);
    if (this.event?.problem === null) this.changes.objects(this.event.difference.objects, camera, (name) => page.layers.showsObject(name));
    if (this.framed) this.changes.box(this.framed, camera, page.colors.accent);
  }

  /** Draw over a part of the picture alone. @param {import("./compare_halves.js").Rectangle} part @param {() => void} draw */
  within(part, draw) {
    const { context } = this.page.marks;
    context.save();
    context.beginPath();
    context.rect(part.left, part.top, part.width, part.height);
    context.clip();
    draw();
    context.restore();
  }

  /** @param {LevelView | null} other @param {import("./compare_halves.js").Rectangle} part */
  drawOther(other, part) {
    const { page } = this;
    const { colors, hover, pin, layers } = page;
    const camera = page.halves ? page.camera.within(part, page.picture) : page.camera;
    if (other) this.light(other);
    else this.renderer.show(null);
    this.renderer.within(part, () => this.renderer.draw(camera, (layer) => layers.shown(layer, /** @type {LevelView} */ (other)), colors));
    const cell = page.walk.on || !hover || !other?.has(hover.x, hover.y) ? null : hover;
    const pinned = pin && other?.has(pin.x, pin.y) ? pin : null;
    this.within(part, () => this.marks.draw(other, camera, {
      hover: cell, pin: pinned, hero: null, fog: null, drawn: [], chosen: layers.broughtOut,
      seen: other && cell && pinned ? other.visibleFrom(pinned.x, pinned.y)?.[cell.y * other.width + cell.x] === 1 : null,
      shows: (name) => layers.showsObject(name),
    }, colors));
  }

  /** Light A as B is lit: the cells seen from the cell under the pointer. @param {LevelView} other */
  light(other) {
    const { page } = this;
    const { hover } = page;
    const shaded = hover && page.shades && !page.steps.open && !page.overlays.layer.overlay;
    const key = shaded ? `${hover.x} ${hover.y}` : "none";
    if (key === this.lit) return;
    this.lit = key;
    this.renderer.light(shaded ? other.visibleFrom(hover.x, hover.y) : null);
  }

  /** The interface for scripts and tests. */
  told() {
    const { event, other } = this;
    const { found } = this.bar.outputs;
    return {
      open: this.open, label: event?.label ?? "", problem: event?.problem ?? null, difference: event?.problem === null ? event.difference : null,
      mode: this.mode, position: this.divider.position, blinking: this.blink.on, level: other && { width: other.width, height: other.height, seed: other.seed },
      revision: event?.revision ?? 0, outputs: found?.problem === null ? found.outputs : null,
    };
  }
}
