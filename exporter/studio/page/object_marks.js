// @ts-check
/** The marks of objects by their names: a colour, and a shape for people who do not tell the colours apart. */

/** @typedef {{color: string, shape: number}} Mark */
/** @typedef {CanvasRenderingContext2D} Context */

const RIM = "#000a";
/**
 * Functions that outline each shape around a middle; each has about the area of the circle.
 * @type {((context: Context, x: number, y: number, radius: number) => void)[]}
 */
const SHAPES = [
  (context, x, y, radius) => context.arc(x, y, radius, 0, 2 * Math.PI),
  (context, x, y, radius) => outline(context, x, y, radius * 0.88, [[-1, -1], [1, -1], [1, 1], [-1, 1]]),
  (context, x, y, radius) => outline(context, x, y, radius * 1.25, [[0, -1], [1, 0], [0, 1], [-1, 0]]),
  (context, x, y, radius) => outline(context, x, y, radius * 1.2, [[0, -1], [1, 0.8], [-1, 0.8]]),
  (context, x, y, radius) => outline(context, x, y, radius * 1.2, [[0, 1], [-1, -0.8], [1, -0.8]]),
  (context, x, y, radius) => outline(context, x, y, radius * 1.15, [
    [-0.4, -1], [0.4, -1], [0.4, -0.4], [1, -0.4], [1, 0.4], [0.4, 0.4], [0.4, 1], [-0.4, 1], [-0.4, 0.4], [-1, 0.4], [-1, -0.4], [-0.4, -0.4],
  ]),
];
// Colours come again after 8 names, shapes after 6.
const SHAPE_COUNT = SHAPES.length;

/** The mark of the name at a place of the legend. @param {string} color @param {number} place @returns {Mark} */
export function markAt(color, place) {
  // After 24 names both would come again together.
  return { color, shape: (place + Math.floor(place / 24)) % SHAPE_COUNT };
}

/** @param {Context} context @param {Mark} mark @param {number} x @param {number} y its middle @param {number} radius */
export function drawMark(context, mark, x, y, radius) {
  context.beginPath();
  SHAPES[mark.shape](context, x, y, radius);
  context.fillStyle = mark.color;
  context.strokeStyle = RIM;
  context.lineWidth = 1;
  context.fill();
  context.stroke();
}

/** @param {Context} context @param {number} x @param {number} y @param {number} radius @param {number[][]} corners */
function outline(context, x, y, radius, corners) {
  for (const [dx, dy] of corners) context.lineTo(x + dx * radius, y + dy * radius);
  context.closePath();
}
