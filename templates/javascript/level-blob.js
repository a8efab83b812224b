/**
 * Reads levels from `.lvb` files in browsers, Node, Deno and Bun. No dependencies, no build step.
 *
 *     import { LevelBlob } from "./level-blob.js";
 *     const level = await (await LevelBlob.open("levels/crypt.lvb")).level();
 *     const ids = level.layer("ground").cells;      // ids[y * level.width + x]
 *     const lit = level.visibleFrom(playerX, playerY);
 *
 * It reads the codecs of the `fast` profile (`blob: fast` in exporter.yaml) and `bitmap`. Every error in a file
 * raises a `LevelBlobError`, and memory is never allocated beyond the limits. The format is described
 * in exporter/docs/reference/blob-format.md.
 */

/**
 * Limits for reading. Files that need more are refused before memory is allocated.
 * @typedef {object} Limits
 * @property {number} cells Cells of one grid.
 * @property {number} bytes Bytes of everything in one level.
 * @property {number} steps Work of everything in one level, as the format counts it.
 * @property {number} chunks Chunks of one file.
 * @property {number} depth Nesting of lists and maps in values.
 * @property {number} values Scalars, lists and maps of one chunk of values.
 * @property {number} text Bytes of the JSON text of one chunk of values.
 * @property {number} radius Cells that sight may reach.
 */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} View */
/** @typedef {{id: number, name: string, walkable: boolean, opaque: boolean, color: string}} Tile */
/** @typedef {{minimum: number, maximum: number, units: string}} HeightRange */
/** @typedef {{name: string, x: number, y: number, width: number, height: number, center: [number, number]}} Room */
/** @typedef {{rooms: [number, number], x: number, y: number, kind: string}} Connection */
/** @typedef {{id: number, name: string, x: number, y: number, properties: Record<string, unknown>}} PlacedObject */
/** @typedef {{name: string, columns: {name: string, type: string, nullable: boolean}[], rows: unknown[][]}} Table */
/** @typedef {{name: string, kind: string, data: Record<string, unknown>}} Puzzle */
/** @typedef {{name: string, kind: "key" | "small_key" | "one_way" | "shortcut", cells: [number, number][], opened_from: [number, number][]}} Lock */
/** @typedef {{start: string, goal: string, locks: Lock[], walkthrough: string[], states: number, stranded: number}} Mission */
/** @typedef {"symmetric" | "shadowcast" | "raycast"} SightRule */
/** @typedef {{opaque: Uint8Array, width: number, height: number, rule: SightRule, radius: number, seeWalls: boolean}} Sight */

/**
 * @typedef {object} Chunk
 * @property {string} type
 * @property {number} codec
 * @property {number} element
 * @property {number} level
 * @property {number} item
 * @property {number} part
 * @property {number} offset
 * @property {number} length
 * @property {number} check
 * @property {number} width
 * @property {number} height
 * @property {number} side
 * @property {number} prior
 */

/** @typedef {{start: number, length: number}} Span */

/** @type {Readonly<Limits>} */
export const DEFAULT_LIMITS = Object.freeze({
  cells: 2 ** 26,
  bytes: 2 ** 28,
  steps: 2 ** 30,
  chunks: 2 ** 16,
  depth: 64,
  values: 2 ** 21,
  text: 2 ** 24,
  radius: 64,
});

/**
 * Limits for untrusted files: within them no file takes more than 256 MB or about two
 * seconds. Levels of a million cells fit in the `fast` profile, larger ones may not.
 * @type {Readonly<Limits>}
 */
export const STRANGER_LIMITS = Object.freeze({
  ...DEFAULT_LIMITS,
  cells: 2 ** 22,
  bytes: 2 ** 25,
  steps: 2 ** 23,
  chunks: 2 ** 10,
  values: 2 ** 16,
  text: 2 ** 20,
});

const SIGNATURE = [0x8f, 0x4c, 0x56, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 24;
const ENTRY = 32;
const NONE = 0xffff;
const KNOWN = new Set(["LEVL", "CELL", "WALK", "VISI", "OPAQ", "OBJS", "TABL", "PUZZ"]);
const PART = 256;
const BOOL = 0;
const U16 = 2;
const ELEMENT_SIZES = [1, 1, 2, 4];
const STORED = 0;
const ZLIB = 1;
const PACK = 2;
const VALUES = 21;
const DERIVE = 32;
const BITMAP = 16;
const SMALL_PROFILE = new Set([17, 18, 20]);
const LONGEST_WORLD_SIDE = 65536;
const WORLD_CHUNKS = [64, 128, 256, 512, 1024, 2048];
// The parts lie in a folder beside the description.
const WORLD_PARTS = /^[^/\\\0]+\.world\/[^/\\\0]+\.\{column\}_\{row\}$/;
const RULES = /** @type {const} */ (["symmetric", "shadowcast", "raycast"]);
const ROLES = new Set(["play", "picture", "data", "none"]);
// Tiles of these names are no obstacles: nothing lies there.
const EMPTY_NAMES = new Set(["empty", "nothing", "none", "other"]);
const LOCK_KINDS = new Set(["key", "small_key", "one_way", "shortcut"]);
const COLUMN_TYPES = new Set(["text", "integer", "number", "boolean"]);
const CERTIFICATE = [
  "regions_before", "regions_after", "cells_carved", "floor", "cells", "farthest", "dead_ends", "chokes",
];
const FULL_SCALE = 65535;
const LONGEST_SIDE = 2 ** 24;
const LONGEST_SIGHT_SIDE = 8192;
const GRIDS = new Set(["CELL", "WALK", "mask", "OPAQ"]);
/** @type {Readonly<Record<number, number>>} By the codec; those of the small profile count too. */
const STEPS_OF_A_CELL = { 0: 1, 1: 2, 2: 4, 16: 6, 18: 16, 17: 24 };
const STEPS_OF_A_PART = 4096;
const STEPS_OF_A_VALUE = 16;
const STEPS_OF_A_POINT = 64;
const STEPS_OF_AN_EXPONENT = 8192;
const BYTES_OF_A_SCALAR = 32;
const BYTES_OF_A_LIST = 128;
const BYTES_OF_A_MAP = 384;
const BYTES_OF_A_TEXT_BYTE = 8;
const LONGEST_NUMBER = 32;
/** Of a list that is a property. */
const MOST_ENTRIES = 1024;
const MOST_DIGITS = 18;

/** A file is damaged, or exceeds a limit. */
export class LevelBlobError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = "LevelBlobError";
  }
}

/** A file with one level or, as a pack, several. Values are decoded on first use. */
export class LevelBlob {
  /** @type {Uint8Array} */ #bytes;
  /** @type {Limits} */ #limits;
  /** @type {Map<string, Chunk[]>} */ #chunks = new Map();
  /** @type {Map<number, Chunk[]>} */ #byLevel = new Map();

  /** How many levels the file has. */
  levelCount = 0;

  /**
   * Reads a file's directory; the bytes must not change afterwards.
   * @param {ArrayBuffer | ArrayBufferView} data
   * @param {Partial<Limits>} [limits]
   * @throws {LevelBlobError} The bytes are no blob, damaged, too new, or over a limit.
   */
  constructor(data, limits = {}) {
    this.#bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    for (const chunk of readDirectory(this.#bytes, this.#limits)) {
      if (!KNOWN.has(chunk.type) && !/^[a-z]/.test(chunk.type)) {
        throw new LevelBlobError(`chunk ${chunk.type} is not known here: the blob is too new`);
      }
      append(this.#chunks, `${chunk.type} ${chunk.level} ${chunk.item}`, chunk);
      append(this.#byLevel, chunk.level, chunk);
      this.levelCount = Math.max(this.levelCount, chunk.level + 1);
    }
  }

  /**
   * Fetches and opens a file.
   * @param {string | URL} url
   * @param {Partial<Limits>} [limits]
   * @throws {LevelBlobError} The file cannot be fetched, or is no blob.
   */
  static async open(url, limits = {}) {
    const response = await fetch(url);
    if (!response.ok) throw new LevelBlobError(`cannot fetch ${url}: ${response.status}`);
    return new LevelBlob(await response.arrayBuffer(), limits);
  }

  /**
   * The payload of a chunk of a container that is no level: a part of a pack.
   * @param {Uint8Array} bytes
   * @param {string} type
   * @param {number} item
   * @returns {Uint8Array | null} Null where there is no such chunk.
   * @throws {LevelBlobError} The chunk is damaged.
   */
  static payload(bytes, type, item) {
    const chunk = readDirectory(bytes, DEFAULT_LIMITS).find((one) => one.type === type && one.item === item);
    return chunk ? loaded(bytes, chunk) : null;
  }

  /**
   * Decodes a whole level.
   * @param {number} [number] Which level of a pack.
   * @returns {Promise<Level>}
   * @throws {LevelBlobError} The level is missing or damaged.
   */
  level(number = 0) {
    return guarded(async () => {
      const budget = new Budget(this.#limits);
      this.#chargeGrids(number, budget);
      const fields = map(await this.#values("LEVL", number, budget), "a level");
      const descriptions = layersOf(fields);
      for (const described of descriptions) budget.chargeWalkable(described);
      /** @type {Layer[]} */
      const layers = [];
      let masks = 0;
      for (const _ of descriptions) {
        const layer = await this.#layer(number, descriptions, layers.length, masks);
        masks += layer.masks.size;
        layers.push(layer);
      }
      const [objects, tables, puzzles] = [
        list((await this.#values("OBJS", number, budget, [])), "objects"),
        list((await this.#values("TABL", number, budget, [])), "tables"),
        list((await this.#values("PUZZ", number, budget, [])), "puzzles"),
      ];
      const sight = await this.#sight(number, layers);
      return new Level(fields, layers, objects, tables, puzzles, sight, this.#limits.cells);
    });
  }

  /**
   * Decodes one part of a layer and nothing else, for worlds that are loaded bit by bit. Parts
   * have 256 x 256 cells (at the right and lower edge 128 to 383 a side), numbered row by row.
   * @param {string} layer
   * @param {number} part
   * @param {number} [number] Which level of a pack.
   * @returns {Promise<View & {cells: Uint8Array | Uint16Array}>}
   * @throws {LevelBlobError} The part is missing or damaged.
   */
  part(layer, part, number = 0) {
    return guarded(async () => {
      const budget = new Budget(this.#limits);
      const fields = map(await this.#values("LEVL", number, budget), "a level");
      const described = layersOf(fields);
      const item = described.findIndex((entry) => entry.name === layer);
      if (item < 0) throw new LevelBlobError(`there is no layer ${layer}`);
      const [width, height] = sizeOf(described[item]);
      const grid = this.#parts("CELL", number, item, width, height, described);
      const chunk = grid.chunks[part];
      if (!chunk) throw new LevelBlobError(`layer ${layer} has no part ${part}`);
      budget.chargePart(chunk);
      const cells = await decodePart(chunk, this.#load(chunk));
      if (cells instanceof Int32Array) throw new LevelBlobError("cells are of another type");
      const x = grid.columns[part % grid.columns.length].start;
      const y = grid.rows[Math.floor(part / grid.columns.length)].start;
      return { x, y, width: chunk.width, height: chunk.height, cells };
    });
  }

  /**
   * @param {number} level
   * @param {Budget} budget
   */
  #chargeGrids(level, budget) {
    /** @type {Map<string, number>} */
    const learned = new Map();
    for (const chunk of this.#byLevel.get(level) ?? []) {
      if (!GRIDS.has(chunk.type)) continue;
      budget.chargePart(chunk);
      // Readers keep the model of a grid's last prior, as most chunks share it.
      const grid = `${chunk.type} ${chunk.item}`;
      if (chunk.prior === NONE || chunk.prior === learned.get(grid)) continue;
      learned.set(grid, chunk.prior);
      const prior = this.#find(chunk.type, level, chunk.item)[chunk.prior];
      if (prior) budget.charge("the level", 0, stepsOf(prior));
    }
  }

  /**
   * @param {number} level
   * @param {Record<string, any>[]} descriptions Of all layers.
   * @param {number} item Which of them.
   * @param {number} masks Masks of the layers before.
   */
  async #layer(level, descriptions, item, masks) {
    const described = descriptions[item];
    const [width, height] = sizeOf(described);
    const cells = await this.#grid("CELL", level, item, width, height, descriptions);
    const names = list(described.masks, "masks");
    /** @type {Map<string, Uint8Array>} */
    const result = new Map();
    for (const name of names) {
      if (result.has(text(name, "a mask's name"))) throw new LevelBlobError("a mask is there twice");
      const mask = await this.#grid("mask", level, masks + result.size, width, height);
      result.set(name, /** @type {Uint8Array} */ (mask));
    }
    const layer = new Layer(described, width, height, cells, result);
    const rule = described.walkable;
    if (rule === "chunk") {
      const walkable = await this.#grid("WALK", level, item, width, height);
      layer.walkable = /** @type {Uint8Array} */ (walkable);
    } else if (rule === "legend") {
      layer.walkable = byLegend(layer, "walkable");
    } else if (isInteger(described, "walkable")) {
      layer.walkable = truthOf(cells, (cell) => cell >= rule);
    } else if (rule !== null) {
      throw new LevelBlobError(`the rule ${rule} for walkable cells is not known here`);
    }
    layer.opaque = opaqueOf(layer);
    return layer;
  }

  /**
   * @param {number} level
   * @param {Layer[]} layers
   * @returns {Promise<Sight | null>}
   */
  async #sight(level, layers) {
    const chunk = this.#find("VISI", level)[0];
    if (!chunk) return null;
    if (chunk.codec !== DERIVE) throw unknownCodec(chunk.codec);
    const payload = this.#load(chunk);
    const mostWalls = Number(RULES[payload[0]] === "raycast");
    if (payload.length !== 4 || payload[0] >= RULES.length || payload[1] > mostWalls) {
      throw new LevelBlobError("broken visibility rule");
    }
    const radius = payload[2] | (payload[3] << 8);
    if (radius < 1 || radius > this.#limits.radius) {
      throw new LevelBlobError(`a radius of ${radius} is over the limit of ${this.#limits.radius}`);
    }
    const { width, height } = chunk;
    if ([width, height].some((cells) => cells < 1 || cells > LONGEST_SIGHT_SIDE)) {
      throw new LevelBlobError(`a map of ${width} x ${height} cells has no visibility`);
    }
    let opaque;
    if (chunk.side === NONE) {
      const grid = await this.#grid("OPAQ", level, 0, width, height);
      opaque = /** @type {Uint8Array} */ (grid);
    } else {
      const layer = layers[chunk.side];
      if (!layer || layer.width !== width || layer.height !== height) {
        throw new LevelBlobError("the visibility's layer is missing or of another size");
      }
      opaque = layer.opaque;
    }
    return { opaque, width, height, rule: RULES[payload[0]], radius, seeWalls: payload[1] === 1 };
  }

  /**
   * A whole grid from its parts.
   * @param {string} type
   * @param {number} level
   * @param {number} item
   * @param {number} width
   * @param {number} height
   * @param {Record<string, any>[]} [descriptions] Of all layers, for the cells of one.
   */
  async #grid(type, level, item, width, height, descriptions = []) {
    const { chunks, columns, rows, element } = this.#parts(type, level, item, width, height, descriptions);
    const size = ELEMENT_SIZES[element];
    const cells = size === 1 ? new Uint8Array(width * height) : new Uint16Array(width * height);
    for (const [number, chunk] of chunks.entries()) {
      const left = columns[number % columns.length].start;
      const top = rows[Math.floor(number / columns.length)].start;
      const part = await decodePart(chunk, this.#load(chunk));
      for (let y = 0; y < chunk.height; y++) {
        const row = part.subarray(y * chunk.width, (y + 1) * chunk.width);
        cells.set(row, (top + y) * width + left);
      }
    }
    return cells;
  }

  /**
   * Return the chunks of a grid; they must match its size.
   * @param {string} type
   * @param {number} level
   * @param {number} item
   * @param {number} width
   * @param {number} height
   * @param {Record<string, any>[]} descriptions
   */
  #parts(type, level, item, width, height, descriptions) {
    const chunks = this.#find(type, level, item);
    // Before the lists of parts are made: a width of 2^24 has as many as 65,536 columns.
    if (width * height > this.#limits.cells) {
      throw new LevelBlobError(`a grid of ${width} x ${height} cells is over the limit`);
    }
    const columns = spans(width);
    const rows = spans(height);
    if (chunks.length !== columns.length * rows.length) {
      throw new LevelBlobError(`parts of ${type} ${item} are missing`);
    }
    const element = chunks[0].element;
    if (type === "CELL" ? element !== 1 && element !== U16 : element !== BOOL) {
      throw new LevelBlobError(`chunk ${type} has cells of another type`);
    }
    for (const [number, chunk] of chunks.entries()) {
      const column = columns[number % columns.length];
      const row = rows[Math.floor(number / columns.length)];
      const fits = chunk.part === number && chunk.element === element;
      if (!fits || chunk.width !== column.length || chunk.height !== row.length) {
        throw new LevelBlobError(`the parts of ${type} ${item} do not fit together`);
      }
      const isNothing =
        chunk.codec === STORED && chunk.length === 0 && chunk.side === NONE && chunk.prior === NONE;
      if (chunk.width * chunk.height === 0 && !isNothing) {
        throw new LevelBlobError(`a part of ${type} ${item} holds something and has no cells`);
      }
      if (chunk.side !== NONE) {
        // Only a layer before this one can be depended on.
        const [sideWidth, sideHeight] = sizeOf((chunk.side < item && descriptions[chunk.side]) || {});
        if (sideWidth !== width || sideHeight !== height) {
          throw new LevelBlobError(`chunk ${type} depends on a layer it cannot depend on`);
        }
      }
    }
    return { chunks, columns, rows, element };
  }

  /** @param {string} type @param {number} level @param {number} [item] */
  #find(type, level, item = 0) {
    return this.#chunks.get(`${type} ${level} ${item}`) ?? [];
  }

  /** @param {Chunk} chunk */
  #load(chunk) {
    return loaded(this.#bytes, chunk);
  }

  /**
   * @param {string} type
   * @param {number} level
   * @param {Budget} budget
   * @param {unknown} [missing] The value for a missing chunk.
   */
  async #values(type, level, budget, missing) {
    const chunk = this.#find(type, level)[0];
    if (!chunk) {
      if (missing !== undefined) return missing;
      throw new LevelBlobError(`the blob has no ${type} chunk for level ${level}`);
    }
    if (chunk.codec !== VALUES) throw unknownCodec(chunk.codec);
    const bytes = await inflate(this.#load(chunk), this.#limits.text, false);
    const json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const counted = countValues(json, this.#limits);
    const listBytes = BYTES_OF_A_LIST * counted.lists + BYTES_OF_A_MAP * counted.maps;
    const scalarBytes = BYTES_OF_A_SCALAR * counted.scalars + BYTES_OF_A_TEXT_BYTE * bytes.length;
    const count = counted.lists + counted.maps + counted.scalars;
    const numberSteps = STEPS_OF_A_POINT * counted.points + STEPS_OF_AN_EXPONENT * counted.exponents;
    const steps = bytes.length + STEPS_OF_A_VALUE * count + numberSteps;
    budget.charge("a chunk of values", listBytes + scalarBytes, steps);
    return new ValueReader(json).read();
  }
}

/**
 * Tracks the locks and keys of a level during a game: which locks are open, which keys are held.
 *
 * The game reports what the player takes and opens, and asks what can be opened. This sends the events
 * `taken` (`detail` is the name of the lock) and `opened` (`detail` is the place of the lock).
 */
export class LevelMission extends EventTarget {
  /** @type {Map<string, number>} */ #keys = new Map();
  /** @type {Set<number>} */ #open = new Set();

  /** @param {Mission} mission That of a level. */
  constructor(mission) {
    super();
    /** The object on which the player starts. */
    this.start = mission.start;
    /** The object at which she wins. */
    this.goal = mission.goal;
    this.locks = mission.locks;
  }

  /** Takes a key, whose object has the property `opens`. @param {string} lock */
  take(lock) {
    this.#keys.set(lock, this.keys(lock) + 1);
    this.dispatchEvent(new CustomEvent("taken", { detail: lock }));
  }

  /** How many keys of a name were taken and not used up. @param {string} lock */
  keys(lock) {
    return this.#keys.get(lock) ?? 0;
  }

  /**
   * The lock that closes a cell, as its place in `locks`; -1 if nothing does. One-ways close nothing:
   * see `canStep`.
   * @param {number} x @param {number} y
   */
  lockAt(x, y) {
    return this.locks.findIndex((lock, index) => !this.isOpen(index) && has(lock.cells, x, y));
  }

  /** Whether a lock is open; a one-way always is. @param {number} index */
  isOpen(index) {
    return this.locks[index].kind === "one_way" || this.#open.has(index);
  }

  /**
   * Whether a player in a cell can open a lock now: she stands beside it, and has a key or stands on
   * the side from which it opens.
   * @param {number} index @param {number} x @param {number} y
   */
  canOpen(index, x, y) {
    const lock = this.locks[index];
    const beside = lock.cells.some(([left, top]) => Math.abs(left - x) + Math.abs(top - y) === 1);
    if (this.isOpen(index) || !beside) return false;
    return lock.kind === "shortcut" ? has(lock.opened_from, x, y) : this.keys(lock.name) > 0;
  }

  /**
   * Opens a lock if the player can, and uses up a small key. Whether it was opened.
   * @param {number} index @param {number} x @param {number} y
   */
  open(index, x, y) {
    if (!this.canOpen(index, x, y)) return false;
    const { kind, name } = this.locks[index];
    if (kind === "small_key") this.#keys.set(name, this.keys(name) - 1);
    this.#open.add(index);
    this.dispatchEvent(new CustomEvent("opened", { detail: index }));
    return true;
  }

  /**
   * Whether locks and one-ways let a player step from a cell to one beside it.
   * @param {number} x @param {number} y @param {number} toX @param {number} toY
   */
  canStep(x, y, toX, toY) {
    for (const { kind, cells, opened_from } of this.locks) {
      if (kind !== "one_way") continue;
      if (has(cells, toX, toY) && !has(cells, x, y) && !has(opened_from, x, y)) return false;
      if (has(cells, x, y) && has(opened_from, toX, toY)) return false;
    }
    return this.lockAt(toX, toY) < 0;
  }

  /** Return the state for a saved game: plain values for JSON. */
  save() {
    return { keys: Object.fromEntries(this.#keys), open: [...this.#open] };
  }

  /**
   * Restores a state that `save` returned, without events.
   * @param {{keys: Record<string, number>, open: number[]}} saved
   */
  restore(saved) {
    this.#keys = new Map(Object.entries(saved.keys));
    this.#open = new Set(saved.open);
  }
}

/** @param {[number, number][]} cells @param {number} x @param {number} y */
function has(cells, x, y) {
  return cells.some(([left, top]) => left === x && top === y);
}

/** A level: its layers, its objects, and its visibility. */
export class Level {
  /** @type {Sight | null} */ #sight;
  /** @type {Uint8Array | null} */ #seen = null;
  #viewer = -1;
  #mostCells;
  /** @type {Uint8Array | null} */ #walkable = null;
  /** @type {Uint8Array | null} */ #opaque = null;

  /**
   * @param {Record<string, any>} fields
   * @param {Layer[]} layers
   * @param {any[]} objects
   * @param {any[]} tables
   * @param {any[]} puzzles
   * @param {Sight | null} sight
   * @param {number} mostCells Of a mask of the level.
   */
  constructor(fields, layers, objects, tables, puzzles, sight, mostCells) {
    /** The level's name, which its files begin with. */
    this.name = text(fields.name, "a level's name");
    /** Cells in a row. */
    this.width = side(fields, "width");
    /** Rows. */
    this.height = side(fields, "height");
    /** @type {number | bigint | string} */
    this.seed = seedOf(fields);
    /** @type {Record<string, unknown>} The free values of the level's spec. */
    this.properties = propertiesOf(fields.properties);
    /** In the order of the level's spec. */
    this.layers = layers;
    text(fields.rng, "a level's rng");
    if (fields.visibility_layer !== null) text(fields.visibility_layer, "a level's visibility_layer");
    for (const object of objects) checkObject(map(object, "an object"));
    for (const table of tables) checkTable(map(table, "a table"));
    for (const puzzle of puzzles) {
      map(map(puzzle, "a puzzle").data, "a puzzle's data");
      text(puzzle.kind, "a puzzle's kind");
    }
    /** @type {PlacedObject[]} */
    this.objects = objects;
    /** @type {Map<string, Table>} */
    this.tables = byName(tables, "tables");
    /** @type {Map<string, Puzzle>} */
    this.puzzles = byName(puzzles, "puzzles");
    /** @type {Mission | null} Locks, start and goal; null in a level without a mission. */
    this.mission = missionOf(fields.mission ?? null);
    /** All facts about the level in the file, by the keys of the format. */
    this.description = fields;
    this.#sight = sight;
    this.#mostCells = mostCells;
  }

  /** The tile layers a game is played on: seen, and deciding what can be walked. */
  get playLayers() {
    return this.seenLayers.filter((layer) => layer.role === "play");
  }

  /** The tile layers that games draw: those of the roles `play` and `picture`. */
  get seenLayers() {
    return this.layers.filter(
      (layer) =>
        layer.kind === "tiles" && layer.gridAligned && layer.width === this.width && layer.height === this.height
        && (layer.role === "play" || layer.role === "picture"),
    );
  }

  /**
   * Which cells can be walked on, a byte for each: 1 where some play layer has a walkable tile, and
   * none has a tile that is neither walkable nor empty. It is kept; do not change it.
   * @returns {Uint8Array}
   * @throws {LevelBlobError} The level is over the limit of cells.
   */
  get walkable() {
    this.#walkable ??= walkableOf(this.playLayers, this.#cellCount());
    return this.#walkable;
  }

  /**
   * In which cells some play layer blocks sight, a byte for each: 1 where one does. It is kept; do
   * not change it.
   * @returns {Uint8Array}
   * @throws {LevelBlobError} The level is over the limit of cells.
   */
  get opaque() {
    if (this.#opaque === null) {
      const opaque = new Uint8Array(this.#cellCount());
      for (const layer of this.playLayers) layer.opaque.forEach((blocks, at) => (opaque[at] |= blocks));
      this.#opaque = opaque;
    }
    return this.#opaque;
  }

  /** The rule of sight, its radius and whether walls are seen; null for a level without one. */
  get visibility() {
    const sight = this.#sight;
    return sight && { rule: sight.rule, radius: sight.radius, seeWalls: sight.seeWalls };
  }

  /**
   * Return a layer by its name.
   * @param {string} name
   * @throws {LevelBlobError} No layer has this name.
   */
  layer(name) {
    const layer = this.layers.find((layer) => layer.name === name);
    if (!layer) throw new LevelBlobError(`there is no layer ${name}`);
    return layer;
  }

  /**
   * Return the cells seen from a cell: a byte for each cell of the map, 1 where it is seen. The
   * last result is cached, so another call for the same cell is free; do not change it.
   * @param {number} x
   * @param {number} y
   * @returns {Uint8Array}
   * @throws {LevelBlobError} The level has no visibility.
   * @throws {RangeError} A coordinate is no integer.
   */
  visibleFrom(x, y) {
    const sight = this.#sightOrThrow();
    checkCell(x, y);
    if (!inside(sight, x, y)) return new Uint8Array(sight.width * sight.height);
    const viewer = y * sight.width + x;
    if (this.#seen === null || this.#viewer !== viewer) {
      this.#seen = fieldOfView(sight, x, y);
      this.#viewer = viewer;
    }
    return this.#seen;
  }

  /**
   * Whether one cell sees another.
   * @param {Point} from
   * @param {Point} to
   * @throws {LevelBlobError} The level has no visibility.
   * @throws {RangeError} A coordinate is no integer.
   */
  canSee(from, to) {
    const sight = this.#sightOrThrow();
    checkCell(from.x, from.y);
    checkCell(to.x, to.y);
    return inside(sight, to.x, to.y) && this.visibleFrom(from.x, from.y)[to.y * sight.width + to.x] === 1;
  }

  /**
   * The part of the level that a camera shows around the player.
   * @param {Point} player
   * @param {{width: number, height: number}} view In cells.
   * @returns {View}
   */
  gameView(player, view) {
    return gameView(player, view, this);
  }

  /**
   * The cells of the line before the first that blocks sight or lies outside the level.
   * @param {Point} from
   * @param {Point} to
   * @returns {Point[]}
   * @throws {LevelBlobError} The level has no visibility.
   */
  lineUntil(from, to) {
    const sight = this.#sightOrThrow();
    const cells = line(from, to);
    const end = cells.findIndex(({ x, y }, index) => index > 0 && isOpaque(sight, x, y));
    return end < 0 ? cells : cells.slice(0, end);
  }

  /** Check the size, because a file can state any size, even without a layer of that size. */
  #cellCount() {
    const cells = this.width * this.height;
    if (cells > this.#mostCells) {
      throw new LevelBlobError(`a level of ${this.width} x ${this.height} cells is over the limit`);
    }
    return cells;
  }

  #sightOrThrow() {
    if (!this.#sight) throw new LevelBlobError("the level has no visibility");
    return this.#sight;
  }
}

/**
 * A world: a level exported in parts, and its visibility. The game fetches the files:
 *
 *     const world = new World(await (await fetch("levels/wilds.world.json")).json());
 *     const blob = await LevelBlob.open("levels/" + world.partPath(2, 0));
 *     world.setPart(2, 0, await blob.level());
 *     const lit = world.visibleFrom(playerX, playerY);
 */
export class World {
  /** @type {Map<number, Uint8Array>} Which cells of the parts block sight. */ #opaque = new Map();
  #pattern;
  /** @type {Uint8Array | null} */ #seen = null;
  /** @type {Point} */ #viewer = { x: 0, y: 0 };

  /**
   * @param {unknown} description The content of `<world>.world.json`.
   * @throws {LevelBlobError} The object does not describe a world.
   */
  constructor(description) {
    const fields = map(description, "a world");
    if (fields.format !== "level-exporter-world" || fields.version !== 1) {
      throw new LevelBlobError("this is no world of a version that is known here");
    }
    const size = list(fields.size, "a world's size");
    if (size.length !== 2 || !size.every((side) => isCount(side, LONGEST_WORLD_SIDE))) {
      throw new LevelBlobError("a world's size is out of range");
    }
    if (!WORLD_CHUNKS.includes(fields.chunk)) throw new LevelBlobError("a world's chunk is out of range");
    this.#pattern = text(fields.parts, "a world's parts");
    if (!WORLD_PARTS.test(this.#pattern)) throw new LevelBlobError("a world's parts lead somewhere else");
    const names = list(fields.layers, "a world's layers").map((layer) => map(layer, "a layer").name);
    /** Its name. */
    this.name = text(fields.level, "a world's name");
    /** @type {number} Cells in a row. */
    this.width = size[0];
    /** @type {number} Rows. */
    this.height = size[1];
    /** @type {number} The side of its parts in cells; those at the right and the bottom may be smaller. */
    this.chunk = fields.chunk;
    /** Parts in a row. */
    this.columns = Math.ceil(this.width / this.chunk);
    /** Rows of parts. */
    this.rows = Math.ceil(this.height / this.chunk);
    /** The rule of sight, its radius, and the layer that blocks it; null for a world without one. */
    this.visibility = fields.visibility === null ? null : worldSight(map(fields.visibility, "a sight"), names);
    /** All facts about the world in the file. */
    this.description = fields;
  }

  /**
   * The path of a part's blob, from the folder of the description.
   * @param {number} column
   * @param {number} row
   * @throws {RangeError} There is no such part.
   */
  partPath(column, row) {
    this.#place(column, row);
    return this.#pattern.replace("{column}", `${column}`).replace("{row}", `${row}`) + ".lvb";
  }

  /**
   * Adds a loaded part; only its cells that block sight are stored.
   * @param {number} column
   * @param {number} row
   * @param {Level} level
   * @throws {LevelBlobError} The level has another size than the part, or lacks the layer of sight.
   * @throws {RangeError} There is no such part.
   */
  setPart(column, row, level) {
    const position = this.#place(column, row);
    if (this.visibility === null) return;
    const layer = level.layer(this.visibility.layer);
    const { width, height } = this.#partSize(column, row);
    if (layer.width !== width || layer.height !== height) {
      throw new LevelBlobError(`a part of ${layer.width} x ${layer.height} cells does not belong to this world`);
    }
    this.#opaque.set(position, layer.opaque);
    this.#seen = null;
  }

  /**
   * Removes a part that was unloaded.
   * @param {number} column
   * @param {number} row
   * @throws {RangeError} There is no such part.
   */
  removePart(column, row) {
    this.#opaque.delete(this.#place(column, row));
    this.#seen = null;
  }

  /**
   * Return the cells seen from a cell: a byte for each cell of a square around it, row after row, 1
   * where it is seen. The square has 2 * radius + 1 cells a side. Cells of missing parts block
   * sight. The last result is cached until parts are added or removed; do not change it.
   * @param {number} x
   * @param {number} y
   * @returns {Uint8Array}
   * @throws {LevelBlobError} The world has no visibility, or its rule is not known here.
   * @throws {RangeError} A coordinate is no integer.
   */
  visibleFrom(x, y) {
    const { rule, radius, seeWalls } = this.#sightOrThrow();
    checkCell(x, y);
    if (this.#seen !== null && this.#viewer.x === x && this.#viewer.y === y) return this.#seen;
    const side = 2 * radius + 1;
    const opaque = this.opaqueAround(x, y);
    const seen = fieldOfView({ opaque, width: side, height: side, rule, radius, seeWalls }, radius, radius);
    // Cells outside of the world are never seen.
    for (let at = 0; at < seen.length; at++) {
      const [cellX, cellY] = [x - radius + (at % side), y - radius + Math.floor(at / side)];
      if (!inside(this, cellX, cellY)) seen[at] = 0;
    }
    this.#viewer = { x, y };
    this.#seen = seen;
    return seen;
  }

  /**
   * Whether one cell sees another.
   * @param {Point} from
   * @param {Point} to
   * @throws {LevelBlobError} The world has no visibility, or its rule is not known here.
   * @throws {RangeError} A coordinate is no integer.
   */
  canSee(from, to) {
    const { radius } = this.#sightOrThrow();
    checkCell(from.x, from.y);
    checkCell(to.x, to.y);
    const side = 2 * radius + 1;
    const [across, down] = [to.x - from.x + radius, to.y - from.y + radius];
    const near = across >= 0 && down >= 0 && across < side && down < side;
    return near && this.visibleFrom(from.x, from.y)[down * side + across] === 1;
  }

  /**
   * Return the cells that block sight in the square of `visibleFrom`, a byte for each, 1 where it
   * is blocked: also outside of the world and in missing parts.
   * @param {number} x
   * @param {number} y
   * @returns {Uint8Array}
   * @throws {LevelBlobError} The world has no visibility, or its rule is not known here.
   * @throws {RangeError} A coordinate is no integer.
   */
  opaqueAround(x, y) {
    const { radius } = this.#sightOrThrow();
    checkCell(x, y);
    const side = 2 * radius + 1;
    const result = new Uint8Array(side * side).fill(1);
    const [left, right] = [Math.max(0, x - radius), Math.min(this.width, x + radius + 1)];
    const [top, bottom] = [Math.max(0, y - radius), Math.min(this.height, y + radius + 1)];
    for (let cellY = top; cellY < bottom; cellY++) {
      const row = Math.floor(cellY / this.chunk);
      for (let cellX = left, end = left; cellX < right; cellX = end) {
        const column = Math.floor(cellX / this.chunk);
        end = Math.min(right, (column + 1) * this.chunk);
        const opaque = this.#opaque.get(row * this.columns + column);
        if (!opaque) continue;
        const begin = (cellY - row * this.chunk) * this.#partSize(column, row).width - column * this.chunk;
        const target = (cellY - y + radius) * side + cellX - x + radius;
        result.set(opaque.subarray(begin + cellX, begin + end), target);
      }
    }
    return result;
  }

  /** @param {number} column @param {number} row */
  #partSize(column, row) {
    return {
      width: Math.min(this.chunk, this.width - column * this.chunk),
      height: Math.min(this.chunk, this.height - row * this.chunk),
    };
  }

  /** @param {number} column @param {number} row */
  #place(column, row) {
    checkCell(column, row);
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) {
      throw new RangeError(`there is no part (${column}, ${row})`);
    }
    return row * this.columns + column;
  }

  #sightOrThrow() {
    const sight = this.visibility;
    if (sight === null) throw new LevelBlobError("the world has no visibility");
    const rule = RULES.find((known) => known === sight.rule);
    if (rule === undefined) throw new LevelBlobError(`the rule of sight ${sight.rule} is not known here`);
    return { ...sight, rule };
  }
}

/**
 * Read the rule of sight in a world's description. Third-party packages can add rules that are not
 * known here: the world is read all the same.
 * @param {Record<string, any>} described
 * @param {unknown[]} layers
 */
function worldSight(described, layers) {
  if (!isCount(described.radius, DEFAULT_LIMITS.radius) || !layers.includes(described.layer)) {
    throw new LevelBlobError("a world's rule of sight is broken");
  }
  return {
    layer: text(described.layer, "a layer of sight"),
    rule: text(described.algorithm, "a rule of sight"),
    /** @type {number} */
    radius: described.radius,
    seeWalls: truth(described.see_walls, "see_walls"),
  };
}

/** @param {unknown} value @param {number} most */
function isCount(value, most) {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

/** One layer: its cells, and its description. Grids are row after row, `[y * width + x]`. */
export class Layer {
  /**
   * @param {Record<string, any>} described
   * @param {number} width
   * @param {number} height
   * @param {Uint8Array | Uint16Array} cells
   * @param {Map<string, Uint8Array>} masks
   */
  constructor(described, width, height, cells, masks) {
    if (described.kind !== "tiles" && described.kind !== "heights") {
      throw new LevelBlobError("a layer is neither tiles nor heights");
    }
    this.name = text(described.name, "a layer's name");
    /** @type {"tiles" | "heights"} */
    this.kind = described.kind;
    this.width = width;
    this.height = height;
    /** Tile ids, or height samples from 0 to 65535. */
    this.cells = cells;
    /** @type {Uint8Array | null} 1 where things can walk; null for a layer that does not tell. */
    this.walkable = null;
    /** 1 where sight is blocked. */
    this.opaque = new Uint8Array();
    /** Grids of 0 and 1 by their names. */
    this.masks = masks;
    /** @type {Tile[]} */
    this.tiles = list(described.tiles, "tiles");
    for (const tile of this.tiles) checkTile(tile);
    /** @type {HeightRange | null} The heights of samples 0 and 65535. */
    this.heights = described.heights;
    if (this.heights !== null) checkHeights(this.heights);
    /** @type {string} `play`, `picture`, `data` or `none`. */
    this.role = text(described.role, "a layer's role");
    if (!ROLES.has(this.role)) {
      throw new LevelBlobError(`the role ${this.role} is not known here`);
    }
    /** @type {Room[]} */
    this.rooms = list(described.rooms, "rooms");
    for (const room of this.rooms) checkRoom(room);
    /** @type {Connection[]} Which rooms (by their place in `rooms`) meet, and where. */
    this.connections = list(described.connections, "connections");
    for (const connection of this.connections) checkConnection(connection, this.rooms.length);
    /** Whether a cell of the layer is a cell of the level. */
    this.gridAligned = truth(described.grid_aligned, "a layer's grid_aligned");
    text(described.generator, "a layer's generator");
    integer(described, "version", "a layer's version");
    truth(described.complete, "a layer's complete");
    map(described.report, "a layer's report");
    if (described.certificate !== null) checkCertificate(map(described.certificate, "a certificate"));
    /** All facts about the layer in the file, by the keys of the format. */
    this.description = described;
  }

  /** The real heights of a layer of heights, in its units. */
  realHeights() {
    const { minimum, maximum } = this.heights ?? { minimum: 0, maximum: 1 };
    const scale = (maximum - minimum) / FULL_SCALE;
    const heights = new Float32Array(this.cells.length);
    for (let at = 0; at < heights.length; at++) heights[at] = minimum + this.cells[at] * scale;
    return heights;
  }
}

/** The remaining bytes and steps that a level may use; charged before every allocation. */
class Budget {
  #bytes;
  #steps;

  /** @param {Limits} limits */
  constructor(limits) {
    this.#bytes = limits.bytes;
    this.#steps = limits.steps;
  }

  /** @param {string} what @param {number} bytes @param {number} steps */
  charge(what, bytes, steps) {
    this.#bytes -= bytes;
    this.#steps -= steps;
    if (this.#bytes < 0) throw new LevelBlobError(`${what} is over the limit of bytes`);
    if (this.#steps < 0) throw new LevelBlobError(`${what} is over the limit of steps`);
  }

  /** @param {Chunk} chunk */
  chargePart(chunk) {
    const size = ELEMENT_SIZES[chunk.element] ?? 0;
    this.charge("the level", chunk.width * chunk.height * size, stepsOf(chunk));
  }

  /** Walkable cells that follow from the cells of a layer. @param {Record<string, any>} described */
  chargeWalkable(described) {
    const [width, height] = sizeOf(described);
    const isDerived = described.walkable !== null && described.walkable !== "chunk";
    if (isDerived) this.charge("a layer's walkable cells", width * height, width * height);
  }
}

/** Steps of decoding a part; a codec that is not known is refused later. @param {Chunk} chunk */
function stepsOf(chunk) {
  return STEPS_OF_A_PART + (STEPS_OF_A_CELL[chunk.codec] ?? 0) * chunk.width * chunk.height;
}

/**
 * @template Key
 * @param {Map<Key, Chunk[]>} chunks
 * @param {Key} key
 * @param {Chunk} chunk
 */
function append(chunks, key, chunk) {
  const result = chunks.get(key);
  if (result) result.push(chunk);
  else chunks.set(key, [chunk]);
}

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LevelBlobError) throw error;
    throw new LevelBlobError(`broken level data: ${error}`, { cause: error });
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {Limits} limits
 * @returns {Chunk[]}
 */
function readDirectory(bytes, limits) {
  if (bytes.length < HEADER || SIGNATURE.some((byte, position) => bytes[position] !== byte)) {
    throw new LevelBlobError("not a level blob");
  }
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[8] !== 1) throw new LevelBlobError(`blob version ${bytes[8]} is not known here`);
  if (bytes[10] !== 0) throw new LevelBlobError("the blob needs features that are not known here");
  const count = data.getUint32(12, true);
  const first = HEADER + ENTRY * count;
  if (data.getUint32(16, true) !== bytes.length) {
    throw new LevelBlobError("the blob has another length than it says");
  }
  if (count > limits.chunks || first > bytes.length) {
    throw new LevelBlobError(`the blob says it has ${count} chunks, more than fit`);
  }
  if (crc32([bytes.subarray(0, 20), bytes.subarray(HEADER, first)]) !== data.getUint32(20, true)) {
    throw new LevelBlobError("damaged directory: the checksum does not match");
  }
  const chunks = [];
  let end = first;
  for (let at = HEADER; at < first; at += ENTRY) {
    const chunk = readEntry(data, at);
    if (chunk.offset < end || chunk.length > bytes.length - chunk.offset) {
      throw new LevelBlobError(`chunk ${chunk.type} lies outside the file or over another`);
    }
    end = chunk.offset + chunk.length;
    chunks.push(chunk);
  }
  return chunks;
}

/** A chunk's payload, after a check of its checksum. @param {Uint8Array} bytes @param {Chunk} chunk */
function loaded(bytes, chunk) {
  const payload = bytes.subarray(chunk.offset, chunk.offset + chunk.length);
  if (crc32([payload]) !== chunk.check) {
    throw new LevelBlobError(`damaged chunk ${chunk.type}: the checksum does not match`);
  }
  return payload;
}

/** @param {DataView} data @param {number} at @returns {Chunk} */
function readEntry(data, at) {
  const letters = [0, 1, 2, 3].map((position) => data.getUint8(at + position));
  const type = String.fromCharCode(...letters);
  if (!/^[A-Za-z]{4}$/.test(type)) throw new LevelBlobError("a chunk has no proper name");
  const [level, item, part] = [6, 8, 10].map((position) => data.getUint16(at + position, true));
  const [offset, length, check] = [12, 16, 20].map((position) => data.getUint32(at + position, true));
  const [width, height, side, prior] = [24, 26, 28, 30].map((p) => data.getUint16(at + p, true));
  return {
    type,
    codec: data.getUint8(at + 4),
    element: data.getUint8(at + 5),
    level,
    item,
    part,
    offset,
    length,
    check,
    width,
    height,
    side,
    prior,
  };
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array[]} pieces */
export function crc32(pieces) {
  let value = 0xffffffff;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at++) {
      value = CRC_TABLE[(value ^ piece[at]) & 255] ^ (value >>> 8);
    }
  }
  return ~value >>> 0;
}

/** @param {Uint8Array} bytes */
export function adler32(bytes) {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length; ) {
    // 5552 bytes are the most before the sums could pass 32 bits.
    for (const end = Math.min(bytes.length, at + 5552); at < end; at++) high += low += bytes[at];
    low %= 65521;
    high %= 65521;
  }
  return ((high << 16) | low) >>> 0;
}

/**
 * Inflates a zlib stream, piece by piece, and stops when there is too much of it.
 * @param {Uint8Array} stream
 * @param {number} most Bytes it may give.
 * @param {boolean} exactly Whether it must give as many.
 */
export async function inflate(stream, most, exactly) {
  // A copy on a buffer of its own, as a stream of a Blob is read later.
  const packed = new Blob([stream.slice()]).stream();
  const reader = packed.pipeThrough(new DecompressionStream("deflate")).getReader();
  /** @type {Uint8Array[]} */
  const pieces = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > most) throw new LevelBlobError("a zlib stream gives more than it should");
      pieces.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    if (error instanceof LevelBlobError) throw error;
    throw new LevelBlobError(`broken zlib stream: ${error}`, { cause: error });
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  // Some engines ignore bytes behind a stream: its checksum must be the end of the payload.
  const check = stream.subarray(-4).reduce((value, byte) => value * 256 + byte, 0);
  if ((exactly && length !== most) || check !== adler32(bytes)) {
    throw new LevelBlobError("a zlib stream has another length or checksum than it should");
  }
  return bytes;
}

/** @param {number} codec */
function unknownCodec(codec) {
  return new LevelBlobError(
    SMALL_PROFILE.has(codec)
      ? `codec ${codec} is of the small profile: export the level with \`blob: fast\``
      : `codec ${codec} is not known here`,
  );
}

/**
 * @param {Chunk} chunk
 * @param {Uint8Array} payload
 * @returns {Promise<Uint8Array | Uint16Array | Int32Array>}
 */
async function decodePart(chunk, payload) {
  const { codec, element, width, height } = chunk;
  if (![STORED, ZLIB, PACK, BITMAP].includes(codec)) throw unknownCodec(codec);
  if (chunk.prior !== NONE && codec === BITMAP) {
    throw new LevelBlobError("a part goes on from another: export the level with `blob: fast`");
  }
  if (chunk.prior !== NONE) throw new LevelBlobError(`codec ${codec} goes on from no other part`);
  const count = width * height;
  const size = ELEMENT_SIZES[element];
  if (count === 0) return fromBytes(new Uint8Array(), size);
  let cells;
  if (codec === STORED) cells = fromBytes(payload, size);
  else if (codec === PACK) cells = unpack(payload, count, size);
  else if (codec === BITMAP) cells = bitmap(payload, width, height, size, element === BOOL);
  else cells = await zlib(payload, width, height, size);
  if (cells.length !== count || (element === BOOL && cells.some((cell) => cell > 1))) {
    throw new LevelBlobError("a payload does not hold its cells");
  }
  return cells;
}

/**
 * Cells from their little-endian bytes.
 * @param {Uint8Array} bytes
 * @param {number} size Bytes of a cell.
 */
function fromBytes(bytes, size) {
  if (size === 1) return bytes.slice();
  if (bytes.length % size) throw new LevelBlobError("a payload does not hold its cells");
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length / size;
  const cells = size === 2 ? new Uint16Array(count) : new Int32Array(count);
  for (let at = 0; at < count; at++) {
    cells[at] = size === 2 ? data.getUint16(2 * at, true) : data.getInt32(4 * at, true);
  }
  return cells;
}

/** @param {Uint8Array} payload @param {number} count @param {number} size */
function unpack(payload, count, size) {
  let distinct = 0;
  let at = 0;
  do {
    if (at === 3 || at >= payload.length) throw new LevelBlobError("a number is too long");
    distinct |= (payload[at] & 127) << (7 * at);
  } while (payload[at++] & 128);
  const width = distinct > 1 ? 32 - Math.clz32(distinct - 1) : 0;
  if (distinct < 1 || distinct > 65536) throw new LevelBlobError("too many values in a pack");
  if (width === 8 && size === 1) return payload.slice(at);
  const start = at + distinct * size;
  if (payload.length - start !== Math.ceil((count * width) / 8)) {
    throw new LevelBlobError("a pack has another length than its cells need");
  }
  const table = fromBytes(payload.subarray(at, start), size);
  const cells = size === 1 ? new Uint8Array(count) : size === 2 ? new Uint16Array(count) : new Int32Array(count);
  const mask = (1 << width) - 1;
  let bits = 0;
  let held = 0;
  let next = start;
  for (let index = 0; index < count; index++) {
    for (; held < width; held += 8) bits = ((bits & 0xffff) << 8) | payload[next++];
    held -= width;
    const position = (bits >>> held) & mask;
    if (position >= distinct) throw new LevelBlobError("a place has no value");
    cells[index] = table[position];
  }
  return cells;
}

/** How far the probability of a context moves, by how often it was met. */
const RATES = Uint32Array.from({ length: 1024 }, (_, count) => Math.floor(131072 / (2 * count + 3)));
const FULL = 4194304;
const MOST_MET = 1023;

/**
 * Grids of two values, each cell in the context of twelve neighbours (of four until it is known).
 * @param {Uint8Array} payload
 * @param {number} width
 * @param {number} height
 * @param {number} size Bytes of a cell.
 * @param {boolean} isTruth
 */
function bitmap(payload, width, height, size, isTruth) {
  const flags = payload[0];
  if (!(flags <= 3) || (isTruth && flags & 2)) throw new LevelBlobError("unknown flags of a bitmap");
  let at = 1;
  let values = [0, 1];
  if (flags & 2) {
    at = 1 + 2 * size;
    if (payload.length < at) throw new LevelBlobError("a bitmap is cut short");
    values = [...fromBytes(payload.slice(1, at), size)];
  }
  const edge = flags & 1;
  const count = width * height;
  const cells = size === 1 ? new Uint8Array(count) : size === 2 ? new Uint16Array(count) : new Int32Array(count);
  // The probability of a 0 by context, of 2 ** 22, and how often each was met.
  const large = new Uint32Array(4096);
  const largeMet = new Uint16Array(4096);
  const small = new Uint32Array(256).fill(FULL / 2);
  const smallMet = new Uint16Array(256);
  let range = 0xffffffff;
  let code = 0;
  for (let byte = 0; byte < 4; byte++) code = code * 256 + (payload[at++] ?? 0);
  // The two rows above as pairs of bits, one pair a column, the nearer row in bit 1.
  const pairs = new Uint8Array(width + 4).fill(3 * edge);
  for (let y = 0; y < height; y++) {
    let window = (((15 * edge) << 4) | (pairs[2] << 2) | (width > 1 ? pairs[3] : 3 * edge)) & 1023;
    let left = 3 * edge;
    for (let x = 0; x < width; x++) {
      window = ((window << 2) | (x + 2 < width ? pairs[x + 4] : pairs[0])) & 1023;
      const context = (window << 2) | left;
      const parent = (window & 168) | (left & 1);
      let probability = large[context];
      let met = largeMet[context];
      if (probability === 0 && met === 0) {
        probability = small[parent];
        met = Math.min(1, smallMet[parent]);
      }
      const bound = (range >>> 16) * ((probability >>> 6) | 1);
      const bit = code < bound ? 0 : 1;
      if (bit) {
        code -= bound;
        range -= bound;
        cells[y * width + x] = values[1];
      } else {
        range = bound;
        cells[y * width + x] = values[0];
      }
      large[context] = moved(probability, met, bit);
      largeMet[context] = Math.min(MOST_MET, met + 1);
      if (met < 7) {
        small[parent] = moved(small[parent], smallMet[parent], bit);
        smallMet[parent] = Math.min(MOST_MET, smallMet[parent] + 1);
      }
      pairs[x + 2] = (pairs[x + 2] >> 1) | (bit << 1);
      left = ((left << 1) | bit) & 3;
      while (range < 16777216) {
        range *= 256;
        code = code * 256 + (payload[at++] ?? 0);
      }
    }
  }
  return cells;
}

/** A probability after a cell. @param {number} probability @param {number} met @param {number} bit */
function moved(probability, met, bit) {
  const distance = bit ? -probability : FULL - probability;
  return probability + Math.sign(distance) * Math.floor((Math.abs(distance) * RATES[met]) / 65536);
}

/**
 * A zlib stream behind one byte of layout.
 * @param {Uint8Array} payload
 * @param {number} width
 * @param {number} height
 * @param {number} size
 */
async function zlib(payload, width, height, size) {
  const count = width * height;
  const layout = payload[0];
  if (layout === 4 && size === 2) {
    const values = fromBytes(payload.slice(2, 2 * payload[1] + 4), size);
    const places = await inflate(payload.subarray(2 * payload[1] + 4), count, true);
    if (places.some((position) => position >= values.length)) {
      throw new LevelBlobError("a place has no value");
    }
    const cells = new Uint16Array(count);
    for (let at = 0; at < count; at++) cells[at] = values[places[at]];
    return cells;
  }
  if (!(layout <= 2 || (layout === 3 && size === 2))) {
    throw new LevelBlobError("the layout is not known here");
  }
  const expected = layout === 1 ? Math.ceil(count / 8) : count * size;
  const raw = await inflate(payload.subarray(1), expected, true);
  if (layout === 0) return fromBytes(raw, size);
  if (layout === 1) {
    const cells = new Uint8Array(count);
    for (let at = 0; at < count; at++) cells[at] = (raw[at >> 3] >> (7 - (at & 7))) & 1;
    return cells;
  }
  const joined = new Uint8Array(count * size);
  for (let at = 0; at < raw.length; at++) joined[(at % count) * size + Math.floor(at / count)] = raw[at];
  const cells = fromBytes(joined, size);
  for (let at = 0, sum = 0; layout === 3 && at < count; at++) {
    // The folded steps of a row up to a cell sum to its difference from the cell above.
    sum = (at % width ? sum : 0) + ((cells[at] >>> 1) ^ -(cells[at] & 1));
    cells[at] = (at < width ? 0 : cells[at - width]) + sum;
  }
  return cells;
}

/** @param {number} length @returns {Span[]} */
function spans(length) {
  const count = Math.max(1, (length + PART / 2) >> 8);
  return Array.from({ length: count }, (_, index) => ({
    start: index * PART,
    length: index === count - 1 ? length - index * PART : PART,
  }));
}

/** @param {Connection} connection @param {number} rooms How many there are. */
function checkConnection(connection, rooms) {
  const [first, second] = pair(map(connection, "a connection").rooms, "the rooms of a connection");
  integer(connection, "x", "the x of a connection");
  integer(connection, "y", "the y of a connection");
  if (![first, second].every((room) => room >= 0 && room < rooms)) {
    throw new LevelBlobError("a connection of rooms that do not exist");
  }
  if (connection.kind !== "door" && connection.kind !== "opening") {
    throw new LevelBlobError(`the kind ${connection.kind} of a connection is not known here`);
  }
}

/** @param {Tile} tile */
function checkTile(tile) {
  if (whole(map(tile, "a tile"), "id") > 65535) throw new LevelBlobError(`tile id ${tile.id} is out of range`);
  text(tile.name, "a tile's name");
  truth(tile.walkable, "a tile's walkable");
  truth(tile.opaque, "a tile's opaque");
  text(tile.color, "a tile's color");
}

/** @param {HeightRange} heights */
function checkHeights(heights) {
  for (const end of [map(heights, "heights").minimum, heights.maximum]) {
    if (typeof end !== "number" && typeof end !== "bigint") {
      throw new LevelBlobError("broken level data: an end of the heights should be a number");
    }
  }
  text(heights.units, "the units of heights");
}

/** @param {Room} room */
function checkRoom(room) {
  text(map(room, "a room").name, "a room's name");
  for (const key of ["x", "y", "width", "height"]) integer(room, key, `the ${key} of a room`);
  pair(room.center, "a room's center");
}

/** @param {Record<string, any>} certificate */
function checkCertificate(certificate) {
  for (const key of CERTIFICATE) integer(certificate, key, `a certificate's ${key}`);
  if (certificate.start !== null) pair(certificate.start, "a certificate's start");
}

/** @param {Record<string, any>} object */
function checkObject(object) {
  for (const key of ["id", "x", "y"]) integer(object, key, `an object's ${key}`);
  text(object.name, "an object's name");
  propertiesOf(object.properties);
}

/** @param {Record<string, any>} table */
function checkTable(table) {
  const columns = list(table.columns, "a table's columns");
  for (const column of columns) {
    text(map(column, "a column").name, "a column's name");
    truth(column.nullable, "a column's nullable");
    if (!COLUMN_TYPES.has(column.type)) {
      throw new LevelBlobError(`the type ${String(column.type)} of a column is not known here`);
    }
  }
  for (const row of list(table.rows, "a table's rows")) {
    if (list(row, "a row").length !== columns.length) throw new LevelBlobError("a row has other columns");
    row.forEach(scalar);
  }
}

/** @param {Layer} layer */
function opaqueOf(layer) {
  if (layer.kind === "tiles") return byLegend(layer, "opaque");
  if (layer.walkable === null) return new Uint8Array(layer.cells.length);
  return layer.walkable.map((walkable) => 1 - walkable);
}

/** @param {Layer} layer @param {"walkable" | "opaque"} property */
function byLegend(layer, property) {
  return byTile(layer, (tile) => tile[property]);
}

/** Ids without a tile count as no. @param {Layer} layer @param {(tile: Tile) => boolean} says */
function byTile(layer, says) {
  const table = new Uint8Array(65536);
  for (const tile of layer.tiles) {
    table[tile.id] = Number(says(tile));
  }
  return truthOf(layer.cells, (id) => table[id] === 1);
}

/** @param {Layer[]} layers Of the level's size. @param {number} cellCount */
function walkableOf(layers, cellCount) {
  const walkable = new Uint8Array(cellCount);
  for (const layer of layers) {
    byLegend(layer, "walkable").forEach((open, at) => (walkable[at] |= open));
  }
  for (const layer of layers) {
    const blocked = byTile(layer, (tile) => !tile.walkable && !EMPTY_NAMES.has(tile.name));
    blocked.forEach((closed, at) => (walkable[at] &= 1 - closed));
  }
  return walkable;
}

/**
 * A byte for each cell: 1 where something is true of it. `from` of typed arrays would hold every cell
 * as a number of its own first.
 * @param {Uint8Array | Uint16Array} cells
 * @param {(cell: number) => boolean} says
 */
function truthOf(cells, says) {
  const truth = new Uint8Array(cells.length);
  for (let at = 0; at < cells.length; at++) truth[at] = says(cells[at]) ? 1 : 0;
  return truth;
}

/**
 * Count the values of a JSON text, before any is built.
 * @param {string} json
 * @param {Limits} limits
 */
function countValues(json, limits) {
  let [lists, maps, commas, empty, depth, points, exponents] = [0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < json.length && json.charCodeAt(at) !== QUOTE; at++) {
        if (json.charCodeAt(at) === BACKSLASH) at++;
      }
    } else if (code === 0x5b || code === 0x7b) {
      if (code === 0x5b) lists++;
      else maps++;
      // Closing brackets have the code of the opening ones plus 2: ] and [, } and {.
      if (json.charCodeAt(at + 1) === code + 2) empty++;
      if (++depth > limits.depth) throw new LevelBlobError(`values are nested deeper than ${limits.depth}`);
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    } else if (code === 0x2c) {
      commas++;
    } else if (code === 0x2e) {
      points++;
    } else if ((code | 0x20) === 0x65 && isDigit(json.charCodeAt(at - 1))) {
      exponents++;
    }
  }
  const values = 1 + commas + lists + maps - empty;
  if (values > limits.values) throw new LevelBlobError("there are more values than the limit");
  return { lists, maps, scalars: Math.max(0, values - lists - maps), points, exponents };
}

/** @param {number} code */
function isDigit(code) {
  return code >= 0x30 && code <= 0x39;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

/**
 * The keys of each map or list whose numbers were written with a point or an exponent and are whole
 * all the same: 5.0 is no integer, and JavaScript has one type for both.
 * @type {WeakMap<object, Set<string | number>>}
 */
const WHOLE_DECIMALS = new WeakMap();

/** Reads JSON whose nesting and number of values are known to be within the limits. */
class ValueReader {
  /** @type {string} */ #json;
  #at = 0;
  // Where the next backslash is; texts before it need no unescaping.
  #escape = -1;
  // Whether the number just read was written with a point or an exponent.
  #isDecimal = false;

  /** @param {string} json */
  constructor(json) {
    this.#json = json;
  }

  /** @returns {unknown} */
  read() {
    // Outside of texts there is no white space, and no text has control characters.
    // eslint-disable-next-line no-control-regex
    if (/[\0-\x1f]/.test(this.#json)) throw notJson();
    const value = this.#value();
    if (this.#at !== this.#json.length) throw notJson();
    return value;
  }

  /** @returns {unknown} */
  #value() {
    this.#isDecimal = false;
    const first = this.#json[this.#at];
    if (first === '"') return this.#text();
    if (first === "[") return this.#list();
    if (first === "{") return this.#map();
    if (first === "n") return this.#word("null", null);
    if (first === "t") return this.#word("true", true);
    if (first === "f") return this.#word("false", false);
    return this.#number();
  }

  /** @param {string} word @param {unknown} value */
  #word(word, value) {
    if (!this.#json.startsWith(word, this.#at)) throw notJson();
    this.#at += word.length;
    return value;
  }

  /** @param {string} expected */
  #take(expected) {
    if (this.#json[this.#at] !== expected) return false;
    this.#at++;
    return true;
  }

  #list() {
    /** @type {unknown[]} */
    const items = [];
    this.#at++;
    if (this.#take("]")) return items;
    do {
      items.push(this.#value());
      if (this.#isDecimal) this.#noteDecimal(items, items.length - 1);
    } while (this.#take(","));
    if (!this.#take("]")) throw notJson();
    this.#isDecimal = false;
    return items;
  }

  #map() {
    /** @type {Record<string, unknown>} */
    const entries = {};
    this.#at++;
    if (this.#take("}")) return entries;
    do {
      const key = this.#text();
      if (!this.#take(":")) throw notJson();
      if (Object.hasOwn(entries, key)) throw new LevelBlobError("a map has a key twice");
      const value = this.#value();
      // A key of this name would change the map's prototype.
      if (key === "__proto__") {
        Object.defineProperty(entries, key, { value, writable: true, enumerable: true, configurable: true });
      } else entries[key] = value;
      if (this.#isDecimal) this.#noteDecimal(entries, key);
    } while (this.#take(","));
    if (!this.#take("}")) throw notJson();
    this.#isDecimal = false;
    return entries;
  }

  /** @param {object} owner @param {string | number} key */
  #noteDecimal(owner, key) {
    const keys = WHOLE_DECIMALS.get(owner);
    if (keys) keys.add(key);
    else WHOLE_DECIMALS.set(owner, new Set([key]));
  }

  /** @returns {string} */
  #text() {
    const start = this.#at;
    if (this.#json[start] !== '"') throw notJson();
    let end = this.#json.indexOf('"', start + 1);
    if (this.#escape < start) {
      this.#escape = this.#json.indexOf("\\", start);
      if (this.#escape < 0) this.#escape = this.#json.length;
    }
    if (end >= 0 && end < this.#escape) {
      this.#at = end + 1;
      return this.#json.slice(start + 1, end);
    }
    for (end = start + 1; end < this.#json.length && this.#json.charCodeAt(end) !== QUOTE; end++) {
      if (this.#json.charCodeAt(end) === BACKSLASH) end++;
    }
    this.#at = end + 1;
    const text = JSON.parse(this.#json.slice(start, this.#at));
    if (/[\0\ud800-\udfff]/u.test(text)) {
      throw new LevelBlobError("a text has half a character, or U+0000");
    }
    return text;
  }

  /** @returns {number | bigint} */
  #number() {
    NUMBER.lastIndex = this.#at;
    const result = NUMBER.exec(this.#json);
    if (!result) throw notJson();
    const [token, fraction, exponent] = result;
    this.#at += token.length;
    const isInteger = fraction === undefined && exponent === undefined;
    const digits = token.split(/[eE]/)[0].replace(".", "").replace(/^[-0]+/, "");
    if (token.length > LONGEST_NUMBER || (!isInteger && digits.length > MOST_DIGITS)) {
      throw new LevelBlobError("a number has more digits than the format allows");
    }
    const value = Number(token);
    if (!Number.isFinite(value)) throw new LevelBlobError("a number is out of range");
    this.#isDecimal = !isInteger && Number.isInteger(value);
    if (!isInteger || Number.isSafeInteger(value)) return value;
    const long = BigInt(token);
    if (BigInt.asIntN(64, long) !== long) throw new LevelBlobError("an integer does not fit in 64 bits");
    return long;
  }
}

function notJson() {
  return new LevelBlobError("broken values: not JSON");
}

/** @param {Record<string, any>} fields @returns {number | bigint | string} */
function seedOf(fields) {
  if (typeof fields.seed === "string" || isInteger(fields, "seed")) return fields.seed;
  // An integer of more than 64 bits is stored as its digits.
  const { integer } = map(fields.seed, "a seed");
  if (!/^-?\d{1,4096}$/.test(text(integer, "a seed"))) throw new LevelBlobError("a seed is no integer");
  return BigInt(integer);
}

/** @param {unknown} value @param {string} what @returns {Record<string, any>} */
function map(value, what) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new LevelBlobError(`broken level data: ${what} should be a map`);
  }
  return value;
}

/** @param {unknown} value @param {string} what @returns {any[]} */
function list(value, what) {
  if (!Array.isArray(value)) throw new LevelBlobError(`broken level data: ${what} should be a list`);
  return value;
}

/** @param {unknown} value @param {string} what @returns {string} */
function text(value, what) {
  if (typeof value !== "string") throw new LevelBlobError(`broken level data: ${what} should be text`);
  return value;
}

/** @param {Record<string | number, any>} owner @param {string | number} key @returns {number} */
function whole(owner, key) {
  const value = owner[key];
  if (!isInteger(owner, key) || !Number.isSafeInteger(value) || value < 0) {
    throw new LevelBlobError(`broken level data: ${String(value)} should be a whole number`);
  }
  return value;
}

/** @param {Record<string | number, any>} owner @param {string | number} key @returns {number} */
function side(owner, key) {
  const cells = whole(owner, key);
  if (cells >= LONGEST_SIDE) throw new LevelBlobError(`a side of ${cells} cells is out of range`);
  return cells;
}

/** @param {Record<string | number, any>} owner @param {string | number} key */
function isInteger(owner, key) {
  const isWhole = Number.isInteger(owner[key]) || typeof owner[key] === "bigint";
  return isWhole && !WHOLE_DECIMALS.get(owner)?.has(key);
}

/** An integer of 32 bits. @param {Record<string | number, any>} owner @param {string | number} key @param {string} what */
function integer(owner, key, what) {
  if (!isInteger(owner, key) || owner[key] < -(2 ** 31) || owner[key] >= 2 ** 31) {
    throw new LevelBlobError(`broken level data: ${what} should be an integer of 32 bits`);
  }
}

/** @param {unknown} value @param {string} what @returns {[number, number]} */
function pair(value, what) {
  const both = list(value, what);
  integer(both, 0, what);
  integer(both, 1, what);
  if (both.length !== 2) throw new LevelBlobError(`broken level data: ${what} should be two numbers`);
  return [both[0], both[1]];
}

/** @param {unknown} value @param {string} what @returns {boolean} */
function truth(value, what) {
  if (typeof value !== "boolean") {
    throw new LevelBlobError(`broken level data: ${what} should be true or false`);
  }
  return value;
}

/** @param {unknown} value */
function scalar(value) {
  if (typeof value === "object" && value !== null) {
    throw new LevelBlobError("broken level data: a list or a map where a single value should be");
  }
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function propertiesOf(value) {
  const properties = map(value, "properties");
  for (const entry of Object.values(properties)) {
    const singles = Array.isArray(entry) && entry.length <= MOST_ENTRIES ? entry : [entry];
    if (!singles.every(isSingle)) throw new LevelBlobError("broken level data: no value of a property");
  }
  return properties;
}

/**
 * Whether a value is a single one, or a mapping with one key: the type of its value.
 * @param {any} value
 */
function isSingle(value) {
  if (typeof value !== "object" || value === null) return true;
  const entries = Object.entries(value);
  if (Array.isArray(value) || entries.length !== 1) return false;
  const [type, content] = entries[0];
  if (type !== "vector") return ["color", "resource", "object"].includes(type) && typeof content === "string";
  return Array.isArray(content) && [2, 3].includes(content.length) && content.every(isNumber);
}

/** @param {unknown} value */
function isNumber(value) {
  return typeof value === "number" || typeof value === "bigint";
}

/** @param {Record<string, any>} described @returns {[number, number]} */
function sizeOf(described) {
  const sides = list(described.size, "a size");
  if (sides.length !== 2) throw new LevelBlobError("broken level data: a size should be two numbers");
  return [side(sides, 0), side(sides, 1)];
}

/**
 * The descriptions of a level's layers, whose names must all differ.
 * @param {Record<string, any>} fields
 */
function layersOf(fields) {
  const described = list(fields.layers, "layers").map((entry) => map(entry, "a layer"));
  const names = new Set();
  for (const { name } of described) {
    if (names.has(text(name, "a layer's name"))) throw new LevelBlobError(`there are two layers ${name}`);
    names.add(name);
  }
  return described;
}

/** @param {any} described @returns {Mission | null} */
function missionOf(described) {
  if (described === null) return null;
  const mission = map(described, "a mission");
  for (const key of ["start", "goal"]) text(mission[key], `a mission's ${key}`);
  for (const key of ["states", "stranded"]) integer(mission, key, `a mission's ${key}`);
  for (const line of list(mission.walkthrough, "a walkthrough")) text(line, "a walkthrough's line");
  for (const lock of list(mission.locks, "locks")) {
    text(map(lock, "a lock").name, "a lock's name");
    if (!LOCK_KINDS.has(lock.kind)) throw new LevelBlobError(`a lock of the kind ${lock.kind}`);
    for (const key of ["cells", "opened_from"]) {
      for (const cell of list(lock[key], "a lock's cells")) pair(cell, "a lock's cell");
    }
  }
  return /** @type {Mission} */ (mission);
}

/** @param {any[]} listed @param {string} what @returns {Map<string, any>} */
function byName(listed, what) {
  const named = new Map(listed.map((entry) => [text(map(entry, "an entry").name, "a name"), entry]));
  if (named.size !== listed.length) throw new LevelBlobError(`there are two ${what} of one name`);
  return named;
}

/** @param {number} x @param {number} y */
function checkCell(x, y) {
  if (!Number.isInteger(x) || !Number.isInteger(y)) throw new RangeError(`(${x}, ${y}) is no cell`);
}

/** @param {{width: number, height: number}} sight @param {number} x @param {number} y */
function inside(sight, x, y) {
  return x >= 0 && y >= 0 && x < sight.width && y < sight.height;
}

/** @param {Sight} sight @param {number} x @param {number} y */
function isOpaque(sight, x, y) {
  return !inside(sight, x, y) || sight.opaque[y * sight.width + x] !== 0;
}

/**
 * The part of a map that a camera of `view` cells shows around the player: the player in the
 * middle (exactly, for odd sizes), moved so that the view lies in the map. On an axis where the
 * map is smaller than the view, the view starts at 0.
 * @param {Point} player
 * @param {{width: number, height: number}} view
 * @param {{width: number, height: number}} map
 * @returns {View}
 */
export function gameView(player, view, map) {
  /** @type {(at: number, length: number, most: number) => number} */
  const start = (at, length, most) =>
    Math.min(Math.max(at - Math.floor(length / 2), 0), Math.max(most - length, 0));
  return {
    x: start(player.x, view.width, map.width),
    y: start(player.y, view.height, map.height),
    width: view.width,
    height: view.height,
  };
}

/**
 * Bresenham's line: every cell from `a` to `b`, both included, in order. The minor axis is rounded
 * half away from `a`, so the line back may differ.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point[]}
 */
export function line(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const steps = Math.max(Math.abs(dx), Math.abs(dy));
  return Array.from({ length: steps + 1 }, (_, step) => ({
    x: a.x + stepTowards(dx, step, steps),
    y: a.y + stepTowards(dy, step, steps),
  }));
}

/**
 * step * distance / steps, halves rounded away from 0.
 * @param {number} distance
 * @param {number} step
 * @param {number} steps
 */
function stepTowards(distance, step, steps) {
  if (steps === 0) return 0;
  return Math.sign(distance) * Math.floor((2 * step * Math.abs(distance) + steps) / (2 * steps));
}

/**
 * Return the cells seen from a cell inside the map, by the rules of the format.
 * @param {Sight} sight
 * @param {number} x
 * @param {number} y
 */
export function fieldOfView(sight, x, y) {
  const seen = new Uint8Array(sight.width * sight.height);
  seen[y * sight.width + x] = 1;
  if (isOpaque(sight, x, y)) return seen;
  if (sight.rule === "raycast") castRays(sight, x, y, seen);
  else if (sight.rule === "shadowcast") {
    for (const steps of OCTANTS) castOctant(sight, x, y, steps, seen);
  } else {
    for (const steps of QUADRANTS) castQuadrant(sight, x, y, steps, seen);
  }
  return seen;
}

// The steps in x and y of one depth, then of one column.
const QUADRANTS = [[0, -1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [-1, 0, 0, 1]];
const OCTANTS = [
  [0, -1, -1, 0], [0, -1, 1, 0], [0, 1, -1, 0], [0, 1, 1, 0],
  [-1, 0, 0, -1], [-1, 0, 0, 1], [1, 0, 0, -1], [1, 0, 0, 1],
];

/**
 * A row to be scanned between two slopes, each given by numerator and denominator.
 * @typedef {[depth: number, startUp: number, startDown: number, endUp: number, endDown: number]} SightRow
 */

/**
 * Symmetric shadowcasting (Albert Ford) with exact fractions. A wall is seen if it is in the row,
 * a floor if its centre lies between the slopes, ends included.
 * @param {Sight} sight
 * @param {number} atX
 * @param {number} atY
 * @param {number[]} steps
 * @param {Uint8Array} seen
 */
function castQuadrant(sight, atX, atY, steps, seen) {
  /** @type {SightRow[]} */
  const rows = [[1, -1, 1, 1, 1]];
  for (let row = rows.pop(); row; row = rows.pop()) {
    let [depth, startUp, startDown, endUp, endDown] = row;
    if (depth > sight.radius) continue;
    const first = Math.floor((2 * depth * startUp + startDown) / (2 * startDown));
    const last = Math.ceil((2 * depth * endUp - endDown) / (2 * endDown));
    let before = null;
    for (let column = first; column <= last; column++) {
      const x = atX + depth * steps[0] + column * steps[2];
      const y = atY + depth * steps[1] + column * steps[3];
      const wall = isOpaque(sight, x, y);
      if (!wall && before === true) [startUp, startDown] = [2 * column - 1, 2 * depth];
      const centred = column * startDown >= depth * startUp && column * endDown <= depth * endUp;
      const near = depth * depth + column * column <= sight.radius * sight.radius;
      if (near && (wall || centred) && inside(sight, x, y)) seen[y * sight.width + x] = 1;
      if (wall && before === false) rows.push([depth + 1, startUp, startDown, 2 * column - 1, 2 * depth]);
      before = wall;
    }
    if (before === false) rows.push([depth + 1, startUp, startDown, endUp, endDown]);
  }
}

/**
 * Recursive shadowcasting (Björn Bergström) with exact fractions: in row `depth` the cell `column`
 * steps from the axis lies between (2 column - 1) / (2 depth + 1) and (2 column + 1) / (2 depth - 1);
 * a row is scanned from the far end towards the axis.
 * @param {Sight} sight
 * @param {number} atX
 * @param {number} atY
 * @param {number[]} steps
 * @param {Uint8Array} seen
 */
function castOctant(sight, atX, atY, steps, seen) {
  /** @type {SightRow[]} */
  const rows = [[1, 1, 1, 0, 1]];
  for (let row = rows.pop(); row; row = rows.pop()) {
    let [depth, startUp, startDown, endUp, endDown] = row;
    if (startUp * endDown < endUp * startDown) continue;
    for (let blocked = false; depth <= sight.radius && !blocked; depth++) {
      let [nextUp, nextDown] = [startUp, startDown];
      for (let column = depth; column >= 0; column--) {
        if (startUp * (2 * depth + 1) < (2 * column - 1) * startDown) continue;
        if (endUp * (2 * depth - 1) > (2 * column + 1) * endDown) break;
        const x = atX + depth * steps[0] + column * steps[2];
        const y = atY + depth * steps[1] + column * steps[3];
        const near = depth * depth + column * column <= sight.radius * sight.radius;
        if (near && inside(sight, x, y)) seen[y * sight.width + x] = 1;
        if (isOpaque(sight, x, y)) {
          if (!blocked && depth < sight.radius) {
            blocked = true;
            rows.push([depth + 1, startUp, startDown, 2 * column + 1, 2 * depth - 1]);
          }
          if (blocked) [nextUp, nextDown] = [2 * column - 1, 2 * depth + 1];
        } else if (blocked) {
          blocked = false;
          [startUp, startDown] = [nextUp, nextDown];
        }
      }
    }
  }
}

/**
 * A line to every cell nearer than the radius; the first blocker ends it.
 * @param {Sight} sight
 * @param {number} atX
 * @param {number} atY
 * @param {Uint8Array} seen
 */
function castRays(sight, atX, atY, seen) {
  const { radius, width } = sight;
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      if (dx * dx + dy * dy >= radius * radius) continue;
      const count = Math.max(Math.abs(dx), Math.abs(dy));
      for (let step = 1; step <= count; step++) {
        const x = atX + stepTowards(dx, step, count);
        const y = atY + stepTowards(dy, step, count);
        const blocked = isOpaque(sight, x, y);
        if (inside(sight, x, y) && (!blocked || sight.seeWalls)) seen[y * width + x] = 1;
        if (blocked) break;
      }
    }
  }
}
