// @ts-check
/** Marks on the map what is selected there. */

const LEAST = 10;

/** @param {import("./page.js").Page} page */
export function markSelection(page) {
  const { selection, marks, colors, level } = page;
  const { subject, thing } = selection;
  const camera = page.canvasCamera;
  if (!level || selection.level !== level) return;
  if (subject.kind === "objects" || subject.kind === "things") {
    for (const one of level.objects) {
      if (selection.pathOf(one) !== selection.path) continue;
      marks.frame(one, camera, colors.accent, one.id === thing?.id ? 3 : 1, LEAST);
    }
  } else if (subject.kind === "room") {
    const room = level.layer(subject.layer)?.rooms[subject.index];
    if (room) marks.outline(room, camera, colors.accent);
  } else if (subject.kind === "edit") marks.frame(subject, camera, colors.accent, 2, LEAST);
}
