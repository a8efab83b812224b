// @ts-check
/** One level of a contact sheet: its facts and its small picture. */

import { contextOf, element } from "./elements.js";

/** @typedef {{width: number, height: number, pixels: Uint8Array}} Picture */
/** @typedef {import("./messages.js").SheetLevelData} Described */

export class SeedLevel {
  /** @param {Described} described @param {Picture} picture */
  constructor(described, picture) {
    Object.assign(this, described);
    this.number = described.number;
    this.seed = described.seed;
    this.parameters = described.parameters;
    this.column = described.column;
    this.row = described.row;
    this.metrics = described.metrics;
    this.failure = described.failure;
    this.miss = described.miss;
    this.complete = described.complete;
    this.warnings = described.warnings;
    this.drawn = described.drawn;
    this.picture = picture;
    /** Whether the pack shall leave it out. */
    this.leftOut = false;
    this.key = keyOf(described.seed, described.parameters);
  }

  get matches() {
    return !this.failure && !this.miss;
  }

  /** The reasons against it; empty for none. */
  get why() {
    if (this.leftOut) return "left out of the pack";
    if (this.failure) return `not as required: ${this.failure}`;
    return [this.miss, ...(this.complete ? [] : ["not complete"])].filter(Boolean).join("; ");
  }

  /** Its title: its seed, and its parameters if they are varied. */
  get title() {
    return [`seed ${this.seed}`, ...Object.entries(this.parameters).map(([name, value]) => `${name} ${figure(value)}`)].join(", ");
  }

  /** The changes of a draft that make it this level. */
  get changes() {
    /** @type {import("./messages.js").Change[]} */
    const changes = [{ set: ["seed"], value: this.seed }];
    for (const [name, value] of Object.entries(this.parameters)) {
      const dot = name.indexOf(".");
      changes.push({ set: ["layers", name.slice(0, dot), name.slice(dot + 1)], value });
    }
    return changes;
  }

  /** @returns {HTMLCanvasElement} */
  canvas() {
    const { width, height, pixels } = this.picture;
    const made = element("canvas", { width, height, "aria-hidden": "true" });
    if (!this.drawn) return made;
    const image = new ImageData(width, height);
    for (let from = 0, to = 0; from < pixels.length; from += 3, to += 4) {
      image.data[to] = pixels[from];
      image.data[to + 1] = pixels[from + 1];
      image.data[to + 2] = pixels[from + 2];
      image.data[to + 3] = 255;
    }
    contextOf(made).putImageData(image, 0, 0);
    return made;
  }
}

/** @param {number | string} seed @param {Record<string, unknown>} parameters */
export function keyOf(seed, parameters) {
  return JSON.stringify([seed, Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A value for people: whole numbers as they are, others with four digits. @param {unknown} value */
export function figure(value) {
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : String(value);
}

/** The levels of a message. @param {import("./messages.js").SeedLevelsEvent} event @returns {SeedLevel[]} */
export function levelsOf(event) {
  const { width, height } = event;
  const size = width * height * 3;
  return event.levels.map((one, place) => (
    // A copy: a star keeps the picture, and not the whole message with it.
    new SeedLevel(one, { width, height, pixels: event.pictures.slice(place * size, (place + 1) * size) })
  ));
}
