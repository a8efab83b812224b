// @ts-check
/** A room of a layer: where it lies, what is in it, where it leads. */

import { element } from "./elements.js";
import { counted, Facts } from "./facts.js";
import { actionButton } from "./inspector_parts.js";
import { UNREACHABLE } from "./level.js";

/** @param {import("./inspector.js").Inspector} inspector @param {string} layer @param {number} index @returns {import("./inspector.js").View} */
export function inspectRoom(inspector, layer, index) {
  const title = element("h2", {});
  const facts = new Facts();
  const ways = element("div", { className: "list" });
  const things = element("div", { className: "list" });
  let drawn = "";
  const room = () => inspector.level?.layer(layer)?.rooms[index] ?? null;
  return {
    kind: "room", above: [[layer, `layers.${layer}`], ["Rooms", ""]], title,
    about: () => `Room of ${layer}`,
    actions: [actionButton("find", "Show", "Show it on the map", () => { const found = room(); if (found) inspector.page.showCell({ x: found.center[0], y: found.center[1] }); })],
    content: [element("h3", {}, "Measures"), facts.node, element("h3", {}, "Leads to"), ways, element("h3", {}, "In it"), things],
    show: () => {
      const { level, selection } = inspector;
      const found = room();
      const owner = level?.layer(layer);
      if (!level || !owner || !found) return;
      /** @param {number} one */
      const nameOf = (one) => owner.rooms[one].name || `Room ${one}`;
      const leads = owner.connections.filter((one) => one.rooms.includes(index)).map((one) => ({ to: one.rooms[0] === index ? one.rooms[1] : one.rooms[0], kind: one.kind }));
      const inside = level.objects.filter((one) => one.x >= found.x && one.y >= found.y && one.x < found.x + found.width && one.y < found.y + found.height);
      const text = JSON.stringify([found, leads, inside.map((one) => one.id)]);
      if (text === drawn) return;
      drawn = text;
      title.textContent = nameOf(index);
      let walkable = 0;
      for (let y = found.y; y < found.y + found.height; y++) for (let x = found.x; x < found.x + found.width; x++) walkable += level.has(x, y) ? level.walkable[y * level.width + x] : 0;
      const steps = level.steps[found.center[1] * level.width + found.center[0]];
      facts.show([
        ["from", `${found.x}, ${found.y}`], ["size", `${found.width} x ${found.height}`], ["walkable", counted(walkable, "cell")],
        ["from the start", steps === undefined || steps === UNREACHABLE ? "cannot be reached" : `${steps} steps`],
      ]);
      ways.replaceChildren(...leads.filter(({ to }) => owner.rooms[to]).map(({ to, kind }) => element("button", {
        className: "quiet entry", onclick: () => selection.select(`rooms.${layer}.${to}`),
      }, element("span", {}, nameOf(to)), element("small", {}, kind))), ...leads.length ? [] : [element("p", { className: "about" }, "no other room")]);
      things.replaceChildren(...inside.map((one) => element("button", {
        className: "quiet entry", onclick: () => selection.select(selection.pathOf(one), one),
      }, element("span", {}, level.nameOf(one)), element("small", {}, `${one.x}, ${one.y}`))), ...inside.length ? [] : [element("p", { className: "about" }, "no object")]);
    },
  };
}
