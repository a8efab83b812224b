"""Prefabs: drawn or Tiled pieces placed at random places of a map, never over each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.errors import ParameterError
from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._combining import aligned_tiles
from exporter.generators._legend import (
    FLOOR_AND_WALL,
    WALL,
    Art,
    FileName,
    Glyph,
    Legend,
    TileOptions,
    cells_of,
    read_drawing,
)
from exporter.generators._relief_sources import read_project_file
from exporter.generators._stamps import Ids, read_stamp
from exporter.generators.stamp import lay
from exporter.level import Room
from exporter.parameters import About, Name, Parameters, Within
from exporter.streams import Draws

# Random places that are tried before all places are looked at.
TRIES = 64


@dataclass(frozen=True, kw_only=True)
class Prefab(Parameters):
    """One piece and how often it is wanted."""

    name: Annotated[Name, About("What its rooms are called, with a number.")] = "prefab"
    art: Annotated[
        Art | None,
        About("A drawing, one character for each cell; spaces leave the map as it is."),
    ] = None
    file: Annotated[
        FileName | None, About("Or a file beside the spec: such a drawing, or a Tiled .tmj map.")
    ] = None
    count: Annotated[int, Within(1, 10_000), About("How many are placed.")] = 1
    turn: Annotated[bool, About("Whether it may be turned by quarters.")] = True
    mirror: Annotated[bool, About("Whether it may be mirrored.")] = False


@dataclass(frozen=True, kw_only=True)
class Prefabs(MapParameters):
    """Hand-made pieces at random places of another layer, or of solid rock."""

    layer: Annotated[
        Name | None, About("The layer they are placed on, above this one; solid wall without.")
    ] = None
    prefabs: Annotated[
        tuple[Prefab, ...],
        Within(1, 256, length=True),
        About("The pieces, in the order in which they are placed."),
    ]
    glyphs: Annotated[
        dict[Glyph, TileOptions],
        Within(0, 256, length=True),
        About("More characters for drawings, and the tiles they stand for."),
    ] = field(default_factory=dict)
    over: Annotated[
        Literal["anything", "walkable", "blocked"],
        About("Which cells of the map their rectangles may cover."),
    ] = "anything"
    spacing: Annotated[int, Within(0, 256), About("Free cells between pieces.", "cells")] = 1
    margin: Annotated[int, Within(0, 256), About("Free cells at the map's edge.", "cells")] = 0


@generator("prefabs", version=1)
def generate(parameters: Prefabs, request: Request) -> Generated:
    """Place piece after piece; what finds no place is reported."""
    if parameters.layer is None:
        legend = Legend(FLOOR_AND_WALL)
        ids = np.full((request.height, request.width), WALL.id, np.int32)
        rooms: list[Room] = []
        refused = np.full(ids.shape, parameters.over == "walkable")
    else:
        layer = aligned_tiles(request, parameters.layer, ("layer",))
        legend, rooms = Legend(layer.tiles), list(layer.rooms)
        ids = layer.cells.astype(np.int32)
        walkable = layer.lookup([tile.walkable for tile in layer.tiles])
        refused = {
            "anything": np.zeros(ids.shape, bool),
            "walkable": ~walkable,
            "blocked": walkable,
        }[parameters.over]
    margin = parameters.margin
    if margin:
        refused = refused.copy()
        refused[:margin] = refused[-margin:] = True
        refused[:, :margin] = refused[:, -margin:] = True
    taken = np.zeros(ids.shape, bool)
    draws = request.stream.portable.draws("places")
    report: dict[str, int] = {}
    for index, prefab in enumerate(parameters.prefabs):
        variants = _variants(prefab, _piece(parameters, index, request, legend))
        placed = 0
        while placed < prefab.count:
            found = find_place(variants, refused, taken, parameters.spacing, draws)
            if found is None:
                break
            stamp, x, y = found
            placed += 1
            height, width = stamp.shape
            lay(ids, stamp, x, y)
            taken[y : y + height, x : x + width] = True
            center = (x + width // 2, y + height // 2)
            rooms.append(Room(f"{prefab.name}_{placed}", x, y, width, height, center))
        report[prefab.name] = report.get(prefab.name, 0) + placed
    wanted = sum(prefab.count for prefab in parameters.prefabs)
    return Generated(
        cells_of(ids),
        legend.tiles,
        complete=sum(report.values()) == wanted,
        report={"placed": report},
        rooms=tuple(rooms),
    )


def _piece(parameters: Prefabs, index: int, request: Request, legend: Legend) -> Ids:
    """Return the cells of a prefab in ids of the legend."""
    prefab = parameters.prefabs[index]
    path = ("prefabs", index)
    if (prefab.art is None) == (prefab.file is None):
        raise ParameterError("give either `art` (a drawing) or `file`", path)
    if prefab.art is not None:
        return read_drawing(prefab.art, parameters.glyphs, legend, (*path, "art"))
    name, where = prefab.file or "", (*path, "file")
    content = read_project_file(request, name, where)
    return read_stamp(content, name, parameters.glyphs, legend, where)


def _variants(prefab: Prefab, piece: Ids) -> list[Ids]:
    """Return the piece in all directions it may have, without repetitions."""
    turned = [np.rot90(piece, quarter) for quarter in range(4 if prefab.turn else 1)]
    if prefab.mirror:
        turned += [np.fliplr(variant) for variant in turned]
    different: list[Ids] = []
    for variant in turned:
        if not any(np.array_equal(variant, other) for other in different):
            different.append(np.ascontiguousarray(variant))
    return different


def find_place(
    variants: list[Ids],
    refused: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    spacing: int,
    draws: Draws,
) -> tuple[Ids, int, int] | None:
    """Return a variant and a place for it, or None if no variant fits anywhere.

    A few random places are tried; after that every place is looked at, so that a piece is never
    left out while there is room for it.
    """
    height, width = taken.shape
    for _ in range(TRIES):
        variant = variants[draws.next(0, len(variants))]
        rows, columns = variant.shape
        if rows > height or columns > width:
            continue
        x, y = draws.next(0, width - columns + 1), draws.next(0, height - rows + 1)
        top, left = max(y - spacing, 0), max(x - spacing, 0)
        near = taken[top : y + rows + spacing, left : x + columns + spacing]
        if not near.any() and not refused[y : y + rows, x : x + columns].any():
            return variant, x, y
    first = draws.next(0, len(variants))
    for offset in range(len(variants)):
        variant = variants[(first + offset) % len(variants)]
        rows, columns = variant.shape
        if rows > height or columns > width:
            continue
        free = _sums(refused, rows, columns) == 0
        around = np.pad(taken, spacing)
        free &= _sums(around, rows + 2 * spacing, columns + 2 * spacing) == 0
        places = np.flatnonzero(free)
        if len(places):
            place = int(places[draws.next(0, len(places))])
            return variant, place % free.shape[1], place // free.shape[1]
    return None


def _sums(cells: NDArray[np.bool_], rows: int, columns: int) -> NDArray[np.int32]:
    """Return how many cells are set in every window: a summed-area table."""
    table = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), np.int32)
    table[1:, 1:] = cells.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    return (
        table[rows:, columns:]
        - table[:-rows, columns:]
        - table[rows:, :-columns]
        + table[:-rows, :-columns]
    )
