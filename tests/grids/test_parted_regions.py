"""Regions that are found part by part are those of the whole map."""

from __future__ import annotations

import numpy as np
import pytest

from cases import each_case
from exporter.grids.certificates import certify
from exporter.grids.parted_regions import (
    PartRegions,
    decode_regions,
    encode_regions,
    regions_of_part,
    whole_regions,
)
from exporter.model.windows import Window


def parts(walkable: np.ndarray, side: int) -> list[PartRegions]:
    height, width = walkable.shape
    result = []
    for y in range(0, height, side):
        for x in range(0, width, side):
            size = min(side, width - x), min(side, height - y)
            window = Window(x, y, *size, (width, height))
            around = window.grown(1)
            rows, columns = slice(around.y, around.bottom), slice(around.x, around.right)
            result.append(regions_of_part(walkable[rows, columns], window, around))
    return result


def check(walkable: np.ndarray, side: int) -> None:
    result, expected = whole_regions(parts(walkable, side)), certify(walkable)
    assert result.count == expected.regions_after
    assert result.start == expected.start
    assert (result.floor, result.dead_ends) == (expected.floor, expected.dead_ends)


@each_case("seed", range(40))
def test_any_map_has_the_regions_of_its_parts(seed: int) -> None:
    random = np.random.default_rng(seed)
    height, width = random.integers(1, 40, 2).tolist()
    walkable = random.random((height, width)) < random.random()
    for side in (2, 3, 7, 16, 64) if walkable.size > 200 else (1, 2, 3, 7):
        check(walkable, side)


def test_cells_that_share_the_corner_of_four_parts_are_apart() -> None:
    walkable = np.zeros((8, 8), bool)
    walkable[3, 3] = walkable[4, 4] = True
    assert whole_regions(parts(walkable, 4)).count == 2
    walkable[3, 4] = True
    assert whole_regions(parts(walkable, 4)).count == 1


@pytest.mark.parametrize("side", [4, 5])
def test_a_spiral_through_all_parts_is_one_region(side: int) -> None:
    walkable = np.zeros((41, 41), bool)
    x, y, dx, dy = 0, 0, 1, 0
    walkable[0, 0] = True
    turns = 0
    while turns < 2:
        ahead = x + 2 * dx, y + 2 * dy
        beyond = not (0 <= ahead[0] < 41 and 0 <= ahead[1] < 41)
        if beyond or walkable[ahead[1], ahead[0]]:
            dx, dy, turns = -dy, dx, turns + 1
            continue
        for _ in range(2):
            x, y, turns = x + dx, y + dy, 0
            walkable[y, x] = True
    check(walkable, side)
    assert whole_regions(parts(walkable, side)).count == 1


def test_of_regions_that_are_as_large_the_first_counts() -> None:
    walkable = np.zeros((9, 20), bool)
    walkable[1, 14:17] = True  # inside of a part
    walkable[4, 3:6] = True  # across two parts
    walkable[7, 1:3] = True
    check(walkable, 5)
    check(walkable[::-1], 5)


def test_an_empty_map_and_a_full_one() -> None:
    check(np.zeros((10, 11), bool), 4)
    check(np.ones((10, 11), bool), 4)


def test_the_order_of_parts_makes_no_difference() -> None:
    walkable = np.random.default_rng(5).random((30, 30)) < 0.6
    result = parts(walkable, 6)
    assert whole_regions(result) == whole_regions(reversed(result))


def test_what_is_known_of_a_part_survives_as_bytes() -> None:
    walkable = np.random.default_rng(6).random((30, 31)) < 0.55
    result = [decode_regions(encode_regions(part)) for part in parts(walkable, 8)]
    assert whole_regions(result) == whole_regions(parts(walkable, 8))


def test_other_bytes_are_refused() -> None:
    data = encode_regions(parts(np.ones((4, 4), bool), 4)[0])
    for broken in (b"", data[:20], data[:-8], data[:60], data[:-16]):
        with pytest.raises(ValueError, match=r"regions|buffer"):
            decode_regions(broken)
