// @ts-check
/** Walk mode: a hero among the cells, with seen and remembered cells. */

/** @typedef {import("./level.js").LevelView} LevelView */

/** Which step each key means; no step waits a turn. @type {Record<string, [number, number]>} */
export const STEPS = {
  KeyQ: [-1, -1], KeyW: [0, -1], KeyE: [1, -1],
  KeyA: [-1, 0], KeyS: [0, 0], KeyD: [1, 0],
  KeyZ: [-1, 1], KeyX: [0, 1], KeyC: [1, 1],
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
  Numpad7: [-1, -1], Numpad8: [0, -1], Numpad9: [1, -1],
  Numpad4: [-1, 0], Numpad5: [0, 0], Numpad6: [1, 0],
  Numpad1: [-1, 1], Numpad2: [0, 1], Numpad3: [1, 1],
};
export const FOGS = ["off", "remembered", "strict"];

export class Walk {
  constructor() {
    /** @type {{x: number, y: number} | null} */
    this.hero = null;
    this.fog = "remembered";
    /** @type {Uint8Array | null} */
    this.remembered = null;
  }

  get on() {
    return this.hero !== null;
  }

  /** @param {LevelView} level @param {{x: number, y: number} | null} from */
  begin(level, from) {
    const at = from ?? (level.start ? { x: level.start[0], y: level.start[1] } : null);
    if (!at) return false;
    this.hero = at;
    this.remembered = null;
    return true;
  }

  end() {
    this.hero = null;
    this.remembered = null;
  }

  /**
   * Walk to a neighbouring cell, if one can walk there.
   * @param {LevelView} level @param {[number, number]} step
   */
  step(level, step) {
    if (!this.hero) return false;
    if (step[0] === 0 && step[1] === 0) return true;
    const [x, y] = [this.hero.x + step[0], this.hero.y + step[1]];
    if (!level.has(x, y) || !level.walkable[y * level.width + x]) return false;
    this.hero = { x, y };
    return true;
  }

  /**
   * Return the lit cells: 1 in sight, 2 remembered, 0 neither; null for all.
   * @param {LevelView} level
   * @returns {Uint8Array | null}
   */
  lit(level) {
    if (!this.hero || this.fog === "off") return null;
    const seen = level.visibleFrom(this.hero.x, this.hero.y);
    if (!seen) return null;
    if (this.fog === "strict") return seen;
    if (!this.remembered || this.remembered.length !== seen.length) this.remembered = new Uint8Array(seen.length);
    const found = this.remembered;
    for (let at = 0; at < seen.length; at++) {
      if (seen[at]) found[at] = 1;
      else if (found[at]) found[at] = 2;
    }
    return found.slice();
  }
}
