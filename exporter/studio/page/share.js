// @ts-check
/** Shares the page's view: the whole level as a PNG, copied or saved, and links to the draft. */

import { element } from "./elements.js";
import { closeButton } from "./icons.js";
import { levelPicture, LONGEST, mostPixels, pngOf } from "./level_picture.js";
import { linkHash } from "./link_address.js";

const SIDES = [1, 2, 4, 8, 16, 32, 64];
const USUAL = 16;

export class Share {
  /**
   * @param {HTMLElement} panel @param {HTMLElement} button
   * @param {import("./page.js").Page} page
   */
  constructor(panel, button, page) {
    this.panel = panel;
    this.button = button;
    this.page = page;
    this.told = element("p", { className: "told", role: "status" });
    this.sides = element("select", { id: "share-side" });
    this.copying = element("button", { id: "copy-picture", onclick: () => this.attempt(() => this.copy()) }, "Copy picture");
    this.saving = element("button", { id: "save-picture", onclick: () => this.attempt(() => this.download()) }, "Save picture");
    this.linking = element("button", { id: "copy-link", onclick: () => this.attempt(() => this.copyLink(), "Copying ...") }, "Copy link");
    this.address = element("input", { className: "address", type: "text", readonly: true, hidden: true, "aria-label": "The link", onfocus: () => this.address.select() });
    /** @type {{resolve: (event: import("./messages.js").LinkEvent) => void, reject: (error: Error) => void}[]} */ this.linked = [];
    panel.replaceChildren(
      closeButton(() => this.close()), element("h2", {}, "Share"),
      element("p", { className: "about" }, "The whole level as a PNG, with the layers, objects and overlay that are shown."),
      element("label", { for: "share-side" }, "Pixels a cell"), this.sides,
      element("div", { className: "choices" }, this.copying, this.saving),
      element("p", { className: "about" }, "A link to this level with its seed, the parameters that are not saved, and what is in sight. It opens in browsers that have opened this run of the studio."),
      element("div", { className: "choices" }, this.linking),
      this.address, this.told,
    );
    button.addEventListener("click", () => this.toggle());
  }

  get keys() {
    return [{ key: "P", help: "share: copy or save the picture, copy a link", action: () => this.toggle() }];
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      link: (event) => this.linked.splice(0).forEach((one) => one.resolve(event)),
      refused: (event) => { if (event.do === "link") this.linked.splice(0).forEach((one) => one.reject(new Error(event.text))); },
    };
  }

  escape() {
    const open = !this.panel.hidden;
    if (open) this.close();
    return open;
  }

  showLevel() {
    if (!this.panel.hidden) this.offer();
  }

  toggle() {
    if (!this.panel.hidden) return this.close();
    this.panel.hidden = false;
    this.address.hidden = true;
    this.button.setAttribute("aria-expanded", "true");
    this.offer();
    this.copying.focus();
  }

  close() {
    this.panel.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.button.focus();
  }

  /** Offer the sizes that the level's picture can have. */
  offer() {
    const { level } = this.page;
    const most = level ? mostPixels(level) : 0;
    const sides = SIDES.filter((one) => one <= most);
    const chosen = Number(this.sides.value) || USUAL;
    this.sides.replaceChildren(...sides.map((one) => element("option", { value: one }, String(one))));
    this.linking.disabled = !this.page.draft;
    for (const one of [this.sides, this.copying, this.saving]) one.disabled = !level;
    if (!level) return this.tell("There is no level to share yet.");
    this.sides.value = String(Math.max(...sides.filter((one) => one <= chosen)));
    if (most < USUAL) this.tell(`At most ${sides[sides.length - 1]} pixels a cell: a picture has at most ${LONGEST} x ${LONGEST} pixels.`);
    else this.tell("");
  }

  /** @param {string} text */
  tell(text) {
    this.told.textContent = text;
  }

  /** @param {() => Promise<string>} work returns the message to show when it is done @param {string} [begun] */
  async attempt(work, begun = "Drawing ...") {
    this.tell(begun);
    try {
      this.tell(await work());
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error));
    }
  }

  /** @returns {Promise<Blob>} */
  picture() {
    return pngOf(levelPicture(this.page, Number(this.sides.value)));
  }

  async copy() {
    if (!navigator.clipboard || !window.ClipboardItem) {
      return "This browser copies only from an address that begins with http://127.0.0.1 or https: save the picture instead.";
    }
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": this.picture() })]);
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotAllowedError") {
        return "The browser does not allow copying: allow the clipboard for this page, or save the picture.";
      }
      throw error;
    }
    return "Copied.";
  }

  /** Ask the server for the changes of the draft. @returns {Promise<import("./messages.js").LinkEvent>} */
  asked() {
    this.page.send({ do: "link" });
    return new Promise((resolve, reject) => this.linked.push({ resolve, reject }));
  }

  async copyLink() {
    const view = this.page.links.shown();
    const asked = this.asked();
    const address = asked.then((link) => `${location.origin}${location.pathname}${linkHash({ ...link, view })}`);
    let copied = false;
    try {
      // Use the clipboard at once, while the browser still counts it as the user's action.
      const data = address.then((one) => new Blob([one], { type: "text/plain" }));
      data.catch(() => {});
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": data })]);
      copied = true;
    } catch {
      // The message is shown below, with the link to copy by hand; an error in the link itself is thrown there.
    }
    this.address.value = await address;
    this.address.hidden = false;
    const { edits } = await asked;
    const left = edits ? " Hand edits that are not saved are not in it." : "";
    return `${copied ? "Copied." : "This browser does not let the page copy: copy the link from the field."}${left}`;
  }

  async download() {
    const address = URL.createObjectURL(await this.picture());
    const name = `${this.page.level?.name ?? "level"}.png`;
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return `Saved as ${name} among your downloads.`;
  }
}
