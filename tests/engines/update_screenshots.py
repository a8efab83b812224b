"""Take the screenshots of the documentation: the sample project in real Godot and in Tiled.

    PYTHONPATH=.:tests/engines:tests/harness python tests/engines/update_screenshots.py

Needs `godot`, `xvfb-run` and `tmxrasterizer` (.ci/install-engines gets them). The sample project is
exported into a scratch folder first, so the pictures show what the exporter makes now.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from engine_harness.godot import Godot
from engine_harness.playable import export_godot
from engine_harness.processes import home_environment, run
from engine_harness.tiled import Tiled
from exporter.cli.main import main as run_exporter
from terrain_sheets import SIZE, terrain_level

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "exporter" / "docs" / "images"
HARNESS = Path(__file__).parent / "engine_harness"
SCRIPT = HARNESS / "take_screenshot.gd"
COLORS = 256


def scratch_project(folder: Path) -> Path:
    """Return a copy of the sample project's committed files, freshly exported."""
    listed = subprocess.run(
        ["git", "ls-files", "sample_project"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    project = folder / "sample_project"
    if run_exporter(["export", str(project)]):
        raise SystemExit("the sample project does not export")
    return project


def save(image: Image.Image, name: str) -> None:
    """Save a picture small: scenes of few tiles need no more than 256 colours."""
    (PICTURES / name).parent.mkdir(parents=True, exist_ok=True)
    few = image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)
    print(f"{name}: {image.size}, {(PICTURES / name).stat().st_size} bytes")


def godot_screenshot(godot: Godot, project: Path, light: str, picture: Path) -> Image.Image:
    """Run the project's main scene in a window of a virtual screen and return what it shows."""
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", godot.command]
    command += ["--rendering-driver", "opengl3", "--audio-driver", "Dummy"]
    command += ["--resolution", "832x480", "--path", str(project)]
    command += ["--script", str(SCRIPT), "--", light, str(picture)]
    code, output = run(command, home_environment(godot.home), seconds=120)
    if code or not picture.exists():
        raise SystemExit(output)
    return Image.open(picture)


def terrains_screenshot(godot: Godot, folder: Path) -> Image.Image:
    """Return what Godot shows of terrains that are drawn between the cells."""
    width, height = 46, 26
    project = godot.new_project(folder / "terrains")
    export_godot(terrain_level("isle", height, width), project)
    godot.import_project(project)
    picture = folder / "terrains.png"
    question = {"scene": "res://levels/isle.tscn", "file": str(picture)}
    window = (width * SIZE, height * SIZE)
    godot.query(project, HARNESS / "draw_scene.gd", {"pictures": [question]}, window=window)
    return Image.open(picture)


def main() -> None:
    """Take every screenshot."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        home.mkdir()
        godot, tiled = Godot.find(home), Tiled.find(home)
        if godot is None or tiled is None:
            raise SystemExit("godot and tmxrasterizer are needed (.ci/install-engines)")
        project = scratch_project(Path(scratch))
        godot.import_project(project / "godot")
        for light in ("day", "lamp"):
            picture = Path(scratch) / f"{light}.png"
            save(godot_screenshot(godot, project / "godot", light, picture), f"godot-{light}.png")
        save(terrains_screenshot(godot, Path(scratch)), "tiles/terrains.png")
        drawn = tiled.rasterize(project / "tiled" / "archipelago.tmj", "--tilesize", "8")
        save(Image.fromarray(drawn), "tiled-archipelago.png")


if __name__ == "__main__":
    main()
