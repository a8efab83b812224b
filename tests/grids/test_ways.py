"""Cheapest ways: beside a plain search over cells, directions and turns with tuples in a heap."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreted_kernels
from exporter.grids import ways as ways_module
from exporter.grids.ways import LARGEST_COST, CostGrid

# North, east, south, west.
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
Cell = tuple[int, int]


def neighbours(costs: Any, cell: Cell) -> list[tuple[int, Cell]]:
    result = []
    for direction, (dx, dy) in enumerate(STEPS):
        x, y = cell[0] + dx, cell[1] + dy
        if 0 <= x < costs.shape[1] and 0 <= y < costs.shape[0] and costs[y, x] != 0:
            result.append((direction, (x, y)))
    return result


def best_way(costs: Any, start: Cell, goal: Cell) -> tuple[int, int, list[Cell]] | None:
    """Cost, turns and cells of the best way: the least (cost, turns, directions)."""
    heap: list[tuple[int, int, list[int], Cell]] = [(0, 0, [], start)]
    seen = set()
    while heap:
        cost, turns, directions, cell = heapq.heappop(heap)
        if cell == goal:
            path = [start]
            for direction in directions:
                dx, dy = STEPS[direction]
                path.append((path[-1][0] + dx, path[-1][1] + dy))
            return cost, turns, path
        last = directions[-1] if directions else None
        # Of two ways to a cell with the same last step, the lesser one stays the lesser.
        if (cell, last) in seen:
            continue
        seen.add((cell, last))
        if costs[cell[1], cell[0]] < 0 and cell != start:
            continue
        for direction, other in neighbours(costs, cell):
            turned = last is not None and last != direction
            price = abs(int(costs[other[1], other[0]]))
            heapq.heappush(heap, (cost + price, turns + turned, [*directions, direction], other))
    return None


@st.composite
def searches(draw: st.DrawFn) -> tuple[Any, Cell, Cell]:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    kinds = draw(st.sampled_from([[0, 1], [1], [0, 1, 1, 2, 2], [0, 1, 5, 9, -2], [2, 3, -3]]))
    flat = draw(st.lists(st.sampled_from(kinds), min_size=width * height, max_size=width * height))
    costs = np.array(flat, np.int32).reshape(height, width)
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    start, goal = draw(cells), draw(cells)
    for x, y in (start, goal):
        costs[y, x] = costs[y, x] or draw(st.sampled_from([1, -1, 4]))
    return costs, start, goal


def number(costs: Any, cell: Cell) -> int:
    return cell[1] * costs.shape[1] + cell[0]


def check(costs: Any, start: Cell, goal: Cell) -> None:
    grid = CostGrid(costs)
    result = grid.way(number(costs, start), number(costs, goal))
    expected = best_way(costs, start, goal)
    remaining = grid.remaining(number(costs, goal))
    if expected is None:
        assert result is None
        assert remaining[start[1], start[0]] == -1
        return
    assert result is not None
    width = costs.shape[1]
    assert [(int(cell) % width, int(cell) // width) for cell in result] == expected[2]
    assert remaining[start[1], start[0]] == expected[0]


@settings(max_examples=120, deadline=None)
@given(searches())
def test_a_way_is_the_cheapest_then_the_straightest_then_the_first(
    search: tuple[Any, Cell, Cell],
) -> None:
    check(*search)


@settings(max_examples=60, deadline=None)
@given(searches())
def test_the_interpreted_kernel_finds_the_same(search: tuple[Any, Cell, Cell]) -> None:
    kernel = interpreted_kernels.interpreted("ways")
    compiled = ways_module.search, ways_module.count_turns, ways_module.follow
    ways_module.search, ways_module.count_turns, ways_module.follow = (
        kernel.search,
        kernel.count_turns,
        kernel.follow,
    )
    try:
        check(*search)
    finally:
        ways_module.search, ways_module.count_turns, ways_module.follow = compiled


@settings(max_examples=60, deadline=None)
@given(searches())
def test_what_remains_is_the_cost_from_every_cell(search: tuple[Any, Cell, Cell]) -> None:
    costs, _, goal = search
    remaining = CostGrid(costs).remaining(number(costs, goal))
    for y, x in np.ndindex(costs.shape):
        expected = best_way(costs, (x, y), goal) if costs[y, x] else None
        if (x, y) == goal:
            expected = (0, 0, [])
        assert remaining[y, x] == (-1 if expected is None else expected[0])


def test_an_open_field_is_crossed_with_one_turn() -> None:
    grid = CostGrid(np.full((40, 60), 7, np.int32))
    way = grid.way(0, 40 * 60 - 1)
    assert way is not None
    # East comes before south.
    assert way.tolist() == [*range(60), *range(119, 2400, 60)]


def test_a_cost_can_be_lowered_for_the_next_way() -> None:
    grid = CostGrid(np.full((3, 5), 4, np.int32))
    grid.change(np.array([5, 10, 11, 12, 13, 14, 9]), 1)
    way = grid.way(0, 4)
    assert way is not None
    assert way.tolist() == [0, 5, 10, 11, 12, 13, 14, 9, 4]
    assert grid.cost(9) == 1
    with pytest.raises(ValueError, match=r"a cost of 5 is out of range \(allowed: 1 to 4\)"):
        grid.change(np.array([0]), 5)


def test_costs_that_cannot_be_searched_are_refused() -> None:
    with pytest.raises(ValueError, match="is too large"):
        CostGrid(np.full((2, 2), LARGEST_COST + 1, np.int32))
    with pytest.raises(ValueError, match="has 1 dimensions"):
        CostGrid(np.ones(4, np.int32))
