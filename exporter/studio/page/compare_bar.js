// @ts-check
/** The bar below the picture during a comparison: the other level, the mode, and the differences. */

import { element } from "./elements.js";
import { listOf, summaryOf } from "./compare_list.js";
import { CompareOutputs } from "./compare_outputs.js";
import { closeButton } from "./icons.js";

/** @typedef {{saved: true} | {revision: string} | {seed: number | string} | {level: string} | {kept: true}} With */
/** @typedef {"swipe" | "side" | "blink"} Mode */
/**
 * @typedef {object} Host
 * @property {() => void} chosen another level is to be compared
 * @property {() => void} keep
 * @property {(mode: Mode) => void} show
 * @property {(on: boolean) => void} hold
 * @property {() => void} play
 * @property {() => void} marked
 * @property {() => void} close
 * @property {(message: import("./messages.js").Request) => void} send
 * @property {import("./compare_list.js").Look} look
 */

export class CompareBar {
  /** @param {HTMLElement} stage @param {Host} host */
  constructor(stage, host) {
    this.host = host;
    this.stage = stage;
    /** @type {{id: string, name: string}[]} */
    this.levels = [];
    this.kept = "";
    this.what = element("select", { id: "compare-with", onchange: () => this.choose() });
    this.value = element("input", { type: "text", id: "compare-value", spellcheck: "false", autocomplete: "off", maxlength: 200, hidden: true, onchange: () => host.chosen() });
    /** @type {(text: string, title: string, action: () => void, id: string) => any} */
    const button = (text, title, action, id) => element("button", { id, type: "button", className: "quiet", title, onclick: action }, text);
    this.swipe = button("Swipe", "A left of the divider, B right of it", () => host.show("swipe"), "compare-swipe");
    this.side = button("Side by side", "A and B in halves of the picture, seen by one camera", () => host.show("side"), "compare-side");
    this.blink = button("Blink", "A and B in the same place", () => host.show("blink"), "compare-blink");
    this.holder = button("Hold for A", "Shows A while it is held (A)", () => {}, "compare-hold");
    this.player = button("By turns", "A and B by turns", () => host.play(), "compare-play");
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["pointerdown", true], ["pointerup", false], ["pointercancel", false], ["pointerleave", false], ["blur", false]])) {
      this.holder.addEventListener(name, () => host.hold(on));
    }
    this.holder.addEventListener("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["keydown", true], ["keyup", false]])) {
      this.holder.addEventListener(name, (/** @type {KeyboardEvent} */ event) => {
        if (event.key === " " || event.key === "Enter") host.hold(on);
      });
    }
    /** Whether changes are marked. */
    this.marking = true;
    // No checkbox: it would keep the keys to itself.
    this.marks = button("Marks", "Mark changed cells and objects", () => {
      this.marking = !this.marking;
      this.marks.setAttribute("aria-pressed", String(this.marking));
      host.marked();
    }, "compare-marks");
    this.marks.setAttribute("aria-pressed", "true");
    this.layer = element("select", { id: "compare-layer", "aria-label": "Layer whose changes are marked", onchange: () => host.marked() });
    this.keeper = element("button", { id: "compare-keep", type: "button", title: "Keep the draft as it is now, and compare with it", onclick: () => host.keep() }, "Keep as A");
    this.summary = element("span", { id: "compare-summary", className: "compare-summary", role: "status" });
    this.opener = element("button", { id: "compare-open", type: "button", "aria-expanded": "false", "aria-controls": "compare-list", onclick: () => this.unfold(this.list.hidden) }, "Differences");
    this.list = element("div", { id: "compare-list", className: "compare-list", tabindex: 0, role: "region", "aria-label": "Differences", hidden: true });
    this.outputs = new CompareOutputs({ send: (message) => host.send(message) });
    this.node = element("section", { id: "compare", className: "compare", "aria-label": "Compare", hidden: true },
      element("div", { className: "compare-row" }, element("label", { for: this.what.id }, "A is"), this.what, this.value,
        this.swipe, this.side, this.blink, this.holder, this.player,
        this.marks, this.layer, this.keeper, this.summary, this.opener, this.outputs.opener,
        closeButton(() => host.close())),
      this.list, this.outputs.node);
    stage.append(this.node);
    new ResizeObserver(() => this.sized()).observe(this.node);
    this.offer();
  }

  /** Open or close it. @param {boolean} open */
  show(open) {
    this.node.hidden = !open;
    this.sized();
  }

  /** The picture ends where the bar begins. */
  sized() {
    this.stage.style.setProperty("--compare", `${this.node.offsetHeight}px`);
  }

  /** @param {boolean} open */
  unfold(open) {
    this.list.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
  }

  /** List the levels to compare with. */
  offer() {
    const chosen = this.what.value || "saved";
    /** @type {(value: string, text: string) => HTMLOptionElement} */
    const option = (value, text) => element("option", { value }, text);
    this.what.replaceChildren(option("saved", "the saved file"), option("revision", "a commit"), option("seed", "another seed"),
      ...(this.kept ? [option("kept", this.kept)] : []),
      ...(this.levels.length > 1 ? [element("optgroup", { label: "Levels" }, ...this.levels.map((one) => option(`level ${one.id}`, one.name)))] : []));
    this.what.value = chosen;
    if (!this.what.value) this.what.value = "saved";
    this.field();
  }

  /** Set the value that the chosen comparison needs. @param {string | number} [value] */
  choose(value) {
    const kind = this.what.value;
    if (kind === "revision") this.value.value = String(value ?? "HEAD");
    if (kind === "seed") this.value.value = String(value ?? this.nextSeed);
    this.field();
    this.host.chosen();
  }

  field() {
    const names = /** @type {Record<string, string>} */ ({ revision: "Commit, branch or tag", seed: "Seed" });
    const name = names[this.what.value];
    this.value.hidden = !name;
    if (name) this.value.setAttribute("aria-label", name);
    this.value.title = name ?? "";
  }

  /** The seed that is offered: the one after that of the level. */
  nextSeed = "1";

  /** @returns {With} */
  get wanted() {
    const kind = this.what.value;
    const text = this.value.value.trim();
    if (kind === "revision") return { revision: text || "HEAD" };
    if (kind === "seed") return { seed: /^-?\d{1,15}$/.test(text) ? Number(text) : text || Number(this.nextSeed) };
    if (kind === "kept") return { kept: true };
    if (kind.startsWith("level ")) return { level: kind.slice(6) };
    return { saved: true };
  }

  /** @param {Mode} mode @param {import("./compare_blink.js").Blink} blink */
  modes(mode, blink) {
    this.swipe.setAttribute("aria-pressed", String(mode === "swipe"));
    this.side.setAttribute("aria-pressed", String(mode === "side"));
    this.blink.setAttribute("aria-pressed", String(mode === "blink"));
    this.holder.hidden = mode !== "blink";
    this.player.hidden = mode !== "blink";
    this.player.disabled = !blink.mayPlay;
    this.player.title = blink.mayPlay ? "A and B by turns" : "This system asks for less motion: hold the button or the key B instead.";
    this.player.setAttribute("aria-pressed", String(blink.playing));
  }

  /** @param {import("./messages.js").Events["comparison"] | null} event the comparison; null while it is awaited */
  tell(event) {
    this.outputs.tell(event);
    this.summary.classList.toggle("bad", Boolean(event?.problem));
    const found = event?.problem === null ? event : null;
    this.opener.hidden = !found || found.difference.equal;
    if (!event) {
      this.summary.textContent = "Comparing ...";
      return;
    }
    this.summary.classList.remove("stale");
    this.summary.textContent = found ? `${found.label}: ${summaryOf(found.difference)}` : event.problem;
    if (this.opener.hidden) this.unfold(false);
    this.list.replaceChildren(element("div", { className: "compare-columns" }, ...(found ? listOf(found, this.host.look) : [])));
    const chosen = this.layer.value;
    const names = found ? Object.keys(found.masks) : [];
    this.layer.replaceChildren(element("option", { value: "" }, "of all that is seen"),
      ...names.map((name) => element("option", { value: name }, `of ${name}`)));
    this.layer.value = names.includes(chosen) ? chosen : "";
    this.layer.hidden = names.length < 2;
  }

  /** Compare again after a change of the draft. */
  wait() {
    this.summary.classList.add("stale");
    this.outputs.wait();
  }
}
