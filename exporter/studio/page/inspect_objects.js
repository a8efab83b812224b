// @ts-check
/** An entry of objects: its parameters, its properties, and each of its objects on the map. */

import { element } from "./elements.js";
import { Facts } from "./facts.js";
import { actionButton, orderButtons } from "./inspector_parts.js";
import { UNREACHABLE } from "./level.js";
import { ParameterGroup } from "./parameter_group.js";
import { PropertyRows } from "./property_rows.js";

/** @typedef {import("./level.js").Thing} Thing */

const USUAL = new Set(["name", "count"]);
const FIXED = /** @type {Record<string, string>} */ ({ pinned: "pinned", moved: "moved by hand", added: "added by hand" });

/**
 * @param {import("./inspector.js").Inspector} inspector @param {import("./schema.js").Schema} schema
 * @param {number | string} entry the place of an entry, or the name of objects that only a layer brings
 * @returns {import("./inspector.js").View}
 */
export function inspectObjects(inspector, schema, entry) {
  const written = typeof entry === "number";
  const own = () => (written ? inspector.objects[entry] : { name: entry });
  const path = ["objects", entry];
  const fields = written ? schema.objectFields() : [];
  const parameters = new ParameterGroup(fields.filter((one) => one.name !== "properties").map((field) => inspector.row(field, [...path, field.name])),
    (row) => USUAL.has(row.field.name), `object-${entry}`);
  const properties = new PropertyRows(inspector, [...path, "properties"]);
  const title = element("h2", {});
  const placed = new PlacedObjects(inspector, entry);
  const add = actionButton("plus", "Place one", "Add one by hand: click on the map", () => inspector.page.tools.addObjects(own().name));
  return {
    kind: "objects", above: [["Objects", ""]], title, groups: [parameters],
    about: () => placed.about(),
    actions: [add], order: written ? orderButtons(inspector, path, `object ${own().name}`, () => entry, () => inspector.objects.length) : undefined,
    content: [placed.node, ...written ? [parameters.node, properties.node] : []],
    show: () => {
      title.textContent = own().name;
      add.hidden = !inspector.level?.edits.names.includes(own().name);
      placed.show();
      if (written) properties.show();
    },
  };
}

/** The objects of an entry on the map, and the chosen one of them. */
class PlacedObjects {
  /** @param {import("./inspector.js").Inspector} inspector @param {number | string} entry */
  constructor(inspector, entry) {
    this.inspector = inspector;
    this.entry = entry;
    this.list = element("div", { className: "numbers", role: "group", "aria-label": "On the map" });
    this.name = element("strong", {});
    this.facts = new Facts();
    const tool = inspector.page.tools.objects;
    /** @param {(thing: Thing) => void} action */
    const chosen = (action) => () => { if (inspector.selection.chosen) action(inspector.selection.chosen); };
    this.pin = actionButton("pin", "Pin", "Keep it at its cell, whatever the seed", chosen((thing) => tool.pin(thing)), { id: "pin-object" });
    this.copy = actionButton("copy", "Copy", "Add another one beside it (Ctrl+D)", () => inspector.page.copyObject(), { id: "copy-object" });
    this.back = actionButton("back", "Put back", "Place it as it was generated", chosen((thing) => tool.restore(thing)), { id: "restore-object" });
    this.remove = actionButton("remove", "Remove", "Remove this one from the map (Delete)", chosen((thing) => tool.remove(thing)), { id: "remove-object" });
    this.one = element("div", { className: "one" }, this.name, this.facts.node, element("div", { className: "actions" }, this.pin, this.copy, this.back, this.remove));
    this.removed = element("div", { className: "removed" });
    this.node = element("div", {}, element("h3", {}, "On the map"), this.list, this.one, this.removed);
    this.drawn = "";
  }

  /** @returns {Thing[]} */
  get things() {
    const { level, selection } = this.inspector;
    const path = `objects.${this.entry}`;
    return level?.objects.filter((one) => selection.pathOf(one) === path) ?? [];
  }

  about() {
    const { entry, inspector } = this;
    const own = typeof entry === "number" ? inspector.objects[entry] : null;
    const spread = own?.spawn ? "drawn from a table" : own?.place === "by_cell" ? "placed by cell" : "";
    if (!own) return "Objects that a layer brings.";
    return `${this.things.length} on the map, ${spread || `${own.count ?? 1} requested`}`;
  }

  show() {
    const { level, selection } = this.inspector;
    const { things } = this;
    const chosen = things.find((one) => one.id === selection.thing?.id) ?? null;
    this.node.hidden = !level;
    if (!level) return;
    const name = typeof this.entry === "number" ? this.inspector.objects[this.entry]?.name : this.entry;
    const removed = level.edits.removed.filter((one) => one.name === name);
    const drawn = JSON.stringify([things.map((one) => [one.id, level.nameOf(one), level.edits.fixed[one.id]]), chosen?.id ?? null, removed]);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.list.replaceChildren(...things.map((one) => element("button", {
        className: "quiet", "aria-pressed": String(one === chosen), title: `${level.nameOf(one)} at ${one.x}, ${one.y}`, "aria-label": level.nameOf(one),
        onclick: () => {
          selection.select(`objects.${this.entry}`, one);
          this.inspector.page.showCell(one);
        },
      }, String(level.edits.ordinals[one.id] ?? "+"))));
      this.removed.replaceChildren(...removed.map((one) => element("p", { className: "about" }, `${one.name} ${one.ordinal} is removed `,
        actionButton("back", "Put back", "Place it as it was generated", () => void this.inspector.page.send({ do: "restore_object", name: one.name, ordinal: one.ordinal })))));
    }
    this.one.hidden = !chosen;
    if (!chosen) return;
    /** @type {string} */
    const fixed = level.edits.fixed[chosen.id] ?? (level.edits.ordinals[chosen.id] ? "" : "added");
    const own = (typeof this.entry === "number" && this.inspector.objects[this.entry]?.properties) || {};
    const steps = level.steps[chosen.y * level.width + chosen.x];
    this.name.textContent = level.nameOf(chosen);
    this.pin.setAttribute("aria-pressed", String(Boolean(fixed)));
    this.pin.hidden = Boolean(fixed);
    this.back.hidden = !fixed || fixed === "added";
    this.copy.hidden = !level.edits.names.includes(chosen.name);
    this.facts.show([
      ["cell", `${chosen.x}, ${chosen.y}`], ["from the start", steps === UNREACHABLE ? "cannot be reached" : `${steps} steps`],
      ...fixed ? /** @type {[string, string][]} */ ([["place", FIXED[fixed]]]) : [],
      // Those of its own, as of a row of a table; the others stand below.
      ...Object.entries(chosen.properties).filter(([key]) => !(key in own)).map(([key, value]) => /** @type {[string, string]} */ ([key, String(value)])),
    ]);
  }
}
