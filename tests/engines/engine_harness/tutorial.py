"""The tutorial, followed word for word: its commands run, its files are saved, the game runs."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import exporter
from command_line import run
from engine_harness.driven import Driven, add_driver, driven
from engine_harness.godot import Godot

DOCS = Path(__file__).resolve().parents[3] / "exporter" / "docs"
FIRST, SECOND = (
    (DOCS / "tutorial" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("first-cave-in-godot", "your-own-tiles-and-things")
)
PICTURE = DOCS / "images" / "tutorial" / "my-tiles.png"
_COMMAND = re.compile(r"^\.venv/bin/exporter (init .*)$", re.M)
_FILE = re.compile(r"(?:Save this as|Replace the content of) `([\w./]+)`.*?```\w+\n(.*?)```", re.S)
_CELLS = 'return hash(driver.get_node("/root/Main/Level/ground").tile_map_data)'
_DIFFERENT = 'return hash(driver.get_node("/root/Main/Level/ground").tile_map_data) != {before}'
_PICTURE = """
await driver.get_tree().create_timer(0.5).timeout
await RenderingServer.frame_post_draw
driver.get_viewport().get_texture().get_image().save_png("{file}")
return 0
"""
_CHESTS = """
var chests := driver.get_tree().get_nodes_in_group("chest")
return chests.size() if not chests.is_empty() and chests[0] is Area2D else 0
"""
_WALK_INTO = """
var hero: Node2D = driver.get_node("/root/Main/Hero")
hero.position = driver.get_tree().get_nodes_in_group("chest")[0].position
return 0
"""
_STAND = """
driver.get_node("/root/Main/Hero").position = Vector2({x}.5, {y}.5) * 16
return 0
"""
_ON_FLOOR = """
var hero: Node2D = driver.get_node("/root/Main/Hero")
var ground: TileMapLayer = driver.get_node("/root/Main/Level/ground")
var tile := ground.get_cell_tile_data(ground.local_to_map(hero.position))
return tile != null and tile.get_custom_data("walkable")
"""
_BESIDE = """
var hero: Node2D = driver.get_node("/root/Main/Hero")
hero.position = driver.get_tree().get_nodes_in_group("chest")[{number}].position + Vector2(24, 0)
return 0
"""


@dataclass(frozen=True)
class Tutorial:
    """The reader's folder, and the game that runs in it."""

    folder: Path
    game: Driven

    @property
    def spec(self) -> Path:
        """The spec that the reader changes."""
        return self.folder / "levels" / "first_cavern.level.yaml"

    def _second_spec(self) -> Path:
        path = self.folder.parent / "levels" / "second.level.yaml"
        path.parent.mkdir()
        shutil.copy(PICTURE, path.parent)
        path.write_text(_file_of(SECOND, "levels/first_cavern.level.yaml"), encoding="utf-8")
        return path

    def save(self, page: str, name: str) -> None:
        """Save a file of a page, and let the exporter see it as `exporter watch` does."""
        (self.folder / name).write_text(_file_of(page, name), encoding="utf-8")

    def export(self) -> None:
        """Export the saved files."""
        done = run("export", self.folder)
        assert done.returncode == 0, done.stderr

    def change_seed(self) -> None:
        """Change the seed as the first page says, and wait for the game to follow."""
        (line,) = re.findall(r"^seed: .*$", FIRST, re.M)
        text = self.spec.read_text(encoding="utf-8")
        self.spec.write_text(re.sub(r"^seed: .*$", line, text, flags=re.M), encoding="utf-8")
        self.follow()

    def use_tiles(self) -> None:
        """Save the picture and the spec of the second page, and wait for the game to follow."""
        shutil.copy(PICTURE, self.folder / "levels")
        self.save(SECOND, "levels/first_cavern.level.yaml")
        self.follow()

    def use_scene(self) -> None:
        """Save the scene, its script and the settings, and wait for the chests."""
        for name in ("chest.gd", "chest.tscn", "exporter.yaml"):
            self.save(SECOND, name)
        self.export()
        self.game.until(_CHESTS, 24)

    def open_chest(self) -> None:
        """Walk into a chest, and wait until it is removed."""
        self.game.run(_WALK_INTO)
        self.game.until(_CHESTS, 23)

    def stand_where_a_wall_comes(self) -> None:
        """Put the hero on a floor cell that is wall in the level of the second page."""
        before, after = (
            exporter.build_level(exporter.load_level(path)).layers["ground"].walkable
            for path in (self.spec, self._second_spec())
        )
        y, x = np.argwhere(before & ~after)[0]
        self.game.run(_STAND.format(x=x, y=y))

    def wait_for_floor(self) -> None:
        """Wait until the hero is on a cell that can be walked on."""
        self.game.until(_ON_FLOOR, True)

    def follow(self) -> None:
        """Export, and wait until the game shows other cells."""
        before = self.game.run(_CELLS)
        self.export()
        self.game.until(_DIFFERENT.format(before=before), True)

    def stand_beside_chest(self, number: int) -> None:
        """Put the hero beside a chest."""
        self.game.run(_BESIDE.format(number=number))

    def picture(self, file: Path) -> None:
        """Take a picture of the game's window."""
        self.game.run(_PICTURE.format(file=file))


def _file_of(page: str, name: str) -> str:
    """Return the text that a page has for a file."""
    (text,) = [text for path, text in _FILE.findall(page) if path == name]
    return text


@contextmanager
def started(godot: Godot, folder: Path, *, window: bool = False) -> Iterator[Tutorial]:
    """Run the commands of the first page beside a folder for the clone, and start the game."""
    (folder / "clone").mkdir()
    for command in _COMMAND.findall(FIRST):
        done = run(*shlex.split(command), folder=folder / "clone")
        assert done.returncode == 0, done.stderr
    game = folder / "my-game"
    add_driver(game)
    settings = game / "project.godot"
    text = settings.read_text(encoding="utf-8")
    driver = '[autoload]\n\nDriver="*res://addons/driver/driver.gd"'
    settings.write_text(text.replace("[autoload]\n", driver, 1), encoding="utf-8")
    godot.import_project(game, first_start=True)
    size = ("--resolution", "832x480") if window else ()
    with driven(godot, game, *size, window=window) as running:
        running.until('return driver.has_node("/root/Main/Level/ground")', True)
        yield Tutorial(game, running)
