"""Objects: which of two levels are the same ones."""

from __future__ import annotations

import random
from itertools import permutations
from time import perf_counter

import numpy as np
import pytest

from cases import each_case
from exporter.explore.comparison import objects as module
from exporter.explore.comparison.objects import assignment, compare_objects
from exporter.model.level import PlacedObject


def placed(*things: tuple[str, int, int], **properties: int) -> list[PlacedObject]:
    return [
        PlacedObject(number, name, x, y, properties)
        for number, (name, x, y) in enumerate(things, 1)
    ]


@each_case("seed", range(30))
def test_an_assignment_costs_as_little_as_any(seed: int) -> None:
    choice = np.random.default_rng(seed)
    rows = int(choice.integers(1, 6))
    columns = rows + int(choice.integers(0, 3))
    cost = choice.integers(0, 9, (rows, columns))
    result = assignment(cost)
    assert len(set(result)) == rows
    least = min(
        sum(int(cost[row, column]) for row, column in enumerate(columns_of))
        for columns_of in permutations(range(columns), rows)
    )
    assert sum(int(cost[row, column]) for row, column in enumerate(result)) == least


def test_a_removed_object_moves_no_later_object() -> None:
    was = placed(("chest", 1, 1), ("chest", 5, 5), ("chest", 9, 9))
    objects = compare_objects(was, placed(("chest", 5, 5), ("chest", 9, 9)))
    assert [(item.number, item.placed.x) for item in objects.removed] == [(1, 1)]
    assert not objects.changed
    assert (objects.same, objects.other_ids) == (2, 2)
    assert objects.differs


def test_the_added_candidate_is_the_farthest() -> None:
    was = placed(("chest", 1, 1), ("chest", 20, 20))
    objects = compare_objects(was, placed(("chest", 40, 1), ("chest", 2, 1), ("chest", 20, 21)))
    assert [(item.number, item.placed.x) for item in objects.added] == [(1, 40)]
    moves = [((c.was.number, c.now.number), c.steps) for c in objects.changed]
    assert moves == [((1, 2), 1), ((2, 3), 1)]


@each_case("seed", range(30))
def test_all_ways_together_are_as_short_as_possible(seed: int) -> None:
    choice = random.Random(seed)
    was, now = (
        placed(*[("rat", choice.randrange(9), choice.randrange(9)) for _ in range(number)])
        for number in (choice.randint(1, 5), choice.randint(1, 5))
    )
    objects = compare_objects(was, now)
    steps = sum(item.steps for item in objects.changed)
    fewer, more = sorted((was, now), key=len)
    least = min(
        sum(abs(a.x - b.x) + abs(a.y - b.y) for a, b in zip(fewer, chosen, strict=True))
        for chosen in permutations(more, len(fewer))
    )
    assert steps == least
    assert objects.same + len(objects.changed) == len(fewer)
    assert len(objects.added) - len(objects.removed) == len(now) - len(was)


def test_other_names_are_other_objects() -> None:
    objects = compare_objects(placed(("rat", 1, 1)), placed(("bat", 1, 1)))
    assert [item.placed.name for item in objects.added] == ["bat"]
    assert [item.placed.name for item in objects.removed] == ["rat"]


def test_properties_that_differ_are_reported_and_those_alike_stay_together() -> None:
    rich, poor = placed(("chest", 1, 1), gold=5)[0], placed(("chest", 1, 1), gold=1)[0]
    assert not compare_objects([rich, poor], [poor, rich]).changed
    (more,) = compare_objects([rich], [poor, rich]).added
    assert more.placed is poor
    (change,) = compare_objects([rich], [poor]).changed
    assert not change.moved
    (gold,) = change.properties
    assert (gold.name, gold.kind, gold.was, gold.now) == ("gold", "changed", 5, 1)
    # Their order is not compared, but their numbers are.
    assert compare_objects([rich, poor], [poor, rich]).other_ids == 0
    assert not compare_objects([rich], [rich]).differs


def test_true_is_not_1() -> None:
    placed_object = PlacedObject(1, "door", 0, 0, {"open": True})
    other = PlacedObject(1, "door", 0, 0, {"open": 1})
    assert compare_objects([placed_object], [other]).changed


def test_too_many_are_matched_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST_WORK", 7)
    was = placed(("rat", 1, 1), ("rat", 9, 9))
    objects = compare_objects(was, placed(("rat", 8, 9), ("rat", 2, 1)))
    assert [item.now.placed.x for item in objects.changed] == [8, 2]


def test_many_objects_take_no_time() -> None:
    choice = random.Random(1)
    was, now = (
        placed(*[("rat", choice.randrange(900), choice.randrange(900)) for _ in range(250)])
        for _ in range(2)
    )
    crowd = [PlacedObject(n, "bat", 0, 0, {"n": n}) for n in range(20_000)]
    began = perf_counter()
    assert compare_objects(was, now).changed
    assert not compare_objects(crowd, crowd[::-1]).changed
    assert perf_counter() - began < 20
