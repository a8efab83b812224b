// @ts-check
/** The eraser: a brush that leaves no tile, or the one to walk on. */

import { BRUSH } from "./tool_brush.js";

/** @type {import("./tools.js").CellTool} */
export const ERASER = {
  name: "erase", label: "Erase", key: "E", digit: 3, help: "Erase tiles",
  icon: "M6 13.5 2.5 10 9.5 3 13 6.5 6 13.5ZM6 13.5H13.5M6 6.5 9.5 10",
  controls: ["size", "mirror"], erases: true,
  stroke: BRUSH.stroke,
};
