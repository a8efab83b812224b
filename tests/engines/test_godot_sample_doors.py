"""The sample level with a road, doors and monsters, walked in real Godot from start to exit."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import exporter
import slow_overlays as slow
from engine_harness import Godot
from engine_harness.levels import expected_connections, expected_rooms
from engine_harness.sample import Exported
from exporter.formats._rooms import RoomNode, layer_rooms
from exporter.model.level import Level, PlacedObject

WALK = Path(__file__).parent / "engine_harness" / "walk_stronghold.gd"
RADIUS = 8
# The monsters in the spec of the level.
BUDGET = (1, 8)
AT_MOST = 2
HOME_STEPS = 420

Mask = NDArray[np.bool_]
Cell = tuple[int, int]


@pytest.fixture(scope="module")
def level(sample: Exported) -> Level:
    return next(level for _, level in sample.levels if level.name == "stronghold")


@pytest.fixture(scope="module")
def rooms(level: Level) -> list[RoomNode]:
    return layer_rooms(level.layers["ground"])


@pytest.fixture(scope="module")
def walked(godot: Godot, sample_game: Path, level: Level) -> dict[str, Any]:
    monster, hero = alone_in_sight(level)
    question = {
        "way": way_by_road(level),
        "hunt": {"monster": monster, "hero": hero, "steps": HOME_STEPS},
    }
    answer: dict[str, Any] = godot.query(sample_game, WALK, question)
    return answer


def tile_names(level: Level) -> NDArray[np.str_]:
    ground = level.layers["ground"]
    names = {tile.id: tile.name for tile in ground.tiles}
    return np.vectorize(names.__getitem__)(ground.cells)


def position_of(level: Level, name: str) -> Cell:
    (result,) = [(thing.x, thing.y) for thing in level.objects if thing.name == name]
    return result


def monsters_of(level: Level) -> list[PlacedObject]:
    return [thing for thing in level.objects if thing.name == "monster"]


def doors_of(level: Level) -> set[Cell]:
    return {(x, y) for y, x in np.argwhere(tile_names(level) == "open_door").tolist()}


def shortest(walkable: Mask, start: Cell, goal: Cell) -> list[Cell]:
    """The cells of a shortest walk, both ends included."""
    steps = slow.steps(walkable, [goal])
    way = [start]
    while way[-1] != goal:
        x, y = way[-1]
        beside = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        way.append(min((cell for cell in beside if cell in steps), key=steps.__getitem__))
    return way


def way_by_road(level: Level) -> list[Cell]:
    """From the start along the whole road, then to the exit."""
    start, goal = position_of(level, "stairs_up"), position_of(level, "stairs_down")
    paved = np.isin(tile_names(level), ["road", "bridge", "open_door"])
    paved[start[1], start[0]] = True
    (courtyard,) = [room for room in level.layers["ground"].rooms if room.name == "Courtyard"]
    along = shortest(paved, start, courtyard.center)
    return along + shortest(level.walkable(), courtyard.center, goal)[1:]


def sight_with(level: Level, closed: Iterable[Cell], cell: Cell) -> Mask:
    """Return the visible cells with these doors closed and all others open."""
    ground = level.layers["ground"]
    assert ground.opaque is not None
    opaque = ground.opaque.copy()
    for x, y in closed:
        opaque[y, x] = True
    return exporter.compute_visibility(opaque, RADIUS, "symmetric").visible_from(*cell)


def alone_in_sight(level: Level) -> tuple[Cell, Cell]:
    """A monster, and a cell some steps away in its row that sees it and no other monster."""
    cells = [(thing.x, thing.y) for thing in monsters_of(level)]
    doors = doors_of(level)
    walkable = level.walkable()
    for x, y in cells:
        for side in (-4, 4):
            hero = (x + side, y)
            between = walkable[y, min(x, x + side) : max(x, x + side) + 1]
            if len(between) < 5 or not between.all():
                continue
            seen = sight_with(level, doors, hero)
            if [cell for cell in cells if seen[cell[1], cell[0]]] == [(x, y)]:
                return (x, y), hero
    raise AssertionError("no monster can be met alone")


def grid(text: str, level: Level) -> Mask:
    cells = np.frombuffer(base64.b64decode(text), np.uint8)
    return cells.reshape(level.height, level.width) == 1


def pairs(cells: Iterable[list[int]]) -> set[Cell]:
    return {(x, y) for x, y in cells}


def test_the_scene_has_the_rooms_and_ways_of_the_level(
    walked: dict[str, Any], level: Level, rooms: list[RoomNode]
) -> None:
    assert walked["rooms"] == expected_rooms(level.layers["ground"])
    assert walked["connections"] == expected_connections(level.layers["ground"])
    assert {"Gatehouse", "Throne room"} <= {node.room.name for node in rooms}


def test_every_door_of_a_room_is_closed_at_first(walked: dict[str, Any], level: Level) -> None:
    assert pairs(walked["closed"]) == doors_of(level)
    assert len(walked["closed"]) == len(doors_of(level)) == level.layers["ground"].report["doors"]


def test_the_hero_walks_the_road_over_the_bridge_and_through_doors_to_the_exit(
    walked: dict[str, Any], level: Level
) -> None:
    names = tile_names(level)
    cells = [tuple(state["cell"]) for state in walked["walk"]]
    assert cells == way_by_road(level)
    assert cells[0] == position_of(level, "stairs_up")
    assert cells[-1] == position_of(level, "stairs_down")
    under = Counter(str(names[y, x]) for x, y in cells)
    assert under["road"] > 20
    assert under["bridge"] > 5
    assert under["open_door"] >= 5
    assert walked["next"] == "labyrinth"


def test_without_the_bridge_nobody_gets_there(level: Level) -> None:
    dry = level.walkable() & (tile_names(level) != "bridge")
    goal = position_of(level, "stairs_down")
    assert goal in slow.steps(level.walkable(), [position_of(level, "stairs_up")])
    assert goal not in slow.steps(dry, [position_of(level, "stairs_up")])


def test_a_door_opens_when_the_hero_walks_into_it_and_stays_open(
    walked: dict[str, Any], level: Level
) -> None:
    closed = doors_of(level)
    for before, state in zip(walked["walk"], walked["walk"][1:], strict=False):
        entered = {tuple(state["cell"])} & doors_of(level)
        assert pairs(before["doors"]) == closed
        closed -= entered
        assert pairs(state["doors"]) == closed
    assert len(walked["opened"]) == len(doors_of(level)) - len(closed) >= 5
    assert closed
    assert pairs(walked["closed_after_return"]) == closed


def test_the_fog_is_the_field_of_view_with_the_doors_as_they_are(
    walked: dict[str, Any], level: Level
) -> None:
    for state in walked["walk"] + walked["opened"]:
        expected = sight_with(level, pairs(state["doors"]), tuple(state["cell"]))
        np.testing.assert_array_equal(grid(state["lit"], level), expected)


def test_an_open_door_shows_the_room(walked: dict[str, Any], level: Level) -> None:
    closed_views = {tuple(state["cell"]): grid(state["lit"], level) for state in walked["walk"]}
    for state in walked["opened"]:
        # The hero is still in front of the door.
        cell = tuple(state["cell"])
        assert cell not in doors_of(level)
        seen = grid(state["lit"], level)
        assert (seen | ~closed_views[cell]).all()
        assert np.count_nonzero(seen) >= np.count_nonzero(closed_views[cell]) + 5


def test_the_name_and_the_danger_of_the_position_are_displayed(
    walked: dict[str, Any], level: Level, rooms: list[RoomNode]
) -> None:
    walkable = level.walkable()
    from_start = slow.steps(walkable, [position_of(level, "stairs_up")])
    to_exit = slow.steps(walkable, [position_of(level, "stairs_down")])
    displayed = []
    for state in walked["walk"]:
        x, y = state["cell"]
        inside = [
            node.room.name
            for node in rooms
            if 0 <= x - node.room.x < node.room.width and 0 <= y - node.room.y < node.room.height
        ]
        share = 100 * from_start[x, y] / (from_start[x, y] + to_exit[x, y])
        name, _, danger = state["place"].rpartition("danger ")
        assert name.strip().lower() == "".join(inside).lower()
        assert abs(float(danger.removesuffix(" %")) - share) <= 0.51
        displayed.append(float(danger.removesuffix(" %")))
    assert (displayed[0], displayed[-1]) == (0, 100)


def test_monsters_are_the_rows_that_were_drawn(walked: dict[str, Any], level: Level) -> None:
    scenes = {"rat": "res://rat.tscn", "goblin": "res://goblin.tscn", "ogre": "res://ogre.tscn"}
    assert walked["monsters"] == [
        {
            "cell": [thing.x, thing.y],
            "scene": scenes[str(thing.properties["name"])],
            "danger": thing.properties["danger"],
            "running_speed": thing.properties["running_speed"],
        }
        for thing in monsters_of(level)
    ]
    assert {thing.properties["name"] for thing in monsters_of(level)} == set(scenes)


def test_monsters_of_a_room_keep_to_its_budget(
    walked: dict[str, Any], level: Level, rooms: list[RoomNode]
) -> None:
    walkable = level.walkable()
    from_start = slow.steps(walkable, [position_of(level, "stairs_up")])
    to_exit = slow.steps(walkable, [position_of(level, "stairs_down")])
    spent = {}
    for node in rooms:
        room = node.room
        across, down = range(room.x, room.x + room.width), range(room.y, room.y + room.height)
        inside = [
            item["danger"]
            for item in walked["monsters"]
            if item["cell"][0] in across and item["cell"][1] in down
        ]
        floor = [(x, y) for y in down for x in across if (x, y) in from_start]
        shares = middle_shares(floor, from_start, to_exit)
        points = max(
            int(BUDGET[0] + (BUDGET[1] - BUDGET[0]) * share + Fraction(1, 2)) for share in shares
        )
        assert len(inside) <= AT_MOST, room.name
        assert sum(inside) <= points, room.name
        spent[room.name] = sum(inside)
    assert sum(spent.values()) == sum(item["danger"] for item in walked["monsters"])
    assert spent["Throne room"] > spent["Gatehouse"] >= 1


def middle_shares(
    floor: list[Cell], from_start: dict[Cell, int], to_exit: dict[Cell, int]
) -> list[Fraction]:
    """The shares of the way of the cells that are nearest to the centre of the floor."""
    xs, ys = [x for x, _ in floor], [y for _, y in floor]
    centre = (min(xs) + max(xs), min(ys) + max(ys))
    away = {cell: (2 * cell[0] - centre[0]) ** 2 + (2 * cell[1] - centre[1]) ** 2 for cell in floor}
    nearest = [cell for cell in floor if away[cell] == min(away.values())]
    return [Fraction(from_start[cell], from_start[cell] + to_exit[cell]) for cell in nearest]


def test_a_monster_waits_runs_after_the_hero_and_goes_home_by_the_flow(
    walked: dict[str, Any], level: Level
) -> None:
    hunt = walked["hunt"]
    assert hunt["waited"]
    assert hunt["saw"]
    assert hunt["after"] < hunt["before"] - 4
    steps = slow.steps(level.walkable(), [position_of(level, "stairs_down")])
    left = [steps[x, y] for x, y in hunt["home"]]
    farthest = max(range(len(left)), key=left.__getitem__)
    assert left[farthest:] == sorted(left[farthest:], reverse=True)
    assert left[-1] < left[farthest] - 3
