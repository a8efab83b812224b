"""Paths through rooms against every walk there is, on small random graphs."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.grids.room_paths import (
    dead_end_rooms,
    doors_away,
    room_cycles,
    room_graph,
    rooms_away,
    rooms_between,
)
from exporter.model.level import Connection

ROOMS = 6
Edge = tuple[int, int, bool]
rooms = st.integers(0, ROOMS - 1)
edge_lists = st.lists(st.tuples(rooms, rooms, st.booleans()), max_size=12)
sources = st.sets(rooms, max_size=3)


def graph_of(edges: list[Edge]):  # type: ignore[no-untyped-def]
    ways = [Connection((a, b), 0, 0, "door" if door else "opening") for a, b, door in edges]
    return room_graph(ROOMS, ways)


def walks(edges: list[Edge], starts: set[int]) -> list[tuple[int, ...]]:
    """All walks without a room twice, from any of some rooms."""
    result = [(start,) for start in sorted(starts)]
    for walk in result:
        for a, b, _ in edges:
            for here, there in ((a, b), (b, a)):
                if walk[-1] == here and there not in walk:
                    result.append((*walk, there))
    return result


def doors_on(edges: list[Edge], walk: tuple[int, ...]) -> int:
    """The doors on a walk, taking the way without one wherever there is a choice."""
    return sum(
        all(door for a, b, door in edges if {a, b} == {item, other})
        for item, other in pairwise(walk)
    )


@settings(max_examples=120, deadline=None)
@given(edge_lists, sources)
def test_distances_are_those_of_the_best_of_all_walks(edges: list[Edge], starts: set[int]) -> None:
    graph = graph_of(edges)
    every = walks(edges, starts)
    for room in range(ROOMS):
        ending = [walk for walk in every if walk[-1] == room]
        fewest = min((len(walk) - 1 for walk in ending), default=-1)
        assert rooms_away(graph, starts)[room] == fewest
        doors = min((doors_on(edges, walk) for walk in ending), default=-1)
        assert doors_away(graph, starts)[room] == doors


@settings(max_examples=120, deadline=None)
@given(edge_lists, sources, sources)
def test_rooms_between_are_those_of_all_shortest_walks(
    edges: list[Edge], first: set[int], second: set[int]
) -> None:
    every = [walk for walk in walks(edges, first) if walk[-1] in second]
    fewest = min(map(len, every), default=0)
    expected = {room for walk in every if len(walk) == fewest for room in walk}
    result = rooms_between(graph_of(edges), first, second)
    assert set(np.flatnonzero(result).tolist()) == expected


@settings(max_examples=120, deadline=None)
@given(edge_lists)
def test_ends_and_cycles_are_those_of_the_pairs_of_neighbours(edges: list[Edge]) -> None:
    graph = graph_of(edges)
    pairs = {frozenset((a, b)) for a, b, _ in edges if a != b}
    ends = [sum(room in pair for pair in pairs) == 1 for room in range(ROOMS)]
    assert dead_end_rooms(graph).tolist() == ends
    assert graph.edges == len(pairs)
    # The fewest edges without which no cycle is left.
    for number in range(len(pairs) + 1):
        if any(is_forest(pairs - set(some)) for some in combinations(pairs, number)):
            break
    assert room_cycles(graph) == number


def is_forest(pairs: set[frozenset[int]]) -> bool:
    """Whether taking away ends again and again leaves nothing."""
    left = set(pairs)
    while left:
        ends = {pair for pair in left for r in pair if sum(r in other for other in left) == 1}
        if not ends:
            return False
        left -= ends
    return True


def test_several_ways_between_two_rooms_are_one_without_a_door_if_any_has_none() -> None:
    graph = graph_of([(0, 1, True), (1, 0, False), (1, 2, True), (2, 1, True), (3, 3, False)])
    assert [dict(neighbour) for neighbour in graph.neighbours] == [
        {1: 0},
        {0: 0, 2: 1},
        {1: 1},
        {},
        {},
        {},
    ]


def test_no_rooms_are_a_graph_as_well() -> None:
    graph = room_graph(0, [])
    assert rooms_away(graph, []).size == doors_away(graph, []).size == 0
    assert rooms_between(graph, [], []).size == dead_end_rooms(graph).size == 0
    assert room_cycles(graph) == graph.edges == 0
    assert dead_end_rooms(graph).dtype == bool


@pytest.mark.parametrize("pair", [(0, 2), (-1, 0)])
def test_a_way_to_a_room_that_does_not_exist_is_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="but there are only 2"):
        room_graph(2, [Connection(pair, 0, 0)])


def test_a_thousand_rooms_in_a_row_are_far_apart() -> None:
    ways = [Connection((i, i + 1), 0, 0, "door" if i % 3 else "opening") for i in range(999)]
    graph = room_graph(1000, ways)
    assert rooms_away(graph, [0])[-1] == 999
    assert doors_away(graph, [0])[-1] == 666
    assert rooms_between(graph, [0], [999]).all()
