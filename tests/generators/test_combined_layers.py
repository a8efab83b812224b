"""Layers made of other layers, drawings and pictures."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS, Generated, Request
from exporter.generators._legend import (
    FLOOR_AND_WALL,
    TRANSPARENT,
    Legend,
    TileOptions,
    read_drawing,
)
from exporter.grids.neighbourhoods import masks_of
from exporter.model.errors import ParameterError
from exporter.model.level import CLEAR, HeightRange, Layer, Room, Tile
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from hand_tiled import drawn
from hand_tiled import layer as tiled_layer

LANDS = (
    Tile(0, "grass", True, False, CLEAR),
    Tile(3, "lake", False, False, "#0000ffff"),
    Tile(7, "wall", False, True, "#888888ff"),
)


def layer(name: str, rows: list[str], tiles: tuple[Tile, ...] = FLOOR_AND_WALL) -> Layer:
    """A finished layer from rows of digits."""
    cells = np.array([[int(digit) for digit in row] for row in rows], np.uint8)
    cells.flags.writeable = False
    walkable = np.isin(cells, [tile.id for tile in tiles if tile.walkable])
    rooms = (Room(f"{name}_room", 0, 0, 1, 1, (0, 0)),)
    return Layer(name, "tiles", cells, "test", tiles=tiles, walkable=walkable, rooms=rooms)


LAYERS = {
    "a": layer("a", ["1100", "1000", "1111"]),
    "b": layer("b", ["0011", "1011", "1110"]),
    "lands": layer("lands", ["0337", "0037", "7777"], LANDS),
    "small": layer("small", ["01", "10"]),
    "relief": Layer(
        "relief", "heights", np.zeros((3, 4), np.uint16), "test", heights=HeightRange()
    ),
}


def make(name: str, width: int = 4, height: int = 3, **values: Any) -> Generated:
    files = values.pop("files", {})
    generator = GENERATORS.get(name)
    request = Request(
        "combined",
        width,
        height,
        open_stream("portable", 1, "combined"),
        layers=LAYERS,
        read_file=files.__getitem__,
    )
    return generator.generate(generator.parameters(**values), request)


def rows(result: Generated) -> list[str]:
    return ["".join(str(cell) for cell in row) for row in result.cells]


def test_a_union_is_floor_where_any_layer_is() -> None:
    result = make("union", layers=("a", "b"))
    assert rows(result) == ["0000", "1000", "1110"]
    assert [room.name for room in result.rooms] == ["a_room", "b_room"]


def test_a_difference_is_floor_where_only_the_first_layer_is() -> None:
    assert rows(make("subtract", of="a", minus=("b",))) == ["1100", "1100", "1111"]


def test_a_mask_keeps_tiles_and_fills_the_rest() -> None:
    assert rows(make("mask", of="lands", by="a")) == ["3337", "3037", "3333"]
    assert rows(make("mask", of="lands", by="a", keep="blocked")) == ["0333", "0333", "7777"]
    assert rows(make("mask", of="lands", by="a", outside="grass")) == ["0037", "0037", "0000"]


def test_an_outline_runs_around_the_requested_tiles() -> None:
    result = make("outline", of="lands", tile="lake")
    assert rows(result) == ["1221", "1121", "0111"]
    assert rows(make("outline", of="lands", tile="lake", corners=False)) == ["1221", "0121", "0010"]
    assert rows(make("outline", of="a")) == ["1122", "1222", "1111"]
    assert rows(make("outline", of="small", tile="walkable", width=2, height=2)) == ["21", "12"]


def test_a_drawing_is_stamped_at_every_position_and_cut_at_the_edge() -> None:
    result = make("stamp", of="a", art="##\n~ ", at=((0, 0), (3, 1), (-1, -1), (9, 9), (-9, 0)))
    assert rows(result) == ["1100", "2001", "1112"]
    assert [tile.name for tile in result.tiles] == ["floor", "wall", "water"]
    assert LAYERS["a"].cells[1, 0] == 1


def test_a_stamp_is_turned_and_flipped_with_its_rooms(tmp_path: Path) -> None:
    spec = """
size: [40, 30]
seed: 1
layers:
  base: {generator: blank, tile: empty}
  part: {generator: bsp_rooms, size: [16, 10], connect: false}
  whole:
    generator: stamp
    of: base
    from_layer: part
    at: [[0, 0], {at: [20, 3], turn: 270, flip: true}]
"""
    layers = build_level(parse_level(spec.encode(), "a.level.yaml", tmp_path)).layers
    part, whole = layers["part"], layers["whole"]
    assert np.array_equal(whole.cells[3:19, 20:30], np.rot90(np.fliplr(whole.cells[:10, :16])))
    plain, turned = whole.rooms[: len(part.rooms)], whole.rooms[len(part.rooms) :]
    assert [(room.x, room.y) for room in plain] == [(room.x, room.y) for room in part.rooms]
    for room, other in zip(plain, turned, strict=True):
        was, now = np.zeros((2, 30, 40), int)
        for cells, item in ((was, room), (now, other)):
            cells[item.y : item.y + item.height, item.x : item.x + item.width] = 1
            cells[item.center[1], item.center[0]] = 2
        assert np.array_equal(now[3:19, 20:30], np.rot90(np.fliplr(was[:10, :16])))


def test_a_stamped_layer_keeps_the_meaning_of_its_tiles() -> None:
    result = make("stamp", of="a", from_layer="lands", transparent=("grass",))
    assert rows(result) == ["1221", "1021", "1111"]
    assert [(tile.id, tile.name) for tile in result.tiles] == [
        (0, "floor"),
        (1, "wall"),
        (2, "lake"),
    ]


def test_classes_follow_the_neighbours() -> None:
    result = make("autotile", of="a", tile="blocked", set="edges")
    masks = masks_of("edges")
    assert len(result.tiles) == 17
    named = {tile.id: tile.name for tile in result.tiles}
    # The corner at the upper left: walls to the east and south, and the edge counts as wall.
    assert named[int(result.cells[0, 0])] == f"mask_{1 | 4 | 16 | 64}"
    assert named[int(result.cells[0, 1])] == f"mask_{1 | 64}"
    assert named[int(result.cells[0, 2])] == "other"
    assert {f"mask_{mask}" for mask in masks} == set(named.values()) - {"other"}
    assert not result.tiles[1].walkable
    assert len(make("autotile", of="a").tiles) == 48


@each_case(
    ("name", "values", "path", "text"),
    [
        ("union", {"layers": ("a", "nowhere")}, ("layers", 1), "above: a, b"),
        ("union", {"layers": ("small",)}, ("layers", 0), "2 x 2"),
        ("union", {"layers": ("relief",)}, ("layers", 0), "walkable"),
        ("subtract", {"of": "a", "minus": ("relief",)}, ("minus", 0), "walkable"),
        ("mask", {"of": "relief", "by": "a"}, ("of",), "heights"),
        ("mask", {"of": "a", "by": "b", "outside": "lava"}, ("outside",), "floor, wall"),
        ("outline", {"of": "a", "tile": "lava"}, ("tile",), "floor, wall"),
        ("autotile", {"of": "a", "tile": "lava"}, ("tile",), "floor, wall"),
        ("stamp", {"of": "a"}, ("from_layer",), "either"),
        ("stamp", {"of": "a", "art": "#", "from_layer": "b"}, ("from_layer",), "either"),
        ("stamp", {"of": "a", "from_layer": "nowhere"}, ("from_layer",), "above"),
        ("stamp", {"of": "a", "from_layer": "relief"}, ("from_layer",), "heights"),
        ("stamp", {"of": "a", "art": "#?"}, ("art",), "'?'"),
        ("stamp", {"of": "a", "art": "\n\n"}, ("art",), "0 x 1"),
        ("stamp", {"of": "a", "art": "#" * 600}, ("art",), "600 x 1"),
        ("stamp", {"of": "a", "from_layer": "b", "transparent": ("floor", "lava")},
         ("transparent", 1), "floor, wall"),
    ],
)  # fmt: skip
def test_what_cannot_be_combined_is_refused_at_its_position(
    name: str, values: dict[str, Any], path: tuple[Any, ...], text: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        make(name, **values)
    assert caught.value.path == path
    assert text in caught.value.message


def test_a_drawing_may_have_glyphs_of_its_own() -> None:
    legend = Legend(FLOOR_AND_WALL)
    glyphs = {
        "L": TileOptions(name="lava", walkable=False, color="#ff4400"),
        "#": TileOptions(name="rock"),
    }
    ids = read_drawing("#L\n.", glyphs, legend, ("art",))
    assert ids.tolist() == [[2, 3], [0, TRANSPARENT]]
    lava = legend.find("lava")
    assert lava is not None
    assert (lava.walkable, lava.color) == (False, "#ff4400")


def picture(colors: list[list[str]]) -> bytes:
    image = Image.new("RGBA", (len(colors[0]), len(colors)))
    for y, row in enumerate(colors):
        for x, color in enumerate(row):
            image.putpixel((x, y), tuple(bytes.fromhex(color)))
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


BLACK, WHITE, RED, CLEAR_WHITE = "000000ff", "ffffffff", "ff0000ff", "ffffff00"


def test_a_dark_or_transparent_pixel_is_wall() -> None:
    files = {"map.png": picture([[BLACK, WHITE, CLEAR_WHITE, RED]])}
    assert rows(make("from_image", 4, 1, image="map.png", files=files)) == ["1011"]
    bright = make("from_image", 4, 1, image="map.png", threshold_percent=20, files=files)
    assert rows(bright) == ["1010"]


def test_colours_become_the_tiles_they_stand_for() -> None:
    files = {"map.png": picture([[BLACK, WHITE], [RED, WHITE]])}
    colors = {
        "#FFFFFF": TileOptions(name="floor"),
        "#000000": TileOptions(name="wall", walkable=False),
        "#ff0000ff": TileOptions(name="lava", walkable=False),
    }
    result = make("from_image", 2, 2, image="map.png", colors=colors, files=files)
    assert rows(result) == ["10", "20"]
    assert [tile.name for tile in result.tiles] == ["floor", "wall", "lava"]
    del colors["#ff0000ff"]
    with pytest.raises(ParameterError, match=r"#ff0000 at pixel \(0, 1\)") as caught:
        make("from_image", 2, 2, image="map.png", colors=colors, files=files)
    assert caught.value.path == ("colors",)


def test_a_picture_of_another_size_is_fitted_only_when_requested() -> None:
    files = {"map.png": picture([[BLACK, WHITE], [WHITE, BLACK]])}
    with pytest.raises(ParameterError, match="2 x 2 pixels, but the layer has 4 x 3") as caught:
        make("from_image", image="map.png", files=files)
    assert caught.value.path == ("image",)
    stretched = make("from_image", image="map.png", fit="stretch", files=files)
    assert rows(stretched) == ["1100", "0011", "0011"]
    assert rows(make("from_image", image="map.png", fit="crop", files=files)) == [
        "1000",
        "0111",
        "0111",
    ]
    assert rows(make("from_image", 1, 2, image="map.png", fit="crop", files=files)) == ["1", "0"]


@each_case(
    "layer",
    [
        "{generator: from_image, image: a.png, colors: {'#ff0000': water}}",
        "{generator: drunkard, fixed: {file: a.png, legend: {'#ff0000': water}}}",
        "{generator: from_tiled, file: a.tmj, legend: {1: water}}",
        "{generator: stamp, of: base, art: 'x', glyphs: {x: water}}",
        "{generator: prefabs, of: base, prefabs: [{name: a, art: 'x'}], glyphs: {x: water}}",
        '{generator: wave_function_collapse, sample: "xx\\nxx", pattern: 2, glyphs: {x: water}}',
        "{generator: wave_function_collapse, sample_image: a.png, colors: {'#ff0000': water}}",
        "{generator: voronoi, draw: terrains, terrains: [water]}",
        "{generator: bands, of: relief, steps: [{tile: water}]}",
    ],
)
def test_a_known_tile_name_stands_for_its_tile(layer: str, tmp_path: Path) -> None:
    Image.new("RGB", (8, 6), "#ff0000").save(tmp_path / "a.png")
    cells = np.ones((6, 8), np.uint32)
    (tmp_path / "a.tmj").write_bytes(drawn(tiled_layer("a", cells)))
    others = "  base: {generator: blank}\n  relief: {generator: heightmap}\n"
    text = f"size: [8, 6]\nlayers:\n{others}  made: {layer}\n"
    result = build_level(parse_level(text.encode(), "a.level.yaml", tmp_path)).layers["made"]
    assert "water" in {tile.name for tile in result.tiles if tile.id in result.cells}
