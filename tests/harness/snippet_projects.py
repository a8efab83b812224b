"""The project in which snippets of the pages run: the sample, and the files that pages speak of."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
from PIL import Image

import ldtk_projects as ldtk
from exporter.cli.main import main
from hand_tiled import drawn, layer, things, tileset, tileset_file
from page_snippets import ROOT
from team_tilesets import TILE_SET

CAVE = """\
size: [{size}]
seed: 2013
layers:
  ground: {generator: cellular_caves, wall_percent: 44, connect: guaranteed}
visibility: {layer: ground, radius: 6}
objects:
  - {name: stairs_up, clear_radius: 1}
  - {name: exit, far_from: stairs_up}
  - {name: chest, count: 3, spacing: 6}
"""
EDITS = "layers:\n  ground:\n    - {at: [3, 3], was: floor, now: wall}\n"
SPECS = {
    "levels/crypt.level.yaml": CAVE.replace("{size}", "64, 40"),
    "levels/cave.level.yaml": CAVE.replace("{size}", "64, 40"),
    "crypt.level.yaml": CAVE.replace("{size}", "24, 18"),
    "vault.level.yaml": CAVE.replace("{size}", "24, 18").replace("44", "40"),
    "a.level.yaml": CAVE.replace("{size}", "32, 20"),
    "b.level.yaml": CAVE.replace("{size}", "32, 20").replace("44", "40"),
    "levels/cavern.edits.yaml": EDITS,
    "levels/wilds.level.yaml": """\
size: [288, 192]
chunk: 128
seed: 7
layers:
  relief: {generator: heightmap, feature_size: 400}
  land: {generator: bands, of: relief, steps: [{below: 0.4, tile: sand}, {tile: grass}]}
  caves: {generator: cellular_caves, role: data}
visibility: {layer: caves, radius: 8}
""",
    "exporter.yaml": """\
levels: levels/*.level.yaml
targets:
  tiled: {path: tiled}
""",
}


def write_project(folder: Path) -> Path:
    """Write the project, with its sample, its export and three older commits."""
    (folder / "templates" / "levels").mkdir(parents=True)
    shutil.copy(ROOT / "templates" / "levels" / "caves.level.yaml", folder / "templates" / "levels")
    for game in ("", "sample_project", "my_game"):
        levels = folder / game / "levels"
        levels.mkdir(parents=True)
        shutil.copy(ROOT / "sample_project" / "levels" / "cavern.level.yaml", levels)
        (levels.parent / "exporter.yaml").write_text("targets:\n  tiled: {path: tiled}\n")
    for path, text in SPECS.items():
        (folder / path).write_text(text, encoding="utf-8")
    write_drawings(folder / "levels")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(folder)]
    for words in (["init", "-q"], ["add", "levels", "crypt.level.yaml"]):
        subprocess.run([*git, *words], check=True)
    for _ in range(4):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Levels"], check=True)
    subprocess.run([*git, "update-ref", "refs/remotes/origin/main", "HEAD"], check=True)
    assert main(["export", str(folder)]) == 0
    shutil.copy(folder / "tiled" / "crypt.lvb", folder / "crypt.lvb")
    return folder


def write_drawings(folder: Path) -> None:
    """Write the maps, pictures and tilesets that specs of the pages read."""
    grass = {8: {"type": "floor"}, 0: {"type": "wall"}, 1: {"type": "floor"}, 6: {"type": "wall"}}
    cells = np.full((30, 40), 2, np.uint32)
    cells[0] = 1
    people = things(
        "People",
        {"id": 1, "type": "guard", "x": 84, "y": 84, "point": True},
        {"id": 2, "name": "market", "x": 320, "y": 160, "width": 96, "height": 64},
    )
    tiles = [tileset(grass)]
    for name, size in (("village.tmx", (30, 40)), ("village.tmj", (40, 64))):
        # Cells that are not drawn in the second are generated.
        some = cells if name == "village.tmx" else np.zeros(size, np.uint32)
        some[5:9, 5:9] = 2
        walls = layer("Walls", some)
        content = drawn(walls, people, language=name[-3:], tilesets=tiles)
        (folder / name).write_bytes(content)
    room = np.full((6, 8), 7, np.uint32)
    room[1:-1, 1:-1] = room[0, 3] = 2
    (folder / "rooms.tmj").write_bytes(drawn(layer("Walls", room), tilesets=tiles))
    definition = ldtk.Layer("Collisions", values={1: "wall", 2: "floor", 3: None})
    for name, level, width, height in (
        ("world", "Village", 40, 25),
        ("rooms", "Room_1", 6, 5),
    ):
        rows = [[2] * width for _ in range(height)]
        rows[0] = [1] * width
        project = ldtk.Project([ldtk.Level(level, {"Collisions": rows})], [definition], name=name)
        (folder / f"{name}.ldtk").write_bytes(project.content())
    plan = np.full((40, 64, 4), 0, np.uint8)
    plan[4:12, 4:12] = (255, 255, 255, 255)
    plan[3, 3:13] = (0, 0, 0, 255)
    plan[6:8, 6:8] = (0x20, 0x40, 0xFF, 255)
    Image.fromarray(plan).save(folder / "plan.png")
    for name in ("meadow", "terrain"):
        Image.new("RGBA", (256, 256), "#608040").save(folder / f"{name}.png")


KIT = """[gd_resource type="MeshLibrary" format=3]

[resource]
item/0/name = "wall"
item/1/name = "floor"
"""


def write_game(folder: Path) -> None:
    """Write the files that settings of the pages name: games, scenes and tilesets of a team."""
    (folder / "ProjectSettings").mkdir()
    (folder / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.1f1\n")
    (folder / "Assets").mkdir()
    (folder / "art").mkdir()
    (folder / "art" / "dungeon.tsx").write_bytes(
        tileset_file(tileset({}, image="dungeon.png"), "tmx")
    )
    for game in ("", "game", "godot"):
        root = folder / game
        root.mkdir(exist_ok=True)
        (root / "project.godot").write_text("config_version=5\n")
        for scene in (
            "things/chest",
            "actors/guard",
            "actors/ogre",
            "actors/monster",
            "actors/dragon",
        ):
            (root / scene).parent.mkdir(exist_ok=True)
            text = '[gd_scene format=3]\n\n[node name="Thing" type="Node2D"]\n'
            (root / f"{scene}.tscn").write_text(text)
        (root / "art").mkdir(exist_ok=True)
        (root / "art" / "dungeon.tres").write_text(TILE_SET)
        (root / "art" / "kit.tres").write_text(KIT)
        Image.new("RGBA", (256, 256)).save(root / "art" / "dungeon.png")
