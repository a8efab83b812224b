"""Without Cython and without a compiler: all kernels run, and give the same files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exporter
from exporter.cli.main import main

PACKAGE = Path(exporter.__file__).parent
KERNELS = sorted(path.stem for path in (PACKAGE / "kernels").glob("[!_]*.py"))
BLOCKER = """
import sys

class NoCython:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0].lower() == "cython":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoCython())
"""
IMPORTS = """
from importlib import import_module

for kernel in sys.argv[1:]:
    module = import_module(f"exporter.kernels.{kernel}")
    assert module.__file__.endswith(".py"), module.__file__
    assert getattr(module, "COMPILED", False) is False
assert "cython" not in sys.modules
assert "Cython" not in sys.modules
"""
EXPORT = """
from exporter.cli.main import main

status = main(["export", sys.argv[1], "--jobs", "1"])
assert "cython" not in sys.modules
sys.exit(status)
"""
PROJECT = """
levels: levels/*.level.yaml
targets:
  godot: {path: godot}
  unity: {path: unity}
  tiled: {path: tiled}
"""
# Together they run every kernel but those of visibility, which numpy replaces.
LEVELS = {
    "caves": """
        size: [24, 20]
        layers:
          ground: {generator: cellular_caves, update: in_place, connect: guaranteed}
          lakes: {generator: island_maze, visits: 500, opaque_water: true, role: picture}
          posts: {generator: watch_posts}
          seen: {generator: exposure}
          trail: {generator: road, of: ground, between: [stairs, chest]}
        visibility: {layer: ground, radius: 6}
        objects:
          - {name: stairs, clear_radius: 1}
          - {name: chest, count: 3, spacing: 3, reachable_from: stairs}
        puzzles:
          lock: {kind: sudoku, clues: 40}
        """,
    "visited": """
        size: [40, 24]
        layers:
          ground: {generator: visited_caves, visits: 4000}
        """,
    "dungeon": """
        size: [50, 30]
        layers:
          dug: {generator: rooms_and_corridors, room_shape: irregular, rooms: 4}
          ground: {generator: doors, of: dug}
        """,
    "lands": """
        size: [16, 12]
        layers:
          ground: {generator: voronoi, sites: 5}
          maze: {generator: maze, braid_percent: 50}
          dug: {generator: drunkard}
        """,
    "hills": """
        size: [10, 9]
        layers:
          ground: {generator: heightmap, basis: cellular, warp: 8, droplets: 20}
          fine: {generator: heightmap, basis: simplex, feature_size: 8}
          rivers: {generator: flow, of: fine, rivers_from: 4}
        """,
    "weave": """
        size: [12, 12]
        layers:
          ground:
            generator: wave_function_collapse
            pattern: 2
            sample: |
              ......
              .####.
              .#..#.
              .####.
              ......
        """,
}


@pytest.fixture(scope="module")
def uncompiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the package in which nothing is compiled."""
    folder = tmp_path_factory.mktemp("uncompiled")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, folder / "exporter", ignore=ignored)
    if not (PACKAGE / "templates").is_dir():
        shutil.copytree(PACKAGE.parent / "templates", folder / "templates")
    return folder


def run(uncompiled: Path, code: str, *arguments: str) -> None:
    command = [sys.executable, "-c", BLOCKER + code, *arguments]
    done = subprocess.run(command, cwd=uncompiled, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def project(folder: Path) -> Path:
    (folder / "levels").mkdir(parents=True)
    (folder / "exporter.yaml").write_text(PROJECT)
    for name, text in LEVELS.items():
        (folder / "levels" / f"{name}.level.yaml").write_text(text)
    return folder


def outputs(folder: Path) -> dict[str, bytes]:
    files = (
        path for target in ("godot", "unity", "tiled") for path in (folder / target).rglob("*")
    )
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.is_file()}


def test_every_kernel_is_imported_without_cython(uncompiled: Path) -> None:
    run(uncompiled, IMPORTS, *KERNELS)


def test_levels_are_the_same_bytes_without_cython_and_compiler(
    uncompiled: Path, tmp_path: Path
) -> None:
    here, there = project(tmp_path / "here"), project(tmp_path / "there")
    assert main(["export", str(here), "--jobs", "1"]) == 0
    run(uncompiled, EXPORT, str(there))
    files = outputs(here)
    assert len(files) > 60
    assert outputs(there) == files
