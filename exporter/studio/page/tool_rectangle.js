// @ts-check
/** A rectangle between two corners, filled or not. */

import { boxOf, brushed, rectangle } from "./shapes.js";

/** @type {import("./tools.js").CellTool} */
export const RECTANGLE = {
  name: "rectangle", label: "Rectangle", key: "R", help: "Draw a rectangle, filled or not; the right button erases one",
  icon: "M2.5 3.5H13.5V12.5H2.5Z",
  controls: ["tile", "filled", "size", "mirror"],
  shape: (from, to, { filled, size }) => (filled ? rectangle(from, to, true) : brushed(rectangle(from, to, false), size)),
  note: (from, to) => {
    const { width, height } = boxOf(from, to);
    return `${width} x ${height}`;
  },
};
