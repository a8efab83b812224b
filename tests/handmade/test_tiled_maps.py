"""Maps of Tiled are read exactly: cells in every encoding, names, objects and areas."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.handmade.areas import mask_of, rectangle_of
from exporter.model.errors import ParameterError
from hand_tiled import (
    ENCODINGS,
    LANGUAGES,
    drawn,
    group,
    layer,
    properties,
    read,
    refusal,
    template,
    things,
    tileset,
    tileset_file,
)

CELLS = np.array([[1, 2, 0], [64, 3, 2]], np.uint32)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@each_case("encoding", ENCODINGS)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), width=st.integers(1, 9), height=st.integers(1, 9))
def test_cells_are_read_in_every_encoding_without_their_flips(
    encoding: str, seed: int, width: int, height: int
) -> None:
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 65, (height, width)).astype(np.uint32)
    flips = random.integers(0, 16, (height, width)).astype(np.uint32) << np.uint32(28)
    flipped = np.where(numbers > 0, numbers | flips, numbers)
    for language in LANGUAGES:
        result = read(drawn(layer("a", flipped, encoding=encoding), language=language))
        assert (result.width, result.height) == (width, height)
        assert np.array_equal(result.layers[0].cells, numbers)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_infinite_map_is_the_box_around_its_tiles(language: str, encoding: str) -> None:
    walls = np.zeros((16, 16), np.uint32)
    walls[14, 15] = 7
    more = np.zeros((16, 16), np.uint32)
    more[3, :5] = 9
    roof = np.zeros((4, 8), np.uint32)
    roof[1, 2] = 5
    content = drawn(
        layer("walls", chunks={(-16, -16): walls, (0, 0): more}, encoding=encoding),
        layer("roof", chunks={(-8, -4): roof}, encoding=encoding),
        things("o", {"name": "exit", "x": 16.0, "y": -16.0, "point": True}),
        language=language,
        infinite=True,
    )
    result = read(content)
    # The tiles lie at (-1, -2), at (0..4, 3) and at (-6, -3).
    assert (result.width, result.height) == (11, 7)
    walls_grid, roof_grid = (item.cells for item in result.layers)
    assert [tuple(cell) for cell in np.argwhere(walls_grid == 7)] == [(1, 5)]
    assert [tuple(cell) for cell in np.argwhere(walls_grid == 9)] == [(6, x) for x in range(6, 11)]
    assert [tuple(cell) for cell in np.argwhere(roof_grid)] == [(0, 0)]
    assert result.layers[0].origin == (-6, -3)
    assert (result.objects[0].x, result.objects[0].y) == (7, 2)


def test_layers_are_named_with_their_groups(language: str) -> None:
    content = drawn(
        layer("Ground", CELLS),
        group("Upper", layer("Walls", CELLS), group("Inner", layer("Doors", CELLS))),
        {"type": "imagelayer", "name": "Sky"},
        language=language,
    )
    result = read(content)
    assert [item.name for item in result.layers] == ["Ground", "Upper/Walls", "Upper/Inner/Doors"]
    assert result.not_read == ("picture 'Sky'",)


def test_tiles_have_the_class_and_properties_of_their_tileset(language: str) -> None:
    tiles = {
        0: {"type": "wall"},
        1: {"class": "bush", "properties": properties(walkable=False, cost=2.5, name="old oak")},
    }
    other = {0: {"type": "door"}}
    sets = [tileset(tiles), tileset(other, firstgid=64, name="doors")]
    result = read(drawn(layer("a", CELLS), language=language, tilesets=sets)).layers[0].tiles
    assert {number: tile.name for number, tile in result.items()} == {
        1: "wall",
        2: "bush",
        3: "",
        64: "door",
    }
    assert result[2].properties == {"walkable": False, "cost": 2.5, "name": "old oak"}
    assert result[3].source == "tile 2 of walls"
    assert result[64].source == "tile 0 of doors"


def test_tilesets_in_files_are_detected_from_the_map(language: str) -> None:
    entry = {"firstgid": 1, "source": "../art/walls.tsx"}
    for other in LANGUAGES:
        files = {"art/walls.tsx": tileset_file(tileset({0: {"type": "wall"}}), other)}
        result = read(drawn(layer("a", CELLS), language=language, tilesets=[entry]), files)
        assert result.layers[0].tiles[1].name == "wall"
        assert result.layers[0].tiles[1].source == "tile 0 of art/walls.tsx"


def test_a_missing_tileset_is_named_with_the_map_that_needs_it(language: str) -> None:
    entry = {"firstgid": 1, "source": "walls.tsx"}
    message = refusal(drawn(layer("a", CELLS), language=language, tilesets=[entry]), {})
    assert "'maps/walls.tsx' cannot be read" in message
    assert "embed it in the map" in message


def test_points_small_shapes_and_tiles_are_things(language: str) -> None:
    tiles = {5: {"type": "chest", "properties": properties(loot=3, walkable=False)}}
    content = drawn(
        layer("a", CELLS),
        things(
            "o",
            {"name": "exit", "x": 47.5, "y": 31.0, "point": True},
            {"name": "rat", "type": "monster", "x": 0, "y": 16, "width": 16, "height": 16},
            {"x": 16, "y": 32, "width": 16, "height": 16, "gid": 6 | 0x80000000},
            {"name": "pot", "x": 3, "y": 4, "width": 8, "height": 8, "ellipse": True},
            {"x": 0, "y": 16, "width": 16, "height": 16, "gid": 6, "type": "crate"},
        ),
        language=language,
        tilesets=[tileset(tiles)],
    )
    result = read(content)
    assert not result.areas
    assert [(item.name, item.kind, item.x, item.y) for item in result.objects] == [
        ("exit", "", 2, 1),
        ("rat", "monster", 0, 1),
        ("", "chest", 1, 1),
        ("pot", "", 0, 0),
        ("", "crate", 0, 0),
    ]
    assert result.objects[2].properties == {"loot": 3}
    assert result.objects[0].position == (47.5 / 16, 31 / 16)


@pytest.mark.parametrize(
    ("alignment", "cell"),
    [("topleft", (2, 2)), ("center", (2, 2)), ("bottomright", (1, 1)), ("unspecified", (2, 1))],
)
def test_the_tile_of_an_object_lies_as_its_tileset_says(
    language: str, alignment: str, cell: tuple[int, int]
) -> None:
    content = drawn(
        layer("a", np.ones((4, 4), np.uint32)),
        things("o", {"name": "x", "x": 32, "y": 32, "width": 16, "height": 16, "gid": 1}),
        language=language,
        tilesets=[tileset(objectalignment=alignment)],
    )
    (thing,) = read(content).objects
    assert (thing.x, thing.y) == cell


def test_rectangles_polygons_and_ellipses_are_areas(language: str) -> None:
    triangle = [{"x": 0, "y": 0}, {"x": 64, "y": 0}, {"x": 0, "y": 64}]
    content = drawn(
        layer("a", np.ones((8, 8), np.uint32)),
        things(
            "o",
            {"name": "hall", "x": 16, "y": 32, "width": 64, "height": 32},
            {"name": "turned", "x": 64, "y": 0, "width": 32, "height": 48, "rotation": 90},
            {"name": "slope", "type": "hill", "x": 16, "y": 16, "polygon": triangle},
            {"name": "pond", "x": 0, "y": 0, "width": 64, "height": 64, "ellipse": True},
        ),
        language=language,
    )
    hall, turned, slope, pond = read(content).areas
    assert rectangle_of(hall) == (1, 2, 4, 2)
    assert rectangle_of(turned) == (1, 0, 3, 2)
    assert (slope.name, slope.kind, rectangle_of(slope)) == ("slope", "hill", None)
    assert mask_of(slope, 8, 8)[1:5, 1:5].sum(axis=1).tolist() == [3, 2, 1, 0]
    assert mask_of(pond, 8, 8)[:4, :4].tolist() == [
        [False, True, True, False],
        [True, True, True, True],
        [True, True, True, True],
        [False, True, True, False],
    ]


def test_lines_texts_and_capsules_are_reported_as_not_read(language: str) -> None:
    line = [{"x": 0, "y": 0}, {"x": 9, "y": 9}]
    content = drawn(
        layer("a", CELLS),
        things(
            "o",
            {"name": "patrol", "x": 0, "y": 0, "polyline": line},
            {"name": "hint", "x": 0, "y": 0, "width": 90, "height": 20, "text": True},
            {"name": "pill", "x": 0, "y": 0, "width": 90, "height": 20, "capsule": True},
        ),
        language=language,
    )
    result = read(content)
    assert not result.objects
    assert not result.areas
    assert result.not_read == (
        "line 'patrol' of 'o'",
        "text 'hint' of 'o'",
        "capsule 'pill' of 'o'",
    )


def test_an_object_has_what_its_template_has_unless_it_says_otherwise(language: str) -> None:
    thing = {"name": "guard", "type": "monster", "properties": properties(hp=5, boss=False)}
    own = {"x": 16, "y": 16, "template": "t/guard.tx", "point": True}
    displayed = {"x": 0, "y": 16, "template": "t/chest.tx", "width": 16, "height": 16}
    other = {"firstgid": 1, "source": "../chests.tsx"}
    for written in LANGUAGES:
        files = {
            "maps/t/guard.tx": template(thing, written),
            "maps/t/chest.tx": template({"gid": 4}, written, tileset=other),
            "maps/chests.tsx": tileset_file(tileset({3: {"type": "chest"}}), written),
        }
        content = drawn(
            layer("a", CELLS),
            things(
                "o", own, {**own, "name": "boss", "properties": properties(boss=True)}, displayed
            ),
            language=language,
        )
        guard, boss, chest = read(content, files).objects
        assert (guard.name, guard.kind, guard.properties) == (
            "guard",
            "monster",
            {"hp": 5, "boss": False},
        )
        assert (boss.name, boss.properties) == ("boss", {"hp": 5, "boss": True})
        assert (chest.kind, chest.x, chest.y) == ("chest", 0, 0)


def test_properties_that_are_no_plain_values_are_named(language: str) -> None:
    listed: list[dict[str, Any]] = [
        *properties(gold=7, open=True, chance=0.5, text="a\nb"),
        {"name": "tint", "type": "color", "value": "#ff102030"},
        {"name": "enemy", "type": "object", "value": 3},
        {"name": "stats", "type": "class", "value": "x"},
        {"name": "much", "type": "float", "value": "inf"},
    ]
    thing = {"name": "smith", "x": 0, "y": 0, "point": True, "properties": listed}
    (result,) = read(drawn(layer("a", CELLS), things("o", thing), language=language)).objects
    assert dict(result.properties) == {
        "gold": 7,
        "open": True,
        "chance": 0.5,
        "text": "a\nb",
        "tint": "#ff102030",
    }
    assert set(result.left_out) == {"enemy", "stats", "much"}


def test_isometric_maps_have_the_same_cells_and_places(language: str) -> None:
    content = drawn(
        layer("a", CELLS),
        things(
            "o",
            {"name": "exit", "x": 40.0, "y": 24.0, "point": True},
            {"name": "pot", "x": 32, "y": 32, "width": 32, "height": 40, "gid": 1},
        ),
        language=language,
        orientation="isometric",
        tilewidth=32,
    )
    result = read(content)
    assert np.array_equal(result.layers[0].cells, CELLS)
    assert [(item.x, item.y) for item in result.objects] == [(2, 1), (1, 1)]


@pytest.mark.parametrize("orientation", ["hexagonal", "staggered", "oblique", ""])
def test_other_orientations_are_refused_with_the_way_out(language: str, orientation: str) -> None:
    message = refusal(drawn(layer("a", CELLS), language=language, orientation=orientation))
    assert "choose orthogonal or isometric" in message


def old_json(version: dict[str, Any]) -> bytes:
    """A map of JSON with one tileset as an old version wrote it."""
    old = {key: value for key, value in tileset().items() if key != "tiles"}
    return drawn(layer("a", CELLS), tilesets=[{**old, **version}])


@each_case(
    "version",
    [
        {"tiles": {"0": {"type": "wall"}, "1": {"type": "floor"}}},
        {"tiles": {"1": {"type": "floor"}}, "tileproperties": {"0": {"tile": "wall"}}},
        {"tileproperties": {"0": {"tile": "wall"}, "1": {"tile": "floor"}}},
        {"tiles": [{"id": 0, "class": "wall"}, {"id": 1, "class": "floor"}]},
    ],
)
def test_tiles_of_old_versions_are_read(version: dict[str, Any]) -> None:
    tiles = read(old_json(version)).layers[0].tiles
    assert [tiles[n].properties.get("tile", tiles[n].name) for n in (1, 2)] == ["wall", "floor"]


@each_case("version", [{"tiles": 3}, {"tiles": {"0": 3}}, {"tiles": {"x": {}}}, {"tiles": [[]]}])
def test_other_forms_of_tiles_are_refused_with_the_way_out(version: dict[str, Any]) -> None:
    message = refusal(old_json(version))
    assert "save it again" in message or "not a whole number" in message


def test_the_document_type_of_old_maps_is_passed_over() -> None:
    old = b'?><!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'
    content = drawn(layer("a", CELLS), language="tmx").replace(b"?>", old)
    assert np.array_equal(read(content).layers[0].cells, CELLS)


@each_case("text", ["1,2,0,64,3,2,", "1,2,0,\n64,3,2,\n", " 1 , 2,0,64,3,2 ,  "])
def test_a_comma_behind_the_last_cell_is_read(text: str) -> None:
    content = drawn(layer("a", CELLS), language="tmx").replace(b"1,2,0,\n64,3,2", text.encode())
    assert text.encode() in content
    assert np.array_equal(read(content).layers[0].cells, CELLS)


@each_case("language", LANGUAGES)
def test_a_byte_order_mark_is_passed_over(language: str) -> None:
    content = drawn(layer("a", CELLS), language=language)
    assert read(b"\xef\xbb\xbf" + content).layers[0].cells.tolist() == CELLS.tolist()


def test_a_long_text_of_cells_is_read_in_blocks() -> None:
    cells = (np.arange(400 * 400, dtype=np.uint32) % 65).reshape(400, 400)
    content = drawn(layer("a", cells), language="tmx").replace(b"</data>", b",</data>")
    assert np.array_equal(read(content).layers[0].cells, cells)
    with pytest.raises(ParameterError, match="wrong number of cells"):
        read(content.replace(b",</data>", b",1,</data>"))
    broken = content[:400_000] + content[400_000:].replace(b",7,", b",,7", 1)
    with pytest.raises(ParameterError, match="not tile numbers"):
        read(broken)


def test_paths_are_read_as_windows_writes_them(language: str) -> None:
    files = {"tiles/a.tsx": tileset_file(tileset({0: {"type": "wall"}}), language)}
    content = drawn(
        layer("a", CELLS),
        language=language,
        tilesets=[{"firstgid": 1, "source": "..\\tiles\\.\\a.tsx"}],
    )
    assert read(content, files).layers[0].tiles[1].name == "wall"


@pytest.mark.skipif(
    importlib.util.find_spec("zstandard") is not None
    or importlib.util.find_spec("compression") is not None,
    reason="zstd can be read here",
)
def test_zstd_names_the_extra_where_it_cannot_be_read() -> None:
    broken = drawn(layer("a", CELLS, encoding="base64")).replace(
        b'"compression": ""', b'"compression": "zstd"'
    )
    assert "install `level-exporter[zstd]`" in refusal(broken)


def test_zstd_is_read_with_its_package(language: str) -> None:
    zstandard = pytest.importorskip("zstandard")
    content = drawn(layer("a", CELLS, encoding="base64"), language=language)
    import base64

    plain = CELLS.astype("<u4").tobytes()
    old = base64.b64encode(plain)
    new = base64.b64encode(zstandard.compress(plain))
    assert old in content
    if language == "tmj":
        content = content.replace(b'"compression": ""', b'"compression": "zstd"')
    else:
        content = content.replace(b'encoding="base64"', b'encoding="base64" compression="zstd"')
    result = read(content.replace(old, new))
    assert np.array_equal(result.layers[0].cells, CELLS)
    bomb = base64.b64encode(zstandard.compress(bytes(1 << 24)))
    assert "wrong number of cells (needed: 6" in refusal(content.replace(old, bomb))


def test_json_of_old_versions_has_properties_by_name() -> None:
    thing = {"name": "a", "x": 0, "y": 0, "point": True, "properties": {"gold": 7, "who": "me"}}
    (result,) = read(drawn(layer("a", CELLS), things("o", thing))).objects
    assert result.properties == {"gold": 7, "who": "me"}
