"""Worlds too large for a target: reported before the build, with a size that fits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exporter.export.checking import Checked, check_paths
from exporter.export.events import Event, LevelResult, Remark
from exporter.export.export import export_project
from exporter.export.settings import Settings
from exporter.targets.unity import MOST_TERRAINS

UNITY = Path(__file__).parents[2] / "templates" / "unity" / "com.levelexporter.unity"
LAYERS = "layers:\n  caves: {generator: cellular_caves}\n"
RELIEF = "  relief: {generator: heightmap, normalise: false}\n"


def write(root: Path, spec: str, targets: str) -> Path:
    (root / "levels").mkdir(parents=True, exist_ok=True)
    (root / "exporter.yaml").write_text(f"targets:\n{targets}")
    (root / "levels" / "w.level.yaml").write_text(spec)
    return root


def checked(root: Path, size: int, chunk: int, targets: str, more: str = "") -> Checked:
    spec = f"size: [{size}, {size}]\nchunk: {chunk}\n{LAYERS}{more}"
    (result,) = check_paths([write(root, spec, targets)])
    return result


def tiles(root: Path, side: int) -> str:
    """Return the lines of a tileset of two tiles."""
    from PIL import Image

    (root / "levels").mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (2 * side, side)).save(root / "levels" / "tiles.png")
    return f"tileset: {{image: tiles.png, tile_size: {side}}}\n"


def test_terrain3d_takes_32_regions_in_a_row(tmp_path: Path) -> None:
    result = checked(tmp_path, 65536, 512, "  godot: {path: godot}\n", RELIEF)
    assert not result.problems
    (warning,) = result.warnings
    assert (warning.line, warning.severity) == (2, "warning")
    assert "128 x 128 parts" in warning.message
    assert "`chunk: 2048`, or at most 16,384 cells a side" in warning.message


@pytest.mark.parametrize(
    ("size", "chunk", "targets", "more"),
    [
        (65536, 2048, "  godot: {path: godot}\n", RELIEF),
        (16384, 512, "  godot: {path: godot}\n", RELIEF),
        (65536, 512, "  godot: {path: godot}\n", ""),
        (65536, 512, "  godot: {path: godot, heightmaps: false}\n", RELIEF),
        (65536, 512, "  tiled: {path: tiled}\n", RELIEF),
        (8192, 512, "  unity: {path: unity}\n", RELIEF),
        (65536, 512, "  unity: {path: unity, heightmaps: false}\n", RELIEF),
    ],
)
def test_worlds_that_fit_are_not_warned_of(
    tmp_path: Path, size: int, chunk: int, targets: str, more: str
) -> None:
    result = checked(tmp_path, size, chunk, targets, more)
    assert (result.problems, result.warnings) == ((), ())


def test_godot_jitters_beyond_a_million_pixels(tmp_path: Path) -> None:
    more = tiles(tmp_path, 64)
    result = checked(tmp_path, 65536, 512, "  godot: {path: godot}\n", more)
    assert not result.problems
    (warning,) = result.warnings
    assert warning.line == 1
    assert "65,536 cells of 64 pixels are 4,194,304 pixels" in warning.message
    assert "at most 16,384 cells a side" in warning.message
    assert not checked(tmp_path, 16384, 512, "  godot: {path: godot}\n", more).warnings
    targets = "  godot: {path: godot, scene: false}\n"
    assert not checked(tmp_path, 65536, 512, targets, more).warnings


def test_godot_cannot_count_more_than_16_million_pixels(tmp_path: Path) -> None:
    more = tiles(tmp_path, 512)
    result = checked(tmp_path, 65536, 512, "  godot: {path: godot}\n  tiled: {path: t}\n", more)
    (problem,) = result.problems
    assert problem.line == 1
    assert "at most 32,768 cells a side" in problem.message
    assert not checked(tmp_path, 32768, 512, "  godot: {path: godot}\n", more).problems


@pytest.mark.parametrize(
    ("size", "chunk", "way_out"),
    [(16384, 512, "write `chunk: 1024`"), (65536, 512, "make the world smaller")],
)
def test_unity_makes_256_terrains_of_a_world(
    tmp_path: Path, size: int, chunk: int, way_out: str
) -> None:
    result = checked(tmp_path, size, chunk, "  unity: {path: unity}\n", RELIEF)
    (warning,) = result.warnings
    assert warning.line == 2
    assert way_out in warning.message
    assert "*Most Terrains*" in warning.message


def test_as_many_terrains_as_the_package_makes() -> None:
    text = (UNITY / "Editor" / "WorldImporter.cs").read_text()
    assert re.findall(r"int mostTerrains = (\d+);", text) == [str(MOST_TERRAINS)]


def test_a_world_without_a_project_is_checked_by_the_part_in_the_middle(tmp_path: Path) -> None:
    spec = tmp_path / "w.level.yaml"
    spec.write_text(f"size: [65536, 65536]\nchunk: 512\n{LAYERS}")
    (result,) = check_paths([spec])
    assert (result.level, result.problems) == ("w", ())


class _Events:
    def __init__(self) -> None:
        self.all: list[Event] = []

    def report(self, event: Event) -> None:
        self.all.append(event)


def test_an_export_warns_before_the_parts_are_created_and_at_its_end(tmp_path: Path) -> None:
    spec = f"size: [2100, 9]\nchunk: 64\n{LAYERS}{RELIEF}"
    targets = "  godot: {path: godot, scene: false, blob: false}\n"
    root = write(tmp_path, spec, targets)
    for _ in range(2):
        reported = _Events()
        export_project(root, Settings(jobs=1), reported)
        (result,) = [item for item in reported.all if isinstance(item, LevelResult)]
        (warning,) = result.warnings
        assert "heights in 33 x 1 parts do not fit" in warning.message
        early = [item.text for item in reported.all if isinstance(item, Remark)]
        if result.status == "built":
            assert early == [warning.headline()]
    assert result.status == "unchanged"


def test_an_export_makes_nothing_of_a_world_that_does_not_fit(tmp_path: Path) -> None:
    spec = f"size: [65536, 65536]\nchunk: 512\n{LAYERS}{tiles(tmp_path, 512)}"
    root = write(tmp_path, spec, "  tiled: {path: t}\n  godot: {path: godot}\n")
    (result,) = export_project(root, Settings(jobs=1), _Events())
    assert result.status == "failed"
    assert "at most 32,768 cells a side" in result.problems[0].message
    assert not (root / "t").exists()
