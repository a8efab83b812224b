"""Wave function collapse: every square of the result occurs in the sample, or it says so."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cases import each_case
from exporter.generators import Generated, Request
from exporter.generators import wave_function_collapse as wfc
from exporter.generators._legend import TileOptions
from exporter.kernels import wave_function
from exporter.model.errors import ParameterError
from exporter.streams import PortableStream, open_stream

SAMPLE = """
..........
..######..
..#....#..
..#....+..
..#....#..
..####.#..
.....#.#..
.....#.#..
.....###..
..........
""".strip()


def make(width: int, height: int, seed: int = 1, **values: Any) -> Generated:
    files = values.pop("files", {})
    stream = open_stream("portable", seed, "map")
    request = Request("map", width, height, stream, read_file=files.__getitem__)
    return wfc.generate(wfc.WaveFunctionCollapse(**values), request)


def squares(grid: np.ndarray, size: int, wrap: bool) -> set[bytes]:
    """All squares of a grid."""
    if wrap:
        grid = np.pad(grid, ((0, size - 1), (0, size - 1)), mode="wrap")
    windows = np.lib.stride_tricks.sliding_window_view(grid, (size, size))
    return {np.ascontiguousarray(square).tobytes() for square in windows.reshape(-1, size, size)}


def drawn(result: Generated) -> np.ndarray:
    """The result in the sample's characters."""
    glyphs = {"floor": ".", "wall": "#", "door": "+"}
    table = {tile.id: ord(glyphs[tile.name]) for tile in result.tiles}
    return np.vectorize(table.__getitem__, otypes=[np.uint8])(result.cells)


@given(
    width=st.integers(1, 25),
    height=st.integers(1, 25),
    seed=st.integers(0, 999),
    pattern=st.integers(2, 3),
    symmetry=st.booleans(),
    wrap=st.booleans(),
    periodic=st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_every_square_of_the_map_occurs_in_the_sample(
    width: int, height: int, seed: int, pattern: int, symmetry: bool, wrap: bool, periodic: bool
) -> None:
    result = make(
        width,
        height,
        seed,
        sample=SAMPLE,
        pattern=pattern,
        symmetry=symmetry,
        periodic_sample=wrap,
        periodic=periodic,
    )
    assert result.cells.shape == (height, width)
    assert result.complete == (result.report["undecided"] == 0)
    if not result.complete or width < pattern or height < pattern:
        return
    sample = np.array([list(line.encode()) for line in SAMPLE.split("\n")], np.uint8)
    known: set[bytes] = set()
    for quarter in range(4 if symmetry else 1):
        turned = np.rot90(sample, quarter)
        known |= squares(turned, pattern, wrap)
        if symmetry:
            known |= squares(np.fliplr(turned), pattern, wrap)
    if symmetry and wrap:
        # Squares over the sample's edge are turned as squares, not with the whole sample.
        known |= {
            np.ascontiguousarray(variant).tobytes()
            for square in squares(sample, pattern, True)
            for quarter in range(4)
            for variant in (
                np.rot90(np.frombuffer(square, np.uint8).reshape(pattern, pattern), quarter),
                np.fliplr(
                    np.rot90(np.frombuffer(square, np.uint8).reshape(pattern, pattern), quarter)
                ),
            )
        }
    assert squares(drawn(result), pattern, periodic) <= known


def terrain(**values: Any) -> dict[str, Any]:
    names = ("sea", "sand", "grass", "rock")
    return {
        "tiles": tuple(wfc.WeightedTile(name=name) for name in names),
        "adjacent": tuple(pairwise(names)),
        **values,
    }


@given(
    width=st.integers(1, 30),
    height=st.integers(1, 30),
    seed=st.integers(0, 999),
    periodic=st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_only_listed_tiles_touch(width: int, height: int, seed: int, periodic: bool) -> None:
    result = make(width, height, seed, **terrain(periodic=periodic))
    assert result.complete
    cells = result.cells.astype(int)
    assert np.abs(np.diff(cells, axis=0)).max(initial=0) <= 1
    assert np.abs(np.diff(cells, axis=1)).max(initial=0) <= 1
    if periodic:
        assert np.abs(cells[0] - cells[-1]).max() <= 1
        assert np.abs(cells[:, 0] - cells[:, -1]).max() <= 1


def test_left_right_and_upper_lower_pairs_have_a_direction() -> None:
    tiles = tuple(wfc.WeightedTile(name=name, alone=True) for name in ("a", "b"))
    result = make(2, 1, tiles=tiles, beside=(("a", "b"),))
    assert result.cells.tolist() == [[0, 1]]
    result = make(1, 2, tiles=tiles, above=(("b", "a"),))
    assert result.cells.tolist() == [[1], [0]]


def test_heavy_tiles_are_commoner_than_light_ones() -> None:
    tiles = (wfc.WeightedTile(name="a", weight=1), wfc.WeightedTile(name="b", weight=9))
    result = make(50, 50, tiles=tiles, adjacent=(("a", "b"),))
    assert 0.85 < result.cells.mean() < 0.95


def test_what_cannot_be_solved_ends_after_the_attempts_and_says_so() -> None:
    tiles = tuple(wfc.WeightedTile(name=name, alone=True) for name in ("a", "b"))
    result = make(7, 3, tiles=tiles, adjacent=(("a", "b"),), periodic=True, attempts=3)
    assert not result.complete
    assert result.report["attempts"] == 3
    assert result.report["undecided"] > 0
    assert result.cells.shape == (3, 7)
    lonely = make(4, 4, tiles=tiles[:1], attempts=2)
    assert not lonely.complete


def test_a_picture_can_be_the_sample() -> None:
    image = Image.new("RGB", (8, 8), "#ffffff")
    for step in range(8):
        image.putpixel((3, step), (10, 20, 30))
    buffer = BytesIO()
    image.save(buffer, "PNG")
    files = {"s.png": buffer.getvalue()}
    result = make(20, 20, sample_image="s.png", symmetry=False, files=files)
    assert result.complete
    assert [tile.name for tile in result.tiles] == ["color_0a141e", "color_ffffff"]
    assert [tile.walkable for tile in result.tiles] == [False, True]
    assert (result.cells == result.cells[0]).all()
    colors = {"#ffffff": TileOptions(name="snow"), "#0a141e": TileOptions(name="ice")}
    named = make(20, 20, sample_image="s.png", symmetry=False, colors=colors, files=files)
    assert {tile.name for tile in named.tiles} == {"snow", "ice"}
    del colors["#ffffff"]
    with pytest.raises(ParameterError, match="#ffffff"):
        make(9, 9, sample_image="s.png", colors=colors, files=files)


@each_case(
    ("values", "path", "text"),
    [
        ({}, ("sample",), "exactly one"),
        ({"sample": "#", **terrain()}, ("tiles",), "sample, tiles"),
        ({"sample": "#."}, ("sample",), "3 x 3"),
        ({"sample": "#. \n...\n..."}, ("sample",), "spaces"),
        (terrain(adjacent=(("sea", "lava"),)), ("adjacent", 0), "'lava'"),
        (terrain(above=(("sea", "sea"), ("mud", "sea"))), ("above", 1), "'mud'"),
        ({"tiles": (wfc.WeightedTile(name="a"),) * 2}, ("tiles", 1), "two tiles"),
    ],
)
def test_what_is_no_sample_is_refused_at_its_position(
    values: dict[str, Any], path: tuple[Any, ...], text: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        make(9, 9, **values)
    assert caught.value.path == path
    assert text in caught.value.message


def test_work_and_patterns_have_a_limit() -> None:
    with pytest.raises(ParameterError, match="too many") as caught:
        make(2000, 2000, sample=SAMPLE)
    assert caught.value.path == ("size",)
    random = np.random.default_rng(1).integers(0, 4, (60, 60))
    sample = "\n".join("".join(".#+~"[cell] for cell in row) for row in random)
    with pytest.raises(ParameterError, match="different patterns"):
        make(9, 9, sample=sample)


def test_collapsing_is_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = make(12, 9, 3, sample=SAMPLE)
    slow_kernel = interpreted("wave_function")
    monkeypatch.setattr(wave_function, "collapse", slow_kernel.collapse)
    slow = make(12, 9, 3, sample=SAMPLE)
    assert np.array_equal(fast.cells, slow.cells)
    assert fast.report == slow.report


def test_an_attempt_depends_on_its_stream_alone() -> None:
    patterns = wfc.patterns_of_pairs([1, 1], {(0, 0), (1, 1), (0, 1), (1, 0)}, {(0, 0), (1, 1)})
    first = wfc.try_once(patterns, 9, 9, False, PortableStream((1, "a")))
    again = wfc.try_once(patterns, 9, 9, False, PortableStream((1, "a")))
    other = wfc.try_once(patterns, 9, 9, False, PortableStream((1, "b")))
    assert np.array_equal(first[0], again[0])
    assert not np.array_equal(first[0], other[0])
