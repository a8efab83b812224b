"""Scenes in blobs of strangers: nothing but a level's own nodes is ever made of one."""

from __future__ import annotations

import base64
import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Godot
from engine_harness.levels import layer_of
from exporter.blob import Chunk, read_container, with_chunk, write_container
from exporter.deflate import compress
from exporter.formats.godot.scripts import large_level_script
from exporter.formats.godot.values import Vector2, Vector2i
from exporter.formats.godot.variants import packed, variant
from exporter.model.level import Level, Tile

ROOT = [-1, "Node2D", "crypt", (), {}, {}, {}]
# The effect of a script if it ever ran: in the editor, when loaded, when made, when in the tree.
SPY = """@tool
extends Node2D
static var seen := FileAccess.open("res://ran.txt", FileAccess.WRITE)
func _init() -> void:
	FileAccess.open("res://ran.txt", FileAccess.WRITE)
"""
BUILD = """
const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(blobs):
	var answers = {}
	for name in blobs:
		var bytes = Marshalls.base64_to_raw(blobs[name])
		var path = "res://levels/crypt.lvb"
		var root = SceneBuilder.build(bytes, path, {})
		Engine.get_main_loop().root.add_child(root)
		await Engine.get_main_loop().process_frame
		var classes = root.find_children("*", "", true, false).map(
			func(node): return [node.get_class(), node.get_script() != null]
		)
		answers[name] = [root.problem, root.get_script().resource_path, classes]
		root.free()
	answers["orphans"] = Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)
	return answers
"""


def level_blob() -> bytes:
    tiles = (Tile(0, "floor", True, False, "#ffffff"), Tile(1, "wall", False, True, "#000000"))
    ground = layer_of("ground", np.eye(8, dtype=np.uint8), tiles)
    return exporter.write_blob(Level("crypt", 8, 8, layers={"ground": ground}))


def described(nodes: Any, resources: Any = (), **other: Any) -> bytes:
    """Return a payload that describes these nodes."""
    value = {
        "format": 1,
        "script": sha256(large_level_script().encode()).hexdigest(),
        "tile_size": 16,
        "resources": resources,
        "nodes": nodes,
    }
    return packed(value | other)


def node(
    kind: str,
    properties: Mapping[str, Any] | None = None,
    resources: Mapping[str, Any] | None = None,
    *,
    parent: int = 0,
    name: str = "a",
    groups: Any = (),
    metadata: Mapping[str, Any] | None = None,
) -> list[Any]:
    return [parent, kind, name, groups, properties or {}, resources or {}, metadata or {}]


def chunks(**changed: Any) -> list[Any]:
    """The node of a large level of one chunk."""
    values: dict[str, Any] = {
        "chunk_side": 64,
        "size": Vector2i(8, 8),
        "tile_size": 16,
        "columns": 4,
        "chunks": [packed([[b""], b"", np.zeros(0, np.int32)])],
        "solids": (),
        "regions": (),
    }
    return node("LevelChunks", values | changed, name="chunks")


def navigation(corners: list[int], starts: list[int]) -> list[Any]:
    polygons = [np.array(corners, np.int32), np.array(starts, np.int32)]
    return ["NavigationPolygon", {"vertices": np.zeros((3, 2)), "polygons": polygons}]


def an_object() -> bytes:
    """A payload whose root has an instance of GDScript, with source code, as metadata."""
    name, key = variant("GDScript")[4:], variant("script/source")[4:]
    encoded = struct.pack("<I", 24) + name + struct.pack("<I", 1) + key + variant(SPY)
    data = variant({"format": 1, "spy": "here"}).replace(variant("here"), encoded)
    return struct.pack("<I", len(data)) + compress(data)


@dataclass(frozen=True)
class Attack:
    payload: bytes
    told: str


def on_node(described_node: list[Any], reported: str, resources: Any = ()) -> Attack:
    return Attack(described([ROOT, described_node], resources), f"node 1 of the scene: {reported}")


SPY_SCENE = ["PackedScene", "res://spy.tscn"]
BOMB = struct.pack("<I", 1 << 31) + compress(bytes(100))
UPDATE = "needs another version of the addon: run `exporter init --plugin`"
ATTACKS = {
    "window": on_node(node("Window"), "the class Window is not allowed"),
    "http": on_node(node("HTTPRequest"), "the class HTTPRequest is not allowed"),
    "player": on_node(node("AnimationPlayer"), "the class AnimationPlayer is not allowed"),
    "root": Attack(
        described([node("Window", parent=-1)]), "node 0 of the scene: the root is a Win"
    ),
    "script text": on_node(node("Node2D", {"script": SPY}), 'the property "script" is not allowed'),
    "script resource": Attack(
        described([ROOT, node("Node2D", {}, {"script": 0})], [["GDScript", {"source": SPY}]]),
        "the scene has a resource of the class GDScript",
    ),
    "script of root": Attack(
        described([[-1, "Node2D", "crypt", (), {"script": SPY}, {}, {}]]),
        'node 0 of the scene: the property "script" is not allowed',
    ),
    "blob of root": Attack(
        described([[-1, "Node2D", "crypt", (), {"blob": b"other"}, {}, {}]]),
        'node 0 of the scene: the property "blob" is not allowed',
    ),
    "script in metadata": on_node(
        node("Node2D", metadata={"_custom_type_script": "uid://spy"}),
        "the metadata _custom_type_script is not allowed",
    ),
    "object": Attack(an_object(), "the description of the scene is broken"),
    "bytes in metadata": on_node(
        node("Node2D", metadata={"m": b"x"}), "the metadata m is not allowed"
    ),
    "instance without a scene": on_node(node("SceneInstance"), "an instance has no scene"),
    "instance of nothing": on_node(
        node("SceneInstance", {}, {"scene": 1}), "an instance has no scene", [SPY_SCENE]
    ),
    "instance of a text": on_node(
        node("SceneInstance", {}, {"scene": "res://spy.tscn"}), "an instance has no scene"
    ),
    "instance of a picture": on_node(
        node("SceneInstance", {}, {"scene": 0}),
        "an instance has a RectangleShape2D",
        [["RectangleShape2D", {"size": Vector2(4, 4)}]],
    ),
    "instance with a script": on_node(
        node("SceneInstance", {"script": SPY}, {"scene": 0}),
        'the property "script" is not allowed',
        [SPY_SCENE],
    ),
    "variables that are none": on_node(
        node("SceneInstance", {"variables": 5}, {"scene": 0}),
        "the property variables has no proper value",
        [SPY_SCENE],
    ),
    "variable of another type": on_node(
        node("SceneInstance", {"variables": {"a": [24, 5]}}, {"scene": 0}),
        'the variable "a" has no proper value',
        [SPY_SCENE],
    ),
    "variable with bytes": on_node(
        node("SceneInstance", {"variables": {"a": [4, b"x"]}}, {"scene": 0}),
        'the variable "a" has no proper value',
        [SPY_SCENE],
    ),
    "scene of nobody": on_node(
        node("TileMapLayer", {}, {"tile_set": 0}),
        "the property tile_set has a PackedScene",
        [SPY_SCENE],
    ),
    "scene elsewhere": Attack(
        described([ROOT], [["PackedScene", "spy.tscn"]]), "a resource of the class PackedScene"
    ),
    "tile set elsewhere": Attack(
        described([ROOT], [["TileSet", "../spy.tileset.tres"]]), "which is no TileSet of a level"
    ),
    "tile set with a script": Attack(
        described([ROOT], [["TileSet", "res://spy.tileset.tres"]]), "has a script"
    ),
    "tile set outside of the game": Attack(
        described([ROOT], [["TileSet", "res://../spy.tres"]]), "which is no TileSet of this game"
    ),
    "tile set on the way": Attack(
        described([ROOT], [["TileSet", "res://levels/../own.tres"]]),
        "which is no TileSet of this game",
    ),
    "tile set inside of a file": Attack(
        described([ROOT], [["TileSet", "res://own.tres::1.tres"]]),
        "which is no TileSet of this game",
    ),
    "tile set of the user": Attack(
        described([ROOT], [["TileSet", "user://spy.tres"]]), "which is no TileSet of a level"
    ),
    "tile set by its uid": Attack(
        described([ROOT], [["TileSet", "uid://spy"]]), "which is no TileSet of a level"
    ),
    "tile set that is a scene of the game": Attack(
        described([ROOT], [["TileSet", "res://spy.tscn"]]), "which is no TileSet of this game"
    ),
    "tile set of another class": Attack(
        described([ROOT], [["TileSet", "res://theme.tres"]]), "res://theme.tres is no TileSet"
    ),
    "missing tile set of the game": Attack(
        described([ROOT], [["TileSet", "res://none.tres"]]), "res://none.tres is missing"
    ),
    "picture of the game": Attack(
        described([ROOT], [["Texture2D", "res://icon.png"]]), "which is no Texture2D of a level"
    ),
    "tile set that is a scene": Attack(
        described([ROOT], [["TileSet", "spy.tscn"]]), "which is no TileSet of a level"
    ),
    "texture that is a script": Attack(
        described([ROOT], [["Texture2D", "spy.gd"]]), "which is no Texture2D of a level"
    ),
    "missing": Attack(described([ROOT], [["TileSet", "no.tileset.tres"]]), "is missing"),
    "other resource": on_node(
        node("TileMapLayer", {}, {"tile_set": 0}),
        "the property tile_set has a RectangleShape2D",
        [["RectangleShape2D", {"size": Vector2(4, 4)}]],
    ),
    "no resource": on_node(
        node("TileMapLayer", {}, {"tile_set": 7}), "the property tile_set has no resource"
    ),
    "resource path": Attack(
        described([ROOT], [["RectangleShape2D", {"resource_path": "res://project.godot"}]]),
        'the property "resource_path" is not allowed',
    ),
    "wrong type": on_node(
        node("Node2D", {"position": "1"}), "the property position has no proper value"
    ),
    "no number": on_node(
        node("Node2D", {"position": Vector2(float("nan"), 0)}),
        "the property position has no proper value",
    ),
    "later parent": on_node(node("Node2D", parent=1), "its parent is no node before it"),
    "two of one name": Attack(
        described([ROOT, node("Node2D"), node("Node2D")]), "node 2 of the scene: two nodes"
    ),
    "path as name": on_node(node("Node2D", name="../a"), '"../a" is no name of a node'),
    "deep": Attack(
        described([ROOT, *(node("Node2D", parent=index) for index in range(20))]),
        "its parent is no node before it",
    ),
    "no nodes": Attack(described([]), "the scene has 0 nodes"),
    "corner": Attack(
        described([ROOT], [navigation([0, 1, 9], [0, 3])]), "the polygons have no proper corners"
    ),
    "starts": Attack(
        described([ROOT], [navigation([0, 1, 2], [0, 900])]), "the polygons have no proper corners"
    ),
    "cells": on_node(
        node("TileMapLayer", {"tile_map_data": [np.zeros(3, np.int32), np.zeros(2, np.int32)]}),
        "the cells have no proper columns",
    ),
    "bomb": Attack(struct.pack("<I", 0xFFFFFFFF) + compress(b""), "more than 268435456"),
    "bombs in chunks": on_node(chunks(chunks=[BOMB]), "its chunks have 2147483648 bytes"),
    "chunks of other size": on_node(chunks(size=Vector2i(8, 800)), "the level has 13 chunks"),
    "half a place": on_node(
        chunks(columns=0, tile_places=b"1234567"),
        "the tiles of the chunks have no proper size",
    ),
    "no places": on_node(
        chunks(columns=0, tile_places=b""), "the tiles of the chunks have no proper size"
    ),
    "no columns": on_node(chunks(columns=0), "the tiles of the chunks have no proper size"),
    "other script": Attack(described([ROOT, chunks()], script="0" * 64), UPDATE),
    "other format": Attack(described([ROOT], format=4), UPDATE),
    "diamond": Attack(
        described([ROOT], format=3, diamond=Vector2i(32, 0)),
        "the isometric scene has no proper size of cells",
    ),
    "nothing": Attack(b"", "the description of the scene is empty"),
    "noise": Attack(
        struct.pack("<I", 9) + b"what is this?", "the description of the scene is broken"
    ),
}
GOOD = {
    # The scene that it would instance is not loaded.
    "instance": described(
        [ROOT, node("SceneInstance", {"variables": {"a": [2, 5]}}, {"scene": 0}, groups=("a",))],
        [SPY_SCENE],
        format=2,
    ),
    "plain": described([ROOT, node("Marker2D", groups=("a",), metadata={"b": {"c": [1, None]}})]),
    "chunks": described(
        [ROOT, chunks(), node("Sprite2D", parent=1, name="overview"),
         node("Node2D", parent=1, name="layers"), node("TileMapLayer", parent=3)]
    ),
    "tile set of the game": described(
        [ROOT, node("TileMapLayer", {}, {"tile_set": 0})], [["TileSet", "res://own.tres"]]
    ),
    "places": described([
        ROOT,
        chunks(columns=0, tile_places=b"12345678", collision_layer=4),
        node("Sprite2D", parent=1, name="overview"),
        node("Node2D", parent=1, name="layers"),
        node("TileMapLayer", parent=3),
    ]),
}  # fmt: skip


def blob_of(payload: bytes) -> bytes:
    return with_chunk(level_blob(), Chunk("gdsc", 0, payload))


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = godot.new_project(tmp_path_factory.mktemp("hostile"), ("level_exporter",))
    godot.import_project(game)
    (game / "own.tres").write_text('[gd_resource type="TileSet" format=3]\n\n[resource]\n')
    (game / "theme.tres").write_text('[gd_resource type="Theme" format=3]\n\n[resource]\n')
    # Not imported: only a reference from a blob could make them run.
    for folder in (game, game / "levels"):
        folder.mkdir(exist_ok=True)
        script = f'[sub_resource type="GDScript" id="1"]\nscript/source = "{escaped(SPY)}"\n'
        scene = '[node name="spy" type="Node2D"]\nscript = SubResource("1")\n'
        (folder / "spy.tscn").write_text(f"[gd_scene format=3]\n\n{script}\n{scene}")
        (folder / "spy.gd").write_text(SPY)
        resource = '[resource]\nscript = SubResource("1")\n'
        (folder / "spy.tileset.tres").write_text(
            f'[gd_resource type="TileSet" format=3]\n\n{script}\n{resource}'
        )
    return game


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


@pytest.fixture(scope="module")
def answers(godot: Godot, project: Path) -> dict[str, Any]:
    blobs = {name: blob_of(attack.payload) for name, attack in ATTACKS.items()}
    blobs |= {f"good {name}": blob_of(payload) for name, payload in GOOD.items()}
    damaged = bytearray(blobs["good plain"])
    damaged[-1] ^= 1
    blobs["damaged"] = bytes(damaged)
    arguments = {name: base64.b64encode(blob).decode() for name, blob in blobs.items()}
    # The engine reports broken values, too.
    answer: dict[str, Any] = godot.query(project, BUILD, arguments, allow_errors=True)
    return answer


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_scene_becomes_one_that_says_why(answers: dict[str, Any], name: str) -> None:
    problem, script, classes = answers[name]
    assert ATTACKS[name].told in problem
    assert script == "res://addons/level_exporter/runtime/exported_level.gd"
    assert classes == [["Label", False]]


def test_no_code_runs_by_building_a_scene(answers: dict[str, Any], project: Path) -> None:
    assert len(answers) > len(ATTACKS)
    assert not (project / "ran.txt").exists()


def test_the_spy_would_have_been_seen(godot: Godot, project: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(project, copy)
    (copy / "ran.txt").unlink(missing_ok=True)
    script = "func query(_a):\n\tload('res://spy.tscn').instantiate().free()\n\treturn true\n"
    godot.query(copy, script, allow_errors=True)
    assert (copy / "ran.txt").exists()


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("plain", [["Marker2D", False]]),
        ("instance", [["Marker2D", False]]),
        (
            "chunks",
            [["Node2D", True], ["Sprite2D", False], ["Node2D", False], ["TileMapLayer", False]],
        ),
        ("tile set of the game", [["TileMapLayer", False]]),
        ("places", [["Node2D", True], ["Sprite2D", False]]),
    ],
)
def test_what_is_allowed_is_built(answers: dict[str, Any], name: str, classes: list[Any]) -> None:
    problem, _, result = answers[f"good {name}"]
    assert problem == ""
    # The script of large levels adds chunks when it runs.
    assert result[: len(classes)] == classes


def test_damage_is_reported(answers: dict[str, Any]) -> None:
    assert "checksum" in answers["damaged"][0]


def test_no_node_is_left_behind(answers: dict[str, Any]) -> None:
    assert answers["orphans"] == 0


def test_every_reader_skips_the_scene_and_needs_its_checksum() -> None:
    with_scene = blob_of(GOOD["plain"])
    assert exporter.read_blob(with_scene).name == "crypt"
    container = read_container(with_scene)
    without = [container.load(index) for index in range(len(container) - 1)]
    assert write_container(without) == level_blob()
