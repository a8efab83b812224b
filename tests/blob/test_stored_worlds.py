"""Reading exported worlds: windows, visibility, and hostile descriptions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporter
from cases import each_case
from exporter.blob.worlds import StoredWorld, read_world, world_of
from exporter.build.build import build_level
from exporter.build.world import World
from exporter.model.errors import BlobError
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS

SPEC = b"""\
size: [150, 90]
chunk: 64
layers:
  caves: {generator: cellular_caves}
  relief: {generator: heightmap, role: data}
visibility: {radius: 7, algorithm: RULE}
"""


def write(folder: Path, rule: str = "symmetric") -> tuple[StoredWorld, Level]:
    spec = parse_level(SPEC.replace(b"RULE", rule.encode()), "cavern.level.yaml")
    world = World(spec)
    known = world.surveyed()
    target = TARGETS.get("tiled")
    options = target.options(path="tiled", bitmaps=False)
    files: list[Any] = []
    for row in range(world.rows):
        for column in range(world.columns):
            part = world.part(column, row, known)
            files += target.export_part(part, options, "tiled").artifacts
    files += target.export_world(world.part(1, 1, known), options, "tiled").artifacts
    for file in files:
        position = folder / file.name
        position.parent.mkdir(exist_ok=True)
        position.write_bytes(file.data)
    return read_world(folder / "cavern.world.json"), build_level(spec)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[StoredWorld, Level, Path]:
    folder = tmp_path_factory.mktemp("world")
    return (*write(folder), folder)


@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_any_window_has_the_cells_of_the_whole(
    stored: tuple[StoredWorld, Level, Path], data: st.DataObject
) -> None:
    world, whole, _ = stored
    x, y = data.draw(st.integers(0, 149)), data.draw(st.integers(0, 89))
    width, height = data.draw(st.integers(1, 150 - x)), data.draw(st.integers(1, 90 - y))
    world.retained_parts = data.draw(st.integers(1, 6))
    for name, layer in whole.layers.items():
        cells = world.cells(name, x, y, width, height)
        np.testing.assert_array_equal(cells, layer.cells[y : y + height, x : x + width])
        assert cells.dtype == layer.cells.dtype


@pytest.mark.parametrize("rule", ["symmetric", "shadowcast", "raycast"])
def test_a_cell_sees_what_it_sees_in_the_whole(tmp_path: Path, rule: str) -> None:
    world, whole = write(tmp_path, rule)
    assert whole.visibility is not None
    for x, y in [(0, 0), (63, 63), (64, 64), (149, 89), (70, 5), (5, 66), (127, 40)]:
        table = np.pad(whole.visibility.visible_from(x, y), 7)
        np.testing.assert_array_equal(world.visible_from(x, y), table[y : y + 15, x : x + 15])


def test_what_is_outside_is_refused(stored: tuple[StoredWorld, Level, Path]) -> None:
    world, _, _ = stored
    for window in [(-1, 0, 5, 5), (0, 0, 151, 1), (149, 89, 2, 1), (0, 0, 0, 1)]:
        with pytest.raises(ValueError, match=r"window|inside"):
            world.cells("caves", *window)
    with pytest.raises(ValueError, match="no layer 'nothing'"):
        world.cells("nothing", 0, 0, 1, 1)
    with pytest.raises(ValueError, match="the cell"):
        world.visible_from(150, 0)
    with pytest.raises(ValueError, match="no chunk"):
        world.part(3, 0)


def test_parts_that_are_missing_damaged_or_others_are_reported(tmp_path: Path) -> None:
    world, _ = write(tmp_path)
    part = tmp_path / "cavern.world" / "cavern.1_0.lvb"
    data = part.read_bytes()
    part.unlink()
    with pytest.raises(BlobError, match="cannot be read"):
        world.part(1, 0)
    part.write_bytes(data[:-20])
    with pytest.raises(BlobError):
        world.part(1, 0)
    part.write_bytes((tmp_path / "cavern.world" / "cavern.2_1.lvb").read_bytes())
    with pytest.raises(BlobError, match="its chunk of the world has 64 x 64"):
        world.part(1, 0)
    part.write_bytes(data)
    assert world.part(1, 0).width == 64


@each_case(
    "change",
    [
        {"format": "other"},
        {"version": 2},
        {"size": [70000, 4]},
        {"size": [4]},
        {"size": [True, 4]},
        {"chunk": 100},
        {"chunk": 64.0},
        {"parts": "../../etc/{column}_{row}"},
        {"parts": "/etc/x.world/x.{column}_{row}"},
        {"parts": "x.world/x.{column}_{row:9999999}"},
        {"layers": 5},
        {"layers": [{}]},
        {"visibility": {"layer": "caves", "algorithm": "x", "radius": 1000, "see_walls": False}},
        {"visibility": {"layer": "none", "algorithm": "x", "radius": 4, "see_walls": False}},
        {"visibility": 3},
    ],
)
def test_hostile_descriptions_are_refused(
    stored: tuple[StoredWorld, Level, Path], change: dict[str, Any]
) -> None:
    description = json.loads((stored[2] / "cavern.world.json").read_text()) | change
    with pytest.raises(BlobError, match="description of the world cannot be read"):
        world_of(json.dumps(description).encode(), lambda _: b"")


@each_case("data", [b"", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_description_is_refused(data: bytes) -> None:
    with pytest.raises(BlobError):
        world_of(data, lambda _: b"")


def test_it_is_part_of_the_public_names(stored: tuple[StoredWorld, Level, Path]) -> None:
    assert exporter.read_world is read_world
    assert isinstance(stored[0], exporter.StoredWorld)
