// @ts-check
/** The icons of buttons and lists, by name. */

import { icon as drawn } from "./icon.js";

const LINES = {
  level: "M2 3h12v10H2zM2 7h12M6 7v6",
  layer: "M8 2 14 5.5 8 9 2 5.5zM2 8.5 8 12l6-3.5M2 11.5 8 15l6-3.5",
  object: "M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3 6-3M8 8v6.2",
  room: "M2 2h12v12H2zM2 9h5M10 9h4M7 2v3",
  table: "M2 3h12v10H2zM2 6.5h12M2 10h12M6.5 3v10",
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
  problem: "M8 2.5 14.5 13.5h-13zM8 6.5V10M8 11.6v.6",
};

/** @param {keyof typeof LINES} name */
export const icon = (name) => drawn(LINES[name]);
