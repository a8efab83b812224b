// @ts-check
/** Whether the mission still holds where an object is held: asked of the server while it is dragged. A drop that would lose the goal is refused. */

import { element } from "./elements.js";

/** @typedef {import("./level.js").Thing} Thing */
/** @typedef {{x: number, y: number}} Cell */

export class MissionProof {
  /** @param {HTMLElement} panel @param {import("./page.js").Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    /** What the server said last. @type {import("./messages.js").Events["proven_move"] | null} */ this.proven = null;
    /** The last cell that it was asked about. */ this.asked = "";
    /** What waits for its word on the asked cell. @type {((why: boolean) => void) | null} */ this.waiting = null;
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      proven_move: (event) => {
        if (keyOf(event) !== this.asked) return;
        this.proven = event;
        this.show(this.waiting !== null);
        if (this.waiting) this.end(event.problem === null && event.play !== null);
        this.page.redraw();
      },
    };
  }

  /** An object is held over its cell. @param {Thing} thing */
  hold(thing) {
    if (!this.page.level?.isOfMission(thing)) return;
    const key = keyOf({ id: thing.id ?? 0, to: [thing.x, thing.y] });
    if (key === this.asked) return;
    this.settle();
    this.asked = key;
    this.page.send({ do: "prove_move", id: thing.id, to: [thing.x, thing.y] });
  }

  /**
   * An object is dropped: move it, or put it back if the goal could be lost.
   * @param {Thing} thing @param {() => void} move @param {() => void} back
   */
  drop(thing, move, back) {
    if (!this.page.level?.isOfMission(thing)) return move();
    this.hold(thing);
    this.waiting = (stranded) => (stranded ? back() : move());
    const { proven } = this;
    if (!proven || keyOf(proven) !== this.asked) return;
    this.show(true);
    this.end(proven.problem === null && proven.play !== null);
  }

  /** @param {boolean} stranded */
  end(stranded) {
    const waiting = this.waiting;
    this.stop();
    if (!stranded) this.panel.hidden = true;
    waiting?.(stranded);
  }

  /** Send a move that waits without its proof: the next build checks the mission. */
  settle() {
    if (this.waiting) this.end(false);
  }

  /** The server knows nothing of what was asked before the connection was lost. */
  welcomed() {
    this.settle();
    this.asked = "";
  }

  /** Nothing is held any more. */
  stop() {
    this.waiting = this.proven = null;
    if (this.asked) this.page.send({ do: "prove_move", id: 0, to: null });
    this.asked = "";
  }

  /** The object is put back by the user. */
  cancel() {
    if (this.waiting) return this.settle();
    if (!this.asked) return;
    this.stop();
    this.panel.hidden = true;
  }

  /** @param {boolean} dropped */
  show(dropped) {
    const play = this.proven?.problem === null ? this.proven.play : null;
    this.panel.hidden = !this.proven || this.proven.problem !== null;
    this.panel.classList.toggle("bad", play !== null);
    if (!play) return this.panel.replaceChildren(element("strong", {}, "The goal can be reached in every order of play"));
    this.panel.replaceChildren(
      element("strong", {}, dropped ? "Not moved: the goal could be lost" : "Here the goal can be lost"),
      element("ol", {}, ...play.map((one) => element("li", {}, one))),
      ...dropped ? [element("div", { className: "row-actions" }, element("button", { id: "proof-close", onclick: () => { this.panel.hidden = true; } }, "Close"))] : []);
  }

  /** @returns {boolean} whether there was something to close */
  escape() {
    const open = !this.panel.hidden && !this.asked;
    if (open) this.panel.hidden = true;
    return open;
  }

  hide() {
    this.waiting = null;
    this.cancel();
    this.panel.hidden = true;
  }

  /** Mark the held object by what is proven of its cell. */
  drawOver() {
    const { carried } = this.page.tools.objects;
    if (!carried || !this.proven || this.proven.problem !== null) return;
    const { marks, colors, canvasCamera } = this.page;
    marks.frame(carried.thing, canvasCamera, this.proven.play ? colors.bad : colors.accent, 3, 12);
  }
}

/** @param {{id?: number, to?: import("./messages.js").Cell}} of */
function keyOf({ id, to }) {
  return `${id} ${to}`;
}
