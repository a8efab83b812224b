// @ts-check
/** Takes the tile under the pointer for drawing. */

/** @type {import("./tools.js").CellTool} */
export const PICKER = {
  name: "pick", label: "Pick", key: "I", help: "Take the tile under the pointer; Alt + click does it with any tool",
  icon: "M9 4 12 7M10 6 4.5 11.5 2.5 13.5 4.5 11.5M8 4.5 3.5 9V12.5H7L11.5 8M9.5 3 13 6.5 14 3.5 12.5 2 9.5 3Z",
  controls: ["tile"], picks: true,
};
