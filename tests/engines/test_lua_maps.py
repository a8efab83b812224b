"""Maps in Lua, run by LuaJIT as LÖVE does, and compared with Tiled's own export."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Lua, LuaError, Tiled
from engine_harness.levels import awkward_level, layer_of, write_level
from exporter.model.errors import ParameterError
from exporter.model.level import Level, PlacedObject, Tile
from exporter.targets import TARGETS
from exporter.tilesets import level_tileset
from terrain_sheets import terrain_level

COMPARE = Path(__file__).parent / "lua" / "compare_maps.lua"
PROPERTIES = Path(__file__).parent / "lua" / "read_properties.lua"
READ = Path(__file__).parent / "lua" / "read_cells.lua"
OBJECTS = Path(__file__).parent / "lua" / "read_objects.lua"
PAGE = Path(exporter.__file__).parent / "docs" / "how-to" / "love.md"
# Versions differ, and Tiled 1.8 drops pictures of the same neighbourhood, all but one.
DIFFERENT = ("version", "tiledversion", "wangtiles")


def write(level: Level, folder: Path, **options: Any) -> Path:
    """Write a level's map in Lua, and in JSON beside it, and return it."""
    formats = {"languages": ("json", "lua"), "tilesets": "embedded", "blob": False}
    write_level("tiled", level, folder, "maps", **formats, **options)
    return folder / f"{level.name}.lua"


def differences(lua: Lua, tiled: Tiled, built: Path, *ignored: str) -> tuple[list[str], int]:
    """Where a map differs from Tiled's export of the JSON beside it; how many values agree."""
    exported = built.with_name("tiled.lua")
    tiled.save_as(built.with_suffix(".tmj"), exported)
    *result, last = lua.lines(COMPARE, str(built), str(exported), *DIFFERENT, *ignored)
    return result, int(last.removeprefix("compared "))


@pytest.mark.parametrize("collision", ["tiles", "merged"])
@pytest.mark.parametrize("infinite", [False, True])
@pytest.mark.parametrize("make", [awkward_level, lambda: terrain_level("isle", 9, 12)])
def test_a_map_is_what_tiled_exports(
    lua: Lua, tiled: Tiled, tmp_path: Path, make: Any, infinite: bool, collision: str
) -> None:
    level = make()
    built = write(level, tmp_path, infinite=infinite, collision=collision)
    result, compared = differences(lua, tiled, built)
    assert result == []
    assert compared > level.width * level.height * len(level.tile_layers())


def test_compressed_cells_are_what_tiled_exports(lua: Lua, tiled: Tiled, tmp_path: Path) -> None:
    result = write(awkward_level(), tmp_path, encoding="zlib")
    # Other bytes stand for the same cells.
    assert differences(lua, tiled, result, "data")[0] == []


def test_every_cell_has_its_number_and_every_object_its_position(lua: Lua, tmp_path: Path) -> None:
    level = awkward_level()
    lines = [line.split("\t") for line in lua.lines(READ, str(write(level, tmp_path)))]
    tileset = level_tileset(level, 0)
    for layer, (name, width, height, cells) in zip(level.tile_layers(), lines, strict=False):
        assert (name, int(width), int(height)) == (layer.name, level.width, level.height)
        numbers = np.array(cells.split(), int).reshape(level.height, level.width)
        np.testing.assert_array_equal(numbers, tileset.numbers(layer) + 1)
    assert lines[2:] == [
        [thing.name, str(thing.x * 16), str(thing.y * 16), str(thing.properties.get("gold", ""))]
        for thing in level.objects
    ]


def test_any_text_is_a_text(lua: Lua, tmp_path: Path) -> None:
    # Tiled 1.8 itself writes a carriage return as it is, and then no Lua reads the map.
    hostile = {
        "quote": '"]] .. os.exit(7) --',
        "back": "\\",
        "lines": "a\r\nb\tc\x7f\x001",
        'key"] = os.exit(7), ["': "x",
        "end\n": "ü €",
    }
    built = write(replace(awkward_level(), properties=hostile), tmp_path)
    result = dict(line.split() for line in lua.lines(PROPERTIES, str(built)))
    reported = {
        bytes.fromhex(key).decode(): bytes.fromhex(item).decode() for key, item in result.items()
    }
    assert reported == hostile | {"level": "crypt", "seed": "7", "rng": "portable"}


def crowd(count: int) -> Level:
    """A level with so many objects."""
    floor = (Tile(0, "floor", True, False, "#c8b090"),)
    ground = layer_of("ground", np.zeros((300, 300), np.uint8), floor)
    things = tuple(PlacedObject(n + 1, "rat", n % 300, n // 300) for n in range(count))
    return Level("crowd", 300, 300, layers={"ground": ground}, objects=things)


def test_a_map_with_as_many_tables_as_are_allowed_runs(lua: Lua, tmp_path: Path) -> None:
    result = write(crowd(64_500), tmp_path)
    assert len(lua.lines(READ, str(result))) == 64_501


def test_more_tables_than_luajit_reads_are_refused_with_a_way_out(
    lua: Lua, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ParameterError, match="the limit of LuaJIT") as refused:
        write(crowd(66_000), tmp_path)
    assert refused.value.path == ("languages",)
    # Why: if this fails, there may be more.
    monkeypatch.setattr("exporter.formats.tiled.lua.MOST_TABLES", 10**6)
    with pytest.raises(LuaError, match="constants"):
        lua.lines(READ, str(write(crowd(66_000), tmp_path)))


def test_a_tileset_is_inside_wherever_the_others_have_it(tmp_path: Path) -> None:
    target = TARGETS.get("tiled")
    level = awkward_level()
    for tilesets in ("level", "project", "embedded"):
        options = target.options(path="m", languages=("lua",), tilesets=tilesets, blob=False)
        files = {file.name: file.data for file in target.export(level, options, "m").artifacts}
        (sheet,) = (name for name in files if name.endswith(".tileset.png"))
        assert f'image = "{sheet}"' in files["crypt.lua"].decode()
        assert not [name for name in files if name.endswith((".tsj", ".tsx", ".tmj"))]


@pytest.mark.parametrize("make", [awkward_level, lambda: terrain_level("isle", 9, 12)])
def test_the_code_on_the_page_tells_where_one_can_walk(lua: Lua, tmp_path: Path, make: Any) -> None:
    level = replace(make(), name="crypt")
    write(level, tmp_path / "maps")
    (code,) = re.findall(r"```lua\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    program = tmp_path / "game.lua"
    program.write_text(
        f"package.path = {str(tmp_path)!r} .. '/?.lua'\n{code}\n"
        f"for y = 0, {level.height - 1} do for x = 0, {level.width - 1} do\n"
        "print(walkable(x, y)) end end\n"
    )
    reported = np.array([line == "true" for line in lua.lines(program)])
    np.testing.assert_array_equal(reported.reshape(level.height, level.width), level.walkable())


def test_objects_for_defold_are_in_the_middle_of_their_cells(lua: Lua, tmp_path: Path) -> None:
    level = awkward_level()
    write_level("defold", level, tmp_path, "m")
    assert lua.lines(OBJECTS, str(tmp_path / "crypt_objects.lua")) == [
        "37\t23\t16\tdrip",
        "1\tstairs_up\t8\t360\tnil\tnil",
        '2\tchest\t584\t8\ta "b"',
        "c\t250",
        "3\tchest\t88\t360\tnil\tnil",
    ]
