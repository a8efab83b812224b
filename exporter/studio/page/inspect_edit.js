// @ts-check
/** A cell that was drawn by hand: what was generated there, and what stands there now. */

import { element } from "./elements.js";
import { Facts } from "./facts.js";
import { actionButton } from "./inspector_parts.js";

/** @param {import("./inspector.js").Inspector} inspector @param {{layer: string, x: number, y: number}} edit @returns {import("./inspector.js").View} */
export function inspectEdit(inspector, { layer, x, y }) {
  const facts = new Facts();
  const found = () => inspector.level?.layer(layer) ?? null;
  /** @param {import("./level.js").Layer} one @param {number} value */
  const nameOf = (one, value) => one.tiles.find((tile) => tile.id === value)?.name ?? String(value);
  return {
    kind: "edit", above: [[layer, `layers.${layer}`], ["Hand edits", ""]], title: element("h2", {}, `${x}, ${y}`),
    about: () => `A cell of ${layer} that was drawn by hand`,
    actions: [
      actionButton("back", "As generated", "Take this edit back", () => inspector.page.tools.restore(layer, [{ x, y }])),
      actionButton("find", "Show", "Show it on the map", () => inspector.page.showCell({ x, y })),
    ],
    content: [facts.node],
    show: () => {
      const one = found();
      const at = inspector.level?.editedAt(layer, x, y) ?? -1;
      const was = inspector.level?.edits.cells?.[layer]?.generated[at];
      if (one && was !== undefined) facts.show([["generated", nameOf(one, was)], ["drawn", nameOf(one, one.cells[y * one.width + x])]]);
    },
  };
}
