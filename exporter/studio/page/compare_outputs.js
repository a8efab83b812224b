// @ts-check
/** The fold of a comparison that counts the exported files which differ: asked for while it is open, and when the draft rests. */

import { element } from "./elements.js";

// Milliseconds without another comparison before the files are made.
const REST = 400;
const MOST = 200;
const MARKS = /** @type {Record<string, string>} */ ({ added: "+", removed: "−", changed: "~" });

/** @param {number} value */
const figure = (value) => value.toLocaleString("en");

/** The counts in a line. @param {import("./messages.js").OutputsData} found */
export function outputsSummary(found) {
  const { was, now, same, changed, kinds } = found;
  const bytes = `${figure(was.bytes)} → ${figure(now.bytes)} bytes (${now.bytes < was.bytes ? "−" : "+"}${figure(Math.abs(now.bytes - was.bytes))})`;
  if (!changed.length) return `All ${now.files} exported files are the same, ${figure(now.bytes)} bytes.`;
  const told = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`).join(", ");
  const total = was.files === now.files ? `${now.files}` : `${was.files} → ${now.files}`;
  return `${changed.length} of the exported files differ (${told}), ${same} as before; ${total} files, ${bytes}`;
}

/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => void} send
 */

export class CompareOutputs {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.timer = 0;
    /** The comparison whose files are counted. @type {import("./messages.js").ComparisonEvent | null} */
    this.event = null;
    /** The server's result. @type {import("./messages.js").Events["outputs"] | null} */
    this.found = null;
    this.opener = element("button", {
      id: "compare-files", type: "button", "aria-expanded": "false", "aria-controls": "compare-outputs", hidden: true,
      title: "How the exported files of A and B differ", onclick: () => this.unfold(this.node.hidden),
    }, "Outputs");
    this.summary = element("p", { id: "compare-outputs-summary", role: "status" });
    this.table = element("div", {});
    this.node = element("div", { id: "compare-outputs", className: "compare-list", tabindex: 0, role: "region", "aria-label": "Exported files", hidden: true }, this.summary, this.table);
  }

  /** @param {boolean} open */
  unfold(open) {
    if (this.node.hidden === !open) return;
    this.node.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    clearTimeout(this.timer);
    if (!open) this.host.send({ do: "outputs", stop: true });
    else if (this.event && !this.known) this.ask();
  }

  /** Whether the result shown belongs to the current comparison. */
  get known() {
    return this.found !== null && this.found.number === this.event?.number && this.found.revision === this.event?.revision;
  }

  /** @param {import("./messages.js").Events["comparison"] | null} event the comparison; null while it is awaited */
  tell(event) {
    clearTimeout(this.timer);
    this.event = event?.problem === null && event.exported ? event : null;
    this.opener.hidden = !this.event;
    if (!this.event) {
      this.clear("");
      if (event) this.unfold(false);
      return;
    }
    if (!this.node.hidden) this.timer = setTimeout(() => this.ask(), REST);
  }

  /** Compare again after a change of the draft. */
  wait() {
    clearTimeout(this.timer);
    this.node.classList.add("stale");
  }

  ask() {
    this.clear("Making the files of both ...");
    this.host.send({ do: "outputs" });
  }

  /** @param {string} text */
  clear(text) {
    this.found = null;
    this.summary.textContent = text;
    this.table.replaceChildren();
  }

  /** @param {import("./messages.js").Events["outputs"]} event */
  receive(event) {
    if (!this.event || event.number !== this.event.number || event.revision !== this.event.revision) return;
    this.found = event;
    this.node.classList.remove("stale");
    this.summary.classList.toggle("bad", Boolean(event.problem));
    const found = event.problem === null ? event : null;
    const none = found?.targets === 0 ? "exporter.yaml has no targets, so nothing is exported." : null;
    this.summary.textContent = event.problem ?? none ?? (found && outputsSummary(found.outputs));
    this.table.replaceChildren(...(found?.outputs.changed.length ? tableOf(found.outputs.changed) : []));
  }
}

/** @param {import("./messages.js").OutputChangeData[]} changed */
function tableOf(changed) {
  /** @type {(value: number | null) => string} */
  const told = (value) => (value === null ? "–" : figure(value));
  const rows = changed.slice(0, MOST).map((one) => element("tr", {},
    element("th", { scope: "row" }, `${MARKS[one.change]} ${one.path}`), element("td", {}, one.layer ? `${one.kind} of ${one.layer}` : one.kind),
    element("td", {}, told(one.was)), element("td", {}, told(one.now))));
  const head = ["file", "kind", "bytes of A", "of B"].map((word) => element("th", { scope: "col" }, word));
  return [
    element("table", { className: "figures files" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
    changed.length > MOST ? element("p", {}, `and ${changed.length - MOST} more`) : null,
  ].filter((one) => one !== null);
}
