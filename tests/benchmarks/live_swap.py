"""How soon a running Godot game shows a level that was exported again, and frames of it.

Run: python tests/benchmarks/live_swap.py [--frames live-swap.png]

A game of the editor's kind runs while `exporter watch` does. Its level gets another seed ten times.
`files` is the time from the saved spec to the level's scene on disk, `swap` from there to the
game's level being another one, `frame` the longest frame meanwhile. With `--frames` the game runs
in a window while the player walks, and a few of its frames become one picture.
"""

from __future__ import annotations

import argparse
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from engine_harness.driven import Driven, driven
from engine_harness.live_project import LiveProject, new_live_project

TIMES = 10
LEVEL = """\
size: [{width}, {height}]
seed: {seed}
layers:
  ground: {{generator: cellular_caves}}
objects:
  - {{name: chest, count: 20}}
"""
# The last is exported in chunks.
SIZES = ((24, 16), (128, 128), (256, 256), (640, 640))
MAIN = """\
[gd_scene load_steps=3 format=3]

[ext_resource type="PackedScene" path="res://levels/crypt.{suffix}" id="1"]
[ext_resource type="Script" path="res://main.gd" id="2"]

[node name="Main" type="Node2D"]
script = ExtResource("2")

[node name="Level" parent="." instance=ExtResource("1")]

[node name="Player" type="Node2D" parent="."]
position = Vector2(100, 120)

[node name="Edge" type="ColorRect" parent="Player"]
offset_left = -8.0
offset_top = -8.0
offset_right = 8.0
offset_bottom = 8.0
color = Color(0.1, 0.1, 0.15, 1)

[node name="Face" type="ColorRect" parent="Player"]
offset_left = -6.0
offset_top = -6.0
offset_right = 6.0
offset_bottom = 6.0
color = Color(1, 0.8, 0.1, 1)
"""
SCRIPT = """\
extends Node2D

# Seconds since 1970: when levels were swapped, and the longest frame since it was asked last.
var swaps := []
var longest := 0.0
var frames := []
var is_recording := false
var _last := 0.0
var _walked := 0.0


func _ready() -> void:
	get_node("/root/LevelExporterLive").level_swapped.connect(
		func(_level: Node) -> void: swaps.append(Time.get_unix_time_from_system())
	)
	RenderingServer.frame_post_draw.connect(_record)


func _process(delta: float) -> void:
	var now := Time.get_unix_time_from_system()
	if _last > 0.0:
		longest = maxf(longest, now - _last)
	_last = now
	if is_recording:
		_walked += delta
		$Player.position.x = 160.0 - 80.0 * cos(_walked)


func _record() -> void:
	if is_recording:
		var image := get_viewport().get_texture().get_image()
		frames.append([Time.get_unix_time_from_system(), image])
"""
COUNT = 'return driver.get_node("/root/Main").swaps.size()'
LAST = """
var main := driver.get_node("/root/Main")
var answer := [main.swaps[-1], main.longest]
main.longest = 0.0
return answer
"""
RESET = 'driver.get_node("/root/Main").longest = 0.0\nreturn 0'
SAVE = """
var main := driver.get_node("/root/Main")
main.is_recording = false
var answer := []
for frame in main.frames:
	var file := "%s/%d.png" % [driver._folder, answer.size()]
	frame[1].save_png(file)
	answer.append([frame[0], file])
return answer
"""
# Of the strip: milliseconds after the files changed, before and after the swap.
AFTER = (300, 900)
WINDOW = (320, 224)
FRAMES = """\
size: [20, 14]
seed: {seed}
layers:
  ground: {{generator: cellular_caves}}
objects:
  - {{name: chest, count: 2}}
tileset: {{style: {style}}}
"""


@contextmanager
def watched(project: LiveProject) -> Iterator[None]:
    """Run `exporter watch` on a project."""
    command = [sys.executable, "-P", "-m", "exporter", "watch", "--quiet", str(project.root)]
    process = subprocess.Popen(command)
    time.sleep(3)
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def new_game(godot: Godot, folder: Path, suffix: str, spec: str) -> LiveProject:
    """Make a game whose main scene instances the level `crypt`."""
    project = new_live_project(godot, folder)
    project.write(spec)
    project.export()
    project.add_autoloads()
    (project.game / "main.tscn").write_text(MAIN.format(suffix=suffix), encoding="utf-8")
    (project.game / "main.gd").write_text(SCRIPT, encoding="utf-8")
    godot.import_project(project.game)
    return project


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one change."""

    files: float
    swap: float
    frame: float


def changed_at(path: Path) -> float:
    """Return when a file took its place; its modification time may be set to a later second."""
    return path.stat().st_ctime


def change(game: Driven, project: LiveProject, spec: str) -> Times:
    """Save a spec and wait for the game."""
    scene = project.game / "levels" / "crypt.tscn"
    count = game.run(COUNT)
    game.run(RESET)
    saved = time.time()
    project.write(spec)
    while game.run(COUNT) == count:
        time.sleep(0.02)
    swapped, longest = game.run(LAST)
    written = changed_at(scene)
    return Times((written - saved) * 1e3, (swapped - written) * 1e3, longest * 1e3)


def measure(godot: Godot, suffix: str, width: int, height: int) -> list[Times]:
    """Give one level another seed, again and again."""
    with tempfile.TemporaryDirectory() as folder:
        specs = [
            LEVEL.format(width=width, height=height, seed=number) for number in range(TIMES + 1)
        ]
        project = new_game(godot, Path(folder), suffix, specs[0])
        with driven(godot, project.game, "res://main.tscn") as game, watched(project):
            game.run(COUNT, 120)
            result = []
            for spec in specs[1:]:
                result.append(change(game, project, spec))
                time.sleep(0.3)
            return result


def record(godot: Godot, picture: Path) -> None:
    """Save frames of a swap as one picture."""
    with tempfile.TemporaryDirectory() as folder:
        project = new_game(godot, Path(folder), "tscn", FRAMES.format(seed=3, style="stone"))
        size = f"{WINDOW[0]}x{WINDOW[1]}"
        with (
            driven(
                godot, project.game, "res://main.tscn", "--resolution", size, window=True
            ) as game,
            watched(project),
        ):
            game.run(COUNT, 120)
            game.run('driver.get_node("/root/Main").is_recording = true\nreturn 0')
            time.sleep(0.5)
            change(game, project, FRAMES.format(seed=11, style="cavern"))
            swapped = game.run(LAST)[0]
            time.sleep(AFTER[-1] / 1e3)
            frames = game.run(SAVE, 120)
            written = changed_at(project.game / "levels" / "crypt.tscn")
            strip(
                [(when - written, Path(file)) for when, file in frames], swapped - written, picture
            )


def strip(frames: list[tuple[float, Path]], swap: float, picture: Path) -> None:
    """Put the chosen frames side by side, with the milliseconds below them."""
    old = [frame for frame in frames if frame[0] < swap]
    new = [frame for frame in frames if frame[0] >= swap]
    nearest = [min(new, key=lambda frame: abs(frame[0] - ms / 1e3)) for ms in AFTER]
    before = min(old, key=lambda frame: abs(frame[0] + 0.3))
    chosen = sorted({before, old[-1], new[0], *nearest})
    width, height = WINDOW
    gap, below = 6, 22
    sheet = Image.new("RGB", (len(chosen) * (width + gap) - gap, height + below), "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=15)
    for number, (when, file) in enumerate(chosen):
        left = number * (width + gap)
        sheet.paste(Image.open(file).convert("RGB").crop((0, 0, width, height)), (left, 0))
        text = f"{when * 1e3:+.0f} ms"
        draw.text((left + width / 2, height + 3), text, "black", font, anchor="ma")
    sheet.quantize(256, Image.Quantize.FASTOCTREE).save(picture, optimize=True)


def show(name: str, values: list[Times]) -> None:
    """Print one line: median and longest."""
    columns = [
        f"{statistics.median(each):6.0f} {max(each):6.0f}"
        for each in zip(*((value.files, value.swap, value.frame) for value in values), strict=True)
    ]
    print(f"{name:>16} | {' | '.join(columns)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--frames", type=Path, help="save frames of a swap, and measure nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        godot = Godot.find(Path(home))
        if godot is None:
            sys.exit("godot is not installed")
        if arguments.frames:
            record(godot, arguments.frames)
            return
        print("milliseconds, median and longest of", TIMES)
        print(f"{'level':>16} | {'files':>13} | {'swap':>13} | {'frame':>13}")
        for width, height in SIZES:
            for suffix in ("tscn", "lvb"):
                values = measure(godot, suffix, width, height)
                show(f"{width} x {height} {suffix}", values)


if __name__ == "__main__":
    main()
