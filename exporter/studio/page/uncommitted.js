// @ts-check
/** Text typed into a field and not yet committed: it stays, and the browser's own undo serves it. */

const TEXTS = "textarea, input:not([type]), input[type=text], input[type=search], input[type=number]";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} TextField */

/** Whether keys write text there. @param {EventTarget | null} place @returns {place is TextField} */
export function takesText(place) {
  return place instanceof HTMLElement && place.matches(TEXTS);
}

/** Whether a field has text that was typed and is not taken. @param {EventTarget | null} place @returns {place is TextField} */
export function isUncommitted(place) {
  return takesText(place) && place.value !== place.defaultValue && place.value !== place.dataset.committed;
}

/** Commit the typed text of a field. @param {EventTarget | null} place */
export function take(place) {
  if (!isUncommitted(place)) return;
  place.blur();
  place.focus({ preventScroll: true });
}

/** Note which text was taken last in each field below. @param {HTMLElement} panel */
export function noteCommitted(panel) {
  panel.addEventListener("change", ({ target }) => {
    if (takesText(target)) target.dataset.committed = target.value;
  });
}

/**
 * Keep the focus, and the text that is being typed, while fields are drawn again.
 * @param {() => void} draw
 */
export function keepTyping(draw) {
  const before = document.activeElement;
  const id = before instanceof HTMLElement ? before.id : "";
  const typed = isUncommitted(before) ? before.value : null;
  const [start, end] = takesText(before) && before.type !== "number" ? [before.selectionStart, before.selectionEnd] : [null, null];
  draw();
  const after = id && !before?.isConnected ? document.getElementById(id) : null;
  if (!after) return;
  after.focus({ preventScroll: true });
  if (!takesText(after)) return;
  if (typed !== null) after.value = typed;
  if (start !== null && after.type !== "number") after.setSelectionRange(start, end);
}
