"""Levels in tilesets of the team: where they are requested, and how they are found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cases import each_case
from engine_harness.levels import layer_of
from exporter.model.errors import LevelError, ParameterError
from exporter.model.level import BLACK, CLEAR, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS, Exported, SharedWork
from exporter.targets._godot_tilesets import GodotTile, GodotTileset
from team_tilesets import TILE_SET, GameOf

FILE = "res://art/dungeon.tres"
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "nothing", True, False, CLEAR),
)


def level(own: Any = ..., tiles: tuple[Tile, ...] = TILES) -> Level:
    cells = np.arange(60, dtype=np.uint8).reshape(6, 10) % len(tiles)
    result = Level("crypt", 10, 6, layers={"ground": layer_of("ground", cells, tiles)})
    if own is ...:
        return result
    return replace(result, tileset=TilesetSource(TilesetOptions(targets={"godot": own})))


def export(result: Level, tileset: GodotTileset | None = None, **options: Any) -> Exported:
    target = TARGETS.get("godot")
    game = GameOf({"art/dungeon.tres": TILE_SET.encode()})
    chosen = target.options(path="levels", tileset=tileset, **options)
    return target.export(result, chosen, "levels", SharedWork().within(game))


def places(exported: Exported, built: Level) -> dict[str, set[tuple[int, ...]]]:
    """The places in the TileSet that each tile of the level has."""
    import base64
    import re

    from exporter.formats.godot.tile_layers import _CELL

    scene = next(file for file in exported.artifacts if file.name.endswith(".tscn")).data.decode()
    data = re.search(r'tile_map_data = PackedByteArray\("(.*?)"\)', scene)
    result: dict[str, set[tuple[int, ...]]] = {}
    if data is None:
        return result
    layer = built.layers["ground"]
    names = {tile.id: tile.name for tile in layer.tiles}
    for x, y, *position in np.frombuffer(base64.b64decode(data[1]), _CELL, offset=2).tolist():
        result.setdefault(names[int(layer.cells[y, x])], set()).add(tuple(position))
    return result


def test_tiles_without_an_entry_are_detected_by_name() -> None:
    result = places(export(level(), GodotTileset(file=FILE)), level())
    assert result == {"floor": {(3, 0, 0, 0), (3, 1, 0, 0)}, "wall": {(3, 3, 1, 0)}}


def test_entries_come_before_names() -> None:
    tiles: Any = {
        "floor": ((0, 0), GodotTile(at=(2, 2), source=7)),
        "wall": GodotTile(at=(3, 1), alternative=1),
    }
    result = places(export(level(), GodotTileset(file=FILE, tiles=tiles)), level())
    assert result == {"floor": {(3, 0, 0, 0), (7, 2, 2, 0)}, "wall": {(3, 3, 1, 1)}}


def test_a_tile_may_stay_empty() -> None:
    built = level()
    result = places(
        export(built, GodotTileset(file=FILE, tiles={"wall": None, "floor": ()})), built
    )
    assert result == {}


def test_a_level_adds_to_the_tiles_of_the_project() -> None:
    result = level(GodotTileset(tiles={"wall": (4, 2)}))
    project = GodotTileset(file=FILE, tiles={"wall": (0, 0), "floor": (1, 0)})
    assert places(export(result, project), result) == {
        "floor": {(3, 1, 0, 0)},
        "wall": {(3, 4, 2, 0)},
    }


def test_a_level_may_have_a_tileset_of_the_team_alone() -> None:
    result = level(GodotTileset(file=FILE))
    assert places(export(result), result)["wall"] == {(3, 3, 1, 0)}


def test_a_level_may_have_the_tiles_of_the_exporter() -> None:
    exported = export(level(None), GodotTileset(file=FILE))
    assert "crypt.tileset.tres" in {file.name for file in exported.artifacts}


def test_no_tileset_is_written() -> None:
    exported = export(level(), GodotTileset(file=FILE))
    assert not [file.name for file in exported.artifacts if "tileset" in file.name]
    scene = next(file for file in exported.artifacts if file.name == "crypt.tscn").data
    assert b'type="TileSet" uid="uid://b7tea0mt1les" path="res://art/dungeon.tres"' in scene


def test_a_tileset_without_a_uid_is_detected_by_its_path() -> None:
    text = TILE_SET.replace(' uid="uid://b7tea0mt1les"', "")
    target = TARGETS.get("godot")
    options = target.options(path="levels", tileset=GodotTileset(file=FILE))
    game = GameOf({"art/dungeon.tres": text.encode()})
    exported = target.export(level(), options, "levels", SharedWork().within(game))
    scene = next(file for file in exported.artifacts if file.name == "crypt.tscn").data
    assert b'[ext_resource type="TileSet" path="res://art/dungeon.tres" id="1"]' in scene


def test_layers_are_those_of_the_tileset() -> None:
    exported = export(level(), GodotTileset(file=FILE))
    scene = next(file for file in exported.artifacts if file.name == "crypt.tscn").data.decode()
    assert "collision_layer = 4\ncollision_mask = 0\n" in scene
    assert "navigation_layers = 2\n" in scene
    assert "occluder_light_mask = 6\n" in scene


@pytest.mark.parametrize(("tileset", "mask"), [(None, 1), (GodotTileset(file=FILE), 0)])
def test_layers_of_the_target_come_first(tileset: GodotTileset | None, mask: int) -> None:
    exported = export(level(), tileset, collision_layer=8)
    scene = next(file for file in exported.artifacts if file.name == "crypt.tscn").data.decode()
    if tileset is None:
        # 1 is the engine's default, which scenes leave out.
        assert "collision_layer = 8\n" in scene
        assert "collision_mask" not in scene
    else:
        assert "collision_layer = 8\ncollision_mask = 0\n" in scene


def test_layers_of_the_target_are_in_its_own_tileset() -> None:
    exported = export(level(), collision="tiles", collision_layer=8)
    resource = next(file for file in exported.artifacts if file.name.endswith(".tres")).data
    assert b"physics_layer_0/collision_layer = 8\nphysics_layer_0/collision_mask = 1\n" in resource


@each_case(
    ("tileset", "path", "expected"),
    [
        ({}, ("tileset",), "'file' is missing"),
        ({"file": "res://art/dungeon.res"}, ("tileset", "file"), "save it as .tres"),
        ({"file": "res://art/other.tres"}, ("tileset", "file"), "cannot be read"),
        ({"file": FILE, "tiles": {"wall": (9, 9)}}, ("tileset", "tiles", "wall"), "no tile at"),
        ({"file": FILE, "tiles": {"wall": ((0, 0), (9, 9))}}, ("tileset", "tiles", "wall", 1),
         "no tile at"),
        ({"file": FILE, "tiles": {"wall": GodotTile(terrain="Wal")}},
         ("tileset", "tiles", "wall", "terrain"), "unknown terrain"),
        ({"file": FILE, "tiles": {"wall": GodotTile()}}, ("tileset", "tiles", "wall"), "'at'"),
        ({"file": FILE, "tiles": {"wall": GodotTile(at=(0, 0), terrain="x")}},
         ("tileset", "tiles", "wall", "at"), "`at` has no effect"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_reported_where_it_is_named(
    tileset: dict[str, Any], path: tuple[str | int, ...], expected: str
) -> None:
    with pytest.raises(ParameterError, match=expected) as result:
        export(level(), GodotTileset(**tileset))
    assert result.value.path == path
    assert not isinstance(result.value, LevelError)
    with pytest.raises(LevelError, match=expected) as result:
        export(level(GodotTileset(**tileset)))
    assert result.value.path == ("tileset", "targets", "godot", *path[1:])


def test_an_entry_of_the_project_is_reported_there() -> None:
    project = GodotTileset(file=FILE, tiles={"wall": (9, 9)})
    with pytest.raises(ParameterError) as result:
        export(level(GodotTileset(tiles={"floor": (0, 0)})), project)
    assert not isinstance(result.value, LevelError)
    assert result.value.path == ("tileset", "tiles", "wall")


def test_all_tiles_without_a_position_are_reported_at_once() -> None:
    tiles = (*TILES, Tile(3, "lava", False, False, CLEAR), Tile(4, "door", True, True, CLEAR))
    with pytest.raises(ParameterError) as result:
        export(level(tiles=tiles), GodotTileset(file=FILE))
    assert "tiles 'lava', 'door' have no match in res://art/dungeon.tres" in result.value.message
    assert "which has Floor, wall" in result.value.message
    assert result.value.path == ("tileset", "tiles")


def test_names_that_a_level_does_not_have_are_reported() -> None:
    with pytest.raises(LevelError, match="unknown tile 'wal'") as result:
        export(level(GodotTileset(file=FILE, tiles={"wal": (0, 0)})))
    assert result.value.path == ("tileset", "targets", "godot", "tiles", "wal")
    # A project has other levels, too.
    export(level(), GodotTileset(file=FILE, tiles={"wal": (0, 0)}))


def test_only_layers_that_are_seen_need_tiles() -> None:
    result = level()
    data = replace(result.layers["ground"], name="data", role="data", tiles=(TILES[0],))
    export(replace(result, layers={**result.layers, "data": data}), GodotTileset(file=FILE))


def test_walls_without_a_polygon_are_reported_where_tiles_are_solid() -> None:
    exported = export(level(), GodotTileset(file=FILE, tiles={"wall": (0, 0)}), collision="tiles")
    (warning,) = exported.warnings
    assert not isinstance(warning, str)
    assert "bodies go through 'wall'" in warning.message
    assert warning.path == ("tileset", "tiles", "wall")
    assert not export(level(), GodotTileset(file=FILE), collision="tiles").warnings
    assert not export(level(), GodotTileset(file=FILE, tiles={"wall": (0, 0)})).warnings


def test_pictures_are_read_for_large_levels_alone() -> None:
    target = TARGETS.get("godot")
    for chunks, files in (("never", 1), ("always", 2)):
        game = GameOf({"art/dungeon.tres": TILE_SET.encode()})
        options = target.options(path="levels", tileset=GodotTileset(file=FILE), chunks=chunks)
        target.export(level(), options, "levels", SharedWork().within(game))
        assert len(set(game.read_files)) == files
