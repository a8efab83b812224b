// @ts-check
/** The level itself: seed, size, sight, what else the spec sets, and what came of it. */

import { levelFields } from "./all_parameters.js";
import { element } from "./elements.js";
import { Facts, percent } from "./facts.js";
import { actionButton } from "./inspector_parts.js";
import { UNREACHABLE } from "./level.js";
import { ParameterGroup } from "./parameter_group.js";
import { PropertyRows } from "./property_rows.js";

// What every level is looked at for first.
const USUAL = new Set(["seed", "size"]);

/** @param {import("./inspector.js").Inspector} inspector @param {import("./schema.js").Schema} schema @returns {import("./inspector.js").View} */
export function inspectLevel(inspector, schema) {
  const { page } = inspector;
  const own = levelFields(schema, inspector.data);
  const order = ["seed", "size", "level", "rng"];
  own.sort((a, b) => (order.indexOf(a.name) + 1 || 99) - (order.indexOf(b.name) + 1 || 99));
  const rows = own.filter((field) => field.name !== "properties").map((field) => field.name === "seed"
    ? inspector.row({ ...field, kind: "seed" }, ["seed"], { beside: [dice(inspector)] })
    : inspector.row(field, [field.name]));
  const level = new ParameterGroup(rows, (row) => USUAL.has(row.field.name), "level");
  const sight = new ParameterGroup(schema.visibilityFields().map((field) => inspector.row(field, ["visibility", field.name])),
    (row) => row.field.name === "radius" || row.field.name === "algorithm", "visibility");
  const remove = actionButton("remove", "Remove", "Compute no sight", () => void inspector.change({ remove: ["visibility"] }), { id: "remove-visibility" });
  const add = actionButton("plus", "Add", "Compute the sight of every cell", () => {
    const radius = schema.visibilityFields().find((field) => field.name === "radius")?.fallback;
    void inspector.change({ set: ["visibility"], value: { radius } });
  }, { id: "add-visibility" });
  const properties = new PropertyRows(inspector, ["properties"]);
  const locks = element("div", { className: "list", hidden: true });
  const facts = new Facts();
  const measures = element("h3", { hidden: true }, "Measures");
  /** The picture that the measures are of. @type {import("./level.js").LevelView | null} */
  let measured = null;
  return {
    kind: "level", above: [], groups: [level, sight],
    title: element("h2", {}, page.draft?.file.replace(/^.*\//, "").replace(/\.level\.[a-z]+$/, "") ?? "Level"),
    about: () => page.draft?.file ?? "",
    content: [
      level.node, properties.node,
      element("h3", {}, "Sight", remove, add), sight.node,
      locks, measures, facts.node,
    ],
    show: () => {
      const bare = inspector.data.visibility === undefined || inspector.data.visibility === null;
      properties.show();
      sight.node.hidden = remove.hidden = bare;
      add.hidden = !bare;
      const { level: shown } = inspector;
      if (shown === measured) return;
      measured = shown;
      locks.hidden = !shown?.mission?.locks.length;
      measures.hidden = !shown;
      if (!shown) return facts.show([]);
      measures.textContent = shown.world ? "Measures of what is in view" : "Measures";
      locks.replaceChildren(element("h3", {}, "Locks"), ...[...new Set(shown.mission?.locks.map((one) => one.name))].map((name) => element("button", {
        className: "quiet entry", "data-path": `locks.${name}`, title: "What it opens, and its keys", onclick: () => inspector.selection.select(`locks.${name}`),
      }, element("span", {}, name), element("small", {}, shown.mission?.locks.find((one) => one.name === name)?.kind.replace("_", " ") ?? ""))));
      const cells = shown.width * shown.height;
      let [reached, farthest, walkable] = [0, 0, 0];
      for (let at = 0; at < cells; at++) {
        walkable += shown.walkable[at];
        if (shown.steps[at] === UNREACHABLE) continue;
        reached += 1;
        farthest = Math.max(farthest, shown.steps[at]);
      }
      facts.show([
        ["walkable", percent(walkable, cells)],
        ["reached", percent(reached, cells)],
        ["farthest", `${farthest} steps`],
        ["objects", String(shown.objects.length)],
        ["rooms", String(shown.layers.reduce((sum, one) => sum + one.rooms.length, 0))],
        ["hand edits", String(Object.values(shown.edits.layers).reduce((sum, one) => sum + one, shown.edits.objects))],
      ]);
    },
  };
}

/** @param {import("./inspector.js").Inspector} inspector */
function dice(inspector) {
  const roll = () => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
    void inspector.change({ set: ["seed"], value: seed });
  };
  return element("button", { className: "quiet", title: "Another seed (N)", "aria-label": "Another seed", id: "another-seed", onclick: roll }, "⚄");
}
