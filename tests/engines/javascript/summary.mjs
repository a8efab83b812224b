// What a reader of levels says of a file, in the words of tests/vectors/manifest.json.

import { createHash } from "node:crypto";

const digest = (cells) =>
  cells && createHash("sha256").update(new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength)).digest("hex");

const sorted = (entries) => [...entries.values()];

/** A tree for JSON: a BigInt by its digits. */
export const plain = (tree) =>
  JSON.stringify(tree, (_, value) => (typeof value === "bigint" ? { bigint: `${value}` } : value));

export async function summary(blob, viewers) {
  const levels = [];
  for (let number = 0; number < blob.levelCount; number++) {
    levels.push(levelSummary(await blob.level(number), viewers?.[number] ?? []));
  }
  return levels;
}

function levelSummary(level, viewers) {
  return {
    name: level.name,
    width: level.width,
    height: level.height,
    seed: level.seed,
    rng: level.description.rng,
    properties: level.properties,
    visibility_layer: level.description.visibility_layer,
    layers: level.layers.map(layerSummary),
    visibility: level.visibility && {
      algorithm: level.visibility.rule,
      radius: level.visibility.radius,
      see_walls: level.visibility.seeWalls,
      visible_from: viewers.map(({ x, y }) => {
        const seen = level.visibleFrom(x, y);
        return { x, y, count: seen.reduce((sum, one) => sum + one, 0), cells: digest(seen) };
      }),
    },
    objects: level.objects,
    tables: sorted(level.tables),
    puzzles: sorted(level.puzzles),
  };
}

function layerSummary(layer) {
  return {
    name: layer.name,
    kind: layer.kind,
    width: layer.width,
    height: layer.height,
    element: layer.cells.BYTES_PER_ELEMENT === 1 ? "uint8" : "uint16",
    cells: digest(layer.cells),
    walkable: digest(layer.walkable),
    opaque: digest(layer.opaque),
    tiles: layer.tiles,
    heights: layer.heights && [layer.heights.minimum, layer.heights.maximum, layer.heights.units],
    first_cells: [...layer.cells.slice(0, 8)],
    role: layer.role,
    connections: layer.connections.map(({ rooms, x, y, kind }) => [...rooms, x, y, kind]),
    masks: Object.fromEntries([...layer.masks].map(([name, mask]) => [name, digest(mask)])),
  };
}
