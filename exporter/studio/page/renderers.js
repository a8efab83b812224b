// @ts-check
/** Chooses how levels are drawn: with WebGL 2, or plainly where a browser lacks it. */

import { PlainRenderer } from "./plain_renderer.js";
import { Renderer } from "./renderer.js";

/** @param {HTMLCanvasElement} canvas @returns {Renderer | PlainRenderer} */
export function rendererOf(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true });
  // A canvas that was asked for WebGL in vain can still be drawn on.
  return gl ? new Renderer(gl) : new PlainRenderer(canvas);
}
