// @ts-check
/** Makes a picture of a user small enough for a level: a pixel for a cell, and few colours. */

import { contextOf, element } from "./elements.js";

// A larger picture is made smaller, or it would be a level of millions of cells.
const SIDE = 96;
const KEPT_SIDE = 192;
const MOST_COLORS = 8;
const KEPT_COLORS = 16;
const ROUNDS = 6;

/** @param {Blob} file @returns {Promise<Uint8Array>} a PNG */
export async function levelPicture(file) {
  const bitmap = await createImageBitmap(file);
  const longer = Math.max(bitmap.width, bitmap.height);
  const scale = longer > KEPT_SIDE ? SIDE / longer : 1;
  const [width, height] = [bitmap.width, bitmap.height].map((one) => Math.max(1, Math.round(one * scale)));
  const canvas = element("canvas", { width, height });
  const context = contextOf(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  const image = context.getImageData(0, 0, width, height);
  reduce(image.data);
  context.putImageData(image, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new Uint8Array(await blob.arrayBuffer());
}

/** @param {Uint8Array} bytes */
export function base64Of(bytes) {
  let text = "";
  for (const one of bytes) text += String.fromCharCode(one);
  return btoa(text);
}

/** Leave few colours, those that stand for most pixels. @param {Uint8ClampedArray} pixels RGBA, in place */
function reduce(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    // What is clear is white: the paper.
    if (pixels[at + 3] < 128) pixels.fill(255, at, at + 3);
    pixels[at + 3] = 255;
    const color = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  if (counts.size <= KEPT_COLORS) return;
  const colors = [...counts].map(([color, count]) => ({ parts: [color >> 16, (color >> 8) & 255, color & 255], count }));
  const centres = chosen(colors);
  for (let round = 0; round < ROUNDS; round++) {
    const sums = centres.map(() => [0, 0, 0, 0]);
    for (const { parts, count } of colors) {
      const sum = sums[nearest(centres, parts)];
      parts.forEach((part, place) => { sum[place] += part * count; });
      sum[3] += count;
    }
    sums.forEach((sum, place) => { if (sum[3]) centres[place] = [0, 1, 2].map((part) => Math.round(sum[part] / sum[3])); });
  }
  for (let at = 0; at < pixels.length; at += 4) pixels.set(centres[nearest(centres, [...pixels.subarray(at, at + 3)])], at);
}

/** Colours to begin with: the most frequent one, then those that are far from the others and frequent. @param {{parts: number[], count: number}[]} colors */
function chosen(colors) {
  const centres = [colors.reduce((most, one) => (one.count > most.count ? one : most)).parts];
  while (centres.length < MOST_COLORS) {
    const next = colors.reduce((best, one) => {
      const worth = distance(centres[nearest(centres, one.parts)], one.parts) * Math.sqrt(one.count);
      return worth > best.worth ? { worth, parts: one.parts } : best;
    }, { worth: -1, parts: colors[0].parts });
    centres.push(next.parts);
  }
  return centres;
}

/** @param {number[][]} centres @param {number[]} parts */
function nearest(centres, parts) {
  let best = 0;
  for (let place = 1; place < centres.length; place++) if (distance(centres[place], parts) < distance(centres[best], parts)) best = place;
  return best;
}

/** @param {number[]} a @param {number[]} b */
function distance(a, b) {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
