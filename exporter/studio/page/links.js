// @ts-check
/**
 * Opens links: their level, the view of it, and a proposal of changes. Any site can open a link: all of it is treated as
 * text, nothing changes before the user has agreed, and nothing is saved.
 */

import { MOST_ZOOM } from "./camera.js";
import { element } from "./elements.js";
import { isLink, readLink } from "./link_address.js";

/** @typedef {import("./messages.js").LinkedValueData} Told */
/** @typedef {import("./messages.js").FollowedState} FollowedState */
const MOST = 8;
const LONGEST_TEXT = 80;
const LONGEST_REASON = 200;

export class Links {
  /** @param {HTMLElement} panel @param {import("./page.js").Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    /** @type {{id: string, name: string}[] | null} */ this.levels = null;
    /** @type {import("./link_address.js").View | null} */ this.view = null;
    this.revision = Infinity;
    /** The state that the panel shows. @type {FollowedState | ""} */ this.state = "";
    /** The level that a link has changed, and how many steps its draft had then. */
    this.changed = { level: "", undo: 0 };
    window.addEventListener("hashchange", () => {
      if (this.levels) this.follow(this.levels);
    });
  }

/** @returns {import("./messages.js")  .Handlers} */
  get handlers() {
    return {
      followed: (event) => this.followed(event),
      problems: (event) => this.frame(event.revision),
    };
  }

  /**
   * Follow the link in the address, if there is one.
   * @param {{id: string, name: string}[]} levels
   * @returns {boolean} whether it opens a level
   */
  follow(levels) {
    const { page } = this;
    this.levels = levels;
    if (!isLink(location.hash)) return false;
    const { hash } = location;
    history.replaceState(null, "", location.pathname);
    this.state = "";
    let link;
    try {
      link = readLink(hash);
    } catch (error) {
      this.tell(element("p", {}, error instanceof Error ? error.message : String(error)));
      return false;
    }
    const name = link.level;
    const found = levels.find((one) => one.name === name);
    if (!found) {
      this.tell(element("p", {}, "The link is of a level that is not here: ", text(name)));
      return false;
    }
    this.view = link.view;
    this.revision = Infinity;
    if (page.draft?.level !== found.id) page.openLevel(found.id);
    page.send({ do: "follow", level: found.id, pairs: link.pairs });
    return true;
  }

  /** @param {import("./messages.js").FollowedEvent} event */
  followed({ state, level, revision, undo, changed, refused }) {
    this.revision = revision;
    this.state = state;
    this.changed = state === "applied" ? { level, undo } : { level: "", undo: 0 };
    const values = changed.length === 1 ? "1 value" : `${changed.length} values`;
    this.tell(
      element("p", {}, {
        unchanged: "A link has opened the level, and changes nothing.",
        offered: `Someone's link changes ${values}. Nothing is changed yet.`,
        looking: `You look at someone's link, which changes ${values}. Your draft is not changed.`,
        applied: `A link has changed ${values} of the draft. Nothing is saved.`,
      }[state]),
      ...list(changed, ({ path, text: value }) => [text(path), value ? ": " : " taken away or moved", value ? text(value) : null]),
      ...(refused.length ? [element("p", {}, "Not changed:")] : []),
      ...list(refused, ({ path, text: why }) => [text(path), ": ", text(why, LONGEST_REASON)]),
    );
    // A link that has changed nothing yet builds nothing: its part of the level can be shown already.
    if (this.page.level?.id === level) this.frame(this.page.level.revision);
  }

  /** @param {...Node} content */
  tell(...content) {
    this.panel.replaceChildren(...content, element("div", { className: "choices" }, ...this.choices()));
    this.panel.hidden = false;
  }

  /** @returns {HTMLElement[]} */
  choices() {
    /** @param {"apply" | "look" | "drop"} how */
    const decide = (how) => () => this.page.send({ do: "decide", how });
    const apply = element("button", { id: "apply-link", className: "main", onclick: decide("apply") }, "Apply");
    const close = (/** @type {string} */ text) => element("button", { className: "quiet", onclick: () => this.close() }, text);
    if (this.state === "offered") return [apply, element("button", { id: "look-link", onclick: decide("look") }, "Look only"), close("Forget")];
    if (this.state === "looking") return [apply, close("Back to my draft")];
    if (this.state === "applied") return [element("button", { id: "undo-link", onclick: () => this.page.send({ do: "undo" }) }, "Undo"), close("Close")];
    return [close("Close")];
  }

  /** @param {import("./messages.js").DraftEvent} draft */
  showDraft(draft) {
    if (this.state === "looking" && !draft.looking) {
      // Its file has changed, or another level was opened.
      this.state = "";
      this.panel.hidden = true;
    }
    const { level, undo } = this.changed;
    if (!level || (draft.level === level && draft.undo === undo)) return;
    // It is taken back, or another step is the last one.
    this.panel.querySelector("#undo-link")?.remove();
    if (draft.level !== level || draft.undo < undo) this.panel.hidden = true;
    this.changed = { level: "", undo: 0 };
  }

  escape() {
    const open = !this.panel.hidden;
    if (open) this.close();
    return open;
  }

  close() {
    if (this.state === "offered" || this.state === "looking") this.page.send({ do: "decide", how: "drop" });
    this.state = "";
    this.panel.hidden = true;
    this.page.picture.focus();
  }

  /** Return the view of the level for a link; null without a level. @returns {import("./link_address.js").View | null} */
  shown() {
    const { camera, level } = this.page;
    if (!level) return null;
    return {
      x: camera.x + camera.width / 2 / camera.zoom - level.whole.x, y: camera.y + camera.height / 2 / camera.zoom - level.whole.y,
      pixels: camera.zoom / (window.devicePixelRatio || 1),
    };
  }

  /** Go to the view of a link, once its level is there. @param {number} revision the newest that is built */
  frame(revision) {
    const { view, page } = this;
    if (revision < this.revision || !view || !page.level) return;
    this.view = null;
    const { camera, level } = page;
    const zoom = Math.min(Math.max(view.pixels * (window.devicePixelRatio || 1), camera.least), MOST_ZOOM);
    const { whole } = level;
    const x = Math.min(Math.max(view.x, 0), whole.width) + whole.x;
    const y = Math.min(Math.max(view.y, 0), whole.height) + whole.y;
    Object.assign(camera, { zoom, x: x - camera.width / 2 / zoom, y: y - camera.height / 2 / zoom });
    camera.snap();
    page.redraw();
  }
}

/** @param {Told[]} all @param {(one: Told) => (Node | string | null)[]} tell @returns {Node[]} */
function list(all, tell) {
  if (!all.length) return [];
  const more = all.length > MOST ? [element("li", {}, `and ${all.length - MOST} more`)] : [];
  return [element("ul", {}, ...all.slice(0, MOST).map((one) => element("li", {}, ...tell(one))), ...more)];
}

/** A text of a link, short, and apart from the words around it. @param {string} all @param {number} [longest] */
function text(all, longest = LONGEST_TEXT) {
  return element("bdi", {}, all.length > longest ? `${all.slice(0, longest)}...` : all);
}
