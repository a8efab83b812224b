// @ts-check
/** Fills the joined cells of one tile. */

import { filled } from "./shapes.js";

/** @type {import("./tools.js").CellTool} */
export const FILL = {
  name: "fill", label: "Fill", key: "F", help: "Fill joined cells of one tile; the right button erases them",
  icon: "M7 2.5 12.5 8 7.5 13 2 7.5 7 2.5ZM7 2.5 5.5 1M2.5 8H12.5M14 10C14 10 15 11.7 15 12.5A1 1 0 1 1 13 12.5C13 11.7 14 10 14 10Z",
  controls: ["tile", "mirror"],
  click: (cell, { layer }) => filled(layer.cells, layer, cell),
};
