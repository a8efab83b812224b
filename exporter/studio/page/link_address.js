// @ts-check
/**
 * Links as addresses: `#link=LEVEL&view=X,Y,PIXELS&PATH=VALUE&...`. The texts of paths and values
 * are the server's (`links.py`): here they are only put together and taken apart.
 */

/** @typedef {{x: number, y: number, pixels: number}} View the cell in the middle, and pixels a cell */
/** @typedef {{level: string, view: View | null, pairs: [string, string][]}} Link */

const BEGIN = "#link=";
/** The longest link in characters; browsers and mail take few that are longer. */
export const LONGEST_LINK = 1 << 16;
const NUMBER = "(-?\\d{1,6}(?:\\.\\d{1,4})?)";
const VIEW = new RegExp(`^${NUMBER},${NUMBER},${NUMBER}$`);

/** @param {string} hash of an address */
export function isLink(hash) {
  return hash.startsWith(BEGIN);
}

/** @param {Link} link @returns {string} the part of the address from `#` */
export function linkHash({ level, view, pairs }) {
  const told = view ? [`view=${[view.x, view.y, view.pixels].map((one) => Number(one.toFixed(4))).join(",")}`] : [];
  let hash;
  try {
    hash = [`${BEGIN}${encoded(level)}`, ...told, ...pairs.map(([path, value]) => `${encoded(path)}=${encoded(value)}`)].join("&");
  } catch {
    throw new Error("A name in the spec has characters that no address can have.");
  }
  if (hash.length > LONGEST_LINK) throw new Error("The changes are too long for a link: save the spec, and send the file.");
  return hash;
}

/** @param {string} hash @returns {Link} */
export function readLink(hash) {
  if (hash.length > LONGEST_LINK) throw new Error(`The link was not opened: it is longer than ${LONGEST_LINK} characters.`);
  /** @type {[string, string][]} */
  const parts = [];
  try {
    for (const part of hash.slice(1).split("&")) {
      const at = part.indexOf("=");
      // An empty value removes a setting: a key without a value means that the link was cut off.
      if (at < 0) throw new URIError();
      parts.push([decodeURIComponent(part.slice(0, at)), decodeURIComponent(part.slice(at + 1))]);
    }
  } catch {
    throw new Error("The link was not opened: a part of it is missing or damaged.");
  }
  const [[, level], ...rest] = parts;
  const found = rest[0]?.[0] === "view" ? VIEW.exec(rest[0][1]) : null;
  const view = found && Number(found[3]) > 0 ? { x: Number(found[1]), y: Number(found[2]), pixels: Number(found[3]) } : null;
  return { level, view, pairs: rest[0]?.[0] === "view" ? rest.slice(1) : rest };
}

/** A text in an address: readable where that is safe, and nothing that ends a link in a message. @param {string} text */
function encoded(text) {
  return encodeURIComponent(text).replace(/%(2F|2C|3A|40)/g, decodeURIComponent)
    .replace(/[!'()*~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
