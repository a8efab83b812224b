// @ts-check
/** Text typed into a field and not yet committed: it stays, and the browser's own undo serves it. */

const TEXTS = "textarea, input:not([type]), input[type=text], input[type=search], input[type=number]";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} TextField */

/** Whether keys write text there. @param {EventTarget | null} place @returns {place is TextField} */
export function takesText(place) {
  return place instanceof HTMLElement && place.matches(TEXTS);
}

/** Whether keys that are letters belong to the thing that has the focus. @param {EventTarget | null} place */
export function takesKeys(place) {
  return takesText(place) || (place instanceof HTMLElement && place.matches("select, .text-editor"));
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

/** Show a text in a field, unless another one is being typed there. @param {TextField} field @param {string} text */
export function showText(field, text) {
  if (field === document.activeElement && isUncommitted(field)) return;
  if (field.value === text && field.defaultValue === text) return;
  field.defaultValue = text;
  field.value = text;
  delete field.dataset.committed;
}

/** Put the taken text of a field back in place of what was typed. @param {EventTarget | null} place @returns {boolean} whether there was any */
export function dropTyped(place) {
  if (!isUncommitted(place)) return false;
  place.value = place.dataset.committed ?? place.defaultValue;
  return true;
}
