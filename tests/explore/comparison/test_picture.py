"""The picture of differences: bright, framed and marked cells."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from cases import each_case
from exporter.explore.comparison import compare_levels
from exporter.explore.comparison.picture import (
    ADDED,
    FRAME,
    MOVED,
    REMOVED,
    changed_cells,
    difference_picture,
)
from exporter.formats.images.png_mark import is_marked_png
from exporter.formats.preview import preview_pixels
from exporter.model.level import HeightRange, Layer, Level, PlacedObject, Tile

TILES = (
    Tile(0, "floor", True, False, "#806040"),
    Tile(1, "wall", False, True, "#c0c0ff"),
    Tile(2, "empty", False, False, "#00000000"),
)


def level(cells: object, *objects: PlacedObject, role: str = "play") -> Level:
    grid = np.array(cells, np.uint8)
    layer = Layer("ground", "tiles", grid, "test", tiles=TILES, role=role)  # type: ignore[arg-type]
    height, width = grid.shape
    return Level("test", width, height, layers={"ground": layer}, objects=objects)


def pixels(was: Level, now: Level, scale: int) -> NDArray[np.uint8]:
    data = difference_picture(compare_levels(was, now, []), scale)
    assert is_marked_png(data)
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert picture.shape == (now.height * scale, now.width * scale, 3)
    return picture


def has(picture: NDArray[np.uint8], color: tuple[int, int, int]) -> NDArray[np.bool_]:
    result: NDArray[np.bool_] = (picture == color).all(axis=2)
    return result


def cell(picture: NDArray[np.uint8], x: int, y: int, scale: int) -> NDArray[np.uint8]:
    return picture[y * scale : (y + 1) * scale, x * scale : (x + 1) * scale]


BLANK = np.zeros((6, 8), np.uint8)


@each_case("scale", [3, 4, 8, 16, 24])
def test_connected_changed_cells_have_one_frame_and_keep_their_colours(scale: int) -> None:
    changed = BLANK.copy()
    changed[2:4, 3:6] = 1
    was, now = level(BLANK), level(changed)
    picture, plain = pixels(was, now, scale), preview_pixels(now, scale=scale)[0]
    line = max(1, scale // 8)
    expected = np.zeros((6 * scale, 8 * scale), bool)
    expected[2 * scale : 4 * scale, 3 * scale : 6 * scale] = True
    expected[2 * scale + line : 4 * scale - line, 3 * scale + line : 6 * scale - line] = False
    assert np.array_equal(has(picture, FRAME), expected)
    inside = np.s_[2 * scale + line : 4 * scale - line, 3 * scale + line : 6 * scale - line]
    assert np.array_equal(picture[inside], plain[inside])
    # Equal cells are darker and have less colour.
    here, before = cell(picture, 0, 0, scale).astype(int), cell(plain, 0, 0, scale).astype(int)
    assert here.sum() < before.sum() * 0.8
    assert np.ptp(here, axis=2).max() < np.ptp(before, axis=2).max()


@pytest.mark.parametrize("scale", [1, 2])
def test_small_cells_are_tinted(scale: int) -> None:
    changed = BLANK.copy()
    changed[1, 1] = 1
    picture = pixels(level(BLANK), level(changed), scale).astype(int)
    tinted = cell(picture, 1, 1, scale)  # type: ignore[arg-type]
    assert np.abs(tinted - FRAME).max() < 64
    assert np.abs(cell(picture, 5, 5, scale) - FRAME).max() > 64  # type: ignore[arg-type]


def test_equal_levels_are_drawn_as_they_are() -> None:
    item = level(BLANK, PlacedObject(1, "chest", 1, 1))
    assert np.array_equal(pixels(item, item, 8), preview_pixels(item, scale=8)[0])


@pytest.mark.parametrize("scale", [1, 4, 16])
def test_objects_are_marked_by_what_became_of_them(scale: int) -> None:
    large = np.zeros((40, 40), np.uint8)
    was = level(large, PlacedObject(1, "chest", 5, 5), PlacedObject(2, "rat", 35, 5))
    now = level(large, PlacedObject(1, "chest", 5, 30), PlacedObject(2, "bat", 35, 35))
    picture = pixels(was, now, scale)
    for color, at in ((ADDED, (35, 35)), (REMOVED, (35, 5)), (MOVED, (5, 30))):
        rows, columns = np.nonzero(has(picture, color))
        assert rows.size, color
        far = max(abs(rows - at[1] * scale).min(), abs(columns - at[0] * scale).min())
        assert far <= max(scale, 11)
    # The line reaches from one cell to the other.
    middle = has(picture, MOVED)[10 * scale : 20 * scale]
    assert middle.any(axis=1).all()


def test_an_object_with_other_properties_has_a_ring_and_no_line() -> None:
    was = level(BLANK, PlacedObject(1, "chest", 4, 3, {"gold": 1}))
    now = level(BLANK, PlacedObject(1, "chest", 4, 3, {"gold": 2}))
    white = has(pixels(was, now, 16), MOVED)
    assert white.any()
    assert not has(pixels(was, was, 16), MOVED).any() or white.sum() > 20


def test_marks_at_the_edge_are_cut() -> None:
    corners = [(0, 0), (7, 0), (0, 5), (7, 5)]
    things = [PlacedObject(n, "rat", x, y) for n, (x, y) in enumerate(corners, 1)]
    for was, now in (((), things), (things, ()), (things[:1], things[3:])):
        pixels(level(BLANK, *was), level(BLANK, *now), 8)
    # One that stood where the level is not any more.
    pixels(level(np.zeros((9, 12)), PlacedObject(1, "rat", 11, 8)), level(BLANK), 8)


def test_new_cells_of_a_larger_level_are_changed() -> None:
    result = changed_cells(compare_levels(level(BLANK[:4, :5]), level(BLANK), []))
    expected = np.ones((6, 8), bool)
    expected[:4, :5] = False
    assert np.array_equal(result, expected)


def test_layers_that_are_not_drawn_count_only_if_no_other_changed() -> None:
    changed, far = BLANK.copy(), BLANK.copy()
    changed[1, 1], far[5, 7] = 1, 1

    def both(ground: object, data: object) -> Level:
        hidden = level(data, role="data").layers["ground"]
        return replace(
            level(ground), layers={**level(ground).layers, "data": replace(hidden, name="data")}
        )

    result = changed_cells(compare_levels(both(BLANK, BLANK), both(changed, far), []))
    assert np.array_equal(result, changed == 1)
    result = changed_cells(compare_levels(both(BLANK, BLANK), both(BLANK, far), []))
    assert np.array_equal(result, far == 1)


def test_an_added_layer_changed_where_something_lies() -> None:
    cells = np.full((6, 8), 2, np.uint8)
    cells[2, 3] = 1
    item = level(BLANK)
    roof = replace(level(cells).layers["ground"], name="roof")
    two = replace(item, layers={**item.layers, "roof": roof})
    for was, now in ((item, two), (two, item)):
        assert np.argwhere(changed_cells(compare_levels(was, now, []))).tolist() == [[2, 3]]


@each_case("shape", [(6, 8), (12, 16), (3, 4), (7, 9)])
def test_samples_of_another_size_mark_the_cells_they_lie_in(shape: tuple[int, int]) -> None:
    def relief(at: tuple[int, int] | None) -> Level:
        samples = np.zeros(shape, np.uint16)
        if at is not None:
            samples[at] = 9
        layer = Layer(
            "relief", "heights", samples, "test", heights=HeightRange(), grid_aligned=False
        )
        return Level("test", 8, 6, layers={"relief": layer})

    for at in np.ndindex(shape):
        result = changed_cells(compare_levels(relief(None), relief(at), []))
        rows = [y for y in range(6) if _covers(y, 6, at[0], shape[0])]
        columns = [x for x in range(8) if _covers(x, 8, at[1], shape[1])]
        expected = np.zeros((6, 8), bool)
        expected[np.ix_(rows, columns)] = True
        assert np.array_equal(result, expected)


def _covers(cell: int, cells: int, sample: int, samples: int) -> bool:
    """Whether a cell takes a sample: those from its first to before the next cell's first."""
    first, following = cell * samples // cells, (cell + 1) * samples // cells
    return first <= sample < max(following, first + 1)
