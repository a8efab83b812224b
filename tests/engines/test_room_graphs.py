"""The rooms of a level and the ways between them, as real Godot and Mono read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine_harness import Godot, Mono
from engine_harness.folders import CORE, CSHARP
from engine_harness.levels import expected_connections, expected_rooms, write_level
from exporter.build.build import build_level
from exporter.formats._rooms import layer_rooms
from exporter.model.level import Level
from exporter.reading.reader import parse_level

SPEC = b"""
size: [40, 30]
seed: 5
layers:
  dug: {generator: bsp_rooms, depth: 3, corridor_width: 1, extra_corridor_percent: 100}
  ground: {generator: doors, of: dug, percent: 60}
"""
QUERY = """
func plain(value):
	if value is Vector2i:
		return [value.x, value.y]
	if value is Array:
		return value.map(plain)
	if value is Dictionary:
		var told = {}
		for key in value:
			told[key] = plain(value[key])
		return told
	return value

func query(scenes):
	var found = []
	for path in scenes:
		var scene = load(path).instantiate()
		var kinds = [typeof(scene.get_meta("rooms")[0]["position"])]
		found.append([plain(scene.get_meta("rooms")), plain(scene.get_meta("connections")), kinds])
		scene.free()
	return found
"""
VECTOR2I = 6


@pytest.fixture(scope="module")
def level() -> Level:
    return build_level(parse_level(SPEC, "crypt.level.yaml"))


def test_both_scenes_tell_the_rooms_and_their_ways(
    godot: Godot, level: Level, tmp_path: Path
) -> None:
    game = godot.new_project(tmp_path, ("level_exporter",))
    write_level("godot", level, game / "whole", "whole", scene=True)
    write_level("godot", level, game / "alone", "alone", scene=False)
    output = godot.import_project(game)
    assert ".lvb:" not in output, output
    scenes = ["res://whole/crypt.tscn", "res://alone/crypt.lvb"]
    whole, alone = godot.query(game, QUERY, scenes)
    assert whole == alone
    rooms, connections, kinds = whole
    ground = level.layers["ground"]
    assert kinds == [VECTOR2I]
    assert rooms == expected_rooms(ground)
    assert connections == expected_connections(ground)
    assert {connection["kind"] for connection in connections} == {"door", "opening"}
    assert sum(len(room["doors"]) for room in rooms) >= ground.report["doors"]


def test_unity_reads_the_rooms_and_their_ways(mono: Mono, level: Level, tmp_path: Path) -> None:
    write_level("unity", level, tmp_path / "levels")
    (blob,) = (tmp_path / "levels").rglob("*.lvb")
    programs = [CSHARP / "TellRooms.cs", CSHARP / "JsonText.cs"]
    program = mono.compile([*CORE, *programs], tmp_path / "rooms.exe")
    document = json.loads(mono.run(program, blob))
    assert list(document) == ["dug", "ground"]
    for name, layer in level.layers.items():
        assert document[name]["rooms"] == [
            {
                "name": node.room.name,
                "rectangle": [node.room.x, node.room.y, node.room.width, node.room.height],
                "center": list(node.room.center),
                "neighbours": list(node.neighbours),
                "contains": [True, True, False, False],
            }
            for node in layer_rooms(layer)
        ]
        assert document[name]["connections"] == [
            [*connection.rooms, connection.x, connection.y, connection.kind == "door"]
            for connection in layer.connections
        ]
