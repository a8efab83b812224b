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
  } else if (subject.kind === "lock") markLock(page, level, subject.name);
  else if (subject.kind === "room") {
    const room = level.layer(subject.layer)?.rooms[subject.index];
    if (room) marks.outline(room, camera, colors.accent);
  } else if (subject.kind === "edit") marks.frame(subject, camera, colors.accent, 2, LEAST);
}

/** Mark the cells behind a lock, the lock and its keys. @param {import("./page.js").Page} page @param {import("./level.js").LevelView} level @param {string} name */
function markLock({ marks, colors, canvasCamera: camera }, level, name) {
  const { context } = marks;
  context.fillStyle = colors.accent;
  level.mission?.behind[name]?.forEach((inside, at) => {
    if (!inside) return;
    const cell = { x: at % level.width, y: Math.floor(at / level.width) };
    // A pattern: it is seen on any ground, and the ground through it.
    context.globalAlpha = (cell.x + cell.y) % 2 ? 0.42 : 0.2;
    context.fillRect(...marks.at(cell, camera), camera.zoom, camera.zoom);
  });
  context.globalAlpha = 1;
  for (const lock of level.mission?.locks ?? []) {
    if (lock.name !== name) continue;
    for (const [x, y] of lock.cells) marks.frame({ x, y }, camera, colors.accent, 3, LEAST);
  }
  marks.dashed(level.objects.filter((one) => one.properties.opens === name).map(({ x, y }) => ({ x, y, width: 1, height: 1 })), camera);
}
