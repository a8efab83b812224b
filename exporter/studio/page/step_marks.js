// @ts-check
/** Marks the cells that a step has changed: tinted, with a line around where cells are large enough. */

/** @typedef {import("./camera.js").Camera} Camera */

const TINT = 0.3;
const LINE_ZOOM = 4;
const MOST_EDGES = 20_000;
/** Where more of the cells have changed, marks would only hide them. */
const MOST_PART = 0.5;

export class StepMarks {
  constructor() {
    /** A pixel for each cell of the box around the changes. */
    this.tint = document.createElement("canvas");
    this.color = "";
    /** @type {Int32Array} */ this.places = new Int32Array();
    /** The box, in cells of the layer. */
    this.box = { x: 0, y: 0, width: 0, height: 0 };
    /** @type {Path2D | null} */ this.outline = null;
    this.width = 1;
    this.many = false;
  }

  clear() {
    this.places = new Int32Array();
    this.outline = null;
    this.color = "";
  }

  /** @param {Int32Array} places in the order of rows @param {number} width of the layer @param {number} height */
  show(places, width, height) {
    this.clear();
    this.places = places;
    this.width = width;
    this.many = places.length > width * height * MOST_PART;
    if (!places.length || this.many) return;
    let [left, right] = [width, 0];
    for (const place of places) {
      const x = place % width;
      if (x < left) left = x;
      if (x > right) right = x;
    }
    const top = Math.floor(places[0] / width);
    const bottom = Math.floor(places[places.length - 1] / width);
    this.box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
    this.outline = this.outlined();
  }

  /** The lines between changed and unchanged cells; null for too many. */
  outlined() {
    if (this.places.length > MOST_EDGES) return null;
    const { width } = this;
    const changed = new Set(this.places);
    const path = new Path2D();
    let edges = 0;
    for (const place of this.places) {
      const x = place % width;
      const y = (place - x) / width;
      for (const [dx, dy, x0, y0, x1, y1] of SIDES) {
        const beside = x + dx >= 0 && x + dx < width && changed.has(place + dx + dy * width);
        if (beside) continue;
        path.moveTo(x + x0, y + y0);
        path.lineTo(x + x1, y + y1);
        if (++edges > MOST_EDGES) return null;
      }
    }
    return path;
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Camera} camera @param {string} color
   * @param {number} across @param {number} down cells of the level for one of the layer
   */
  draw(context, camera, color, across, down) {
    const { box } = this;
    if (!this.places.length || this.many) return;
    if (this.color !== color) this.paint(color);
    context.save();
    context.setTransform(camera.zoom * across, 0, 0, camera.zoom * down, -camera.x * camera.zoom, -camera.y * camera.zoom);
    context.imageSmoothingEnabled = false;
    context.globalAlpha = TINT;
    context.drawImage(this.tint, box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    if (this.outline && camera.zoom * across >= LINE_ZOOM) {
      const unit = 1 / (camera.zoom * across);
      context.lineCap = "square";
      for (const [stroke, wide] of /** @type {[string, number][]} */ ([["#000000a0", 4], [color, 2]])) {
        context.strokeStyle = stroke;
        context.lineWidth = wide * unit;
        context.stroke(this.outline);
      }
    }
    context.restore();
  }

  /** @param {string} color `#rrggbb` */
  paint(color) {
    const { box, tint, width } = this;
    this.color = color;
    tint.width = box.width;
    tint.height = box.height;
    const context = /** @type {CanvasRenderingContext2D} */ (tint.getContext("2d"));
    const image = context.createImageData(box.width, box.height);
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    for (const place of this.places) {
      const x = place % width;
      const at = (((place - x) / width - box.y) * box.width + x - box.x) * 4;
      image.data[at] = red;
      image.data[at + 1] = green;
      image.data[at + 2] = blue;
      image.data[at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }
}

/** The cell beside each side, and the ends of the line between. */
const SIDES = [[0, -1, 0, 0, 1, 0], [0, 1, 0, 1, 1, 1], [-1, 0, 0, 0, 0, 1], [1, 0, 1, 0, 1, 1]];
