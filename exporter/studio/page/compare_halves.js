// @ts-check
/** Two levels side by side: the halves of the canvas, seen by one camera, with their captions. */

import { element } from "./elements.js";

/** @typedef {{left: number, top: number, width: number, height: number}} Rectangle */

// Narrower pictures are halved into an upper and a lower half, in pixels of the page.
const LEAST_WIDTH = 480;

/**
 * The halves of a canvas, in device pixels: that of A, then that of B.
 * @param {HTMLCanvasElement} canvas
 * @returns {[Rectangle, Rectangle]}
 */
export function halvesOf(canvas) {
  const rows = canvas.clientWidth < LEAST_WIDTH;
  const width = rows ? canvas.width : Math.max(1, Math.floor(canvas.width / 2));
  const height = rows ? Math.max(1, Math.floor(canvas.height / 2)) : canvas.height;
  const [left, top] = rows ? [0, canvas.height - height] : [canvas.width - width, 0];
  return [{ left: 0, top: 0, width, height }, { left, top, width, height }];
}

export class Halves {
  /** @param {HTMLElement} stage */
  constructor(stage) {
    this.labels = ["A", "B"].map((side) => element("div", { className: "half", hidden: true, "data-side": side }));
    this.line = element("div", { className: "half-line", "aria-hidden": "true", hidden: true });
    stage.append(this.line, ...this.labels);
  }

  /** Put labels and the line where they belong; null hides them. @param {[Rectangle, Rectangle] | null} halves @param {string} label of A @param {HTMLCanvasElement} picture */
  draw(halves, label, picture) {
    for (const node of [...this.labels, this.line]) node.hidden = !halves;
    if (!halves) return;
    // Device pixels a pixel.
    const ratio = picture.width / Math.max(picture.clientWidth, 1);
    const texts = [`A: ${label || "..."}`, "B: the draft"];
    for (const [at, node] of this.labels.entries()) {
      const { left, top, width } = halves[at];
      const all = halves[1].left + halves[1].width;
      // Tools and problems are at the top.
      const below = top === 0 ? "calc(var(--over, 44px) + 6px)" : `${top / ratio + 10}px`;
      node.textContent = texts[at];
      Object.assign(node.style, {
        right: `${(all - left - width) / ratio + 10}px`, top: below, maxWidth: `${Math.max(width / ratio - 20, 0)}px`,
      });
    }
    const { left, top, width, height } = halves[1];
    const across = top > 0;
    Object.assign(this.line.style, {
      left: `${left / ratio - (across ? 0 : 1)}px`, top: `${top / ratio - (across ? 1 : 0)}px`,
      width: across ? `${width / ratio}px` : "2px", height: across ? "2px" : `${height / ratio}px`,
    });
  }
}
