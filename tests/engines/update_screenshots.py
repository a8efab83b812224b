"""Take the screenshots of the documentation, in real Godot and in Tiled.

    PYTHONPATH=.:tests/engines:tests/harness python tests/engines/update_screenshots.py

Needs `godot`, `xvfb-run` and `tmxrasterizer` (.ci/install-engines gets them). The sample project
and the village of the gallery are exported into a scratch folder first, so the pictures show what
the exporter makes now.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from engine_harness.godot import Godot
from engine_harness.playable import export_godot
from engine_harness.processes import home_environment, run
from engine_harness.tiled import Tiled
from engine_harness.tutorial import started
from exporter.cli.main import main as run_exporter
from terrain_sheets import SIZE, terrain_level

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "exporter" / "docs" / "images"
HARNESS = Path(__file__).parent / "engine_harness"
SCRIPT = HARNESS / "take_screenshot.gd"
VILLAGE = ROOT / "templates" / "levels" / "village.level.yaml"
COLORS = 256
GAP = 4
# Panels of the pictures that show several levels, in pixels.
PANEL = (416, 256)
STYLES = ("stone", "ice", "desert", "parchment")
VILLAGE_BRIDGE = [32, 9]
CAVERN_ISLE = [22, 15]
# The sample game: the levels by number, the cells where the hero looks around, and the guards.
GAME_SIZE = (832, 520)
GAME_SHOTS: dict[str, dict[str, Any]] = {
    "godot-game": {
        "game": 0,
        "walk": [[27, 18], [25, 17], [24, 16], [22, 18], [20, 20], [19, 19], [21, 16]],
        "guards": [],
    },
    "godot-guard": {
        "game": 1,
        "walk": [[15, 29], [15, 25], [15, 29], [16, 32], [17, 29], [18, 29]],
        "guards": [[23, 29]],
    },
}


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
    return exported(folder / "sample_project")


def village_project(folder: Path, godot: Godot) -> Path:
    """Return a game with the village in every style, freshly exported and imported."""
    godot.new_project(folder / "game")
    (folder / "levels").mkdir()
    (folder / "exporter.yaml").write_text("targets: {godot: {path: game/levels}}\n", "utf-8")
    text = VILLAGE.read_text(encoding="utf-8").replace("level: village\n", "")
    for style in STYLES:
        spec = folder / "levels" / f"{style}.level.yaml"
        spec.write_text(f"{text}tileset: {{style: {style}}}\n", encoding="utf-8")
    exported(folder)
    godot.import_project(folder / "game")
    return folder / "game"


def exported(project: Path) -> Path:
    """Export a project and return it."""
    if run_exporter(["export", str(project)]):
        raise SystemExit(f"{project.name} does not export")
    return project


def save(image: Image.Image, name: str) -> None:
    """Save a picture small: 256 colours, all there are or else far apart, so that none is lost."""
    (PICTURES / name).parent.mkdir(parents=True, exist_ok=True)
    image = image.convert("RGB")
    few_colors = image.getcolors(COLORS) is not None
    method = Image.Quantize.MEDIANCUT if few_colors else Image.Quantize.MAXCOVERAGE
    rounds = 0 if few_colors else 4
    few = image.quantize(COLORS, method, kmeans=rounds, dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)
    print(f"{name}: {image.size}, {(PICTURES / name).stat().st_size} bytes")


def side_by_side(panels: list[Image.Image], columns: int) -> Image.Image:
    """Return panels of one size in rows, with gaps between them."""
    width, height = panels[0].size
    rows = -(-len(panels) // columns)
    size = (columns * (width + GAP) - GAP, rows * (height + GAP) - GAP)
    picture = Image.new("RGB", size, "white")
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        picture.paste(panel, (column * (width + GAP), row * (height + GAP)))
    return picture


def godot_screenshots(
    godot: Godot, project: Path, size: tuple[int, int], shots: list[dict[str, Any]], scratch: Path
) -> list[Image.Image]:
    """Show scenes in a window of a virtual screen and return its picture."""
    files = [scratch / f"{number}.png" for number in range(len(shots))]
    question = scratch / "shots.json"
    requested = [{**shot, "picture": str(file)} for shot, file in zip(shots, files, strict=True)]
    question.write_text(json.dumps(requested), encoding="utf-8")
    screen = f"{size[0]}x{size[1]}"
    command = ["xvfb-run", "-a", "-s", f"-screen 0 {screen}x24", godot.command]
    command += ["--rendering-driver", "opengl3", "--audio-driver", "Dummy"]
    command += ["--resolution", screen, "--path", str(project)]
    command += ["--script", str(SCRIPT), "--", str(question)]
    code, output = run(command, home_environment(godot.home), seconds=240)
    if code or not all(file.exists() for file in files):
        raise SystemExit(output)
    pictures = []
    for file in files:
        with Image.open(file) as picture:
            pictures.append(picture.convert("RGB"))
        file.unlink()
    return pictures


def save_game(godot: Godot, game: Path, scratch: Path) -> None:
    """Save pictures of the sample game, and of its first level."""
    shots = [{**shot, "zoom": 3} for shot in GAME_SHOTS.values()]
    pictures = godot_screenshots(godot, game, GAME_SIZE, shots, scratch)
    for name, picture in zip(GAME_SHOTS, pictures, strict=True):
        save(picture, f"{name}.png")
    cavern = {"scene": "res://levels/cavern.tscn", "at": CAVERN_ISLE, "zoom": 2}
    (picture,) = godot_screenshots(godot, game, PANEL, [cavern], scratch)
    save(picture, "drawn-tiles.png")


def save_styles(godot: Godot, game: Path, scratch: Path) -> None:
    """Save a picture of the village in several styles."""
    scenes = [f"res://levels/{style}.tscn" for style in STYLES]
    shots = [{"scene": scene, "at": VILLAGE_BRIDGE, "zoom": 2} for scene in scenes]
    panels = godot_screenshots(godot, game, PANEL, shots, scratch)
    save(side_by_side(panels, 2), "godot-styles.png")


def terrains_screenshot(godot: Godot, folder: Path) -> Image.Image:
    """Return Godot's picture of terrains that are drawn between the cells."""
    width, height = 46, 26
    project = godot.new_project(folder / "terrains")
    export_godot(terrain_level("isle", height, width), project)
    godot.import_project(project)
    picture = folder / "terrains.png"
    question = {"scene": "res://levels/isle.tscn", "file": str(picture)}
    window = (width * SIZE, height * SIZE)
    godot.query(project, HARNESS / "draw_scene.gd", {"pictures": [question]}, window=window)
    return Image.open(picture)


def save_tutorial(godot: Godot, folder: Path) -> None:
    """Follow the tutorial in a window, and save the game's picture after each part."""
    folder.mkdir()
    file = folder / "shown.png"
    with started(godot, folder, window=True) as tutorial:
        for name, step in (
            ("first-cave", lambda: None),
            ("another-seed", tutorial.change_seed),
            ("own-tiles", tutorial.use_tiles),
            ("chests", tutorial.use_scene),
        ):
            step()
            if name == "chests":
                tutorial.stand_beside_chest(7)
            tutorial.picture(file)
            with Image.open(file) as picture:
                save(picture.convert("RGB"), f"tutorial/{name}.png")


def main() -> None:
    """Take every screenshot."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        (scratch / "home").mkdir()
        (scratch / "village").mkdir()
        godot, tiled = Godot.find(scratch / "home"), Tiled.find(scratch / "home")
        if godot is None or tiled is None:
            raise SystemExit("godot and tmxrasterizer are needed (.ci/install-engines)")
        save_tutorial(godot, scratch / "tutorial")
        project = scratch_project(scratch)
        godot.import_project(project / "godot")
        save_game(godot, project / "godot", scratch)
        save_styles(godot, village_project(scratch / "village", godot), scratch)
        save(terrains_screenshot(godot, scratch), "tiles/terrains.png")
        drawn = tiled.rasterize(project / "tiled" / "archipelago.tmj", "--tilesize", "8")
        save(Image.fromarray(drawn), "tiled-archipelago.png")


if __name__ == "__main__":
    main()
