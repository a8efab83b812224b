// @ts-check
/** Opens the page: finds out to which studio it belongs. */

import { faceOf } from "./face.js";
import { fillIcons } from "./icons.js";
import { Page } from "./page.js";
import { rendererOf } from "./renderers.js";
import { applyTheme } from "./theme.js";
import { tokenOf } from "./token.js";

applyTheme();
fillIcons();
const picture = /** @type {HTMLCanvasElement} */ (document.getElementById("picture"));
const page = new Page(picture, rendererOf(picture), tokenOf());
Object.assign(window, { levelExporter: faceOf(page) });
