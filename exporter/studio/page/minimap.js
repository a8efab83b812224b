// @ts-check
/** A small map of a level that is larger than the view: it marks the part in view, and moves it. */

import { contextOf, element, storage } from "./elements.js";
import { cellColors, meansOf } from "./plain_renderer.js";

/** @typedef {import("./level.js").LevelView} LevelView */

const SIDE = 150;
// A level that changes all the time is drawn again when it rests.
const REST = 250;
const KEY = "level-exporter-minimap";

export class Minimap {
  /** @param {HTMLElement} stage @param {import("./page.js").Page} page */
  constructor(stage, page) {
    this.page = page;
    this.on = storage()?.getItem(KEY) !== "off";
    this.canvas = element("canvas", { role: "img", "aria-label": "Map of the whole level" });
    this.frame = element("div", { className: "minimap-frame" });
    this.node = element("div", {
      className: "minimap", hidden: true, title: "Click or drag to move the view",
      onpointerdown: (/** @type {PointerEvent} */ event) => { this.node.setPointerCapture(event.pointerId); this.move(event); },
      onpointermove: (/** @type {PointerEvent} */ event) => { if (this.node.hasPointerCapture(event.pointerId)) this.move(event); },
    }, this.canvas, this.frame);
    stage.append(this.node);
    this.drawn = "";
    /** The overview of a world that is drawn. @type {import("./world_view.js").Overview | null} */
    this.laid = null;
    this.placed = "";
    this.resting = 0;
  }

  toggle() {
    this.on = !this.on;
    storage()?.setItem(KEY, this.on ? "on" : "off");
    this.page.redraw();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { level, camera } = this.page;
    if (!level) return;
    const box = this.canvas.getBoundingClientRect();
    const { x, y, width, height } = level.whole;
    camera.centre(x + (event.clientX - box.left) / box.width * width, y + (event.clientY - box.top) / box.height * height);
    this.page.redraw();
  }

  drawOver() {
    const { level, camera, halves } = this.page;
    const shown = this.on && level !== null && halves === null && !camera.holds(level?.whole);
    if (this.node.hidden === shown) this.node.hidden = !shown;
    if (!shown || !level) return;
    const { x, y, width, height } = level.whole;
    const place = [(camera.x - x) / width, (camera.y - y) / height, camera.width / camera.zoom / width, camera.height / camera.zoom / height].map((one) => `${(one * 100).toFixed(1)}%`);
    if (place.join() !== this.placed) {
      this.placed = place.join();
      const [left, top, wide, high] = place;
      Object.assign(this.frame.style, { left, top, width: wide, height: high });
    }
    const { overview } = this.page.world;
    if (level.world) return this.lay(level.whole, overview);
    const layers = level.layers.filter((one) => this.page.layers.shown(one).visible).map((one) => one.name);
    const state = JSON.stringify([level.id, level.revision, level.drawn, layers, this.page.colors.ground]);
    if (state === this.drawn) return;
    this.drawn = state;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.paint(level, new Set(layers)), this.canvas.dataset.level === level.id ? REST : 0);
  }

  /** @param {{width: number, height: number}} whole of a world @param {import("./world_view.js").Overview | null} overview */
  lay(whole, overview) {
    if (this.laid === overview && overview) return;
    this.laid = overview;
    this.drawn = "";
    const [width, height] = this.sizeOf(whole);
    Object.assign(this.canvas, { width, height });
    if (overview) contextOf(this.canvas).drawImage(overview.canvas, 0, 0, whole.width / overview.step, whole.height / overview.step, 0, 0, width, height);
  }

  /** The pixels of a map. @param {{width: number, height: number}} level @returns {number[]} */
  sizeOf(level) {
    const scale = SIDE / Math.max(level.width, level.height);
    return [level.width, level.height].map((one) => Math.max(1, Math.round(one * scale)));
  }

  /** Draw one cell for each pixel. @param {LevelView} level @param {Set<string>} shown the names of layers */
  paint(level, shown) {
    const [width, height] = this.sizeOf(level);
    Object.assign(this.canvas, { width, height });
    this.canvas.dataset.level = level.id;
    const context = contextOf(this.canvas);
    const image = context.createImageData(width, height);
    const { ground, solid } = this.page.colors;
    for (let at = 0; at < image.data.length; at += 4) image.data.set([...ground.map((one) => one * 255), 255], at);
    const means = meansOf(level);
    for (const layer of [...level.layers].sort((a, b) => Number(a.kind === "tiles") - Number(b.kind === "tiles"))) {
      if (!shown.has(layer.name)) continue;
      const colorOf = cellColors(layer, means, solid.map((one) => Math.round(one * 255)));
      for (let y = 0; y < height; y++) {
        const row = Math.floor((y + 0.5) / height * layer.height) * layer.width;
        for (let x = 0; x < width; x++) {
          const color = colorOf(row + Math.floor((x + 0.5) / width * layer.width));
          const to = (y * width + x) * 4;
          for (let part = 0; part < 3; part++) image.data[to + part] += (color[part] - image.data[to + part]) * color[3] / 255;
        }
      }
    }
    context.putImageData(image, 0, 0);
  }
}
