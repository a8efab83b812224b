// @ts-check
/** Which part of the level is seen: pan, and zoom that keeps the cell under the pointer. */

/**
 * The covered margins of a canvas, in device pixels.
 * @typedef {{left: number, top: number, right: number, bottom: number}} Insets
 */

export const MOST_ZOOM = 96;
const LEAST_ZOOM = 1 / 16;

/** @type {Insets} */
const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };

export class Camera {
  constructor() {
    /** Cell coordinates in the upper left corner of the canvas. */
    this.x = 0;
    this.y = 0;
    /** Device pixels a cell. */
    this.zoom = 8;
    /** The least zoom: a larger level than fits with it is shown whole all the same. */
    this.least = LEAST_ZOOM;
    this.width = 1;
    this.height = 1;
  }

  /** @param {number} width @param {number} height in device pixels */
  resize(width, height) {
    this.x += (this.width - width) / 2 / this.zoom;
    this.y += (this.height - height) / 2 / this.zoom;
    this.width = width;
    this.height = height;
  }

  /**
   * Return the same view for drawing on the whole canvas, of which it fills a part.
   * @param {{left: number, top: number}} part @param {{width: number, height: number}} canvas
   */
  within(part, canvas) {
    const camera = new Camera();
    const [x, y] = [this.x - part.left / this.zoom, this.y - part.top / this.zoom];
    return Object.assign(camera, { x, y, zoom: this.zoom, width: canvas.width, height: canvas.height });
  }

  /**
   * Fit a whole level into the uncovered part of the canvas.
   * @param {{x: number, y: number, width: number, height: number}} whole in cells @param {Insets} [insets] the covered margins
   */
  fit({ x, y, width: columns, height: rows }, insets = NOTHING) {
    const width = Math.max(this.width - insets.left - insets.right, 1);
    const height = Math.max(this.height - insets.top - insets.bottom, 1);
    const zoom = Math.min(width / columns, height / rows);
    this.least = Math.min(zoom, LEAST_ZOOM);
    this.zoom = clamp(zoom >= 1 ? Math.floor(zoom) : zoom, this.least, MOST_ZOOM);
    this.x = x + columns / 2 - (insets.left + width / 2) / this.zoom;
    this.y = y + rows / 2 - (insets.top + height / 2) / this.zoom;
    this.snap();
  }

  /** Whether all of a level is in sight. @param {{x: number, y: number, width: number, height: number} | undefined} whole in cells */
  holds(whole) {
    return whole !== undefined && this.x <= whole.x && this.y <= whole.y
      && this.x + this.width / this.zoom >= whole.x + whole.width && this.y + this.height / this.zoom >= whole.y + whole.height;
  }

  /** @param {number} dx @param {number} dy in device pixels */
  pan(dx, dy) {
    this.x -= dx / this.zoom;
    this.y -= dy / this.zoom;
    this.snap();
  }

  /**
   * @param {number} factor
   * @param {number} px @param {number} py the pixel that keeps its cell
   */
  zoomAt(factor, px, py) {
    const x = this.x + px / this.zoom;
    const y = this.y + py / this.zoom;
    this.zoom = clamp(this.zoom * factor, this.least, MOST_ZOOM);
    // Whole pixels a cell show every pixel of a tile alike.
    if (this.zoom >= 4) this.zoom = factor > 1 ? Math.ceil(this.zoom) : Math.floor(this.zoom);
    this.zoom = clamp(this.zoom, this.least, MOST_ZOOM);
    this.x = x - px / this.zoom;
    this.y = y - py / this.zoom;
    this.snap();
  }

  /** @param {number} x @param {number} y a cell */
  centre(x, y) {
    this.x = x + 0.5 - this.width / 2 / this.zoom;
    this.y = y + 0.5 - this.height / 2 / this.zoom;
    this.snap();
  }

  /** @param {number} px @param {number} py */
  cellAt(px, py) {
    return { x: Math.floor(this.x + px / this.zoom), y: Math.floor(this.y + py / this.zoom) };
  }

  /** Cells begin at whole pixels, or edges would swim. */
  snap() {
    this.x = Math.round(this.x * this.zoom) / this.zoom;
    this.y = Math.round(this.y * this.zoom) / this.zoom;
  }
}

/** @param {number} value @param {number} least @param {number} most */
function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}
