"""Read the layers of a Tiled map, in groups and in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from exporter.handmade.tiled.cells import Cells, read_cells
from exporter.handmade.tiled.limits import (
    MAXIMUM_CHUNKS,
    MAXIMUM_GROUPS,
    MAXIMUM_LAYERS,
    MAXIMUM_POSITION,
    TiledError,
)
from exporter.handmade.tiled.values import Document, between, entries, text, truth
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_SIDE, MAXIMUM_TOTAL_CELLS

_KINDS = ("tilelayer", "objectgroup", "imagelayer", "group")


@dataclass(frozen=True, slots=True)
class LayerMatch:
    """A layer in the file of a map.

    Attributes:
        name: The layer's name, after the names of its groups.
        kind: Tiled's type of the layer, such as `tilelayer`.
        document: The layer's JSON.
    """

    name: str
    kind: str
    document: Document


@dataclass(frozen=True, slots=True, eq=False)
class LayerPart:
    """The tile numbers of a layer, or of one chunk of an infinite layer.

    `x` and `y` are the position of the first cell, as Tiled shows it.
    """

    x: int
    y: int
    numbers: Cells


@dataclass(frozen=True, slots=True)
class Bounds:
    """The cells of a map: the position of the first one, and the size.

    `x` and `y` are the position that Tiled shows for the first cell.
    """

    x: int
    y: int
    width: int
    height: int


def all_layers(drawn: Document) -> list[LayerMatch]:
    """Return all layers of the map `drawn`, bottom to top.

    Layers in groups are among them, the groups are not.

    Raises:
        TiledError: There are too many layers, or groups are nested too deeply.
    """
    result = []
    for layer in _inside(drawn, "", 0):
        result.append(layer)
        if len(result) > MAXIMUM_LAYERS:
            raise TiledError(f"has too many layers (allowed: {MAXIMUM_LAYERS})")
    return result


def _inside(document: Document, before: str, depth: int) -> Iterator[LayerMatch]:
    if depth > MAXIMUM_GROUPS:
        raise TiledError(f"has groups that are nested too deeply (allowed: {MAXIMUM_GROUPS})")
    for entry in entries(document, "layers"):
        name, kind = before + text(entry, "name"), text(entry, "type")
        if kind not in _KINDS:
            raise TiledError(f"has the layer {name[:80]!r} of an unknown kind ({kind[:40]!r})")
        if kind == "group":
            yield from _inside(entry, f"{name}/", depth + 1)
        else:
            yield LayerMatch(name, kind, entry)


def read_parts(drawn: Document, layers: Sequence[LayerMatch]) -> list[list[LayerPart]]:
    """Return the cells of each tile layer among `layers`, as parts.

    A part is a chunk of an infinite map, or the whole layer. `drawn` is the map.

    Raises:
        TiledError: The cells are broken, too many, or not of the map's size.
    """
    infinite = truth(drawn, "infinite")
    parts = []
    total = 0
    for layer in layers:
        try:
            places = _chunks(layer.document) if infinite else [_whole(drawn, layer.document)]
            total += sum(bounds.width * bounds.height for bounds, _ in places)
            if total > MAXIMUM_TOTAL_CELLS:
                raise TiledError(
                    f"raises the map to {total} cells (allowed: {MAXIMUM_TOTAL_CELLS})"
                )
            parts.append([_part(layer.document, *position) for position in places])
        except TiledError as error:
            raise TiledError(f"is broken: the layer {layer.name!r} {error}") from None
    return parts


def _whole(drawn: Document, layer: Document) -> tuple[Bounds, Document]:
    width, height = (
        between(drawn, "width", 1, MAXIMUM_SIDE),
        between(drawn, "height", 1, MAXIMUM_SIDE),
    )
    own = between(layer, "width", 1, MAXIMUM_SIDE), between(layer, "height", 1, MAXIMUM_SIDE)
    if own != (width, height):
        raise TiledError(f"has {own[0]} x {own[1]} cells, but the map has {width} x {height}")
    if "chunks" in layer:
        raise TiledError("has chunks, but the map is not infinite")
    return Bounds(0, 0, width, height), layer


def _chunks(layer: Document) -> list[tuple[Bounds, Document]]:
    result = entries(layer, "chunks")
    if len(result) > MAXIMUM_CHUNKS:
        raise TiledError(f"has {len(result)} chunks (allowed: {MAXIMUM_CHUNKS})")
    return [
        (
            Bounds(
                between(item, "x", -MAXIMUM_POSITION, MAXIMUM_POSITION),
                between(item, "y", -MAXIMUM_POSITION, MAXIMUM_POSITION),
                between(item, "width", 1, MAXIMUM_SIDE),
                between(item, "height", 1, MAXIMUM_SIDE),
            ),
            item,
        )
        for item in result
    ]


def _part(layer: Document, bounds: Bounds, document: Document) -> LayerPart:
    if bounds.width * bounds.height > MAXIMUM_CELLS:
        raise TiledError(f"has too many cells (allowed: {MAXIMUM_CELLS})")
    numbers = read_cells(document.get("data"), layer, bounds.width, bounds.height)
    return LayerPart(bounds.x, bounds.y, numbers)


def bounds_of(drawn: Document, layers: Sequence[Sequence[LayerPart]]) -> Bounds:
    """Return which cells a map has; if infinite, those around its tiles.

    `drawn` is the map, and `layers` has the parts of each tile layer.

    Raises:
        TiledError: The map has too many cells, or an infinite map has no tile.
    """
    if not truth(drawn, "infinite"):
        width = between(drawn, "width", 1, MAXIMUM_SIDE)
        height = between(drawn, "height", 1, MAXIMUM_SIDE)
        return _check(Bounds(0, 0, width, height))
    corners = [_box_of_tiles(part) for parts in layers for part in parts if part.numbers.any()]
    if not corners:
        raise TiledError("is an infinite map without a tile (draw one)")
    left, top = min(corner[0] for corner in corners), min(corner[1] for corner in corners)
    right, bottom = max(corner[2] for corner in corners), max(corner[3] for corner in corners)
    return _check(Bounds(left, top, right - left, bottom - top))


def _check(bounds: Bounds) -> Bounds:
    sides = max(bounds.width, bounds.height)
    if sides > MAXIMUM_SIDE or bounds.width * bounds.height > MAXIMUM_CELLS:
        raise TiledError(
            f"has {bounds.width} x {bounds.height} cells (allowed: {MAXIMUM_SIDE} each way, "
            f"{MAXIMUM_CELLS} in all)"
        )
    return bounds


def _box_of_tiles(part: LayerPart) -> tuple[int, int, int, int]:
    """Return the box around the tiles of `part`: left, top, right, bottom.

    Right and bottom are exclusive.
    """
    rows = np.flatnonzero(part.numbers.any(axis=1))
    columns = np.flatnonzero(part.numbers.any(axis=0))
    return (
        part.x + int(columns[0]),
        part.y + int(rows[0]),
        part.x + int(columns[-1]) + 1,
        part.y + int(rows[-1]) + 1,
    )


def joined(parts: Sequence[LayerPart], bounds: Bounds) -> Cells:
    """Join a layer's `parts` to a grid: uint16 or uint32 [height, width].

    Where two parts overlap, the tile of the later one counts. `bounds` are the cells of the map,
    which include all tiles.
    """
    if len(parts) == 1 and parts[0].numbers.shape == (bounds.height, bounds.width):
        only = parts[0]
        if (only.x, only.y) == (bounds.x, bounds.y):
            return only.numbers
    wide = any(part.numbers.dtype == np.uint32 for part in parts)
    grid: Cells = np.zeros((bounds.height, bounds.width), np.uint32 if wide else np.uint16)
    for part in parts:
        rows, columns = part.numbers.shape
        x, y = part.x - bounds.x, part.y - bounds.y
        left, right = max(x, 0), min(x + columns, bounds.width)
        top, bottom = max(y, 0), min(y + rows, bounds.height)
        if left < right and top < bottom:
            inside = part.numbers[top - y : bottom - y, left - x : right - x]
            position = grid[top:bottom, left:right]
            np.copyto(position, inside, where=inside != 0)
    return grid
