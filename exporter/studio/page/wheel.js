// @ts-check
/** Tells the wheel of a mouse, which zooms, from two fingers on a trackpad, which pan and pinch. */

// A gesture goes on while its events come this quickly, in milliseconds.
const PAUSE = 250;
// A notch of a wheel is at least this many pixels; two fingers begin with fewer.
const NOTCH = 40;
const LINE = 16;
// Cells have whole pixels: a pinch zooms once it has come so far, as a power of two.
const PINCH = 0.12;

/** @typedef {{deltaX: number, deltaY: number, deltaMode: number, ctrlKey: boolean, shiftKey: boolean, timeStamp: number}} Turn */
/** A pan in pixels of the page, or a zoom by a factor. @typedef {{pan: [number, number], zoom: number}} Motion */

export class Wheel {
  constructor() {
    this.last = -Infinity;
    this.fingers = false;
    this.pinched = 0;
  }

  /** @param {Turn} turn @returns {Motion} */
  motion({ deltaX, deltaY, deltaMode, ctrlKey, shiftKey, timeStamp }) {
    const unit = deltaMode === 0 ? 1 : LINE;
    if (timeStamp - this.last > PAUSE) {
      this.fingers = deltaMode === 0 && (deltaX !== 0 ? Math.abs(deltaX) < NOTCH : Math.abs(deltaY) < NOTCH);
    }
    this.last = timeStamp;
    // Browsers report a pinch as a wheel with Ctrl; its steps are small.
    if (ctrlKey && this.fingers) return { pan: [0, 0], zoom: this.pinch(-deltaY / 60) };
    const sideways = deltaX || (shiftKey ? deltaY : 0);
    if (this.fingers) return { pan: [-deltaX, -deltaY], zoom: 1 };
    if (sideways) return { pan: [-sideways * unit, 0], zoom: 1 };
    const turned = Math.min(Math.abs(deltaY * unit), 100);
    return { pan: [0, 0], zoom: 2 ** (-Math.sign(deltaY) * turned / 250) };
  }

  /** @param {number} power @returns {number} the factor of the zoom: 1 until it is enough to be seen */
  pinch(power) {
    this.pinched += power;
    if (Math.abs(this.pinched) < PINCH) return 1;
    const factor = 2 ** this.pinched;
    this.pinched = 0;
    return factor;
  }
}
