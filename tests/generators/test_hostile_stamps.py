"""Third-party Tiled maps and drawings: read, or refused with their position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cases import each_case
from exporter.build.build import build_level
from exporter.handmade.tiled.limits import MAXIMUM_ELEMENTS
from exporter.model.errors import SpecError
from exporter.model.limits import MAXIMUM_TEXT_BYTES
from exporter.reading.reader import parse_level

SPEC = b"size: [8, 8]\nlayers:\n  a:\n    generator: prefabs\n    prefabs: [{file: a.tmj}]\n"


def tiled(width: str = "2", data: str = "[1, 2]", first: str = "1") -> str:
    layer = f'{{"type": "tilelayer", "name": "a", "width": {width}, "height": 1, "data": {data}}}'
    sizes = '"tilewidth": 16, "tileheight": 16'
    tileset = f'{{"firstgid": {first}, "name": "t", {sizes}, "tilecount": 8, "columns": 8}}'
    return (
        f'{{"type": "map", "orientation": "orthogonal", "width": {width}, "height": 1, {sizes}, '
        f'"layers": [{layer}], "tilesets": [{tileset}]}}'
    )


def refusal(folder: Path, content: str) -> str:
    (folder / "a.tmj").write_text(content)
    with pytest.raises(SpecError) as caught:
        build_level(parse_level(SPEC, "x.level.yaml", folder))
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (5, 22)
    return problem.message


def test_the_same_map_is_read_without_them(tmp_path: Path) -> None:
    (tmp_path / "a.tmj").write_text(tiled())
    assert build_level(parse_level(SPEC, "x.level.yaml", tmp_path)).layers["a"].complete


@each_case(
    "content",
    [
        tiled(width="Infinity"),
        tiled(width="1e400"),
        tiled(width="NaN"),
        tiled(width="1" * 5000),
        tiled(data="[1, 1e400]"),
        tiled(data="[1, -Infinity]"),
        tiled(data="[1, NaN]"),
        tiled(data="[1, " + "9" * 40 + "]"),
        tiled(data="[[1], [2, 3]]"),
        tiled(first="1e400"),
        "[" * 100_000,
        '{"layers": ' * 100_000,
    ],
)
def test_numbers_and_depths_beyond_all_bounds_are_refused(tmp_path: Path, content: str) -> None:
    assert refusal(tmp_path, content).startswith("a.tmj ")


def test_a_first_number_beyond_all_bounds_is_refused(tmp_path: Path) -> None:
    assert "a.tmj has `firstgid`" in refusal(tmp_path, tiled(first="1" * 40))


def test_a_width_beyond_all_bounds_is_refused(tmp_path: Path) -> None:
    assert "(allowed: " in refusal(tmp_path, tiled(width="1" + "0" * 40))


def test_a_map_that_is_larger_than_a_piece_may_be_is_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, tiled(width="513", data=str([1] * 513)))
    assert "a piece of 513 x 1 cells (allowed: 1 to 512 each way)" in message


def test_a_large_map_is_refused_before_it_is_read(tmp_path: Path) -> None:
    content = tiled(data="[" + "[]," * MAXIMUM_ELEMENTS + "1]")
    assert f"has too many lists and objects (allowed: {MAXIMUM_ELEMENTS}" in refusal(
        tmp_path, content
    )


def test_a_large_drawing_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"." * (MAXIMUM_TEXT_BYTES + 1))
    with pytest.raises(SpecError, match=f"8388609 bytes .allowed: {MAXIMUM_TEXT_BYTES}"):
        build_level(parse_level(SPEC.replace(b"tmj", b"txt"), "x.level.yaml", tmp_path))


def test_a_large_file_of_sudokus_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "grids.txt").write_bytes(b"." * (MAXIMUM_TEXT_BYTES + 1))
    spec = b"size: [8, 8]\npuzzles:\n  p: {kind: sudoku, file: grids.txt}\n"
    with pytest.raises(SpecError, match=f"8388609 bytes .allowed: {MAXIMUM_TEXT_BYTES}"):
        build_level(parse_level(spec, "x.level.yaml", tmp_path))


@pytest.mark.parametrize(("width", "height"), [(513, 1), (1, 513)])
def test_a_large_sample_is_refused(tmp_path: Path, width: int, height: int) -> None:
    Image.fromarray(np.zeros((height, width, 3), np.uint8)).save(tmp_path / "a.png")
    spec = b"size: [8, 8]\nlayers:\n  a: {generator: wave_function_collapse, sample_image: a.png}\n"
    with pytest.raises(SpecError, match=f"{width} x {height} pixels .allowed: 512 each way"):
        build_level(parse_level(spec, "x.level.yaml", tmp_path))
