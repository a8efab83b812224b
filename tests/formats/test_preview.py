"""The picture of a level: right size, right places, dark where nothing is seen."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cases import each_case
from exporter.formats.preview import preview_picture
from exporter.model.level import BLACK, CLEAR, Layer, Level, PlacedObject, Tile
from exporter.tilesets import level_tileset

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
CELLS = np.kron(np.array([[0, 1, 0], [1, 0, 0]], np.uint8), np.ones((3, 4), np.uint8))
LEVEL = Level(
    "crypt", 12, 6, layers={"ground": Layer("ground", "tiles", CELLS, "test", tiles=TILES)}
)


class Seen:
    """Sees its own column."""

    def visible_from(self, x: int, y: int) -> np.ndarray:
        seen = np.zeros((6, 12), bool)
        seen[:, x] = True
        return seen


SEEING: Any = replace(LEVEL, visibility=Seen())


def picture(level: Level = LEVEL, **options: Any) -> np.ndarray:
    with Image.open(io.BytesIO(preview_picture(level, **options))) as image:
        pixels = np.asarray(image)
    assert (pixels[..., 3] == 255).all()
    return pixels[..., :3].astype(int)


def test_at_full_scale_a_preview_shows_the_tiles_as_they_are() -> None:
    pixels = picture(scale=16)
    tileset = level_tileset(LEVEL)
    assert pixels.shape == (96, 192, 3)
    for y, x in ((0, 0), (0, 5), (5, 11), (3, 0)):
        displayed = pixels[16 * y : 16 * y + 16, 16 * x : 16 * x + 16]
        number = int(tileset.numbers(LEVEL.layers["ground"])[y, x])
        assert np.array_equal(displayed, tileset.picture(number)[..., :3])


@each_case("scale", [1, 3, 5, 16, 20, 64])
def test_a_cell_keeps_its_mean_colour_at_every_scale(scale: int) -> None:
    pixels = picture(scale=scale)
    assert pixels.shape == (6 * scale, 12 * scale, 3)
    floor, wall = pixels[:scale, :scale], pixels[:scale, 5 * scale : 6 * scale]
    full = picture(scale=16)
    assert np.abs(floor.mean((0, 1)) - full[:16, :16].mean((0, 1))).max() < 12
    assert np.abs(wall.mean((0, 1)) - full[:16, 80:96].mean((0, 1))).max() < 12


def test_a_view_is_the_same_part_of_the_whole() -> None:
    assert np.array_equal(picture(scale=4, view=(3, 1, 6, 4)), picture(scale=4)[4:20, 12:36])


def test_cells_out_of_sight_are_darker_and_the_others_are_not() -> None:
    plain, seen = picture(scale=8), picture(SEEING, scale=8, at=(4, 0))
    assert np.array_equal(seen[8:, 32:40], plain[8:, 32:40])
    assert (seen[:, :32].sum(2) < plain[:, :32].sum(2) // 2).all()
    assert (seen[:, 40:].sum(2) < plain[:, 40:].sum(2) // 2).all()


def test_objects_are_marked_in_their_cells_in_a_colour_a_kind() -> None:
    things = tuple(
        PlacedObject(number, name, x, 1)
        for number, (name, x) in enumerate([("chest", 1), ("chest", 7), ("door", 10)])
    )
    plain, marked = picture(scale=9), picture(replace(LEVEL, objects=things), scale=9)
    changed = (plain != marked).any(2)
    assert {x // 9 for x in np.nonzero(changed)[1]} == {1, 7, 10}
    assert {y // 9 for y in np.nonzero(changed)[0]} == {1}
    first, second, other = (marked[9 + 4, 9 * x + 4].tolist() for x in (1, 7, 10))
    assert first == second != other


def test_an_object_on_the_edge_of_a_tiny_picture_is_cut_off() -> None:
    things = (PlacedObject(1, "chest", 0, 0), PlacedObject(2, "chest", 11, 5))
    assert (picture(replace(LEVEL, objects=things), scale=1) != picture(scale=1)).any(2).sum() > 1


def test_heights_alone_are_shaded() -> None:
    y, x = np.mgrid[0:65, 0:65]
    samples = (30000 + 20000 * ((x - 32) ** 2 + (y - 32) ** 2 < 300)).astype(np.uint16)
    relief = Layer("relief", "heights", samples, "test", grid_aligned=False)
    pixels = picture(Level("hill", 10, 10, layers={"relief": relief}), scale=8)
    assert pixels.shape == (80, 80, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 3


def test_heights_of_more_samples_than_pixels_are_thinned_out() -> None:
    samples = np.linspace(0, 65535, 4100).astype(np.uint16)[:, None]
    relief = Layer("relief", "heights", samples, "test", grid_aligned=False)
    tall = Level("tall", 1, 100, layers={"relief": relief})
    pixels = picture(tall, scale=4)
    assert pixels.shape == (400, 4, 3)
    # From the sea at the top to snow at the bottom, in order.
    assert pixels[0, 0, 2] > pixels[0, 0, 0]
    assert pixels[-1].min() > 180


def test_a_flat_land_is_drawn() -> None:
    relief = Layer("relief", "heights", np.full((3, 3), 9, np.uint16), "test")
    assert picture(Level("flat", 3, 3, layers={"relief": relief})).shape == (48, 48, 3)


def test_a_level_with_nothing_in_it_is_an_empty_picture() -> None:
    assert len(np.unique(picture(Level("bare", 3, 2)))) <= 3


def test_who_looks_lies_in_the_cell() -> None:
    plain, seen = picture(scale=16), picture(SEEING, scale=16, at=(4, 0))
    assert (seen[:16, 64:80] != plain[:16, 64:80]).any()
    assert np.array_equal(seen[16:, 64:80], plain[16:, 64:80])


def test_layers_are_displayed_by_their_roles() -> None:
    over = np.full(CELLS.shape, 2, np.uint8)
    tiles = (*TILES, Tile(2, "lava", True, False, CLEAR))
    level = picture(scale=4)
    for role, displayed in (("data", False), ("none", False), ("picture", True), ("play", True)):
        top: Any = Layer("top", "tiles", over, "test", tiles=tiles, role=role)  # type: ignore[arg-type]
        both = picture(replace(LEVEL, layers={**LEVEL.layers, "top": top}), scale=4)
        assert (both != level).any() == displayed, role


def test_the_scale_follows_the_size() -> None:
    assert picture().shape == (96, 192, 3)
    wide = replace(LEVEL.layers["ground"], cells=np.zeros((4, 640), np.uint8))
    assert picture(Level("wide", 640, 4, layers={"ground": wide})).shape == (8, 1280, 3)


@each_case(
    ("options", "message"),
    [
        ({"view": (0, 0, 13, 1)}, "is outside"),
        ({"view": (-1, 0, 2, 2)}, "is outside"),
        ({"view": (0, 0, 0, 2)}, "is outside"),
        ({"scale": 0}, "pixels per cell is out of range"),
        ({"scale": 65}, "pixels per cell is out of range"),
        ({"at": (1, 1)}, "no visibility"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        preview_picture(LEVEL, **options)


@pytest.mark.parametrize("at", [(12, 0), (0, 6), (-1, 0)])
def test_looking_from_outside_is_refused(at: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is outside"):
        preview_picture(SEEING, at=at)
