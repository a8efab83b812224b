// @ts-check
/**
 * How a layer is made: a bar below the picture goes through its steps, and the picture has each in the
 * layer's place. The last step is the layer as it is, drawn as it is.
 */

import { element } from "./elements.js";
import { StepFrames } from "./step_frames.js";
import { StepMarks } from "./step_marks.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {import("./step_frames.js").Sent} Sent */
/** @typedef {{visible: boolean, opacity: number}} DisplayedState */
/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => void} send
 * @property {() => void} redraw the picture and the text about the cell
 * @property {() => void} toggled it was opened or closed
 * @property {(layer: Layer) => DisplayedState} shown how the panel shows a layer
 * @property {() => boolean} fitted whether all of the level is in sight
 * @property {() => void} fit
 */

const SPEEDS = [1, 2, 5, 10, 20, 50];
const [SPEED, CALM_SPEED] = [10, 2];
/** A part of the cells that is covered by other layers, from which on the layer is shown alone. */
const COVERED = 0.5;

export class Steps {
  /**
   * @param {HTMLElement} stage @param {HTMLElement} picture
   * @param {import("./renderer.js").Renderer | import("./plain_renderer.js").PlainRenderer} renderer
   * @param {Host} host
   */
  constructor(stage, picture, renderer, host) {
    this.stage = stage;
    this.picture = picture;
    this.renderer = renderer;
    this.host = host;
    this.open = false;
    this.playing = 0;
    /** The requested layer; empty for any with more than one step. */
    this.asked = "";
    /** @type {LevelView | null} */ this.level = null;
    /** @type {StepFrames | null} */ this.frames = null;
    /** @type {string | null} */ this.problem = null;
    this.marks = new StepMarks();
    /** The layer as it is in the step that is shown. @type {Layer | null} */
    this.stand = null;
    /** @type {(text: string, title: string, action: () => void) => HTMLButtonElement} */
    const button = (text, title, action) => element("button", { type: "button", className: "quiet", title, "aria-label": title, onclick: action }, text);
    const at = () => this.frames?.at ?? 0;
    this.first = button("|◂", "First step", () => this.choose(0));
    this.previous = button("◂", "Previous step", () => this.choose(at() - 1));
    this.play = element("button", { type: "button", id: "steps-play", title: "Play and pause (Space)", onclick: () => this.playOrPause() }, "Play");
    this.next = button("▸", "Next step", () => this.choose(at() + 1));
    this.last = button("▸|", "Last step", () => this.choose(Infinity));
    this.slider = element("input", { type: "range", id: "steps-at", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => this.choose(Number(this.slider.value)) });
    this.count = element("span", { className: "count" });
    this.label = element("span", { className: "label", role: "status", "aria-live": "polite" });
    this.notes = element("span", { className: "notes" });
    this.choice = element("select", { id: "steps-layer", "aria-label": "Layer", onchange: () => this.ask(this.choice.value) });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.speed = element("select", { id: "steps-speed", "aria-label": "Speed" },
      ...SPEEDS.map((one) => element("option", { value: one, selected: one === (calm ? CALM_SPEED : SPEED) }, `${one} a second`)));
    this.alone = element("input", { type: "checkbox", id: "steps-alone", onchange: () => this.host.redraw() });
    this.marking = element("input", { type: "checkbox", id: "steps-marks", checked: true, onchange: () => this.host.redraw() });
    this.bar = this.makeBar();
    this.measured = new ResizeObserver(() => this.measure());
    /** @type {(event: KeyboardEvent) => void} */
    this.spaced = (event) => this.space(event);
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return { steps: (event) => this.receive(event) };
  }

  get keys() {
    return [
      { key: "T", help: "steps: how a layer is made", action: () => this.toggle() },
      { key: "Space, arrows, Home, End", help: "in the steps: play and pause, one back or on, first, last", action: () => {} },
    ];
  }

  // --- opening and closing --------------------------------------------------------------------

  toggle() {
    if (this.open) return this.close();
    if (!this.level) return;
    const fitted = this.host.fitted();
    this.open = true;
    this.bar.hidden = false;
    this.measured.observe(this.bar);
    document.addEventListener("keydown", this.spaced);
    this.ask(this.level.layer(this.asked) ? this.asked : "");
    this.slider.focus();
    this.host.toggled();
    if (!fitted) return;
    // Once the picture has the size that the bar leaves it.
    requestAnimationFrame(() => requestAnimationFrame(() => this.open && this.host.fit()));
  }

  /** Show how a layer is made. @param {string} layer */
  begin(layer) {
    if (this.open) return this.ask(layer);
    this.asked = layer;
    this.toggle();
  }

  close() {
    if (!this.open) return;
    this.pause();
    this.open = false;
    this.bar.hidden = true;
    this.measured.disconnect();
    this.stage.style.removeProperty("--steps");
    document.removeEventListener("keydown", this.spaced);
    this.host.send({ do: "steps", layer: null });
    this.show(null);
    this.picture.focus({ preventScroll: true });
    this.host.toggled();
  }

  escape() {
    const { open } = this;
    this.close();
    return open;
  }

  again() {
    if (this.open) this.ask(this.asked);
  }

  /** @param {string} layer */
  ask(layer) {
    this.asked = layer;
    this.pause();
    this.problem = null;
    this.show(null);
    this.host.send({ do: "steps", layer });
  }

  /** @param {LevelView} level */
  showLevel(level) {
    const before = this.level;
    this.level = level;
    if (!this.open) return;
    if (before && before.id !== level.id) return this.close();
    this.listLayers();
    if (this.asked && !level.layer(this.asked)) return this.ask("");
    // The steps of the new level are on their way. Until then those of the old one stay, if they fit.
    if (this.frames && !this.layer) this.show(null);
    else this.place();
  }

  /** The steps come from the server. @param {import("./messages.js").Events["steps"]} sent */
  receive(sent) {
    const { level } = this;
    if (!this.open || !level || sent.wanted !== this.asked || sent.level !== level.id) return;
    if (sent.problem === null && sent.revision < level.revision) return;
    this.problem = sent.problem;
    if (sent.problem !== null) {
      this.pause();
      return this.show(null);
    }
    const before = this.frames;
    const frames = new StepFrames(sent);
    if (before && before.layer === frames.layer) frames.follow(before);
    this.show(frames, before?.layer !== frames.layer);
  }

  // --- showing --------------------------------------------------------------------------------

  /** The layer of the steps, if they fit it. @returns {Layer | null} */
  get layer() {
    const { frames } = this;
    const layer = frames && this.level?.layer(frames.layer);
    return layer && layer.width === frames.width && layer.height === frames.height ? layer : null;
  }

  /** @param {StepFrames | null} frames @param {boolean} [other] they are of another layer */
  show(frames, other = false) {
    this.frames = frames;
    const { layer } = this;
    this.stand = frames && layer ? { ...layer, cells: frames.cells, tiles: frames.tiles, heights: frames.heights, drawings: [] } : null;
    if (other && layer) this.alone.checked = this.hidden(layer);
    this.listLayers();
    this.place();
  }

  /** Show the step that the frames are at. */
  place() {
    const { frames, layer } = this;
    if (this.stand && layer && frames && !frames.last) this.renderer.replace(this.stand);
    else this.renderer.replace(null);
    if (frames && layer && frames.at > 0) this.marks.show(frames.changed(), frames.width, frames.height);
    else this.marks.clear();
    this.tell();
    this.host.redraw();
  }

  /** @param {number} at */
  go(at) {
    if (!this.frames) return;
    this.frames.go(at);
    this.place();
  }

  /** Say which step it is. */
  tell() {
    const { frames } = this;
    const count = frames?.count ?? 1;
    const at = frames?.at ?? 0;
    const several = count > 1;
    this.slider.max = String(count - 1);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", frames ? frames.label : "");
    for (const one of [this.first, this.previous]) one.disabled = at === 0;
    for (const one of [this.next, this.last]) one.disabled = at === count - 1;
    this.play.disabled = !several;
    this.play.textContent = this.playing ? "Pause" : "Play";
    this.count.textContent = several ? `${at + 1} / ${count}` : "";
    this.label.setAttribute("aria-live", this.playing ? "off" : "polite");
    this.label.classList.toggle("bad", this.problem !== null);
    this.label.textContent = this.problem ?? (frames ? frames.label : "Making the steps ...");
    const changed = at > 0 ? this.marks.places.length : 0;
    const notes = [];
    if (frames && !several) notes.push("this layer is made in one step");
    if (frames && at > 0) notes.push(changed === 1 ? "1 cell has changed" : `${changed.toLocaleString("en")} cells have changed`);
    if (frames?.thinned) notes.push("not every step is shown");
    this.notes.textContent = notes.join(" · ");
  }

  /** How a layer is shown now; null as the panel says. @param {Layer} layer @returns {DisplayedState | null} */
  shown(layer) {
    if (!this.open || !this.frames || !this.layer) return null;
    if (layer.name === this.frames.layer) return { visible: true, opacity: this.alone.checked ? 1 : this.host.shown(layer).opacity || 1 };
    return this.alone.checked ? { visible: false, opacity: 1 } : null;
  }

  /** Whether a layer cannot be seen beside the others. @param {Layer} layer */
  hidden(layer) {
    if (!this.host.shown(layer).visible) return true;
    const level = /** @type {LevelView} */ (this.level);
    const above = layer.kind === "heights" ? level.layers : level.layers.slice(level.layers.indexOf(layer) + 1);
    return above.some((one) => one !== layer && one.kind === "tiles" && this.host.shown(one).visible && covers(one));
  }

  /** Whether objects are shown: they stand in the finished level. */
  get objects() {
    return !(this.open && this.frames && this.alone.checked);
  }

  /** A layer as it is in the step that is shown. @param {Layer} layer */
  drawn(layer) {
    return this.stand && !this.frames?.last && layer.name === this.stand.name ? this.stand : layer;
  }

  /** @param {CanvasRenderingContext2D} context @param {import("./camera.js").Camera} camera @param {string} color */
  drawMarks(context, camera, color) {
    const { level, layer } = this;
    if (!this.open || !level || !layer || !this.marking.checked) return;
    this.marks.draw(context, camera, color, level.width / layer.width, level.height / layer.height);
  }

  // --- playing --------------------------------------------------------------------------------

  /** Play from here, or from the first step if this is the last one; or pause. */
  playOrPause() {
    const { frames } = this;
    if (this.playing) return this.pause();
    if (!frames || frames.count < 2) return;
    if (frames.last) this.go(0);
    this.later();
    this.tell();
  }

  later() {
    this.playing = window.setTimeout(() => this.tick(), 1000 / Number(this.speed.value));
  }

  tick() {
    const { frames } = this;
    if (!frames) return this.pause();
    if (frames.at + 1 < frames.count - 1) this.later();
    else this.playing = 0;
    this.go(frames.at + 1);
  }

  pause() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.tell();
  }

  /** @param {number} at */
  choose(at) {
    this.pause();
    this.go(at);
  }

  // --- the bar --------------------------------------------------------------------------------

  makeBar() {
    const bar = element("section", { id: "steps", className: "steps", "aria-label": "Steps of a layer", hidden: true },
      element("div", { className: "steps-row" }, this.choice, this.label, this.notes,
        element("button", { type: "button", className: "quiet close", title: "Close (T)", "aria-label": "Close the steps", onclick: () => this.close() }, "✕")),
      element("div", { className: "steps-row" }, this.first, this.previous, this.play, this.next, this.last, this.slider, this.count,
        element("span", { className: "steps-options" }, this.speed,
          element("label", { title: "Mark the cells that the step has changed" }, this.marking, "changes"),
          element("label", { title: "Show only this layer" }, this.alone, "alone"))));
    bar.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.stage.append(bar);
    return bar;
  }

  /** The bar takes its height from the picture. */
  measure() {
    if (this.open) this.stage.style.setProperty("--steps", `${this.bar.offsetHeight}px`);
  }

  listLayers() {
    const names = this.level?.layers.map((one) => one.name) ?? [];
    const have = [...this.choice.options].map((one) => one.value);
    if (names.join("\n") !== have.join("\n")) this.choice.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    this.choice.value = this.frames?.layer ?? this.asked;
  }

  /** Keys in the bar; on the slider the browser's own keys go on and back. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const at = this.frames?.at ?? 0;
    const place = /** @type {Record<string, number>} */ ({ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity })[event.key];
    if (place === undefined || event.target.matches("select, input[type=range]")) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(place);
  }

  /** Space plays and pauses, unless it is for something else. @param {KeyboardEvent} event */
  space(event) {
    if (event.key !== " " || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(event.target instanceof HTMLElement)) return;
    if (event.target !== this.slider && event.target !== this.picture && event.target !== document.body) return;
    event.preventDefault();
    if (!event.repeat) this.playOrPause();
  }
}

/** Whether a layer covers most of the layers below it. @param {Layer} layer */
function covers(layer) {
  if (!layer.drawings.length) return true;
  const drawing = layer.drawings.find((one) => !one.between) ?? layer.drawings[0];
  let count = 0;
  for (const number of drawing.numbers) if (number) count++;
  return count > drawing.numbers.length * COVERED;
}
