// @ts-check
/** Exports the level: what is under way, the files by target with their sizes, and problems. */

import { element, storage } from "./elements.js";
import { closeButton } from "./icons.js";

/** @typedef {import("./messages.js").ExportReportEvent} ReportEvent */
/** The level's report, as `exporter export --json` has it. @typedef {{status: string, outputs: Output[], written: string[], kept: string[], warnings: string[], seconds: number}} Report */
/** @typedef {{path: string, kind: string, target: string, bytes: number}} Output */
/** @typedef {{number: number, done: (report: Report) => void, fail: (why: Error) => void}} Waiter */

const ON_SAVE = "level-exporter-export-on-save";
const UNITS = ["B", "kB", "MB", "GB"];

export class ExportPanel {
  /** @param {HTMLElement} panel @param {HTMLElement} button @param {import("./page.js").Page} page */
  constructor(panel, button, page) {
    this.panel = panel;
    this.button = button;
    this.page = page;
    this.number = 0;
    /** @type {Waiter[]} */ this.waiters = [];
    this.status = element("p", { role: "status" });
    this.result = element("div");
    this.onSave = element("input", { type: "checkbox", id: "export-on-save", onchange: () => storage()?.setItem(ON_SAVE, this.onSave.checked ? "on" : "") });
    this.onSave.checked = storage()?.getItem(ON_SAVE) === "on";
    panel.append(
      closeButton(() => this.close()), element("h2", {}, "Export"), this.status, this.result,
      element("p", {}, element("label", {}, this.onSave, " Export on save")));
    this.reset();
    button.addEventListener("click", () => {
      this.open();
      this.start();
    });
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      exporting: (event) => this.showStage(event),
      "export-report": (event) => this.show(event),
      saved: (event) => { if (event.changed && this.onSave.checked && !this.waiters.length) this.start(); },
      refused: (event) => {
        if (event.do !== "export") return;
        this.status.textContent = event.text;
        this.settle(event.number ?? 0, (one) => one.fail(new Error(event.text)));
      },
    };
  }

  /** Nothing has been exported from this page yet. */
  reset() {
    this.status.textContent = "Ctrl+E saves the level and writes its files for the targets of the project.";
    this.result.replaceChildren();
  }

  open() {
    this.panel.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
  }

  close() {
    this.panel.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.page.picture.focus({ preventScroll: true });
  }

  /** @returns {boolean} whether it was open */
  escape() {
    if (this.panel.hidden) return false;
    this.close();
    return true;
  }

  /** @returns {Promise<Report>} resolves with the level's report */
  start() {
    const number = (this.number += 1);
    const promise = new Promise((done, fail) => this.waiters.push({ number, done, fail }));
    promise.catch(() => {}); // it is shown
    this.page.send({ do: "export", number });
    return promise;
  }

  /** End waiting for an export, and for those before it. @param {number} number @param {(one: Waiter) => void} end */
  settle(number, end) {
    const ended = this.waiters.filter((one) => one.number <= number);
    this.waiters = this.waiters.filter((one) => one.number > number);
    ended.forEach(end);
  }

  /** The server has answered again: it may never tell what became of an export. */
  welcomed() {
    this.settle(this.number, (one) => one.fail(new Error("The connection broke during the export.")));
  }

  /** @param {import("./messages.js").ExportingEvent} event */
  showStage({ stage, chunks: [done, count] }) {
    this.status.textContent = `Exporting ${stage}${count ? ` ${done} of ${count} chunks` : ""} ...`;
  }

  /** @param {ReportEvent} event */
  show(event) {
    const report = /** @type {Report | null} */ (event.report);
    this.settle(event.number, (one) => report ? one.done(report) : one.fail(new Error(event.problems[0]?.message)));
    if (event.level !== this.page.draft?.level) return;
    const problems = event.problems.map((one) => element("pre", { className: "bad" }, one.text));
    if (!report || report.status === "failed") {
      this.status.textContent = "The export failed.";
      this.result.replaceChildren(...problems);
      this.open();
      return;
    }
    const count = report.written.length;
    this.status.textContent = count ? `${count} ${count === 1 ? "file" : "files"} written in ${report.seconds.toFixed(1)} s.` : "Everything is up to date.";
    this.result.replaceChildren(...targetLists(report), ...report.warnings.map((text) => element("p", { className: "about" }, text)));
  }

  hide() {
    this.reset();
  }
}

/** The files of each target. @param {Report} report */
function targetLists({ outputs, written, kept }) {
  const targets = [...new Set(outputs.map((one) => one.target))];
  return targets.map((target) => {
    const files = outputs.filter((one) => one.target === target);
    const folders = [...new Set(files.map((one) => one.path.replace(/[^/]*$/, "")))];
    const folder = folders.length === 1 ? folders[0] : "";
    const state = (/** @type {string} */ path) => (kept.includes(path) ? "changed by hand, kept" : written.includes(path) ? "written" : "");
    return element("details", { open: true },
      element("summary", {}, target || "project", element("small", {}, ` ${files.length} ${files.length === 1 ? "file" : "files"}, ${sizeText(files.reduce((sum, one) => sum + one.bytes, 0))}${folder ? `, in ${folder}` : ""}`)),
      element("table", {}, ...files.map((one) => element("tr", {},
        element("td", { title: one.path }, one.path.slice(folder.length)), element("td", {}, sizeText(one.bytes)), element("td", {}, state(one.path))))));
  });
}

/** @param {number} bytes */
export function sizeText(bytes) {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit && size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}
