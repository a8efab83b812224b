// @ts-check
/** Objects by hand: moved by dragging, added at a cell, removed by the right button or Delete. */

import { element } from "./elements.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Thing} Thing */
/** @typedef {{x: number, y: number}} Cell */

const MOVE = "";

export class ObjectsTool {
  /** @param {{send: (message: import("./messages.js").Request) => void, changed: () => void, dropped: (thing: Thing) => void, pick: (cell: Cell) => void, proof: () => import("./mission_proof.js").MissionProof}} host */
  constructor(host) {
    this.host = host;
    /** @type {LevelView | null} */
    this.level = null;
    /** The object in hand, and where it was taken. @type {{thing: Thing, from: Cell} | null} */
    this.carried = null;
    /** The name of objects that are added. */
    this.adding = MOVE;
    /** @type {Cell | null} */
    this.pressed = null;
  }

  /** @param {LevelView} level */
  show(level) {
    this.level = level;
    if (!level.edits.names.includes(this.adding)) this.adding = MOVE;
    const { carried } = this;
    if (!carried) return;
    // A picture that comes meanwhile has the object where it was taken.
    const again = level.objects.find((one) => one.id === carried.thing.id);
    if (!again) this.carried = null;
    else {
      [again.x, again.y] = [carried.thing.x, carried.thing.y];
      carried.thing = again;
    }
  }

  /** @returns {Node[]} */
  options() {
    const names = this.level?.edits.names ?? [];
    const select = element("select", {
      id: "add-object-by-hand", "aria-label": "Objects: move, or add one of a name",
      onchange: () => { this.adding = select.value; },
    }, element("option", { value: MOVE, selected: this.adding === MOVE }, "Move objects"),
    ...names.map((name) => element("option", { value: name, selected: name === this.adding }, `Add ${name}`)));
    return [select];
  }

  /** @param {Cell} cell */
  thingAt(cell) {
    return this.level?.thingsAt(cell.x, cell.y).at(-1) ?? null;
  }

  /** @param {Cell} cell @param {number} button */
  down(cell, button) {
    const thing = this.thingAt(cell);
    if (button === 2) {
      if (thing) this.remove(thing);
      return true;
    }
    if (this.take(cell)) return true;
    if (this.adding === MOVE || !this.level?.has(cell.x, cell.y)) return false;
    this.pressed = cell;
    return true;
  }

  /** @param {Cell} cell */
  drag(cell) {
    if (!this.carried || !this.level?.has(cell.x, cell.y)) return;
    [this.carried.thing.x, this.carried.thing.y] = [cell.x, cell.y];
    if (cell.x !== this.carried.from.x || cell.y !== this.carried.from.y) this.host.proof().hold(this.carried.thing);
    this.host.changed();
  }

  /** @param {Cell} cell */
  up(cell) {
    this.drag(cell);
    const { pressed } = this;
    if (this.carried) {
      if (!this.drop() && pressed) this.host.pick(pressed);
    } else if (this.pressed && this.level?.has(cell.x, cell.y) && this.adding !== MOVE) {
      this.host.send({ do: "add_object", name: this.adding, to: [cell.x, cell.y] });
    }
    this.pressed = null;
  }

  /** Drop the object in its current cell. @returns {boolean} whether it has moved */
  drop() {
    const { carried } = this;
    this.carried = null;
    if (!carried) return false;
    const { thing, from } = carried;
    if (thing.x === from.x && thing.y === from.y) {
      this.host.proof().cancel();
      return false;
    }
    this.host.dropped(thing);
    /** @type {import("./messages.js").Cell} */ const to = [thing.x, thing.y];
    this.host.proof().drop(thing, () => this.host.send({ do: "move", ...this.named(thing, from), to }), () => this.back(thing, from));
    return true;
  }

  cancel() {
    const { carried } = this;
    this.carried = this.pressed = null;
    if (!carried) return;
    this.host.proof().cancel();
    this.back(carried.thing, carried.from);
  }

  /** @param {Thing} thing @param {Cell} from */
  back(thing, from) {
    [thing.x, thing.y] = [from.x, from.y];
    this.host.changed();
  }

  /** @param {Thing} thing */
  remove(thing) {
    this.host.send({ do: "remove_object", ...this.named(thing, thing) });
  }

  /** Keep an object at its cell. @param {Thing} thing */
  pin(thing) {
    this.host.send({ do: "pin_object", ...this.named(thing, thing) });
  }

  /** Place an object as it was generated. @param {Thing} thing */
  restore(thing) {
    this.host.send({ do: "restore_object", ...this.named(thing, thing) });
  }

  /** Add another object of a name, at the nearest cell that is walkable and free. @param {Thing} thing @returns {Cell | null} its cell */
  copy(thing) {
    const cell = this.level && freeCell(this.level, thing);
    if (cell) this.host.send({ do: "add_object", name: thing.name, to: [cell.x, cell.y] });
    return cell;
  }

  /** Take an object in hand, with any tool. @param {Cell} cell @returns {boolean} */
  take(cell) {
    const thing = this.thingAt(cell);
    if (!thing) return false;
    this.carried = { thing, from: { x: thing.x, y: thing.y } };
    this.pressed = cell;
    return true;
  }

  /**
   * How the server knows an object: by its ordinal, or an added one by its cell.
   * @param {Thing} thing @param {Cell} at
   * @returns {{name: string, ordinal: number} | {name: string, from: import("./messages.js").Cell}}
   */
  named(thing, at) {
    const ordinal = this.level?.edits.ordinals[thing.id];
    return ordinal ? { name: thing.name, ordinal } : { name: thing.name, from: [at.x, at.y] };
  }

  /** @param {Cell} cell @param {boolean} removes @returns {boolean} */
  key(cell, removes) {
    if (removes) {
      const thing = this.thingAt(cell);
      if (thing) this.remove(thing);
      return thing !== null;
    }
    if (this.carried) {
      this.drag(cell);
      this.drop();
    } else if (this.down(cell, 0) && !this.carried) {
      this.up(cell);
    }
    return true;
  }
}

/** The nearest cell that is walkable and has no object. @param {LevelView} level @param {Cell} from @returns {Cell | null} */
function freeCell(level, { x, y }) {
  /** @type {(Cell & {distance: number}) | null} */
  let best = null;
  for (let at = 0; at < level.walkable.length; at++) {
    if (!level.walkable[at]) continue;
    const cell = { x: at % level.width, y: Math.floor(at / level.width) };
    const distance = (cell.x - x) ** 2 + (cell.y - y) ** 2;
    if (distance && (!best || distance < best.distance) && !level.thingsAt(cell.x, cell.y).length) best = { ...cell, distance };
  }
  return best;
}
