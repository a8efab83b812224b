"""The bitmap of a tile layer: a square of one colour for each cell."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from cases import each_case
from exporter.formats.bitmap import bitmap
from exporter.model.level import BLACK, CLEAR, Layer, Tile

CELLS = np.array([[0, 1, 1], [1, 0, 9]], np.uint8)
TILES = (Tile(0, "open", True, False, CLEAR), Tile(1, "solid", False, True, BLACK))


def layer(cells: np.ndarray = CELLS) -> Layer:
    return Layer("ground", "tiles", cells, "test", tiles=TILES)


def pixels(data: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "RGBA"
        return np.asarray(picture)


@each_case("dtype", [np.uint8, np.uint16])
@each_case("block", [1, 5, 8])
def test_ones_are_black_blocks_and_the_rest_is_transparent(block: int, dtype: type) -> None:
    picture = pixels(bitmap(layer(CELLS.astype(dtype)), block_size=block))
    assert picture.shape == (2 * block, 3 * block, 4)
    black = np.kron(CELLS == 1, np.ones((block, block), bool))
    assert (picture[black] == (0, 0, 0, 255)).all()
    assert (picture[~black] == 0).all()


def test_a_block_may_have_a_width_and_a_height() -> None:
    picture = pixels(bitmap(layer(), block_size=(2, 3)))
    assert picture.shape == (6, 6, 4)
    assert np.array_equal(picture[..., 3] > 0, np.kron(CELLS == 1, np.ones((3, 2), bool)))
    assert bitmap(layer(), block_size=(5, 5)) == bitmap(layer(), block_size=5)


def test_colours_by_tile_name_come_before_the_legends() -> None:
    picture = pixels(
        bitmap(layer(), block_size=1, colors={"open": "#10203040", "other": "#ffffff"})
    )
    assert picture[0].tolist() == [[16, 32, 48, 64], [0, 0, 0, 255], [0, 0, 0, 255]]


def test_an_id_that_the_legend_lacks_is_transparent() -> None:
    assert pixels(bitmap(layer(), block_size=2))[3, 5].tolist() == [0, 0, 0, 0]
