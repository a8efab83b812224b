"""Of joins that cost the same the first one counts: further up, further left, then to the east."""

from __future__ import annotations

import numpy as np

from cases import each_case
from exporter.grids.connectivity import join_regions


def joined(*rows: str) -> list[str]:
    """Return a map of walls (#) and floor (.) with its regions joined."""
    walkable = np.array([[cell == "." for cell in row] for row in rows])
    return ["".join("#."[int(cell)] for cell in row) for row in join_regions(walkable).walkable]


@each_case(
    ("before", "after"),
    [
        # Any row would do: the uppermost is opened.
        (("#####", "#.#.#", "#.#.#", "#.#.#", "#####"),
         ["#####", "#...#", "#.#.#", "#.#.#", "#####"]),
        # Any column would do: the leftmost is opened.
        (("#####", "#...#", "#####", "#...#", "#####"),
         ["#####", "#...#", "#.###", "#...#", "#####"]),
        # Two ways around a corner that meet in the same cell: the one to the east.
        (("#####", "#.###", "###.#", "#####", "#####"),
         ["#####", "#...#", "###.#", "#####", "#####"]),
        # Three regions, each as far from the next: no cell more than the tree needs.
        (("#####", "#.###", "###.#", "##.##", "#####"),
         ["#####", "#...#", "##..#", "##.##", "#####"]),
    ],
)  # fmt: skip
def test_of_equal_joins_the_first_in_reading_order_is_opened(
    before: tuple[str, ...], after: list[str]
) -> None:
    assert joined(*before) == after


def test_a_cheaper_join_comes_before_one_further_up() -> None:
    assert joined("######", "#.##.#", "#.##.#", "#.#..#", "######") == [
        "######",
        "#.##.#",
        "#.##.#",
        "#....#",
        "######",
    ]
