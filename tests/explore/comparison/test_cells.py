"""Differing cells of layers, against a reference that compares cell by cell."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cases import each_case
from exporter.explore.comparison import cells as module
from exporter.explore.comparison.cells import (
    box_of,
    compare_legends,
    compare_masks,
    compare_named_masks,
    compare_samples,
    compare_tiles,
)
from exporter.explore.comparison.differences import Box, CellChanges, NamedChange, TilePair
from exporter.model.level import HeightRange, Layer, Tile

NAMES = ("floor", "wall", "water", "grass")


def legend(*names: str, first: int = 0) -> tuple[Tile, ...]:
    return tuple(Tile(first + n, name, n == 0, n == 1, "#112233") for n, name in enumerate(names))


def layer(cells: object, tiles: tuple[Tile, ...] = legend(*NAMES), dtype: str = "uint8") -> Layer:
    return Layer("ground", "tiles", np.array(cells, dtype), "test", tiles=tiles)


def heights(cells: object, **given: object) -> Layer:
    samples = np.array(cells, np.uint16)
    return Layer("relief", "heights", samples, "test", heights=HeightRange(**given))  # type: ignore[arg-type]


def slow_pairs(was: Layer, now: Layer) -> Counter[tuple[str, str]]:
    """Count the cells whose name differs, one by one."""
    names = [{tile.id: tile.name for tile in item.tiles} for item in (was, now)]
    counter: Counter[tuple[str, str]] = Counter()
    for y in range(min(was.height, now.height)):
        for x in range(min(was.width, now.width)):
            old, new = (
                of.get(int(item.cells[y, x]), f"#{item.cells[y, x]}")
                for of, item in zip(names, (was, now), strict=True)
            )
            if old != new:
                counter[old, new] += 1
    return counter


@each_case("seed", range(12))
def test_changed_tiles_are_those_a_slow_reference_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(seed)
    monkeypatch.setattr(module, "_BAND", 20)  # bands of few rows
    shapes = [(int(random.integers(1, 14)), int(random.integers(1, 14))) for _ in range(2)]
    if seed % 2:
        shapes[1] = shapes[0]
    # The second legend has other numbers, and both have cells outside of them.
    layers = [
        layer(random.integers(0, 6, shape), legend(*names, first=first), dtype)
        for shape, names, first, dtype in zip(
            shapes, (NAMES, NAMES[1:]), (0, 2), ("uint8", "uint16"), strict=True
        )
    ]
    result, expected = compare_tiles(*layers), slow_pairs(*layers)
    assert {(pair.was, pair.now): pair.cells for pair in result.pairs} == expected
    assert result.changed == expected.total() == int(result.mask.sum())
    assert result.compared == min(s[0] for s in shapes) * min(s[1] for s in shapes)
    assert result.share == result.changed / result.compared
    assert result.box == slow_box(result)
    order = [(-pair.cells, pair.was, pair.now) for pair in result.pairs]
    assert order == sorted(order)


def slow_box(result: CellChanges) -> Box | None:
    at = [(x, y) for y, row in enumerate(result.mask) for x, cell in enumerate(row) if cell]
    if not at:
        return None
    left, top = min(x for x, _ in at), min(y for _, y in at)
    return Box(left, top, max(x for x, _ in at) - left + 1, max(y for _, y in at) - top + 1)


def test_other_numbers_for_the_same_tiles_change_no_cell_but_the_legend() -> None:
    was = layer([[0, 1]], legend("floor", "wall"))
    now = layer([[5, 6]], legend("floor", "wall", first=5))
    assert compare_tiles(was, now).changed == 0
    changes = list(compare_legends(was.tiles, now.tiles))
    assert [(change.name, change.kind, change.was.id, change.now.id) for change in changes] == [
        ("floor", "changed", 0, 5),
        ("wall", "changed", 1, 6),
    ]


def test_tiles_of_one_name_in_one_legend_are_reported_apart() -> None:
    tiles = legend("moss", "moss")
    result = compare_tiles(layer([[0, 0]], tiles), layer([[0, 1]], tiles))
    assert result.pairs == (TilePair("moss #0", "moss #1", 1),)


def test_a_legend_has_tiles_added_and_removed() -> None:
    item, other = legend("floor", "wall"), legend("floor", "water")
    assert list(compare_legends(item, other)) == [
        NamedChange("water", "added", None, other[1]),
        NamedChange("wall", "removed", item[1]),
    ]


@each_case("seed", range(6))
def test_heights_differ_as_a_slow_reference_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BAND", 20)
    random = np.random.default_rng(seed)
    shape = (int(random.integers(1, 12)), int(random.integers(1, 12)))
    ends = [(0.0, 100.0), (0.0, 100.0) if seed % 2 else (-20.0, 60.0)]
    samples = [random.integers(0, 65536, shape) for _ in range(2)]
    samples[1][random.random(shape) < 0.4] = samples[0][0, 0]
    layers = [
        heights(sample, minimum=low, maximum=high)
        for sample, (low, high) in zip(samples, ends, strict=True)
    ]
    slow = [
        (ends[1][0] + int(new) * (ends[1][1] - ends[1][0]) / 65535)
        - (ends[0][0] + int(old) * (ends[0][1] - ends[0][0]) / 65535)
        for old, new in zip(samples[0].flat, samples[1].flat, strict=True)
    ]
    differing = [item for item in slow if abs(item) > 1e-9]
    cells, result = compare_samples(*layers)
    assert result is not None
    assert cells.changed == len(differing)
    assert (result.raised, result.lowered) == (
        sum(item > 0 for item in differing),
        sum(item < 0 for item in differing),
    )
    sizes = [abs(item) for item in differing] or [0.0]
    assert result.largest == pytest.approx(max(sizes))
    assert result.mean == pytest.approx(sum(sizes) / len(sizes))
    assert result.units == "metres"


def test_heights_in_other_units_are_compared_by_their_samples() -> None:
    was, now = heights([[1, 2]], units="metres"), heights([[1, 3]], units="feet")
    cells, result = compare_samples(was, now)
    assert (cells.changed, result) == (1, None)


def test_a_range_without_a_length_is_not_computed_with() -> None:
    wide = {"minimum": -1.7e308, "maximum": 1.7e308}
    cells, result = compare_samples(heights([[1]], **wide), heights([[4]], **wide))
    assert (cells.changed, result) == (1, None)


def test_masks_are_compared_where_both_have_cells() -> None:
    was = np.array([[1, 1, 0], [0, 0, 1]], bool)
    now = np.array([[0, 1], [1, 1], [1, 1]], bool)
    changes = compare_masks(was, now)
    assert (changes.opened, changes.closed) == (2, 1)
    none = np.zeros((2, 2), bool)
    assert list(
        compare_named_masks({"a": was, "gone": was, "same": was}, {"same": was, "new": none})
    ) == [("new", 0), ("a", 3), ("gone", 3)]


def test_nothing_has_no_box() -> None:
    assert box_of(np.zeros((3, 4), bool)) is None
