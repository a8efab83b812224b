"""Godot's scene and TileSet, read back from their text."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.text import is_metadata_name, node_name, value_text
from exporter.formats.godot.tile_layers import SQUARE, tile_map_data
from exporter.formats.godot.tileset import tileset_resource
from exporter.model.level import BLACK, CLEAR, HeightRange, Layer, Level, PlacedObject, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import level_tileset
from godot_scene_texts import nodes, scene_text

TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(9, "water", False, False, "#3366cc"),
)
TILES_ONLY = SceneOptions(collision="tiles", occlusion="tiles", navigation="tiles")


def level_of(cells: np.ndarray, **more: Any) -> Level:
    height, width = cells.shape
    ground = Layer("ground", "tiles", cells, "test", tiles=TILES)
    return Level("crypt", width, height, layers={"ground": ground}, **more)


def cells_of(node: dict[str, str]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the atlas place (column, row) of every cell of a TileMapLayer."""
    match = re.fullmatch(r'PackedByteArray\("(.*)"\)', node["tile_map_data"])
    assert match is not None
    data = base64.b64decode(match[1])
    assert data[:2] == b"\0\0"
    cells = np.frombuffer(data, "<i2", offset=2).reshape(-1, 6)
    assert not cells[:, [2, 5]].any()
    return {(x, y): (column, row) for x, y, _, column, row, _ in cells.tolist()}


def test_every_cell_is_written_with_its_position_in_the_sheet() -> None:
    cells = np.array([[0, 1, 9], [5, 1, 0]], np.uint8)
    level = level_of(cells)
    node = nodes(scene_text(level))["ground"]
    assert node["type"] == "TileMapLayer"
    assert node["tile_set"] == 'ExtResource("1")'
    assert node["texture_filter"] == "1"
    tileset = level_tileset(level)
    numbers = tileset.numbers(level.layers["ground"])
    assert cells_of(node) == {
        (x, y): divmod(int(numbers[y, x]), tileset.columns)[::-1]
        for y, x in np.argwhere(numbers >= 0).tolist()
    }
    # An id without a tile is an empty cell.
    assert set(cells_of(node)) == {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)}


def test_a_layer_without_cells_has_no_data() -> None:
    assert tile_map_data(np.full((3, 3), -1, np.int32), np.zeros((1, 4), np.int32)) == b""
    assert (
        "tile_map_data" not in nodes(scene_text(level_of(np.full((2, 2), 7, np.uint8))))["ground"]
    )


@pytest.mark.parametrize(("width", "height"), [(SQUARE + 1, 2), (3, 2 * SQUARE + 5)])
def test_a_huge_layer_is_split_into_placed_squares(width: int, height: int) -> None:
    cells = np.zeros((height, width), np.uint8)
    cells[-1, -1] = 1
    level = level_of(cells)
    result = nodes(scene_text(level, collision="none"))
    assert result["ground"]["type"] == "Node2D"
    tileset = level_tileset(level)
    number = int(tileset.numbers(level.layers["ground"])[-1, -1])
    corner = divmod(number, tileset.columns)[::-1]
    count = 0
    for path, node in result.items():
        if not path.startswith("ground/"):
            continue
        x, y = (
            int(number) // 16
            for number in re.findall(r"-?\d+", node.get("position", "(0, 0)").partition("(")[2])
        )
        part = cells_of(node)
        count += len(part)
        assert max(max(position) for position in part) < SQUARE
        last = (width - 1 - x, height - 1 - y)
        assert part.get(last) in (corner, None)
    assert count == width * height


def test_objects_are_markers_in_the_middle_of_their_cells() -> None:
    things = (
        PlacedObject(1, "stairs", 2, 0, {"locked": True, "note": 'say "a"\n\\b'}),
        PlacedObject(2, "chest", 0, 1, {"id": 5, "gold piece": 2**70, "who": None}),
        PlacedObject(3, "chest", 1, 1),
        PlacedObject(4, "chest_1", 2, 1),
    )
    text = scene_text(level_of(np.zeros((2, 3), np.uint8), objects=things))
    result = nodes(text)
    assert [path for path in result if path.startswith("objects/")] == [
        "objects/stairs",
        "objects/chest_1",
        "objects/chest_2",
        "objects/chest_1_2",
    ]
    stairs, chest = result["objects/stairs"], result["objects/chest_1"]
    assert (stairs["type"], stairs["position"]) == ("Marker2D", "Vector2(40, 8)")
    assert (stairs["metadata/object"], stairs["metadata/cell"]) == ('"stairs"', "Vector2i(2, 0)")
    assert stairs["metadata/locked"] == "true"
    assert 'metadata/note = "say \\"a\\"\n\\\\b"\n' in text
    assert chest["metadata/id"] == "2"
    properties = f'{{"id": 5, "gold piece": "{2**70}", "who": null}}'
    assert chest["metadata/properties"] == properties
    assert "metadata/who" not in chest
    assert "metadata/properties" not in result["objects/chest_2"]
    assert 'groups=["chest"]' in text


def test_far_objects_keep_every_digit_of_their_position() -> None:
    thing = PlacedObject(1, "key", 123_456, 99_999)
    result = nodes(scene_text(level_of(np.zeros((1, 1), np.uint8), objects=(thing,))))
    assert result["objects/key"]["position"] == "Vector2(1975304, 1599992)"


def test_a_layer_called_objects_and_the_objects_have_nodes_of_their_own() -> None:
    cells = np.zeros((1, 1), np.uint8)
    layer = Layer("objects", "tiles", cells, "test", tiles=TILES)
    level = Level("crypt", 1, 1, layers={"objects": layer}, objects=(PlacedObject(1, "key", 0, 0),))
    result = nodes(scene_text(level))
    assert result["objects"]["type"] == "TileMapLayer"
    assert "objects_2/key" in result


def test_the_root_tells_seed_size_properties_and_heights() -> None:
    level = level_of(
        np.zeros((2, 3), np.uint8),
        seed="moss",
        properties={"depth": 3, "seed": 1, "имя": "a", "имю": "b"},
    )
    relief = Layer(
        "relief", "heights", np.zeros((5, 4), np.uint16), "test", heights=HeightRange(-1, 2.5)
    )
    level = replace(level, layers={**level.layers, "relief": relief})
    root = nodes(scene_text(level, {"relief": "crypt.relief.exr"}))["crypt"]
    assert root["metadata/seed"] == '"moss"'
    properties = '{"depth": 3, "seed": 1, "имя": "a", "имю": "b"}'
    assert root["metadata/properties"] == properties
    assert (root["metadata/size"], root["metadata/depth"]) == ("Vector2i(3, 2)", "3")
    assert root["metadata/heights"] == (
        '{"relief": {"file": "crypt.relief.exr", "size": Vector2i(4, 5), "minimum": -1.0, '
        '"maximum": 2.5, "units": "metres"}}'
    )


def test_a_level_without_tile_layers_names_no_tileset() -> None:
    assert "ext_resource" not in scene_text(Level("bare", 4, 4))


def test_tiles_collide_shade_and_are_navigable_by_what_they_mean() -> None:
    level = level_of(np.zeros((2, 3), np.uint8))
    text = tileset_resource(
        level_tileset(level, 1), "a.png", "uid://c", "uid://d", TILES_ONLY
    ).decode()
    entries = dict(re.findall(r"^([\w:/]+) = (.*)$", text, re.MULTILINE))
    square = "PackedVector2Array(-8, -8, 8, -8, 8, 8, -8, 8)"
    tileset = level_tileset(level)
    assert set(tileset.tiles.values()) == set(TILES)
    for number, tile in tileset.tiles.items():
        row, column = divmod(number, tileset.columns)
        key = f"{column}:{row}/0"
        assert entries[key] == "0"
        collides = entries.get(f"{key}/physics_layer_0/polygon_0/points")
        assert collides == (None if tile.walkable else square)
        assert (f"{key}/occlusion_layer_0/polygon" in entries) == tile.opaque
        assert (f"{key}/navigation_layer_0/polygon" in entries) == tile.walkable
        custom = [entries[f"{key}/custom_data_{number}"] for number in range(4)]
        assert custom == [value_text(value) for value in (tile.name, tile.id, *flags(tile))]
    assert (entries["margins"], entries["separation"]) == ("Vector2i(1, 1)", "Vector2i(2, 2)")
    assert 'uid="uid://d"' in text
    assert '[ext_resource type="Texture2D" uid="uid://c" path="a.png" id="1"]' in text


def flags(tile: Tile) -> tuple[bool, bool]:
    return tile.walkable, tile.opaque


def test_autotiles_are_terrains_with_peering_bits() -> None:
    expected = TilesetSource(TilesetOptions(autotile={"wall": "blob", "water": "edges"}))
    level = level_of(np.zeros((2, 3), np.uint8), tileset=expected)
    tileset = level_tileset(level)
    text = tileset_resource(tileset, "a.png", "uid://c", "uid://d", TILES_ONLY).decode()
    assert "terrain_set_0/mode = 0\n" in text
    assert "terrain_set_1/mode = 2\n" in text
    assert 'terrain_set_0/terrain_0/name = "wall"' in text
    row, column = divmod(tileset.terrains[0].numbers[-1], tileset.columns)
    bits = re.findall(rf"^{column}:{row}/0/terrains_peering_bit/(\w+) = 0$", text, re.MULTILINE)
    assert len(bits) == 8
    row, column = divmod(tileset.terrains[1].numbers[1], tileset.columns)
    bits = re.findall(rf"^{column}:{row}/0/terrains_peering_bit/(\w+) = 0$", text, re.MULTILINE)
    assert bits == ["top_side"]


def test_other_tile_sizes_are_stated() -> None:
    options = TilesetOptions(image="a.png", tile_size=24)
    pixels = np.zeros((48, 240, 4), np.uint8)
    level = level_of(np.ones((1, 1), np.uint8), tileset=TilesetSource(options, pixels))
    text = tileset_resource(
        level_tileset(level), "a.png", "uid://c", "uid://d", TILES_ONLY
    ).decode()
    assert text.count("Vector2i(24, 24)") == 2
    assert "PackedVector2Array(-12, -12, 12, -12, 12, 12, -12, 12)" in text


@each_case(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (-3, "-3"),
        (2**63, '"9223372036854775808"'),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (float("inf"), '"inf"'),
        ({"a": {"b": 1}}, '{"a": {"b": 1}}'),
    ],
)
def test_values_are_written_as_godot_reads_them(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_names_lose_what_godot_refuses() -> None:
    assert node_name('a.b:c@d/e"f%g') == "a_b_c_d_e_f_g"
    names = ("depth_2", "_x", "A", "a-b", "2x", "é", "a b", "", "a\n")
    assert [name for name in names if is_metadata_name(name)] == ["depth_2", "_x", "A"]
