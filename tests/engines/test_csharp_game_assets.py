"""Tile assets and prefabs of the game in Unity's importer: in place, with fields that are set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness.levels import awkward_level, layer_of
from engine_harness.unity_importer import UnityImporter, export
from exporter.model.level import Level, PlacedObject, Tile
from exporter.targets._unity_tilesets import UnityTileset

TILES = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#202428"),
    Tile(2, "water", False, False, "#3366cc"),
)
WALL, RUBBLE, POOL = "Assets/Tiles/Wall.asset", "Assets/Tiles/Rubble 2.asset", "Assets/Pool.asset"
CHEST = "Assets/Prefabs/Chest.prefab"
# The values of ChestScript.cs's fields in the prefab.
PREFAB = {
    "note": "prefab", "gold": 1, "small": 2, "weight": 3.0, "exact": 4.0, "large": 5,
    "metal": "Iron", "owner": "nobody", "fixedValue": 6, "passing": 7, "locked": False, "hidden": 8,
    "tint": "0 0 0 0", "push": "0 0", "corner": "0 0 0", "prices": "", "colors": "",
}  # fmt: skip


def level_of_three_tiles(*objects: PlacedObject) -> Level:
    y, x = np.indices((12, 14))
    layer = layer_of("ground", ((x * x + y * 3 + x * y) % 3).astype(np.uint8), TILES)
    return Level("crypt", 14, 12, layers={"ground": layer}, objects=objects)


def cell_hash(x: int, y: int) -> int:
    """The number that chooses among a cell's variants everywhere, in plain Python."""
    mask = 0xFFFFFFFF
    value = (y * 0x9E3779B1 & mask) ^ (x * 0x85EBCA77 & mask)
    value ^= value >> 15
    value = value * 0x2C1B3C6D & mask
    value ^= value >> 12
    value = value * 0x297A2D39 & mask
    return value ^ value >> 15


def project(folder: Path, *assets: str) -> Path:
    """A Unity project with these assets."""
    (folder / "Assets").mkdir(parents=True)
    for asset in assets:
        path = folder / asset
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


def imported(
    importer: UnityImporter, level: Level, game: Path, *settings: str, **options: Any
) -> dict[str, Any]:
    blob = export(level, game / "Assets" / "Levels", **options)
    settings = (f"project={game}", "prefabFolder=", *settings)
    return importer.level(blob, *settings)


def shown(result: dict[str, Any], height: int, width: int) -> list[list[Any]]:
    """Return the tile in each cell of the first layer: a path, or a name of the sheet."""
    cells = [
        item if item is None or isinstance(item, str) else item[0]
        for item in result["children"][0]["cells"]
    ]
    return [cells[y * width : (y + 1) * width] for y in reversed(range(height))]


def test_tile_assets_stand_in_their_cells(importer: UnityImporter, tmp_path: Path) -> None:
    level = level_of_three_tiles()
    tiles = {"wall": [WALL, RUBBLE], "water": POOL, "lava": WALL}
    game = project(tmp_path, WALL, RUBBLE, POOL)
    result = imported(importer, level, game, tileset=UnityTileset(tiles=tiles))
    assert result["messages"] == []
    cells = level.layers["ground"].cells
    expected = [
        [
            "floor" if cell == 0 else POOL if cell == 2 else (WALL, RUBBLE)[cell_hash(x, y) % 2]
            for x, cell in enumerate(row)
        ]
        for y, row in enumerate(cells.tolist())
    ]
    assert shown(result, 12, 14) == expected
    assert {WALL, RUBBLE} <= {cell for row in expected for cell in row}
    assert {WALL, RUBBLE, POOL} <= set(result["sources"])
    # Pictures that no cell shows are not part of the prefab.
    assert {name for name, _, _ in result["sprites"]} == {"floor"}


def test_a_missing_tile_asset_is_reported_once_and_the_drawn_tile_stays(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = level_of_three_tiles()
    tiles = {"wall": [WALL, RUBBLE], "water": CHEST}
    game = project(tmp_path, WALL, CHEST)
    result = imported(importer, level, game, tileset=UnityTileset(tiles=tiles))
    reported = [message.split(": ", 1)[1] for message in result["messages"]]
    assert sorted(reported) == [
        f"{CHEST} is no tile asset: its cells show the exported tile",
        f"there is no {RUBBLE}: its cells show the exported tile",
    ]
    assert all(message.startswith("warning ") for message in result["messages"])
    # It is imported again when the asset appears.
    assert RUBBLE in result["sources"]
    cells = level.layers["ground"].cells
    for y, row in enumerate(shown(result, 12, 14)):
        for x, cell in enumerate(row):
            wall = WALL if cell_hash(x, y) % 2 == 0 else "wall"
            assert cell == ("floor", wall, "water")[cells[y, x]]


def test_solid_tiles_stay_solid_with_assets_of_the_game(
    importer: UnityImporter, tmp_path: Path
) -> None:
    game = project(tmp_path, WALL)
    tiles = {"wall": WALL}
    result = imported(
        importer,
        level_of_three_tiles(),
        game,
        tileset=UnityTileset(tiles=tiles),
        collision="tiles",
    )
    assert "TilemapCollider2D" in result["children"][0]["components"]


def test_prefabs_stand_at_their_objects_with_fields_of_their_properties(
    importer: UnityImporter, tmp_path: Path
) -> None:
    values: dict[str, Any] = {
        "note": "mind the \u2620", "gold": 250, "small": 255, "weight": 2, "exact": 0.1,
        "large": 2**63 - 1, "metal": "Gold", "owner": None, "fixedValue": 1, "passing": 1,
        "locked": True, "hidden": 1, "unknown": 1,
        "tint": {"color": "#00ff0000"}, "push": {"vector": [1, -2.5]},
        "corner": {"vector": [1, 2, 3]}, "prices": [3, 4],
        "colors": [{"color": "#00ff00"}, {"color": "#00330080"}],
    }  # fmt: skip
    typed = {
        "tint": "0 1 0 0", "push": "1 -2.5", "corner": "1 2 3", "prices": "3 4",
        "colors": "255/255 51/128",
    }  # fmt: skip
    level = level_of_three_tiles(
        PlacedObject(1, "coffer", 3, 2, values),
        PlacedObject(2, "stairs", 0, 0, values),
        PlacedObject(3, "coffer", 9, 11),
    )
    game = project(tmp_path, CHEST)
    result = imported(importer, level, game, scenes={"coffer": CHEST, "dragon": CHEST})
    assert result["messages"] == []
    things = result["children"][-1]["objects"]
    assert [thing["name"] for thing in things] == ["coffer_1", "stairs", "coffer_2"]
    assert [thing["prefab"] for thing in things] == [True, False, True]
    assert things[0]["at"] == [3.5, 9.5]
    remaining = ("owner", "fixedValue", "passing", "hidden")
    expected = {name: PREFAB[name] if name in remaining else values[name] for name in PREFAB}
    assert things[0]["fields"] == [{**expected, **typed, "weight": 2.0}, 1]
    assert things[2]["fields"] == [PREFAB, 1]
    # The level's component reports all properties, with or without a field.
    assert things[0]["properties"]["gold"] == "250"
    assert things[1]["properties"]["unknown"] == "1"
    assert things[1]["properties"]["push"] == "1, -2.5"
    assert things[1]["properties"]["colors"] == "#00ff00, #00330080"
    assert CHEST in result["sources"]


def test_a_prefab_may_stand_for_one_kind_of_the_objects_of_a_name(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = level_of_three_tiles(
        PlacedObject(1, "monster", 3, 2, {"name": "ogre", "gold": 5}),
        PlacedObject(2, "monster", 0, 0, {"name": "rat"}),
        PlacedObject(3, "monster", 9, 11, {"name": 7}),
        PlacedObject(4, "monster", 8, 11),
    )
    game = project(tmp_path, CHEST)
    scenes = {"monster/ogre": CHEST, "monster/bat": "Assets/Prefabs/Bat.prefab"}
    result = imported(importer, level, game, scenes=scenes)
    assert result["messages"] == []
    things = result["children"][-1]["objects"]
    assert [thing["prefab"] for thing in things] == [True, False, False, False]
    assert things[0]["fields"][0]["gold"] == 5
    others = imported(
        importer, level, project(tmp_path / "other", CHEST), scenes={"monster": CHEST}
    )
    assert [thing["prefab"] for thing in others["children"][-1]["objects"]] == [True] * 4


MISFITS: list[tuple[str, Any, str]] = [
    ("gold", "many", 'ChestScript.gold is of the type Int32, which cannot hold the text "many"'),
    ("gold", 2**31, "ChestScript.gold is of the type Int32, which cannot hold 2147483648"),
    ("gold", 1.0, "ChestScript.gold is of the type Int32, which cannot hold 1"),
    ("gold", True, "ChestScript.gold is of the type Int32, which cannot hold true"),
    ("small", -1, "ChestScript.small is of the type Byte, which cannot hold -1"),
    ("weight", 1e300, "ChestScript.weight is of the type Single, which cannot hold 1E+300"),
    ("locked", 1, "ChestScript.locked is of the type Boolean, which cannot hold 1"),
    ("metal", "Tin", 'ChestScript.metal is of the type Metal, which cannot hold the text "Tin"'),
    ("metal", 1, "ChestScript.metal is of the type Metal, which cannot hold 1"),
    (
        "tint",
        "#ff0000",
        'ChestScript.tint is of the type Color, which cannot hold the text "#ff0000"',
    ),
    ("tint", {"vector": [1, 2]}, "ChestScript.tint is of the type Color, which cannot hold 1, 2"),
    ("prices", [1, "a"], "ChestScript.prices is of the type Int32[], which cannot hold 1, a"),
    ("note", 3, "ThingScript.note is of the type String, which cannot hold 3"),
]


def test_a_property_of_another_type_is_reported_and_the_field_stays(
    importer: UnityImporter, tmp_path: Path
) -> None:
    for number, (name, value, reported) in enumerate(MISFITS):
        level = level_of_three_tiles(PlacedObject(1, "coffer", 3, 2, {name: value}))
        game = project(tmp_path / str(number), CHEST)
        result = imported(importer, level, game, scenes={"coffer": CHEST})
        (message,) = result["messages"]
        assert message.endswith(f"crypt.lvb: coffer: {reported}; it keeps the prefab's value")
        assert result["children"][-1]["objects"][0]["fields"][0] == PREFAB, reported


def test_a_missing_prefab_is_reported_once_and_leaves_markers(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = level_of_three_tiles(
        PlacedObject(1, "coffer", 3, 2),
        PlacedObject(2, "coffer", 4, 2),
        PlacedObject(3, "key", 1, 1),
    )
    game = project(tmp_path, WALL)
    result = imported(importer, level, game, scenes={"coffer": CHEST, "key": WALL})
    assert [message.split(": ", 1)[1] for message in result["messages"]] == [
        f"there is no {CHEST}: objects called coffer are empty markers",
        f"{WALL} is no prefab: objects called key are empty markers",
    ]
    assert CHEST in result["sources"]
    things = result["children"][-1]["objects"]
    assert [(thing["prefab"], thing["cell"]) for thing in things] == [
        (False, [3, 2]), (False, [4, 2]), (False, [1, 1])
    ]  # fmt: skip


def test_a_level_without_tiles_has_its_prefabs(importer: UnityImporter, tmp_path: Path) -> None:
    level = replace(level_of_three_tiles(PlacedObject(1, "key", 3, 2)), layers={})
    game = project(tmp_path, CHEST)
    result = imported(importer, level, game, scenes={"key": CHEST})
    assert result["messages"] == []
    assert [thing["prefab"] for thing in result["children"][-1]["objects"]] == [True]


def test_assets_of_packages_need_not_lie_in_the_project(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = level_of_three_tiles(PlacedObject(1, "key", 3, 2))
    path = "Packages/com.example.things/Key.prefab"
    result = imported(importer, level, project(tmp_path), scenes={"key": path})
    # The stand-in for Unity knows no packages, and still gets the question.
    assert [message.split(": ", 1)[1] for message in result["messages"]] == [
        f"{path} is no prefab: objects called key are empty markers"
    ]


def test_the_inspectors_list_comes_before_the_export_and_the_folder_last(
    importer: UnityImporter, tmp_path: Path
) -> None:
    # RunImporter.cs lists a prefab without script for chests, and has one for stairs in the folder.
    level = awkward_level()
    game = project(tmp_path, CHEST)
    (game / "Assets" / "Levels").mkdir()
    (game / "Assets" / "Levels" / "stairs_up.prefab").touch()
    folder = f"prefabFolder={game / 'Assets' / 'Levels'}"
    result = imported(importer, level, game, folder, scenes={"chest": CHEST})
    objects = next(child for child in result["children"] if child["name"] == "objects")["objects"]
    assert [(thing["prefab"], thing["fields"]) for thing in objects] == [(True, None)] * 3


@pytest.mark.parametrize("path", ["../Chest.prefab", "Assets/../Chest.prefab", "/Chest.prefab", ""])
def test_a_description_from_elsewhere_leads_to_nothing_outside_the_project(
    importer: UnityImporter, tmp_path: Path, path: str
) -> None:
    game = project(tmp_path / "game", CHEST, WALL)
    (tmp_path / "Chest.prefab").touch()
    level = level_of_three_tiles(PlacedObject(1, "coffer", 3, 2))
    tileset = UnityTileset(tiles={"wall": WALL})
    blob = export(level, game / "Assets/Levels", scenes={"coffer": CHEST}, tileset=tileset)
    description = blob.with_name("crypt.tileset.json")
    text = description.read_text().replace(CHEST, path).replace(WALL, path)
    description.write_text(text)
    settings = (f"project={game}", "prefabFolder=")
    result = importer.level(blob, *settings)
    assert [message.split(": ", 1)[1] for message in result["messages"]] == [
        f"{path} is no path below Assets/ or Packages/: its cells show the exported tile",
        f"{path} is no path below Assets/ or Packages/: objects called coffer are empty markers",
    ]
    assert path not in result["sources"]
    assert result["children"][-1]["objects"][0]["prefab"] is False
