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
/** @typedef {{text: string, number: number, changes: any, broken: boolean}} Sent */

export class TextDraft {
  /**
   * @param {any} codemirror
   * @param {{number: () => number, send: (message: import("./messages.js").TextRequest) => void, settled: () => void}} host `number` numbers the next change
   */
  constructor(codemirror, host) {
    this.host = host;
    this.remote = codemirror.Annotation.define();
    this.ChangeSet = codemirror.ChangeSet;
    /** @type {any} */ this.view = null;
    /** @type {DraftEvent | null} */ this.draft = null;
    /** The draft's text below all that is typed. */
    this.base = "";
    /** The text that the server has not answered yet. @type {Sent | null} */ this.sent = null;
    /** The changes typed since, or since the base. @type {any} */ this.typed = null;
    this.merge = "";
    this.last = 0;
  }

  get isLocked() {
    return !this.draft || this.draft.looking || this.base.length > LONGEST;
  }

  /** Whether the server has everything that was typed. */
  get isSettled() {
    return !this.sent && !this.typed;
  }

  /** The editor's text has changed, or the caret has. @param {any} update */
  updated(update) {
    if (update.transactions.some((/** @type {any} */ one) => one.annotation(this.remote))) return;
    if (!update.docChanged) {
      if (update.selectionSet) this.merge = "";
      return;
    }
    this.typed = this.typed ? this.typed.compose(update.changes) : update.changes;
    const now = performance.now();
    if (!this.merge || now - this.last > PAUSE) this.merge = `text ${Date.now()} ${steps++}`;
    this.last = now;
    this.send();
  }

  /** Send what was typed, unless an answer is awaited. */
  send() {
    if (!this.typed || this.sent || !this.draft) return;
    const [text, number] = [this.view.state.doc.toString(), this.host.number()];
    this.sent = { text, number, changes: this.typed, broken: false };
    this.typed = null;
    this.host.send({ do: "text", text, revision: this.draft.revision, merge: this.merge, number });
  }

  /** The server has answered again: it may never have got the text that was sent. */
  welcomed() {
    if (this.sent) this.sent.broken = true;
  }

  /** The server cannot take the text. */
  refused() {
    if (!this.sent) return;
    this.typed = this.typed ? this.sent.changes.compose(this.typed) : this.sent.changes;
    this.sent = null;
  }

  /** @param {DraftEvent} draft */
  show(draft) {
    const text = draft.text.replace(/\r\n?/g, "\n");
    const { sent } = this;
    const other = this.draft?.level !== draft.level;
    const before = this.draft?.revision;
    this.draft = draft;
    if (other) {
      this.sent = this.typed = null;
      this.base = text;
      this.replace({ from: 0, to: this.view.state.doc.length, insert: text });
      return this.host.settled();
    }
    const taken = sent !== null && draft.number >= sent.number;
    if (sent && !taken && !sent.broken && draft.revision === before) return;
    const below = sent && taken ? sent.text : this.base;
    if (!taken) this.refused();
    this.sent = null;
    this.base = text;
    const change = difference(below, text);
    if (change) {
      const changes = this.ChangeSet.of(change, below.length);
      this.replace(this.typed ? changes.map(this.typed) : changes, change);
      if (this.typed) this.typed = this.typed.map(changes, true);
    }
    if (this.typed) this.send();
    else this.host.settled();
  }

  /** @param {any} changes @param {{from: number, insert: string} | null} [shown] the change whose end is to be seen */
  replace(changes, shown = null) {
    const { view } = this;
    const end = shown && Math.min(shown.from + shown.insert.length, this.base.length);
    const follows = end !== null && !this.typed;
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
