"""Place hand-drawn pieces at random, never over each other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from itertools import islice
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._combining import aligned_tiles
from exporter.generators._legend import FLOOR_AND_WALL, WALL, AnyTile, Glyph, Legend, cells_of
from exporter.generators._pieces import Ids, PieceSource, directions, read_pieces
from exporter.generators.stamp import lay
from exporter.model.costs import Cost, most_expensive
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Room
from exporter.model.parameters import About, Name, ReplacedLayerName, Within
from exporter.streams import Draws

# Random places tried in vain before all free places are looked up.
TRIES = 64


@dataclass(frozen=True, kw_only=True)
class Prefab(PieceSource):
    """A piece, or several to choose from, and its number of copies."""

    name: Annotated[Name, About("Name of its rooms, before their number.")] = "prefab"
    count: Annotated[int, Within(1, 10_000), About("Number of copies to place.")] = 1
    turn: Annotated[
        bool, About("Whether it may be turned in steps of 90 degrees.", also=("rotate",))
    ] = True
    mirror: Annotated[bool, About("Whether it may be mirrored.")] = False


@dataclass(frozen=True, kw_only=True)
class Prefabs(MapParameters):
    """Hand-made pieces at random places of another layer, or of solid wall."""

    of: Annotated[
        ReplacedLayerName | None, About("Layer to place them on; default: solid wall.")
    ] = None
    prefabs: Annotated[
        tuple[Prefab, ...],
        Within(1, 256, length=True),
        About("The pieces, in the order in which they are placed."),
    ]
    glyphs: Annotated[
        dict[Glyph, AnyTile],
        Within(0, 256, length=True),
        About("Further characters of drawings, and the tiles they stand for."),
    ] = field(default_factory=dict)
    over: Annotated[
        Literal["anything", "walkable", "blocked"], About("Cells of the map that pieces may cover.")
    ] = "anything"
    spacing: Annotated[int, Within(0, 256), About("Free cells kept between pieces.", "cells")] = 1
    margin: Annotated[
        int, Within(0, 256), About("Free cells kept at the edge of the map.", "cells")
    ] = 0

    def check(self, width: int, height: int) -> None:
        """Refuse pieces without exactly one source, or with unreadable drawings."""
        for index, prefab in enumerate(self.prefabs):
            prefab.check_source(self.glyphs, ("prefabs", index))


def _shortfall(parameters: Prefabs, layer: Layer) -> str:
    placed = layer.report.get("placed", {})
    said = []
    for name in dict.fromkeys(prefab.name for prefab in parameters.prefabs):
        expected = sum(prefab.count for prefab in parameters.prefabs if prefab.name == name)
        if placed.get(name, 0) < expected:
            said.append(f"{placed.get(name, 0)} of {expected} {name}")
    if not said:
        return ""
    return f"{', '.join(said)} could be placed (ask for fewer, or lower `spacing` and `margin`)"


def cost(parameters: Prefabs, width: int, height: int) -> Cost:
    """Estimate the time of finding free positions for all pieces."""
    pieces = sum(prefab.count for prefab in parameters.prefabs)
    # All free positions are computed once for each piece that random tries miss.
    lookups = len(parameters.prefabs) * width * height * 0.3e-6
    return most_expensive(width, height, Cost(lookups + pieces * 50e-6, ("prefabs",)))


@generator("prefabs", version=1, cost=cost, shortfall=_shortfall, also=("vaults", "template"))
def generate(parameters: Prefabs, request: Request) -> Generated:
    """Place piece after piece; report those without space."""
    parameters.check(request.width, request.height)
    if parameters.of is None:
        legend = Legend(FLOOR_AND_WALL)
        ids = np.full((request.height, request.width), WALL.id, np.int32)
        rooms: list[Room] = []
        refused = np.full(ids.shape, parameters.over == "walkable")
    else:
        layer = aligned_tiles(request, parameters.of, ("of",))
        legend, rooms = Legend(layer.tiles), list(layer.rooms)
        ids = layer.cells.astype(np.int32)
        walkable = layer.lookup([tile.walkable for tile in layer.tiles])
        refused = {
            "anything": np.zeros(ids.shape, bool),
            "walkable": ~walkable,
            "blocked": walkable,
        }[parameters.over]
    if request.fixed is not None:
        refused |= request.fixed.kept
    margin = parameters.margin
    if margin:
        refused = refused.copy()
        refused[:margin] = refused[-margin:] = True
        refused[:, :margin] = refused[:, -margin:] = True
    used = np.zeros(ids.shape, bool)
    draws = request.stream.portable.draws("places")
    report: dict[str, int] = {}
    expected, before = sum(prefab.count for prefab in parameters.prefabs), len(rooms)
    if request.trace is not None:
        request.trace.frame("start", ids, legend.tiles)
    for index, prefab in enumerate(parameters.prefabs):
        pieces = read_pieces(prefab, parameters.glyphs, legend, request, ("prefabs", index))
        variants = _variants(prefab, pieces)
        result = places(variants, refused, used, parameters.spacing, draws)
        placed = 0
        for stamp, x, y in islice(result, prefab.count):
            placed += 1
            height, width = stamp.shape
            lay(ids, stamp, x, y)
            used[y : y + height, x : x + width] = True
            center = (x + width // 2, y + height // 2)
            rooms.append(Room(f"{prefab.name}_{placed}", x, y, width, height, center))
            if request.trace is not None:
                number = len(rooms) - before
                request.trace.frame("piece", ids, legend.tiles, number=number, of=expected)
        report[prefab.name] = report.get(prefab.name, 0) + placed
    return Generated(
        cells_of(ids),
        legend.tiles,
        complete=sum(report.values()) == expected,
        report={"placed": report},
        rooms=tuple(rooms),
    )


def _variants(prefab: Prefab, pieces: list[Ids]) -> list[Ids]:
    """Return all `pieces` in all allowed orientations.

    Orientations of a piece that has fewer of them are repeated, so that all pieces are equally
    likely to be chosen.
    """
    variants = [directions(piece, prefab.turn, prefab.mirror) for piece in pieces]
    if len(variants) == 1:
        return variants[0]
    most = math.lcm(*map(len, variants))
    return [item for same in variants for item in same * (most // len(same))]


def places(
    variants: list[Ids],
    refused: NDArray[np.bool_],
    used: NDArray[np.bool_],
    spacing: int,
    draws: Draws,
) -> Iterator[tuple[Ids, int, int]]:
    """Yield a variant and its free position (x, y), as long as one fits.

    Random positions are tried until too many in a row are not free; then all free positions of each
    variant are searched, so that a piece is left out only if there is no space.

    Args:
        variants: The pieces to choose from, in their orientations.
        refused: bool [height, width]: cells that no piece may cover.
        used: bool [height, width]: cells of pieces; the caller marks each yielded position before
            taking the next.
        spacing: The number of free cells between pieces.
        draws: The random numbers of the choices.
    """
    height, width = used.shape
    fitting = [v for v in variants if v.shape[0] <= height and v.shape[1] <= width]
    if not fitting:
        return

    def is_free(shape: tuple[int, ...], x: int, y: int) -> bool:
        rows, columns = shape
        top, left = max(y - spacing, 0), max(x - spacing, 0)
        near = used[top : y + rows + spacing, left : x + columns + spacing]
        return not (near.any() or refused[y : y + rows, x : x + columns].any())

    misses = 0
    while misses < TRIES:
        variant = fitting[draws.next(0, len(fitting))]
        x = draws.next(0, width - variant.shape[1] + 1)
        y = draws.next(0, height - variant.shape[0] + 1)
        misses += 1
        if is_free(variant.shape, x, y):
            misses = 0
            yield variant, x, y
    # After that many vain tries from the list it is cheaper to make it again.
    stale = max(256, used.size // 256)
    first = draws.next(0, len(fitting))
    full: set[tuple[int, ...]] = set()  # without a free position now, none comes later
    for variant in fitting[first:] + fitting[:first]:
        if variant.shape in full:
            continue
        full.add(variant.shape)
        free, misses = free_places(variant.shape, refused, used, spacing), 0
        across, count = width - variant.shape[1] + 1, len(free)
        while count:
            pick = draws.next(0, count)
            y, x = divmod(int(free[pick]), across)
            count -= 1
            free[pick] = free[count]
            misses += 1
            if is_free(variant.shape, x, y):
                misses = 0
                yield variant, x, y
            elif misses > stale:
                free, misses = free_places(variant.shape, refused, used, spacing), 0
                count = len(free)


def free_places(
    shape: tuple[int, ...], refused: NDArray[np.bool_], used: NDArray[np.bool_], spacing: int
) -> NDArray[np.int64]:
    """Return all free positions of a rectangle on the map.

    A position is the rectangle's upper left cell, as y * (number of possible x) + x.

    Args:
        shape: The number of rows and columns of the rectangle.
        refused: bool [height, width]: cells that the rectangle may not cover.
        used: bool [height, width]: cells from which it keeps `spacing` away.
        spacing: The number of free cells between the rectangle and `used` ones.
    """
    rows, columns = shape
    free = _sums(refused, rows, columns) == 0
    around = np.pad(used, spacing)
    free &= _sums(around, rows + 2 * spacing, columns + 2 * spacing) == 0
    return np.flatnonzero(free).astype(np.int64)


def _sums(cells: NDArray[np.bool_], rows: int, columns: int) -> NDArray[np.int32]:
    """Return how many `cells` are set in each window of `rows` x `columns`."""
    table = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), np.int32)
    table[1:, 1:] = cells.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    return (
        table[rows:, columns:]
        - table[:-rows, columns:]
        - table[rows:, :-columns]
        + table[:-rows, :-columns]
    )
