// @ts-check
/**
 * The contact sheet: many levels of the draft beside each other, with other seeds or parameters. The
 * server sends them as they are finished; sorting, starring and comparing happen here.
 */

import { element } from "./elements.js";
import { closeButton } from "./icons.js";
import { detailsOf } from "./seed_details.js";
import { SeedGrid } from "./seed_grid.js";
import { levelsOf } from "./seed_level.js";

/** @typedef {import("./seed_level.js").SeedLevel} SeedLevel */
/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => void} send
 * @property {(changes: import("./messages.js").Change[]) => Promise<unknown>} change
 * @property {() => string[]} parameters the names of parameters that can be varied
 * @property {() => Promise<{status: string}>} build saves and exports the level, and so its pack
 * @property {() => void} walk in the level
 * @property {(seed: number | string) => void} compare with a seed, in the picture
 * @property {() => void} closed
 */

const MOST = 500;
const SHOWS = { all: "all", matching: "matching", complete: "complete", starred: "starred" };
const NO_ORDER = "as they come";
const SHOW = "Show levels";

export class Seeds {
  /** @param {HTMLElement} stage @param {HTMLElement} button @param {Host} host */
  constructor(stage, button, host) {
    this.host = host;
    this.button = button;
    this.sheet = 0;
    this.skip = 0;
    this.running = false;
    this.sweeping = false;
    /** Whether the next levels are those of the pack, and whether the shown ones are. */
    this.packed = this.shown = false;
    /** The state of the pack that is shown. */
    this.pack = "";
    this.stale = false;
    /** @type {any} */ this.data = null;
    /** @type {string} */ this.level = "";
    /** @type {number | string | null} */ this.seed = null;
    /** @type {string[]} */ this.metrics = [];
    /** The metrics that some level of the sheet has. @type {Set<string>} */
    this.valued = new Set();
    this.came = 0;
    this.count = 0;
    /** The stars of levels that are not open, by their ids. @type {Map<string, Map<string, SeedLevel>>} */
    this.starred = new Map();
    this.grid = new SeedGrid((one) => this.tell(one), (one) => void this.use(one));
    this.details = element("aside", { className: "seed-details", "aria-label": "The chosen level" });
    this.status = element("span", { className: "seed-status", role: "status" });
    this.fields = this.makeFields();
    this.look = element("button", { className: "main", type: "button", onclick: () => (this.running ? this.stop() : this.begin(this.skip)) }, SHOW);
    this.more = element("button", { type: "button", title: "The next seeds", onclick: () => this.next() }, "Next seeds");
    this.modes = ["Seeds", "Sweep", "Pack"].map((mode) => element("button", {
      type: "button", className: "quiet", "data-mode": mode, onclick: () => this.choose(mode),
    }, mode));
    this.build = element("button", { id: "seeds-build", type: "button", title: "Save and export the level: of its pack only what is missing is built", onclick: () => void this.rebuild() }, "Build");
    this.sheetWhy = element("pre", { className: "why", role: "alert" });
    this.form = element("div", { className: "seed-form", role: "search" },
      ...Object.values(this.fields).map((one) => one.node), element("span", { className: "seed-begin" }, this.look, this.more, this.build));
    this.panel = element("section", { id: "seeds", className: "seeds", "aria-label": "Seeds", hidden: true },
      element("div", { className: "seed-head" }, element("span", { className: "modes", role: "group", "aria-label": "What varies" }, ...this.modes), this.status, closeButton(() => this.close())),
      this.form, this.sheetWhy, this.orderBar(), element("div", { className: "seed-body" }, this.grid.box, this.details));
    this.panel.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    stage.append(this.panel);
    button.addEventListener("click", () => this.toggle());
    this.choose("Seeds");
  }

  /** Handlers of the server's events about sheets. @returns {import("./messages.js").Handlers} */
  get handlers() {
    /** @type {<Sent extends {sheet: number}>(action: (event: Sent) => void) => (event: Sent) => void} */
    const own = (action) => (event) => { if (event.sheet === this.sheet) action(event); };
    return {
      seeds: own((event) => this.begun(event)),
      "seed-levels": own((event) => this.take(event)),
      "seeds-done": own((event) => this.done(event)),
      exported: ({ level, pack }) => { if (level === this.level) this.followPack(pack); },
      exporting: ({ stage }) => { if (this.build.disabled) this.say(`Building ${stage} ...`); },
      "seeds-refused": own((event) => this.refused(event)),
    };
  }

  get keys() {
    return [{ key: "D", help: "many seeds; there: arrows, Enter uses, S stars, C compares", action: () => this.toggle() }];
  }

  /** Show a pack anew that was exported again; a form for seeds that is being filled in stays. @param {string} pack */
  followPack(pack) {
    if (!this.shown || !this.packed || !pack || pack === this.pack || this.build.disabled) return;
    if (this.panel.hidden) return void (this.count = 0); // `open` asks again
    this.pack = pack;
    this.begin(this.skip);
  }

  // --- fields ---------------------------------------------------------------------------------

  makeFields() {
    const known = element("datalist", { id: "seed-parameters" });
    this.known = known;
    /** @type {(id: string, title: string, properties: Record<string, unknown>, ...beside: Node[]) => {node: HTMLElement, input: HTMLInputElement, why: HTMLElement}} */
    const field = (id, title, properties, ...beside) => {
      const input = element("input", { type: "text", id: `seeds-${id}`, spellcheck: "false", autocomplete: "off", ...properties });
      const why = element("pre", { className: "why", id: `seeds-${id}-why`, role: "alert" });
      input.setAttribute("aria-describedby", why.id);
      return { node: element("div", { className: `field ${id}` }, element("label", { for: input.id }, title), input, ...beside, why), input, why };
    };
    const range = { placeholder: "ground.wall_percent=38..46", list: "seed-parameters" };
    const steps = { type: "number", min: 2, max: 25, value: 7 };
    return {
      count: field("count", "Levels", { type: "number", min: 1, max: MOST, value: 100 }),
      first: field("first", "First seed", { type: "number", min: 0, placeholder: "automatic", title: "Empty: the seeds that `exporter seeds` looks at", oninput: () => { this.skip = 0; } }),
      vary: field("vary", "Vary", { ...range, title: "LAYER.PARAMETER=LOW..HIGH or =A,B,C; several with ; between" }),
      across: field("across", "Across", range, known),
      acrossSteps: field("across-steps", "Steps", steps),
      down: field("down", "Down", { ...range, placeholder: "none" }),
      downSteps: field("down-steps", "Steps", steps),
      where: field("where", "Filter", { placeholder: "farthest >= 80 and dead_ends <= 6" }),
    };
  }

  orderBar() {
    this.sortBy = element("select", { id: "seeds-sort", onchange: () => this.grid.sort({ metric: this.sortBy.value }) },
      element("option", { value: "" }, NO_ORDER));
    const direction = element("button", { className: "quiet", title: "Turn the order round", "aria-label": "greatest first", onclick: () => {
      const descending = !this.grid.order.descending;
      direction.textContent = descending ? "↓" : "↑";
      direction.setAttribute("aria-label", descending ? "greatest first" : "least first");
      this.grid.sort({ descending });
    } }, "↓");
    this.showing = element("select", { id: "seeds-show", onchange: () => this.grid.sort({ show: this.showing.value }) },
      ...Object.entries(SHOWS).map(([value, text]) => element("option", { value }, text)));
    return element("div", { className: "seed-order" }, element("label", { for: "seeds-sort" }, "Sort by"), this.sortBy, direction,
      element("label", { for: "seeds-show" }, "Show"), this.showing);
  }

  /** @param {string} mode */
  choose(mode) {
    const sweeping = this.sweeping = mode === "Sweep";
    const packed = this.packed = mode === "Pack";
    for (const one of this.modes) one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
    const { fields } = this;
    fields.count.node.hidden = sweeping;
    for (const one of [fields.first, fields.vary]) one.node.hidden = sweeping || packed;
    this.build.hidden = !packed;
    this.more.textContent = packed ? "Next levels" : "Next seeds";
    for (const one of [fields.across, fields.acrossSteps, fields.down, fields.downSteps]) one.node.hidden = !sweeping;
    this.more.hidden = sweeping;
  }

  /** @param {number} skip @returns {import("./messages.js").SeedsRequest} */
  request(skip) {
    const { fields } = this;
    /** @type {(input: HTMLInputElement) => number | null} */
    const number = (input) => (input.value === "" ? null : Number(input.value));
    const common = { do: /** @type {const} */ ("seeds"), sheet: this.sheet, where: fields.where.input.value };
    if (this.sweeping) {
      const across = fields.across.input.value.trim();
      const down = fields.down.input.value.trim();
      const seed = this.seed === null ? {} : { seed: this.seed };
      return {
        ...common, ...seed, vary: [across, ...(down ? [down] : [])].filter(Boolean),
        steps: [number(fields.acrossSteps.input), ...(down ? [number(fields.downSteps.input)] : [])],
      };
    }
    if (this.packed) return { ...common, count: number(fields.count.input), skip, pack: true };
    const first = number(fields.first.input);
    const vary = fields.vary.input.value.split(";").map((one) => one.trim()).filter(Boolean);
    const from = first === null ? { skip } : { first: first + skip };
    return { ...common, count: number(fields.count.input), vary, ...from };
  }

  // --- a sheet --------------------------------------------------------------------------------

  begin(skip = 0) {
    this.sheet++;
    this.skip = skip;
    this.shown = this.packed;
    this.clearFaults();
    this.stale = false;
    this.host.send(this.request(skip));
    this.run(true);
    this.say("Building levels ...");
  }

  next() {
    this.begin(this.skip + (Number(this.fields.count.input.value) || 0));
  }

  stop() {
    this.host.send({ do: "seeds-stop" });
    this.run(false);
    this.offerOrders();
    this.say(`Stopped after ${this.came} of ${this.count}.`);
  }

  /** @param {import("./messages.js").SeedsEvent} event */
  begun(event) {
    this.count = event.count;
    this.came = 0;
    this.metrics = event.metrics;
    this.pack = event.pack;
    this.shape = this.shapeOf(this.data, event.parameters);
    this.parameters = event.parameters;
    this.valued.clear();
    if (!event.metrics.includes(this.sortBy.value)) this.sortBy.value = "";
    this.offerOrders();
    const filtered = event.asked.length > 0;
    if (filtered && this.showing.value === "all") this.showing.value = "matching";
    if (!filtered && this.showing.value === "matching") this.showing.value = "all";
    Object.assign(this.grid.order, { metric: this.sortBy.value, show: this.showing.value });
    if (this.grid.box.contains(document.activeElement)) this.grid.box.focus();
    this.grid.begin(event.values.length ? { names: event.parameters, values: event.values } : null);
  }

  /** Offer the metrics that some level has, and the chosen one as long as levels come. */
  offerOrders() {
    const chosen = this.sortBy.value;
    const offered = this.metrics.filter((one) => this.valued.has(one) || (this.running && one === chosen));
    const none = this.metrics.filter((one) => !offered.includes(one));
    this.sortBy.replaceChildren(element("option", { value: "" }, NO_ORDER), ...offered.map((one) => element("option", { value: one }, one)));
    this.sortBy.value = offered.includes(chosen) ? chosen : "";
    this.sortBy.title = this.running || !none.length ? "" : `No level here has a value of ${none.join(", ")}.`;
    if (this.sortBy.value !== chosen) this.grid.sort({ metric: "" });
  }

  /** @param {import("./messages.js").SeedLevelsEvent} event */
  take(event) {
    const levels = levelsOf(event);
    const before = this.valued.size;
    for (const one of levels) for (const name of Object.keys(one.metrics)) this.valued.add(name);
    if (this.valued.size > before) this.offerOrders();
    this.came += levels.length;
    if (this.shown) for (const one of levels) one.leftOut = this.without.includes(one.seed);
    this.grid.add(levels);
    this.say(`${this.came} of ${this.count} ...`);
  }

  /** @param {import("./messages.js").SeedsDoneEvent} event */
  done(event) {
    this.run(false);
    this.offerOrders();
    const incomplete = this.grid.levels.filter((one) => !one.failure && !one.complete).length;
    const parts = [`${event.count} levels`, `${event.matched} match`];
    if (!this.fields.where.input.value.trim()) parts.pop();
    if (event.failed) parts.push(`${event.failed} not as required`);
    if (incomplete) parts.push(`${incomplete} not complete`);
    this.say(`${parts.join(", ")}, ${event.seconds.toFixed(1)} s`);
  }

  /** @param {import("./messages.js").SeedsRefusedEvent} event */
  refused(event) {
    this.run(false);
    this.say("");
    const inputs = /** @type {Record<string, string>} */ (this.sweeping
      ? { vary: "across", steps: "acrossSteps" } : { steps: "count" });
    const name = inputs[event.field] ?? event.field;
    const field = /** @type {any} */ (this.fields)[name];
    // The second parameter of a sweep is named by its text, if at all.
    const down = this.fields.down.input.value.split("=")[0].trim();
    const place = this.sweeping && event.field === "vary" && down && event.text.startsWith(down) ? this.fields.down : field;
    if (!place) return void (this.sheetWhy.textContent = event.text);
    let text = event.text;
    if (event.start !== null) {
      text += `\n${place.input.value}\n${" ".repeat(event.start)}${"^".repeat(Math.max(1, event.length))}`;
    }
    place.why.textContent = text;
    place.input.setAttribute("aria-invalid", "true");
    place.input.focus();
  }

  clearFaults() {
    this.sheetWhy.textContent = "";
    for (const { input, why } of Object.values(this.fields)) {
      why.textContent = "";
      input.removeAttribute("aria-invalid");
    }
  }

  /** @param {boolean} running */
  run(running) {
    this.running = running;
    this.grid.box.setAttribute("aria-busy", String(running));
    this.look.textContent = running ? "Stop" : SHOW;
  }

  /** @param {string} text */
  say(text) {
    this.status.textContent = text;
  }

  // --- the draft ------------------------------------------------------------------------------

  /** The seeds that the pack leaves out. @returns {(number | string)[]} */
  get without() {
    const written = this.data?.pack?.without;
    return Array.isArray(written) ? written : [];
  }

  /** Leave a level out of the pack, or take it in again. @param {SeedLevel} level */
  async leaveOut(level) {
    const { without } = this;
    const left = without.filter((one) => one !== level.seed);
    if (left.length === without.length) left.push(level.seed);
    const path = ["pack", "without"];
    await this.host.change([left.length ? { set: path, value: left } : { remove: path }]);
    this.say(left.length ? "Build puts others in the places of the levels that are left out." : "");
  }

  /** Build the pack, and show it. */
  async rebuild() {
    this.say("Building ...");
    this.build.disabled = true;
    try {
      const { level } = this;
      const report = await this.host.build();
      if (report.status === "failed") this.say("The export failed.");
      else if (this.level === level && this.packed) this.begin(0);
      else if (!this.running) this.say("");
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message ?? error));
    }
    this.build.disabled = false;
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    if (draft.level !== this.level) {
      if (this.level) this.leave(draft.level);
      this.level = draft.level;
    }
    this.data = draft.data;
    this.known?.replaceChildren(...this.host.parameters().map((name) => element("option", { value: name })));
    const hasPack = this.data?.pack !== undefined && this.data?.pack !== null;
    this.modes[2].hidden = !hasPack;
    if (this.packed && !hasPack) this.choose("Seeds");
    if (this.shown) {
      this.shown = hasPack;
      this.grid.leaveOut(new Set(this.without));
      return this.tell(this.grid.focused);
    }
    const stale = this.count > 0 && this.shapeOf(this.data, this.parameters ?? []) !== this.shape;
    if (stale && !this.stale) this.say("The draft has changed: these are levels of its earlier text.");
    this.stale = stale;
  }

  /** @param {import("./level.js").LevelView} level */
  showLevel(level) {
    this.seed = level.seed;
  }

  /** After the socket reconnects: requests under way have ended. */
  welcomed() {
    if (this.running) this.begin(this.skip);
  }

  /** Another level has other seeds; the stars of this one wait until it is opened again. @param {string} next */
  leave(next) {
    this.starred.set(this.level, this.grid.stars);
    if (this.count) this.forget();
    this.grid.stars = this.starred.get(next) ?? new Map();
  }

  forget() {
    this.sheet++;
    this.count = this.came = this.skip = 0;
    this.shown = false;
    this.run(false);
    this.grid.begin(null);
    this.say("");
    if (!this.panel.hidden) this.close();
  }

  /** Return the key of a sheet: the draft without the varied parameters. @param {any} data @param {string[]} varied */
  shapeOf(data, varied) {
    if (!data || typeof data !== "object") return "";
    const copy = structuredClone(data);
    delete copy.seed;
    for (const name of varied) {
      const dot = name.indexOf(".");
      const layer = copy.layers?.[name.slice(0, dot)];
      if (layer && typeof layer === "object") delete layer[name.slice(dot + 1)];
    }
    return JSON.stringify(copy);
  }

  // --- choosing -------------------------------------------------------------------------------

  /** @param {SeedLevel | null} level */
  tell(level) {
    if (!level) return this.details.replaceChildren();
    const starred = this.grid.stars.has(level.key);
    const compares = this.grid.other === level;
    this.details.replaceChildren(...detailsOf(level, this.grid.other, this.metrics, [
      element("button", { className: level.failure ? "" : "main", title: "Use (Enter)", onclick: () => void this.use(level) }, "Use"),
      element("button", { title: "Use it and walk in it", onclick: () => void this.use(level).then(() => this.host.walk()) }, "Play"),
      ...this.shown ? [element("button", { id: "seed-leave-out", "aria-pressed": String(level.leftOut), title: "Leave it out of the pack (Delete)", onclick: () => void this.leaveOut(level) }, level.leftOut ? "Take in again" : "Leave out")] : [],
      element("button", { "aria-pressed": String(starred), title: "Star (S)", onclick: () => this.star(level) }, starred ? "★ Starred" : "☆ Star"),
      element("button", { "aria-pressed": String(compares), title: "Compare others with this one (C)", onclick: () => this.compare(level) }, "Compare"),
      ...(Object.keys(level.parameters).length ? [] : [element("button", { title: "Compare the draft with this seed in the picture", onclick: () => this.inPicture(level) }, "In the picture")]),
    ]));
  }

  /** @param {SeedLevel} level */
  star(level) {
    this.grid.star(level);
    this.tell(this.grid.focused);
  }

  /** @param {SeedLevel} level */
  compare(level) {
    this.grid.compareWith(this.grid.other === level ? null : level);
    this.tell(this.grid.focused);
  }

  /** @param {SeedLevel} level */
  inPicture(level) {
    this.close();
    this.host.compare(level.seed);
  }

  /** @param {SeedLevel} level */
  async use(level) {
    this.close();
    await this.host.change(level.changes);
  }

  toggle() {
    if (this.panel.hidden) this.open();
    else this.close();
  }

  open() {
    this.panel.hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    if (!this.count && !this.running) {
      if (this.data?.pack) this.choose("Pack");
      this.begin();
    }
    const { focused } = this.grid;
    if (focused) this.grid.focus(focused, true);
    else this.grid.box.focus();
  }

  close() {
    this.panel.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    this.host.closed();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const { focused } = this.grid;
    /** @type {() => void} */
    let action = () => {};
    if (event.key === "Escape") action = () => this.close();
    else if (event.key === "Enter" && target instanceof HTMLInputElement) action = () => this.begin(this.skip);
    else if (!target.classList.contains("seed") || !focused) return event.stopPropagation();
    else if (this.grid.move(event.key)) action = () => {};
    else if (event.key === "Enter") action = () => void this.use(focused);
    else if (event.key === "s" || event.key === "S" || event.key === "*") action = () => this.star(focused);
    else if (this.shown && event.key === "Delete") action = () => void this.leaveOut(focused);
    else if (event.key === "c" || event.key === "C") action = () => this.compare(focused);
    else if (event.key === "?" || event.key === "Tab") return;
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}
