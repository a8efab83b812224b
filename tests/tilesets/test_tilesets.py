"""Tilesets: stable numbers, drawn tiles, images, variants and autotiles."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cases import each_case
from exporter.grids.neighbourhoods import BLOB_MASKS, EDGE_MASKS, classes, neighbour_masks, reduced
from exporter.model.errors import LevelError, ParameterError
from exporter.model.level import BLACK, CLEAR, Layer, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import level_tileset
from exporter.tilesets.image import image_tileset
from exporter.tilesets.source import open_tileset

FLOOR = Tile(0, "floor", True, False, CLEAR)
WALL = Tile(1, "wall", False, True, BLACK)
WATER = Tile(2, "water", False, False, "#3366cc")
CELLS = np.array([[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]], np.uint8)


def layer(name: str, *tiles: Tile, cells: np.ndarray = CELLS) -> Layer:
    return Layer(name, "tiles", cells, "test", tiles=tiles)


def level(*layers: Layer, tileset: TilesetSource | None = None) -> Level:
    height, width = layers[0].cells.shape
    named = {item.name: item for item in layers}
    return Level("crypt", width, height, layers=named, tileset=tileset)


def png(width: int, height: int) -> bytes:
    """A picture in which no two tiles are alike."""
    pixels = np.arange(width * height * 3, dtype=np.uint32).reshape(height, width, 3) * 2654435761
    out = io.BytesIO()
    Image.fromarray((pixels >> 24).astype(np.uint8)).save(out, "png")
    return out.getvalue()


def source(options: TilesetOptions, width: int = 64, height: int = 48) -> TilesetSource:
    return open_tileset(options, lambda path: png(width, height))


def test_extrusion_repeats_the_edge_of_every_tile() -> None:
    result = level(layer("ground", FLOOR, WALL))
    plain, wide = level_tileset(result), level_tileset(result, 2)
    assert (wide.margin, wide.spacing, wide.extrusion) == (2, 4, 2)
    assert np.array_equal(plain.pictures(), wide.pictures())
    x, y = wide.corner(1)
    block = wide.pixels[y - 2 : y + 18, x - 2 : x + 18]
    assert np.array_equal(block, np.pad(plain.picture(1), ((2, 2), (2, 2), (0, 0)), mode="edge"))


def test_there_are_47_blobs_and_16_edges() -> None:
    assert (len(BLOB_MASKS), len(EDGE_MASKS)) == (47, 16)
    assert all(reduced(mask) in BLOB_MASKS for mask in range(256))


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_masks_say_which_neighbours_are_the_same(height: int, width: int, seed: int) -> None:
    same = np.random.default_rng(seed).random((height, width)) < 0.6
    masks, blobs, edges = neighbour_masks(same), classes(same, "blob"), classes(same, "edges")
    steps = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
    for y in range(height):
        for x in range(width):
            mask = 0
            for bit, (dx, dy) in enumerate(steps):
                inside = 0 <= y + dy < height and 0 <= x + dx < width
                mask |= (not inside or bool(same[y + dy, x + dx])) << bit
            assert masks[y, x] == mask
            assert BLOB_MASKS[blobs[y, x]] == reduced(mask)
            assert EDGE_MASKS[edges[y, x]] == mask & 0b01010101


def test_an_image_without_a_list_gives_each_id_its_number() -> None:
    result = level(layer("ground", FLOOR, WALL), tileset=source(TilesetOptions(image="a.png")))
    tileset = level_tileset(result)
    assert (tileset.columns, tileset.rows) == (4, 3)
    assert np.array_equal(tileset.numbers(result.layers["ground"]), CELLS)


def test_margin_and_spacing_of_an_image_are_honoured() -> None:
    options = TilesetOptions(image="a.png", tile_size=10, margin=3, spacing=2)
    result = level(layer("ground", FLOOR, WALL), tileset=source(options, 40, 28))
    tileset = level_tileset(result)
    assert (tileset.columns, tileset.rows) == (3, 2)
    assert tileset.corner(4) == (3 + 12, 3 + 12)
    plain = tileset.extruded(1)
    assert np.array_equal(plain.pictures(), tileset.pictures())


def test_variants_are_mixed_by_position_and_stay() -> None:
    cells = np.zeros((40, 40), np.uint8)
    options = TilesetOptions(image="a.png", tiles={"floor": (4, 5, 6)})
    result = level(layer("ground", FLOOR, cells=cells), tileset=source(options))
    numbers = level_tileset(result).numbers(result.layers["ground"])
    assert min(np.bincount(numbers.ravel(), minlength=7)[4:]) > 400
    # A larger map keeps the pictures of the cells it had.
    larger = level(
        layer("ground", FLOOR, cells=np.zeros((50, 60), np.uint8)), tileset=source(options)
    )
    assert np.array_equal(level_tileset(larger).numbers(larger.layers["ground"])[:40, :40], numbers)


def test_null_leaves_cells_empty() -> None:
    options = TilesetOptions(image="a.png", tiles={"floor": None, "wall": 3})
    result = level(layer("ground", FLOOR, WALL), tileset=source(options))
    numbers = level_tileset(result).numbers(result.layers["ground"])
    assert np.array_equal(numbers, np.where(CELLS == 1, 3, -1))


def test_an_images_autotiles_follow_its_first_number_or_its_list() -> None:
    first = TilesetOptions(image="a.png", tiles={"floor": 0, "wall": 1}, autotile={"wall": "edges"})
    listed = replace(first, tiles={"floor": 0, "wall": tuple(range(16, 0, -1))})
    for options, expected in ((first, range(1, 17)), (listed, range(16, 0, -1))):
        result = level(layer("ground", FLOOR, WALL), tileset=source(options, 96, 48))
        tileset = level_tileset(result)
        assert tileset.terrains[0].numbers == tuple(expected)
        got = tileset.numbers(result.layers["ground"])[CELLS == 1]
        assert np.array_equal(got, np.array(expected)[classes(CELLS == 1, "edges")][CELLS == 1])


@each_case(
    ("options", "path", "message"),
    [
        ({"tiles": {"floor": 0}}, ("tileset", "tiles"), "'wall' has no picture"),
        ({"tiles": {"floor": 0, "wall": 12}}, ("tileset", "tiles", "wall"), "12 tiles .0 to 11."),
        ({"tiles": {"floor": 5, "wall": 5}}, ("tileset", "tiles"), "number 5 is used for"),
        ({"tiles": {"flor": 5}}, ("tileset", "tiles", "flor"), "did you mean 'floor'"),
        ({"autotile": {"wal": "blob"}}, ("tileset", "autotile", "wal"), "did you mean 'wall'"),
        (
            {"tiles": {"floor": 0, "wall": (1, 2)}, "autotile": {"wall": "blob"}},
            ("tileset", "tiles", "wall"),
            "47 pictures, and 2 are given",
        ),
        ({"autotile": {"wall": "edges"}}, ("tileset", "tiles"), "has the number 16"),
    ],
)
def test_a_tileset_that_does_not_fit_the_level_is_refused(
    options: dict, path: tuple, message: str
) -> None:
    tileset = source(TilesetOptions(image="a.png", **options))
    with pytest.raises(ParameterError, match=message) as refused:
        level_tileset(level(layer("ground", FLOOR, WALL), tileset=tileset))
    assert refused.value.path == path


@each_case(
    ("data", "key", "message"),
    [
        (b"no picture", "image", "not a picture"),
        (png(64, 48)[:60], "image", "not a picture"),
        (png(60, 48), "tile_size", "60 pixels wide.*sizes that fit: 12"),
        (png(64, 40), "tile_size", "40 pixels high"),
        (png(8, 16), "tile_size", "8 pixels wide"),
    ],
)
def test_an_image_that_is_no_tileset_is_refused(data: bytes, key: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message) as refused:
        open_tileset(TilesetOptions(image="art/a.png"), lambda path: data)
    assert refused.value.path == ("tileset", key)


def test_without_an_image_nothing_is_read() -> None:
    def refuse(path: str) -> bytes:
        raise AssertionError(path)

    assert open_tileset(TilesetOptions(), refuse).pixels is None


@each_case(("kind", "masks"), [("blob", BLOB_MASKS), ("edges", EDGE_MASKS)])
@each_case("image", [False, True])
def test_a_layer_of_neighbourhoods_is_a_terrain(
    kind: str, masks: tuple[int, ...], image: bool
) -> None:
    tiles = [Tile(0, "other", True, False, CLEAR)]
    tiles += [Tile(rank, f"mask_{mask}", False, True, BLACK) for rank, mask in enumerate(masks, 1)]
    cells = np.arange(len(tiles), dtype=np.uint8)[None, :]
    options = TilesetOptions(image="a.png" if image else None)
    result = level(layer("edges", *tiles, cells=cells), tileset=source(options, 128, 128))
    tileset = level_tileset(result)
    numbers = tileset.numbers(result.layers["edges"])[0].tolist()
    assert numbers[0] == -1
    (terrain,) = tileset.terrains
    assert (terrain.name, terrain.autotile) == ("edges", kind)
    assert terrain.numbers == tuple(numbers[1:])
    assert terrain.variants == ()
    assert len({tileset.picture(number).tobytes() for number in terrain.numbers}) == len(masks)


@each_case(
    "options",
    [
        {},
        {"tiles": {"floor": (3, 9, 11), "wall": 1001, "water": 2000}},
        {"tiles": {"floor": 5, "wall": 900, "water": 7}, "autotile": {"wall": "blob"}},
        {"tiles": {"floor": 5, "wall": 900, "water": 7}, "autotile": {"wall": "corners"}},
    ],
)
def test_a_sheet_that_engines_cannot_hold_has_nothing_but_the_tiles_of_the_level(
    options: dict[str, object],
) -> None:
    random = np.random.default_rng(3)
    ground = layer(
        "ground", FLOOR, WALL, WATER, cells=random.integers(0, 3, (9, 11)).astype(np.uint8)
    )
    chosen = TilesetOptions(image="a.png", tile_size=8, **options)
    # Extruded by one pixel, 2050 rows of 8 have 20,500 pixels.
    tall = level(ground, tileset=source(chosen, 16, 2050 * 8))
    plain, packed = level_tileset(tall), level_tileset(tall, 1)
    whole = image_tileset(tall)
    for result in (plain, packed):
        assert max(result.sides(0)) <= 16384
        assert result.count <= len(whole.tiles) + 2 * result.columns
        pairs = zip(whole.drawings(ground), result.drawings(ground), strict=True)
        for before, after in pairs:
            assert before.between_cells == after.between_cells
            assert np.array_equal(before.numbers >= 0, after.numbers >= 0)
            drawn = before.numbers >= 0
            old, new = before.numbers[drawn].tolist(), after.numbers[drawn].tolist()
            for item, other in zip(old, new, strict=True):
                assert np.array_equal(whole.picture(item), result.picture(other))
                assert whole.tiles[item] == result.tiles[other]
        before, after = (
            [sorted(terrain.masks().values()) for terrain in sheet.terrains]
            for sheet in (whole, result)
        )
        assert before == after


def test_a_sheet_that_fits_in_no_way_is_refused_with_the_limit() -> None:
    kinds = tuple(Tile(number, f"t{number}", True, False, CLEAR) for number in range(300))
    cells = np.arange(300, dtype=np.uint16).reshape(15, 20)
    wide = level(layer("ground", *kinds, cells=cells))
    with pytest.raises(LevelError, match="allowed: 16384 each way") as caught:
        level_tileset(wide, 8000)
    assert caught.value.path == ("tileset", "image")
