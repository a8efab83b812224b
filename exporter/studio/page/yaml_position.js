// @ts-check
/** Where a key of a spec's text is, and which key is at a position: also in a text that is being typed. */

/** @typedef {(string | number)[]} Path */
/** What is written at a position: `word` begins at `from`; `value` is true behind a key. @typedef {{path: Path, from: number, value: boolean}} Position */

const KEY = /^(\s*)((?:- +)*)(?:"([^"]*)"|'([^']*)'|([^\s#'"{}[\],&*!|>%@`-][^:#{}[\],]*?|-[^\s:#][^:#]*?))\s*:(?=\s|$)/;
const DASHES = /^(\s*)((?:- +)*)/;

/**
 * The key at the beginning of a line, after the dashes of list entries.
 * @param {string} text @returns {{key: string, column: number, end: number} | null} `end`: the column after the colon
 */
function keyOf(text) {
  const found = KEY.exec(text);
  if (!found) return null;
  return { key: found[3] ?? found[4] ?? found[5], column: found[1].length + found[2].length, end: found[0].length };
}

/**
 * The path of the block collection around a column of a line, by the indentation of the lines above.
 * @param {any} document of the editor @param {number} number of the line, from 1 @param {number} column
 * @returns {Path}
 */
export function blockPath(document, number, column) {
  /** @type {Path} */
  const path = [];
  let limit = column;
  /** The column of the dashes that are counted; -1 for none. */
  let counted = -1;
  for (let at = number; at > 0 && (limit > 0 || counted >= 0); at--) {
    const { text } = document.line(at);
    if (/^\s*(#|$)/.test(text)) continue;
    const key = keyOf(text);
    if (key && key.column < limit) {
      path.unshift(key.key);
      [limit, counted] = [key.column, -1];
    }
    const [, indentation, dashes] = /** @type {RegExpExecArray} */ (DASHES.exec(text));
    for (const dash of [...dashes.matchAll(/-/g)].reverse()) {
      const dashColumn = indentation.length + dash.index;
      if (dashColumn === counted) path[0] = Number(path[0]) + 1;
      else if (dashColumn < limit) {
        path.unshift(0);
        // The key of a list may stand in the same column as its dashes.
        [limit, counted] = [dashColumn + 0.5, dashColumn];
      }
    }
  }
  return path;
}

/**
 * @param {any} state of the editor @param {any} tree its syntax @param {number} at
 * @returns {Position | null} null in comments
 */
export function positionAt(state, tree, at) {
  const document = state.doc;
  /** @type {Path} */
  const path = [];
  /** @type {any} */ let outermost = null;
  let value = false;
  for (let node = tree.resolveInner(at, -1); node; node = node.parent) {
    if (node.name === "Comment") return null;
    const inside = node.from < at && (at < node.to || !/[}\]]/.test(state.sliceDoc(node.to - 1, node.to)));
    if (!inside || !/^Flow/.test(node.name)) continue;
    outermost = node;
    const own = childAt(node, at);
    if (node.name === "FlowSequence") path.unshift(own.commas);
    else {
      const colon = own.pair?.getChild(":");
      const behind = colon && at >= colon.to;
      if (behind) path.unshift(keyText(state, own.pair));
      if (path.length === (behind ? 1 : 0)) value = Boolean(behind);
    }
  }
  const word = /[\w.-]*$/.exec(state.sliceDoc(Math.max(0, at - 80), at))?.[0] ?? "";
  const from = at - word.length;
  if (outermost) {
    const line = document.lineAt(outermost.from);
    return { path: [...blockPath(document, line.number, outermost.from - line.from), ...path], from, value };
  }
  const line = document.lineAt(at);
  const key = keyOf(line.text);
  if (key && at - line.from >= key.end) {
    return { path: [...blockPath(document, line.number, key.column), key.key], from, value: true };
  }
  return { path: blockPath(document, line.number, from - line.from), from, value: false };
}

/** The pair of a flow collection at a position, and the commas before it. @param {any} node @param {number} at */
function childAt(node, at) {
  let [commas, pair] = [0, null];
  for (let child = node.firstChild; child && child.from < at; child = child.nextSibling) {
    if (child.name === ",") [commas, pair] = [commas + 1, null];
    else if (child.name === "Pair") pair = child;
  }
  return { commas, pair: /** @type {any} */ (pair) };
}

/** @param {any} state @param {any} pair @returns {string} */
function keyText(state, pair) {
  const key = pair.getChild("Key");
  return key ? state.sliceDoc(key.from, key.to).replace(/^(["'])(.*)\1$/, "$2") : "";
}

/**
 * The path of the key at a position; null if there is none.
 * @param {any} state @param {any} tree @param {number} at @returns {{path: Path, from: number, to: number} | null}
 */
export function keyAt(state, tree, at) {
  let key = tree.resolveInner(at, 1);
  while (key && key.name !== "Key") key = key.parent;
  if (!key || at > key.to) return null;
  const around = positionAt(state, tree, key.from);
  return around && { path: [...around.path, keyText(state, key.parent)], from: key.from, to: key.to };
}

/**
 * Where an entry of a text is; the nearest one around it where it has none of its own.
 * @param {any} state @param {any} tree @param {Path} path @returns {{from: number, to: number} | null}
 */
export function rangeOf(state, tree, path) {
  let found = null;
  let node = tree.topNode.getChild("Document");
  for (const key of path) {
    const collection = node && contentOf(node);
    const next = collection && entryOf(state, collection, key);
    if (!next) break;
    found = node = next;
  }
  return found && { from: found.from, to: found.to };
}

/** The collection that is the value of a node. @param {any} node */
function contentOf(node) {
  for (const name of ["BlockMapping", "BlockSequence", "FlowMapping", "FlowSequence"]) {
    const found = node.getChild(name);
    if (found) return found;
  }
  for (const name of ["Tagged", "Anchored"]) {
    const found = node.getChild(name);
    if (found) return contentOf(found);
  }
  return null;
}

/** @param {any} state @param {any} collection @param {string | number} key @returns {any} */
function entryOf(state, collection, key) {
  if (/Sequence$/.test(collection.name)) return collection.getChildren("Item")[Number(key)];
  return collection.getChildren("Pair").find((/** @type {any} */ pair) => keyText(state, pair) === String(key));
}
