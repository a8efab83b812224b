"""Draw tile layers as text, a line for each row, for people and diffs.

The sign `#` is a tile that blocks walking and sight, `~` blocks only walking, `+` only sight, and
`.` neither. A cell whose id the legend lacks is a blank.

`preview_text` draws a level for people: each kind of tile has its own sign, objects are letters,
and a legend follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
from numpy.typing import NDArray

from exporter.formats import FormatOptions, format
from exporter.model.level import Layer, Level, PlacedObject, Tile

# By (walkable, opaque).
_LETTERS = {(False, True): "#", (True, False): ".", (False, False): "~", (True, True): "+"}
# For tiles that are not the first of their kind.
_FURTHER = ",:;\"'=%&*^-|!/$_<>(){}[]`" + digits
_OBJECTS = ascii_uppercase + ascii_lowercase
_VIEWER = "@"
_MANY = "?"
_LINE = 78

Glyphs = NDArray[np.uint8]


@format("text", kind="tilemap", suffix="txt", each="tiles")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return `layer` as text, a character for each cell."""
    signs = {tile.id: _LETTERS[tile.walkable, tile.opaque] for tile in layer.tiles}
    return _lines(_drawn(layer, signs))


def preview_text(
    level: Level,
    layer: Layer,
    *,
    at: tuple[int, int] | None = None,
    view: tuple[int, int, int, int] | None = None,
) -> str:
    """Draw a layer of a level as text, with its objects and a legend.

    Args:
        level: The level; its objects are drawn over the layer.
        layer: A layer of tiles, one for each cell of the level.
        at: A cell (x, y) to look from, drawn as `@`; cells that are not visible from there are
            blank.
        view: The rectangle (x, y, width, height) in cells to show instead of everything.

    Returns:
        A line for each row of cells, an empty line, then the legend.

    Raises:
        ValueError: `at` is given but the level has no visibility, `at` or `view` lies outside the
            level, or the layer is not a tile layer of the level's size.
    """
    if layer.kind != "tiles" or not layer.grid_aligned:
        raise ValueError(f"{layer.name!r} is not a tile layer of the level's size")
    left, top, width, height = view or (0, 0, level.width, level.height)
    inside = left >= 0 and top >= 0 and width > 0 and height > 0
    if not inside or left + width > level.width or top + height > level.height:
        raise ValueError(
            f"the view {view} is outside the level of {level.width} x {level.height} cells"
        )
    signs = tile_signs(layer.tiles)
    letters = _object_letters(level.objects)
    seen = _visible_cells(level, at)
    drawn = _drawn(layer, signs)
    # The first object of a cell is drawn last, over the others.
    for thing in reversed(level.objects):
        drawn[thing.y, thing.x] = ord(letters[thing.name])
    drawn[~seen] = ord(" ")
    if at is not None:
        drawn[at[1], at[0]] = ord(_VIEWER)
    area = (slice(top, top + height), slice(left, left + width))
    displayed = seen[area]
    present = set(np.unique(layer.cells[area][displayed]).tolist())
    tiles = [f"{signs[tile.id]} {tile.name}" for tile in layer.tiles if tile.id in present]
    here = [
        thing
        for thing in level.objects
        if left <= thing.x < left + width
        and top <= thing.y < top + height
        and seen[thing.y, thing.x]
    ]
    legend = [*_wrap(tiles), *_wrap(_object_words(here, letters))]
    if at is not None:
        legend.append(f"{_VIEWER} the viewer at {at[0]},{at[1]}; cells it does not see are blank")
    return _lines(drawn[area]).decode("ascii") + "\n" + "".join(f"{line}\n" for line in legend)


def tile_signs(tiles: Iterable[Tile]) -> dict[int, str]:
    """Return the character that draws each tile, by tile id.

    A tile called `floor` is `.`, one called `wall` is `#`. Other tiles get the sign of their kind
    (`~` blocks only walking, `+` only sight, `#` both, `.` neither) if no tile has it, or else an
    unused sign. If none is left, they get `?`.
    """
    tiles = tuple(tiles)
    signs: dict[int, str] = {}
    # Tiles called `floor` and `wall` come first: lava may precede the floor in a legend.
    for named in (True, False):
        for tile in tiles:
            sign = _LETTERS[tile.walkable, tile.opaque]
            expected = tile.name in ("floor", "wall") if named else True
            if expected and tile.id not in signs and sign not in signs.values():
                signs[tile.id] = sign
    left = iter(_FURTHER)
    return {tile.id: signs.get(tile.id) or next(left, _MANY) for tile in tiles}


def _object_letters(objects: Iterable[PlacedObject]) -> dict[str, str]:
    """Return a letter for each object name, in the order of the objects.

    If there are more names than letters, the others get `?`.
    """
    names = dict.fromkeys(thing.name for thing in objects)
    letters = iter(_OBJECTS)
    return {name: next(letters, _MANY) for name in names}


def _object_words(objects: Iterable[PlacedObject], letters: dict[str, str]) -> list[str]:
    """Return the legend of `objects`: letter, name and count for each name."""
    counts: dict[str, int] = {}
    for thing in objects:
        counts[thing.name] = counts.get(thing.name, 0) + 1
    return [
        f"{letters[name]} {name}" + (f" ({count})" if count > 1 else "")
        for name, count in counts.items()
    ]


def _visible_cells(level: Level, at: tuple[int, int] | None) -> NDArray[np.bool_]:
    """Return the cells visible from `at`: bool [height, width].

    If `at` is None, all cells count as visible.

    Raises:
        ValueError: The level has no visibility, or `at` lies outside.
    """
    if at is None:
        return np.ones((level.height, level.width), bool)
    if level.visibility is None:
        raise ValueError(
            f"level {level.name!r} has no visibility, so the view from {at} cannot be drawn"
        )
    if not (0 <= at[0] < level.width and 0 <= at[1] < level.height):
        raise ValueError(f"{at} is outside the level of {level.width} x {level.height} cells")
    seen: NDArray[np.bool_] = level.visibility.visible_from(*at)
    return seen


def _drawn(layer: Layer, signs: dict[int, str]) -> Glyphs:
    """Return each cell's sign as an ASCII code: uint8 [height, width].

    `signs` has the sign of each tile id; cells with another id are blank.
    """
    table = np.full(65536, ord(" "), np.uint8)
    for number, sign in signs.items():
        table[number] = ord(sign)
    return table[layer.cells]


def _lines(drawn: Glyphs) -> bytes:
    height, width = drawn.shape
    lines = np.full((height, width + 1), ord("\n"), np.uint8)
    lines[:, :-1] = drawn
    return lines.tobytes()


def _wrap(words: list[str]) -> list[str]:
    """Join words to lines that are no wider than a terminal."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 2 + len(word) <= _LINE:
            lines[-1] += f"  {word}"
        else:
            lines.append(word)
    return lines
