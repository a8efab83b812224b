// @ts-check
/** The range of a slider: all allowed values, or the usual ones. */

// Steps of a range that has room for each of them.
const FINE = 200;
const LEAST_TOP = 20;

/**
 * The ends of a slider; null where the range is not known. Of a range that goes far beyond the value and the default it
 * covers about twice these, in round numbers, so that it stays as it is while the value changes a little.
 * @param {import("./schema.js").Field} field @param {number} value
 * @returns {[number, number] | null}
 */
export function sliderRange({ kind, least, most, fallback }, value) {
  if (least === null || most === null) return null;
  if (most - least <= FINE) return [least, most];
  const reach = Math.max(Math.abs(value), typeof fallback === "number" ? Math.abs(fallback) : 0);
  const top = reach > 0 ? roundAbove(2 * reach) : LEAST_TOP;
  const end = kind === "integer" ? Math.max(LEAST_TOP, top) : top;
  return [Math.max(least, -end), most > 2 * end && end > least ? end : most];
}

/** The next of 1, 2, 5, 10, 20, 50 ... @param {number} number more than 0 */
function roundAbove(number) {
  const unit = 10 ** Math.floor(Math.log10(number));
  const factor = [1, 2, 5, 10].find((one) => one * unit >= number) ?? 10;
  return Number((factor * unit).toPrecision(1));
}
