"""Draw a picture of the second level, with all differences marked.

Changed cells keep their colours inside a frame, all others are grey and darker. An added object has
a diamond around it, a removed object a cross in its former cell. A moved object has a line from a
small ring to a large one, and an object with changed properties a ring. Shapes and brightness
suffice without colours, and the colours are distinguishable with any colour vision (Okabe and Ito,
2008).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.explore.comparison.differences import LayerDifference, LevelDifference
from exporter.formats.images.png import encode_png
from exporter.formats.images.png_mark import mark_png
from exporter.formats.preview import preview_pixels
from exporter.model.level import Layer, Level

FRAME = (240, 228, 66)
ADDED = (86, 180, 233)
REMOVED = (240, 110, 20)
MOVED = (255, 255, 255)
_RIM = (16, 12, 20)
# A mark is at least so many pixels wide, so that it is visible even on small cells.
_SMALLEST_MARK = 11
# Cells smaller than this are tinted, as a frame would cover them.
_LEAST_FRAME = 3

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Cell = tuple[int, int]


def difference_picture(difference: LevelDifference, scale: int | None = None) -> bytes:
    """Return a PNG of the second level, with all differences marked.

    `scale` is the side of a cell in pixels, 1 to 64; None to choose by the size.

    Raises:
        ValueError: The picture would be longer than 16384 pixels.
    """
    picture, scale = preview_pixels(difference.now, scale=scale)
    changed = changed_cells(difference)
    objects = difference.objects
    if changed.any() or objects.added or objects.removed or objects.changed:
        bright = changed.copy()
        for item in (*objects.added, *(change.now for change in objects.changed)):
            bright[item.placed.y, item.placed.x] = True
        _hold_back(picture, ~bright, scale)
        _frame(picture, changed, scale)
    _mark_objects(picture, difference, scale)
    alpha = np.full((*picture.shape[:2], 1), 255, np.uint8)
    return mark_png(encode_png(np.concatenate([picture, alpha], axis=2), period=scale))


def changed_cells(difference: LevelDifference) -> Mask:
    """Return the cells to mark as changed, in the size of the second level.

    The mask is bool [height, width]. A cell is marked if it differs in one of the layers that the
    picture shows; if none of these layers differs, in any layer. Cells that the first level lacks
    count as changed.
    """
    now = difference.now
    displayed = {layer.name for level in (difference.was, now) for layer in level.seen_layers()}
    if not displayed:
        displayed = {layer.name for layer in now.height_layers()}
    changed = np.zeros((now.height, now.width), bool)
    masks = dict(layer_masks(difference))
    if not any(mask.any() for name, mask in masks.items() if name in displayed):
        displayed = set(masks)
    for name, mask in masks.items():
        if name in displayed:
            changed |= mask
    width, height = difference.compared
    changed[height:] = True
    changed[:, width:] = True
    return changed


def layer_masks(difference: LevelDifference) -> Iterator[tuple[str, Mask]]:
    """Yield each layer's name, with the mask of its cells that differ."""
    was, now = difference.was, difference.now
    for layer in difference.layers:
        yield layer.name, _spread(_mask_of(layer, now.layers[layer.name]), now)
    for level, names in ((now, difference.added_layers), (was, difference.removed_layers)):
        for name in names:
            yield name, _spread(_laid(level.layers[name]), now)


def _mask_of(layer: LayerDifference, now: Layer) -> Mask:
    """Return the cells in which a layer differs, in the size of `now`.

    Cells that the first level lacks count as different.
    """
    mask = np.ones(now.cells.shape, bool)
    if layer.cells is not None:
        height, width = layer.cells.mask.shape
        mask[:height, :width] = layer.cells.mask
    return mask


def _laid(layer: Layer) -> Mask:
    """Return the cells of a layer that are not empty."""
    if layer.kind == "heights":
        return np.ones(layer.cells.shape, bool)
    return layer.lookup([not tile.empty for tile in layer.tiles])


def _spread(mask: Mask, level: Level) -> Mask:
    """Resize a mask to a level's cells: a cell is true if any sample in it is."""
    for axis, length in enumerate((level.height, level.width)):
        samples = mask.shape[axis]
        first = np.arange(length, dtype=np.int64) * samples // length
        if samples > length:
            mask = np.logical_or.reduceat(mask, first, axis=axis)
        elif samples < length:
            mask = mask.take(first, axis=axis)
    return mask


def _hold_back(picture: Picture, cells: Mask, scale: int) -> None:
    """Make the chosen cells of a picture darker and nearly grey."""
    weights = np.array((77, 150, 29), np.int32)
    for row, line in enumerate(cells):
        band = picture[row * scale : (row + 1) * scale]
        chosen = np.repeat(line, scale)
        colors = band[:, chosen].astype(np.int32)
        grey = (colors @ weights)[..., None] >> 8
        band[:, chosen] = (colors + 3 * grey) * 9 >> 6


def _frame(picture: Picture, cells: Mask, scale: int) -> None:
    """Outline areas of the chosen cells on their inside; tint small cells."""
    if scale < _LEAST_FRAME:
        chosen = np.repeat(np.repeat(cells, scale, 0), scale, 1)
        picture[chosen] = (picture[chosen].astype(np.int32) + 3 * np.array(FRAME)) >> 2
        return
    line = max(1, scale // 8)
    height, width = cells.shape
    pixels = picture.reshape(height, scale, width, scale, 3)
    inside = np.pad(cells, 1)
    above, below = inside[:-2, 1:-1], inside[2:, 1:-1]
    left, right = inside[1:-1, :-2], inside[1:-1, 2:]
    for at in range(line):
        pixels[:, at][cells & ~above] = FRAME
        pixels[:, scale - 1 - at][cells & ~below] = FRAME
        pixels[:, :, :, at].swapaxes(1, 2)[cells & ~left] = FRAME
        pixels[:, :, :, scale - 1 - at].swapaxes(1, 2)[cells & ~right] = FRAME


def _mark_objects(picture: Picture, difference: LevelDifference, scale: int) -> None:
    """Mark moved and other changed objects, then removed, then added ones."""
    objects = difference.objects
    side = max(scale, _SMALLEST_MARK) | 1
    row, column = (axis - side // 2 for axis in np.mgrid[0:side, 0:side])
    distance = row * row + column * column
    radius, thick = side // 2, max(1, side // 10)

    def ring(outer: int) -> Mask:
        inner = max(outer - thick, 0)
        result: Mask = (distance <= outer * outer) & (distance > inner * inner)
        return result

    # Wider than the cell, so that the object inside is seen.
    reach = radius * 3 // 2
    down, across = (axis - reach for axis in np.mgrid[0 : 2 * reach + 1, 0 : 2 * reach + 1])
    away = np.abs(down) + np.abs(across)
    diamond = (away <= reach) & (away > reach - 2 * thick)
    cross = np.abs(np.abs(row) - np.abs(column)) <= thick // 2
    cross &= np.abs(row) < radius
    for item in objects.changed:
        was, now = item.was.placed, item.now.placed
        if item.moved:
            start, end = _centre((was.x, was.y), scale), _centre((now.x, now.y), scale)
            _draw_line(picture, start, end, radius)
            _draw(picture, ring(max(radius // 3, 2)), start, MOVED)
        _draw(picture, ring(radius), _centre((now.x, now.y), scale), MOVED)
    for removed in objects.removed:
        _draw(picture, cross, _centre((removed.placed.x, removed.placed.y), scale), REMOVED)
    for new in objects.added:
        _draw(picture, diamond, _centre((new.placed.x, new.placed.y), scale), ADDED)


def _centre(cell: Cell, scale: int) -> Cell:
    return cell[0] * scale + scale // 2, cell[1] * scale + scale // 2


def _draw(picture: Picture, mark: Mask, centre: Cell, color: tuple[int, int, int]) -> None:
    """Draw a mark around a pixel, with a dark rim of one pixel."""
    wide = np.pad(mark, 2)
    rim = np.zeros_like(wide)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            rim |= np.roll(wide, (dy, dx), (0, 1))
    for part, paint in ((rim, _RIM), (wide, color)):
        rows, columns = np.nonzero(part)
        _paint(picture, columns + centre[0], rows + centre[1], len(wide) // 2, paint)


def _draw_line(picture: Picture, start: Cell, end: Cell, short: int) -> None:
    """Draw a thin line with dark borders, `short` pixels shorter at its end."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    at = np.arange(steps + 1, dtype=np.int64)
    x, y = (a + (2 * at * (b - a) + steps) // (2 * steps) for a, b in zip(start, end, strict=True))
    outside = (x - end[0]) ** 2 + (y - end[1]) ** 2 >= short * short
    x, y = x[outside], y[outside]
    for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        _paint(picture, x + dx, y + dy, 0, _RIM)
    _paint(picture, x, y, 0, MOVED)


def _paint(
    picture: Picture,
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    back: int,
    color: tuple[int, int, int],
) -> None:
    """Paint the pixels at `x` and `y`, shifted `back` pixels left and up.

    Pixels outside the picture are left out.
    """
    x, y = x - back, y - back
    inside = (x >= 0) & (y >= 0) & (x < picture.shape[1]) & (y < picture.shape[0])
    picture[y[inside], x[inside]] = color
