// @ts-check
/**
 * The selected thing, as a path: `level`, `layers.NAME`, `objects.2` (an entry of `objects:`; `objects.NAME` for objects that only
 * a layer brings), `rooms.LAYER.3`, `tables.NAME`, `locks.NAME` (of the mission), `edits.LAYER.x,y`. Of an entry's objects one on the map may be chosen.
 */

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Thing} Thing */
/** @typedef {{x: number, y: number}} Cell */
/**
 * @typedef {{kind: "level"} | {kind: "layer", name: string} | {kind: "objects", index: number} | {kind: "things", name: string}
 *   | {kind: "room", layer: string, index: number} | {kind: "table", name: string} | {kind: "lock", name: string} | {kind: "edit", layer: string, x: number, y: number}} Subject
 */

export const LEVEL = "level";

/** @param {string} path @returns {Subject | null} null for no path */
export function subjectOf(path) {
  const [head, name = "", rest = "", ...more] = path.split(".");
  if (path === LEVEL) return { kind: "level" };
  if (!name || more.length) return null;
  const number = /^\d+$/.test(rest || name) ? Number(rest || name) : -1;
  if (head === "rooms") return number >= 0 && rest ? { kind: "room", layer: name, index: number } : null;
  if (head === "edits") {
    const [x, y] = rest.split(",").map(Number);
    return Number.isInteger(x) && Number.isInteger(y) ? { kind: "edit", layer: name, x, y } : null;
  }
  if (rest) return null;
  if (head === "layers") return { kind: "layer", name };
  if (head === "tables") return { kind: "table", name };
  if (head === "locks") return { kind: "lock", name };
  if (head === "objects") return number >= 0 ? { kind: "objects", index: number } : { kind: "things", name };
  return null;
}

/** Whether there is such a thing in the spec and its picture. @param {Subject} subject @param {any} data @param {LevelView | null} level */
function exists(subject, data, level) {
  switch (subject.kind) {
    case "level": return true;
    case "layer": return isNested(data?.layers?.[subject.name]);
    case "table": return data?.tables?.[subject.name] !== undefined;
    case "lock": return Boolean(level?.mission?.locks.some((one) => one.name === subject.name));
    case "objects": return isNested(data?.objects?.[subject.index]);
    case "things": return Boolean(level?.legend.some((one) => one.name === subject.name));
    case "room": return Boolean(level?.layer(subject.layer)?.rooms[subject.index]);
    case "edit": return level !== null && level.editedAt(subject.layer, subject.x, subject.y) >= 0;
  }
}

/** @param {unknown} value */
const isNested = (value) => value !== null && typeof value === "object";

export class Selection {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.path = LEVEL;
    /** @type {Subject} */ this.subject = { kind: "level" };
    /** The chosen object on the map: where it was last. @type {{id: number, name: string, x: number, y: number} | null} */
    this.thing = null;
    /** What is selected once the spec has it. */
    this.expected = "";
    /** @type {any} */ this.data = null;
    /** @type {LevelView | null} */ this.level = null;
    this.open = "";
    /** @type {Cell | null} */ this.clicked = null;
  }

  /**
   * @param {string} path @param {Thing | null} [thing]
   * @throws {Error} there is no such thing
   */
  select(path, thing = null) {
    const subject = subjectOf(path);
    if (!subject || !exists(subject, this.data, this.level)) throw new Error(`there is nothing to select at ${path}`);
    this.expected = "";
    this.path = path;
    this.subject = subject;
    this.thing = thing && { id: thing.id, name: thing.name, x: thing.x, y: thing.y };
    this.changed();
  }

  /** Whether a path leads to a thing. @param {string} path */
  has(path) {
    const subject = subjectOf(path);
    return subject !== null && exists(subject, this.data, this.level);
  }

  /** Select a thing as soon as the spec has it. @param {string} path */
  expect(path) {
    this.expected = path;
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    if (draft.level !== this.open) this.level = null;
    const another = draft.level !== this.open;
    this.open = draft.level;
    this.data = draft.data;
    if (another) return this.select(LEVEL);
    if (this.expected && this.has(this.expected)) this.select(this.expected);
    else if (this.isOfSpec && !exists(this.subject, this.data, this.level)) this.select(LEVEL);
  }

  /** @param {LevelView} level */
  showLevel(level) {
    this.level = level;
    if (!exists(this.subject, this.data, level)) {
      const owner = "layer" in this.subject ? `layers.${this.subject.layer}` : LEVEL;
      return this.select(this.has(owner) ? owner : LEVEL);
    }
    const { thing } = this;
    if (!thing) return;
    const now = level.objects.find((one) => one.name === thing.name && one.x === thing.x && one.y === thing.y)
      ?? level.objects.find((one) => one.name === thing.name && one.id === thing.id);
    // A copy that the picture does not have yet is waited for.
    if (!now && thing.id < 0) return;
    this.thing = now ? { id: now.id, name: now.name, x: now.x, y: now.y } : null;
  }

  /** Whether the spec alone says if it exists. */
  get isOfSpec() {
    return ["layer", "objects", "table"].includes(this.subject.kind);
  }

  /** The chosen object as the picture has it. @returns {Thing | null} */
  get chosen() {
    const id = this.thing?.id;
    return (id !== undefined && this.level?.objects.find((one) => one.id === id)) || null;
  }

  /** The entry of an object, else its name. @param {Thing} thing */
  pathOf(thing) {
    if (thing.entry !== null) return `objects.${thing.entry}`;
    const objects = Array.isArray(this.data?.objects) ? this.data.objects : [];
    const index = objects.findIndex((/** @type {any} */ one) => one?.name === thing.name);
    return `objects.${index >= 0 ? index : thing.name}`;
  }

  /**
   * What lies at a cell, from the top: an object, a hand edit, a room, the layers that are shown.
   * @param {Cell} cell @param {(layer: import("./level.js").Layer) => boolean} shows
   * @returns {{path: string, thing: Thing | null}[]}
   */
  at({ x, y }, shows) {
    const { level } = this;
    if (!level) return [];
    const layers = level.layers.filter(shows).reverse();
    const lock = level.lockAt(x, y);
    return [
      ...lock ? [{ path: `locks.${lock}`, thing: null }] : [],
      ...level.thingsAt(x, y).reverse().map((thing) => ({ path: this.pathOf(thing), thing })),
      ...[
        ...layers.filter((one) => level.editedAt(one.name, x, y) >= 0).map((one) => `edits.${one.name}.${x},${y}`),
        ...layers.flatMap((one) => level.roomsAt(one, x, y).map((index) => `rooms.${one.name}.${index}`)),
        ...layers.filter((one) => level.holds(one, x, y)).map((one) => `layers.${one.name}`),
      ].map((path) => ({ path, thing: null })),
    ];
  }

  /** Select what lies at a cell; a second click there what lies below it. @param {Cell} cell @param {(layer: import("./level.js").Layer) => boolean} shows */
  click(cell, shows) {
    const found = this.at(cell, shows);
    const again = this.clicked?.x === cell.x && this.clicked.y === cell.y;
    this.clicked = cell;
    const before = !again ? -1 : found.findIndex((one) => one.path === this.path && (one.thing?.id ?? -1) === (this.thing?.id ?? -1));
    const next = found[(before + 1) % found.length];
    if (next) this.select(next.path, next.thing);
    else this.select(LEVEL);
  }
}
