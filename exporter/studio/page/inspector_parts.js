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

/**
 * Buttons that move an entry of the spec and remove it.
 * @param {import("./inspector.js").Inspector} inspector @param {(string | number)[]} path @param {string} what
 * @param {number} place @param {number} count
 */
export function orderButtons(inspector, path, what, place, count) {
  const key = path.join("-");
  /** @type {(sign: "up" | "down", title: string, to: number) => HTMLElement} */
  const move = (sign, title, to) => actionButton(sign, "", `${title} ${what}`, () => {
    if (path[0] === "objects") inspector.selection.expect(`objects.${to}`);
    void inspector.change({ move: path, place: to });
  }, { id: `${title.toLowerCase()}-${key}`, "aria-label": `${title} ${what}`, disabled: to < 0 || to >= count });
  return [
    move("up", "Earlier", place - 1), move("down", "Later", place + 1),
    actionButton("remove", "", `Remove ${what}`, () => void inspector.change({ remove: path }), { id: `remove-${key}`, "aria-label": `Remove ${what}` }),
  ];
}
