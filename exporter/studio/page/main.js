// @ts-check
/** Opens the page: finds out to which studio it belongs. */

import { faceOf } from "./face.js";
import { Page } from "./page.js";
import { rendererOf } from "./renderers.js";
import { tokenOf } from "./token.js";

const picture = /** @type {HTMLCanvasElement} */ (document.getElementById("picture"));
const page = new Page(picture, rendererOf(picture), tokenOf());
Object.assign(window, { levelExporter: faceOf(page) });
