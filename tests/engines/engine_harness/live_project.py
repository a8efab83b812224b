"""An exporter project around a Godot game with the addon, for live tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from command_line import run
from engine_harness.driven import add_driver
from engine_harness.godot import Godot

AUTOLOADS = """\
[autoload]

Driver="*res://addons/driver/driver.gd"
LevelExporterLive="*res://addons/level_exporter/live/live_levels.gd"

[editor_plugins]
"""
LEVEL = """\
size: [24, 16]
seed: {seed}
layers:
  ground: {{generator: cellular_caves}}
objects:
  - {{name: chest, count: 2}}
"""
INHERITING = """\
[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://levels/crypt.{suffix}" id="1"]

[node name="Inheriting" instance=ExtResource("1")]

[node name="ground" parent="." index="0"]
modulate = Color(1, 0.5, 0.5, 1)
"""
INSTANCING = """\
[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://{scene}" id="1"]

[node name="{name}" type="Node2D"]

[node name="Inner" parent="." instance=ExtResource("1")]
position = Vector2(3, 4)
"""


@dataclass(frozen=True, slots=True)
class LiveProject:
    """The project's folder and its game's."""

    root: Path
    game: Path

    def write(self, text: str, name: str = "crypt") -> None:
        """Write a spec."""
        (self.root / "levels" / f"{name}.level.yaml").write_text(text, encoding="utf-8")

    def export(self, seed: int | None = None, *, fails: bool = False) -> None:
        """Export, with another seed of the level `crypt` if one is given; or see it fail."""
        if seed is not None:
            self.write(LEVEL.format(seed=seed))
        finished = run("export", self.root)
        assert (finished.returncode != 0) is fails, finished.stderr

    def target(self, options: str) -> None:
        """Write exporter.yaml with these options of the target."""
        (self.root / "exporter.yaml").write_text(
            f"levels: levels/*.level.yaml\ntargets:\n  godot: {{path: game/levels{options}}}\n"
        )

    def add_scenes(self) -> None:
        """Add scenes that inherit and instance the level."""
        for name, text in {
            "child": INHERITING.format(suffix="tscn"),
            "blob_child": INHERITING.format(suffix="lvb"),
            "instancing": INSTANCING.format(name="Instancing", scene="levels/crypt.tscn"),
            "outer": INSTANCING.format(name="Outer", scene="instancing.tscn"),
        }.items():
            (self.game / f"{name}.tscn").write_text(text, encoding="utf-8")

    def add_autoloads(self) -> None:
        """Make the driver and the addon's script autoloads, as the plugin does with its own."""
        path = self.game / "project.godot"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("[editor_plugins]\n", AUTOLOADS), encoding="utf-8")


def new_live_project(godot: Godot, folder: Path) -> LiveProject:
    """Make a project with the level `crypt`, exported, with addon and driver."""
    game = godot.new_project(folder / "game", ("level_exporter", "driver"))
    project = LiveProject(folder, game)
    add_driver(game)
    (folder / "levels").mkdir()
    project.target("")
    project.export(seed=1)
    return project
