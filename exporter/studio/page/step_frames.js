// @ts-check
/**
 * The frames of a layer's steps: the cells at one of them, and the changes from each to the next. A change is an exclusive
 * or, so it leads forward and back.
 */

/** @typedef {import("./level.js").Tile} Tile */
/** @typedef {import("./messages.js").StepsEvent} Sent */

export class StepFrames {
  /** @param {Sent} sent */
  constructor(sent) {
    this.layer = sent.layer;
    this.width = sent.width;
    this.height = sent.height;
    this.tiles = sent.tiles;
    this.heights = sent.heights;
    this.thinned = sent.thinned;
    this.revision = sent.revision;
    this.frames = sent.frames;
    this.at = 0;
    this.cells = sent.first.slice();
  }

  get count() {
    return this.frames.length;
  }

  get last() {
    return this.at === this.count - 1;
  }

  /** The label of the shown step. */
  get label() {
    return this.frames[this.at].label;
  }

  /** @param {number} at */
  go(at) {
    const wanted = Math.min(Math.max(Math.round(at), 0), this.count - 1);
    while (this.at < wanted) this.change(++this.at);
    while (this.at > wanted) this.change(this.at--);
  }

  /** Make the change of a frame, or take it back. @param {number} at */
  change(at) {
    const { cells, values } = this.frames[at];
    if (cells) for (let one = 0; one < cells.length; one++) this.cells[cells[one]] ^= values[one];
    else for (let one = 0; one < values.length; one++) this.cells[one] ^= values[one];
  }

  /** The places of the cells that the step changed, in the order of rows. @returns {Int32Array} */
  changed() {
    const { cells, values } = this.frames[this.at];
    if (cells) return cells;
    const found = new Int32Array(values.length);
    let count = 0;
    for (let one = 0; one < values.length; one++) if (values[one]) found[count++] = one;
    return found.subarray(0, count);
  }

  /** Go where other frames of the same layer were: to the same step, or as far along. @param {StepFrames} before */
  follow(before) {
    const name = nameOf(before.label);
    if (before.last) return this.go(this.count - 1);
    if (before.at < this.count && nameOf(this.frames[before.at].label) === name) return this.go(before.at);
    const same = this.frames.findIndex((one) => nameOf(one.label) === name);
    this.go(same >= 0 ? same : (before.at / (before.count - 1)) * (this.count - 1));
  }
}

/** `corridor 7` of `corridor 7 of 31`. @param {string} label */
function nameOf(label) {
  return label.split(" of ")[0];
}
