// @ts-check
/** The keys that change a level. */

import { byId } from "./elements.js";
import { isUncommitted, take } from "./uncommitted.js";

/** @param {import("./page.js").Page} page @returns {import("./keyboard.js").Editing} */
export function editingKeys(page) {
  return {
    help: [
      ["1, 2, 3, 4", "look, brush, erase, objects; Enter draws or takes, Delete erases or removes"],
      ["B, E, L, R, F, I, M", "brush, erase, line, rectangle, fill, pick a tile, select; a shape begins and ends by Enter"],
      [", and .", "smaller and larger brush"], ["H", "mirror: left and right, top and bottom, both"],
      ["K", "place stamps and prefabs; there R turns, F flips"],
      ["right button", "erases what is drawn, removes an object"], ["Alt + click", "picks the tile to draw"], ["N", "another seed"],
      ["Ctrl+D", "copy the selected object"], ["arrows in a list", "select the next thing"],
      ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"], ["/", "find a parameter"], ["Ctrl+S", "save"], ["Ctrl+E", "save and export"],
    ],
    control: (event) => {
      if (event.code === "KeyS") return () => { take(event.target); page.send({ do: "save" }); };
      if (event.code === "KeyE" && !event.shiftKey) return () => { take(event.target); void page.exports.start(); };
      if (event.code === "KeyZ" && !isUncommitted(event.target)) return () => page.send({ do: event.shiftKey ? "redo" : "undo" });
      if (event.code === "KeyD" && page.selection.chosen) return () => page.copyObject();
      return null;
    },
    actions: {
      Delete: () => { if (page.selection.chosen) page.tools.objects.remove(page.selection.chosen); },
      n: () => byId("another-seed")?.click(), "/": () => page.find(),
    },
  };
}
