// @ts-check
/** A lock of the mission: what lies behind it, and its keys. */

import { element } from "./elements.js";
import { counted, Facts, percent } from "./facts.js";
import { actionButton } from "./inspector_parts.js";

const KINDS = {
  key: "one key opens it and is kept", small_key: "each key opens one of them and is used up",
  one_way: "can be passed in one direction", shortcut: "opens from the far side, then stays open",
};

/** @param {import("./inspector.js").Inspector} inspector @param {string} name @returns {import("./inspector.js").View} */
export function inspectLock(inspector, name) {
  const facts = new Facts();
  const keys = element("div", { className: "list" });
  const things = element("div", { className: "list" });
  let drawn = "";
  const locks = () => inspector.level?.mission?.locks.filter((one) => one.name === name) ?? [];
  const show = () => { const [[x, y]] = locks()[0].cells; inspector.page.showCell({ x, y }); };
  /** @param {import("./level.js").Thing} thing */
  const row = (thing) => element("button", {
    className: "quiet entry",
    onclick: () => { inspector.selection.select(inspector.selection.pathOf(thing), thing); inspector.page.showCell(thing); },
  }, element("span", {}, inspector.level?.nameOf(thing) ?? thing.name), element("small", {}, `${thing.x}, ${thing.y}`));
  /** @param {HTMLElement} list @param {import("./level.js").Thing[]} found @param {string} none */
  const fill = (list, found, none) => list.replaceChildren(...found.length ? found.map(row) : [element("p", { className: "about" }, none)]);
  return {
    kind: "lock", above: [["Mission", ""]], title: element("h2", {}, name),
    about: () => { const [first] = locks(); return first ? `Lock: ${KINDS[first.kind]}` : "Lock"; },
    actions: [actionButton("find", "Show", "Show it on the map", show)],
    content: [element("h3", {}, "Behind it"), facts.node, things, element("h3", {}, "Keys"), keys],
    show: () => {
      const { level } = inspector;
      const [first] = locks();
      if (!level || !first) return;
      const behind = level.mission?.behind[name] ?? new Uint8Array();
      const opened = level.objects.filter((one) => behind[one.y * level.width + one.x] && level.lockAt(one.x, one.y) !== name);
      const found = level.objects.filter((one) => one.properties.opens === name);
      const text = JSON.stringify([locks(), opened, found]);
      const count = behind.reduce((sum, one) => sum + one, 0);
      const walkable = level.walkable.reduce((sum, one) => sum + one, 0);
      facts.show([
        ["cells", counted(count, "cell")], ["of the level", percent(count, walkable)],
        ["locks", locks().map((one) => one.cells[0].join(", ")).join("; ")],
      ]);
      if (text === drawn) return;
      drawn = text;
      fill(things, opened, "no object");
      fill(keys, found, first.kind.endsWith("key") ? "no key lies on the map" : "it needs no key");
    },
  };
}
