"""Missions of specs: placed, proven with all else in the level, and refused with a reason."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import exporter
from cases import each_case
from exporter.build.build import Build
from exporter.model.errors import NotMeasurableError, SpecError
from exporter.model.level import Level
from exporter.reading.reader import parse_level, with_edits
from memory_cache import MemoryCache
from mission_judge import stranded_states

VAULT = """
size: [60, 40]
seed: 3
layers:
  ground: {generator: bsp_rooms}
mission:
  start: entrance
  goal: throne
  locks:
    - {name: red, kind: key}
    - {name: small, kind: small_key, count: 2}
    - {name: drop, kind: one_way}
    - {name: gate, kind: shortcut}
    - {name: seal, kind: key, at: goal}
    - {name: vault, kind: key, for: treasure}
  rooms: {at_least: 6}
  steps: {"start..red": [10, 40]}
  behind: {red: {at_least: 0.2}}
  loops: {at_least: 1}
  optional: [treasure, shop]
objects:
  - {name: enemy, count: 8, far_from: entrance, min_distance: 4}
"""


def built(text: str, edits: str = "") -> Level:
    """Return the level of a spec and its hand edits."""
    spec = parse_level(dedent(text).encode(), "vault.level.yaml")
    return exporter.build_level(with_edits(spec, dedent(edits).encode() or None))


def problem(text: str, edits: str = "") -> str:
    """Return the one problem of a spec."""
    with pytest.raises(SpecError) as caught:
        built(text, edits)
    (item,) = caught.value.problems
    return f"{item.file}:{item.line}: {item.message}"


def line_of(text: str, part: str) -> int:
    """Return the line of a part of a text."""
    return text[: text.index(part)].count("\n") + 1


def judged(level: Level) -> int:
    """Return in how many states the judge finds the goal lost."""
    assert level.mission is not None
    cells = {item.name: (item.x, item.y) for item in level.objects}
    return stranded_states(
        level.walkable().tolist(),
        cells[level.mission.start],
        cells[level.mission.goal],
        [(lock.name, lock.kind, lock.cells, lock.opened_from) for lock in level.mission.locks],
        [
            ((item.x, item.y), item.properties["opens"])
            for item in level.objects
            if "opens" in item.properties
        ],
    )


def test_mission_places_what_the_level_lacks() -> None:
    level = built(VAULT)
    names = [item.name for item in level.objects]
    assert names[:4] == ["entrance", "throne", "treasure", "shop"]
    assert names.count("small_key") == 2
    assert names.count("enemy") == 8
    assert level.mission is not None
    assert [lock.name for lock in level.mission.locks] == [
        *("red", "small", "small", "drop", "gate", "seal", "vault")
    ]
    opens = {item.name: item.properties.get("opens") for item in level.objects}
    assert opens["red_key"] == "red"
    throne = level.objects[1]
    assert level.mission.locks[5].cells == ((throne.x, throne.y),)
    assert throne.properties == {"lock": "seal"}
    marks = [item for item in level.objects if item.properties.get("lock") == "gate"]
    assert {(mark.x, mark.y) for mark in marks} == set(level.mission.locks[4].cells)
    assert all(mark.properties["opened_from"] in ("up", "down", "left", "right") for mark in marks)


def test_mission_on_cells_without_rooms_strands_nobody_for_the_judge() -> None:
    level = built("""
        size: [9, 7]
        layers: {ground: {generator: maze}}
        mission:
          start: player
          goal: exit
          locks: [{name: seal, at: goal}]
          steps: {"start..seal": [4, 9], "seal..goal": {at_least: 3}}
        """)
    assert level.mission is not None
    assert level.mission.states >= 1
    assert level.mission.stranded == judged(level) == 0
    assert level.mission.walkthrough[-1].endswith(
        "reach the goal at [{}, {}]".format(*level.mission.locks[0].cells[0])
    )


def test_level_without_mission_has_none() -> None:
    level = built("size: [9, 7]\nlayers: {ground: {generator: maze}}\nobjects: [{name: a}]\n")
    assert level.mission is None
    with pytest.raises(NotMeasurableError, match="has no mission"):
        exporter.measure(level, ["mission_backtracking"])


def test_objects_of_the_spec_are_accepted_as_they_are() -> None:
    level = built(
        VAULT.replace('  steps: {"start..red": [10, 40]}\n', "")
        + "  - {name: entrance, in_rooms: true}\n"
        + "  - {name: ruby, near: entrance, properties: {opens: red}}\n"
    )
    names = [item.name for item in level.objects]
    assert names.count("entrance") == 1
    assert "red_key" not in names
    assert "blue_key" not in names
    assert "small_key" in names


def test_key_that_objects_place_behind_its_lock_is_an_error_at_its_line() -> None:
    text = """
        size: [60, 40]
        seed: 3
        layers: {ground: {generator: bsp_rooms}}
        mission:
          start: entrance
          goal: throne
          locks: [{name: red}]
        objects:
          - {name: entrance, at: [3, 3]}
          - {name: throne, at: [50, 30]}
          - {name: ruby, at: [50, 31], properties: {opens: red}}
        """
    assert problem(text) == (
        "vault.level.yaml:12: the goal can be lost: the goal cannot be reached any more: red stays "
        "closed, and the key of 'red' at [50, 31] is out of reach (place this key in front of the "
        "lock 'red')"
    )


def test_edit_that_strands_is_an_error_at_its_line() -> None:
    level = built(VAULT)
    key = next(item for item in level.objects if item.name == "seal_key")
    edits = f"""
        objects:
          - {{name: enemy, ordinal: 1, was: [1, 1], remove: true}}
          - {{name: seal_key, ordinal: 1, was: [{key.x}, {key.y}], remove: true}}
        """
    reported = problem(VAULT, edits)
    assert reported.startswith(
        "vault.edits.yaml:4: the goal can be lost: the goal cannot be reached"
    )
    assert reported.endswith("(undo this edit)")


def test_edit_that_removes_the_goal_is_an_error_at_its_line() -> None:
    (throne,) = (item for item in built(VAULT).objects if item.name == "throne")
    was = f"was: [{throne.x}, {throne.y}]"
    edits = f"objects: [{{name: throne, ordinal: 1, {was}, remove: true}}]"
    assert problem(VAULT, edits) == (
        "vault.edits.yaml:1: the start or the goal is removed (undo this edit)"
    )


def test_cells_of_a_later_layer_that_strand_are_an_error_at_the_last_of_them() -> None:
    later = VAULT.replace(
        "mission:",
        "  walk: {generator: steps_from, of: ground, objects: [throne]}\n"
        "  flood: {generator: bands, of: walk, role: play, steps: [{below: 60000, tile: "
        "empty}, {tile: water}]}\nmission:",
    )
    level = built(later)
    (throne,) = (item for item in level.objects if item.name == "throne")
    sides = [(throne.x + x, throne.y + y) for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    cells = [(x, y) for x, y in sides if level.walkable()[y, x]]
    lines = [f"    - {{at: [{x}, {y}], was: null, now: water}}" for x, y in [(1, 1), *cells]]
    edits = "\n".join(["layers:", "  flood:", *lines, "    - {at: [2, 1], was: null, now: water}"])
    assert problem(later, edits).startswith(
        f"vault.edits.yaml:{len(cells) + 3}: the goal can be lost: the goal cannot be reached"
    )


def test_edit_that_keeps_the_goal_in_reach_is_allowed() -> None:
    level = built(VAULT)
    key = next(item for item in level.objects if item.name == "red_key")
    start = level.objects[0]
    edits = f"""
        objects:
          - {{name: red_key, ordinal: 1, was: [{key.x}, {key.y}], now: [{start.x}, {start.y}]}}
        """
    moved = next(item for item in built(VAULT, edits).objects if item.name == "red_key")
    assert (moved.x, moved.y) == (start.x, start.y)


def test_later_layer_is_part_of_the_proof() -> None:
    flooded = VAULT.replace(
        "mission:",
        "  walk: {generator: steps_from, of: ground, objects: [throne]}\n"
        "  flood: {generator: bands, of: walk, role: play, steps: [{below: 2, tile: water}, "
        "{tile: empty}]}\nmission:",
    )
    assert "the goal can be lost" in problem(flooded)


@each_case(
    "change, blamed, message",
    [
        (("[60, 40]", "[64, 64]\nchunk: 64"), "mission:", "`mission` cannot be used in a world"),
        (("  start:", "  of: roof\n  start:"), "  of: roof", "unknown layer 'roof'"),
        (("bsp_rooms", "maze"), "mission:", "the level has no rooms"),
        (("rooms: {at_least: 6}", "rooms: {at_least: 99}"), "  rooms:", "at least 99 rooms"),
        (("for: treasure", "for: gold"), "    - {name: vault", "no object of `optional`"),
        (("start..red", "start..blue"), "  steps:", "is no pair of cells"),
        (("count: 2", "count: 2, at: goal"), "    - {name: small", "only a lock of the kind key"),
        (("{red: {at", "{drop: {at"), "  behind:", "'drop' is no lock with keys"),
        (("count: 8,", "count: 8, opens: red,"), "  - {name: enemy", "unknown key 'opens'"),
    ],
)
def test_mistake_is_reported_at_its_line(
    change: tuple[str, str], blamed: str, message: str
) -> None:
    text = VAULT.replace(*change)
    with pytest.raises(SpecError) as caught:
        built(text)
    lines = {item.line for item in caught.value.problems if message in item.message}
    assert lines == {line_of(text, blamed)}, caught.value


def test_seed_search_looks_at_the_mission() -> None:
    text = VAULT.replace("seed: 3", 'seed: {search: 20, where: "mission_rooms >= 8"}')
    level = built(text)
    assert exporter.measure(level, ["mission_rooms"])["mission_rooms"] >= 8


def test_measures_follow_the_shortest_complete_walk() -> None:
    level = built(VAULT)
    result = exporter.measure(level, ["mission_rooms", "mission_backtracking", "mission_branches"])
    assert result["mission_rooms"] >= 6
    assert 0 <= result["mission_backtracking"] < 1
    assert result["mission_branches"] >= 1


def test_cached_build_has_the_same_mission(tmp_path: Path) -> None:
    cache = MemoryCache()
    spec = parse_level(VAULT.encode(), "vault.level.yaml")
    first = Build(spec, tmp_path, cache)
    level = first.level()[0]
    cache.keep(first)
    again = Build(spec, tmp_path, cache).level()[0]
    assert again.mission == level.mission
    assert again.objects == level.objects
