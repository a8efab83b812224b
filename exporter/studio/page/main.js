// @ts-check
/** Opens the page: finds out to which studio it belongs. */

import { Connection } from "./connection.js";
import { faceOf } from "./face.js";
import { fillIcons } from "./icons.js";
import { Page } from "./page.js";
import { rendererOf } from "./renderers.js";
import { applyTheme } from "./theme.js";
import { tokenOf } from "./token.js";

// The server answers while the page is put together, which listens before it can hear anything.
const connection = new Connection(tokenOf());
connection.connect();
applyTheme();
fillIcons();
const picture = /** @type {HTMLCanvasElement} */ (document.getElementById("picture"));
const page = new Page(picture, rendererOf(picture), connection);
Object.assign(window, { levelExporter: faceOf(page) });
