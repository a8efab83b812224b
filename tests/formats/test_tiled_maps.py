"""TMJ and TMX: both say the same, and everything a reader needs."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from exporter.formats.tiled.map import map_document, tileset_document
from exporter.formats.tiled.tmj import tiled_json
from exporter.formats.tiled.tmx import map_xml, tileset_xml
from exporter.model.level import BLACK, CLEAR, Layer, Level, PlacedObject, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import level_tileset

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
AWKWARD = 'a "b" <c> & d\n\u00e9 \\ \0 \u00000\0'


def sample(height: int = 21, width: int = 35) -> Level:
    y, x = np.mgrid[0:height, 0:width]
    cells = ((x * 7 + y * 13 + x * y) % 3).astype(np.uint8)  # id 2 is not in the legend
    layers = {
        "ground": Layer("ground", "tiles", cells, "test", tiles=TILES),
        "relief": Layer("relief", "heights", np.zeros((9, 9), np.uint16), "test"),
    }
    things = (
        PlacedObject(4, "chest", 3, 2, {"gold": 5, "weight": 0.5, "open": False, "who": None}),
        PlacedObject(9, "stairs", 0, 20, {"note": AWKWARD}),
    )
    properties = {"mark": AWKWARD, "big": 2**40, "small": -(2**31)}
    return Level(
        "crypt", width, height, 7, "portable", layers, None, None, things, {}, {}, properties
    )


def document(level: Level, **options: Any) -> dict[str, Any]:
    return map_document(level, level_tileset(level), "crypt.tileset.tsj", **options)


def numbers_of(layer: dict[str, Any], data: Any, shape: tuple[int, int]) -> np.ndarray:
    """Decode cells, whatever their form."""
    if "compression" in layer:
        assert layer["encoding"] == "base64"
        return np.frombuffer(zlib.decompress(base64.b64decode(data)), "<u4").reshape(shape)
    return np.array(data).reshape(shape)


def json_cells(layer: dict[str, Any]) -> np.ndarray:
    if "data" in layer:
        return numbers_of(layer, layer["data"], (layer["height"], layer["width"]))
    out = np.zeros((layer["height"] + 64, layer["width"] + 64), int)
    for chunk in layer["chunks"]:
        y, x, height, width = (chunk[key] for key in ("y", "x", "height", "width"))
        out[y : y + height, x : x + width] = numbers_of(layer, chunk["data"], (height, width))
    assert not out[layer["height"] :].any()
    assert not out[:, layer["width"] :].any()
    return out[: layer["height"], : layer["width"]]


def xml_cells(layer: ElementTree.Element) -> np.ndarray:
    data = layer.find("data")
    assert data is not None
    shape = (int(layer.attrib["height"]), int(layer.attrib["width"]))

    def read(text: str, shape: tuple[int, int]) -> np.ndarray:
        if data.attrib["encoding"] == "csv":
            return np.array([int(number) for number in text.split(",")]).reshape(shape)
        return numbers_of(data.attrib, text, shape)

    if not len(data):
        return read(data.text or "", shape)
    out = np.zeros((shape[0] + 64, shape[1] + 64), int)
    for chunk in data:
        x, y, width, height = (int(chunk.attrib[key]) for key in ("x", "y", "width", "height"))
        out[y : y + height, x : x + width] = read(chunk.text or "", (height, width))
    return out[: shape[0], : shape[1]]


@pytest.mark.parametrize("encoding", ["csv", "zlib"])
@pytest.mark.parametrize("infinite", [False, True])
def test_every_cell_is_the_tile_of_its_id_or_empty(encoding: str, infinite: bool) -> None:
    level = sample()
    made = document(level, encoding=encoding, infinite=infinite)
    ground = level.layers["ground"]
    expected = level_tileset(level).numbers(ground) + 1
    assert np.array_equal(expected > 0, ground.cells < 2)
    (layer,) = (x for x in json.loads(tiled_json(made))["layers"] if x["type"] == "tilelayer")
    assert np.array_equal(json_cells(layer), expected)
    root = ElementTree.fromstring(map_xml(made))
    assert np.array_equal(xml_cells(root.find("layer")), expected)
    assert root.attrib["infinite"] == str(int(infinite))


def test_a_map_has_every_key_that_some_reader_needs() -> None:
    made = json.loads(tiled_json(document(sample())))
    assert made["type"] == "map"
    assert (made["orientation"], made["renderorder"]) == ("orthogonal", "right-down")
    assert (made["width"], made["height"], made["tilewidth"], made["tileheight"]) == (
        35,
        21,
        16,
        16,
    )
    assert (made["nextlayerid"], made["nextobjectid"]) == (3, 10)
    assert made["tilesets"] == [{"firstgid": 1, "source": "crypt.tileset.tsj"}]
    assert [layer["id"] for layer in made["layers"]] == [1, 2]
    assert all(layer["visible"] is True and layer["opacity"] == 1 for layer in made["layers"])


def test_a_row_of_cells_is_a_line_of_text() -> None:
    level = sample(3, 4)
    lines = tiled_json(document(level)).decode().splitlines()
    gids = (level_tileset(level).numbers(level.layers["ground"]) + 1).tolist()
    rows = [",".join(map(str, row)) for row in gids]
    assert lines[lines.index('   "data": [') + 1 :][:3] == [f"{rows[0]},", f"{rows[1]},", rows[2]]


def test_values_keep_their_types_and_awkward_texts_their_characters() -> None:
    level = sample()
    made = json.loads(tiled_json(document(level)))
    values = {entry["name"]: (entry["type"], entry["value"]) for entry in made["properties"]}
    assert values["mark"] == ("string", AWKWARD)
    assert values["seed"] == ("int", 7)
    assert values["big"] == ("string", str(2**40))
    assert values["small"] == ("int", -(2**31))
    chest, stairs = made["layers"][-1]["objects"]
    assert {entry["name"]: entry["type"] for entry in chest["properties"]} == {
        "gold": "int",
        "weight": "float",
        "open": "bool",
    }
    assert stairs["properties"][0]["value"] == AWKWARD
    root = ElementTree.fromstring(map_xml(document(level)))
    read = {
        one.attrib["name"]: one.attrib.get("value", one.text) for one in root.find("properties")
    }
    assert read["mark"] == AWKWARD.replace("\0", "\ufffd")
    assert read["big"] == str(2**40)


def test_objects_are_the_rectangles_of_their_cells() -> None:
    chest = json.loads(tiled_json(document(sample())))["layers"][-1]["objects"][0]
    assert [chest[key] for key in ("id", "x", "y", "width", "height")] == [4, 48, 32, 16, 16]
    assert chest["name"] == chest["type"] == "chest"
    root = ElementTree.fromstring(map_xml(document(sample())))
    first = root.find("objectgroup")[0].attrib
    assert [first[key] for key in ("id", "name", "x", "y")] == ["4", "chest", "48", "32"]


def test_chunks_without_cells_are_left_out() -> None:
    level = sample()
    cells = np.full((40, 40), 2, np.uint8)
    cells[39, 39] = 1
    layer = replace(level.layers["ground"], cells=cells)
    made = document(replace(level, width=40, height=40, layers={"ground": layer}), infinite=True)
    assert [(chunk["x"], chunk["y"]) for chunk in made["layers"][0]["chunks"]] == [(32, 32)]


def test_a_level_without_tile_layers_is_an_empty_map() -> None:
    made = json.loads(tiled_json(document(Level("bare", 3, 2))))
    assert (made["layers"], made["tilesets"]) == ([], [])
    ElementTree.fromstring(map_xml(document(Level("bare", 3, 2))))


def test_the_tileset_tells_what_its_tiles_mean() -> None:
    level = sample()
    tileset = level_tileset(level, 1)
    made = tileset_document("crypt.tileset", tileset, "crypt.tileset.png")
    read = json.loads(tiled_json(made))
    assert (read["margin"], read["spacing"]) == (1, 2)
    assert (read["imagewidth"], read["imageheight"]) == (16 * 18, tileset.rows * 18)
    assert (read["tilecount"], read["columns"]) == (16 * tileset.rows, 16)
    assert read["image"] == "crypt.tileset.png"
    floor, wall = read["tiles"][:2]
    assert [tile["id"] for tile in read["tiles"]] == sorted(tileset.tiles)
    assert {entry["name"]: entry["value"] for entry in wall["properties"]} == {
        "id": 1,
        "name": "wall",
        "opaque": True,
        "walkable": False,
    }
    shape = wall["objectgroup"]["objects"][0]
    assert (shape["x"], shape["y"], shape["width"], shape["height"]) == (0, 0, 16, 16)
    assert "objectgroup" not in floor
    root = ElementTree.fromstring(tileset_xml(made))
    assert root.find("image").attrib == {
        "source": "crypt.tileset.png",
        "width": str(16 * 18),
        "height": str(tileset.rows * 18),
    }
    types = [tile.attrib["type"] for tile in root.findall("tile")]
    assert types == [tileset.tiles[number].name for number in sorted(tileset.tiles)]
    assert root.findall("tile")[1].find("objectgroup/object").attrib["width"] == "16"


def test_autotiles_are_wang_sets() -> None:
    options = TilesetOptions(autotile={"wall": "blob", "floor": "edges"})
    level = replace(sample(), tileset=TilesetSource(options))
    tileset = level_tileset(level)
    made = tileset_document("crypt", tileset, "a.png")
    edges, blob = made["wangsets"]
    assert (edges["type"], blob["type"]) == ("edge", "mixed")
    kinds = [len({tuple(tile["wangid"]) for tile in one["wangtiles"]}) for one in (edges, blob)]
    assert kinds == [16, 47]
    # Variants are tiles of the same neighbourhood, so that Tiled paints with all of them.
    assert len(blob["wangtiles"]) == 47 + len(tileset.terrains[1].variants) > 47
    # Every corner and side at once is the inside of an area: the last of the set.
    assert blob["wangtiles"][46]["wangid"] == [1] * 8
    assert blob["wangtiles"][0] == {"tileid": tileset.terrains[1].numbers[0], "wangid": [0] * 8}
    root = ElementTree.fromstring(tileset_xml(made))
    assert root.find("wangsets/wangset/wangtile").attrib["wangid"] == "0,0,0,0,0,0,0,0"
