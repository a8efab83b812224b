"""Decide what the tiles of a hand-made map mean.

First the spec's `legend` decides, by the tile's number in the map. Then the tile's own name
decides, from its property `tile` or its class, if it is the name of a usual tile (`wall`) or the
tile has the properties `walkable` and `opaque`. Otherwise an error names the tile and its position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.handmade.legend import EMPTY, USUAL_TILES, Legend, TileOptions, cells_of, tile_of
from exporter.handmade.maps import HandLayer, HandTile
from exporter.model.errors import ParameterError
from exporter.model.level import Tile
from exporter.model.suggestions import did_you_mean, suggestions, unknown_name

Path = tuple[str | int, ...]
Cells = NDArray[np.uint8] | NDArray[np.uint16]
# A spec's description of a tile: a usual name, or all of it.
Meaning = str | TileOptions

# The properties of a tile that give its meaning.
MEANING = ("tile", "walkable", "opaque")
# Where a spec has the meanings of numbers, for errors.
_LEGEND = ("legend",)
# Numbers of tiles up to which a table is smaller than sorting the cells takes.
TABLE = 1 << 20
_BLOCK_ROWS = 256
# Kinds of tiles in one layer; ids have 16 bits, and one is for cells without a tile.
MAXIMUM_TILES = 65535
# Characters of the name of a tile.
MAXIMUM_NAME = 64
# Unknown tiles that one message names.
NAMED = 4


def layer_tiles(
    layer: HandLayer, legend: Mapping[int, Meaning], fill: Meaning = EMPTY
) -> tuple[Cells, tuple[Tile, ...]]:
    """Return the cells of `layer` as tile ids, and the tiles by ascending id.

    The ids are uint8 or uint16 [height, width]. Id 0 is `fill`, the tile for cells without one. The
    other tiles follow, ordered by their number in the map. `legend` has the spec's meanings of
    these numbers.

    Raises:
        ParameterError: A tile has no meaning, or two tiles of one name differ; its path is the
            parameter `legend`. For an unknown name in `legend`, its path is that entry.
    """
    known = Legend((tile_of(usual(fill, ("fill",))),))
    described = {
        # Keys of a spec are texts.
        number: usual(meaning, (*_LEGEND, str(number)))
        for number, meaning in legend.items()
    }
    numbers = used_numbers(layer.cells)
    unknown: list[int] = []
    if len(numbers) > MAXIMUM_TILES:
        raise ParameterError(
            f"the layer {layer.name!r} has {len(numbers)} kinds of tiles "
            f"(allowed: {MAXIMUM_TILES})",
            _LEGEND,
        )
    ids = np.zeros(len(numbers), np.int32)
    for position, number in enumerate(numbers.tolist()):
        if number == 0:
            continue
        reported = layer.tiles.get(number, HandTile())
        options = described.get(number) or meaning_of(reported)
        if options is None:
            unknown.append(number)
            continue
        ids[position] = known.add(options)
        _check_same(
            known.find(options.name), options, _describe_tile(number, reported), layer, number
        )
    if unknown:
        raise ParameterError(_unknown_tiles_message(layer, unknown), _LEGEND)
    return cells_of(_replace_numbers(layer.cells, numbers, ids)), known.tiles


def usual(meaning: Meaning, path: Path) -> TileOptions:
    """Return the options of the tile that `meaning`, in a spec, describes.

    `meaning` is the name of a usual tile, such as `wall`, or the options themselves. `path` is
    where it is in the spec.

    Raises:
        ParameterError: The name is unknown; the error has the path `path`.
    """
    if isinstance(meaning, TileOptions):
        return meaning
    if meaning not in USUAL_TILES:
        known = unknown_name("tile", meaning, list(USUAL_TILES))
        raise ParameterError(
            f"{known}; other tiles need `{{name: {meaning}, walkable: false, opaque: true}}`", path
        )
    return USUAL_TILES[meaning]


def meaning_of(tile: HandTile) -> TileOptions | None:
    """Return the options that the map's file gives for `tile`, or None."""
    named = tile.properties.get("tile")
    name = named if isinstance(named, str) and named else tile.name
    walkable, opaque = tile.properties.get("walkable"), tile.properties.get("opaque")
    base = USUAL_TILES.get(name) or USUAL_TILES.get(name.lower())
    if base is None:
        said = isinstance(walkable, bool) or isinstance(opaque, bool)
        if not said or not 0 < len(name) <= MAXIMUM_NAME or not name.isprintable():
            return None
        base = TileOptions(name=name, color=tile.color or None)
    return TileOptions(
        name=base.name,
        walkable=walkable if isinstance(walkable, bool) else base.walkable,
        opaque=opaque if isinstance(opaque, bool) else base.opaque,
        color=base.color,
    )


def used_numbers(cells: NDArray[np.unsignedinteger[Any]]) -> NDArray[np.int64]:
    """Return the tile numbers in `cells`, ascending: int64 [count]."""
    if cells.size and int(cells.max()) < TABLE:
        used = np.zeros(TABLE, bool)
        for rows in _blocks(cells):
            used[cells[rows]] = True
        return np.flatnonzero(used).astype(np.int64)
    return np.unique(cells).astype(np.int64)


def _blocks(cells: NDArray[np.unsignedinteger[Any]]) -> Iterator[slice]:
    """Yield ranges of rows, so that a caller needs little memory at a time."""
    for row in range(0, len(cells), _BLOCK_ROWS):
        yield slice(row, row + _BLOCK_ROWS)


def _replace_numbers(
    cells: NDArray[np.unsignedinteger[Any]], numbers: NDArray[np.int64], ids: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return `cells` with each of the tile `numbers` replaced by its id.

    `numbers` ascend, and `ids` has the id of each. The result is int32 [height, width].
    """
    if not numbers.size:
        return np.zeros(cells.shape, np.int32)
    if int(numbers[-1]) < TABLE:
        table = np.zeros(int(numbers[-1]) + 1, np.int32)
        table[numbers] = ids
        translated = np.empty(cells.shape, np.int32)
        for rows in _blocks(cells):
            translated[rows] = table[cells[rows]]
        return translated
    return ids[np.searchsorted(numbers, cells)]


def _check_same(
    tile: Tile | None, options: TileOptions, called: str, layer: HandLayer, number: int
) -> None:
    """Refuse `options` that differ from those of `tile`, which has their name.

    The other arguments describe the refused tile in the message.
    """
    if tile is None or (tile.walkable, tile.opaque) == (options.walkable, options.opaque):
        return
    raise ParameterError(
        f"{called} at {_position(layer, number)} has the same name {tile.name!r} as another tile, "
        "but differs from it in `walkable` or `opaque` (rename one of them, or give both the same "
        "properties)",
        _LEGEND,
    )


def _unknown_tiles_message(layer: HandLayer, numbers: list[int]) -> str:
    """Return the message that tiles are unknown, with a position and a fix."""
    first = numbers[0]
    reported = layer.tiles.get(first, HandTile())
    meant = suggestions(reported.name, list(USUAL_TILES)) if reported.name else []
    question = f"; {did_you_mean(meant)}" if meant else ""
    named = f" (its class is {reported.name!r}{question})" if reported.name else ""
    more = [str(number) for number in numbers[1:NAMED]]
    others = f", as do {', '.join(more)}" if more else ""
    if len(numbers) > NAMED:
        others += f" and {len(numbers) - NAMED} more"
    return (
        f"{_describe_tile(first, reported)} at {_position(layer, first)} does not say what it "
        f"means{named}"
        f"{others} (write `legend: {{{first}: wall}}`, or `legend: {{{first}: {{name: hedge, "
        "walkable: false, opaque: true}}`, or give the tile a class of a known name: "
        f"{', '.join(USUAL_TILES)})"
    )


def _describe_tile(number: int, tile: HandTile) -> str:
    return f"tile number {number}" + (f" ({tile.source})" if tile.source else "")


def _position(layer: HandLayer, number: int) -> str:
    """Return where tile `number` first lies, as the map's editor shows it."""
    y, x = divmod(int(np.argmax(layer.cells == number)), layer.cells.shape[1])
    x, y = x + layer.origin[0], y + layer.origin[1]
    return f"cell ({x}, {y}) of the layer {layer.name!r}"
