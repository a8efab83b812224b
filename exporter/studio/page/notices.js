// @ts-check
/** The texts of the page: its state, problems, a changed file, the keys. */

import { byId, element } from "./elements.js";
import { closeButton } from "./icons.js";

/** @typedef {{file: string, line: number, column: number, message: string, text: string}} Fault */
const MOST = 12;
/** The shown problems, and the ones that the user folded. */
let displayedFaults = "";
let foldedFaults = "";

/** Say how things stand, in the head of the page. @param {string} text @param {boolean} [bad] */
export function say(text, bad = false) {
  const place = byId("state");
  place.textContent = text;
  place.title = text; // where it is cut short
  place.classList.toggle("bad", bad);
}

/** @returns {boolean} whether the head of the page reports a problem */
export const isBad = () => byId("state").classList.contains("bad");

/** @param {number} count @param {string} what */
const counted = (count, what) => count ? `${count} ${what}${count > 1 ? "s" : ""}` : "";

/** @param {Fault[]} faults @param {Fault[]} warnings */
export function showFaults(faults, warnings) {
  const told = [...faults, ...warnings];
  const panel = byId("problems");
  panel.hidden = told.length === 0;
  panel.classList.toggle("mild", faults.length === 0);
  const texts = told.slice(0, MOST).map((one) => one.text);
  const all = texts.join("\n");
  // Problems that are shown already stay as they are, folded or not.
  if (panel.hidden || (all === displayedFaults && panel.firstChild)) return;
  displayedFaults = all;
  const title = counted(faults.length, "problem") || counted(warnings.length, "warning");
  // A level with warnings is a level to look at: they would cover it.
  const details = element("details", { open: all !== foldedFaults && faults.length > 0 },
    element("summary", { title: "Fold" }, title, element("span", { className: "first" }, told[0].message)),
    ...texts.map((one) => faultText(one)));
  details.addEventListener("toggle", () => {
    if (details.isConnected) foldedFaults = details.open ? "" : all;
  });
  panel.replaceChildren(details);
}

/**
 * Format a problem: the sentence wraps, the lines of the spec do not, or the marks below them would point elsewhere.
 * @param {string} text
 */
function faultText(text) {
  const end = text.indexOf("\n") + 1 || text.length;
  return element("pre", {}, element("span", { className: "sentence" }, text.slice(0, end)), text.slice(end));
}

/**
 * Show that the file was changed or deleted since the draft began.
 * @param {{lines: {side: string, text: string}[], gone: boolean}} conflict
 * @param {(how: "mine" | "theirs" | "again" | "nothing") => void} adopt
 */
export function showConflict({ lines, gone }, adopt) {
  const panel = byId("conflict");
  if (gone) {
    panel.replaceChildren(element("strong", {}, "The file was deleted or renamed while you worked on it."),
      element("p", {}, "Your draft is still here, and nowhere else."),
      element("button", { className: "main", onclick: () => adopt("again") }, "Write the file again"), " ",
      element("button", { onclick: () => adopt("nothing") }, "Forget my draft"));
  } else {
    const marks = /** @type {Record<string, string>} */ ({ both: "  ", mine: "+ ", theirs: "- " });
    panel.replaceChildren(
      element("strong", {}, "The file has changed while you worked on it."),
      element("p", { className: "sides" }, "+ is your draft, - is the file. Esc closes this."),
      element("pre", {}, ...lines.map((one) => element("span", { className: one.side }, `${marks[one.side]}${one.text}\n`))),
      element("button", { className: "main", onclick: () => adopt("mine") }, "Make my changes on the file's text"), " ",
      element("button", { onclick: () => adopt("theirs") }, "Take the file's text"),
    );
  }
  panel.hidden = false;
  panel.querySelector("button")?.focus();
}

/** Close the difference; the head of the page says how to see it again. @returns {boolean} whether it was open */
export function hideConflict() {
  const panel = byId("conflict");
  if (panel.hidden) return false;
  panel.hidden = true;
  byId("picture").focus();
  say("Your draft and the file differ. Save (Ctrl+S) shows how.", true);
  return true;
}

/** Show or hide the list of keys. @param {[string, string][]} keys */
export function toggleHelp(keys) {
  const panel = byId("help");
  panel.hidden = !panel.hidden;
  panel.tabIndex = 0; // the arrows move through it
  panel.replaceChildren(closeButton(() => toggleHelp(keys)), element("h2", {}, "Keys"),
    element("dl", {}, ...keys.flatMap(([key, what]) => [element("dt", {}, key), element("dd", {}, what)])));
  if (!panel.hidden) panel.focus();
}
