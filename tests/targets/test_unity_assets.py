"""Assets of a Unity game that a target names: levels that get them, and messages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.cli.main import main
from exporter.model.level import BLACK, CLEAR, Layer, Level, PlacedObject, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS, Exported, Notice, SharedWork
from exporter.targets._unity_tilesets import UnityTileset

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
SPEC = """\
size: [12, 9]
layers: {ground: {generator: cellular_caves}}
objects: [{name: chest}]
"""


def level(*things: str) -> Level:
    cells = (np.arange(12 * 7) % 3 == 0).astype(np.uint8).reshape(7, 12)
    layers = {
        "draft": Layer(
            "draft", "tiles", cells, "test", tiles=(replace(TILES[0], name="sand"),), role="data"
        ),
        "ground": Layer("ground", "tiles", cells, "test", tiles=TILES),
        "upper": Layer("upper", "tiles", 1 - cells, "test", tiles=TILES),
    }
    objects = tuple(PlacedObject(number, name, 1, number) for number, name in enumerate(things, 1))
    return Level("crypt", 12, 7, layers=layers, objects=objects)


class Game:
    """The files of a game."""

    def __init__(self, *names: str) -> None:
        self.names = {"ProjectSettings/ProjectVersion.txt", *names}

    def read(self, name: str) -> bytes:
        raise AssertionError(name)

    def has(self, name: str) -> bool:
        return name in self.names


def export(result: Level, game: Game | None = None, **options: Any) -> Exported:
    target = TARGETS.get("unity")
    shared = SharedWork() if game is None else SharedWork().within(game)
    return target.export(result, target.options(path="out", **options), "out", shared)


def description(exported: Exported) -> dict[str, Any]:
    (data,) = [file.data for file in exported.artifacts if file.name == "crypt.tileset.json"]
    return dict(json.loads(data))


def tiles(**names: Any) -> UnityTileset:
    return UnityTileset(tiles=names)


def test_layers_name_the_assets_of_their_tiles() -> None:
    chosen = tiles(
        wall="Assets/Wall.asset", floor=("Assets/1.asset", "Assets/2.asset"), lava="Assets/L"
    )
    layers = description(export(level(), tileset=chosen))["layers"]
    assert [layer["name"] for layer in layers] == ["ground", "upper"]
    for layer in layers:
        assert layer["assets"] == [
            {"id": 0, "paths": ["Assets/1.asset", "Assets/2.asset"]},
            {"id": 1, "paths": ["Assets/Wall.asset"]},
        ]


def test_objects_of_the_level_name_their_prefabs() -> None:
    scenes = {"dragon": "Assets/D.prefab", "chest": "Assets/C.prefab"}
    result = description(export(level("key", "chest", "chest"), scenes=scenes))
    assert result["scenes"] == [{"name": "chest", "path": "Assets/C.prefab"}]


def test_nothing_is_said_where_nothing_is_named() -> None:
    result = description(export(level("chest")))
    assert "scenes" not in result
    assert all("assets" not in layer for layer in result["layers"])
    assert export(replace(level("chest"), layers={}), scenes={"key": "Assets/K"}).artifacts == (
        export(replace(level("chest"), layers={})).artifacts
    )


def test_what_the_game_has_not_is_reported_at_the_option() -> None:
    chosen = tiles(wall="Assets/Wall.asset", floor=("Assets/1.asset", "Assets/2.asset"))
    scenes = {"chest": "Assets/C.prefab", "key": "Packages/things/Key.prefab"}
    # A file that Unity has not seen yet has no `.meta`.
    game = Game("Assets/1.asset.meta", "Assets/C.prefab")
    reported = export(level("chest", "key"), game, tileset=chosen, scenes=scenes).warnings
    assert reported == (
        Notice(
            "there is no Assets/Wall.asset in the Unity project, so its cells show the exported "
            "tile (correct the path)",
            ("tileset", "tiles", "wall"),
        ),
        Notice(
            "there is no Assets/2.asset in the Unity project, so its cells show the exported tile "
            "(correct the path)",
            ("tileset", "tiles", "floor", 1),
        ),
    )
    (notice,) = export(level("chest"), Game(), scenes=scenes).warnings
    assert notice == Notice(
        "there is no Assets/C.prefab in the Unity project, so objects 'chest' are empty markers "
        "(correct the path)",
        ("scenes", "chest"),
    )


def test_without_a_game_around_the_target_nothing_is_missed() -> None:
    assert export(level("chest"), scenes={"chest": "Assets/C.prefab"}).warnings == ()


@each_case(
    "path",
    [
        "Wall.asset", "assets/Wall.asset", "Assets", "Assets/", "/Assets/Wall.asset",
        "Assets/../Wall.asset", "Assets//Wall.asset", "Assets/..", "Assets/./Wall.asset",
        "Assets\\\\Wall.asset", "res://Wall.asset", "C:/Assets/W", "Assets/a:b", "",
    ],
)  # fmt: skip
@each_case(
    "option",
    [
        'scenes: {chest: "PATH"}',
        'tileset: {tiles: {wall: "PATH"}}',
        'tileset: {tiles: {wall: [Assets/W.asset, "PATH"]}}',
    ],
)
def test_a_path_outside_the_assets_is_an_error_at_its_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str, option: str
) -> None:
    line = f"  unity: {{path: u, {option.replace('PATH', path)}}}"
    (tmp_path / "exporter.yaml").write_text(f"targets:\n{line}\n")
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cave.level.yaml").write_text(SPEC)
    assert main(["export", str(tmp_path)]) == 1
    output = capsys.readouterr().err
    assert output.count("error:") == 1
    column = line.rindex(f'"{path}"') + 1
    assert f"exporter.yaml:2:{column}: error: " in output
    assert "is not allowed here (a path below Assets/ or Packages/, without '..'" in output


def test_a_level_is_exported_again_when_its_prefab_appears(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("levels", "game/Assets", "game/ProjectSettings"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "game/ProjectSettings/ProjectVersion.txt").touch()
    (tmp_path / "levels" / "cave.level.yaml").write_text(SPEC)
    (tmp_path / "exporter.yaml").write_text(
        "targets:\n  unity: {path: game/Assets/Levels, scenes: {chest: Assets/C.prefab}}\n"
    )
    warning = "exporter.yaml:2:53: warning: unity: there is no Assets/C.prefab in the Unity project"
    assert main(["export", str(tmp_path)]) == 0
    assert warning in capsys.readouterr().err
    assert main(["export", str(tmp_path)]) == 0
    assert warning in capsys.readouterr().err
    (tmp_path / "game/Assets/C.prefab").touch()
    assert main(["export", str(tmp_path)]) == 0
    assert warning not in capsys.readouterr().err


def with_own(result: Level, own: UnityTileset | None) -> Level:
    options = TilesetOptions(targets={"unity": own})
    return replace(result, tileset=TilesetSource(options))


def test_a_level_adds_to_what_the_project_says() -> None:
    project = tiles(wall="Assets/Wall.asset", floor="Assets/Floor.asset")
    own = tiles(wall=("Assets/1.asset", "Assets/2.asset"), floor=None)
    result = with_own(level(), own)
    exported = export(result, Game("Assets/1.asset"), tileset=project)
    for layer in description(exported)["layers"]:
        assert layer["assets"] == [{"id": 1, "paths": ["Assets/1.asset", "Assets/2.asset"]}]
    assert exported.warnings == (
        Notice(
            "there is no Assets/2.asset in the Unity project, so its cells show the exported tile "
            "(correct the path)",
            ("tileset", "targets", "unity", "tiles", "wall", 1),
            in_spec=True,
        ),
    )
    for without in (with_own(level(), None), level()):
        layers = description(export(without, tileset=None))["layers"]
        assert all("assets" not in layer for layer in layers)
    layers = description(export(with_own(level(), None), tileset=project))["layers"]
    assert all("assets" not in layer for layer in layers)


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("{wal: Assets/W.asset}", "4:42: error: unknown tile 'wal'"),
        ("{wall: W.asset}", "4:43: error: 'W.asset' is not allowed here (a path below Assets/"),
    ],
)
def test_a_mistake_in_a_levels_own_tiles_is_reported_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reported: str
) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "exporter.yaml").write_text("targets:\n  unity: {path: u}\n")
    (tmp_path / "levels" / "cave.level.yaml").write_text(
        SPEC + f"tileset: {{targets: {{unity: {{tiles: {text}}}}}}}\n"
    )
    assert main(["export", str(tmp_path)]) == 1
    assert f"cave.level.yaml:{reported}" in capsys.readouterr().err
