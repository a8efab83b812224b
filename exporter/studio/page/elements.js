// @ts-check
/** Makes elements of the page: text is always text, never markup. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties] attributes; functions are listeners (`onclick`)
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "className") made.className = String(value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else if (value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** @param {number} count @param {string} what */
export const countOf = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/**
 * A foldable part of a panel; the browser remembers whether it is folded.
 * @param {string} title
 * @param {Node[]} content
 * @param {boolean} [open]
 */
export function section(title, content, open = true) {
  const key = `level-exporter-fold-${title}`;
  const stored = storage()?.getItem(key) ?? null;
  const details = element("details", { open: stored === null ? open : stored === "open" },
    element("summary", {}, element("span", { className: "title" }, title)), ...content);
  details.addEventListener("toggle", () => {
    // A part that a search opened is not the user's choice.
    if (!details.closest("[data-finding]") && details.isConnected) storage()?.setItem(key, details.open ? "open" : "closed");
  });
  return details;
}

/** Put buttons at the headline of a part: in it they would be buttons in a button. @param {HTMLElement} part @param {Node[]} buttons */
export function withButtons(part, buttons) {
  return buttons.length ? element("div", { className: "section" }, part, ...buttons) : part;
}

/** Return the drawing context of a canvas; every browser has it. @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/** Return the browser's storage; null where there is none, as for some files opened from a disk. */
export function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);
