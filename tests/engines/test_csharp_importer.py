"""Unity's importer without Unity: compiled as C# 7 against stand-ins with Unity's signatures, and
run on what the exporter's own Unity target wrote. What it builds is compared cell by cell."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Mono
from engine_harness.drawn_levels import drawn_level
from engine_harness.folders import CORE, PACKAGE, VECTORS, vector_manifest
from engine_harness.levels import awkward_level, layer_of
from engine_harness.unity_importer import (
    NEW_UNITY,
    UnityImporter,
    export,
    importer_sources,
)
from exporter.model.level import HeightRange, Layer, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import Tileset, level_tileset
from terrain_sheets import LEGEND, OPTIONS, island, terrain_pixels


def expected_cells(level: Level, layer: Layer, tileset: Tileset) -> list[Any]:
    """Return name, left and bottom pixel and shape of every cell, bottom row first."""
    numbers = tileset.numbers(layer)[::-1].ravel().tolist()
    cells: list[Any] = []
    for number in numbers:
        if number < 0:
            cells.append(None)
            continue
        left, top = tileset.corner(number)
        tile = tileset.tiles[number]
        bottom = tileset.pixels.shape[0] - top - tileset.tile_size
        cells.append([tile.name, left, bottom, not (tile.walkable or tile.empty)])
    return cells


def pictured_level() -> Level:
    """A level whose tiles have variants by place and pictures by neighbours, of both kinds."""
    y, x = np.indices((19, 23))
    cells = ((x * x + y * y * 3 + x * y) % 4).astype(np.uint8)
    tiles = (
        Tile(0, "floor", True, False, "#c8b090"),
        Tile(1, "wall", False, True, "#202428"),
        Tile(2, "water", False, False, "#3366cc"),
        Tile(3, "nothing", False, False, "#000000"),
    )
    pixels = (np.arange(16 * 8 * 16 * 8 * 4) % 251).astype(np.uint8).reshape(128, 128, 4)
    options = TilesetOptions(
        image="sheet.png",
        tile_size=8,
        tiles={"floor": (1, 2, 3, 200), "wall": 16, "water": 100, "nothing": None},
        autotile={"wall": "blob", "water": "edges"},
    )
    return Level(
        "pictured",
        23,
        19,
        layers={"ground": layer_of("ground", cells, tiles)},
        tileset=TilesetSource(options, pixels),
    )


@pytest.mark.parametrize("make", [awkward_level, pictured_level, drawn_level])
@pytest.mark.parametrize("extrude", [0, 2])
def test_every_cell_of_a_tilemap_shows_the_exported_picture(
    importer: UnityImporter, tmp_path: Path, make: Any, extrude: int
) -> None:
    level = make()
    result = importer.level(export(level, tmp_path, extrude=extrude, animated=False))
    assert result["messages"] == []
    assert result["problem"] == ""
    tileset = level_tileset(level, extrude)
    maps = [child for child in result["children"] if child["cells"] is not None]
    layers = level.tile_layers()
    assert [child["name"] for child in maps] == [layer.name for layer in layers]
    for child, layer in zip(maps, layers, strict=True):
        assert child["cells"] == expected_cells(level, layer, tileset)
    for _, width, pixels_per_unit in result["sprites"]:
        assert width == tileset.tile_size == pixels_per_unit


@pytest.mark.parametrize("tile_size", [16, 15])
def test_pictures_below_and_between_the_cells_are_tilemaps_of_their_own(
    importer: UnityImporter, tmp_path: Path, tile_size: int
) -> None:
    cells = island(9, 12)
    pixels = terrain_pixels()[: 6 * tile_size, : 16 * tile_size]
    options = replace(OPTIONS, tile_size=tile_size)
    layers = {
        "ground": layer_of("ground", cells, LEGEND),
        "ground_sand": layer_of("ground_sand", cells[::-1], LEGEND),
    }
    level = Level("isle", 12, 9, layers=layers, tileset=TilesetSource(options, pixels))
    result = importer.level(export(level, tmp_path, collision="tiles"), "cellSize=2")
    assert result["messages"] == []
    tileset = level_tileset(level)
    parts = ["ground_water", "ground", "ground_sand_2", "ground_grass", "ground_rock"]
    others = ["ground_sand_water", "ground_sand", "ground_sand_sand"]
    others += ["ground_sand_grass", "ground_sand_rock"]
    assert [child["name"] for child in result["children"]] == parts + others
    assert [child["order"] for child in result["children"]] == list(range(10))
    drawings = [item for layer in layers.values() for item in tileset.drawings(layer)]
    for child, drawing in zip(result["children"], drawings, strict=False):
        numbers = drawing.numbers
        displayed = [
            None if number < 0 else list(tileset.corner(number))
            for number in numbers[::-1].ravel().tolist()
        ]
        height = tileset.pixels.shape[0] - tile_size
        assert [cell and [cell[1], height - cell[2]] for cell in child["cells"]] == displayed
        half = tile_size // 2
        at = [-2 * half / tile_size, 2 * (half - tile_size) / tile_size]
        assert child["at"] == pytest.approx(at if drawing.between_cells else [0, 0])
        # Where colliders are those of tiles, only cells have any.
        assert ("TilemapCollider2D" in child["components"]) == (not drawing.tile)


def test_objects_stand_in_their_cells_with_their_properties(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = awkward_level()
    (tmp_path / "stairs_up.prefab").write_text("a prefab")
    result = importer.level(export(level, tmp_path))
    parent = next(child for child in result["children"] if child["name"] == "objects")
    assert [thing["name"] for thing in parent["objects"]] == ["stairs_up", "chest_1", "chest_2"]
    assert all(thing["prefab"] for thing in parent["objects"])
    for thing, expected in zip(parent["objects"], level.objects, strict=True):
        assert thing["at"] == [expected.x + 0.5, level.height - expected.y - 0.5]
        assert (thing["id"], thing["kind"]) == (expected.id, expected.name)
        assert thing["cell"] == [expected.x, expected.y]
    assert parent["objects"][1]["properties"] == {
        "gold": "250", "locked": "true", "note": 'a "b"\nc'
    }  # fmt: skip
    assert parent["objects"][2]["properties"] == {"weight": "0.1", "owner": ""}
    assert result["back"] is True


def test_sub_assets_keep_their_names_when_a_level_changes(
    importer: UnityImporter, tmp_path: Path
) -> None:
    before = importer.level(export(awkward_level(), tmp_path / "a"))
    level = awkward_level()
    level.layers["ground"].cells[3, 4] = 1
    after = importer.level(export(level, tmp_path / "b"))
    assert set(before["identifiers"]) == set(after["identifiers"])
    assert {"root", "level", "terrain:relief"} <= set(before["identifiers"])
    numbers = [name for name in before["identifiers"] if name.startswith("tile:")]
    assert len(numbers) == len(set(numbers)) > 4


def test_the_level_is_imported_again_when_its_tileset_changes(
    importer: UnityImporter, tmp_path: Path
) -> None:
    result = importer.level(export(awkward_level(), tmp_path))
    stem = (tmp_path / "crypt").as_posix()
    assert {f"{stem}.tileset.json", f"{stem}.tileset.png"} <= set(result["sources"])


@pytest.mark.parametrize(("side", "resolution"), [(33, 33), (65, 65), (40, 65)])
def test_terrain_rows_begin_at_the_bottom(
    importer: UnityImporter, tmp_path: Path, side: int, resolution: int
) -> None:
    y, x = np.indices((side, side))
    samples = ((x * 4001 + y * 2999) % 65536).astype(np.uint16)
    relief = Layer("relief", "heights", samples, "test", heights=HeightRange(-5.0, 45.0))
    level = Level("hills", side, side, layers={"relief": relief})
    result = importer.level(export(level, tmp_path))
    (terrain,) = result["terrains"]
    assert terrain["resolution"] == resolution
    assert terrain["size"] == [side, 50.0, side]
    heights = np.array(terrain["heights"]).reshape(resolution, resolution)
    scaled = samples[::-1].astype(np.float32) / np.float32(65535)
    if side == resolution:
        np.testing.assert_array_equal(heights, scaled)
    corners = np.ix_([0, -1], [0, -1])
    np.testing.assert_allclose(heights[corners], scaled[corners], rtol=1e-6)


def test_a_level_without_a_tileset_is_displayed_in_the_colours_of_its_legend(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = awkward_level()
    ground = level.layers["ground"]
    tiles = (replace(ground.tiles[0], name="empty", color="#ff0000"), *ground.tiles[1:])
    ground = replace(ground, tiles=tiles)
    level = replace(level, layers={**level.layers, "ground": ground})
    blob = export(level, tmp_path)
    (tmp_path / "crypt.tileset.png").unlink()
    result = importer.level(blob)
    assert "plain" in result["identifiers"]
    assert result["messages"] == []
    (displayed,) = [child["cells"] for child in result["children"] if child["name"] == "ground"]
    names = {tile.id: tile.name for tile in tiles if not tile.empty}
    expected = [names.get(cell) for cell in ground.cells[::-1].ravel().tolist()]
    assert [cell and cell[0] for cell in displayed] == expected
    assert None in expected


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", '{"tile_size": 16}', '{"tile_size": 4000, "columns": 9, "rows": 9}',
        *(
            '{"tile_size": 16, "columns": 1, "rows": 1, "layers": [{"name": "a", ' + part + "}]}"
            for part in (
                '"assets": [{"id": 70000, "paths": ["Assets/A"]}]',
                '"grids": [{"runs": "1"}]',
                '"grids": [{"runs": "1 1"}]',
                '"grids": [{"runs": "1 -2"}]',
                '"grids": [{"runs": "0 0"}]',
                '"grids": [{"runs": "9999999999 0"}]',
                '"grids": [{"runs": "1 x"}]',
            )
        ),
    ],
)  # fmt: skip
def test_a_broken_tileset_description_is_a_warning(
    importer: UnityImporter, tmp_path: Path, text: str
) -> None:
    blob = export(awkward_level(), tmp_path)
    (tmp_path / "crypt.tileset.json").write_text(text)
    result = importer.level(blob)
    assert len(result["messages"]) == 1
    assert result["messages"][0].startswith("warning")
    assert result["problem"] == ""


def test_a_file_that_is_no_level_becomes_an_object_that_says_so(
    importer: UnityImporter, tmp_path: Path
) -> None:
    path = tmp_path / "broken.lvb"
    path.write_bytes(b"this is no level at all, not even nearly one")
    result = importer.level(path)
    assert result["identifiers"] == ["root"]
    assert result["problem"] == "not a level blob"
    assert result["messages"] == [f"error {path}: not a level blob"]


def test_a_pack_becomes_an_asset_and_a_broken_one_says_why(
    importer: UnityImporter, tmp_path: Path
) -> None:
    entry = vector_manifest()["packs"][0]
    broken = tmp_path / "broken.lvp"
    broken.write_bytes((VECTORS / entry["file"]).read_bytes()[:-1])
    assert importer.run("pack", VECTORS / entry["file"]) == {
        "name": "caves", "seeds": entry["seeds"], "messages": [],
    }  # fmt: skip
    reason = "the pack has another length than it says"
    assert importer.run("pack", broken) == {
        "name": "broken", "seeds": [reason], "messages": [f"error {broken}: {reason}"],
    }  # fmt: skip


def test_exported_pictures_stay_sharp_and_others_are_left_alone(
    importer: UnityImporter, tmp_path: Path
) -> None:
    export(awkward_level(), tmp_path)
    sharp = {
        "point": True, "mipmaps": False, "largest": 16384, "compressed": False, "scaled": False,
        "pixels_per_unit": 100.0,
    }  # fmt: skip
    for name in ("crypt.ground.png", "crypt.tileset.png"):
        assert importer.run("picture", tmp_path / name) == {**sharp, "srgb": True}
    assert importer.run("picture", tmp_path / "crypt.relief.png")["srgb"] is False
    for arguments in (["hero.png"], ["crypt.ground.png", "level-exporter: off"]):
        result = importer.run("picture", tmp_path / arguments[0], *arguments[1:])
        assert result["point"] is False
        assert result["largest"] == 2048


def test_turned_tiles_look_as_in_tiled(importer: UnityImporter) -> None:
    picture = np.arange(9).reshape(3, 3)
    for flags in range(8):
        transpose, horizontal, vertical = flags & 1, flags & 2, flags & 4
        turned = picture.T if transpose else picture
        turned = turned[:, ::-1] if horizontal else turned
        turned = turned[::-1] if vertical else turned
        bits = (transpose and 0x20000000) | (horizontal and 0x80000000) | (vertical and 0x40000000)
        xx, xy, yx, yy = importer.run("turn", str(bits))
        for row in range(3):
            for column in range(3):
                x, y = column - 1, 1 - row
                to_x, to_y = xx * x + xy * y, yx * x + yy * y
                assert turned[1 - to_y, 1 + to_x] == picture[row, column]


@pytest.mark.parametrize("define", ["-define:UNITY_2021_3", NEW_UNITY])
def test_the_package_compiles_for_old_and_new_unity(
    mono: Mono, tmp_path: Path, define: str
) -> None:
    mono.compile(importer_sources(), tmp_path / "package.dll", "library", options=[define])


def test_the_core_needs_nothing_of_unity(mono: Mono, tmp_path: Path) -> None:
    mono.compile(CORE, tmp_path / "core.dll", "library")
    definition = json.loads((PACKAGE / "Runtime/Core/LevelExporter.Core.asmdef").read_text())
    assert definition["noEngineReferences"] is True
    assert definition["allowUnsafeCode"] is False
