"""Maps that come with Tiled: every cell is read as in Tiled's own csv."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine_harness import Tiled
from engine_harness.levels import write_level
from engine_harness.tiled_maps import meanings, tile_layers
from exporter.build.build import build_level
from exporter.handmade.maps import HandLayer, HandMap
from exporter.handmade.tiled.maps import read_tiled_map
from exporter.model.errors import ParameterError
from exporter.reading.reader import parse_level
from hand_tiled import ENCODINGS, drawn, group, layer, properties, things, tileset

EXAMPLES = Path("/usr/share/doc/tiled/examples")
SIX_NEIGHBOURS = "levels have square cells (choose orthogonal or isometric"
WITHOUT_FLIPS = 0x0FFFFFFF
# Refused maps, and why. All others are read.
REFUSED = {
    "hexagonal-mini.tmx": SIX_NEIGHBOURS,
    "isometric_staggered_grass_and_water.tmx": SIX_NEIGHBOURS,
    "test_hexagonal_tile_60x60x30.tmx": SIX_NEIGHBOURS,
}


@pytest.fixture(scope="session")
def examples(tiled: Tiled, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example maps as files that are not packed."""
    if not EXAMPLES.is_dir():
        pytest.skip("the examples of Debian's package tiled are not installed")
    folder = tmp_path_factory.mktemp("examples")
    for path in sorted(EXAMPLES.rglob("*")):
        position = folder / path.relative_to(EXAMPLES)
        if path.suffix == ".gz":
            position.with_suffix("").parent.mkdir(parents=True, exist_ok=True)
            position.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
        elif path.is_file():
            position.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, position)
    return folder


def read(path: Path) -> HandMap:
    return read_tiled_map(
        path.read_bytes(), path.name, lambda name: (path.parent / name).read_bytes()
    )


def as_tiled_tells(tiled: Tiled, path: Path, scratch: Path) -> dict[str, NDArray[np.int64]]:
    """The cells of every layer as Tiled's csv has them: numbers in their tileset, -1 for none."""
    scratch.mkdir(parents=True)
    # With one layer the file has the requested name, else each file is named after its layer.
    command_output = scratch / "map.csv"
    try:
        tiled.save_as(path, command_output)
    except AssertionError:
        if not list(scratch.iterdir()):
            raise
    result = {}
    for file in scratch.iterdir():
        name = file.stem.removeprefix("map").removeprefix("_")
        lines = file.read_text().split()
        cells = np.array([[int(item) for item in line.split(",")] for line in lines])
        result[name] = np.where(cells == -1, -1, cells & WITHOUT_FLIPS)
    return result


def own_numbers(item: HandLayer) -> NDArray[np.int64]:
    """The numbers of a layer in their tilesets, from what messages call them; -1 for none."""
    numbers = np.full(item.cells.shape, -1)
    for number, tile in item.tiles.items():
        numbers[item.cells == number] = int(tile.source.split()[1])
    return numbers


def test_every_example_is_read_exactly_or_refused(
    tiled: Tiled, examples: Path, tmp_path: Path
) -> None:
    maps = sorted(examples.rglob("*.tmx"))
    assert len(maps) >= 20
    compared = 0
    for position, path in enumerate(maps):
        name = path.relative_to(examples).as_posix()
        try:
            result = read(path)
        except ParameterError as error:
            assert REFUSED[name] in error.message, name
            continue
        else:
            assert name not in REFUSED
        if not result.layers:
            continue  # nothing but objects: the next test looks at them
        reported = as_tiled_tells(tiled, path, tmp_path / str(position))
        layers = {item.name: item for item in result.layers}
        for expected, cells in reported.items():
            own = layers[expected] if expected else result.layers[0]
            assert np.array_equal(own_numbers(own), cells), (name, expected)
            compared += 1
    assert compared >= 25


def test_objects_of_the_examples_are_those_of_the_file(examples: Path) -> None:
    island = read(examples / "rpg" / "island.tmx")
    assert [(item.kind or item.name) for item in island.objects] == ["start"]
    assert sorted(area.kind for area in island.areas) == ["exit", "rest"]
    knight = read(examples / "sticker-knight" / "map" / "sandbox.tmx")
    assert len(knight.objects) + len(knight.areas) == 114
    assert not knight.layers


def built_map(language: str, encoding: str, **values: Any) -> bytes:
    random = np.random.default_rng(7)
    cells = random.integers(0, 3, (20, 30)).astype(np.uint32)
    flipped = cells | np.where(cells > 0, random.integers(0, 8, cells.shape) << 29, 0)
    roof = np.zeros_like(cells)
    roof[3:5, 4:9] = 3
    tiles = {
        0: {"type": "wall"},
        1: {"type": "floor"},
        2: {"type": "roof", "properties": properties(walkable=True, opaque=True)},
    }
    return drawn(
        layer("walls", flipped.astype(np.uint32), encoding=encoding),
        group("upper", layer("roof", roof, encoding=encoding)),
        things(
            "things",
            {"id": 1, "name": "exit", "x": 24.0, "y": 40.0, "point": True},
            {"id": 2, "name": "hall", "x": 32, "y": 48, "width": 64, "height": 32},
        ),
        language=language,
        tilesets=[tileset(tiles, image="walls.png", imagewidth=128, imageheight=128)],
        **values,
    )


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("language", ["tmx", "tmj"])
def test_a_map_that_tiled_writes_makes_a_level_that_tiled_reads(
    tiled: Tiled, tmp_path: Path, language: str, encoding: str
) -> None:
    first = tmp_path / "first.tmx"
    first.write_bytes(built_map("tmx", encoding))
    if encoding == "tiles":  # Tiled's JSON has no such cells
        language = "tmx"
    written = tmp_path / f"village.{language}"
    tiled.save_as(first, written)
    plan = f"{{generator: from_tiled, file: village.{language}, layer: walls}}"
    text = f"size: [30, 20]\nlayers:\n  plan: {plan}\n"
    level = build_level(parse_level(text.encode(), "village.level.yaml", tmp_path))
    drawn_cells = read(first).layers[0].cells
    assert np.array_equal(level.layers["plan"].cells, drawn_cells)
    assert [(item.name, item.x, item.y) for item in level.objects] == [("exit", 1, 2)]
    assert [room.name for room in level.layers["plan"].rooms] == ["hall"]

    out = tmp_path / "out"
    out.mkdir()
    write_level("tiled", level, out, "maps", encoding="zlib")
    back = out / "back.tmj"
    tiled.save_as(out / "village.tmj", back)
    names = meanings(out / "village.tmj")
    reported = [names[gid][1] if gid else "empty" for gid in tile_layers(back)["plan"].ravel()]
    known = {tile.id: tile.name for tile in level.layers["plan"].tiles}
    assert reported == [known[number] for number in level.layers["plan"].cells.ravel().tolist()]
    # Our own map is read as one that was drawn, with its objects.
    again = (
        "size: [30, 20]\nlayers:\n  plan: {generator: from_tiled, file: back.tmj, layer: plan}\n"
    )
    second = build_level(parse_level(again.encode(), "again.level.yaml", out))
    assert np.array_equal(second.layers["plan"].walkable, level.layers["plan"].walkable)
    assert np.array_equal(second.layers["plan"].opaque, level.layers["plan"].opaque)
    assert [(item.name, item.x, item.y) for item in second.objects] == [("exit", 1, 2)]
