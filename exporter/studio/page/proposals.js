// @ts-check
/** Shows what an agent has written into the open level's file, with the choice to keep it or to go back. */

import { element } from "./elements.js";

const MARKS = { both: "  ", mine: "+ ", theirs: "- " };

export class Proposals {
  /** @param {HTMLElement} panel @param {(message: import("./messages.js").Request) => unknown} send */
  constructor(panel, send) {
    this.panel = panel;
    this.send = send;
  }

  /** @returns {import("./messages.js").Handlers} */
  get handlers() {
    return { proposal: (event) => this.show(event), welcome: () => { this.panel.hidden = true; } };
  }

  /** @param {import("./messages.js").ProposalEvent} event */
  show({ values, lines }) {
    this.panel.hidden = lines.length === 0;
    const what = values === 0 ? "the text" : values === 1 ? "1 value" : `${values} values`;
    /** @param {"keep" | "back"} how */
    const decide = (how) => () => this.send({ do: "proposal", how });
    this.panel.replaceChildren(
      element("p", {}, `An agent changed ${what}.`),
      element("details", { open: true }, element("summary", {}, "Differences"),
        element("pre", {}, ...lines.map((line) => element("span", { className: line.side }, `${MARKS[line.side]}${line.text}\n`)))),
      element("div", { className: "choices" },
        element("button", { id: "keep-proposal", className: "main", onclick: decide("keep") }, "Keep"),
        element("button", { id: "undo-proposal", onclick: decide("back") }, "Back")),
    );
  }
}
