// @ts-check
/** A layer: its generator and parameters, what came of it, its rooms. */

import { drawable } from "./drawing.js";
import { element } from "./elements.js";
import { counted, Facts, percent } from "./facts.js";
import { actionButton, orderButtons } from "./inspector_parts.js";
import { pictured } from "./palette.js";
import { ParameterGroup } from "./parameter_group.js";

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {import("./level.js").Layer} Layer */

// So many parameters of a generator are usual: the first of those that are in no group.
const USUAL = 6;
const MOST_TILES = 8;

/** @param {import("./inspector.js").Inspector} inspector @param {Schema} schema @param {string} name @returns {import("./inspector.js").View} */
export function inspectLayer(inspector, schema, name) {
  const { page } = inspector;
  const path = ["layers", name];
  const layer = inspector.data.layers[name];
  const fields = schema.layerFields(layer.generator);
  const set = Object.keys(layer).length - 1;
  const usual = new Set(fields.filter((one) => !one.group).slice(0, Math.max(2, USUAL - set)).map((one) => one.name));
  const generator = new ParameterGroup([generatorRow(inspector, schema, name)], () => true, `generator-${name}`);
  const parameters = new ParameterGroup(fields.map((field) => inspector.row(field, [...path, field.name])), ({ field }) => field.isNeeded || usual.has(field.name), `layer-${name}`);
  const input = element("input", {
    type: "text", className: "title", value: name, maxlength: 64, "aria-label": `Name of the layer ${name}`, id: `layer-name-${name}`, spellcheck: "false",
    onchange: () => {
      if (!input.value || input.value === name) return;
      inspector.selection.expect(`layers.${input.value}`);
      page.send({ do: "rename_layer", layer: name, name: input.value });
    },
  });
  const facts = new Facts();
  const tiles = new TileShares();
  const rooms = new RoomList(inspector, name);
  const measures = element("h3", {}, "Measures");
  const draw = actionButton("draw", "Draw", "Draw on this layer (2)", () => page.tools.drawOn(name));
  const only = actionButton("only", "Only this", "Show only this layer", () => page.layers.showOnly(name));
  const steps = actionButton("steps", "Steps", "How this layer is made, step by step", () => page.steps.begin(name));
  /** The layer that the measures are of. @type {Layer | null} */
  let measured = null;
  return {
    kind: "layer", above: [["Layers", ""]], title: input, groups: [generator, parameters],
    about: () => schema.aboutGenerator(inspector.data.layers[name].generator),
    actions: [draw, only, steps], order: orderButtons(inspector, path, `layer ${name}`, () => inspector.layers.indexOf(name), () => inspector.layers.length),
    content: [generator.node, parameters.node, measures, facts.node, tiles.node, rooms.node],
    show: () => {
      const { level } = inspector;
      const found = level?.layer(name) ?? null;
      draw.hidden = !level || !drawable(level).some((one) => one.name === name);
      only.setAttribute("aria-pressed", String(page.layers.solo === name));
      only.hidden = steps.hidden = measures.hidden = !found;
      if (found === measured) return;
      measured = found;
      facts.show(found && level ? factsOf(found, level.edits.layers[name] ?? 0) : []);
      tiles.show(inspector.level, found);
      rooms.show(found);
    },
  };
}

/** @param {Layer} layer @param {number} edits @returns {[string, string][]} */
function factsOf(layer, edits) {
  /** @type {[string, string][]} */
  const facts = [["size", `${layer.width} x ${layer.height}`], ["role", layer.role]];
  const { certificate: found, heights } = layer;
  if (heights) {
    let [low, high] = [65535, 0];
    for (const one of layer.cells) {
      if (one < low) low = one;
      if (one > high) high = one;
    }
    const height = (/** @type {number} */ sample) => Number((heights.minimum + ((heights.maximum - heights.minimum) * sample) / 65535).toPrecision(4));
    facts.push(["lowest", `${height(low)} ${heights.units}`], ["highest", `${height(high)} ${heights.units}`]);
  }
  if (found) {
    facts.push(["walkable", percent(found.floor, found.cells)], ["farthest", `${found.farthest} steps`]);
    facts.push(["regions", found.regions_before === found.regions_after ? String(found.regions_after) : `${found.regions_before} → ${found.regions_after}`]);
    if (found.cells_carved) facts.push(["carved", counted(found.cells_carved, "cell")]);
    facts.push(["dead ends", String(found.dead_ends)], ["chokes", String(found.chokes)]);
  }
  if (layer.rooms.length) facts.push(["rooms", String(layer.rooms.length)], ["connections", String(layer.connections.length)]);
  if (edits) facts.push(["hand edits", String(edits)]);
  return facts;
}

/** How much of a layer each tile has. */
class TileShares {
  constructor() {
    this.node = element("div", { className: "shares" });
    this.drawn = "";
  }

  /** @param {import("./level.js").LevelView | null} level @param {Layer | null} layer */
  show(level, layer) {
    this.node.hidden = !layer?.tiles.length;
    if (!level || !layer?.tiles.length) return;
    const counts = new Uint32Array(65536);
    for (const one of layer.cells) counts[one] += 1;
    const found = layer.tiles.map((tile) => ({ ...tile, count: counts[tile.id] })).filter((one) => one.count).sort((a, b) => b.count - a.count);
    const rows = found.slice(0, MOST_TILES).map((tile) => ({ tile, share: percent(tile.count, layer.cells.length) }));
    const drawn = JSON.stringify([rows.map(({ tile, share }) => [tile.name, tile.color, share]), layer.pictures]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.node.replaceChildren(...rows.map(({ tile, share }) => element("div", {},
      pictured(level, layer, tile), element("span", { className: "name" }, tile.name), element("span", { className: "share" }, share))));
  }
}

/** The rooms of a layer, each to select. */
class RoomList {
  /** @param {import("./inspector.js").Inspector} inspector @param {string} layer */
  constructor(inspector, layer) {
    this.inspector = inspector;
    this.layer = layer;
    this.list = element("div", { className: "list" });
    this.node = element("div", {}, element("h3", {}, "Rooms"), this.list);
    this.drawn = "";
  }

  /** @param {Layer | null} layer */
  show(layer) {
    const names = (layer?.rooms ?? []).map((room, index) => [room.name || `Room ${index}`, `${room.width} x ${room.height}`]);
    this.node.hidden = !names.length;
    const drawn = JSON.stringify(names);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.list.replaceChildren(...names.map(([name, size], index) => element("button", {
      className: "quiet entry", "data-path": `rooms.${this.layer}.${index}`, onclick: () => this.inspector.selection.select(`rooms.${this.layer}.${index}`),
    }, element("span", {}, name), element("small", {}, size))));
  }
}

/**
 * The generator of a layer; another one keeps the parameters that it has too.
 * @param {import("./inspector.js").Inspector} inspector @param {Schema} schema @param {string} name
 */
function generatorRow(inspector, schema, name) {
  const field = /** @type {import("./schema.js").Field} */ ({
    ...schema.field("generator", {}), kind: "choice", choices: schema.generatorNames().sort(), about: "Parameters that the other generator has too are kept.",
  });
  const late = (/** @type {unknown} */ wanted) => {
    const earlier = inspector.layers.slice(0, inspector.layers.indexOf(name));
    void inspector.page.change(generatorChanges(schema, name, inspector.data.layers[name], String(wanted), earlier));
  };
  return inspector.row(field, ["layers", name, "generator"], { late });
}

/**
 * @param {Schema} schema @param {string} name @param {any} layer @param {string} wanted
 * @param {string[]} earlier the layers that it may read
 */
function generatorChanges(schema, name, layer, wanted, earlier) {
  const path = ["layers", name];
  const before = new Map(schema.layerFields(layer.generator).map((field) => [field.name, field]));
  const after = new Map(schema.layerFields(wanted).map((field) => [field.name, field]));
  /** @type {import("./messages.js").Change[]} */
  const changes = [{ set: [...path, "generator"], value: wanted }];
  for (const [key, value] of Object.entries(layer)) {
    if (key === "generator") continue;
    const field = after.get(key);
    const same = field && (before.get(key)?.kind ?? field.kind) === field.kind;
    if (!same || (field.kind === "choice" && !field.choices.includes(value))) changes.push({ remove: [...path, key] });
  }
  for (const needed of schema.requiredLayerNames(wanted)) {
    if (!(needed in layer) && earlier.length) changes.push({ set: [...path, needed], value: earlier[earlier.length - 1] });
  }
  return changes;
}
