"""Visited caves against a slow program written sentence by sentence from their description."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Request, visited_caves
from exporter.generators.visited_caves import VisitedCaves, generate
from exporter.grids.connectivity import join_regions
from exporter.grids.regions import label_regions
from exporter.model.errors import ParameterError
from exporter.streams import open_stream

DIRECTIONS = [(0, -1), (0, 1), (1, 0), (-1, 0)]


def request(width: int, height: int, seed: int | str, rng: str) -> Request:
    return Request("ground", width, height, open_stream(rng, seed, "ground"))


class Slow:
    """The reference program's rules, with lists and searches and no cleverness."""

    def __init__(self, parameters: VisitedCaves, width: int, height: int, seed: int, rng: str):
        self.p = parameters
        self.width, self.height = width, height
        self.stream = open_stream(rng, seed, "ground")
        self.rng = rng
        self.map: dict[tuple[int, int], int] = {}
        self.caves: list[list[tuple[int, int]]] = []
        self.corridors: list[tuple[int, int]] = []
        self.direction = (0, 0)

    def beside(self, x: int, y: int) -> list[int]:
        return [self.map[x + dx, y + dy] for dx, dy in DIRECTIONS if (x + dx, y + dy) in self.map]

    def build(self) -> None:
        fill = self.stream.cells_below("fill", self.width, self.height, 100, "columns")
        columns = [(x, y) for x in range(self.width) for y in range(self.height)]
        for x, y in columns:
            self.map[x, y] = int(fill[y, x] < self.p.open_percent)
        draws = self.stream.draws("visits")
        for _ in range(self.p.visits + 1):
            x = draws.next(0, self.width)
            y = draws.next(0, self.height)
            block = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            ones = sum(self.map.get(cell, 0) for cell in block)
            self.map[x, y] = 1 if ones > self.p.neighbours else 0
        for _ in range(5):
            for x, y in columns:
                if self.map[x, y] == 1 and self.beside(x, y).count(0) >= self.p.smoothing:
                    self.map[x, y] = 0
        for x, y in columns:
            if self.map[x, y] == 0 and self.beside(x, y).count(1) >= self.p.filling:
                self.map[x, y] = 1
        result: set[tuple[int, int]] = set()
        for x, y in columns:
            if self.map[x, y] == 1 and (x, y) not in result:
                cave: list[tuple[int, int]] = []
                self.fill(x, y, cave)
                if not cave and self.rng == "portable":
                    cave = [(x, y)]
                result.update(cave)
                if len(cave) <= self.p.lower_limit or len(cave) > self.p.upper_limit:
                    for cell in cave:
                        self.map[cell] = 0
                else:
                    self.caves.append(cave)

    def fill(self, x: int, y: int, cave: list[tuple[int, int]]) -> None:
        for dx, dy in DIRECTIONS:
            cell = (x + dx, y + dy)
            if self.map.get(cell) == 1 and cell not in cave:
                cave.append(cell)
                self.fill(*cell, cave)

    def connect(self) -> str:
        self.draws = self.stream.draws("corridors")
        if not self.caves:
            return "no caves"
        unconnected = list(self.caves)
        connected = [unconnected.pop(self.draws.next(0, len(unconnected)))]
        counter = 0
        while unconnected:
            if not self.corridors or self.draws.next(0, 100) > 50:
                start = self.cave_edge(connected[self.draws.next(0, len(connected))])
            else:
                start = self.corridor_edge()
            if start is None:
                return "no edge"
            cells = self.attempt(start)
            for cave in unconnected:
                if cells and cells[-1] in cave:
                    cells.remove(cells[-1])
                    self.corridors += cells
                    for cell in cells:
                        self.map[cell] = 1
                    unconnected.remove(cave)
                    connected.append(cave)
                    break
            if unconnected and counter > self.p.attempts:
                return "attempts"
            counter += 1
        return "connected"

    def cave_edge(self, cave: list[tuple[int, int]]) -> tuple[int, int] | None:
        for _ in range(4096 + 64 * len(cave)):
            x, y = cave[self.draws.next(0, len(cave))]
            dx, dy = self.direction
            new = DIRECTIONS[self.draws.next(0, 4)]
            while new[0] != -dx and new[1] != -dy:
                new = DIRECTIONS[self.draws.next(0, 4)]
            self.direction = new
            while self.map.get((x, y)) == 1:
                x, y = x + new[0], y + new[1]
            if (x, y) in self.map:
                return x, y
        return None

    def corridor_edge(self) -> tuple[int, int] | None:
        count = len(self.corridors)
        for _ in range(4096 + 64 * count):
            x, y = self.corridors[0 if count == 1 else self.draws.next(1, count - 1)]
            free = [d for d in DIRECTIONS if self.map.get((x + d[0], y + d[1])) == 0]
            if free:
                self.direction = free[self.draws.next(0, len(free))]
                return x + self.direction[0], y + self.direction[1]
        return None

    def attempt(self, start: tuple[int, int]) -> list[tuple[int, int]] | None:
        cells = [start]
        x, y = start
        first = direction = self.direction
        turns = self.p.corridor_max_turns
        prevent = self.p.prevent_backtracking
        free = 100 - prevent + (prevent == 50)
        memory = [first] if prevent == 100 or self.draws.next(0, 100) >= free else []
        while turns >= 0:
            turns -= 1
            low, high = self.p.min_corridor_length, self.p.max_corridor_length
            for _ in range(self.draws.next(low, high + 1)):
                x, y = x + direction[0], y + direction[1]
                if self.map.get((x, y)) == 1:
                    return [*cells, (x, y)]
                if (x, y) not in self.map:
                    return None
                for r in range(-self.p.corridor_spacing, self.p.corridor_spacing + 1):
                    across = (x + r, y) if direction[0] == 0 else (x, y + r)
                    if self.map.get(across, 0) != 0:
                        return None
                cells.append((x, y))
            if turns > 1:
                new = DIRECTIONS[self.draws.next(0, 4)]
                while (-new[0], -new[1]) in (direction, *memory):
                    new = DIRECTIONS[self.draws.next(0, 4)]
                direction = new
        return None

    def array(self) -> np.ndarray[Any, Any]:
        rows = range(self.height)
        return np.array([[self.map[x, y] for x in range(self.width)] for y in rows], np.uint8)


ENDS = {
    "connected": "connected",
    "no caves": "gave up: there are no caves",
    "attempts": "gave up: attempts exceeded",
    "no edge": "gave up: no empty cell to start a corridor from",
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[VisitedCaves, int, int, int, str]:
    shortest = draw(st.integers(0, 6))
    lower = draw(st.integers(0, 20))
    parameters = VisitedCaves(
        open_percent=draw(st.sampled_from([0, 20, 40, 45, 50, 60, 100])),
        visits=draw(st.integers(0, 1500)),
        neighbours=draw(st.integers(2, 6)),
        smoothing=draw(st.integers(1, 5)),
        filling=draw(st.integers(2, 5)),
        lower_limit=lower,
        upper_limit=draw(st.sampled_from([lower, lower + 20, 10_000])),
        corridor_spacing=draw(st.integers(0, 4)),
        min_corridor_length=shortest,
        max_corridor_length=shortest + draw(st.integers(0, 6)),
        corridor_max_turns=draw(st.integers(0, 12)),
        prevent_backtracking=draw(st.sampled_from([100, 100, 50, 0, 99])),
        attempts=draw(st.sampled_from([0, 5, 300])),
    )
    width = draw(st.integers(1, 34))
    height = draw(st.integers(1, 27))
    seed = draw(st.integers(-(2**31), 2**31 - 1))
    return parameters, width, height, seed, draw(st.sampled_from(["portable", "dotnet"]))


@given(cases())
@settings(deadline=None, max_examples=80)
def test_every_cell_and_the_outcome_follow_the_description(
    case: tuple[VisitedCaves, int, int, int, str],
) -> None:
    parameters, width, height, seed, rng = case
    slow = Slow(parameters, width, height, seed, rng)
    slow.build()
    before = slow.array()
    outcome = slow.connect()
    result = generate(parameters, request(width, height, seed, rng))
    assert np.array_equal(result.cells, slow.array())
    assert result.report["caves"] == len(slow.caves)
    assert result.report["corridors"] == ENDS[outcome]
    assert result.complete == (outcome == "connected")
    assert result.carved == np.count_nonzero(slow.array() != before)
    assert result.regions_before == label_regions(before == 1).count


@each_case(
    ("seed", "width", "height", "rng", "prevent"),
    [
        (1, 60, 90, "dotnet", 100),
        (-5, 110, 70, "dotnet", 100),
        (3, 80, 80, "portable", 100),
        (1, 60, 90, "dotnet", 0),
        (3, 80, 80, "portable", 50),
    ],
)
def test_big_maps_follow_the_description(
    seed: int, width: int, height: int, rng: str, prevent: int
) -> None:
    parameters = VisitedCaves(
        visits=5 * width * height, attempts=20_000, prevent_backtracking=prevent
    )
    slow = Slow(parameters, width, height, seed, rng)
    slow.build()
    outcome = slow.connect()
    result = generate(parameters, request(width, height, seed, rng))
    assert np.array_equal(result.cells, slow.array())
    assert result.report["corridors"] == ENDS[outcome]
    assert len(slow.corridors) > 20


def test_caves_without_a_way_out_end_instead_of_looping_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two caves that span the map from top to bottom: on a vertical axis every walk leaves it.
    cells = np.full((7, 6), visited_caves.OUTSIDE, np.uint8)
    cells[1:-1, 1:-1] = [[1] * 4, [0] * 4, [0] * 4, [0] * 4, [1] * 4]
    caves = visited_caves.Caves.find(cells.ravel(), 4, 0, 100, True)
    assert caves.count == 2
    ends = set()
    for seed in range(8):
        again = visited_caves.Caves.find(cells.ravel().copy(), 4, 0, 100, True)
        draws = open_stream("dotnet", seed, "ground").draws("corridors")
        ends.add(again.connect(VisitedCaves(attempts=10), draws)[0])
    assert visited_caves.NO_EDGE in ends


@pytest.mark.parametrize("probability", [0, 100])
def test_solid_and_open_maps_end_with_a_report(probability: int) -> None:
    parameters = VisitedCaves(open_percent=probability, visits=0, upper_limit=10_000, attempts=50)
    result = generate(parameters, request(20, 12, 1, "portable"))
    assert result.complete == (probability == 100)
    assert result.report["caves"] == (1 if probability else 0)


def test_a_lone_cell_is_a_cave_only_with_the_portable_stream() -> None:
    cells = np.full((5, 5), visited_caves.OUTSIDE, np.uint8)
    cells[1:-1, 1:-1] = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert visited_caves.Caves.find(cells.ravel().copy(), 3, 0, 9, True).count == 1
    assert visited_caves.Caves.find(cells.ravel().copy(), 3, 1, 9, True).map().sum() == 0
    original = visited_caves.Caves.find(cells.ravel().copy(), 3, 1, 9, False)
    assert (original.count, original.map().sum()) == (0, 1)


def test_connecting_can_be_left_out_and_guaranteed_does_the_own_way_first() -> None:
    plain = generate(VisitedCaves(connect=False), request(60, 50, 9, "dotnet"))
    own = generate(VisitedCaves(), request(60, 50, 9, "dotnet"))
    first = generate(VisitedCaves(connect="guaranteed"), request(60, 50, 9, "dotnet"))
    assert plain.carved == 0
    assert "corridors" not in plain.report
    assert np.array_equal(own.cells, first.cells)
    assert np.count_nonzero(own.cells != plain.cells) == own.carved > 0
    joined = join_regions(own.cells == 1)
    assert label_regions(joined.walkable).count == 1


def test_runs_longer_than_their_maximum_are_refused_with_the_position() -> None:
    with pytest.raises(
        ParameterError, match="min_corridor_length 6 is greater than max_corridor_length 4"
    ) as e:
        generate(VisitedCaves(min_corridor_length=6), request(9, 9, 1, "portable"))
    assert e.value.path == ("min_corridor_length",)


@pytest.mark.parametrize("rng", ["portable", "dotnet"])
def test_caves_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, rng: str
) -> None:
    parameters = VisitedCaves(visits=8000, attempts=1500)
    compiled = [generate(parameters, request(70, 45, seed, rng)) for seed in (1, 2)]
    kernel = interpreted("visited_caves")
    for name in ("clean", "find_caves", "Connector"):
        monkeypatch.setattr(visited_caves, name, getattr(kernel, name))
    plain = [generate(parameters, request(70, 45, seed, rng)) for seed in (1, 2)]
    for ours, theirs in zip(compiled, plain, strict=True):
        assert np.array_equal(ours.cells, theirs.cells)
        assert ours.report == theirs.report
        assert ours.carved == theirs.carved > 0
