// @ts-check
/** The keys, their actions, and the list of them. */

import { byId } from "./elements.js";
import { takesKeys } from "./uncommitted.js";
import { STEPS } from "./walk.js";

/** @typedef {{x: number, y: number}} Cell */
/** A key of a part of the page. @typedef {{key: string, help: string, action: () => void}} Key */

/**
 * The keys of a page that changes levels.
 * @typedef {object} Editing
 * @property {[string, string][]} help
 * @property {(event: KeyboardEvent) => (() => void) | null} control the action of a key together with Ctrl
 * @property {Record<string, () => void>} actions
 */

/** @type {[string, string][]} */
const KEYS = [
  ["wheel, pinch, + and -", "zoom"], ["drag, two fingers, Shift + arrows", "move the picture"], ["Space or middle button + drag", "move the picture with any tool"], ["0", "fit the level"],
  ["click, Enter", "pin a cell: who sees whom"], ["arrows", "move the cell under the keyboard"],
  ["V, hold S", "shade what the cell under the pointer does not see"],
  ["G", "walk; Q W E A D Z X C, arrows or the number pad step, S and 5 wait"], ["F", "fog: off, remembered, strict"],
];
/** @type {[string, string][]} */
const LAST_KEYS = [["[ and ]", "fold the panels"], ["arrows on the edge of a panel", "make it wider or narrower"], ["Esc", "close, end a shape, walking or a tool, select the level"], ["?", "these keys"]];

export class Keyboard {
  /** @param {import("./viewer.js").Viewer} page @param {Editing | null} [editing] */
  constructor(page, editing = null) {
    this.page = page;
    this.editing = editing;
    document.addEventListener("keydown", (event) => this.key(event));
    // The frame around the picture is for users of the keyboard.
    const root = document.documentElement;
    document.addEventListener("keydown", ({ key }) => { if (/^(Tab|Arrow|Escape)/.test(key)) root.toggleAttribute("data-keyboard", true); }, true);
    document.addEventListener("pointerdown", () => root.removeAttribute("data-keyboard"), true);
    this.release(byId("levels"));
  }

  /**
   * Once a level is chosen the keys are those of the picture again. Who looks through the list by the keys stays in it.
   * @param {HTMLSelectElement | null} select
   */
  release(select) {
    let keyed = false;
    select?.addEventListener("keydown", (event) => { keyed = event.key !== "Enter"; });
    select?.addEventListener("pointerdown", () => { keyed = false; });
    select?.addEventListener("change", () => { if (!keyed) this.page.picture.focus({ preventScroll: true }); });
  }

  /** List every key and its action. @returns {[string, string][]} */
  get list() {
    const own = this.page.parts.flatMap((one) => one.keys ?? []);
    const listed = /** @type {[string, string][]} */ (own.map((one) => [one.key, one.help]));
    return [...KEYS, ...listed, ...this.editing?.help ?? [], ...LAST_KEYS];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { page } = this;
    const control = event.ctrlKey || event.metaKey;
    const slides = event.target instanceof HTMLElement && event.target.matches("input[type=range]");
    const typing = takesKeys(event.target);
    if (typing && event.defaultPrevented) return;
    const combined = control ? this.editing?.control(event) : null;
    if (combined) return this.done(event, combined);
    if (control || event.altKey || (typing && event.code !== "Escape")) return;
    // The start page covers the level.
    if (byId("start")?.hidden === false && event.code !== "Escape") return;
    if (slides && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    if (page.walk.on && STEPS[event.code]) return this.done(event, () => page.walking.step(STEPS[event.code]));
    if (page.tools.key(event, page.hover)) return event.preventDefault();
    const arrow = event.code.startsWith("Arrow") ? STEPS[event.code] : null;
    if (arrow && event.target instanceof Element && event.target.closest("#help")) return;
    if (arrow && event.shiftKey) return this.done(event, () => page.pan(arrow));
    if (arrow && page.level) return this.done(event, () => page.moveHover(/** @type {[number, number]} */ (arrow)));
    const actions = /** @type {Record<string, () => void>} */ ({
      "+": () => page.zoom(1.5), "=": () => page.zoom(1.5), "-": () => page.zoom(1 / 1.5),
      0: () => page.fit(), v: () => page.shade(), g: () => page.walking.toggle(), f: () => page.walking.nextFog(),
      "[": () => page.fold("left"), "]": () => page.fold("right"),
      "?": () => page.help(), Escape: () => page.escape(),
    });
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const own = page.parts.flatMap((one) => one.keys ?? []).find((one) => one.key.toLowerCase() === name);
    const action = own?.action ?? this.editing?.actions[name] ?? actions[name];
    if (action) return this.done(event, action);
    if (event.key === "Enter" && event.target === page.picture && page.hover) {
      return this.done(event, () => page.click(/** @type {Cell} */ (page.hover)));
    }
  }

  /** @param {KeyboardEvent} event @param {() => void} action */
  done(event, action) {
    event.preventDefault();
    action();
  }
}
