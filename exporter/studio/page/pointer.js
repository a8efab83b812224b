// @ts-check
/** Handles the pointer on the picture: pans and zooms, draws with the tool, pins and hovers. */

import { Hold } from "./hold.js";
import { Wheel } from "./wheel.js";

/** @typedef {{x: number, y: number}} Cell */

export class Pointer {
  /** @param {import("./viewer.js").Viewer} page */
  constructor(page) {
    const { picture, camera, tools } = page;
    /** @type {Map<number, Cell>} */
    const pointers = new Map();
    let moved = false;
    let drawing = false;
    /** Whether the pointer pans whatever the tool is: with Space, or by the middle button. */
    let panning = false;
    const space = new Hold("Space", picture, (held) => picture.classList.toggle("grab", held));
    const wheel = new Wheel();
    /** The part of the canvas in which the first pointer went down: drags go on from there. @type {{left: number, top: number} | null} */
    let part = null;
    /** @type {(event: PointerEvent | WheelEvent) => {x: number, y: number}} */
    const pixel = (event) => {
      const box = picture.getBoundingClientRect();
      const ratio = picture.width / box.width;
      const at = { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
      const { left, top } = (pointers.size ? part : null) ?? page.partAt(at);
      if (event.type === "pointerdown" && !pointers.size) part = { left, top };
      return { x: at.x - left, y: at.y - top };
    };
    picture.addEventListener("pointerdown", (event) => {
      picture.setPointerCapture(event.pointerId);
      const at = pixel(event);
      pointers.set(event.pointerId, at);
      moved = false;
      if (pointers.size > 1) {
        if (drawing) tools.cancel();
        drawing = false;
        return;
      }
      panning = space.held || event.button === 1;
      if (event.button === 1) event.preventDefault(); // the browser's own scrolling
      picture.classList.toggle("grabbed", panning);
      drawing = !panning && tools.down(camera.cellAt(at.x, at.y), event.button, event);
    });
    picture.addEventListener("pointermove", (event) => {
      const now = pixel(event);
      const before = pointers.get(event.pointerId);
      if (!before) return page.hoverAt(camera.cellAt(now.x, now.y));
      if (Math.hypot(now.x - before.x, now.y - before.y) < 4 && !moved) return;
      moved = true;
      if (drawing) {
        pointers.set(event.pointerId, now);
        const cell = camera.cellAt(now.x, now.y);
        tools.drag(cell);
        return page.hoverAt(cell);
      }
      if (pointers.size === 2) {
        const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
        const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        camera.zoomAt(factor, other.x, other.y);
      } else {
        camera.pan(now.x - before.x, now.y - before.y);
      }
      pointers.set(event.pointerId, now);
      page.redraw();
    });
    picture.addEventListener("pointerup", (event) => {
      const now = pixel(event);
      const cell = camera.cellAt(now.x, now.y);
      picture.classList.remove("grabbed");
      if (drawing) {
        drawing = false;
        pointers.delete(event.pointerId);
        page.hoverAt(cell);
        return tools.up(cell);
      }
      if (pointers.delete(event.pointerId) && !moved && !panning && pointers.size === 0) page.click(camera.cellAt(now.x, now.y));
    });
    picture.addEventListener("pointercancel", (event) => {
      pointers.delete(event.pointerId);
      picture.classList.remove("grabbed");
      if (drawing) tools.cancel();
      drawing = false;
    });
    picture.addEventListener("contextmenu", (event) => {
      if (tools.tool !== "look") event.preventDefault();
    });
    picture.addEventListener("pointerleave", () => page.hoverAt(null));
    picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      const at = pixel(event);
      const { pan, zoom } = wheel.motion(event);
      const ratio = picture.width / picture.getBoundingClientRect().width;
      if (zoom !== 1) camera.zoomAt(zoom, at.x, at.y);
      else camera.pan(pan[0] * ratio, pan[1] * ratio);
      page.redraw();
    }, { passive: false });
  }
}
