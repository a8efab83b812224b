"""Packs in the engines' languages: equal levels and equal answers, and damaged ones refused."""

from __future__ import annotations

import json
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

import exporter
from engine_harness import Godot, Mono
from engine_harness.folders import (
    CORE,
    CSHARP,
    JAVASCRIPT_READER,
    VECTORS,
    copy_addon,
    vector_manifest,
)
from engine_harness.node import Node
from exporter.blob import Chunk, write_container
from exporter.blob.values import NUMBER, encode_values
from exporter.cli.main import main
from exporter.packs.format import HEADER, MAJOR, MINOR, SIGNATURE

PACKS = vector_manifest()["packs"]
GODOT_SCRIPT = Path(__file__).parent / "engine_harness" / "read_packs.gd"
NODE_SCRIPT = Path(__file__).parent / "javascript" / "read_packs.mjs"


def question(entry: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the questions about a pack."""
    questions = {key: [item for item, _ in entry[key]] for key in ("find", "daily", "shuffled")}
    return {"path": str(path), "metrics": list(entry["metrics"]), **questions}


def expected(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the answer that the manifest has."""
    return {
        "error": "",
        "is_same": True,
        "name": entry["name"],
        "seeds": entry["seeds"],
        "metrics": {
            name: struct.pack(f"<{len(values)}d", *values).hex()
            for name, values in entry["metrics"].items()
        },
        "levels": [
            {
                "cells": level["cells"],
                "objects": [item[:4] for item in level["objects"]],
            }
            for level in entry["levels"]
        ],
        **{key: [answer for _, answer in entry[key]] for key in ("find", "daily", "shuffled")},
    }


def damaged(folder: Path) -> list[Path]:
    """Return packs with damage in the header, the table of contents and everywhere.

    The last one has nothing as its shared part.
    """
    good = (VECTORS / PACKS[0]["file"]).read_bytes()
    _, shared, columns = struct.unpack_from("<3I", good, 12)
    table = 32 + shared + columns
    numbers = random.Random(11)
    paths = []
    for turn in range(60):
        data = bytearray(good)
        low, high = ((8, 28), (table, table + 52), (32, len(data)))[turn % 3]
        data[numbers.randrange(low, high)] ^= 1 << numbers.randrange(8)
        data[28:32] = struct.pack("<I", zlib.crc32(data[:28]))
        if turn % 10 == 9:
            data = data[: numbers.randrange(len(data))]
        paths.append(folder / f"{turn}.lvp")
        paths[-1].write_bytes(data)
    nothing = write_container([Chunk("PACK", NUMBER, encode_values(None, "pack"))])
    no_columns = write_container([])
    begin = HEADER.size + len(nothing) + len(no_columns)
    numbers_of_head = (0, len(nothing), len(no_columns), begin + 4, 0)
    head = HEADER.pack(SIGNATURE, MAJOR, MINOR, 0, *numbers_of_head)[:-4]
    end = struct.pack("<I", begin + 4)
    paths.append(folder / "nothing.lvp")
    paths[-1].write_bytes(head + struct.pack("<I", zlib.crc32(head)) + nothing + no_columns + end)
    return paths


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = godot.new_project(tmp_path_factory.mktemp("packs"))
    copy_addon(folder)
    return folder


def ask_godot(godot: Godot, project: Path, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return godot.query(project, GODOT_SCRIPT, questions, allow_errors=True)


def ask_node(node: Node, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    module = JAVASCRIPT_READER.with_name("level-pack.js").as_uri()
    return node.query(NODE_SCRIPT, {"module": module, "files": questions})


@pytest.fixture(scope="module")
def reader(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    programs = [CSHARP / name for name in ("JsonText.cs", "ReadPacks.cs")]
    return mono.compile([*CORE, *programs], tmp_path_factory.mktemp("reader") / "read.exe")


def ask_mono(mono: Mono, reader: Path, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = ("metrics", "find", "daily", "shuffled")
    lines = [
        "|".join([item["path"], *(";".join(map(str, item[k])) for k in keys)]) for item in questions
    ]
    output = mono.run(reader, stdin="\n".join(lines) + "\n")
    return [json.loads(line) for line in output.splitlines()]


def test_csharp_answers_as_the_manifest_says(mono: Mono, reader: Path) -> None:
    answers = ask_mono(mono, reader, [question(entry, VECTORS / entry["file"]) for entry in PACKS])
    assert answers == [expected(entry) for entry in PACKS]


def test_csharp_refuses_damaged_packs(mono: Mono, reader: Path, tmp_path: Path) -> None:
    questions = [question(PACKS[0], path) for path in damaged(tmp_path)]
    refused_or_same(ask_mono(mono, reader, questions))


def test_godot_answers_as_the_manifest_says(godot: Godot, project: Path) -> None:
    answers = ask_godot(
        godot, project, [question(entry, VECTORS / entry["file"]) for entry in PACKS]
    )
    assert answers == [expected(entry) for entry in PACKS]


def test_javascript_answers_as_the_manifest_says(node: Node) -> None:
    answers = ask_node(node, [question(entry, VECTORS / entry["file"]) for entry in PACKS])
    assert answers == [expected(entry) for entry in PACKS]


def refused_or_same(answers: list[dict[str, Any]]) -> None:
    """Check that damaged packs give an error, or the undamaged levels."""
    good = expected(PACKS[0])["levels"]
    refused = 0
    for answer in answers:
        refused += bool(answer["error"])
        for level, same in zip(answer.get("levels", ()), good, strict=False):
            assert "error" in level or level == same
    assert refused > len(answers) // 2
    assert answers[-1]["error"]


def test_godot_refuses_damaged_packs(godot: Godot, project: Path, tmp_path: Path) -> None:
    questions = [question(PACKS[0], path) for path in damaged(tmp_path)]
    refused_or_same(ask_godot(godot, project, questions))


def test_javascript_refuses_damaged_packs(node: Node, tmp_path: Path) -> None:
    refused_or_same(ask_node(node, [question(PACKS[0], path) for path in damaged(tmp_path)]))


LEVELS = """
func query(path):
	var tree: SceneTree = Engine.get_main_loop()
	var pack := LevelPack.open(path)
	pack.scenes = {"chest": load("res://chest.tscn")}
	var answers := []
	for frame in 5:
		await tree.process_frame  # before the first frames a game has no navigation
	for index in pack.count():
		var level: Node2D
		if index % 2 == 0:
			level = pack.level(index)
			tree.root.add_child(level)
		else:
			level = await pack.add_level(index, tree.root)
		var map := tree.root.world_2d.navigation_map
		var middle: Vector2 = level.get_node("objects").get_child(0).position
		for frame in 600:
			await tree.physics_frame
			var way := NavigationServer2D.map_get_path(map, middle, middle + Vector2.ONE, true)
			if not way.is_empty():
				break
		var size: Vector2i = level.get_meta("size")
		var ground: TileMapLayer = level.get_node("ground")
		var space := tree.root.world_2d.direct_space_state
		var point := PhysicsPointQueryParameters2D.new()
		var free := ""
		var lit := ""
		var names := []
		for y in size.y:
			for x in size.x:
				point.position = Vector2(x + 0.5, y + 0.5) * 16
				free += "0" if space.intersect_point(point, 1).size() > 0 else "1"
				var data := ground.get_cell_tile_data(Vector2i(x, y))
				names.append("" if data == null else data.get_custom_data("name"))
				lit += "0" if _is_covered(level.get_node("occlusion"), point.position) else "1"
		var things := []
		for node in level.get_node("objects").get_children():
			var cell: Vector2i = node.get_meta("cell")
			things.append([node.get_meta("object"), cell.x, cell.y, node.scene_file_path,
				node.position.x, node.position.y])
		var from := Vector2(things[0][4], things[0][5])
		var arrived := 0
		for thing in things:
			var to := Vector2(thing[4], thing[5])
			var way := NavigationServer2D.map_get_path(map, from, to, true)
			if not way.is_empty() and way[-1].distance_to(to) < 12.0:
				arrived += 1
		answers.append({"free": free, "lit": lit, "names": names, "things": things,
			"arrived": arrived, "seed": level.get_meta("seed"), "joins": _joins(ground)})
		level.free()
		await tree.physics_frame
	var left := Node.new()
	tree.root.add_child(left)
	left.queue_free()
	assert(await pack.add_level(0, left) == null and pack.is_valid())
	assert(await pack.add_level(99, tree.root) == null and not pack.is_valid())
	var scene: Node = load("res://levels/alone.tscn").instantiate()
	return {"levels": answers, "joins": _joins(scene.get_node("ground"))}


# Which neighbours the picture of each cell joins to.
func _joins(ground: TileMapLayer) -> Array:
	var joins := []
	for cell in ground.get_used_cells():
		var data := ground.get_cell_tile_data(cell)
		var bits := 0
		for bit in 16:
			if data.is_valid_terrain_peering_bit(bit):
				bits |= int(data.get_terrain_peering_bit(bit) >= 0) << bit
		joins.append([cell.x, cell.y, bits])
	joins.sort()
	return joins


func _is_covered(node: Node, at: Vector2) -> bool:
	for occluder in node.get_children():
		if Geometry2D.is_point_in_polygon(at, occluder.occluder.polygon):
			return true
	return false
"""
CHEST_SCENE = """\
[gd_scene load_steps=2 format=3]

[sub_resource type="GDScript" id="s"]
script/source = "extends Node2D

@export var gold := 1
"

[node name="Chest" type="Node2D"]
script = SubResource("s")
"""
# More cells than one frame gets.
SPEC = """\
size: [40, 30]
tileset: {style: cavern}
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
objects:
  - {name: start, clear_radius: 1}
  - {name: chest, count: 3, reachable_from: start, clear_radius: 1, properties: {gold: 7}}
pack: {count: 4}
"""


def test_godot_makes_nodes_of_the_levels_of_a_pack(godot: Godot, tmp_path: Path) -> None:
    game = godot.new_project(tmp_path / "game")
    copy_addon(game)
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cave.level.yaml").write_text(SPEC)
    (tmp_path / "exporter.yaml").write_text("targets: {godot: {path: game/levels}}\n")
    (game / "chest.tscn").write_text(CHEST_SCENE)
    assert main(["export", "-q", str(tmp_path)]) == 0
    with exporter.open_pack(game / "levels" / "cave.lvp") as pack:
        alone = f"seed: {pack.seeds[0]}\n" + SPEC.partition("pack:")[0]
    (tmp_path / "levels" / "alone.level.yaml").write_text(alone)
    assert main(["export", "-q", str(tmp_path)]) == 0
    godot.import_project(game)
    answer = godot.query(game, LEVELS, "res://levels/cave.lvp", allow_warnings=True)
    answers = answer["levels"]
    assert answers[0]["joins"] == answer["joins"]
    assert len({bits for _, _, bits in answer["joins"]}) > 10
    with exporter.open_pack(game / "levels" / "cave.lvp") as pack:
        assert len(answers) == len(pack) == 4
        for index, answer in enumerate(answers):
            level = pack[index]
            walkable = "".join("01"[int(cell)] for cell in level.walkable().ravel())
            assert answer["free"] == walkable
            assert answer["lit"] == "".join("10"[int(cell)] for cell in level.opaque().ravel())
            names = {tile.id: tile.name for tile in level.layers["ground"].tiles}
            assert answer["names"] == [names[int(c)] for c in level.layers["ground"].cells.ravel()]
            assert [thing[:3] for thing in answer["things"]] == [
                [thing.name, thing.x, thing.y] for thing in level.objects
            ]
            chests = [thing for thing in answer["things"] if thing[0] == "chest"]
            assert {thing[3] for thing in chests} == {"res://chest.tscn"}
            assert answer["arrived"] == len(level.objects)
            assert answer["seed"] == pack.seeds[index]
