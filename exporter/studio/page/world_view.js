// @ts-check
/**
 * A world that is too large to be shown at once: the level is a window of it, which follows the view, and lies on a picture of
 * the whole.
 */

import { painted } from "./plain_renderer.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/**
 * A picture of all of a world.
 * @typedef {{canvas: HTMLCanvasElement, pixels: Uint8Array, columns: number, rows: number, step: number}} Overview `step`: cells of a pixel's side
 */

// The server makes no larger windows; from farther away the picture of the whole is enough.
const LONGEST = 640;
const FARTHEST = 4 * LONGEST;
// The view has to rest so many milliseconds, or the changes of a slider, before more is made.
const REST = 80;
const LONG_REST = 500;

export class WorldView {
  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Overview | null} */
    this.overview = null;
    /** The level and the revision of the overview. */
    this.of = "";
    this.complete = false;
    /** The area that was asked for last, and whether it is on its way. */
    this.asked = "";
    this.waiting = false;
    this.resting = 0;
    this.overviewing = 0;
    /** @type {import("./messages.js").Handlers} */
    this.handlers = {
      overview: (event) => this.show(event),
      problems: () => { this.waiting = false; },
    };
  }

  /** @param {import("./messages.js").OverviewEvent | import("./messages.js").ViewFailure} event */
  show(event) {
    const { level } = this.page;
    if (!("pixels" in event) || !level?.world || event.level !== level.id) return;
    const { pixels, columns, rows, step } = event;
    const canvas = painted(columns, rows, (own) => own.set(pixels));
    this.lay({ canvas, pixels, columns, rows, step });
    this.complete = event.complete;
    if (!event.complete && event.revision === level.revision) this.page.send({ do: "overview" });
  }

  /** @param {Overview | null} overview */
  lay(overview) {
    this.overview = overview;
    this.page.renderer.spread(overview);
    this.page.redraw();
  }

  /** @param {LevelView} level */
  showLevel(level) {
    this.waiting = false;
    const of = level.world ? `${level.id} ${level.revision}` : "";
    if (of === this.of) return;
    if (!of || this.of.split(" ")[0] !== level.id) this.lay(null);
    this.of = of;
    this.asked = "";
    // The page comes first, and so does the rest of a slider's way.
    clearTimeout(this.overviewing);
    if (of) this.overviewing = setTimeout(() => { if (this.of === of) this.page.send({ do: "overview" }); }, this.overview ? LONG_REST : 0);
  }

  /** The server knows nothing of the window after the connection was lost. */
  welcomed() {
    this.of = this.asked = "";
    this.waiting = false;
  }

  hide() {
    clearTimeout(this.resting);
    this.welcomed();
    this.lay(null);
  }

  /** In every frame: whether the view has left the window. */
  drawOver() {
    const { level, camera } = this.page;
    if (!level?.world || this.waiting || this.page.halves) return;
    const { world } = level;
    const [left, width] = cut(camera.x + world.x, camera.width / camera.zoom, world.width);
    const [top, height] = cut(camera.y + world.y, camera.height / camera.zoom, world.height);
    if (Math.max(camera.width, camera.height) / camera.zoom > FARTHEST || width < 1 || height < 1) return;
    const inside = left >= world.x && top >= world.y && left + width <= world.x + level.width && top + height <= world.y + level.height;
    const area = `${left} ${top} ${width} ${height}`;
    if (inside || area === this.asked && world.complete) return;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.asked = area;
      this.waiting = true;
      this.page.send({ do: "area", place: [left, top], size: [width, height] });
    }, world.complete ? REST : 0);
  }
}

/**
 * The first cell and the number of cells in view, within the world and around the middle.
 * @param {number} first @param {number} count @param {number} whole @returns {[number, number]}
 */
function cut(first, count, whole) {
  const side = Math.min(Math.ceil(count) + 1, LONGEST, whole);
  const start = Math.floor(first + (count - side) / 2);
  return [Math.min(Math.max(start, 0), whole - side), side];
}
