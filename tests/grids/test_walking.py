"""Walking distances, flows and detours: beside plain searches, cell by cell."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.grids.walking import detours, flow, move_aside, no_way, steps_from

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def beside(cell: tuple[int, int], shape: tuple[int, ...]) -> list[tuple[int, int]]:
    result = [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]
    return [(x, y) for x, y in result if 0 <= x < shape[1] and 0 <= y < shape[0]]


def walk(start: tuple[int, int], walkable: Any, ends: Any) -> dict[tuple[int, int], int]:
    """Steps from one cell to all reached cells; ends that are not walkable only end it."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell != start and not walkable[cell[1], cell[0]]:
            continue
        for x, y in beside(cell, walkable.shape):
            if (walkable[y, x] or ends[y, x]) and (x, y) not in steps:
                steps[x, y] = steps[cell] + 1
                queue.append((x, y))
    return steps


def nearest(marked: Any, walkable: Any, ends: Any) -> Any:
    result = np.full(marked.shape, -1)
    for y, x in np.argwhere(marked):
        for (cx, cy), steps in walk((x, y), walkable, ends).items():
            if result[cy, cx] < 0 or steps < result[cy, cx]:
                result[cy, cx] = steps
    return result


@st.composite
def maps(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    walkable = random.random((height, width)) < draw(st.sampled_from([0.5, 0.7, 1.0]))
    marks = [np.zeros((height, width), bool) for _ in range(2)]
    for mask in marks:
        for _ in range(draw(st.integers(0, 3))):
            mask[random.integers(height), random.integers(width)] = True
    return walkable, marks[0], marks[1]


@settings(max_examples=80, deadline=None)
@given(maps())
def test_steps_are_those_of_a_plain_search(given_map: tuple[Any, Any, Any]) -> None:
    walkable, marked, _ = given_map
    assert np.array_equal(steps_from(marked, walkable), nearest(marked, walkable, marked))


@settings(max_examples=80, deadline=None)
@given(maps())
def test_a_flow_leads_to_the_nearest_mark(given_map: tuple[Any, Any, Any]) -> None:
    walkable, marked, _ = given_map
    steps = steps_from(marked, walkable)
    directions = flow(steps)
    for y, x in np.ndindex(steps.shape):
        here = int(steps[y, x])
        if here <= 0:
            assert directions[y, x] == (4 if here == 0 else 5)
            continue
        nearer = [
            direction
            for direction, (dx, dy) in enumerate(STEPS)
            if 0 <= x + dx < steps.shape[1]
            and 0 <= y + dy < steps.shape[0]
            and steps[y + dy, x + dx] == here - 1
        ]
        assert directions[y, x] == nearer[0]


@settings(max_examples=80, deadline=None)
@given(maps())
def test_detours_are_walks_over_each_cell(given_map: tuple[Any, Any, Any]) -> None:
    walkable, starts, goals = given_map
    walks = detours(steps_from(starts, walkable), steps_from(goals, walkable))
    ends = starts | goals
    begun, ended = nearest(starts, walkable, ends), nearest(goals, walkable, ends)
    # A start that is not walkable is no place to pass, nor is a goal: only ends of walks.
    total = np.where((begun >= 0) & (ended >= 0), begun + ended, -1)
    passed = walkable | (begun == 0) | (ended == 0)
    total = np.where(passed, total, -1)
    assert np.array_equal(walks.total, total)
    some = total[total >= 0]
    assert walks.shortest == (int(some.min()) if some.size else None)
    for detour in (0, 2, 5):
        within = walks.within(detour)
        if walks.shortest is None:
            assert not within.any()
        else:
            assert np.array_equal(within, (total >= 0) & (total <= walks.shortest + detour))


def test_a_step_away_is_one_more_than_the_nearest_neighbour() -> None:
    steps = np.array([[0, -1, 5], [-1, -1, -1], [-1, -1, -1]], np.int32)
    assert move_aside(steps).tolist() == [[-1, 1, -1], [1, -1, 6], [-1, -1, -1]]


def test_no_way_is_reported_with_what_can_be_reached() -> None:
    walkable = np.array([[1, 1, 1, 0, 1]], bool)
    start, goal = np.zeros((2, 1, 5), bool)
    start[0, 0], goal[0, 4] = True, True
    walks = detours(steps_from(start, walkable), steps_from(goal, walkable))
    reported = no_way(["hut"], ["exit", "gate"], walks, walkable)
    assert reported.startswith(
        "no path leads from 'hut' to 'exit', 'gate': 3 of 4 walkable cells can be reached "
        "from 'hut', "
        "1 from 'exit', 'gate' ("
    )
    goal[0, 4] = False
    walks = detours(steps_from(start, walkable), steps_from(goal, walkable))
    reported = no_way(["hut"], ["exit"], walks, walkable)
    assert "there is no 'exit' on the map" in reported
