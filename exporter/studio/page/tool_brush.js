// @ts-check
/** The brush: draws along the pointer. */

import { line } from "./level-blob.js";
import { brushed } from "./shapes.js";

/** @type {import("./tools.js").CellTool} */
export const BRUSH = {
  name: "draw", label: "Brush", key: "B", digit: 2, help: "Draw tiles; the right button erases",
  icon: "M9.5 6.5 13.5 2.5M8 6.5 9.5 8C9.5 8 8 8.5 7.5 10 7 12 5 13.5 2.5 13.5 4 12.5 3.5 11 4.5 9.5 5.5 8 8 6.5 8 6.5Z",
  controls: ["tile", "size", "mirror"],
  stroke: (from, to, { size }) => brushed(line(from, to), size),
};
