"""Draw a picture of a level: tiles, relief, objects and visible cells.

Layers of the roles `play` and `picture` are painted over each other with the level's tileset,
reduced or enlarged to the scale. A level without such layers shows its first height layer as shaded
relief; without that, its other tile layers. Objects are small pictures, or dots where cells are
small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from exporter.formats import FormatOptions, format
from exporter.formats.images.png import encode_png
from exporter.formats.images.relief import shaded_relief
from exporter.formats.images.sprites import KIND_COLORS, KINDS, sprite, sprite_word
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import Tileset, level_tileset
from exporter.tilesets.styles import style_of

# Without a given scale, no side of a picture is longer. Drawn tiles of 16 pixels keep their shapes
# when they are halved.
_SIDE = 2048
_SCALES = (16, 8, 4, 2, 1)
_LARGEST = 16384
# Cells smaller than this show objects as dots.
_LEAST_SPRITE = 8
_BACKGROUND = (24, 22, 30)
# Unlit cells keep this share (of 256) of their brightness, and turn bluish.
_DARK = np.array((108, 114, 138), np.int32)
# The sprite of the viewer.
_VIEWER = "hero"

Picture = NDArray[np.uint8]

# Frames around cells of an overlay, by their message; later ones are drawn above.
FRAMES = {"edit": (250, 214, 76), "conflict": (226, 53, 60)}
# A level's cells with a frame: the kind of frame by column and row.
Frames = Mapping[tuple[int, int], str]


class ScaleError(ValueError):
    """Raised if a preview would have too many pixels.

    Also if the side of a cell in pixels is too small or too large.
    """


@format("preview", kind="preview", suffix="preview.png")
def write(level: Level, options: FormatOptions) -> bytes:
    """Return the preview of `level` as PNG."""
    return preview_picture(level)


def preview_picture(
    level: Level,
    *,
    scale: int | None = None,
    at: tuple[int, int] | None = None,
    view: tuple[int, int, int, int] | None = None,
    frames: Frames = MappingProxyType({}),
) -> bytes:
    """Draw `level` as a PNG.

    Args:
        level: The level to draw.
        scale: Side of a cell in pixels, 1 to 64; by default chosen from the size.
        at: A cell (x, y) to look from; cells that are not visible from there are darkened.
        view: The rectangle (x, y, width, height) in cells to show instead of everything.
        frames: The cells (x, y) to frame, with the kind of frame: `edit` or `conflict`.

    Raises:
        ValueError: `at` or `view` lies outside the level, `at` is given although the level has no
            visibility, or the picture would be longer than 16384 pixels.
    """
    picture, scale = preview_pixels(level, scale=scale, at=at, view=view)
    draw_frames(picture, frames, scale, (view or (0, 0))[:2])
    return picture_bytes(picture, scale)


def draw_frames(picture: Picture, frames: Frames, scale: int, corner: tuple[int, int]) -> None:
    """Draw frames around cells of `picture`, in place.

    `picture` is uint8 [height, width, 3], `scale` a cell's side in pixels, and `corner` the cell
    (x, y) in the upper left corner. `frames` has the kind of frame, `edit` or `conflict`, by cell
    (x, y).
    """
    left, top = corner
    for kind, color in FRAMES.items():
        for (x, y), expected in frames.items():
            if expected == kind:
                _frame(picture, x - left, y - top, scale, color)


def picture_bytes(picture: Picture, scale: int) -> bytes:
    """Encode `picture`, uint8 [height, width, 3], as PNG.

    `scale` is the side of a cell in pixels: where the picture may repeat, which helps to compress.
    """
    alpha = np.full((*picture.shape[:2], 1), 255, np.uint8)
    return encode_png(np.concatenate([picture, alpha], axis=2), period=scale)


def preview_pixels(
    level: Level,
    *,
    scale: int | None = None,
    at: tuple[int, int] | None = None,
    view: tuple[int, int, int, int] | None = None,
) -> tuple[Picture, int]:
    """Draw `level` as pixels; return them, and a cell's side in pixels.

    Args:
        level: The level to draw.
        scale: Side of a cell in pixels, 1 to 64; by default chosen from the size.
        at: A cell (x, y) to look from; cells that are not visible from there are darkened.
        view: The rectangle (x, y, width, height) in cells to show instead of everything.

    Raises:
        ValueError: `at` or `view` lies outside the level, `at` is given although the level has no
            visibility, or the picture would be longer than 16384 pixels.
    """
    left, top, width, height = view or (0, 0, level.width, level.height)
    inside = left >= 0 and top >= 0 and width > 0 and height > 0
    if not inside or left + width > level.width or top + height > level.height:
        raise ValueError(
            f"the view {view} is outside the level of {level.width} x {level.height} cells"
        )
    if scale is None:
        scale = next((side for side in _SCALES if side * max(width, height) <= _SIDE), 1)
    if not 1 <= scale <= 64 or scale * max(width, height) > _LARGEST:
        raise ScaleError(
            f"{scale} pixels per cell is out of range for {width} x {height} cells "
            f"(1 to {min(64, _LARGEST // max(width, height))})"
        )
    area = (slice(top, top + height), slice(left, left + width))
    picture = _ground(level, scale, area)
    _draw_objects(picture, level, scale, left, top)
    if at is not None:
        _darken(picture, _lit(level, at)[area], scale)
        viewer = sprite(_VIEWER, 0)
        _draw_thing(picture, at[0] - left, at[1] - top, scale, viewer, (255, 255, 255))
    return picture, scale


def _ground(level: Level, scale: int, area: tuple[slice, slice]) -> Picture:
    """Draw tiles or relief in `area`, slices of rows and columns; no objects."""
    rows, columns = area[0].stop - area[0].start, area[1].stop - area[1].start
    picture = np.empty((rows * scale, columns * scale, 3), np.uint8)
    picture[:] = _BACKGROUND
    layers, pictured = level.seen_layers(), level.exported()
    if not layers and not level.height_layers():
        layers, pictured = level.tile_layers(), level
    if layers:
        tileset = _tileset(pictured)
        stamps = _scale_pictures(tileset.pictures(), scale)
        for layer in layers:
            _paint_layer(picture, tileset, layer, area, stamps, scale)
    elif level.height_layers():
        heights = _reduce_heights(level.height_layers()[0])
        relief = shaded_relief(heights, style_of(level).relief)
        # The samples span the level: each pixel takes the nearest one.
        y = _nearest(area[0], scale, level.height, relief.shape[0])
        x = _nearest(area[1], scale, level.width, relief.shape[1])
        picture = relief[y[:, None], x]
    return picture


def _tileset(level: Level) -> Tileset:
    """Return the tileset of `level`, or a drawn one if its own does not fit.

    A level reduced to one layer may lack tiles that its tileset names, and a layer that no output
    has may have tiles without a picture.
    """
    try:
        return level_tileset(level)
    except ParameterError:
        style = level.tileset.options.style if level.tileset else None
        return level_tileset(replace(level, tileset=TilesetSource(TilesetOptions(style=style))))


def _reduce_heights(layer: Layer) -> Layer:
    step = -(-max(layer.cells.shape) // _SIDE)
    if step == 1:
        return layer
    rows, columns = (slice(min(step // 2, length - 1), None, step) for length in layer.cells.shape)
    return replace(layer, cells=layer.cells[rows, columns])


def _nearest(cells: slice, scale: int, length: int, samples: int) -> NDArray[np.int64]:
    """Return the index of the sample nearest to each pixel, along one axis.

    `cells` are the cells to draw and `scale` is a cell's side in pixels; along this axis the level
    has `length` cells, which `samples` samples span.
    """
    pixel = np.arange(cells.start * scale, cells.stop * scale, dtype=np.int64)
    nearest: NDArray[np.int64] = (2 * pixel + 1) * samples // (2 * length * scale)
    return nearest


def _scale_pictures(pictures: NDArray[np.uint8], scale: int) -> NDArray[np.int32]:
    """Scale square `pictures` to `scale` pixels: int32 [count, side, side, 4]."""
    size = pictures.shape[1]
    tiles = pictures.astype(np.int32)
    if scale == size:
        return tiles
    # The mean of the pixels under a new pixel; when enlarging, one of them.
    first = np.arange(scale) * size // scale
    last = np.maximum(first + 1, (np.arange(scale) + 1) * size // scale)
    sums = np.zeros((len(tiles), size + 1, size + 1, 4), np.int32)
    sums[:, 1:, 1:] = tiles.cumsum(axis=1).cumsum(axis=2)
    y0, y1, x0, x1 = first[:, None], last[:, None], first, last
    total = sums[:, y1, x1] - sums[:, y0, x1] - sums[:, y1, x0] + sums[:, y0, x0]
    means: NDArray[np.int32] = (total // ((y1 - y0) * (x1 - x0))[..., None]).astype(np.int32)
    return means


def _paint_layer(
    picture: Picture,
    tileset: Tileset,
    layer: Layer,
    area: tuple[slice, slice],
    stamps: NDArray[np.int32],
    scale: int,
) -> None:
    """Paint the cells of `layer` in `area` into the picture.

    `area` is slices of rows and columns; `stamps` has the tiles' pictures, whose side is `scale`
    pixels.
    """
    if scale == 1:
        _paint(picture, tileset.whole_numbers(layer)[area], stamps, scale)
        return
    rows, columns = area
    for drawing in tileset.drawings(layer):
        between = drawing.between_cells
        numbers = drawing.numbers[
            rows.start : rows.stop + between, columns.start : columns.stop + between
        ]
        _paint(picture, numbers, stamps, scale, scale // 2 if between else 0)


def _paint(
    picture: Picture,
    numbers: NDArray[np.int32],
    stamps: NDArray[np.int32],
    scale: int,
    first: int = 0,
) -> None:
    """Paint a grid of tiles over `picture`.

    `numbers` has the tile numbers, -1 for none; `stamps` the pictures of all tiles, int32 [tiles,
    scale, scale, 4]. The grid begins `first` pixels left of and above the picture.
    """
    for row, line in enumerate(numbers):
        top = row * scale - first
        band = picture[max(top, 0) : top + scale]
        tiles = np.where((line >= 0)[:, None, None, None], stamps[line], 0)
        pixels = tiles.swapaxes(0, 1).reshape(scale, -1, 4)[max(-top, 0) :]
        band[:] = _over(pixels[: len(band), first : first + picture.shape[1]], band)


def sprite_places(level: Level, first: Iterable[str] = ()) -> dict[str, tuple[str, int, int]]:
    """Return, for each kind of object of a level, the arguments of `sprite`.

    They are the name; the index of the name; and the index of the kind among those of the name.
    Both are counted in the order of the objects. The names in `first` are counted before all
    others, even if the level lacks them.
    """
    names = {name: position for position, name in enumerate(dict.fromkeys(first))}
    rows: dict[str, dict[str, int]] = {}
    places = {}
    for thing in level.objects:
        name = names.setdefault(thing.name, len(names))
        of_name = rows.setdefault(thing.name, {})
        places[thing.kind] = thing.name, name, of_name.setdefault(thing.kind, len(of_name))
    return places


def object_legend(level: Level, scale: int) -> list[str]:
    """Return a line for each object name, on how its objects are drawn.

    An example is `exit: stairs`. `scale` is the side of a cell in pixels.
    """
    lines: dict[str, str] = {}
    for name, kind, row in sprite_places(level).values():
        word = sprite_word(name, kind)
        if scale < _LEAST_SPRITE:
            word = f"{KIND_COLORS[(kind + row) % len(KINDS)]} dot"
        lines.setdefault(name, f"{name}: {word}")
    return list(lines.values())


def _draw_objects(picture: Picture, level: Level, scale: int, left: int, top: int) -> None:
    places = sprite_places(level)
    for thing in level.objects:
        name, kind, row = places[thing.kind]
        color = KINDS[(kind + row) % len(KINDS)][1]
        picture_of = sprite(name, kind, row)
        _draw_thing(picture, thing.x - left, thing.y - top, scale, picture_of, color)


def _draw_thing(
    picture: Picture,
    x: int,
    y: int,
    scale: int,
    thing: NDArray[np.uint8],
    color: tuple[int, int, int],
) -> None:
    """Draw an object into the cell (`x`, `y`): its picture, or a dot.

    The picture is `thing`; if cells are too small for it, the dot has the colour `color`.
    """
    if scale < _LEAST_SPRITE:
        _mark(picture, x, y, scale, color)
    elif 0 <= x < picture.shape[1] // scale and 0 <= y < picture.shape[0] // scale:
        cell = picture[y * scale : (y + 1) * scale, x * scale : (x + 1) * scale]
        cell[:] = _over(_scaled_sprite(thing, scale), cell)


def _scaled_sprite(thing: NDArray[np.uint8], scale: int) -> NDArray[np.int32]:
    picture = thing.copy()
    # Clear pixels have no colour: they must not darken the pixels they are mixed with.
    picture[..., :3][picture[..., 3] == 0] = picture[7, 7, :3]
    scaled: NDArray[np.int32] = _scale_pictures(picture[None], scale)[0]
    return scaled


def _over(above: NDArray[np.int32], below: Picture) -> NDArray[np.int32]:
    alpha = above[..., 3:]
    mixed: NDArray[np.int32] = (above[..., :3] * alpha + below * (255 - alpha)) // 255
    return mixed


def _mark(picture: Picture, x: int, y: int, scale: int, color: tuple[int, int, int]) -> None:
    """Draw a dot with a dark rim into the cell (`x`, `y`).

    It is at least 3 pixels wide, even if cells are smaller.
    """
    size = max(scale, 3)
    row, column = np.mgrid[0:size, 0:size]
    distance = (2 * row - size + 1) ** 2 + (2 * column - size + 1) ** 2
    # Twice the radius, squared: three quarters of the cell with the rim, a half inside.
    rim, inner = distance * 16 <= 9 * size * size, distance * 4 <= size * size
    first = (y * scale + (scale - size) // 2, x * scale + (scale - size) // 2)
    for part, paint in ((rim, (20, 16, 24)), (inner, color)):
        rows, columns = np.nonzero(part)
        rows, columns = rows + first[0], columns + first[1]
        seen = (rows >= 0) & (rows < len(picture)) & (columns >= 0)
        seen &= columns < picture.shape[1]
        picture[rows[seen], columns[seen]] = paint


def _frame(picture: Picture, x: int, y: int, scale: int, color: tuple[int, int, int]) -> None:
    if not (0 <= x < picture.shape[1] // scale and 0 <= y < picture.shape[0] // scale):
        return
    cell = picture[y * scale : (y + 1) * scale, x * scale : (x + 1) * scale]
    line = max(1, scale // 8)
    if scale <= 2 * line:
        cell[:] = color
        return
    for side in (cell[:line], cell[-line:], cell[:, :line], cell[:, -line:]):
        side[:] = color


def _lit(level: Level, at: tuple[int, int]) -> NDArray[np.bool_]:
    if level.visibility is None:
        raise ValueError(
            f"level {level.name!r} has no visibility, so the view from {at} cannot be drawn"
        )
    if not (0 <= at[0] < level.width and 0 <= at[1] < level.height):
        raise ValueError(f"{at} is outside the level of {level.width} x {level.height} cells")
    lit: NDArray[np.bool_] = level.visibility.visible_from(*at)
    return lit


def _darken(picture: Picture, lit: NDArray[np.bool_], scale: int) -> None:
    for row, line in enumerate(lit):
        band = picture[row * scale : (row + 1) * scale]
        dark = ~np.repeat(line, scale)
        band[:, dark] = (band[:, dark] * _DARK) >> 8
