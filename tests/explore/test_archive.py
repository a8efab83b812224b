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
    made, number = [], 0
    for group in groups:
        made.append([])
        for place in group:
            # The rank repeats itself, so that the number decides now and then.
            candidate = Candidate(number, number, (number,))
            made[-1].append(Elite(candidate, place, (number * 7 % 3, number)))
            number += 1
    return made


class SlowArchive:
    """Goes by the definition: per niche the best of what the niches before held, and of the new."""

    def __init__(self) -> None:
        self.kept: list[Elite] = []
        self.seen: list[Elite] = []

    def add(self, group: list[Elite]) -> None:
        self.seen += group
        self.kept += group
        ends = [
            (min(e.place[axis] for e in self.seen), max(e.place[axis] for e in self.seen))
            for axis in range(2)
        ]
        self.kept = [
            one
            for one in self.kept
            if not any(
                other.rank < one.rank and self.part(other, ends) == self.part(one, ends)
                for other in self.kept
            )
        ]

    @staticmethod
    def part(one: Elite, ends: list[tuple[float, float]]) -> list[int]:
        parts = []
        for value, (low, high) in zip(one.place, ends, strict=True):
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
    kept = sorted(archive.elites.values(), key=lambda one: one.candidate.number)
    assert kept == sorted(slow.kept, key=lambda one: one.candidate.number)


@given(generations)
def test_ranges_hold_all_that_was_seen(groups: list[list[tuple[float, float]]]) -> None:
    archive = Archive(2)
    made = elites(groups)
    for group in made:
        archive.add(group)
    seen = [one.place for group in made for one in group]
    if not seen:
        assert archive.ranges == ()
        return
    for axis, (low, high) in enumerate(archive.ranges):
        assert (low, high) == (min(p[axis] for p in seen), max(p[axis] for p in seen))
    for niche, one in archive.elites.items():
        assert niche == niche_of(one.place, archive.ranges)


def test_the_greatest_value_belongs_to_the_last_part() -> None:
    assert niche_of((3.0, 5.0), ((1.0, 3.0), (5.0, 5.0))) == (PARTS - 1, 0)


def test_a_generation_depends_on_its_numbers_alone() -> None:
    (parents,) = elites([[(1.0, 0.0), (2.0, 1.0)]])
    whole = generation("crypt", 0, 40, 1, parents)
    parts = [generation("crypt", first, 10, 1, parents) for first in range(0, 40, 10)]
    assert [one for part in parts for one in part] == whole
    assert len({one.seed for one in whole}) == 40
    assert all(0 <= gene < 2**64 for one in whole for gene in one.genes)


def test_children_lie_near_their_parents_and_a_few_candidates_anywhere() -> None:
    parent = Elite(Candidate(0, 0, (2**63,)), (0.0, 0.0), (0, 0))
    children = generation("crypt", 0, 1000, 1, [parent])
    near = [one for one in children if abs(one.genes[0] - 2**63) <= 2**64 * 15 // 100]
    even = [one for one in children if one == spread_candidate("crypt", one.number, 1)]
    assert 60 <= len(even) <= 140
    assert len(near) >= 1000 - len(even)


@given(st.lists(places, min_size=1, max_size=9, unique=True), st.integers(1, 9))
def test_the_farthest_of_the_rest_is_always_next(
    points: list[tuple[float, float]], count: int
) -> None:
    (made,) = elites([points])
    ranges = ((0.0, 1.0), (0.0, 1.0))
    chosen = farthest_first(made, ranges, lambda _: True, count)
    assert len(chosen) == min(count, len(points))
    assert chosen[0] == min(made, key=lambda one: one.rank)
    for index in range(1, len(chosen)):
        before = chosen[:index]
        nearest = {
            one.candidate.number: min(dist(one.place, other.place) for other in before)
            for one in made
            if one not in before
        }
        assert nearest[chosen[index].candidate.number] == pytest.approx(max(nearest.values()))


def test_chosen_levels_are_farther_apart_than_the_first_ones() -> None:
    (made,) = elites([[(float(x), float(y)) for x in range(10) for y in range(10)]])
    chosen = farthest_first(made, ((0.0, 9.0), (0.0, 9.0)), lambda _: True, 4)
    apart = min(dist(one.place, other.place) for one, other in combinations(chosen, 2))
    assert apart >= 6


def test_who_is_refused_is_not_chosen() -> None:
    (made,) = elites([[(0.0, 0.0), (1.0, 1.0), (5.0, 5.0)]])
    accepted = farthest_first(made, ((0.0, 5.0), (0.0, 5.0)), lambda one: one.place[0] < 5, 3)
    assert [one.place for one in accepted] == [(0.0, 0.0), (1.0, 1.0)]
