// @ts-check
/** The controls of the view in the corner of the picture: zoom, grid, map of the whole level, theme, help. */

import { element, storage } from "./elements.js";
import { icon } from "./icons.js";
import { chooseTheme, isDark } from "./theme.js";

// Of a tile as it is drawn: a zoom of 100 % shows each of its pixels.
const TILE = 16;
const GRID = "level-exporter-grid";

export class ViewBar {
  /** @param {HTMLElement} bar @param {import("./page.js").Page} page */
  constructor(bar, page) {
    this.page = page;
    this.percent = element("button", { className: "quiet percent", id: "zoom", title: "Fit the level (0)", "aria-label": "Zoom: fit the level", onclick: () => page.fit() }, "100 %");
    /** @type {(id: string, name: Parameters<typeof icon>[0], title: string, action: () => void) => HTMLButtonElement} */
    const button = (id, name, title, action) => element("button", { className: "quiet", id, title, "aria-label": title.replace(/ \(.*/, ""), onclick: action }, icon(name));
    this.grid = button("grid", "grid", "Grid", () => this.setGrid(!page.marks.gridded));
    this.map = button("minimap-switch", "map", "Map of the whole level", () => page.minimap.toggle());
    this.theme = button("theme", "theme", "Light or dark", () => {
      chooseTheme(!isDark());
      page.recolor();
    });
    bar.append(button("zoom-out", "minus", "Zoom out (-)", () => page.zoom(1 / 1.5)), this.percent, button("zoom-in", "plus", "Zoom in (+)", () => page.zoom(1.5)),
      this.grid, this.map, this.theme, button("open-help", "help", "Keys (?)", () => page.help()));
    this.setGrid(storage()?.getItem(GRID) !== "off");
  }

  /** @param {boolean} on */
  setGrid(on) {
    this.page.marks.gridded = on;
    storage()?.setItem(GRID, on ? "on" : "off");
    this.grid.setAttribute("aria-pressed", String(on));
    this.page.redraw();
  }

  drawOver() {
    const { camera, minimap } = this.page;
    const percent = camera.zoom / TILE / (window.devicePixelRatio || 1) * 100;
    const text = `${percent < 1 ? percent.toPrecision(1) : Math.round(percent)} %`;
    if (this.percent.textContent !== text) this.percent.textContent = text;
    const pressed = String(minimap.on);
    if (this.map.getAttribute("aria-pressed") !== pressed) this.map.setAttribute("aria-pressed", pressed);
  }
}
