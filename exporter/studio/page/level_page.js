// @ts-check
/** The page of one level, in one file: it shows the data in the file and needs no server. */

import { byId } from "./elements.js";
import { Keyboard } from "./keyboard.js";
import { LevelTools } from "./level_tools.js";
import { LevelView } from "./level.js";
import { Overlays } from "./overlays.js";
import { Viewer } from "./viewer.js";

/** The level is shown as it is. @type {import("./viewer.js").ViewSteps} */
const NO_STEPS = { open: false, objects: true, shown: () => null, drawn: (layer) => layer, drawMarks: () => {} };

export class LevelPage extends Viewer {
  /**
   * @param {HTMLCanvasElement} picture
   * @param {import("./renderer.js").Renderer | import("./plain_renderer.js").PlainRenderer} renderer
   * @param {import("./messages.js").LevelEvent & {solo: string | null}} sent the message with the level
   * @param {(import("./messages.js").OverlayEvent & {summary: string}) | null} overlay the message with its overlay; null without one
   */
  constructor(picture, renderer, sent, overlay) {
    super(picture, renderer);
    this.overlays = new Overlays(renderer, {
      // The one overlay is here already.
      send: (message) => { if (overlay && "name" in message && message.name) this.overlays.receive(overlay); },
      redraw: () => this.look(), unfold: () => this.unfold("left"), selected: () => "",
    });
    this.steps = NO_STEPS;
    /** @type {LevelTools} */ this.tools = new LevelTools(byId("tools"), byId("pad"), this);
    if (overlay) {
      this.parts = [this.overlays];
      this.layers.more = [this.overlays.panel];
    }
    this.layers.solo = sent.solo;
    /** @type {Keyboard} */ this.keyboard = new Keyboard(this);
    this.listen();
    this.resize();
    this.showLevel(new LevelView(sent));
    if (!overlay) return;
    this.overlays.know([{ name: overlay.name, summary: overlay.summary, argument: "" }]);
    this.overlays.choose(overlay.name);
  }
}
