// @ts-check
/**
 * Decides when A replaces B: while a key or button is held, or in turns. A appears at most twice in a second, however fast
 * the user presses, since three flashes can hurt people.
 */

// Milliseconds between two beginnings of A, and for which each is shown by turns.
const LEAST = 500;
const TURN = 800;

export class Blink {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** Whether A is shown. */
    this.on = false;
    this.held = false;
    this.playing = false;
    this.last = -LEAST;
    this.timer = 0;
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.motion.addEventListener("change", () => {
      if (this.motion.matches) this.play(false);
    });
  }

  /** Whether it may blink without a hand. */
  get mayPlay() {
    return !this.motion.matches;
  }

  hold() {
    if (this.held) return;
    this.play(false);
    this.held = true;
    this.timer = setTimeout(() => this.show(true), Math.max(0, this.last + LEAST - performance.now()));
  }

  release() {
    if (!this.held) return;
    this.held = false;
    clearTimeout(this.timer);
    this.show(false);
  }

  /** Blink by turns. @param {boolean} playing */
  play(playing) {
    clearTimeout(this.timer);
    this.held = false;
    this.playing = playing && this.mayPlay;
    if (this.playing) this.turn(true);
    else this.show(false);
  }

  /** @param {boolean} on */
  turn(on) {
    this.show(on);
    this.timer = setTimeout(() => this.turn(!on), TURN);
  }

  /** @param {boolean} on */
  show(on) {
    if (on && !this.on) this.last = performance.now();
    this.on = on;
    this.changed();
  }
}
