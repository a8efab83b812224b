// @ts-check
/** What a stroke did to objects: those that were placed anew, stand in a wall, or cannot be reached any more. */

import { element } from "./elements.js";
import { UNREACHABLE } from "./level.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {{x: number, y: number}} Cell */
/** An object by its name and number. @typedef {{name: string, ordinal: number, at: Cell, blocked: boolean, reached: boolean}} Place */
/** @typedef {{name: string, ordinal: number, from: Cell, to: Cell, why: "moved" | "wall" | "unreachable"}} Moved */
/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => void} send
 * @property {(cell: Cell) => void} show
 * @property {() => void} redraw
 */

// More are counted, not listed.
const MOST = 6;
const WORDS = { wall: "stands in a wall", unreachable: "cannot be reached" };

export class MovedObjects {
  /** @param {HTMLElement} panel @param {Host} host */
  constructor(panel, host) {
    this.panel = panel;
    this.host = host;
    /** The last level's objects. @type {Map<string, Place>} */
    this.places = new Map();
    this.level = "";
    this.drawn = 0;
    /** @type {Map<string, Moved>} */
    this.moved = new Map();
  }

  /** @param {LevelView} level */
  showLevel(level) {
    const places = placesOf(level);
    if (level.id !== this.level) {
      this.moved.clear();
      this.drawn = level.drawn;
    }
    for (const [key, one] of this.moved) if (!holds(one, places.get(key))) this.moved.delete(key);
    if (level.drawn > this.drawn) this.compare(places);
    this.level = level.id;
    this.drawn = Math.max(this.drawn, level.drawn);
    this.places = places;
    this.list();
  }

  hide() {
    this.moved.clear();
    this.level = "";
    this.list();
  }

  /** A stroke has come into the picture. @param {Map<string, Place>} places */
  compare(places) {
    for (const [key, { name, ordinal, at, blocked, reached }] of places) {
      const before = this.places.get(key);
      if (!before) continue;
      const from = this.moved.get(key)?.from ?? before.at;
      const why = from.x !== at.x || from.y !== at.y ? "moved" : blocked && !before.blocked ? "wall" : !reached && before.reached ? "unreachable" : null;
      if (why) this.moved.set(key, { name, ordinal, from, to: at, why });
    }
  }

  list() {
    const { panel, moved, host } = this;
    panel.hidden = moved.size === 0;
    if (panel.hidden) return panel.replaceChildren();
    const all = [...moved];
    const anew = all.filter(([, one]) => one.why === "moved");
    panel.replaceChildren(
      element("strong", {}, anew.length ? "Your drawing moved objects" : "Your drawing shut objects off"),
      ...all.slice(0, MOST).map(([key, one]) => this.row(key, one)),
      ...(all.length > MOST ? [element("p", { className: "about" }, `and ${all.length - MOST} more`)] : []),
      ...(all.length > 1 ? [element("div", { className: "row-actions" },
        anew.length ? element("button", { id: "keep-all", onclick: () => this.keep(anew.map(([, one]) => one)) }, "Keep all where they were") : null,
        element("button", { id: "let-all", onclick: () => this.dismiss(all.map(([key]) => key)) }, anew.length ? "Let all move" : "Leave all"))] : []),
    );
    host.redraw();
  }

  /** @param {string} key @param {Moved} one */
  row(key, one) {
    const what = `${one.name} ${one.ordinal}`;
    const told = one.why === "moved" ? `${one.from.x}, ${one.from.y} → ${one.to.x}, ${one.to.y}` : WORDS[one.why];
    return element("div", { className: "moved-row" },
      element("button", { className: "quiet", title: "Show it on the map", onclick: () => this.host.show(one.to) }, what),
      element("span", { className: "about" }, told),
      one.why === "moved" ? element("button", { onclick: () => this.keep([one]) }, "Keep where it was") : null,
      element("button", { onclick: () => this.dismiss([key]) }, one.why === "moved" ? "Let it move" : "Leave it"));
  }

  /** Put objects where they were, as one step. @param {Moved[]} them */
  keep(them) {
    const merge = `keep ${Date.now()}`;
    for (const { name, ordinal, from } of them) this.host.send({ do: "move", name, ordinal, to: [from.x, from.y], merge });
  }

  /** @param {string[]} keys */
  dismiss(keys) {
    for (const key of keys) this.moved.delete(key);
    this.list();
    this.host.redraw();
  }

  /** Show from where to where objects moved. @param {CanvasRenderingContext2D} context @param {import("./camera.js").Camera} camera @param {{accent: string, bad: string}} colors */
  drawMarks(context, camera, colors) {
    /** @param {Cell} cell @returns {[number, number]} */
    const middle = ({ x, y }) => [(x + 0.5 - camera.x) * camera.zoom, (y + 0.5 - camera.y) * camera.zoom];
    const radius = Math.max(camera.zoom * 0.7, 7);
    for (const { from, to, why } of this.moved.values()) {
      const [x, y] = middle(to);
      for (const [color, width] of /** @type {[string, number][]} */ ([["#000a", 5], [why === "moved" ? colors.accent : colors.bad, 2.5]])) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        if (why === "moved") arrow(context, middle(from), [x, y], radius);
        context.stroke();
      }
    }
  }
}

/** @param {CanvasRenderingContext2D} context @param {[number, number]} from @param {[number, number]} to @param {number} short how far from its aim it ends */
function arrow(context, from, to, short) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length <= short) return;
  const [ux, uy] = [dx / length, dy / length];
  const [x, y] = [to[0] - ux * short, to[1] - uy * short];
  context.moveTo(...from);
  context.lineTo(x, y);
  context.moveTo(x - 9 * ux - 5 * uy, y - 9 * uy + 5 * ux);
  context.lineTo(x, y);
  context.lineTo(x - 9 * ux + 5 * uy, y - 9 * uy - 5 * ux);
}

/** @param {LevelView} level @returns {Map<string, Place>} */
function placesOf(level) {
  return new Map(level.objects.flatMap(({ id, name, x, y }) => {
    const ordinal = level.edits.ordinals[id];
    const at = y * level.width + x;
    if (!ordinal) return [];
    return [[`${name} ${ordinal}`, { name, ordinal, at: { x, y }, blocked: !level.walkable[at], reached: level.steps[at] !== UNREACHABLE }]];
  }));
}

/** Whether it is still so. @param {Moved} one @param {Place | undefined} place */
function holds({ to, from, why }, place) {
  if (!place || place.at.x !== to.x || place.at.y !== to.y) return false;
  if (why === "moved") return to.x !== from.x || to.y !== from.y;
  return why === "wall" ? place.blocked : !place.reached;
}
