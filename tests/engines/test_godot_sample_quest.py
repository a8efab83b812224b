"""The sample game from its first level to its end in real Godot, in two orders of play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine_harness import Godot
from engine_harness.sample import Exported
from exporter.grids.distances import distance_from
from exporter.model.level import Level

PLAY = Path(__file__).parent / "engine_harness" / "play_quest.gd"

Cell = tuple[int, int]
Mask = NDArray[np.bool_]


class Walker:
    """Plans acts of a play: walks over open cells, and stairs to use."""

    def __init__(self, levels: dict[str, Level]) -> None:
        self.levels = levels
        self.acts: list[dict[str, Any]] = []
        self.opened: set[str] = set()
        self.arrive("cavern", "stairs_up")

    def arrive(self, level: str, stairs: str) -> None:
        self.level = self.levels[level]
        self.cell = self.place(stairs)

    def place(self, name: str) -> Cell:
        return next((item.x, item.y) for item in self.level.objects if item.name == name)

    def go(self, target: str | Cell, *, use: bool = False) -> None:
        """Walk to an object or a cell."""
        goal = self.place(target) if isinstance(target, str) else target
        walkable = self.level.walkable()
        for lock in self.level.mission.locks if self.level.mission else ():
            if lock.name not in self.opened:
                walkable[tuple(zip(*[(y, x) for x, y in lock.cells], strict=True))] = False
        way = shortest(walkable, self.cell, goal)
        self.acts.append({"way": way[1:], "use": use})
        self.cell = goal

    def open(self, name: str) -> None:
        """Walk to where a lock opens, and from now on through it."""
        assert self.level.mission is not None
        lock = next(item for item in self.level.mission.locks if item.name == name)
        self.go(lock.opened_from[0] if lock.opened_from else self.front(lock.cells))
        self.opened.add(name)

    def front(self, cells: tuple[Cell, ...]) -> Cell:
        """Return the nearest cell beside a lock."""
        walkable = self.level.walkable()
        walkable[tuple(zip(*[(y, x) for x, y in cells], strict=True))] = False
        steps = field(walkable, self.cell)
        beside = [(x + a, y + b) for x, y in cells for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        return min((c for c in beside if steps[c[1], c[0]] >= 0), key=lambda c: steps[c[1], c[0]])


def field(walkable: Mask, cell: Cell) -> NDArray[np.int32]:
    """Return the steps from a cell."""
    source = np.zeros_like(walkable)
    source[cell[1], cell[0]] = True
    return distance_from(source, walkable)


def shortest(walkable: Mask, start: Cell, goal: Cell) -> list[Cell]:
    """Return the cells of a shortest walk, both ends included."""
    steps = field(walkable, goal)
    assert steps[start[1], start[0]] >= 0
    way = [start]
    while way[-1] != goal:
        x, y = way[-1]
        beside = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        way.append(next(c for c in beside if steps[c[1], c[0]] == steps[y, x] - 1))
    return way


def straight(levels: dict[str, Level]) -> Walker:
    """Fetch the key, the crown, and leave through the gate."""
    walker = Walker(levels)
    walker.go("stairs_down", use=True)
    walker.arrive("keep", "stairs_up")
    walker.go("vault_key")
    walker.open("vault")
    walker.go("treasure")
    walker.open("gate")
    walker.go("stairs_up", use=True)
    walker.arrive("cavern", "stairs_down")
    walker.go("stairs_up", use=True)
    return walker


def roundabout(levels: dict[str, Level]) -> Walker:
    """Try to leave at once, look at the vault, open the gate, visit the outpost, then the rest."""
    walker = Walker(levels)
    walker.go("stairs_up", use=True)
    walker.go("stairs_down", use=True)
    walker.arrive("keep", "stairs_up")
    walker.open("vault")
    walker.opened.discard("vault")
    walker.open("gate")
    walker.go("stairs_down", use=True)
    walker.arrive("outpost", "stairs_up")
    walker.go("stairs_up", use=True)
    walker.arrive("keep", "stairs_down")
    walker.go("vault_key")
    walker.open("vault")
    walker.go("treasure")
    walker.go("stairs_up", use=True)
    walker.arrive("cavern", "stairs_down")
    walker.go("stairs_up", use=True)
    return walker


@pytest.fixture(scope="module")
def walkers(sample: Exported) -> list[Walker]:
    levels = {level.name: level for _, level in sample.levels}
    return [straight(levels), roundabout(levels)]


@pytest.fixture(scope="module")
def answer(godot: Godot, sample_game: Path, walkers: list[Walker]) -> dict[str, Any]:
    question = {"plays": [walker.acts for walker in walkers]}
    result: dict[str, Any] = godot.query(sample_game, PLAY, question, allow_warnings=False)
    return result


def test_the_crown_is_carried_out_in_two_orders_of_play(
    answer: dict[str, Any], walkers: list[Walker]
) -> None:
    for states, walker in zip(answer["plays"], walkers, strict=True):
        stops = [tuple(state["cell"]) for state in states[1:] if not state["over"]]
        expected = [act["way"][-1] for act in walker.acts if act["way"] and not act["use"]]
        assert [stop for stop in stops if stop in expected] == expected
        last = states[-1]
        assert (last["over"], last["crown"], last["level"]) == (True, True, "cavern")
        score = last["gold"] + 500 + 100 * last["hearts"]
        assert f"Score: {score}\n" in last["end"]


def test_locks_open_with_the_key_or_from_the_far_side_alone(answer: dict[str, Any]) -> None:
    keep = [[s for s in states if s["level"] == "keep"] for states in answer["plays"]]
    opened = [[s["open"] for s in states] for states in keep]
    vault, gate = 0, 1
    assert opened[0] == [[], [], [vault], [vault], [vault, gate]]
    # Without the key the vault stays closed; the gate is open when the hero comes back.
    assert opened[1] == [[], [], [gate], [gate], [gate], [vault, gate], [vault, gate]]
    assert [s["crown"] for s in keep[0]] == [False, False, False, True, True]
    assert [s["key"] for s in keep[0]] == [0, 1, 1, 1, 1]


def test_nobody_leaves_without_the_crown(answer: dict[str, Any]) -> None:
    first = answer["plays"][1][1]
    assert not first["over"]
    assert first["text"].startswith("Not without the crown")


def test_rooms_are_called_after_what_is_in_them(answer: dict[str, Any]) -> None:
    texts = [state["text"] for state in answer["plays"][1] if state["level"] == "keep"]
    assert texts[0] == "Entrance hall"
    assert "Stairwell" in texts


def test_the_game_is_lost_without_hearts_and_begins_again(answer: dict[str, Any]) -> None:
    assert answer["caught"] == [2, 1, 0]
    again = answer["again"]
    assert (again["level"], again["hearts"], again["gold"]) == ("cavern", 3, 0)
    assert not again["over"]
