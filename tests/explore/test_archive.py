"""The archive against a slow reference that keeps every candidate it has ever seen."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.explore.archive import PARTS, Archive, Elite, farthest_first, generation, niche_of
from exporter.explore.candidates import Candidate, spread_candidate

places = st.tuples(st.integers(0, 30).map(float), st.integers(-4, 4).map(lambda n: n / 4))
generations = st.lists(st.lists(places, max_size=12), min_size=1, max_size=5)


def elites(groups: list[list[tuple[float, float]]]) -> list[list[Elite]]:
    result, number = [], 0
    for group in groups:
        result.append([])
        for position in group:
            # The rank repeats itself, so that the number decides now and then.
            candidate = Candidate(number, number, (number,))
            result[-1].append(Elite(candidate, position, number * 7 % 3))
            number += 1
    return result


class SlowArchive:
    """Goes by the definition: per niche the best of what the niches before held, and of the new."""

    def __init__(self) -> None:
        self.elites: list[Elite] = []
        self.seen: list[Elite] = []

    def add(self, group: list[Elite]) -> None:
        self.seen += group
        self.elites += group
        ends = [
            (min(e.position[axis] for e in self.seen), max(e.position[axis] for e in self.seen))
            for axis in range(2)
        ]
        self.elites = [
            item
            for item in self.elites
            if not any(
                other.rank < item.rank and self.part(other, ends) == self.part(item, ends)
                for other in self.elites
            )
        ]

    @staticmethod
    def part(member: Elite, ends: list[tuple[float, float]]) -> list[int]:
        parts = []
        for value, (low, high) in zip(member.position, ends, strict=True):
            edges = [low + (high - low) * part / PARTS for part in range(1, PARTS)]
            parts.append(sum(value >= edge for edge in edges) if high > low else 0)
        return parts


# Ends that 20 parts divide exactly, so that no rounding decides.
exact = st.tuples(st.integers(0, 20).map(float), st.integers(0, 20).map(float))


@given(st.lists(st.lists(exact, max_size=12), min_size=1, max_size=5))
def test_each_niche_keeps_its_best(groups: list[list[tuple[float, float]]]) -> None:
    corners = [(0.0, 0.0), (20.0, 20.0)]
    archive, slow = Archive(2), SlowArchive()
    for group in elites([corners, *groups]):
        archive.add(group)
        if group:
            slow.add(group)
    remaining = sorted(archive.elites.values(), key=lambda elite: elite.candidate.number)
    assert remaining == sorted(slow.elites, key=lambda item: item.candidate.number)


@given(generations)
def test_ranges_hold_all_that_was_seen(groups: list[list[tuple[float, float]]]) -> None:
    archive = Archive(2)
    result = elites(groups)
    for group in result:
        archive.add(group)
    seen = [item.position for group in result for item in group]
    if not seen:
        assert archive.ranges == ()
        return
    for axis, (low, high) in enumerate(archive.ranges):
        assert (low, high) == (min(p[axis] for p in seen), max(p[axis] for p in seen))
    for niche, item in archive.elites.items():
        assert niche == niche_of(item.position, archive.ranges)


def test_the_greatest_value_belongs_to_the_last_part() -> None:
    assert niche_of((3.0, 5.0), ((1.0, 3.0), (5.0, 5.0))) == (PARTS - 1, 0)


def test_a_generation_depends_on_its_numbers_alone() -> None:
    (parents,) = elites([[(1.0, 0.0), (2.0, 1.0)]])
    whole = generation("crypt", 0, 40, 1, parents)
    parts = [generation("crypt", first, 10, 1, parents) for first in range(0, 40, 10)]
    assert [item for part in parts for item in part] == whole
    assert len({item.seed for item in whole}) == 40
    assert all(0 <= gene < 2**64 for item in whole for gene in item.genes)


def test_children_lie_near_their_parents_and_a_few_candidates_anywhere() -> None:
    parent = Elite(Candidate(0, 0, (2**63,)), (0.0, 0.0), 0)
    children = generation("crypt", 0, 1000, 1, [parent])
    near = [child for child in children if abs(child.genes[0] - 2**63) <= 2**64 * 15 // 100]
    even = [child for child in children if child == spread_candidate("crypt", child.number, 1)]
    assert 60 <= len(even) <= 140
    assert len(near) >= 1000 - len(even)


@given(st.lists(places, min_size=1, max_size=9, unique=True), st.integers(1, 9))
def test_the_farthest_of_the_rest_is_always_next(
    points: list[tuple[float, float]], count: int
) -> None:
    (result,) = elites([points])
    ranges = ((0.0, 1.0), (0.0, 1.0))
    chosen = farthest_first(result, ranges, lambda _: True, count)
    assert len(chosen) == min(count, len(points))
    assert chosen[0] == min(result, key=lambda item: item.rank)
    for index in range(1, len(chosen)):
        before = chosen[:index]
        nearest = {
            item.candidate.number: min(dist(item.position, other.position) for other in before)
            for item in result
            if item not in before
        }
        assert nearest[chosen[index].candidate.number] == pytest.approx(max(nearest.values()))


def test_chosen_levels_are_farther_apart_than_the_first_ones() -> None:
    (result,) = elites([[(float(x), float(y)) for x in range(10) for y in range(10)]])
    chosen = farthest_first(result, ((0.0, 9.0), (0.0, 9.0)), lambda _: True, 4)
    apart = min(dist(item.position, other.position) for item, other in combinations(chosen, 2))
    assert apart >= 6


def test_who_is_refused_is_not_chosen() -> None:
    (result,) = elites([[(0.0, 0.0), (1.0, 1.0), (5.0, 5.0)]])
    accepted = farthest_first(
        result, ((0.0, 5.0), (0.0, 5.0)), lambda item: item.position[0] < 5, 3
    )
    assert [item.position for item in accepted] == [(0.0, 0.0), (1.0, 1.0)]
