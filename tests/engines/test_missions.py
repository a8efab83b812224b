"""Missions in games: each runtime opens the same locks, and a scene has what it is made from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot, Mono, Node
from engine_harness.folders import CORE, CSHARP, JAVASCRIPT, JAVASCRIPT_READER, copy_addon
from exporter.blob import read_blob, write_blob
from exporter.model.level import Layer, Level, Tile
from exporter.model.mission import Lock, Mission

MISSION = Mission(
    "entrance",
    "throne",
    (
        Lock("red", "key", ((2, 0), (2, 1))),
        Lock("small", "small_key", ((4, 0),)),
        Lock("small", "small_key", ((6, 0),)),
        Lock("drop", "one_way", ((8, 0),), ((7, 0),)),
        Lock("gate", "shortcut", ((10, 0),), ((11, 0),)),
    ),
    ("reach the goal at [12, 0]",),
    states=3,
)
# The actions, and each runtime's answers.
PLAY: list[tuple[list[Any], Any]] = [
    (["lock_at", 2, 1], 0),
    (["lock_at", 8, 0], -1),
    (["can_open", 0, 1, 0], False),
    (["take", "red"], ["taken", "red"]),
    (["can_open", 0, 0, 0], False),
    (["open", 0, 1, 0], True),
    (["keys", "red"], 1),
    (["lock_at", 2, 1], -1),
    (["can_step", 1, 0, 2, 0], True),
    (["take", "small"], ["taken", "small"]),
    (["open", 1, 3, 0], True),
    (["keys", "small"], 0),
    (["open", 2, 5, 0], False),
    (["can_step", 5, 0, 6, 0], False),
    (["can_step", 7, 0, 8, 0], True),
    (["can_step", 8, 0, 7, 0], False),
    (["can_step", 9, 0, 8, 0], False),
    (["can_open", 4, 9, 0], False),
    (["can_open", 4, 11, 0], True),
    (["restored"], {"keys": {"red": 1, "small": 0}, "open": [0, 1]}),
    (["lock_at", 4, 0], -1),
    (["events"], ["taken red", "opened 0", "taken small", "opened 1"]),
]
QUERY = """
const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")
const Mission := preload("res://addons/level_exporter/runtime/level_mission.gd")
var events := []

func of(description):
	var mission = Mission.of(description)
	mission.taken.connect(func(lock): events.append("taken %s" % lock))
	mission.opened.connect(func(index): events.append("opened %d" % index))
	return mission

func query(asked):
	var path: String = asked[0]
	var mission = of(Blob.open(path).mission)
	var answers := []
	for step in asked[1]:
		match step[0]:
			"lock_at": answers.append(mission.lock_at(Vector2i(step[1], step[2])))
			"can_open": answers.append(mission.can_open(step[1], Vector2i(step[2], step[3])))
			"open": answers.append(mission.open(step[1], Vector2i(step[2], step[3])))
			"keys": answers.append(mission.keys(step[1]))
			"take":
				mission.take(step[1])
				answers.append(["taken", step[1]])
			"can_step":
				var from := Vector2i(step[1], step[2])
				answers.append(mission.can_step(from, Vector2i(step[3], step[4])))
			"restored":
				var saved: Dictionary = JSON.parse_string(JSON.stringify(mission.save()))
				mission = of(Blob.open(path).mission)
				mission.restore(saved)
				answers.append(mission.save())
			"events": answers.append(events)
	return answers
"""


def level_with(mission: Mission) -> Level:
    floor = Tile(0, "floor", walkable=True, opaque=False, color="#808080ff")
    cells = np.zeros((2, 13), np.uint8)
    layer = Layer("ground", "tiles", cells, "blank", tiles=(floor,), walkable=cells == 0)
    return Level("keep", 13, 2, layers={"ground": layer}, mission=mission)


@pytest.fixture(scope="module")
def blob(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mission") / "keep.lvb"
    path.write_bytes(write_blob(level_with(MISSION), "fast"))
    assert read_blob(path.read_bytes()).mission == MISSION
    return path


STEPS = [step for step, _ in PLAY]
ANSWERS = [answer for _, answer in PLAY]


def test_godot_opens_what_can_be_opened(godot: Godot, blob: Path, tmp_path: Path) -> None:
    project = godot.new_project(tmp_path)
    copy_addon(project)
    assert godot.query(project, QUERY, [str(blob), STEPS]) == ANSWERS


def test_javascript_opens_what_can_be_opened(node: Node, blob: Path) -> None:
    question = {"module": JAVASCRIPT_READER.as_uri(), "file": str(blob), "steps": STEPS}
    assert node.query(JAVASCRIPT / "play_mission.mjs", question) == ANSWERS


def test_csharp_opens_what_can_be_opened(mono: Mono, blob: Path, tmp_path: Path) -> None:
    programs = [CSHARP / "JsonText.cs", CSHARP / "PlayMission.cs"]
    program = mono.compile([*CORE, *programs], tmp_path / "play.exe")
    lines = [str(blob), *(" ".join(map(str, step)) for step in STEPS)]
    output = mono.run(program, stdin="\n".join(lines) + "\n")
    assert [json.loads(line) for line in output.splitlines()] == ANSWERS


def test_readers_refuse_a_lock_of_an_unknown_kind(node: Node, tmp_path: Path) -> None:
    lock = replace(MISSION.locks[0], kind="riddle")  # type: ignore[arg-type]
    path = tmp_path / "riddle.lvb"
    path.write_bytes(write_blob(level_with(replace(MISSION, locks=(lock,))), "fast"))
    question = {"module": JAVASCRIPT_READER.as_uri(), "file": str(path), "steps": []}
    with pytest.raises(AssertionError, match="riddle"):
        node.query(JAVASCRIPT / "play_mission.mjs", question)
