// @ts-check
/** Icons: strokes in a square of 16, in the colour of the text around them. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} path @returns {SVGSVGElement} */
export function icon(path) {
  const drawn = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: "16", height: "16", class: "icon", "aria-hidden": "true" })) drawn.setAttribute(key, value);
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  drawn.append(line);
  return drawn;
}
