// @ts-check
/** The icons of buttons and lists, by name. */

import { element } from "./elements.js";
import { icon as drawn } from "./icon.js";

const LINES = {
  level: "M2 3h12v10H2zM2 7h12M6 7v6",
  layer: "M8 2 14 5.5 8 9 2 5.5zM2 8.5 8 12l6-3.5M2 11.5 8 15l6-3.5",
  object: "M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3 6-3M8 8v6.2",
  room: "M2 2h12v12H2zM2 9h5M10 9h4M7 2v3",
  table: "M2 3h12v10H2zM2 6.5h12M2 10h12M6.5 3v10",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5M8 10v1.5",
  edit: "M3 13l.6-3L10.5 3l2.5 2.5-7 7zM9 4.5 11.5 7",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  only: "M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  find: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4 14 14",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  up: "M8 13V3M4 7l4-4 4 4",
  down: "M8 3v10M4 9l4 4 4-4",
  remove: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5 5 13h6l.5-8.5M7 7v4M9 7v4",
  copy: "M5.5 5.5H13V13H5.5zM3 10.5V3h7.5",
  pin: "M8 14s4.5-4 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 10 8 14 8 14zM8 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  back: "M6 4 2.5 7.5 6 11M2.5 7.5H10a3.5 3.5 0 0 1 0 7H8",
  draw: "M3 13c0-2 .8-3 2.2-3S7 11 7 12s-1 1-4 1zM6.5 9.5 12.5 2l1.5 1.5L7.5 10.5",
  steps: "M2 13h3.5V9.5H9V6h3.5V2.5H14",
  picture: "M2 3h12v10H2zM2 11l3.5-4 3 3 2-2 3.5 4M10.5 5.2a1 1 0 1 0 0 2 1 1 0 0 0 0-2z",
  minus: "M3 8h10",
  grid: "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11",
  map: "M2 4l4-1.5 4 1.5 4-1.5v9.5l-4 1.5-4-1.5-4 1.5zM6 2.5V12M10 4v9.5",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11M8 5v6",
  help: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.2 6.2c.2-2 3.6-1.9 3.6.2C9.8 7.8 8 7.8 8 9.3M8 11.2v.3",
  start: "M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z",
  undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
  seeds: "M2.5 2.5h3v3h-3zM6.5 2.5h3v3h-3zM10.5 2.5h3v3h-3zM2.5 6.5h3v3h-3zM6.5 6.5h3v3h-3zM10.5 6.5h3v3h-3zM2.5 10.5h3v3h-3zM6.5 10.5h3v3h-3zM10.5 10.5h3v3h-3z",
  compare: "M2.5 3h11v10h-11zM8 1.5v13M10 6h2M10 9h2",
  text: "M3 3.5h10M3 6.5h7M3 9.5h9M3 12.5h5",
  share: "M8 10V2M5 4.5 8 1.5l3 3M4 7.5H3v6.5h10V7.5h-1",
  autosave: "M2.5 2.5H11L13.5 5V13.5H2.5ZM5 2.5V6H10V2.5M5 13.5V9.5H11V13.5",
  "export": "M2.5 8H11M8 5l3 3-3 3M9 2.5h4.5v11H9",
  panel: "M2 3h12v10H2zM10 3v10",
  problem: "M8 2.5 14.5 13.5h-13zM8 6.5V10M8 11.6v.6",
};

/** @param {keyof typeof LINES} name */
export const icon = (name) => drawn(LINES[name]);

/** @param {() => void} close */
export const closeButton = (close) => element("button", { type: "button", className: "quiet close", title: "Close (Esc)", "aria-label": "Close", onclick: close }, icon("close"));

/** Put their icons into the buttons of the page's own text. */
export function fillIcons() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-icon]"))) one.prepend(icon(/** @type {keyof typeof LINES} */ (one.dataset.icon)));
}
