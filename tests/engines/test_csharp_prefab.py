"""Unity's prefab and Godot's scene show one level.

The plain model of the prefab, run under Mono, is compared node by node with the scene as real Godot
loads it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot, Mono
from engine_harness.drawn_levels import drawn_level
from engine_harness.exact import exact
from engine_harness.levels import awkward_level, layer_of, write_level
from engine_harness.unity_importer import (
    UnityImporter,
    compile_prefab_dump,
    export,
    plain_numbers,
)
from exporter.model.level import BLACK, CLEAR, Level, PlacedObject, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import level_tileset
from geometry_references import filled

DESCRIBE = Path(__file__).parent / "engine_harness" / "describe_prefab.gd"
# Features without a counterpart in Unity's modules, in 2D.
ONLY_IN_GODOT = {"occlusion", "navigation"}
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "water", False, False, "#3366cc"),
    Tile(3, "nothing", False, False, "#000000"),
)


def blots(width: int, height: int, kinds: int = 3) -> np.ndarray:
    """Tiles in blots, so that they have neighbours of all kinds."""
    y, x = np.indices((height, width))
    return (((x // 3) * 7 + (y // 2) * 5 + (x * y) // 11) % kinds).astype(np.uint8)


def pictured_level() -> Level:
    """Variants by place and pictures by neighbours, from a sheet of the game."""
    options = TilesetOptions(
        image="sheet.png",
        tile_size=8,
        tiles={"floor": (1, 2, 3, 200), "wall": 16, "water": 100, "nothing": None},
        autotile={"wall": "blob", "water": "edges"},
    )
    pixels = (np.arange(128 * 128 * 4) % 251).astype(np.uint8).reshape(128, 128, 4)
    return Level(
        "pictured",
        41,
        37,
        layers={"ground": layer_of("ground", blots(41, 37, 4), TILES)},
        tileset=TilesetSource(options, pixels),
    )


def named_level() -> Level:
    """Names that are taken, that no node can have, that are long, and objects of one name."""
    names = ("collision", "objects", "a.b", "a:b", "objects_2", "L" * 400)
    layers = [layer_of(name, blots(9, 7), TILES[:3]) for name in names]
    layers.append(replace(layer_of("hidden", blots(9, 7), TILES[:3]), role="data"))
    layers.append(replace(layer_of("roof", blots(9, 7), TILES[:3]), role="picture"))
    things = ("chest", "chest_2", "chest", "chest_2_2", "Tür:1", 'two "w"', "..", "chest")
    values: dict[str, Any] = {"gold": 2**63 - 1, "open": False, "weight": 0.5, "none": None}
    return Level(
        "named level",
        9,
        7,
        seed=2**80,
        layers={layer.name: layer for layer in layers},
        objects=tuple(
            PlacedObject(number, name, number, 6 - number % 7, values | {"a b": name})
            for number, name in enumerate(things, start=1)
        ),
        properties=values | {"note": '\u2620 "\\'},
    )


def stacked_level() -> Level:
    """Terrains over each other, some between the cells; one is a layer with that very name."""
    options = TilesetOptions(
        image="sheet.png",
        tile_size=8,
        tiles={"water": (0, 1, 2), "floor": 16, "wall": 48, "nothing": None},
        autotile={"floor": "corners", "wall": "blob"},
        transitions=(("water", "floor", "wall"),),
    )
    pixels = (np.arange(128 * 128 * 4) * 7 % 251).astype(np.uint8).reshape(128, 128, 4)
    pixels[:, :8, 3] = 255
    layers = [layer_of(name, blots(13, 11, 4), TILES) for name in ("ground", "ground_floor")]
    return Level(
        "stacked",
        13,
        11,
        layers={layer.name: layer for layer in layers},
        tileset=TilesetSource(options, pixels),
    )


def wide_level() -> Level:
    """Longer than a TileMapLayer of Godot can be, and than a collider of Unity is."""
    layer = layer_of("ground", blots(1100, 70), TILES[:3])
    return Level("wide", 1100, 70, seed="a text", layers={"ground": layer})


def open_level() -> Level:
    """Nothing is in the way, and nothing is placed."""
    floor = layer_of("ground", np.zeros((4, 5), np.uint8), TILES[:1])
    return Level("open", 5, 4, layers={"ground": floor})


def picture_level() -> Level:
    """No layer is played on, so nothing is solid."""
    floor = replace(layer_of("ground", blots(8, 8), TILES), role="picture")
    return Level("picture", 8, 8, layers={"ground": floor})


@dataclass(frozen=True)
class Case:
    level: Callable[[], Level]
    options: dict[str, Any] = field(default_factory=dict)


CASES = {
    "awkward": Case(awkward_level),
    "pictured": Case(pictured_level, {"extrude": 2}),
    "drawn": Case(drawn_level),
    "named": Case(named_level),
    "solid_tiles": Case(named_level, {"collision": "tiles"}),
    "wide": Case(wide_level),
    "stacked": Case(stacked_level),
    "stacked_solid": Case(stacked_level, {"collision": "tiles"}),
    "open": Case(open_level),
    "picture": Case(picture_level),
}


@pytest.fixture(scope="module")
def scenes(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every case as Godot loads it."""
    game = godot.new_project(tmp_path_factory.mktemp("game"))
    paths = {}
    for name, case in CASES.items():
        level = case.level()
        write_level("godot", level, game / name, name, bitmaps=False, blob=False, **case.options)
        paths[name] = f"res://{name}/{level.name}.tscn"
    godot.import_project(game)
    reported = godot.query(game, DESCRIBE, list(paths.values()))
    return {name: reported[path] for name, path in paths.items()}


@pytest.fixture(scope="module")
def models(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every case as the model of the prefab."""
    folder = tmp_path_factory.mktemp("unity")
    program = compile_prefab_dump(mono, folder)
    blobs = {
        name: export(case.level(), folder / name, bitmaps=False, **case.options)
        for name, case in CASES.items()
    }
    document = json.loads(mono.run(program, *blobs.values()), object_hook=plain_numbers)
    return {name: document[str(path)] for name, path in blobs.items()}


@pytest.mark.parametrize("name", CASES)
def test_the_root_tells_the_same(scenes: Any, models: Any, name: str) -> None:
    meta, model = scenes[name]["meta"], models[name]
    assert model["root"]["name"] == scenes[name]["name"]
    assert model["level"] == meta["level"]
    assert (str(model["seed"]), model["rng"]) == (str(meta["seed"]), meta["rng"])
    assert model["size"] == meta["size"]
    assert exact(model["properties"]) == exact(meta.get("properties", {}))


@pytest.mark.parametrize("name", CASES)
def test_nodes_have_the_same_names_in_the_same_order(scenes: Any, models: Any, name: str) -> None:
    expected = [node["name"] for node in scenes[name]["children"]]
    result = [node["name"] for node in models[name]["root"]["children"]]
    level = CASES[name].level()
    used = {layer.name for layer in level.layers.values()}
    assert not used & ONLY_IN_GODOT
    assert result == [node for node in expected if node not in ONLY_IN_GODOT]


@pytest.mark.parametrize("name", CASES)
def test_every_cell_shows_the_same_picture(scenes: Any, models: Any, name: str) -> None:
    level = CASES[name].level()
    tileset = level_tileset(level, CASES[name].options.get("extrude", 0))
    expected = [node for node in scenes[name]["children"] if "cells" in node]
    result = [node for node in models[name]["root"]["children"] if node["tiles"]]
    assert [node["name"] for node in result] == [node["name"] for node in expected]
    drawings = [(layer, item) for layer in level.seen_layers() for item in tileset.drawings(layer)]
    for node, other, (layer, drawing) in zip(result, expected, drawings, strict=True):
        tiles = node["tiles"]
        assert (tiles["layer"], tiles["role"]) == (layer.name, layer.role)
        if drawing.tile:
            assert other["meta"] == {"layer": layer.name, "tile": drawing.tile}
        else:
            assert tiles["generator"] == other["meta"]["generator"]
        assert (tiles["tile"], tiles["between"]) == (drawing.tile, drawing.between_cells)
        assert other["position"] == [tileset.offset(drawing)] * 2
        numbers = np.full(drawing.numbers.shape, -1)
        assert tiles["size"] == [*numbers.shape[::-1]]
        for x, y, number in other["cells"]:
            numbers[int(y), int(x)] = number
        np.testing.assert_array_equal(np.reshape(tiles["numbers"], numbers.shape), numbers)
        np.testing.assert_array_equal(numbers, drawing.numbers)
        solid = {number for number, tile in tileset.tiles.items() if tile.blocking}
        shaped = layer.role == "play" and not drawing.tile
        assert tiles["blocks"] == (shaped and bool(solid & {*numbers.flat}))
        if CASES[name].options.get("collision") == "tiles":
            assert other["solid_tiles"] == shaped


@pytest.mark.parametrize("name", CASES)
def test_the_same_cells_are_solid(scenes: Any, models: Any, name: str) -> None:
    level = CASES[name].level()
    size = level_tileset(level).tile_size
    shape = (level.height, level.width)
    expected = {body["name"]: body for node in scenes[name]["children"] for body in node["bodies"]}
    nodes = [node for node in models[name]["root"]["children"] if node["body"]]
    result = {body["name"]: body for node in nodes for body in node["children"]}
    assert list(result) == list(expected)
    whole = np.zeros(shape, bool)
    for position, body in result.items():
        boxes = np.zeros(shape, bool)
        for box in expected[position]["boxes"]:
            x, y, width, height = (round(side / size) for side in box)
            boxes[y : y + height, x : x + width] = True
        outlined = filled([[(x, y) for x, y in ring] for ring in body["outlines"]], shape)
        np.testing.assert_array_equal(outlined, boxes)
        whole |= boxes
    merged = CASES[name].options.get("collision") != "tiles" and level.play_layers()
    blocked = ~level.walkable() if merged else np.zeros(shape, bool)
    np.testing.assert_array_equal(whole, blocked)


@pytest.mark.parametrize("name", CASES)
def test_objects_are_the_same(scenes: Any, models: Any, name: str) -> None:
    size = level_tileset(CASES[name].level()).tile_size
    expected = [thing for node in scenes[name]["children"] for thing in node["objects"]]
    nodes = models[name]["root"]["children"]
    result = [child for node in nodes for child in node["children"] if child["object"]]
    assert [node["name"] for node in result] == [thing["name"] for thing in expected]
    for node, thing in zip(result, expected, strict=True):
        reported, meta = node["object"], thing["meta"]
        assert (reported["id"], reported["name"], reported["cell"]) == (
            meta["id"], meta["object"], meta["cell"]
        )  # fmt: skip
        assert thing["groups"] == [reported["name"]]
        assert thing["position"] == [(cell + 0.5) * size for cell in reported["cell"]]
        assert exact(reported["properties"]) == exact(meta.get("properties", {}))


def test_stacked_levels_have_grids_of_both_kinds(models: Any) -> None:
    tiles = [node["tiles"] for node in models["stacked"]["root"]["children"] if node["tiles"]]
    grids = {(tile["tile"], tile["between"]) for tile in tiles if tile["tile"]}
    assert grids == {("water", False), ("floor", True), ("wall", False)}
    assert all(max(tile["numbers"]) >= 0 for tile in tiles)


@pytest.mark.parametrize("name", ["named", "stacked"])
def test_the_importer_makes_an_object_of_each_node(
    importer: UnityImporter, models: Any, tmp_path: Path, name: str
) -> None:
    blob = export(CASES[name].level(), tmp_path, bitmaps=False)
    settings = "cellSize=3", "sortingLayer=Ground", "sortingOrder=5", "afterExport=marks.asset"
    result = importer.level(blob, *settings)
    assert result["messages"] == []
    assert "marks.asset" in result["sources"]
    assert result["children"].pop()["name"] == "Ground"
    orders = [child["order"] for child in result["children"] if child["order"] is not None]
    assert orders == list(range(5, 5 + len(orders)))
    root = models[name]["root"]
    assert [child["name"] for child in result["children"]] == [
        node["name"] for node in root["children"]
    ]
    for child, node in zip(result["children"], root["children"], strict=True):
        tiles = node["tiles"]
        assert (child["cells"] is not None) == (tiles is not None)
        if tiles:
            width, height = tiles["size"]
            rows = np.reshape(tiles["numbers"], (height, width))[::-1]
            displayed = [cell is not None for cell in child["cells"]]
            assert displayed == (rows >= 0).ravel().tolist()
            assert child["at"] == ([-1.5, -1.5] if tiles["between"] else [0, 0])
        assert child["body"] == ("Static" if node["body"] else None)
        inner = [item["name"] for item in [*child["children"], *child["objects"]]]
        assert inner == [item["name"] for item in node["children"]]
