// @ts-check
/** Reads a shown level for scripts and tests. */

/** @param {import("./viewer.js").Viewer} page */
export function readingOf(page) {
  return {
    level: () => page.level && {
      name: page.level.name, width: page.level.width, height: page.level.height, ...page.level.world && { world: page.level.world },
      layers: page.level.layers.map((one) => one.name),
    },
    /** @param {string} layer @param {number} x @param {number} y */
    cell: (layer, x, y) => {
      const found = page.level?.layer(layer);
      return found && page.level ? page.level.value(found, x, y) : null;
    },
    /** @param {number} x @param {number} y */
    visibleFrom: (x, y) => page.level?.visibleFrom(x, y) ?? null,
    /** The overlay of the level: its name, and its text for a cell. */
    overlay: () => ({ name: page.overlays.layer.overlay?.name ?? "", problem: page.overlays.problem }),
    /** @param {number} x @param {number} y */
    overlayAt: (x, y) => page.overlays.told(x, y),
    /** How many hand edits the picture has. */
    edits: () => {
      const edits = page.level?.edits;
      return edits ? Object.values(edits.layers).reduce((sum, one) => sum + one, edits.objects) : 0;
    },
    objects: () => page.level?.objects.map(({ name, x, y }) => ({ name, x, y })) ?? [],
    walking: () => page.walk.on,
    /**
     * Look at a part of the level: the cell in the upper left corner, and pixels a cell.
     * @param {number} x @param {number} y @param {number} zoom
     */
    view: (x, y, zoom) => page.view(x, y, zoom),
  };
}
