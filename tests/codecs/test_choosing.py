"""Choosing is cheap where there is much to choose: a piece decides for the whole."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from exporter.blob._grids import write_grid
from exporter.codecs import CODECS, choose, heights, tiles
from exporter.codecs._symbols import distinct_count, on_a_scale
from exporter.codecs.codec import NO_SIDE, Side
from exporter.visibility import compute_visibility


def cave(side: int) -> NDArray[np.uint8]:
    """Return a cave of walls (1) and floor (0)."""
    walls = np.random.default_rng(9).random((side, side)) < 0.45
    for _ in range(4):
        framed = np.pad(walls, 1, constant_values=True).astype(int)
        around = [framed[y : y + side, x : x + side] for y in range(3) for x in range(3)]
        walls = np.sum(around, axis=0) >= 5
    return walls.astype(np.uint8)


def seen_from_each_cell(walls: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return how much each cell sees, on the scale of 16 bits: an exposure layer."""
    table = compute_visibility(walls == 1, 6)
    counts = np.where(walls == 1, 0, table.count).astype(np.int64)
    return (counts * 65535 // int(counts.max())).astype(np.uint16)


WALLS = cave(180)
EXPOSURE = seen_from_each_cell(WALLS)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The cells of every grid the tile coder codes."""
    coded: list[int] = []
    code = tiles._with_plan

    def counted(grid: NDArray[np.uint8], *rest: object) -> bytes:
        coded.append(grid.size)
        return code(grid, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(tiles, "_with_plan", counted)
    return coded


def test_the_example_is_large_and_has_few_values_far_apart() -> None:
    assert EXPOSURE.size > tiles.LARGE
    assert 40 < distinct_count(EXPOSURE) <= 256
    assert on_a_scale(np.unique(EXPOSURE))
    assert not on_a_scale(np.arange(100, 150))


def test_values_on_a_scale_take_one_or_two_passes_over_the_whole(passes: list[int]) -> None:
    tiles.encode(EXPOSURE, NO_SIDE)
    assert 1 <= passes.count(EXPOSURE.size) <= 2
    assert sum(passes) < 4 * EXPOSURE.size


def test_overhead_is_below_one_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = tiles.encode(EXPOSURE, NO_SIDE)
    monkeypatch.setattr(tiles, "on_a_scale", lambda ids: False)
    thorough = tiles.encode(EXPOSURE, NO_SIDE)
    assert quick is not None
    assert thorough is not None
    assert 100 * len(quick) <= 101 * len(thorough)


def test_few_values_are_not_attempted_as_heights_where_they_are_not_smooth() -> None:
    result = heights.least(EXPOSURE, distinct_count(EXPOSURE), NO_SIDE)
    assert result is not None
    assert result > len(choose(EXPOSURE).payload)


def test_few_smooth_values_far_apart_are_attempted_as_heights() -> None:
    y, x = np.mgrid[:180, :180]
    terraces = ((x + 2 * y) // 4).astype(np.uint16) * 300
    result = heights.least(terraces, distinct_count(terraces), NO_SIDE)
    assert result is not None
    assert result < terraces.nbytes // 4


def test_a_layer_that_tells_nothing_takes_no_pass_over_the_whole(passes: list[int]) -> None:
    rival = tiles.encode(EXPOSURE, NO_SIDE)
    noise = np.random.default_rng(1).integers(0, 2, EXPOSURE.shape).astype(np.uint8)
    passes.clear()
    assert tiles.encode_from_sides(EXPOSURE, [noise], rival) is None
    assert EXPOSURE.size not in passes


def test_the_most_informative_layer_is_chosen() -> None:
    noise = np.random.default_rng(1).integers(0, 3, EXPOSURE.shape).astype(np.uint8)
    tiled = (WALLS * 3 + np.roll(WALLS, 1, 0) + np.roll(WALLS, 1, 1)).astype(np.uint8)
    result = tiles.encode_from_sides(tiled, [noise, WALLS, 1 - WALLS])
    assert result is not None
    number, payload = result
    assert number == 1
    side = Side(WALLS)
    again = tiles.decode(payload, tiled.shape, tiled.dtype, side)
    assert np.array_equal(again, tiled)
    (chunk,) = write_grid("CELL", tiled, 0, 3, "small", [noise, WALLS, 1 - WALLS])
    assert (chunk.codec, chunk.side) == (CODECS.get("tiles").number, 1)
