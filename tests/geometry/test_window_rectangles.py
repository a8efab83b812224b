"""Rectangles of windows: they cover what one can walk on, and windows beside each other agree."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from cases import each_case
from exporter.geometry.area import shrunk_area
from exporter.geometry.chunks import MapChunk
from exporter.geometry.window_rectangles import window_rectangles

UNITS = 16
HALO = 2
Point = tuple[int, int]
Edge = tuple[Point, Point]


def maps() -> dict[str, NDArray[np.bool_]]:
    random = np.random.default_rng(1)
    open_field = np.ones((70, 75), bool)
    return {
        "noise": random.random((70, 75)) < 0.7,
        "open": open_field,
        "corridors": (np.indices((70, 75)) % 4 == 0).any(axis=0),
        "closed": ~open_field,
    }


MAPS = maps()
# Where the windows end: also windows of one and of two cells.
COLUMNS, ROWS = (0, 32, 33, 64, 66, 75), (0, 1, 40, 70)


def rings_of(
    mask: NDArray[np.bool_], window: MapChunk, radius: int, chunk: int = 16
) -> list[list[Point]]:
    """Return the rings of a window that knows two cells around it, in units of the whole map."""
    left, top = max(window.x - HALO, 0), max(window.y - HALO, 0)
    right, bottom = window.x + window.width + HALO, window.y + window.height + HALO
    known = mask[top:bottom, left:right]
    inside = MapChunk(window.x - left, window.y - top, window.width, window.height)
    rings: list[list[Point]] = []
    for part, result in window_rectangles(known, inside, chunk, radius, UNITS):
        assert len(result)
        places = result.corners[result.starts[:-1]].astype(float) / result.units
        assert (places >= [part.x - 0.01, part.y - 0.01]).all()
        corners = result.corners + np.array([left, top]) * result.units
        for begin, end in pairwise(result.starts.tolist()):
            rings.append([(x, y) for x, y in corners[begin:end].tolist()])
    return rings


def all_rings(mask: NDArray[np.bool_], radius: int) -> list[list[list[Point]]]:
    return [
        rings_of(mask, MapChunk(left, top, right - left, bottom - top), radius)
        for (top, bottom), (left, right) in product(pairwise(ROWS), pairwise(COLUMNS))
    ]


def edges(ring: list[Point]) -> list[Edge]:
    return list(zip(ring, ring[1:] + ring[:1], strict=True))


@each_case("name", MAPS)
@each_case("radius", [0, 3, 8, 16])
def test_every_point_is_covered_once(name: str, radius: int) -> None:
    mask = MAPS[name]
    units = UNITS if radius else 1
    covered = np.zeros((mask.shape[0] * units, mask.shape[1] * units), np.uint8)
    for ring in (ring for rings in all_rings(mask, radius) for ring in rings):
        (left, top), (right, bottom) = np.min(ring, axis=0), np.max(ring, axis=0)
        covered[top:bottom, left:right] += 1
    area = shrunk_area(mask, radius, None, units)
    expected = np.zeros_like(covered)
    for y, x in np.argwhere(area.fields).tolist():
        rows = slice(area.rows[y], area.rows[y + 1])
        expected[rows, area.columns[x] : area.columns[x + 1]] = 1
    np.testing.assert_array_equal(covered, expected)


@each_case("name", MAPS)
@each_case("radius", [0, 3, 8, 16])
def test_rectangles_that_touch_share_whole_edges_also_across_windows(
    name: str, radius: int
) -> None:
    counter = Counter(
        edge for rings in all_rings(MAPS[name], radius) for ring in rings for edge in edges(ring)
    )
    assert set(counter.values()) <= {1}
    # An edge without its opposite has nothing beside it: no other ends or begins on it.
    lonely = {edge for edge in counter if edge[::-1] not in counter}
    corners = {corner for edge in counter for corner in edge}
    for (x, y), (a, b) in lonely:
        if y == b:
            between = {(column, y) for column in range(min(x, a) + 1, max(x, a))}
        else:
            between = {(x, row) for row in range(min(y, b) + 1, max(y, b))}
        assert not between & corners
    area = shrunk_area(MAPS[name], radius, None, UNITS if radius else 1)
    fields = np.pad(area.fields, 1)
    steps_x, steps_y = np.diff(area.columns), np.diff(area.rows)
    sides = (fields[1:-1, 1:] != fields[1:-1, :-1]).sum(axis=1) @ steps_y
    ends = (fields[1:, 1:-1] != fields[:-1, 1:-1]).sum(axis=0) @ steps_x
    length = sum(abs(x - a) + abs(y - b) for (x, y), (a, b) in lonely)
    assert length == sides + ends


def test_the_first_corner_but_one_is_a_turn() -> None:
    # Otherwise Godot takes every point for an outer one.
    for ring in (ring for rings in all_rings(MAPS["noise"], 3) for ring in rings):
        (x, y), (a, b), (c, d) = ring[:3]
        assert (a - x) * (d - b) != (b - y) * (c - a)


def test_rectangles_are_not_longer_than_engines_are_exact_in() -> None:
    lengths = [
        max(np.ptp(ring, axis=0).tolist()) for rings in all_rings(MAPS["open"], 0) for ring in rings
    ]
    assert 10 < max(lengths) <= 20
    narrow = [
        max(np.ptp(ring, axis=0).tolist())
        for rings in all_rings(MAPS["corridors"], 7)
        for ring in rings
    ]
    # Corridors of a cell are two pixels wide then.
    assert narrow
    assert max(narrow) <= 5 * UNITS


def test_a_window_gives_the_same_whatever_is_farther_away() -> None:
    mask = MAPS["noise"]
    other = mask.copy()
    other[:, :28] = ~other[:, :28]
    window = MapChunk(32, 1, 32, 39)
    assert rings_of(mask, window, 5) == rings_of(other, window, 5)


def test_the_side_of_a_part_is_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        window_rectangles(MAPS["noise"], MapChunk(0, 0, 75, 70), 0)
