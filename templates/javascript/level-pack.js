/**
 * Reads packs: thousands of levels in one `.lvp` file, each decoded when it is asked for.
 *
 *     import { openPack } from "./level-pack.js";
 *     const response = await fetch("levels/crypt.lvp");
 *     const pack = await openPack(await response.arrayBuffer());
 *     const level = await pack.level(pack.daily("2026-12-24"));
 *     const far = await pack.find("farthest >= 60");
 *
 * A level is one of `level-blob.js`. Every error in a file raises a `LevelBlobError`. The format is
 * described in exporter/docs/reference/pack-format.md.
 */

import { DEFAULT_LIMITS, LevelBlob, LevelBlobError, adler32, crc32, inflate } from "./level-blob.js";

const SIGNATURE = [0x8f, 0x4c, 0x56, 0x50, 0x0d, 0x0a, 0x1a, 0x0a];
const BLOB_SIGNATURE = [0x8f, 0x4c, 0x56, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 32;
const BLOB_HEADER = 24;
const BLOB_ENTRY = 32;
const MOST_LEVELS = 2 ** 20;
const WIDEST = 32;
const VALUES = 21;
const MILLISECONDS_OF_A_DAY = 86_400_000;

/** @typedef {import("./level-blob.js").Limits} Limits */
/** @typedef {string | Record<string, any>} Shape */
/** @typedef {{bytes: Uint8Array, at: number}} Bits */
/** @typedef {{group: string, name: string, kind: string, bytes: number, minimum?: number, divisor?: number, values?: unknown[]}} Column */

/**
 * Opens a pack; the bytes must not change afterwards.
 * @param {ArrayBuffer | ArrayBufferView} data
 * @param {Partial<Limits>} [limits]
 * @returns {Promise<LevelPack>}
 * @throws {LevelBlobError} It is no pack, damaged, too new, or over a limit.
 */
export async function openPack(data, limits = {}) {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  const all = { ...DEFAULT_LIMITS, ...limits };
  const header = readHeader(bytes);
  const shared = bytes.subarray(HEADER, HEADER + header.shared);
  const stream = onlyPayload(shared, "PACK");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await inflate(stream, all.text, false));
  return guarded(() => new LevelPack(bytes, header, JSON.parse(text), all));
}

/** A pack that is open. */
export class LevelPack {
  /** @type {Uint8Array} */ #bytes;
  /** @type {DataView} */ #view;
  /** @type {Limits} */ #limits;
  /** @type {{levels: number, shared: number, columns: number}} */ #header;
  /** @type {Shape} */ #directory;
  /** @type {Record<string, Shape>} */ #shapes;
  /** @type {Column[]} */ #columns;
  /** @type {Map<number, Promise<unknown[] | Float64Array>>} */ #read = new Map();

  /**
   * @param {Uint8Array} bytes
   * @param {{levels: number, shared: number, columns: number}} header
   * @param {Record<string, any>} shared
   * @param {Limits} limits
   */
  constructor(bytes, header, shared, limits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#header = header;
    this.#limits = limits;
    this.#directory = shared.directory;
    this.#shapes = shared.shapes;
    this.#columns = shared.columns;
    if (typeof shared.name !== "string" || !Array.isArray(this.#columns)) {
      throw new LevelBlobError("broken pack: its name or its columns are missing");
    }
    /** The name of the level whose spec the pack was made from. */
    this.name = shared.name;
    /** How many levels the pack has. */
    this.count = header.levels;
  }

  /**
   * Decodes a level; nothing of other levels is read.
   * @param {number} index From 0.
   * @returns {Promise<import("./level-blob.js").Level>}
   * @throws {LevelBlobError} There is no such level, or it is damaged.
   */
  async level(index) {
    const blob = guarded(() => this.#blob(index));
    return new LevelBlob(blob, this.#limits).level();
  }

  /** The names of the measures that `find` knows. */
  get measures() {
    return this.#columns.filter((column) => column.group === "metrics").map((column) => column.name);
  }

  /**
   * The values of all levels: `seed`, a varied parameter such as `ground.wall_percent`, or a measure.
   * @param {string} name
   * @returns {Promise<unknown[] | Float64Array>}
   * @throws {LevelBlobError} There are none of that name, or they are damaged.
   */
  values(name) {
    const item = this.#columns.findIndex((column) => column.name === name);
    if (item < 0) throw new LevelBlobError(`the pack has no values ${name}`);
    const known = this.#read.get(item) ?? this.#column(item);
    this.#read.set(item, known);
    return known;
  }

  /**
   * The levels that meet a condition over their measures, in order. A level for which it has no
   * value, as it divides by zero, does not meet it.
   * @param {string} expression As in `farthest >= 60 and dead_ends <= 6`.
   * @returns {Promise<number[]>}
   * @throws {SyntaxError} It is no condition, or names a measure that the pack does not have.
   */
  async find(expression) {
    const { holds, names } = parseCondition(expression);
    const known = this.measures;
    for (const name of names) {
      if (!known.includes(name)) {
        throw new SyntaxError(`the pack has no measure ${name} (known: ${known.join(", ")})`);
      }
    }
    const columns = await Promise.all(names.map((name) => this.values(name)));
    const found = [];
    /** @type {Map<string, number>} */
    const row = new Map();
    for (let index = 0; index < this.count; index++) {
      names.forEach((name, place) => row.set(name, Number(columns[place][index])));
      try {
        if (holds(row)) found.push(index);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    return found;
  }

  /**
   * All levels in an order that follows from a seed, each once.
   * @param {number} seed A whole number; its lowest 32 bits decide.
   * @returns {number[]}
   */
  shuffled(seed) {
    const order = Array.from({ length: this.count }, (_, index) => index);
    const start = mixed(seed);
    for (let place = this.count - 1; place > 0; place--) {
      const draw = mixed(start + Math.imul(place, 0x9e3779b9));
      // Below 2 ** 52, and so exact.
      const target = Math.floor((draw * (place + 1)) / 2 ** 32);
      [order[place], order[target]] = [order[target], order[place]];
    }
    return order;
  }

  /**
   * The level of a day: each comes once before any comes again.
   * @param {string} date As in `2026-12-24`.
   * @throws {RangeError} It is no date, or the pack is empty.
   */
  daily(date) {
    const milliseconds = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN;
    const isDate = new Date(milliseconds || 0).toISOString().slice(0, 10) === date;
    if (!isDate) throw new RangeError(`${date} is no date (write it as 2026-12-24)`);
    if (this.count === 0) throw new RangeError("the pack is empty");
    const day = milliseconds / MILLISECONDS_OF_A_DAY;
    const round = Math.floor(day / this.count);
    return this.shuffled(round)[day - round * this.count];
  }

  /** @param {number} index */
  #blob(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) {
      throw new LevelBlobError(`there is no level ${index} (the pack has ${this.count})`);
    }
    const table = HEADER + this.#header.shared + this.#header.columns;
    const first = this.#view.getUint32(table + 4 * index, true);
    const end = this.#view.getUint32(table + 4 * index + 4, true);
    if (first < table + 4 * (this.count + 1) || end > this.#bytes.length || first > end - 4) {
      throw new LevelBlobError(`level ${index} lies outside the pack`);
    }
    const body = this.#bytes.subarray(first + 4, end);
    const number = new Uint8Array(4);
    new DataView(number.buffer).setUint32(0, index, true);
    if (crc32([number, body]) !== this.#view.getUint32(first, true)) {
      throw new LevelBlobError(`damaged level ${index}: the checksum does not match`);
    }
    const bits = { bytes: body, at: 0 };
    const entries = JSON.parse(readShape(this.#directory, bits, this.#limits));
    if (!Array.isArray(entries) || entries.length > this.#limits.chunks) {
      throw new LevelBlobError("broken level data: the directory");
    }
    const encoder = new TextEncoder();
    const texts = entries
      .filter((entry) => entry[1] === VALUES)
      .map((entry) => storedStream(encoder.encode(readShape(this.#shapes[entry[0]], bits, this.#limits))));
    let at = (bits.at + 7) >> 3;
    const payloads = entries.map((entry) => {
      if (entry[1] === VALUES) return /** @type {Uint8Array} */ (texts.shift());
      const payload = body.subarray(at, at + entry[9]);
      at += entry[9];
      return payload;
    });
    if (at !== body.length) throw new LevelBlobError("broken level data: the payloads' length");
    return writeBlob(entries, payloads);
  }

  /** @param {number} item @returns {Promise<unknown[] | Float64Array>} */
  async #column(item) {
    const columns = this.#bytes.subarray(HEADER + this.#header.shared).subarray(0, this.#header.columns);
    const { kind, bytes, minimum = 0, divisor = 1, values = [] } = this.#columns[item];
    if (![1, 2, 4].includes(bytes) && !(bytes === 8 && kind === "number")) {
      throw new LevelBlobError("broken pack: a column");
    }
    const raw = await inflate(onlyPayload(columns, "colm", item), this.count * bytes, true);
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    /** @param {number} at */
    const number = (at) => {
      if (bytes === 8) return view.getFloat64(8 * at, true);
      if (bytes === 4) return view.getUint32(4 * at, true);
      return bytes === 2 ? view.getUint16(2 * at, true) : raw[at];
    };
    if (kind === "choice") {
      return Array.from({ length: this.count }, (_, at) => {
        if (number(at) >= values.length) throw new LevelBlobError("broken pack: a column");
        return values[number(at)];
      });
    }
    if (!Number.isSafeInteger(minimum) || !Number.isSafeInteger(divisor) || divisor < 1) {
      throw new LevelBlobError("broken pack: a column");
    }
    const exact = bytes === 8;
    return Float64Array.from({ length: this.count }, (_, at) =>
      exact ? number(at) : (minimum + number(at)) / divisor,
    );
  }
}

/** @template Result @param {() => Result} work @returns {Result} */
function guarded(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof LevelBlobError) throw error;
    throw new LevelBlobError(`broken pack: ${error}`, { cause: error });
  }
}

/** @param {Uint8Array} bytes */
function readHeader(bytes) {
  if (bytes.length < HEADER || SIGNATURE.some((byte, place) => bytes[place] !== byte)) {
    throw new LevelBlobError("not a level pack");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[8] !== 1) throw new LevelBlobError(`pack version ${bytes[8]} is not known here`);
  if (bytes[10] !== 0) throw new LevelBlobError("the pack needs features that are not known here");
  const [levels, shared, columns, length, check] = [12, 16, 20, 24, 28].map((at) => view.getUint32(at, true));
  if (crc32([bytes.subarray(0, 28)]) !== check) {
    throw new LevelBlobError("damaged header: the checksum does not match");
  }
  const end = HEADER + shared + columns + 4 * (levels + 1);
  if (levels > MOST_LEVELS || end > length || length !== bytes.length) {
    throw new LevelBlobError(`the pack says it has ${levels} levels, more than fit`);
  }
  return { levels, shared, columns };
}

/**
 * The payload of a chunk of a container that is part of a pack.
 * @param {Uint8Array} container
 * @param {string} type
 * @param {number} [item]
 */
function onlyPayload(container, type, item = 0) {
  const payload = LevelBlob.payload(container, type, item);
  if (!payload) throw new LevelBlobError(`the pack has no chunk ${type} ${item}`);
  return payload;
}

/** @param {Bits} bits @param {number} count */
function take(bits, count) {
  if (!Number.isInteger(count) || count < 0 || count > WIDEST) {
    throw new LevelBlobError(`broken shape: ${count} bits`);
  }
  if (bits.at + count > 8 * bits.bytes.length) throw new LevelBlobError("the level is cut short");
  let number = 0;
  for (let left = count; left > 0; ) {
    const held = Math.min(left, 8 - (bits.at & 7));
    const byte = bits.bytes[bits.at >> 3] >> (8 - (bits.at & 7) - held);
    number = number * 2 ** held + (byte & ((1 << held) - 1));
    bits.at += held;
    left -= held;
  }
  return number;
}

/**
 * The text of a shape and the bits of one level.
 * @param {Shape} shape
 * @param {Bits} bits
 * @param {Limits} limits
 */
function readShape(shape, bits, limits) {
  /** @type {string[]} */
  const parts = [];
  let size = 0;
  let count = 0;
  /** @param {string} part */
  const add = (part) => {
    size += part.length;
    if (size > limits.text) throw new LevelBlobError("the values are over the limit of bytes");
    parts.push(part);
  };
  /** @param {unknown[]} choices */
  const chosen = (choices) => {
    const number = choices.length > 1 ? take(bits, 32 - Math.clz32(choices.length - 1)) : 0;
    if (number >= choices.length) throw new LevelBlobError("a choice is out of range");
    return choices[number];
  };
  /** @param {any} inner */
  const read = (inner) => {
    if (++count > limits.values) throw new LevelBlobError("the values are over their limit");
    if (typeof inner === "string") add(inner);
    else if (Array.isArray(inner.all)) inner.all.forEach(read);
    else if (Number.isSafeInteger(inner.integer)) add(String(inner.integer + take(bits, inner.bits)));
    else if (Array.isArray(inner.one_of)) add(/** @type {string} */ (chosen(inner.one_of)));
    else if (Array.isArray(inner.either)) read(chosen(inner.either));
    else if ("list" in inner) {
      const length = take(bits, inner.bits);
      add("[");
      for (let place = 0; place < length; place++) {
        if (place) add(",");
        read(inner.list);
      }
      add("]");
    } else {
      const length = take(bits, inner.length);
      if (8 * length > 8 * bits.bytes.length - bits.at) throw new LevelBlobError("the level is cut short");
      const bytes = Uint8Array.from({ length }, () => take(bits, 8));
      add(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    }
  };
  read(shape);
  return parts.join("");
}

/** A zlib stream of blocks that are not compressed. @param {Uint8Array} bytes */
function storedStream(bytes) {
  const blocks = Math.max(1, Math.ceil(bytes.length / 0xffff));
  const stream = new Uint8Array(bytes.length + 5 * blocks + 6);
  const view = new DataView(stream.buffer);
  stream.set([0x78, 0x01]);
  let at = 2;
  for (let block = 0; block < blocks; block++) {
    const piece = bytes.subarray(block * 0xffff, (block + 1) * 0xffff);
    stream[at] = Number(block === blocks - 1);
    view.setUint16(at + 1, piece.length, true);
    view.setUint16(at + 3, piece.length ^ 0xffff, true);
    stream.set(piece, at + 5);
    at += 5 + piece.length;
  }
  view.setUint32(at, adler32(bytes));
  return stream;
}

/**
 * The blob of one level.
 * @param {any[][]} entries
 * @param {Uint8Array[]} payloads
 */
function writeBlob(entries, payloads) {
  const first = BLOB_HEADER + BLOB_ENTRY * entries.length;
  const length = payloads.reduce((sum, payload) => sum + payload.length, first);
  const blob = new Uint8Array(length);
  const view = new DataView(blob.buffer);
  blob.set(BLOB_SIGNATURE);
  blob[8] = 1;
  view.setUint32(12, entries.length, true);
  view.setUint32(16, length, true);
  let offset = first;
  entries.forEach((entry, place) => {
    const at = BLOB_HEADER + BLOB_ENTRY * place;
    const [type, codec, element, item, cell, width, height, side, prior] = entry;
    if (entry.length !== 10 || !/^[A-Za-z]{4}$/.test(type) || codec > 255 || element > 255) {
      throw new LevelBlobError("broken level data: an entry of the directory");
    }
    if (![codec, element, item, cell, width, height, side, prior].every((n) => n >= 0 && n <= 0xffff)) {
      throw new LevelBlobError("broken level data: an entry of the directory");
    }
    for (let letter = 0; letter < 4; letter++) blob[at + letter] = type.charCodeAt(letter);
    blob[at + 4] = codec;
    blob[at + 5] = element;
    [0, item, cell].forEach((number, index) => view.setUint16(at + 6 + 2 * index, number, true));
    const payload = payloads[place];
    [offset, payload.length, crc32([payload])].forEach((number, index) =>
      view.setUint32(at + 12 + 4 * index, number, true),
    );
    [width, height, side, prior].forEach((number, index) => view.setUint16(at + 24 + 2 * index, number, true));
    blob.set(payload, offset);
    offset += payload.length;
  });
  view.setUint32(20, crc32([blob.subarray(0, 20), blob.subarray(BLOB_HEADER, first)]), true);
  return blob;
}

/** Mixes the lowest 32 bits of a number (Wellons, "Prospecting for hash functions", 2018). @param {number} value */
function mixed(value) {
  // Numbers above 2 ** 53 have no lowest bits; what JavaScript takes of others are their own.
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b) >>> 0;
  return (bits ^ (bits >>> 16)) >>> 0;
}

// --- conditions -----------------------------------------------------------------------------------

const TOKEN =
  /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*(?:\.(?:[A-Za-z_]\w*|\d+|'[^'\n]*'))*)|(<=|>=|==|!=|<|>|[-+*/()]))/y;
const COMPARISONS = ["<", "<=", ">", ">=", "==", "!="];
const LONGEST = 2000;
const DEEPEST = 50;

/** @typedef {Map<string, number>} Row */
/** @typedef {{number: (row: Row) => number} | {holds: (row: Row) => boolean}} Term */

/** The value of a calculation, which must be a number. @param {number} value */
function finite(value) {
  if (!Number.isFinite(value)) throw new RangeError("the condition has no value");
  return value;
}

/**
 * Reads a condition over measures: numbers, names, + - * /, comparisons, and, or, not.
 * @param {string} text
 * @returns {{holds: (row: Row) => boolean, names: string[]}}
 */
function parseCondition(text) {
  if (text.length > LONGEST) throw new SyntaxError("the condition is too long");
  /** @type {{kind: string, text: string}[]} */
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; text.slice(end).trim(); end = TOKEN.lastIndex) {
    TOKEN.lastIndex = end;
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(`the condition is not understood at: ${text.slice(end)}`);
    const [, number, name] = match;
    const kind = number ? "number" : name && !["and", "or", "not"].includes(name) ? "name" : "sign";
    tokens.push({ kind, text: match[0].trim() });
  }
  let place = 0;
  let depth = 0;
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {string[]} texts */
  const taken = (...texts) => {
    const token = tokens[place];
    return token?.kind === "sign" && texts.includes(token.text) ? tokens[place++].text : "";
  };
  /** @param {Term} term */
  const number = (term) => {
    if (!("number" in term)) throw new SyntaxError("a condition is where a number is expected");
    return term.number;
  };
  /** @param {Term} term */
  const condition = (term) => {
    if (!("holds" in term)) throw new SyntaxError("a number is where a condition is expected");
    return term.holds;
  };
  /** @template Result @param {() => Result} inner */
  const deeper = (inner) => {
    if (++depth > DEEPEST) throw new SyntaxError("the condition is nested too deeply");
    const result = inner();
    depth--;
    return result;
  };
  /** @param {string} word @param {() => Term} inner @returns {Term} */
  const joined = (word, inner) => {
    const first = inner();
    if (tokens[place]?.text !== word) return first;
    const parts = [condition(first)];
    while (taken(word)) parts.push(condition(inner()));
    const every = word === "and";
    return {
      holds: (row) => (every ? parts.every((part) => part(row)) : parts.some((part) => part(row))),
    };
  };
  /** @returns {Term} */
  const either = () => joined("or", () => joined("and", negated));
  /** @returns {Term} */
  const negated = () => {
    if (!taken("not")) return comparison();
    const inner = condition(deeper(negated));
    return { holds: (row) => !inner(row) };
  };
  /** @returns {Term} */
  const comparison = () => {
    let left = sum();
    /** @type {((row: Row) => boolean)[]} */
    const parts = [];
    for (let sign = taken(...COMPARISONS); sign; sign = taken(...COMPARISONS)) {
      const [before, after, kind] = [number(left), sum(), sign];
      const behind = number(after);
      parts.push((row) => compared(kind, before(row), behind(row)));
      left = after;
    }
    return parts.length ? { holds: (row) => parts.every((part) => part(row)) } : left;
  };
  /** @param {string[]} signs @param {() => Term} inner @returns {Term} */
  const calculation = (signs, inner) => {
    let left = inner();
    for (let count = 1, sign = taken(...signs); sign; sign = taken(...signs), count++) {
      if (depth + count > DEEPEST) throw new SyntaxError("the condition is nested too deeply");
      const [before, behind, kind] = [number(left), number(inner()), sign];
      left = { number: (row) => calculated(kind, before(row), behind(row)) };
    }
    return left;
  };
  /** @returns {Term} */
  const sum = () => calculation(["+", "-"], () => calculation(["*", "/"], factor));
  /** @returns {Term} */
  const factor = () => {
    const sign = taken("-", "+");
    if (sign) {
      const inner = number(deeper(factor));
      return sign === "-" ? { number: (row) => -inner(row) } : { number: inner };
    }
    if (taken("(")) {
      const inner = deeper(either);
      if (!taken(")")) throw new SyntaxError("a parenthesis is not closed");
      return inner;
    }
    const token = tokens[place++];
    if (token?.kind === "number") {
      const value = Number(token.text);
      if (!Number.isFinite(value)) throw new SyntaxError("a number is too large");
      return { number: () => value };
    }
    if (token?.kind !== "name") throw new SyntaxError("a number or a measure is expected");
    const name = plainName(token.text);
    names.add(name);
    return { number: (row) => row.get(name) ?? NaN };
  };
  const holds = condition(either());
  if (place < tokens.length) throw new SyntaxError(`${tokens[place].text} is not expected here`);
  return { holds, names: [...names] };
}

/** @param {string} sign @param {number} left @param {number} right */
function compared(sign, left, right) {
  switch (sign) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "==":
      return left === right;
    default:
      return left !== right;
  }
}

/** @param {string} sign @param {number} left @param {number} right */
function calculated(sign, left, right) {
  if (sign === "+") return finite(left + right);
  if (sign === "-") return finite(left - right);
  return finite(sign === "*" ? left * right : left / right);
}

/** A name without quotes where none are needed. @param {string} name */
function plainName(name) {
  return name.replace(/\.'([A-Za-z_]\w*|\d+)'/g, ".$1");
}
