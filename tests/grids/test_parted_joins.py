"""Regions that are joined part by part: the same cells as `join_regions` opens in the whole map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from exporter.grids.connectivity import PHASES, join_regions
from exporter.grids.packed_arrays import pack_arrays, unpack_arrays
from exporter.grids.parted_joins import (
    all_meetings,
    decode_part_joins,
    encode_part_joins,
    joined_parts,
    joins_of_part,
    minimum_forest,
    regions_at,
)
from exporter.grids.parted_regions import whole_regions
from exporter.model.windows import Window

Mask = NDArray[np.bool_]
HALOS = (2, 4, 16, 64)


def joined_by_parts(walkable: Mask, remaining: Mask, chunk: int) -> tuple[Mask, int]:
    """Join the regions of a map from its parts, with ever larger halos, phase after phase."""
    height, width = walkable.shape
    windows = [
        Window(x, y, min(chunk, width - x), min(chunk, height - y), (width, height))
        for y in range(0, height, chunk)
        for x in range(0, width, chunk)
    ]
    now = walkable.copy()
    count = 0
    for phase in range(PHASES):
        for halo in HALOS:
            parts = []
            for window in windows:
                around = window.grown(halo)
                inside = around.within(Window.of_whole(width, height))
                part = joins_of_part(now[inside], remaining[inside], window, around, halo, phase)
                parts.append(decode_part_joins(encode_part_joins(part)))
            count = whole_regions(item.regions for item in parts).count
            if count == 0:
                result = min((item.nearest for item in parts if item.nearest), default=None)
                if result is not None:
                    now.ravel()[result[1]] = True
                return now, int(result is not None)
            if count == 1:
                return now, 1
            meetings = all_meetings([item.meetings for item in parts])
            known = {}
            for window in windows:
                cells = meetings.needed()
                y, x = np.divmod(cells, width)
                here = (x >= window.x) & (x < window.right) & (y >= window.y) & (y < window.bottom)
                own = now[window.within(Window.of_whole(width, height))]
                names = regions_at(np.ascontiguousarray(own), window, cells[here])
                known |= dict(zip(cells[here].tolist(), names.tolist(), strict=True))
            joined = joined_parts(count, [item.regions for item in parts], meetings, known)
            finished = all(item.finished for item in parts)
            if joined.regions == 1 or finished:
                now.ravel()[joined.opened] = True
                count = joined.regions
                break
        else:
            raise AssertionError("the largest halo holds the whole map")
        if count == 1:
            break
    return now, count


@st.composite
def maps(draw: st.DrawFn) -> tuple[Mask, Mask, int]:
    width, height = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    generator = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    share = draw(st.sampled_from([0.0, 0.01, 0.05, 0.2, 0.4, 0.6]))
    walkable = generator.random((height, width)) < share
    if draw(st.booleans()):  # solid at the border, as caves are
        walkable[[0, -1]] = walkable[:, [0, -1]] = False
    remaining = generator.random((height, width)) < draw(st.sampled_from([0.0, 0.0, 0.1, 0.5]))
    return walkable, remaining, draw(st.sampled_from([4, 7, 16]))


@settings(max_examples=80, deadline=None)
@given(maps())
@example((np.zeros((9, 9), bool), np.zeros((9, 9), bool), 4))
@example((np.eye(20, dtype=bool), np.zeros((20, 20), bool), 4))
@example((np.eye(20, dtype=bool), np.ones((20, 20), bool), 4))
def test_parts_are_joined_by_the_cells_that_join_the_whole(
    given_map: tuple[Mask, Mask, int],
) -> None:
    walkable, remaining, chunk = given_map
    expected = join_regions(walkable, remaining)
    joined, count = joined_by_parts(walkable, remaining, chunk)
    assert np.array_equal(joined, expected.walkable)
    assert count == expected.regions.count


@pytest.mark.parametrize("distance", [3, 30, 60])
def test_regions_far_apart_take_a_larger_halo(distance: int) -> None:
    walkable = np.zeros((20, 90), bool)
    walkable[9, 10] = walkable[14, 10 + distance] = True
    expected = join_regions(walkable)
    joined, count = joined_by_parts(walkable, np.zeros_like(walkable), 8)
    assert np.array_equal(joined, expected.walkable)
    assert count == 1


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=90))
def test_the_forest_is_that_of_kruskal(count: int, edges: list[tuple[int, int]]) -> None:
    edges = [(item % count, other % count) for item, other in edges]
    groups = list(range(count))

    def root(node: int) -> int:
        while groups[node] != node:
            node = groups[node]
        return node

    expected = []
    for number, (item, other) in enumerate(edges):
        if root(item) != root(other):
            groups[root(item)] = root(other)
            expected.append(number)
    ends = np.array(edges, np.int64).reshape(-1, 2)
    assert minimum_forest(count, ends[:, 0], ends[:, 1]).tolist() == expected


def test_broken_bytes_are_value_errors() -> None:
    walkable = np.eye(8, dtype=bool)
    whole = Window.of_whole(8, 8)
    data = encode_part_joins(joins_of_part(walkable, None, whole, whole, 2, 0))
    for end in range(0, len(data), 7):
        with pytest.raises(
            ValueError, match=r"not (packed arrays|the joins|the meetings|the regions)"
        ):
            decode_part_joins(data[:end])
    with pytest.raises(ValueError, match="not the joins"):
        decode_part_joins(pack_arrays({"rest": np.array([1], "<i8")}))


def test_arrays_are_packed_by_their_names() -> None:
    arrays = {"few": np.array([1, 2], "<i8"), "none": np.zeros(0, "<u4"), "b": np.ones(3, "<u1")}
    result = unpack_arrays(pack_arrays(arrays))
    assert list(result) == list(arrays)
    assert all(np.array_equal(result[name], arrays[name]) for name in arrays)
    with pytest.raises(ValueError, match="float64"):
        pack_arrays({"a": np.zeros(2)})
