"""Large levels of Godot: data packed for the script, unpacked as Godot would."""

from __future__ import annotations

import base64
import io
import re
import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cases import each_case
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.overview import overview_pixels
from exporter.formats.godot.scene import is_streamed, overview_step
from exporter.formats.godot.streaming import CHUNK_SIDE, MOST_NUMBER, chunk_data
from exporter.formats.godot.variants import packed, variant
from exporter.geometry.chunks import chunks_of
from exporter.geometry.pieces import convex_pieces_by_chunk
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, PlacedObject, Tile
from exporter.targets import TARGETS
from exporter.tilesets import level_tileset
from godot_scene_texts import nodes, scene_text, sheet_tiles_of
from terrain_sheets import terrain_level

TILES = (
    Tile(0, "nothing", False, False, "#00000000"),
    Tile(1, "floor", True, False, "#806040"),
    Tile(2, "wall", False, True, "#202020"),
)


def level_of(width: int, height: int, *roles: str) -> Level:
    random = np.random.default_rng(1)
    layers = {}
    for index, role in enumerate(roles or ("play",)):
        cells = random.choice(3, (height, width), p=[0.1, 0.6, 0.3]).astype(np.uint8)
        name = f"layer_{index}"
        layers[name] = Layer(name, "tiles", cells, "test", tiles=TILES, role=role)  # type: ignore[arg-type]
    things = (PlacedObject(1, "key", 1, 1),)
    return Level("big", width, height, layers=layers, objects=things)


def unpacked(data: bytes) -> Any:
    """Read a value as `bytes_to_var` does."""
    length = struct.unpack("<I", data[:4])[0]
    text = zlib.decompress(data[4:])
    assert len(text) == length
    value, end = read(text, 0)
    assert end == length
    return value


def read(data: bytes, at: int) -> tuple[Any, int]:
    kind, count = struct.unpack_from("<II", data, at)
    at += 8
    if kind == 28:
        values = []
        for _ in range(count):
            value, at = read(data, at)
            values.append(value)
        return values, at
    if kind == 29:
        return data[at : at + count], at + count + -count % 4
    if kind == 30:
        return np.frombuffer(data, "<i4", count, at), at + 4 * count
    assert kind == 35
    return np.frombuffer(data, "<f4", 2 * count, at).reshape(-1, 2), at + 8 * count


def arrays(node: dict[str, str], key: str) -> list[Any]:
    result = re.findall(r'PackedByteArray\("([^"]*)"\)', node[key])
    return [unpacked(base64.b64decode(data)) for data in result]


def test_values_come_back_from_their_binary_form() -> None:
    value = [b"abcde", [b""], np.arange(5), np.array([[1.5, 2], [3, 4]])]
    back = unpacked(packed(value))
    assert back[:2] == [b"abcde", [b""]]
    assert back[2].tolist() == [0, 1, 2, 3, 4]
    assert back[3].tolist() == [[1.5, 2], [3, 4]]
    assert len(variant(b"abcde")) == 16


@pytest.mark.parametrize(("width", "height"), [(64, 64), (65, 130), (20, 10)])
def test_every_chunk_has_the_tiles_and_rings_of_its_part(width: int, height: int) -> None:
    level = level_of(width, height, "play", "picture", "data")
    node = nodes(scene_text(level, chunks="always"))["chunks"]
    tileset = level_tileset(level)
    chunks = arrays(node, "chunks")
    parts = chunks_of((height, width), CHUNK_SIDE)
    assert len(chunks) == len(parts)
    for part, (layers, corners, lengths) in zip(parts, chunks, strict=True):
        area = (slice(part.y, part.y + part.height), slice(part.x, part.x + part.width))
        assert len(layers) == 2
        for layer, data in zip(level.seen_layers(), layers, strict=True):
            numbers = np.frombuffer(data, "<u2").reshape(part.height, part.width).astype(int) - 1
            np.testing.assert_array_equal(numbers, tileset.numbers(layer)[area])
        points = np.frombuffer(corners, np.uint8).reshape(-1, 2).astype(int)
        assert lengths.sum() == len(points)
        inside = np.zeros((part.height, part.width + 1), int)
        for ring in np.split(points, np.cumsum(lengths)[:-1]):
            for (x, y), (x2, y2) in zip(ring, np.roll(ring, -1, 0), strict=True):
                if x == x2:
                    inside[min(y, y2) : max(y, y2), x] += 1
        filled = np.cumsum(inside, axis=1)[:, :-1] % 2 == 1
        np.testing.assert_array_equal(filled, level.opaque()[area])


def test_chunks_share_the_pictures_at_their_borders() -> None:
    level = terrain_level("isle", 66, 130)
    drawings = level_tileset(level).drawings(level.layers["ground"])
    chunks = arrays(nodes(scene_text(level, chunks="always"))["chunks"], "chunks")
    for part, (layers, _, _) in zip(chunks_of((66, 130), CHUNK_SIDE), chunks, strict=True):
        assert len(layers) == len(drawings) == 5
        for drawing, data in zip(drawings, layers, strict=True):
            more = int(drawing.between_cells)
            shape = (part.height + more, part.width + more)
            area = drawing.numbers[part.y : part.y + shape[0], part.x : part.x + shape[1]]
            numbers = np.frombuffer(data, "<u2").astype(int) - 1
            assert np.array_equal(numbers.reshape(shape) if numbers.size else area, area)
            assert numbers.size or (area == -1).all()


def test_pictures_beside_the_cells_count_for_the_size_of_a_scene() -> None:
    level = terrain_level("isle", 400, 300)
    tileset = level_tileset(level)
    assert (
        level.width * level.height
        < 200_000
        < sum(
            np.count_nonzero(drawing.numbers >= 0)
            for drawing in tileset.drawings(level.layers["ground"])
        )
    )
    assert is_streamed(level, sheet_tiles_of(level), SceneOptions())
    smaller = terrain_level("isle", 200, 150)
    assert not is_streamed(smaller, sheet_tiles_of(smaller), SceneOptions())


def test_numbers_of_tiles_that_chunks_cannot_hold_are_refused() -> None:
    (data,) = chunk_data([np.full((1, 1), MOST_NUMBER, np.int32)], None)
    assert unpacked(data.data)[0] == [b"\xff\xff"]
    with pytest.raises(ParameterError, match="chunks: never"):
        chunk_data([np.full((1, 1), MOST_NUMBER + 1, np.int32)], None)


def test_boxes_of_all_chunks_cover_what_cannot_be_walked_on() -> None:
    level = level_of(130, 70)
    solid = np.zeros((70, 130), int)
    result = arrays(nodes(scene_text(level, chunks="always"))["chunks"], "solids")
    for part, boxes in zip(chunks_of((70, 130), CHUNK_SIDE), result, strict=True):
        for x, y, width, height in np.frombuffer(boxes, np.uint8).reshape(-1, 4).tolist():
            left, top = part.x + x, part.y + y
            solid[top : top + height, left : left + width] += 1
    np.testing.assert_array_equal(solid, ~level.walkable())


def test_regions_are_the_pieces_of_the_whole_level_in_pixels() -> None:
    level = level_of(300, 30)
    result = arrays(nodes(scene_text(level, chunks="always", agent_radius=3))["chunks"], "regions")
    expected = [pieces for _, pieces in convex_pieces_by_chunk(level.walkable(), 256, 3, 16)]
    for (vertices, corners, starts), pieces in zip(result, expected, strict=True):
        np.testing.assert_array_equal(vertices, pieces.vertices)
        np.testing.assert_array_equal(corners, pieces.corners)
        np.testing.assert_array_equal(starts, pieces.starts)


@pytest.mark.parametrize(("option", "key"), [("collision", "solids"), ("navigation", "regions")])
def test_what_is_not_merged_is_not_packed(option: str, key: str) -> None:
    level = level_of(70, 70)
    node = nodes(scene_text(level, chunks="always", **{option: "none"}))["chunks"]
    assert node[key] == "[]"


def test_chunks_without_occlusion_have_no_rings() -> None:
    node = nodes(scene_text(level_of(70, 70), chunks="always", occlusion="none"))["chunks"]
    assert {corners for _, corners, _ in arrays(node, "chunks")} == {b""}


def test_layers_are_empty_models_with_their_own_settings() -> None:
    level = level_of(70, 70, "play", "picture")
    result = nodes(scene_text(level, chunks="always", collision="tiles"))
    models = [path for path in result if path.startswith("chunks/layers/")]
    assert models == ["chunks/layers/layer_0", "chunks/layers/layer_1"]
    assert all("tile_map_data" not in result[path] for path in models)
    assert [result[path].get("collision_enabled") for path in models] == [None, "false"]
    assert "objects/key" in result
    assert "layer_0" not in result


@each_case(
    ("width", "roles", "streamed"),
    [
        (1000, ("play",), False),
        (1001, ("play",), True),
        (500, ("play", "picture"), False),
        (501, ("play", "picture"), True),
        (1001, ("play", "data", "none"), True),
        (1000, ("play", "data", "none"), False),
    ],
)
def test_levels_of_more_than_200_000_drawn_cells_are_streamed(
    width: int, roles: tuple[str, ...], streamed: bool
) -> None:
    level = level_of(width, 200, *roles)
    assert is_streamed(level, sheet_tiles_of(level), SceneOptions()) == streamed
    assert is_streamed(level, sheet_tiles_of(level), SceneOptions(chunks="always"))
    assert not is_streamed(level, sheet_tiles_of(level), SceneOptions(chunks="never"))


def test_a_level_that_draws_nothing_is_never_streamed() -> None:
    assert not is_streamed(
        level_of(20, 20, "data"), sheet_tiles_of(level_of(20, 20)), SceneOptions(chunks="always")
    )


def test_the_overview_has_the_mean_colour_of_every_cell() -> None:
    tiles = (*TILES[:2], Tile(2, "glass", False, False, "#0000ff80"))
    below = Layer("a", "tiles", np.array([[1, 0]], np.uint8), "test", tiles=tiles)
    above = Layer("b", "tiles", np.array([[2, 2]], np.uint8), "test", tiles=tiles)
    level = Level("x", 2, 1, layers={"a": below, "b": above})
    tileset = level_tileset(level)
    floor, glass = (
        tileset.picture(int(tileset.numbers(layer)[0, 0])).reshape(-1, 4).astype(int).mean(0)
        for layer in (below, above)
    )
    over, alone = overview_pixels(level, sheet_tiles_of(level), 1)[0].astype(int)
    np.testing.assert_allclose(alone, glass, atol=1)
    share = glass[3] / 255
    np.testing.assert_allclose(over[:3], glass[:3] * share + floor[:3] * (1 - share), atol=2)
    assert over[3] == 255


def test_the_overview_shows_corner_sets_by_their_whole_picture() -> None:
    level = terrain_level("isle", 20, 30)
    tileset = level_tileset(level)
    pixels = overview_pixels(level, sheet_tiles_of(level), 1)
    cells = level.layers["ground"].cells
    for id_, number in ((1, 31), (2, 47), (3, 94)):
        color = tileset.picture(number).reshape(-1, 4).astype(int).mean(0)
        np.testing.assert_allclose(pixels[cells == id_][0], color, atol=1)


def test_the_overview_of_a_long_level_is_reduced() -> None:
    level = level_of(4097, 5)
    assert overview_step(level) == 3
    assert overview_pixels(level, sheet_tiles_of(level), 3).shape == (2, 1366, 4)
    assert overview_step(level_of(2048, 2)) == 1


def test_a_layer_called_overview_has_a_picture_of_its_own() -> None:
    level = level_of(70, 5)
    layer = replace(level.layers["layer_0"], name="overview")
    target = TARGETS.get("godot")
    options = target.options(path="x", chunks="always")
    exported = target.export(replace(level, layers={"overview": layer}), options, "x")
    names = [file.name for file in exported.artifacts]
    assert len(names) == len(set(names))


def test_a_streamed_level_has_an_overview_beside_its_scene() -> None:
    target = TARGETS.get("godot")
    options = target.options(path="x", chunks="always", bitmaps=False, blob=False)
    files = {file.name: file for file in target.export(level_of(70, 5), options, "x").artifacts}
    assert list(files)[-3:] == [
        "big.chunks.overview.png.import",
        "big.chunks.overview.png",
        "big.tscn",
    ]
    assert files["big.chunks.overview.png"].kind == "preview"
    with Image.open(io.BytesIO(files["big.chunks.overview.png"].data)) as picture:
        assert picture.size == (70, 5)
