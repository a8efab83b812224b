"""Scenes as data for the addon: whatever a scene can have is in them, and nothing that runs."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.formats.godot.description import CHUNKS_CLASS, INSTANCE_CLASS, scene_description
from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.scene import SceneSource, level_scene
from exporter.formats.godot.tile_layers import tile_map_data
from exporter.formats.godot.values import (
    ExternalResource,
    NodePath,
    PackedByteArray,
    Raw,
    StringName,
    SubResource,
    Value,
    Vector2,
)
from exporter.formats.godot.variants import variant
from exporter.model.level import Layer, Level, PlacedObject, Tile
from godot_scene_texts import sheet_tiles_of

ADDON = Path(__file__).parents[2] / "templates" / "godot" / "addons" / "level_exporter"
TILES = (Tile(0, "floor", True, False, "#ffffff"), Tile(1, "wall", False, True, "#000000"))


def read_value(data: bytes) -> Any:
    """Read Godot's binary form, the slow way."""
    value, end = _read(data, 0)
    assert end == len(data)
    return value


def _read(data: bytes, at: int) -> tuple[Any, int]:
    (head,) = struct.unpack_from("<I", data, at)
    at += 4
    fixed: dict[int, str] = {1: "<I", 2 | 1 << 16: "<q", 3 | 1 << 16: "<d", 5: "<ff", 6: "<ii"}
    if head == 0:
        return None, at
    if head in fixed:
        result = struct.unpack_from(fixed[head], data, at)
        at += struct.calcsize(fixed[head])
        return (bool(result[0]) if head == 1 else result[0] if len(result) == 1 else result), at
    (count,) = struct.unpack_from("<I", data, at)
    at += 4
    if head in (4, 29):
        result = data[at : at + count]
        return (result.decode() if head == 4 else result), at + count + -count % 4
    if head in (30, 35):
        width = 1 if head == 30 else 2
        numbers = np.frombuffer(data, "<i4" if head == 30 else "<f4", count * width, at)
        return numbers.tolist(), at + 4 * len(numbers)
    entries = []
    for _ in range(count * (2 if head == 27 else 1)):
        entry, at = _read(data, at)
        entries.append(entry)
    return (dict(zip(entries[::2], entries[1::2], strict=True)) if head == 27 else entries), at


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(min_codepoint=32, blacklist_categories=("Cs",), max_codepoint=0xFFFD)),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_a_plain_value_comes_back(value: Any) -> None:
    assert read_value(variant(value)) == value


def test_values_that_godot_cannot_hold_become_text() -> None:
    values = [2**63, -(2**80), float("inf"), "a\0b"]
    assert read_value(variant(values)) == [str(2**63), str(-(2**80)), "inf", "a\ufffdb"]


def levels() -> list[Level]:
    cells = (np.random.default_rng(3).random((20, 30)) < 0.4).astype(np.uint8)
    layers = [Layer(name, "tiles", cells, "test", tiles=TILES) for name in ("ground", "above")]
    layers[1] = replace(layers[1], role="picture")
    things = tuple(PlacedObject(n, "chest", n, 1, {"gold": n, "of": None}) for n in range(3))
    whole = Level("a", 30, 20, layers={layer.name: layer for layer in layers}, objects=things)
    wide = Layer("wide", "tiles", np.eye(3, 1100, dtype=np.uint8), "test", tiles=TILES)
    return [whole, Level("wide", 1100, 3, layers={"wide": wide}), Level("none", 4, 4)]


def scenes() -> list[Scene]:
    options = [SceneOptions(), SceneOptions(chunks="always"), SceneOptions(navigation="tiles")]
    return [
        level_scene(SceneSource(level, sheet_tiles_of(level), chosen, "place", {}))
        for level in levels()
        for chosen in options
    ]


def described(scene: Scene) -> dict[str, Any]:
    data = scene_description(scene, 16)
    value = zlib.decompress(data[4:])
    assert struct.unpack("<I", data[:4]) == (len(value),)
    result: dict[str, Any] = read_value(value)
    return result


def nodes_of(node: Node) -> list[Node]:
    return [node, *(below for child in node.children for below in nodes_of(child))]


@each_case("scene", scenes())
def test_every_node_is_described_after_its_parent(scene: Scene) -> None:
    result = described(scene)
    nodes = nodes_of(scene.root)
    assert [row[2] for row in result["nodes"]] == [node.name for node in nodes]
    for number, (row, node) in enumerate(zip(result["nodes"], nodes, strict=True)):
        assert row[0] < number
        assert row[0] == -1 or node in nodes[row[0]].children
        assert row[3] == list(node.groups)
        assert {*row[4], *row[5]} == {*node.properties} - {"script"}
        assert row[6].keys() == {key for key in node.metadata if node.metadata[key] is not None}
        assert row[1] == (CHUNKS_CLASS if "script" in node.properties else node.type)


def whitelisted() -> dict[str, dict[str, set[str]]]:
    """Return the lists of the addon: by list and class, the names of properties."""
    text = (ADDON / "editor" / "scene_whitelist.gd").read_text()
    for name, kind in (("CHUNKS", CHUNKS_CLASS), ("INSTANCE", INSTANCE_CLASS)):
        text = text.replace(f"\t{name}: {{", f'\t"{kind}": {{')
    lists = dict(re.findall(r"^const (\w+) := (\{.*?^\}|\{.*?\})$", text, re.M | re.S))
    return {
        name: {
            kind: set(re.findall(r'"(\w+)":', properties))
            for kind, properties in re.findall(r'"(\w+)": \{(.*?)\}', body, re.S)
        }
        for name, body in lists.items()
    }


@each_case("scene", scenes())
def test_the_addon_takes_all_that_a_scene_can_have(scene: Scene) -> None:
    result, allowed = described(scene), whitelisted()
    for row in result["nodes"]:
        assert {*row[4]} <= allowed["NODES"][row[1]]
        assert {*row[5]} <= allowed["RESOURCES_OF_NODES"].get(row[1], set())
    for kind, content in result["resources"]:
        if isinstance(content, str):
            assert content.endswith({"TileSet": ".tileset.tres", "Texture2D": ".png"}[kind])
        else:
            assert {*content} <= allowed["RESOURCES"][kind]


def test_cells_come_back_from_their_columns() -> None:
    numbers = np.random.default_rng(4).integers(-1, 40, (9, 33), np.int32)
    data = tile_map_data(numbers, np.arange(160, dtype=np.int32).reshape(40, 4))
    layer = Node("a", "TileMapLayer", {"tile_map_data": PackedByteArray(data)})
    columns = described(Scene(layer, "uid://a"))["nodes"][0][4]["tile_map_data"]
    places = np.cumsum(columns[0]).astype("<i4")
    again = np.stack([places, *(np.array(column, "<i4") for column in columns[1:])], axis=1)
    assert b"\0\0" + again.tobytes() == data


def test_instances_are_described_with_the_types_of_their_variables() -> None:
    scene = ExternalResource("PackedScene", "res://a/b.tscn", "uid://b")
    values = {
        "bool": True,
        "int": 2,
        "float": 2.0,
        "text": "t",
        "name": StringName("n"),
        "path": NodePath("../p"),
    }
    things = tuple(
        Node(name, "", {"position": Vector2(1, 2)}, {"id": 1}, ("a",), (), scene, variables)
        for name, variables in (("a", values), ("b", {}))
    )
    result = described(Scene(Node("root", "Node2D", children=things), "uid://a"))
    assert result["format"] == 2
    assert result["resources"] == [["PackedScene", "res://a/b.tscn"]]
    typed = {
        "bool": [1, True],
        "int": [2, 2],
        "float": [3, 2.0],
        "text": [4, "t"],
        "name": [21, "n"],
        "path": [22, "../p"],
    }
    first, second = result["nodes"][1:]
    properties = {"position": (1.0, 2.0), "variables": typed}
    assert first == [0, "SceneInstance", "a", ["a"], properties, {"scene": 0}, {"id": 1}]
    assert second[4]["variables"] == {}
    allowed = whitelisted()
    assert {*first[4]} == allowed["NODES"][INSTANCE_CLASS]
    assert {*first[5]} == allowed["RESOURCES_OF_NODES"][INSTANCE_CLASS]
    assert described(Scene(Node("root", "Node2D"), "uid://a"))["format"] == 1


def test_a_resource_of_several_nodes_is_described_once() -> None:
    shape = SubResource("RectangleShape2D", {"size": Vector2(1, 2)})
    boxes = tuple(Node(name, "CollisionShape2D", {"shape": shape}) for name in "ab")
    result = described(Scene(Node("root", "Node2D", children=boxes), "uid://a"))
    assert result["resources"] == [["RectangleShape2D", {"size": (1.0, 2.0)}]]
    assert [row[5] for row in result["nodes"]] == [{}, {"shape": 0}, {"shape": 0}]


@pytest.mark.parametrize(
    "value",
    [
        SubResource("GDScript", {"script/source": "extends Node"}),
        Raw("Color(1, 1, 1)"),
        {"inside": SubResource("RectangleShape2D", {})},
    ],
)
def test_what_has_no_plain_form_is_refused(value: Value) -> None:
    name = "script" if isinstance(value, SubResource) else "modulate"
    child = Node("a", "Node2D", {name: value})
    scene = Scene(Node("root", "Node2D", children=(child,)), "uid://a")
    with pytest.raises(ValueError, match=r"scene description can hold|has no plain form"):
        scene_description(scene, 16)
