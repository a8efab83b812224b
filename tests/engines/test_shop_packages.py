"""The packages for the engines' shops, opened in games that have nothing else of ours."""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from build_packages import UNITY_PACKAGE, build
from engine_harness import Godot, Mono
from engine_harness.driven import add_driver, driven
from engine_harness.folders import CSHARP, TEMPLATES
from engine_harness.godot import errors_in
from exporter import build_level, load_level, write_blob

ASSEMBLIES = ("Core", "Scenes", "Editor", "Tests")
SAMPLE = "Samples~/Cavern"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The ZIP for Godot and the archive for Unity."""
    zipped, archive = build(tmp_path_factory.mktemp("packages"), TEMPLATES)
    return zipped, archive


@pytest.fixture(scope="module")
def unpacked(packages: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game for Unity, with the package where the package manager puts it."""
    game = tmp_path_factory.mktemp("unity")
    with tarfile.open(packages[1]) as archive:
        archive.extractall(game / "Packages", filter="data")
    (game / "Packages" / "package").rename(game / "Packages" / UNITY_PACKAGE)
    return game


def test_the_zip_makes_an_empty_game_import_and_read_levels(
    godot: Godot, packages: tuple[Path, Path], tmp_path: Path
) -> None:
    game = godot.new_project(tmp_path / "game", ("driver",))
    add_driver(game)
    with zipfile.ZipFile(packages[0]) as archive:
        archive.extractall(game)
    spec = TEMPLATES / "unity" / UNITY_PACKAGE / SAMPLE / "cavern.level.yaml"
    level = build_level(load_level(spec))
    with driven(godot, game, "--editor") as editor:
        # As a user does it: the game is open, the plugin is enabled in its settings.
        enable = 'EditorInterface.set_plugin_enabled("level_exporter", true)\n'
        editor.run(enable + "return null")
        enabled = 'return EditorInterface.is_plugin_enabled("level_exporter")'
        editor.until(enabled, True)
        (game / "cavern.lvb").write_bytes(write_blob(level))
        editor.run("EditorInterface.get_resource_filesystem().scan()\nreturn null")
        editor.until('return ResourceLoader.exists("res://cavern.lvb")', True)
        result = editor.run(
            """
var scene: Node = load("res://cavern.lvb").instantiate()
var reader: GDScript = load("res://addons/level_exporter/runtime/level_blob.gd")
var level: Object = reader.open("res://cavern.lvb")
var ground: TileMapLayer = scene.get_node("ground")
var answer := [level.level_name, ground.get_used_cells().size(), level.objects().size()]
scene.free()
return answer
"""
        )
        assert result == ["cavern", level.width * level.height, len(level.objects)]
        assert errors_in(editor.output) == []


def test_the_unity_packages_assemblies_compile_one_by_one_and_its_tests_pass(
    mono: Mono, unpacked: Path, tmp_path: Path
) -> None:
    package = unpacked / "Packages" / UNITY_PACKAGE
    engine = mono.compile(
        sorted((CSHARP / "stubs").glob("*.cs")), tmp_path / "UnityEngine.dll", "library"
    )
    definitions = {
        path.stem: (path.parent, json.loads(path.read_text(encoding="utf-8")))
        for path in package.rglob("*.asmdef")
    }
    compiled: dict[str, Path] = {}
    for short in ASSEMBLIES:
        name = f"LevelExporter.{short}"
        folder, definition = definitions.pop(name)
        # As in Unity, an assembly sees those alone that it names, and the core none of the engine.
        references = [compiled[item] for item in definition["references"] if item in compiled]
        if not definition["noEngineReferences"]:
            references.append(engine)
        compiled[name] = mono.compile(
            sorted(folder.rglob("*.cs")), tmp_path / f"{name}.dll", "library", references
        )
    assert definitions == {}
    runner = mono.compile([CSHARP / "RunTests.cs"], tmp_path / "RunTests.exe", references=[engine])
    reported = mono.run(runner, compiled["LevelExporter.Tests"], unpacked).split()
    assert "TheLevelOfTheSampleIsRead" in reported
    assert len(reported) >= 6
    # They do read that level.
    (package / SAMPLE / "cavern.lvb").unlink()
    with pytest.raises(AssertionError, match="cavern"):
        mono.run(runner, compiled["LevelExporter.Tests"], unpacked)


def test_the_scripts_of_the_samples_compile_against_the_package(
    mono: Mono, unpacked: Path, tmp_path: Path
) -> None:
    package = unpacked / "Packages" / UNITY_PACKAGE
    samples = json.loads((package / "package.json").read_text(encoding="utf-8"))["samples"]
    # The package manager copies a sample into the game's assets.
    for sample in samples:
        shutil.copytree(package / sample["path"], tmp_path / "Assets" / sample["displayName"])
    sources = [*(package / "Runtime").rglob("*.cs"), *(tmp_path / "Assets").rglob("*.cs")]
    stubs = [path for path in (CSHARP / "stubs").glob("*.cs") if path.name != "NUnit.cs"]
    options = ["-nowarn:649"]  # Unity fills the fields of the Inspector
    mono.compile(sorted([*sources, *stubs]), tmp_path / "game.dll", "library", options=options)
