"""Our Tiled maps through a third-party parser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pytiled_parser

from cases import each_case
from exporter.targets import TARGETS
from scripts import load_script
from terrain_sheets import island, terrain_level

golden = load_script("golden/update_formats.py")


@each_case("infinite", [False, True])
@each_case("encoding", ["csv", "zlib"])
@each_case("suffix", ["tmj", "tmx"])
def test_another_parser_reads_the_same_map(
    suffix: str, encoding: str, infinite: bool, tmp_path: Path
) -> None:
    level = golden.sample_level()
    target = TARGETS.get("tiled")
    options = target.options(
        path="tiled", languages=("json", "xml"), encoding=encoding, infinite=infinite, blob=False
    )
    for artifact in target.export(level, options, "tiled").artifacts:
        (tmp_path / artifact.name).write_bytes(artifact.data)
    read = pytiled_parser.parse_map(tmp_path / f"crypt.{suffix}")
    assert tuple(read.map_size) == (10, 6)
    assert read.properties["level"] == "crypt"
    assert read.properties["dark"] is True
    ground, things, objects = read.layers
    tiles = read.tilesets[1].tiles
    for layer, ours in ((ground, level.layers["ground"]), (things, level.layers["things"])):
        ids = np.zeros(ours.cells.shape, int)
        gids = np.zeros((64, 64), int)
        if infinite:
            for chunk in layer.chunks:
                x, y = int(chunk.coordinates.x), int(chunk.coordinates.y)
                gids[y : y + 16, x : x + 16] = chunk.data
        else:
            gids[:6, :10] = layer.data
        for y, x in np.ndindex(ids.shape):
            if gids[y, x]:
                ids[y, x] = tiles[gids[y, x] - 1].properties["id"]
        assert np.array_equal(ids, ours.cells)
    assert [(thing.name, thing.coordinates.x // 16) for thing in objects.tiled_objects] == [
        (thing.name, thing.x) for thing in level.objects
    ]
    assert read.tilesets[1].wang_sets[0].name == "wall"


@pytest.mark.parametrize("suffix", ["tmj", "tmx"])
def test_another_parser_reads_layers_between_the_cells(suffix: str, tmp_path: Path) -> None:
    target = TARGETS.get("tiled")
    options = target.options(path="tiled", languages=("json", "xml"), blob=False)
    for artifact in target.export(terrain_level("isle", 9, 12), options, "tiled").artifacts:
        (tmp_path / artifact.name).write_bytes(artifact.data)
    read = pytiled_parser.parse_map(tmp_path / f"isle.{suffix}")
    result = {
        layer.name: (*layer.size, *layer.offset, layer.properties["role"]) for layer in read.layers
    }
    assert result == {
        "ground_water": (12, 9, 0, 0, "picture"),
        "ground": (12, 9, 0, 0, "play"),
        "ground_sand": (13, 10, -8, -8, "picture"),
        "ground_grass": (13, 10, -8, -8, "picture"),
        "ground_rock": (12, 9, 0, 0, "picture"),
    }
    assert sorted(layer.id for layer in read.layers) == [1, 2, 3, 4, 5]
    (ground,) = [layer for layer in read.layers if layer.name == "ground"]
    assert ground.id == 1
    tiles = read.tilesets[1].tiles
    names = [["water", "sand", "grass", "rock"][cell] for cell in island(9, 12).ravel()]
    assert [tiles[gid - 1].class_ for row in ground.data for gid in row] == names
    # The cells block walking, not the pictures.
    solid = {tile.class_ for tile in tiles.values() if tile.objects}
    assert solid == {"water", "rock"}
    assert not any(tiles[16 + mask].objects for mask in range(1, 16))
    assert not any(tiles[48 + index].objects for index in range(47))
