// @ts-check
/** Opens the page of one level with the data in the file. */

import { byId, element } from "./elements.js";
import { readFrame } from "./frames.js";
import { LevelPage } from "./level_page.js";
import { readingOf } from "./reading.js";
import { rendererOf } from "./renderers.js";

/** The message in an element of the file; null without it. @param {string} id */
async function messageOf(id) {
  const place = byId(id);
  if (!place) return null;
  const bytes = Uint8Array.from(atob(place.textContent), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return readFrame(await new Response(inflated).arrayBuffer());
}

try {
  const picture = byId("picture");
  const page = new LevelPage(picture, rendererOf(picture), await messageOf("level"), await messageOf("overlay-data"));
  Object.assign(window, { levelExporter: Object.freeze(readingOf(page)) });
} catch (error) {
  const panel = byId("problems");
  panel.replaceChildren(element("pre", {}, `This file is damaged, or the browser is too old: ${error}`));
  panel.hidden = false;
}
