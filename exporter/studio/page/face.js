// @ts-check
/** `window.levelExporter`: the page's interface for scripts and tests. */

import { readingOf } from "./reading.js";

/** @param {import("./page.js").Page} page */
export function faceOf(page) {
  return Object.freeze({
    ...readingOf(page),
    ready: page.ready,
    /** @param {string} path @param {unknown} value */
    set: (path, value) => page.change([{ set: path.split(".").map((one) => (/^\d+$/.test(one) ? Number(one) : one)), value }]),
    /** @param {import("./messages.js").Change[]} changes @param {string} [merge] a name of changes that are one step for undo; of a drag it begins with `drag` */
    change: (changes, merge) => page.change(changes, merge),
    /** Select a thing: `level`, `layers.NAME`, `objects.2`, `rooms.LAYER.3`, `tables.NAME` or `edits.LAYER.x,y`. @param {string} path */
    select: (path) => page.selection.select(path),
    /** The path of the selected thing. */
    selection: () => page.selection.path,
    problems: () => [...page.faults, ...(page.level?.warnings ?? [])],
    save: () => page.save(),
    /** Save and export the level: a promise of its report, as `exporter export --json` has it. */
    "export": () => page.exports.start(),
    /** Draw cells as one step; the tile `null` restores the generated ones. @type {(layer: string, cells: [number, number][], tile: string | null) => Promise<string | undefined>} */
    paint: (layer, cells, tile) => page.painting.paint(layer, cells, tile),
    /** The other level of the comparison, and the differences. */
    comparison: () => page.compare.told(),
    /** The steps of a layer: which one is shown (from 0), of how many, and its text. */
    steps: () => {
      const { open, frames, problem, playing } = page.steps;
      return {
        open, problem, playing: playing !== 0, layer: frames?.layer ?? "", at: frames?.at ?? 0, count: frames?.count ?? 0,
        label: frames?.label ?? "", thinned: frames?.thinned ?? false, revision: frames?.revision ?? 0,
      };
    },
    /** The numbers of all cells of the layer in the shown step, row by row, and the indexes of the cells that it changed. */
    stepCells: () => page.steps.frames && [...page.steps.frames.cells],
    stepChanges: () => page.steps.frames && [...page.steps.marks.places],
    /** @param {number} at */
    goToStep: (at) => page.steps.choose(at),
    /** The draft's text. */
    text: () => page.draft?.text ?? null,
    /** Replace the draft's text. @param {string} text */
    setText: (text) => page.setText(text),
    /** Show the lines of a part of the level in the text pane. @param {string} path such as `layers.NAME` or `objects.2` */
    showLines: (path) => page.text.showLines(path),
    /** The visible part of the level: the cell in the middle, and pixels a cell. */
    seen: () => page.links.shown(),
  });
}
