// @ts-check
/** The gallery of generators: a click adds a layer. */

import { element } from "./elements.js";
import { Gallery } from "./gallery.js";
import { closeButton } from "./icons.js";
import { freeName } from "./structure.js";

export class LayerGallery {
  /** @param {HTMLElement} panel @param {import("./page.js").Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    this.gallery = new Gallery("layer", {
      send: (message) => page.send(message), choose: (name) => this.add(name), text: (card) => ({ title: card.name, about: card.summary }),
    });
    this.search = element("input", {
      id: "layer-search", type: "search", placeholder: "Find a generator", "aria-label": "Find a generator", oninput: () => this.gallery.filter(this.search.value),
      onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") this.enter(); },
    });
    /** Whether Enter was pressed before the list came. */
    this.entered = false;
    this.name = element("input", { id: "new-layer-name", type: "text", maxlength: 64, placeholder: "as its generator", spellcheck: "false" });
    panel.append(
      element("div", { className: "gallery-head" }, element("h2", {}, "Add a layer"), this.search, element("label", { for: "new-layer-name" }, "Name"), this.name,
        closeButton(() => this.escape())),
      this.gallery.node);
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    const { gallery, card } = this.gallery.handlers;
    return {
      card,
      gallery: (event) => {
        gallery?.(event);
        if (this.entered && this.gallery.cards) this.enter();
      },
    };
  }

  /** Add the first generator of the list. */
  enter() {
    this.entered = !this.gallery.cards;
    const [first] = this.gallery.found;
    if (first) this.add(first.name);
  }

  toggle() {
    if (this.escape()) return;
    this.panel.hidden = false;
    if (!this.gallery.cards) this.gallery.ask();
    this.search.focus();
  }

  /** The server was started again. */
  welcomed() {
    if (!this.panel.hidden) this.gallery.ask();
    else this.gallery.cards = null;
  }

  /** @returns {boolean} whether it was open */
  escape() {
    if (this.panel.hidden) return false;
    if (this.panel.contains(document.activeElement)) this.page.picture.focus({ preventScroll: true });
    this.panel.hidden = true;
    this.entered = false;
    return true;
  }

  /** @param {string} generator */
  add(generator) {
    const { schema, layers, selection } = this.page.inspector;
    const name = this.name.value || freeName(generator, layers);
    if (!schema || layers.includes(name)) return this.name.focus();
    /** @type {Record<string, unknown>} */
    const value = { generator };
    // A parameter without a default is most often the layer to read.
    for (const needed of schema.requiredLayerNames(generator)) if (layers.length) value[needed] = layers[layers.length - 1];
    selection.expect(`layers.${name}`);
    void this.page.change([{ set: ["layers", name], value }]);
    this.name.value = "";
    this.escape();
  }
}
