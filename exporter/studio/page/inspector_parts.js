// @ts-check
/** Parts that several inspectors have. */

import { element } from "./elements.js";
import { icon } from "./icons.js";

/**
 * A button with a picture and its name.
 * @param {Parameters<typeof icon>[0]} name @param {string} text @param {string} title @param {() => void} action
 * @param {Record<string, unknown>} [more] further attributes
 */
export function actionButton(name, text, title, action, more = {}) {
  return element("button", { className: "quiet action", title, onclick: action, ...more }, icon(name), text);
}

/** Buttons that move and remove a thing; `show` follows its place. @typedef {{nodes: HTMLElement[], show: () => void}} Order */

/**
 * Buttons that move an entry of the spec and remove it.
 * @param {import("./inspector.js").Inspector} inspector @param {(string | number)[]} path @param {string} what
 * @param {() => number} place @param {() => number} count
 * @returns {Order}
 */
export function orderButtons(inspector, path, what, place, count) {
  const key = path.join("-");
  /** @type {(sign: "up" | "down", title: string, step: number) => HTMLButtonElement} */
  const move = (sign, title, step) => actionButton(sign, "", `${title} ${what}`, () => {
    const to = place() + step;
    if (path[0] === "objects") inspector.selection.expect(`objects.${to}`);
    void inspector.change({ move: path, place: to });
  }, { id: `${title.toLowerCase()}-${key}`, "aria-label": `${title} ${what}` });
  const [earlier, later] = [move("up", "Earlier", -1), move("down", "Later", 1)];
  const remove = actionButton("remove", "", `Remove ${what}`, () => void inspector.change({ remove: path }), { id: `remove-${key}`, "aria-label": `Remove ${what}` });
  return {
    nodes: [earlier, later, remove],
    show: () => {
      earlier.disabled = place() === 0;
      later.disabled = place() === count() - 1;
    },
  };
}
