// @ts-check
/** A straight line from where the pointer goes down to where it leaves. */

import { line } from "./level-blob.js";
import { brushed } from "./shapes.js";

/** @type {import("./tools.js").CellTool} */
export const LINE = {
  name: "line", label: "Line", key: "L", help: "Draw a line; the right button erases one",
  icon: "M3.5 12.5 12.5 3.5M2 12.5A1.5 1.5 0 1 0 5 12.5 1.5 1.5 0 1 0 2 12.5ZM11 3.5A1.5 1.5 0 1 0 14 3.5 1.5 1.5 0 1 0 11 3.5Z",
  controls: ["tile", "size", "mirror"],
  shape: (from, to, { size }) => brushed(line(from, to), size),
};
