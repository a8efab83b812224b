// @ts-check
/**
 * Shows the last export's result for the open level, in the head of the page: a word, and a sentence on hover or for screen
 * readers.
 */

import { element } from "./elements.js";

const TEXTS = /** @type {Record<string, [string, string, string]>} */ ({
  never: ["○", "not exported", "This level has not been exported yet."],
  built: ["●", "exported", "The last export is of the saved spec."],
  stale: ["◐", "export is older", "The saved spec is newer than the export."],
  failed: ["✕", "export failed", "The last export of this level failed"],
  unknown: ["?", "export unknown", "The state of the last export cannot be read."],
});

export class Exported {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    /** @type {import("./messages.js").ExportedEvent | null} */ this.event = null;
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return { exported: (event) => this.show(event) };
  }

  /** @param {import("./messages.js").ExportedEvent} event */
  show(event) {
    this.event = event;
    const key = event.state === "built" && event.stale ? "stale" : event.state;
    const [sign, word, about] = TEXTS[key] ?? ["", "", ""];
    this.node.hidden = !word;
    const parts = [event.error ? `${about}: ${event.error}` : about.replace(/([^.])$/, "$1.")];
    if (event.state === "built" && !event.complete) parts.push("Something that was asked for could not be made.");
    if (event.kept) parts.push(`${event.kept} ${event.kept === 1 ? "file was" : "files were"} changed by hand, and kept.`);
    const text = parts.join(" ");
    this.node.classList.toggle("bad", event.state === "failed");
    this.node.title = text;
    // Screen readers announce an unchanged state only once.
    if (this.node.dataset.text === `${word} ${text}`) return;
    this.node.dataset.text = `${word} ${text}`;
    this.node.replaceChildren(element("span", { "aria-hidden": "true" }, sign, element("span", { className: "word" }, ` ${word}`)), element("span", { className: "hidden" }, text));
  }

  hide() {
    this.node.hidden = true;
    delete this.node.dataset.text;
  }
}
