// @ts-check
/** Walks through the level in the page: the hero steps, the picture follows, and the fog lies over it. */

import { say } from "./notices.js";
import { FOGS, Walk } from "./walk.js";

/** @typedef {{x: number, y: number}} Cell */
// So many pixels a cell show where one walks.
const [LEAST_ZOOM, ZOOM] = [12, 16];

export class Walking {
  /** @param {import("./viewer.js").Viewer} page */
  constructor(page) {
    this.page = page;
    this.walk = new Walk();
    /** The spec that the hero walks in. @type {string | undefined} */
    this.text = undefined;
  }

  /** @param {[number, number]} step */
  step(step) {
    const { level } = this.page;
    if (!level || !this.walk.step(level, step)) return;
    const hero = /** @type {Cell} */ (this.walk.hero);
    this.page.camera.centre(hero.x, hero.y);
    this.page.look();
  }

  toggle() {
    if (!this.walk.on) return this.begin();
    this.walk.end();
    this.changed();
  }

  begin() {
    const { level, hover, camera } = this.page;
    if (!level) return;
    const from = hover && level.walkable[hover.y * level.width + hover.x] ? hover : null;
    if (!this.walk.begin(level, from)) return say("Nobody can walk in this level.", true);
    if (camera.zoom < LEAST_ZOOM) camera.zoom = ZOOM;
    const hero = /** @type {Cell} */ (this.walk.hero);
    camera.centre(hero.x, hero.y);
    this.changed();
  }

  /** The level is another one. @param {import("./level.js").LevelView} level @param {string | undefined} text its spec */
  showLevel(level, text) {
    if (this.walk.hero && !level.has(this.walk.hero.x, this.walk.hero.y)) this.walk.end();
    // Drawn cells leave the spec as it is: the hero keeps the remembered cells.
    if (text !== this.text) this.walk.remembered = null;
    this.text = text;
  }

  /** The hero has come or gone, or the level is another one. */
  changed() {
    this.page.tools.walked();
    this.page.look();
  }

  nextFog() {
    this.walk.fog = FOGS[(FOGS.indexOf(this.walk.fog) + 1) % FOGS.length];
    say(`Fog: ${this.walk.fog}`);
    this.page.look();
  }
}
