// @ts-check
/** Colours of the canvases, out of the style sheet: the system's light or dark theme decides, or the user. */

import { storage } from "./elements.js";

const KEY = "level-exporter-theme";
const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

/**
 * Colours around a level, below it, and for black cells of a legend.
 * @typedef {{background: number[], ground: number[], solid: number[]}} GroundColors
 */

/** Take the theme that the user has chosen. */
export function applyTheme() {
  const chosen = storage()?.getItem(KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}

export function isDark() {
  return (document.documentElement.dataset.theme ?? (SYSTEM.matches ? "dark" : "light")) === "dark";
}

/** Choose the dark theme or the light one; the system's is followed again. @param {boolean} dark */
export function chooseTheme(dark) {
  if (dark === SYSTEM.matches) storage()?.removeItem(KEY);
  else storage()?.setItem(KEY, dark ? "dark" : "light");
  applyTheme();
}

/** @returns {GroundColors & {dark: number[], remembered: number[], unknown: number[], accent: string, good: string, bad: string, grid: string}} */
export function themeColors() {
  const style = getComputedStyle(document.documentElement);
  /** @type {(name: string) => string} */
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    background: numbers(value("--stage")),
    ground: numbers(value("--level")),
    solid: numbers(value("--solid")),
    dark: [0.02, 0.02, 0.05, 0.72],
    remembered: [0.02, 0.02, 0.05, 0.55],
    unknown: [0.02, 0.02, 0.05, 1],
    accent: value("--accent"),
    good: value("--good"),
    bad: value("--bad"),
    grid: value("--grid"),
  };
}

/** @param {string} color `#rrggbb` */
function numbers(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
}
