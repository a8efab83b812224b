// @ts-check
/** Icons: strokes in a square of 16, in the colour of the text around them. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} path @returns {SVGElement} */
export function icon(path) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 16 16");
  drawn.setAttribute("class", "icon");
  drawn.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  drawn.append(line);
  return drawn;
}
