// @ts-check
/**
 * Shows how the open level and its exported files differ, in the head of the page: a few words, and a sentence on hover or for
 * screen readers.
 */

import { element } from "./elements.js";

const TEXTS = /** @type {Record<string, [string, string, string]>} */ ({
  never: ["○", "not exported", "This level has not been exported yet."],
  built: ["●", "exported", "The last export is of this level."],
  changed: ["◐", "not exported", "The level is newer than its export."],
  failed: ["✕", "export failed", "The last export of this level failed"],
  unknown: ["?", "export unknown", "The state of the last export cannot be read."],
});
const REFRESH = 20_000;

export class Exported {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    /** @type {import("./messages.js").ExportedEvent | null} */ this.event = null;
    /** @type {import("./messages.js").DraftEvent | null} */ this.draft = null;
    this.time = 0;
    setInterval(() => this.show(), REFRESH);
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      exported: (event) => {
        this.event = event;
        this.time = Date.now() - event.seconds * 1000;
        this.show();
      },
    };
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    this.draft = draft;
    this.show();
  }

  show() {
    const { event, draft } = this;
    if (!event || event.level !== draft?.level) return;
    // A level that was just saved is newer before the server has looked at its files.
    const isOtherStep = event.step !== null && event.step !== draft.undo;
    const isChanged = event.state === "built" && (event.stale || draft.changed || isOtherStep);
    const [sign, state, about] = TEXTS[isChanged ? "changed" : event.state] ?? ["", "", ""];
    const word = isChanged ? changesText(event.step === null ? 0 : Math.abs(draft.undo - event.step)) : event.state === "built" ? `exported ${this.ago()}` : state;
    this.node.hidden = !word;
    const parts = [event.error ? `${about}: ${event.error}` : about.replace(/([^.])$/, "$1.")];
    if (event.state === "built" && !event.complete) parts.push("Something that was asked for could not be made.");
    if (event.kept) parts.push(`${event.kept} ${event.kept === 1 ? "file was" : "files were"} changed by hand, and kept.`);
    const text = parts.join(" ");
    this.node.classList.toggle("bad", event.state === "failed");
    this.node.title = text;
    // Screen readers announce a state once, and not each minute.
    if (this.node.dataset.text === `${state} ${text}`) {
      const shown = this.node.querySelector(".word");
      if (shown) shown.textContent = ` ${word}`;
      return;
    }
    this.node.dataset.text = `${state} ${text}`;
    this.node.replaceChildren(element("span", { "aria-hidden": "true" }, sign, element("span", { className: "word" }, ` ${word}`)), element("span", { className: "hidden" }, text));
  }

  /** How long ago the level was exported. */
  ago() {
    const minutes = Math.floor((Date.now() - this.time) / 60_000);
    if (minutes < 1) return "just now";
    if (minutes < 60) return `${minutes} min ago`;
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
  }

  hide() {
    this.event = null;
    this.node.hidden = true;
    delete this.node.dataset.text;
  }
}

/** @param {number} count 0 if unknown */
function changesText(count) {
  return count === 1 ? "1 change not exported" : `${count || ""} changes not exported`.trim();
}
