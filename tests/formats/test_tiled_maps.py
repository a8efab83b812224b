"""TMJ and TMX: both say the same, and everything a reader needs."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.formats.tiled import collision
from exporter.formats.tiled.map import map_document
from exporter.formats.tiled.tileset import (
    embedded_tileset,
    external_tileset,
    solid_tiles,
    tileset_document,
)
from exporter.formats.tiled.tmj import tiled_json
from exporter.formats.tiled.tmx import map_xml, tileset_xml
from exporter.model.errors import ParameterError
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
    entry = external_tileset("crypt.tileset.tsj")
    return map_document(level, level_tileset(level), entry, **options)


def tileset_of(level: Level, extrusion: int = 0) -> dict[str, Any]:
    tileset = level_tileset(level, extrusion)
    solid = solid_tiles(level, tileset)
    return tileset_document("crypt.tileset", tileset, "crypt.tileset.png", solid)


def numbers_of(layer: dict[str, Any], data: Any, shape: tuple[int, int]) -> np.ndarray:
    """Decode cells, whatever their form."""
    if layer.get("compression"):
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


@each_case("encoding", ["csv", "zlib"])
@each_case("infinite", [False, True])
def test_every_cell_is_the_tile_of_its_id_or_empty(encoding: str, infinite: bool) -> None:
    level = sample()
    result = document(level, encoding=encoding, infinite=infinite)
    ground = level.layers["ground"]
    expected = level_tileset(level).numbers(ground) + 1
    assert np.array_equal(expected > 0, ground.cells < 2)
    (layer,) = (x for x in json.loads(tiled_json(result))["layers"] if x["type"] == "tilelayer")
    assert np.array_equal(json_cells(layer), expected)
    root = ElementTree.fromstring(map_xml(result))
    assert np.array_equal(xml_cells(root.find("layer")), expected)
    assert root.attrib["infinite"] == str(int(infinite))


def test_a_map_has_every_key_that_some_reader_needs() -> None:
    result = json.loads(tiled_json(document(sample())))
    assert result["type"] == "map"
    assert (result["orientation"], result["renderorder"]) == ("orthogonal", "right-down")
    assert (result["width"], result["height"], result["tilewidth"], result["tileheight"]) == (
        35,
        21,
        16,
        16,
    )
    assert (result["nextlayerid"], result["nextobjectid"]) == (3, 10)
    assert result["tilesets"] == [{"firstgid": 1, "source": "crypt.tileset.tsj"}]
    assert [layer["id"] for layer in result["layers"]] == [1, 2]
    assert all(layer["visible"] is True and layer["opacity"] == 1 for layer in result["layers"])


def test_a_row_of_cells_is_a_line_of_text() -> None:
    level = sample(3, 4)
    lines = tiled_json(document(level)).decode().splitlines()
    gids = (level_tileset(level).numbers(level.layers["ground"]) + 1).tolist()
    rows = [",".join(map(str, row)) for row in gids]
    assert lines[lines.index('   "data": [') + 1 :][:3] == [f"{rows[0]},", f"{rows[1]},", rows[2]]


def test_values_keep_their_types_and_awkward_texts_their_characters() -> None:
    level = sample()
    result = json.loads(tiled_json(document(level)))
    values = {entry["name"]: (entry["type"], entry["value"]) for entry in result["properties"]}
    assert values["mark"] == ("string", AWKWARD)
    assert values["seed"] == ("int", 7)
    assert values["big"] == ("string", str(2**40))
    assert values["small"] == ("int", -(2**31))
    chest, stairs = result["layers"][-1]["objects"]
    assert {entry["name"]: entry["type"] for entry in chest["properties"]} == {
        "gold": "int",
        "weight": "float",
        "open": "bool",
    }
    assert stairs["properties"][0]["value"] == AWKWARD
    root = ElementTree.fromstring(map_xml(document(level)))
    read = {
        item.attrib["name"]: item.attrib.get("value", item.text) for item in root.find("properties")
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
    result = document(replace(level, width=40, height=40, layers={"ground": layer}), infinite=True)
    assert [(chunk["x"], chunk["y"]) for chunk in result["layers"][0]["chunks"]] == [(32, 32)]


def test_a_level_without_tile_layers_is_an_empty_map() -> None:
    result = json.loads(tiled_json(document(Level("bare", 3, 2))))
    assert (result["layers"], result["tilesets"]) == ([], [])
    ElementTree.fromstring(map_xml(document(Level("bare", 3, 2))))


def test_the_tileset_tells_what_its_tiles_mean() -> None:
    level = sample()
    tileset = level_tileset(level, 1)
    result = tileset_of(level, 1)
    read = json.loads(tiled_json(result))
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
    root = ElementTree.fromstring(tileset_xml(result))
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
    result = tileset_of(level)
    edges, blob = result["wangsets"]
    assert (edges["type"], blob["type"]) == ("edge", "mixed")
    kinds = [len({tuple(tile["wangid"]) for tile in item["wangtiles"]}) for item in (edges, blob)]
    assert kinds == [16, 47]
    # Variants are tiles of the same neighbourhood, so that Tiled paints with all of them.
    assert len(blob["wangtiles"]) == 47 + len(tileset.terrains[1].variants) > 47
    # Every corner and side at once is the inside of an area: the last of the set.
    assert blob["wangtiles"][46]["wangid"] == [1] * 8
    assert blob["wangtiles"][0] == {"tileid": tileset.terrains[1].numbers[0], "wangid": [0] * 8}
    root = ElementTree.fromstring(tileset_xml(result))
    assert root.find("wangsets/wangset/wangtile").attrib["wangid"] == "0,0,0,0,0,0,0,0"


def roles_level() -> Level:
    """A layer of each role; a picture's tile shares its legend with none, the data's with play."""
    level = sample()
    ground = level.layers["ground"]
    decals = (Tile(0, "nothing", True, False, CLEAR), Tile(1, "rubble", False, True, "#777777"))
    layers = {
        "draft": replace(ground, name="draft", role="data"),
        "ground": ground,
        "decals": replace(ground, name="decals", tiles=decals, role="picture"),
    }
    return replace(level, layers=layers)


def filled(layer: dict[str, Any], size: int, shape: tuple[int, int]) -> np.ndarray:
    """How many polygons of an object layer cover the middle of each cell, by the even-odd rule."""
    covered = np.zeros(shape, int)
    for thing in layer["objects"]:
        points = [(thing["x"] + p["x"], thing["y"] + p["y"]) for p in thing["polygon"]]
        xs, ys = (sorted({point[axis] for point in points}) for axis in (0, 1))
        assert points == [(xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1])]
        assert all(number % size == 0 for number in (*xs, *ys))
        covered[ys[0] // size : ys[1] // size, xs[0] // size : xs[1] // size] += 1
    return covered


def test_layers_say_what_they_are_for_and_data_is_hidden() -> None:
    result = json.loads(tiled_json(document(roles_level())))
    layers = [layer for layer in result["layers"] if layer["type"] == "tilelayer"]
    reported = [
        (layer["name"], layer["visible"], {p["name"]: p["value"] for p in layer["properties"]})
        for layer in layers
    ]
    assert [(name, visible, values["role"]) for name, visible, values in reported] == [
        ("draft", False, "data"),
        ("ground", True, "play"),
        ("decals", True, "picture"),
    ]
    root = ElementTree.fromstring(map_xml(document(roles_level())))
    assert [layer.get("visible") for layer in root.findall("layer")] == ["0", None, None]


@each_case("seed", range(6))
def test_merged_collision_is_exactly_where_nobody_walks(seed: int) -> None:
    random = np.random.default_rng(seed)
    level = roles_level()
    cells = (random.random((level.height, level.width)) * 3.2 * random.random()).astype(np.uint8)
    layers = {**level.layers, "ground": replace(level.layers["ground"], cells=cells)}
    level = replace(level, layers=layers)
    result = json.loads(tiled_json(document(level, merged_collision=True)))
    assert [layer["name"] for layer in result["layers"][3:]] == ["collision", "objects"]
    solid, objects = result["layers"][3:]
    assert solid["visible"] is True
    blocked = ~level.walkable()
    np.testing.assert_array_equal(filled(solid, 16, blocked.shape), blocked.astype(int))
    ids = [thing["id"] for layer in (objects, solid) for thing in layer["objects"]]
    assert len(set(ids)) == len(ids)
    assert result["nextobjectid"] == max(ids) + 1
    assert sorted(layer["id"] for layer in result["layers"]) == [1, 2, 3, 4, 5]
    assert result["nextlayerid"] == 6
    # Layers that exist without it keep their ids.
    without = json.loads(tiled_json(document(level)))
    assert without["layers"] == [layer for layer in result["layers"] if layer is not solid]


def test_the_collision_of_a_large_level_is_cut_into_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collision, "CHUNK", 8)
    level = roles_level()
    result = json.loads(tiled_json(document(level, merged_collision=True)))
    solid = result["layers"][3]
    np.testing.assert_array_equal(filled(solid, 16, (21, 35)), (~level.walkable()).astype(int))
    assert all(thing["polygon"][2]["x"] <= 8 * 16 for thing in solid["objects"])


def test_the_xml_map_has_the_same_collision() -> None:
    result = document(roles_level(), merged_collision=True)
    requested_layer = json.loads(tiled_json(result))["layers"][3]
    (layer,) = ElementTree.fromstring(map_xml(result)).findall("objectgroup[@name='collision']")
    for thing, expected in zip(layer, requested_layer["objects"], strict=True):
        assert {key: int(value) for key, value in thing.attrib.items()} == {
            key: expected[key] for key in ("id", "x", "y")
        }
        points = " ".join(f"{point['x']},{point['y']}" for point in expected["polygon"])
        assert [(part.tag, part.attrib) for part in thing] == [("polygon", {"points": points})]


def test_every_shape_is_a_line_of_text() -> None:
    result = document(roles_level(), merged_collision=True)
    lines = tiled_json(result).decode().splitlines()
    start = lines.index('   "objects": [') + 1
    objects = json.loads(tiled_json(result))["layers"][3]["objects"]
    end = lines.index("]", start)
    assert [json.loads(line.rstrip(",")) for line in lines[start:end]] == objects


def test_a_level_where_all_can_be_walked_on_has_an_empty_collision_layer() -> None:
    level = sample(3, 4)
    layer = replace(level.layers["ground"], cells=np.zeros((3, 4), np.uint8))
    result = document(replace(level, layers={"ground": layer}), merged_collision=True)
    (solid,) = (x for x in json.loads(tiled_json(result))["layers"] if x["name"] == "collision")
    assert solid["objects"] == []
    ElementTree.fromstring(map_xml(result))


def test_a_level_without_a_play_layer_is_nowhere_solid() -> None:
    level = sample(3, 4)
    layer = replace(level.layers["ground"], cells=np.ones((3, 4), np.uint8), role="picture")
    result = document(replace(level, layers={"ground": layer}), merged_collision=True)
    (solid,) = (x for x in json.loads(tiled_json(result))["layers"] if x["name"] == "collision")
    assert solid["objects"] == []


def test_more_shapes_than_a_map_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = (np.indices((20, 20)).sum(0) % 2).astype(np.uint8)
    layer = replace(sample().layers["ground"], cells=cells)
    level = replace(sample(), width=20, height=20, layers={"ground": layer})
    monkeypatch.setattr(collision, "MOST_SHAPES", 200)
    assert document(level, merged_collision=True)
    monkeypatch.setattr(collision, "MOST_SHAPES", 199)
    message = "the collision of crypt needs more than 199 polygons (use collision: tiles)"
    with pytest.raises(ParameterError, match=re.escape(message)):
        document(level, merged_collision=True)


def test_only_tiles_of_play_layers_are_solid() -> None:
    level = roles_level()
    result = tileset_of(level)
    solid = {tile["type"] for tile in result["tiles"] if "objectgroup" in tile}
    assert solid == {"wall"}
    assert "rubble" in {tile["type"] for tile in result["tiles"]}
    unseen = replace(level, layers={"draft": level.layers["draft"]})
    assert not [tile for tile in tileset_of(unseen)["tiles"] if "objectgroup" in tile]


def test_all_pictures_of_a_solid_autotile_are_solid() -> None:
    level = replace(sample(), tileset=TilesetSource(TilesetOptions(autotile={"wall": "blob"})))
    result = tileset_of(level)
    walls = [tile for tile in result["tiles"] if tile["type"] == "wall"]
    meant = [tile.name for tile in level_tileset(level).tiles.values()]
    assert len(walls) == meant.count("wall") > 47
    assert all("objectgroup" in tile for tile in walls)


def test_an_embedded_tileset_is_the_external_one() -> None:
    level = replace(sample(), tileset=TilesetSource(TilesetOptions(autotile={"wall": "edges"})))
    external = tileset_of(level)
    result = map_document(level, level_tileset(level), embedded_tileset(external))
    (inside,) = json.loads(tiled_json(result))["tilesets"]
    own = json.loads(tiled_json(external))
    assert inside == {
        "firstgid": 1,
        **{key: own[key] for key in own.keys() - {"type", "version", "tiledversion"}},
    }
    (inside_xml,) = ElementTree.fromstring(map_xml(result)).findall("tileset")
    own_xml = ElementTree.fromstring(tileset_xml(external))
    assert inside_xml.attrib.pop("firstgid") == "1"
    for key in ("version", "tiledversion"):
        del own_xml.attrib[key]
    inside_xml.tail = None
    assert ElementTree.tostring(inside_xml) == ElementTree.tostring(own_xml)


@each_case("embedded", [False, True])
@each_case("infinite", [False, True])
def test_plain_numbers_are_called_csv_where_readers_of_browsers_want_that(
    embedded: bool, infinite: bool
) -> None:
    level = sample()
    external = external_tileset("crypt.tileset.tsj")
    entry = embedded_tileset(tileset_of(level)) if embedded else external
    result = map_document(level, level_tileset(level), entry, infinite=infinite)
    (layer,) = (x for x in json.loads(tiled_json(result))["layers"] if x["type"] == "tilelayer")
    assert layer.get("encoding") == ("csv" if embedded or infinite else None)
    root = ElementTree.fromstring(map_xml(result))
    assert root.find("layer/data").attrib == {"encoding": "csv"}


def test_names_of_properties_keep_all_their_characters() -> None:
    names = ["m\u00fcsik", "\u9f8d", "\u0434\u0430", "two words", "a-b", "a_b", "1st", "\U0001f409"]
    values = {name: number for number, name in enumerate(names)}
    level = replace(sample(), properties=values, objects=(PlacedObject(1, "chest", 0, 0, values),))
    built = json.loads(tiled_json(document(level)))
    root = ElementTree.fromstring(map_xml(document(level)))
    for entries in (built["properties"][3:], built["layers"][-1]["objects"][0]["properties"]):
        assert {entry["name"]: entry["value"] for entry in entries} == values
    for path in ("properties", "objectgroup/object/properties"):
        result = {item.attrib["name"]: item.attrib["value"] for item in root.find(path)}
        assert {name: int(result[name]) for name in names} == values


_PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(document=st.dictionaries(st.text(), _PLAIN))
def test_what_is_no_row_is_written_as_python_writes_json(document: dict[str, Any]) -> None:
    expected = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    assert tiled_json(document) == expected.encode("utf-8", "strict")
