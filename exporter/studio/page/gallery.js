// @ts-check
/** Cards with pictures: levels, or what a level or a layer can start from. Pictures come one by one, and are kept. */

import { element } from "./elements.js";

/** @typedef {import("./messages.js").CardData} Card */
/** @typedef {import("./messages.js").GalleryRequest["of"]} Kind */
/**
 * @typedef {object} Host
 * @property {(message: import("./messages.js").Request) => boolean} send
 * @property {(name: string) => void} choose
 * @property {(card: Card) => {title: string, about: string}} text
 * @property {() => HTMLElement[]} [first] cards before the others
 */

// In this order; groups that are not here come last. The first has no heading.
const GROUPS = ["", "Start from", "Shape", "Join", "Measure", "Draw"];
const ABOUT = /** @type {Record<string, string>} */ ({
  "Start from": "Layers that need no other", Shape: "Made of one layer", Join: "Made of several layers",
  Measure: "Figures of what is there", Draw: "From files of your editor",
});
// What is seen while the list is on its way.
const WAITING = 8;

export class Gallery {
  /** @param {Kind} of @param {Host} host */
  constructor(of, host) {
    this.of = of;
    this.host = host;
    this.node = element("div", { className: "gallery" });
    /** @type {Card[] | null} */ this.cards = null;
    /** Addresses of the pictures by the names of cards; empty for none. @type {Map<string, string>} */
    this.pictures = new Map();
    /** Why cards have no picture. @type {Map<string, string>} */
    this.faults = new Map();
    this.wanted = "";
    this.draw();
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      gallery: (event) => {
        if (event.of !== this.of) return;
        this.cards = event.cards;
        const card = document.activeElement instanceof HTMLElement && this.node.contains(document.activeElement) ? document.activeElement : null;
        this.draw();
        if (card?.dataset.name) /** @type {HTMLElement | null} */ (this.node.querySelector(`[data-name="${CSS.escape(card.dataset.name)}"]`))?.focus();
      },
      card: (event) => {
        if (event.of === this.of) this.show(event.name, event.picture, event.why);
      },
    };
  }

  /** Ask for the cards, or for those that are new. */
  ask() {
    this.host.send({ do: "gallery", of: this.of });
  }

  /** @param {string} name @param {import("./frames.js").Cells} picture a PNG @param {string} why there is none */
  show(name, picture, why) {
    this.faults.set(name, why);
    URL.revokeObjectURL(this.pictures.get(name) ?? "");
    this.pictures.set(name, picture.length ? URL.createObjectURL(new Blob([/** @type {BlobPart} */ (picture)], { type: "image/png" })) : "");
    const card = this.node.querySelector(`[data-name="${CSS.escape(name)}"] .card-picture`);
    card?.replaceWith(this.picture(name));
  }

  /** Show the cards with all of some words alone. @param {string} wanted */
  filter(wanted) {
    this.wanted = wanted.trim().toLowerCase();
    this.draw();
  }

  /** The cards that are shown. */
  get found() {
    const words = this.wanted.split(/\s+/);
    return (this.cards ?? []).filter((one) => {
      const { title, about } = this.host.text(one);
      const text = `${title} ${about} ${one.group}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  draw() {
    const { cards, found } = this;
    if (!cards) {
      const waiting = Array.from({ length: WAITING }, () => element("span", { className: "card" }, element("span", { className: "card-picture skeleton" })));
      return this.node.replaceChildren(element("div", { className: "cards", "aria-busy": "true", "aria-hidden": "true" }, ...waiting));
    }
    const names = [...new Set([...GROUPS, ...found.map((one) => one.group)])].filter((name) => found.some((one) => one.group === name));
    const first = this.wanted ? [] : this.host.first?.() ?? [];
    if (!names.length && !first.length) return this.node.replaceChildren(element("p", { className: "about" }, `Nothing matches "${this.wanted}".`));
    if (!names.length) names.push("");
    this.node.replaceChildren(...names.flatMap((name, place) => [
      ...name ? [element("h3", {}, name, " ", element("small", {}, ABOUT[name] ?? ""))] : [],
      element("div", { className: "cards" }, ...place ? [] : first, ...found.filter((one) => one.group === name).map((one) => this.card(one))),
    ]));
  }

  /** @param {Card} card */
  card(card) {
    const { title, about } = this.host.text(card);
    return element("button", { className: "card", "data-name": card.name, title: about, onclick: () => this.host.choose(card.name) },
      this.picture(card.name),
      // Long names are broken after a `_`, not anywhere.
      element("span", { className: "card-title" }, ...title.split(/(?<=_)/).flatMap((part) => [part, element("wbr")])), element("span", { className: "card-about" }, about));
  }

  /** @param {string} name */
  picture(name) {
    const address = this.pictures.get(name);
    const draws = this.cards?.find((one) => one.name === name)?.group !== "Draw";
    if (address) return element("img", { className: "card-picture", src: address, alt: "" });
    return element("span", { className: `card-picture ${address === undefined && draws ? "skeleton" : "blank"}` },
      element("span", { className: "fault-text" }, this.faults.get(name) ?? ""));
  }
}

/** A card without a picture of a level. @param {string} id @param {Node} picture @param {string} title @param {string} about @param {() => void} choose */
export function actionCard(id, picture, title, about, choose) {
  return element("button", { className: "card", id, title: about, onclick: choose },
    element("span", { className: "card-picture blank" }, picture), element("span", { className: "card-title" }, title), element("span", { className: "card-about" }, about));
}
