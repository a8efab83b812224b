"""The compiled loops of the cave generators give the same cells interpreted."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from cases import each_case
from exporter.generators import _automaton
from exporter.kernels import cellular_sweep, random_visits
from exporter.streams import open_stream


@each_case("rng", ["portable", "dotnet"])
@each_case("above", [0, 1])
def test_visits_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType], rng: str, above: int
) -> None:
    stream = open_stream(rng, 3, "a")
    first = np.zeros((42, 33), np.uint8)
    first[1:-1, 1:-1] = stream.chance("fill", 31, 40, 45)
    second = first.copy()
    before = first.copy()
    random_visits.visit(first, open_stream(rng, 4, "a").draws("visits"), 2000, 4, above)
    interpreted("random_visits").visit(
        second, open_stream(rng, 4, "a").draws("visits"), 2000, 4, above
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, before)
    assert not first[0].any()


def test_the_sweep_is_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
) -> None:
    first = np.ones((32, 52), np.uint8)
    first[1:-1, 1:-1] = open_stream("portable", 3, "a").chance("fill", 50, 30, 45)
    second = first.copy()
    before = first.copy()
    cellular_sweep.sweep(first, 3)
    interpreted("cellular_sweep").sweep(second, 3)
    assert np.array_equal(first, second)
    assert not np.array_equal(first, before)


@each_case("size", [(1, 1), (2, 62), (3, 63), (30, 126), (9, 200)])
@each_case("rounds", [1, 3])
def test_rounds_are_the_same_compiled_interpreted_and_in_numpy(
    interpreted: Callable[[str], ModuleType],
    size: tuple[int, int],
    rounds: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walls = open_stream("portable", 5, "a").chance("fill", size[1], size[0], 45)
    compiled = _automaton.smooth(walls, rounds)
    monkeypatch.setattr(
        "exporter.generators._automaton.run_rounds", interpreted("cellular_rounds").run_rounds
    )
    plain = _automaton.smooth(walls, rounds)
    monkeypatch.setattr("exporter.generators._automaton.COMPILED", False)
    arrays = _automaton.smooth(walls, rounds)
    assert np.array_equal(compiled, plain)
    assert np.array_equal(plain, arrays)
