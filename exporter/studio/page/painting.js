// @ts-check
/** Drawing for scripts: a promise that ends when the picture, or the problems, of the drawn draft are shown. */

/** @typedef {{revision: number, done: (why: string | undefined) => void}} Painter */

export class Painting {
  /** @param {import("./tools.js").Tools} tools */
  constructor(tools) {
    this.tools = tools;
    /** @type {Painter[]} */
    this.painters = [];
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return {
      draft: ({ revision }) => { for (const one of this.painters) one.revision = Math.min(one.revision, revision); },
      problems: ({ revision }) => this.end((one) => one.revision <= revision, undefined),
      refused: ({ do: what, text }) => { if (what === "draw" || what === "restore") this.end(() => true, text); },
      welcome: () => this.end(() => true, "The connection broke: look whether the cells are drawn."),
    };
  }

  /**
   * @param {string} layer @param {[number, number][]} cells @param {string | null} tile its name; null restores the generated tiles
   * @returns {Promise<string | undefined>} the reason if nothing was drawn
   */
  paint(layer, cells, tile) {
    const why = this.tools.paint(layer, cells, tile);
    if (why || !cells.length) return Promise.resolve(why);
    return new Promise((done) => this.painters.push({ revision: Infinity, done }));
  }

  /** @param {(one: Painter) => boolean} which @param {string | undefined} why */
  end(which, why) {
    const ended = this.painters.filter(which);
    this.painters = this.painters.filter((one) => !ended.includes(one));
    for (const { done } of ended) done(why);
  }
}
