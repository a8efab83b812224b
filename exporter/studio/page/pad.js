// @ts-check
/** Buttons to step with in walk mode, for fingers. */

import { element } from "./elements.js";
import { STEPS } from "./walk.js";

const KEYS = ["KeyQ", "KeyW", "KeyE", "KeyA", "KeyS", "KeyD", "KeyZ", "KeyX", "KeyC"];
const ARROWS = ["↖", "↑", "↗", "←", "·", "→", "↙", "↓", "↘"];

/** @param {HTMLElement} pad @param {(step: [number, number]) => void} step */
export function fillPad(pad, step) {
  pad.replaceChildren(...KEYS.map((code, index) => element("button", {
    "aria-label": code === "KeyS" ? "Wait" : `Step ${code.slice(3)}`, onclick: () => step(STEPS[code]),
  }, ARROWS[index])));
}
