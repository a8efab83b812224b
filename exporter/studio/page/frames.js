// @ts-check
/**
 * Binary messages of the studio: a line of JSON, then the arrays it speaks of. Where the JSON means
 * an array it has `{at, type, shape}`; reading puts a typed array there.
 */

/** @typedef {Uint8Array | Uint16Array | Int32Array} Cells */

/** @type {Record<string, Uint8ArrayConstructor | Uint16ArrayConstructor | Int32ArrayConstructor>} */
const TYPES = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array };

/**
 * @param {ArrayBuffer} message
 * @returns {any}
 */
export function readFrame(message) {
  const length = new DataView(message).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(message, 4, length));
  return withArrays(JSON.parse(text), message, 4 + length);
}

/**
 * @param {any} value
 * @param {ArrayBuffer} message
 * @param {number} first where the first array begins
 * @returns {any}
 */
function withArrays(value, message, first) {
  if (Array.isArray(value)) return value.map((one) => withArrays(one, message, first));
  if (value === null || typeof value !== "object") return value;
  if (isArray(value)) {
    const count = value.shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
    return new TYPES[value.type](message, first + value.at, count);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withArrays(one, message, first)]),
  );
}

/** Whether two arrays have the same bytes. @param {Uint8Array | undefined} one @param {Uint8Array | undefined} other */
export function sameBytes(one, other) {
  return one?.length === other?.length && (one?.every((byte, at) => byte === other?.[at]) ?? true);
}

/** @param {any} value */
function isArray(value) {
  return "at" in value && "shape" in value && value.type in TYPES;
}
