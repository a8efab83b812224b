// @ts-check
/**
 * Limits the changes sent while a slider is dragged: at most one in each frame, and only once the picture shows the previous
 * one, or that takes long. The newest change replaces waiting ones. Letting go waits for nothing.
 */

// How long to wait for a picture; a newer change then cancels the build.
const PATIENCE = 1000;

/** @typedef {{changes: import("./messages.js").Change[], merge: string, number: number}} Drag */

export class DragChanges {
  /** @param {(drag: Drag) => void} send */
  constructor(send) {
    this.send = send;
    /** @type {Drag | null} */ this.waiting = null;
    /** The draft whose picture is awaited: 0 for none, infinite until the server has counted it. */
    this.sent = 0;
    /** The number of the change that was sent last. */
    this.number = 0;
    this.limit = 0;
    this.frame = 0;
    for (const name of ["pointerup", "pointercancel", "keyup"]) window.addEventListener(name, () => this.flush());
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      draft: ({ revision, number }) => { if (this.sent === Infinity && number >= this.number) this.sent = revision; },
      problems: ({ revision }) => { if (revision >= this.sent) this.settled(); },
      refused: () => this.settled(),
      // A change sent without a connection is not waited for.
      welcome: () => this.settled(),
    };
  }

  /** @param {Drag} drag */
  add(drag) {
    if (this.waiting && this.waiting.merge !== drag.merge) this.flush();
    this.waiting = drag;
    this.soon();
  }

  soon() {
    if (!this.waiting || this.sent || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.sent) this.flush();
    });
  }

  /** Send the waiting changes at once. */
  flush() {
    const drag = this.waiting;
    if (!drag) return;
    this.waiting = null;
    this.sent = Infinity;
    this.number = drag.number;
    clearTimeout(this.limit);
    this.limit = setTimeout(() => this.settled(), PATIENCE);
    this.send(drag);
  }

  settled() {
    clearTimeout(this.limit);
    this.sent = 0;
    this.soon();
  }
}
