"""Overlays in pictures, as characters and in their legend."""

from __future__ import annotations

import numpy as np
import pytest

from cases import each_case
from exporter.formats.images.half_blocks import half_blocks, reduced
from exporter.measures.drawing import draw_overlay, legend, overlay_text
from exporter.measures.maps import Circle, Label, OverlayMap, Path, classes, scale

FLOOR = np.ones((4, 6), bool)


def mask_at(x: int, y: int) -> np.ndarray:
    mask = np.zeros((4, 6), bool)
    mask[y, x] = True
    return mask


@pytest.mark.parametrize("size", [1, 3, 8])
def test_only_cells_of_a_class_change_colour(size: int) -> None:
    picture = np.full((4 * size, 6 * size, 3), 100, np.uint8)
    draw_overlay(picture, size, classes((mask_at(2, 1), "a", "#ff0000")), (0, 0))
    changed = (picture != 100).any(axis=2)
    expected = np.kron(mask_at(2, 1), np.ones((size, size), bool)).astype(bool)
    assert np.array_equal(changed, expected)
    assert picture[size, 2 * size].tolist() == [(255 * 176 + 100 * 80) >> 8, *[100 * 80 >> 8] * 2]


def test_a_part_of_the_level_shows_its_own_cells() -> None:
    picture = np.zeros((2, 3, 3), np.uint8)
    draw_overlay(picture, 1, classes((mask_at(4, 2), "a")), (3, 1))
    assert np.argwhere(picture.any(axis=2)).tolist() == [[1, 1]]


def test_marks_are_drawn_between_the_cells_they_name_and_never_outside() -> None:
    nothing = np.zeros((4, 6), np.uint8)
    marks = (Path(((0, 0), (5, 0))), Circle(3, 2, 9), Label(5, 3, "a long text"), Path(((1, 1),)))
    for corner in ((0, 0), (2, 1), (5, 3)):
        picture = np.zeros((8 * (4 - corner[1]), 8 * (6 - corner[0]), 3), np.uint8)
        draw_overlay(picture, 8, OverlayMap(nothing, marks=marks), corner)
    picture = np.zeros((32, 48, 3), np.uint8)
    draw_overlay(picture, 8, OverlayMap(nothing, marks=marks[:1]), (0, 0))
    assert (picture[4, 4:44] == 255).all()
    assert not picture[8:].any()
    picture = np.zeros((32, 48, 3), np.uint8)
    draw_overlay(picture, 8, OverlayMap(nothing, marks=(Circle(3, 2, 1),)), (0, 0))
    white = np.argwhere((picture == 255).all(axis=2)) - (20, 28)
    assert len(white)
    assert all(49 <= y * y + x * x <= 64 for y, x in white.tolist())


def test_characters_tell_classes_numbers_floor_and_walls() -> None:
    numbers = np.arange(24, dtype=np.int32).reshape(4, 6)
    walkable = FLOOR.copy()
    walkable[3] = False
    displayed = np.zeros((4, 6), bool)
    displayed[0] = True
    result = scale(numbers, displayed, "steps", [(mask_at(2, 1), "far", "#123456")])
    assert overlay_text(result, walkable) == "013579\n..A...\n......\n######\n"
    assert legend(result) == [
        ("0", "0 steps", (0, 34, 78)),
        ("9", "5 steps", (254, 232, 56)),
        ("A", "far: 1 cell", (18, 52, 86)),
    ]


def test_the_legend_leaves_out_what_is_nowhere_but_never_everything() -> None:
    empty = np.zeros((4, 6), bool)
    assert [item[1] for item in legend(classes((empty, "a")))] == ["a: 0 cells"]
    assert [item[1] for item in legend(classes((empty, "a"), (FLOOR, "b")))] == ["b: 24 cells"]
    assert legend(OverlayMap(np.zeros((4, 6), np.uint8))) == [("", "nothing to show", None)]


def test_half_blocks_have_two_pixels_and_write_colours_where_they_change() -> None:
    pixels = np.zeros((3, 2, 3), np.uint8)
    pixels[0] = (1, 2, 3)
    pixels[2, 1] = 9
    assert half_blocks(pixels) == (
        "\x1b[38;2;1;2;3;48;2;0;0;0m▀▀\x1b[0m\n\x1b[38;2;0;0;0;49m▀\x1b[38;2;9;9;9;49m▀\x1b[0m\n"
    )


@each_case(("columns", "shape"), [(7, (5, 7)), (6, (3, 4)), (3, (2, 3)), (1, (1, 1))])
def test_a_wide_picture_is_reduced_to_the_terminal(columns: int, shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 3)).astype(np.uint8)
    result = reduced(pixels, columns)
    assert result.shape[:2] == shape
    step = -(-7 // columns)
    part = pixels[:step, :step].astype(int)
    if part.shape[:2] == (step, step):
        assert (result[0, 0] == part.reshape(-1, 3).sum(axis=0) // step**2).all()
