// @ts-check
/** The cells of what is drawn: brushes, rectangles, fills, mirrors. Nothing here knows the page. */

/** @typedef {{x: number, y: number}} Cell */
/** @typedef {{width: number, height: number}} Size */
/** Over which lines a drawing is mirrored: the vertical one in the middle (`x`), the horizontal one (`y`). @typedef {"" | "x" | "y" | "xy"} Mirror */

// More than the columns of any level, and of what is drawn beside it.
const ROW = 1 << 20;

/** Return cells without repetitions. @param {Cell[]} cells @returns {Cell[]} */
export function distinct(cells) {
  const seen = new Set();
  return cells.filter(({ x, y }) => {
    const key = x + y * ROW;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Return the cells under a square brush that is moved along some cells; a brush of even size reaches further left and up.
 * @param {Cell[]} cells @param {number} size
 */
export function brushed(cells, size) {
  if (size === 1) return cells;
  const least = -Math.floor(size / 2);
  const steps = Array.from({ length: size }, (_, at) => least + at);
  return distinct(cells.flatMap((one) => steps.flatMap((down) => steps.map((right) => ({ x: one.x + right, y: one.y + down })))));
}

/**
 * Return the smallest rectangle with two cells.
 * @param {Cell} from @param {Cell} to @returns {{x: number, y: number, width: number, height: number}}
 */
export function boxOf(from, to) {
  return {
    x: Math.min(from.x, to.x), y: Math.min(from.y, to.y),
    width: Math.abs(from.x - to.x) + 1, height: Math.abs(from.y - to.y) + 1,
  };
}

/** @param {{x: number, y: number}} box @param {Cell} cell @param {Size} size */
function onEdge({ x, y }, cell, { width, height }) {
  return cell.x === x || cell.y === y || cell.x === x + width - 1 || cell.y === y + height - 1;
}

/** Return the cells of a rectangle between two corners. @param {Cell} from @param {Cell} to @param {boolean} filled */
export function rectangle(from, to, filled) {
  const box = boxOf(from, to);
  const found = Array.from({ length: box.width * box.height }, (_, at) => ({ x: box.x + (at % box.width), y: box.y + Math.floor(at / box.width) }));
  return filled ? found : found.filter((one) => onEdge(box, one, box));
}

/**
 * Return the cells with the number of the first one that are joined to it by their sides.
 * @param {ArrayLike<number>} cells row by row @param {Size} size @param {Cell} from
 */
export function filled(cells, { width, height }, from) {
  if (from.x < 0 || from.y < 0 || from.x >= width || from.y >= height) return [];
  const first = from.y * width + from.x;
  const seen = new Uint8Array(width * height);
  seen[first] = 1;
  const found = [first];
  for (let next = 0; next < found.length; next++) {
    const at = found[next];
    const x = at % width;
    const beside = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
    for (const one of beside) {
      if (one < 0 || one >= seen.length || seen[one] || cells[one] !== cells[first]) continue;
      seen[one] = 1;
      found.push(one);
    }
  }
  return found.map((at) => ({ x: at % width, y: Math.floor(at / width) }));
}

/** Return cells and their images in the mirrors of a level. @param {Cell[]} cells @param {Size} size @param {Mirror} mirror */
export function mirrored(cells, { width, height }, mirror) {
  if (!mirror) return cells;
  let found = cells;
  if (mirror.includes("x")) found = [...found, ...found.map((one) => ({ x: width - 1 - one.x, y: one.y }))];
  if (mirror.includes("y")) found = [...found, ...found.map((one) => ({ x: one.x, y: height - 1 - one.y }))];
  return distinct(found);
}
