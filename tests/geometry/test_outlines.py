"""Outlines are the mask again when they are filled, for any mask."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import array_shapes, arrays

from cases import each_case
from exporter.geometry import chunks
from exporter.geometry import outlines as module
from exporter.geometry.outlines import Outlines, outlines, outlines_by_chunk
from exporter.grids.regions import label_regions
from exporter.kernels import UncompiledWarning
from geometry_references import doubled_area, filled, random_mask, rings_of
from interpreted_kernels import interpreted

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12))
SPIRAL = ["#####", "....#", "###.#", "#...#", "#####"]
# Holes that touch each other, the outside and themselves at points.
PINCHED = ["######", "##.#.#", "#.#.##", "##.###", "####.#", "#####."]


def mask_of(rows: list[str]) -> np.ndarray:
    return np.array([[cell == "#" for cell in row] for row in rows])


def check(mask: np.ndarray) -> None:
    result = outlines(mask)
    regions = label_regions(mask)
    assert result.vertices.dtype == result.rings.dtype == result.polygons.dtype == np.int32
    assert result.vertices.shape == (result.rings[-1], 2)
    polygons = rings_of(result)
    assert len(polygons) == len(result) == regions.count
    for number, rings in enumerate(polygons, start=1):
        np.testing.assert_array_equal(filled(rings, mask.shape), regions.labels == number)
        firsts = [(y, x) for (x, y), *_ in rings[1:]]
        assert firsts == sorted(firsts)
        for index, ring in enumerate(rings):
            assert len(set(ring)) == len(ring)
            assert ring[0] == min(ring, key=lambda point: (point[1], point[0]))
            assert (doubled_area(ring) > 0) == (index == 0)
            turned = ring[1:] + ring[:1]
            sideways = [a[1] == b[1] for a, b in zip(ring, turned, strict=True)]
            assert all(a != b for a, b in zip(sideways, sideways[1:] + sideways[:1], strict=True))


@each_case("shape", [(0, 0), (0, 3), (2, 0), (1, 1), (1, 7), (7, 1), (3, 3), (2, 5)])
def test_every_small_mask_is_filled_again(shape: tuple[int, int]) -> None:
    cells = shape[0] * shape[1]
    for bits in range(1 << cells):
        check(np.array([bits >> cell & 1 for cell in range(cells)], bool).reshape(shape))


def test_every_mask_of_four_by_four_is_filled_again() -> None:
    # All at once, one above the other with a row between: filling them is the slow step.
    bits = np.arange(1 << 16)[:, None] >> np.arange(16) & 1
    mask = np.zeros((1 << 16, 5, 5), bool)
    mask[:, :4, :4] = bits.reshape(-1, 4, 4)
    rows = mask.reshape(-1, 5)
    for part in np.split(rows, 64):
        result = outlines(part)
        assert_filled(result, part)
        assert len(result) == label_regions(part).count


def assert_filled(result: Outlines, mask: np.ndarray) -> None:
    """The even-odd rule with numpy: every vertical edge changes the cells to its right."""
    lengths = np.diff(result.rings)
    following = np.arange(1, len(result.vertices) + 1)
    following[result.rings[1:] - 1] = result.rings[:-1]
    begins, ends = result.vertices, result.vertices[following]
    steep = begins[:, 0] == ends[:, 0]
    changes = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    np.add.at(changes, (begins[steep, 1], begins[steep, 0]), 1)
    np.add.at(changes, (ends[steep, 1], ends[steep, 0]), -1)
    crossed = np.cumsum(np.cumsum(changes, axis=0), axis=1)
    np.testing.assert_array_equal(crossed[:-1, :-1] % 2 == 1, mask)
    assert (lengths >= 4).all()


@settings(deadline=None, max_examples=120)
@given(masks)
def test_any_mask_is_filled_again(mask: np.ndarray) -> None:
    check(mask)


def test_masks_of_all_densities_are_filled_again() -> None:
    random = np.random.default_rng(5)
    for _ in range(60):
        check(random_mask(random))


@pytest.mark.parametrize("rows", [SPIRAL, PINCHED, PINCHED[::-1]])
def test_rings_that_touch_themselves_come_apart(rows: list[str]) -> None:
    check(mask_of(rows))
    check(~mask_of(rows))
    check(mask_of(rows).T)


def test_views_and_transposed_masks_are_read_right() -> None:
    mask = np.random.default_rng(1).random((40, 30)) < 0.5
    check(mask.T[::-1, ::2])


def test_cells_that_touch_at_a_point_are_two_polygons() -> None:
    result = outlines(mask_of(["#.", ".#"]))
    assert rings_of(result) == [
        [[(0, 0), (1, 0), (1, 1), (0, 1)]],
        [[(1, 1), (2, 1), (2, 2), (1, 2)]],
    ]


@each_case(
    ("shape", "closed", "vertices", "rings"),
    [
        ((1, 8192), None, 4, 1),
        ((8192, 2048), (slice(1, -1), slice(1, -1)), 8, 2),
        ((8192, 1), (slice(1, None, 2), 0), 4 * 4096, 4096),
    ],
)
def test_the_longest_sides_are_bounded(
    shape: tuple[int, int], closed: tuple[slice, slice] | None, vertices: int, rings: int
) -> None:
    mask = np.ones(shape, bool)
    if closed is not None:
        mask[closed] = False
    result = outlines(mask)
    assert len(result.vertices) == vertices
    assert result.rings.size == rings + 1
    assert_filled(result, mask)


def test_a_large_checkerboard_is_exact() -> None:
    mask = np.indices((700, 701)).sum(axis=0) % 2 == 0
    result = outlines(mask)
    assert len(result) == mask.sum()
    assert_filled(result, mask)


@each_case("side", [1, 3, 8, 100])
def test_chunks_are_filled_again_by_themselves(side: int) -> None:
    mask = np.random.default_rng(8).random((21, 34)) < 0.6
    again = np.zeros_like(mask)
    places = []
    for chunk, result in outlines_by_chunk(mask, side):
        places.append((chunk.y, chunk.x))
        part = np.zeros_like(mask)
        part[chunk.y : chunk.y + chunk.height, chunk.x : chunk.x + chunk.width] = True
        rings = [ring for polygon in rings_of(result) for ring in polygon]
        np.testing.assert_array_equal(filled(rings, mask.shape), mask & part)
        again |= part
    assert again.all()
    assert places == sorted(places)


def test_what_is_no_mask_is_refused() -> None:
    with pytest.raises(ValueError, match="dimensions"):
        outlines(np.ones(4, bool))
    with pytest.raises(ValueError, match="8193 cells is too long"):
        outlines(np.ones((1, 8193), bool))
    with pytest.raises(ValueError, match="chunk size 0 is not positive"):
        list(outlines_by_chunk(np.ones((2, 2), bool), 0))


def test_uncompiled_rings_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = np.random.default_rng(3).random((60, 70)) < 0.55
    compiled = outlines(mask)
    monkeypatch.setattr(module, "trace_rings", interpreted("outline_rings").trace_rings)
    plain = outlines(mask)
    np.testing.assert_array_equal(plain.vertices, compiled.vertices)
    np.testing.assert_array_equal(plain.rings, compiled.rings)
    np.testing.assert_array_equal(plain.polygons, compiled.polygons)


def test_a_long_wait_without_a_compiler_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMPILED", False)
    monkeypatch.setattr(module, "CORNERS_IN_A_SECOND", 1)
    with pytest.warns(UncompiledWarning, match="outline_rings"):
        outlines(np.ones((2, 2), bool))


def test_the_examples_are_true() -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(chunks).failed == 0
