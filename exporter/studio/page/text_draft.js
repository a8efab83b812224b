// @ts-check
/**
 * Keeps the text of the editor and the server's draft equal. What is typed goes to the server, one text at a time; a change of
 * the draft made elsewhere comes into the editor below what is being typed. The server has the history.
 */

/** A pause after which typing is another step for undo. */
const PAUSE = 1000;
/** Texts beyond are not edited here: a message holds no more. */
const LONGEST = 400_000;
let steps = 0;

/** @typedef {import("./messages.js").DraftEvent} DraftEvent */
/** Changes of the text, and what they have in common with others of one step for undo. @typedef {{changes: any, merge: string}} Piece */
/** The text that was sent last; `broken`: the connection broke since. @typedef {{text: string, number: number, broken: boolean}} Sent */

export class TextDraft {
  /**
   * @param {any} codemirror
   * @param {{number: () => number, send: (message: import("./messages.js").TextRequest) => void, taken: () => void}} host `number` numbers the next change
   */
  constructor(codemirror, host) {
    this.host = host;
    this.remote = codemirror.Annotation.define();
    this.ChangeSet = codemirror.ChangeSet;
    /** @type {any} */ this.view = null;
    /** @type {DraftEvent | null} */ this.draft = null;
    /** The draft's text below all that is typed. */
    this.base = "";
    /** What was typed on it, each piece on the one before. The first is the one that was sent. @type {Piece[]} */ this.pieces = [];
    /** @type {Sent | null} */ this.sent = null;
    this.merge = "";
    this.last = 0;
  }

  get isLocked() {
    return !this.draft || this.draft.looking || this.base.length > LONGEST;
  }

  /** The editor's text has changed, or the caret has. @param {any} update */
  updated(update) {
    if (update.transactions.some((/** @type {any} */ one) => one.annotation(this.remote))) return;
    if (!update.docChanged) {
      if (update.selectionSet) this.merge = "";
      return;
    }
    const now = performance.now();
    if (!this.merge || now - this.last > PAUSE) this.merge = `text ${Date.now()} ${steps++}`;
    this.last = now;
    const last = this.pieces[this.pieces.length - 1];
    const isSent = this.sent && this.pieces.length === 1;
    if (!last || isSent || last.merge !== this.merge) this.pieces.push({ changes: update.changes, merge: this.merge });
    else last.changes = last.changes.compose(update.changes);
    this.send();
  }

  /** What is typed from now on comes after a message. @returns {number} how many texts come before it */
  close() {
    this.merge = "";
    return this.pieces.length;
  }

  /** Send what was typed, unless an answer is awaited. */
  send() {
    if (!this.pieces.length || this.sent || !this.draft) return;
    const [{ changes, merge }] = this.pieces;
    const text = changes.apply(this.view.state.toText(this.base)).toString();
    const number = this.host.number();
    this.sent = { text, number, broken: false };
    this.host.send({ do: "text", text, revision: this.draft.revision, merge, number });
  }

  /** The server has answered again: it may never have got the text that was sent. */
  welcomed() {
    if (this.sent) this.sent.broken = true;
  }

  /** The server cannot take the text: it is sent again with what is typed next. */
  refused() {
    this.sent = null;
    this.pieces = this.pieces.slice(0, 1).map(({ changes, merge }) => (
      { changes: this.pieces.slice(1).reduce((all, piece) => all.compose(piece.changes), changes), merge }));
    this.merge = this.pieces[0]?.merge ?? "";
  }

  /** @param {DraftEvent} draft */
  show(draft) {
    const text = draft.text.replace(/\r\n?/g, "\n");
    const { sent } = this;
    const isOther = this.draft?.level !== draft.level;
    const before = this.draft?.revision;
    this.draft = draft;
    const isTaken = sent !== null && draft.number >= sent.number;
    // It is still on its way.
    if (sent && !isTaken && !sent.broken && draft.revision === before && !isOther) return;
    this.sent = null;
    if (isOther) {
      this.pieces = [];
      this.base = text;
      return this.replace({ from: 0, to: this.view.state.doc.length, insert: text });
    }
    const below = isTaken ? sent.text : this.base;
    if (isTaken) this.pieces.shift();
    this.base = text;
    const change = difference(below, text);
    if (change) {
      let changes = this.ChangeSet.of(change, below.length);
      for (const piece of this.pieces) {
        const typed = piece.changes;
        piece.changes = typed.map(changes, true);
        changes = changes.map(typed);
      }
      this.replace(changes, change);
    }
    if (isTaken) this.host.taken();
    this.send();
  }

  /** @param {any} changes @param {{from: number, insert: string} | null} [shown] the change whose end is to be seen */
  replace(changes, shown = null) {
    const { view } = this;
    const end = shown && Math.min(shown.from + shown.insert.length, this.base.length);
    const follows = end !== null && !this.pieces.length;
    const head = shown && follows && view.hasFocus ? { anchor: end } : undefined;
    view.dispatch({ changes, annotations: this.remote.of(true), selection: head, scrollIntoView: Boolean(head) });
    if (follows && !head) view.dispatch({ effects: view.constructor.scrollIntoView(end, { y: "nearest" }) });
  }
}

/**
 * The one stretch in which two texts differ; null if they are equal.
 * @param {string} before @param {string} after @returns {{from: number, to: number, insert: string} | null}
 */
export function difference(before, after) {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
