"""Flow: rivers, lakes and the sea, against a naive flood and water that walks cell by cell."""

from __future__ import annotations

import heapq
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS, Request, flow
from exporter.grids import drainage as grids_drainage
from exporter.grids.drainage import AWAY, Drainage, drain
from exporter.model.level import HeightRange, Layer
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from interpreted_kernels import interpreted
from spec_problems import problems_in

Cell = tuple[int, int]
AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


def naive(heights: NDArray[np.int32], ends: NDArray[np.bool_]) -> Drainage:
    """Fill by a heap, choose the steepest way with fractions, walk down from every cell."""
    rows, columns = heights.shape
    waiting: list[tuple[int, int, Cell, Cell | None]] = []
    levels: dict[Cell, int] = {}
    came: dict[Cell, Cell | None] = {}
    count = 0
    for y in range(rows):
        for x in range(columns):
            if ends[y, x] or y in (0, rows - 1) or x in (0, columns - 1):
                came[x, y] = None
                heapq.heappush(waiting, (int(heights[y, x]), count, (x, y), None))
                count += 1
    while waiting:
        level, _, (x, y), _ = heapq.heappop(waiting)
        levels[x, y] = level
        for a, b in AROUND:
            other = (x + a, y + b)
            if 0 <= other[0] < columns and 0 <= other[1] < rows and other not in came:
                came[other] = (x, y)
                height = max(level, int(heights[other[1], other[0]]))
                heapq.heappush(waiting, (height, count, other, None))
                count += 1
    down: dict[Cell, Cell | None] = {}
    for (x, y), level in levels.items():
        best, chosen = Fraction(0), came[x, y]
        for a, b in AROUND:
            other = (x + a, y + b)
            if other in levels and levels[other] < level:
                steepness = Fraction((level - levels[other]) ** 2, a * a + b * b)
                if steepness > best:
                    best, chosen = steepness, other
        down[x, y] = None if ends[y, x] else chosen
    gathered = np.zeros(heights.shape, np.int32)
    for start in levels:
        walker: Cell | None = start
        steps = 0
        while walker is not None:
            gathered[walker[1], walker[0]] += 1
            walker = down[walker]
            steps += 1
            assert steps <= heights.size, "water runs in a circle"
    surface = np.zeros(heights.shape, np.int32)
    into = np.zeros(heights.shape, np.int32)
    for (x, y), level in levels.items():
        surface[y, x] = level
        target = down[x, y]
        into[y, x] = AWAY if target is None else target[1] * columns + target[0]
    return Drainage(surface, into, gathered)


def reliefs() -> list[NDArray[np.int32]]:
    draws = np.random.default_rng(4)
    result = [
        draws.integers(0, top, (height, width)).astype(np.int32)
        for top in (2, 4, 30, 65536)
        for width, height in ((1, 1), (2, 2), (1, 7), (9, 8), (23, 17))
    ]
    y, x = np.mgrid[0:20, 0:25]
    result.append(np.zeros((12, 9), np.int32))
    result.append(((x - 12) ** 2 + (y - 10) ** 2).astype(np.int32))  # a bowl
    result.append((400 - (x - 12) ** 2 - (y - 10) ** 2).astype(np.int32))  # a hill
    result.append((65535 - 100 * x).astype(np.int32))
    return result


RELIEFS = reliefs()


@each_case("number", range(len(RELIEFS)))
@each_case("share", [0.0, 0.1, 1.0])
def test_drainage_equals_a_heap_and_walks_from_every_cell(number: int, share: float) -> None:
    heights = RELIEFS[number]
    ends = np.random.default_rng(number).random(heights.shape) < share
    result, slow = drain(heights, ends), naive(heights, ends)
    assert result.levels.tolist() == slow.levels.tolist()
    assert result.down.tolist() == slow.down.tolist()
    assert result.gathered.tolist() == slow.gathered.tolist()


def test_the_interpreted_kernel_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    module = interpreted("drainage")
    for heights in RELIEFS:
        ends = heights < 3
        compiled = drain(heights, ends)
        with monkeypatch.context() as patch:
            patch.setattr(grids_drainage, "flood", module.flood)
            patch.setattr(grids_drainage, "descend", module.descend)
            slow = drain(heights, ends)
        for name in ("levels", "down", "gathered"):
            assert np.array_equal(getattr(compiled, name), getattr(slow, name)), name


def test_all_water_leaves_the_map_or_ends() -> None:
    heights = RELIEFS[-4]
    result = drain(heights, np.zeros(heights.shape, bool))
    assert result.gathered[result.down == AWAY].sum() == heights.size


# Tiles


def relief(width: int, height: int, seed: int, **more: Any) -> Layer:
    entry = GENERATORS.get("heightmap")
    requested = Request("r", width, height, open_stream("portable", seed, "r"))
    parameters: dict[str, Any] = {"feature_size": 24, "island_percent": 60, **more}
    generated = entry.generate(entry.parameters(**parameters), requested)
    return Layer("r", "heights", generated.cells, "heightmap", heights=generated.heights)


def run(layer: Layer, **parameters: Any) -> NDArray[np.uint8]:
    requested = Request(
        "f", layer.width, layer.height, open_stream("portable", 1, "f"), layers={"r": layer}
    )
    result = flow.generate(flow.Flow(of="r", **parameters), requested)
    assert result.tiles == flow.TILES
    return result.cells.astype(np.uint8)


def grown(mask: NDArray[np.bool_], allowed: NDArray[np.bool_], corners: bool) -> Any:
    """Return all cells that are reached from a mask through allowed cells."""
    reached = mask & allowed
    while True:
        framed = np.pad(reached, 1)
        rows, columns = mask.shape
        more = reached.copy()
        for a, b in AROUND if corners else AROUND[:4]:
            more |= framed[1 + b : 1 + b + rows, 1 + a : 1 + a + columns]
        more &= allowed
        if np.array_equal(more, reached):
            return reached
        reached = more


@each_case("neighbours", [4, 8])
@each_case("wide", [None, 1.5])
@each_case("seed", range(4))
@each_case("sea_level", [None, 0.25])
def test_every_river_leads_to_the_sea_a_lake_or_the_edge(
    neighbours: Any, wide: float | None, seed: int, sea_level: float | None
) -> None:
    cells = run(
        relief(60, 45, seed),
        neighbours=neighbours,
        wide_from_percent=wide,
        sea_level=sea_level,
        rivers_from_percent=0.4,
    )
    rivers = cells == flow.RIVER
    assert rivers.any()
    goal = (cells == flow.SEA) | (cells == flow.LAKE)
    goal[0] = goal[-1] = goal[:, 0] = goal[:, -1] = True
    goal |= cells == flow.LAKE
    reached = grown(goal & (cells > 0), cells > 0, corners=neighbours == 8)
    assert not (rivers & ~reached).any()


def test_lakes_run_over_into_rivers_that_lead_on() -> None:
    """Without its lakes a map has the same rivers, which cross the hollows instead."""
    layer = relief(60, 45, 2)
    options: dict[str, Any] = {"rivers_from": 30, "min_lake_cells": 1, "neighbours": 8}
    with_lakes, without = run(layer, **options), run(layer, lakes=False, **options)
    assert (with_lakes == flow.LAKE).any()
    assert not (without == flow.LAKE).any()
    dry = with_lakes != flow.LAKE
    assert np.array_equal(with_lakes[dry] == flow.RIVER, without[dry] == flow.RIVER)


@each_case(("depth", "cells"), [(0.0, 1), (0.0, 12), (0.02, 1), (0.05, 4), (1.0, 1)])
def test_lakes_are_the_hollows_that_are_deep_and_large_enough(depth: float, cells: int) -> None:
    layer = relief(50, 40, 5, island_percent=0)
    result = run(layer, min_lake_depth=depth, min_lake_cells=cells) == flow.LAKE
    heights = layer.cells.astype(np.int32)
    surface = naive(heights, np.zeros(heights.shape, bool)).levels
    hollow = surface > heights
    expected = np.zeros(hollow.shape, bool)
    left = hollow.copy()
    while left.any():
        seed = np.zeros(hollow.shape, bool)
        seed[np.unravel_index(int(np.argmax(left)), left.shape)] = True
        item = grown(seed, hollow, corners=True)
        left &= ~item
        assert len(set(surface[item].tolist())) == 1
        deepest = Fraction(int((surface - heights)[item].max()), 65535)
        if deepest >= Fraction(depth) and int(item.sum()) >= cells:
            expected |= item
    assert np.array_equal(result, expected)


def test_the_sea_is_all_that_lies_below_its_level() -> None:
    layer = relief(40, 30, 3, minimum=-20, maximum=80)
    assert layer.heights == HeightRange(-20.0, 80.0, "metres")
    sea = run(layer, sea_level=0) == flow.SEA
    for y in range(30):
        for x in range(40):
            assert sea[y, x] == (Fraction(int(layer.cells[y, x]) * 100, 65535) - 20 < 0)


def test_rivers_begin_where_enough_water_has_come_together() -> None:
    layer = relief(40, 30, 3)
    heights = layer.cells.astype(np.int32)
    slow = naive(heights, np.zeros(heights.shape, bool))
    options: dict[str, Any] = {"lakes": False, "neighbours": 8}
    for least in (1, 7, 60, 1200):
        result = run(layer, rivers_from=least, **options) == flow.RIVER
        assert np.array_equal(result, slow.gathered >= least)
    for percent in (0.1, 2.5, 100.0):
        least = math.ceil(Fraction(percent) * 1200 / 100)
        result = run(layer, rivers_from_percent=percent, **options) == flow.RIVER
        assert np.array_equal(result, slow.gathered >= least)


def by_the_page(heights: NDArray[np.int32], options: dict[str, Any]) -> NDArray[np.uint8]:
    """Make the tiles as the page's section "Exactly" says, cell by cell."""
    rows, columns = heights.shape
    cells = [(x, y) for y in range(rows) for x in range(columns)]

    def beside(cell: Cell, steps: tuple[Cell, ...]) -> list[Cell]:
        around = ((cell[0] + a, cell[1] + b) for a, b in steps)
        return [(x, y) for x, y in around if 0 <= x < columns and 0 <= y < rows]

    def share(percent: float) -> int:
        return math.ceil(Fraction(percent) / 100 * heights.size)

    level = options.get("sea_level")
    ends = heights < (0 if level is None else Fraction(level) * 65535)
    drained = naive(heights, ends)
    sea = {(x, y) for x, y in cells if ends[y, x]}
    deep = {(x, y): int(drained.levels[y, x] - heights[y, x]) for x, y in cells}
    lakes: set[Cell] = set()
    left = {cell for cell in cells if deep[cell] > 0}
    while left:
        hollow, waiting = set(), [left.pop()]
        while waiting:
            hollow.add(cell := waiting.pop())
            fresh = left.intersection(beside(cell, AROUND))
            left -= fresh
            waiting += fresh
        deepest = Fraction(max(deep[cell] for cell in hollow), 65535)
        if deepest >= Fraction(options["min_lake_depth"]) and len(hollow) >= 6:
            lakes |= hollow
    runs = (
        {
            (x, y)
            for x, y in cells
            if drained.gathered[y, x] >= share(options["rivers_from_percent"])
        }
        - sea
        - lakes
    )
    rivers = set(runs)
    for x, y in runs if options["neighbours"] == 4 else ():
        down, right = divmod(int(drained.down[y, x]), columns)
        if drained.down[y, x] != AWAY and down != y and right != x:
            pair = [(right, y), (x, down)]
            if not (runs | sea | lakes).intersection(pair):
                rivers.add(min(pair, key=lambda item: drained.levels[item[1], item[0]]))
    for number in range(3) if options["wide_from_percent"] is not None else ():
        amount = share(options["wide_from_percent"]) * 4**number
        wide = {(x, y) for x, y in runs if drained.gathered[y, x] >= amount}
        for _ in range(number + 1):
            wide |= {other for cell in wide for other in beside(cell, AROUND[:4])}
        rivers |= wide - sea - lakes
    tiles = np.zeros(heights.shape, np.uint8)
    for tile, result in ((flow.RIVER, rivers), (flow.LAKE, lakes), (flow.SEA, sea)):
        for x, y in result:
            tiles[y, x] = tile
    return tiles


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    steps=st.sampled_from([3, 9, 200, 65536]),
    size=st.tuples(st.integers(1, 18), st.integers(1, 18)),
    sea_level=st.sampled_from([None, 0.2, 0.5]),
    min_lake_depth=st.sampled_from([0.0, 0.1]),
    rivers_from_percent=st.sampled_from([0.1, 1.0, 3.7, 12.0]),
    wide_from_percent=st.sampled_from([None, 0.3, 2.0, 5.0]),
    neighbours=st.sampled_from([4, 8]),
)
def test_the_page_is_enough_to_make_the_same(
    seed: int, steps: int, size: tuple[int, int], **options: Any
) -> None:
    heights = np.random.default_rng(seed).integers(0, steps, size) * (65535 // (steps - 1))
    layer = Layer("r", "heights", heights.astype(np.uint16), "", heights=HeightRange())
    assert np.array_equal(run(layer, **options), by_the_page(layer.cells.astype(np.int32), options))


def test_a_diagonal_step_is_filled_at_its_lower_side() -> None:
    heights = np.full((4, 4), 900, np.uint16)
    heights[1, 1], heights[2, 2], heights[3, 3] = 500, 300, 100
    heights[1, 2], heights[2, 1] = 700, 600
    heights[2, 3], heights[3, 2] = 650, 650
    layer = Layer("r", "heights", heights, "heightmap", heights=HeightRange())
    options: dict[str, Any] = {"rivers_from": 4, "lakes": False}
    assert (run(layer, neighbours=8, **options) > 0).astype(int).tolist() == [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
    ]
    # The lower one of the first two; of equal ones that in the row where the step begins.
    assert (run(layer, **options) > 0).astype(int).tolist() == [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 1, 1],
        [0, 0, 0, 1],
    ]


def test_water_is_not_walkable_and_the_rest_decides_nothing() -> None:
    assert [(tile.name, tile.walkable, tile.empty) for tile in flow.TILES] == [
        ("empty", False, True),
        ("river", False, False),
        ("lake", False, False),
        ("sea", False, False),
    ]
    text = (
        "size: [40, 30]\nlayers:\n  r: {generator: heightmap, size: [65, 65], feature_size: 30}\n"
        "  land: {generator: bands, of: r, steps: [{tile: grass}]}\n"
        "  water: {generator: flow, of: r}\n"
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    assert level.layers["water"].role == "play"
    assert level.layers["water"].cells.any()
    assert np.array_equal(level.walkable(), level.layers["water"].cells == 0)


@each_case(
    ("flow_line", "reported"),
    [
        ("of: r, rivers_from: 5, rivers_from_percent: 3",
         ("3:44: `rivers_from` and `rivers_from_percent` cannot be used together (remove "
"one of them)")),
        ("of: r, sea_level: 1.5",
         "3:42: sea_level 1.5 is above all heights (the heights of 'r' are 0 to 1 metres)"),
        ("of: r, sea_level: -0.5",
         "3:42: sea_level -0.5 is below all heights (the heights of 'r' are 0 to 1 metres)"),
        ("of: c", "3:28: the layer 'c' holds tiles, not heights (allowed: r)"),
        ("of: r, rivers_from: 0", "3:44: value 0 is out of range"),
        ("of: r, neighbours: 6", "3:43: 6 is not allowed here (allowed: 4, 8)"),
    ],
)  # fmt: skip
def test_what_nothing_can_be_created_of_is_refused(flow_line: str, reported: str) -> None:
    text = (
        "size: [9, 9]\nlayers: {r: {generator: heightmap}, c: {generator: blank},\n"
        f"  f: {{generator: flow, {flow_line}}}}}\n"
    )
    (problem,) = problems_in(lambda: build_level(parse_level(text.encode(), "x.level.yaml")))
    assert problem.startswith(reported)
