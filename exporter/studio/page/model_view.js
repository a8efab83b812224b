// @ts-check
/** Shows the level in three dimensions: turned by dragging, with its objects and the hero who walks. */

import { element } from "./elements.js";
import { closeButton } from "./icons.js";
import { floorAt, readModel } from "./model_file.js";
import { ModelPicture } from "./model_picture.js";

/** @typedef {import("./model_file.js").Model} Model */

const TURN = 0.008;
const STEP = 0.12;
const ZOOM = 1.25;
const FLATTEST = 0.08, STEEPEST = 1.55;
const HINT = "Drag or arrows: turn. Wheel, + and −: zoom. Esc: back.";

export class ModelView {
  /** @param {HTMLElement} bar of the view @param {import("./page.js").Page} page */
  constructor(bar, page) {
    this.page = page;
    this.button = element("button", { className: "quiet", id: "model-switch", title: "In three dimensions (U)", "aria-label": "In three dimensions", "aria-pressed": "false", onclick: () => this.toggle() }, "3D");
    this.canvas = element("canvas", {
      id: "model-picture", tabindex: "0", role: "application", "aria-label": "The level in three dimensions", "aria-describedby": "model-note",
      onpointerdown: (/** @type {PointerEvent} */ event) => this.canvas.setPointerCapture(event.pointerId),
      onpointermove: (/** @type {PointerEvent} */ event) => { if (this.canvas.hasPointerCapture(event.pointerId)) this.turn(-event.movementX * TURN, event.movementY * TURN); },
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    this.canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(event.deltaY * 0.001)); }, { passive: false });
    this.note = element("p", { id: "model-note", role: "status" });
    this.node = element("div", { className: "model", role: "region", "aria-label": "In three dimensions", hidden: true }, this.canvas, this.note,
      closeButton(() => this.escape()));
    bar.prepend(this.button);
    bar.before(this.node);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.orbit = { target: [0, 0, 0], yaw: 0.5, pitch: 0.85, distance: 1 };
    this.fitted = "";
    /** @type {Model | null} */ this.model = null;
    /** @type {ModelPicture | null} */ this.picture = null;
    /** How many models have come: a later one may be read first. */
    this.came = 0;
  }

  get keys() {
    return [{ key: "U", help: "the level in three dimensions", action: () => this.toggle() }];
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return { model: (event) => void this.receive(event) };
  }

  get open() {
    return !this.node.hidden;
  }

  toggle() {
    if (this.escape() || !this.page.level) return;
    this.node.hidden = false;
    this.node.setAttribute("aria-busy", "true");
    this.button.setAttribute("aria-pressed", "true");
    this.canvas.focus({ preventScroll: true });
    const gl = this.picture?.gl ?? this.canvas.getContext("webgl2");
    this.picture ??= gl && new ModelPicture(gl);
    this.note.textContent = this.picture ? "" : "This browser has no WebGL 2.";
    if (this.picture) this.page.send({ do: "model", on: true });
  }

  escape() {
    if (!this.open) return false;
    this.node.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    this.page.send({ do: "model", on: false });
    this.page.picture.focus({ preventScroll: true });
    return true;
  }

  hide() {
    this.escape();
    this.came++;
    this.model = null;
    this.fitted = "";
  }

  again() {
    if (this.open) this.page.send({ do: "model", on: true });
  }

  /** @param {import("./messages.js").Events["model"]} event */
  async receive(event) {
    const { level } = this.page;
    if (!this.open || !this.picture || event.level !== level?.id) return;
    const number = ++this.came;
    if (event.problem !== null) {
      this.note.textContent = event.problem;
      this.node.setAttribute("aria-busy", "false");
      return;
    }
    const model = readModel(event.model);
    const pictures = await Promise.all(model.pictures.map((one) => createImageBitmap(one)));
    if (number !== this.came) return;
    this.model = model;
    this.picture.show(model, pictures);
    const size = model.high.map((one, axis) => one - model.low[axis]);
    const fitted = `${event.level} ${size[0]} ${size[2]}`;
    if (fitted !== this.fitted) {
      this.fitted = fitted;
      this.orbit.distance = 0.95 * Math.hypot(...size);
    }
    this.note.textContent = HINT;
    this.draw();
    this.node.setAttribute("aria-busy", "false");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.turn(-STEP, 0), ArrowRight: () => this.turn(STEP, 0), ArrowUp: () => this.turn(0, STEP), ArrowDown: () => this.turn(0, -STEP),
      "+": () => this.zoom(1 / ZOOM), "=": () => this.zoom(1 / ZOOM), "-": () => this.zoom(ZOOM),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** @param {number} yaw @param {number} pitch */
  turn(yaw, pitch) {
    this.orbit.yaw += yaw;
    this.orbit.pitch = Math.min(Math.max(this.orbit.pitch + pitch, FLATTEST), STEEPEST);
    this.draw();
  }

  /** @param {number} times */
  zoom(times) {
    const { low, high, cell } = this.model ?? { low: [0], high: [1], cell: 1 };
    this.orbit.distance = Math.min(Math.max(this.orbit.distance * times, 3 * cell), 4 * Math.hypot(...high.map((one, axis) => one - low[axis])));
    this.draw();
  }

  /** The hero has walked, or the theme is another one. */
  drawOver() {
    if (this.open) this.draw();
  }

  draw() {
    const { canvas, model, picture, page } = this;
    if (!this.open || !picture) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (!model) return picture.gl.clear(picture.gl.COLOR_BUFFER_BIT); // what was drawn stays until something else is
    const { cell } = model;
    const marks = model.objects.map((at) => ({ at, size: [0.4 * cell, 0.4 * cell, 0.4 * cell], color: colorOf(page.colors.accent) }));
    const { hero } = page.walk;
    this.orbit.target = model.low.map((one, axis) => (axis === 1 ? one : (one + model.high[axis]) / 2));
    if (hero) {
      const [x, z] = [(hero.x + 0.5) * cell, (hero.y + 0.5) * cell];
      this.orbit.target = [x, floorAt(model, x, z), z];
      marks.push({ at: this.orbit.target, size: [0.5 * cell, 1.6 * cell, 0.5 * cell], color: colorOf(page.colors.good) });
    }
    picture.draw(this.orbit, marks, page.colors.background);
  }
}

/** @param {string} color `#rrggbb` */
function colorOf(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
}
