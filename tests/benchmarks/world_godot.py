"""A world in Godot: writing its parts, importing them, and frames of a walk through it.

Run: python tests/benchmarks/world_godot.py [parts in a row, 12]

A world 16,384 cells wide is exported as far as the walk sees it. `work` is the processor time that
the world's node takes in a frame, on Linux; 0.1 ms of it is the measuring. `rest` is that of all
else the main thread does in the frame, such as physics and navigation. `frame` is the time from
frame to frame without vertical synchronisation and without a screen, which other programs on the
machine lengthen.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from engine_harness.worlds import FOLDER, export_world
from exporter.build.world import World
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS

SCRIPT = Path(__file__).with_name("walk_world.gd")
SPEC = """
size: [16384, 16384]
chunk: 512
seed: 4
layers:
  caves: {generator: cellular_caves}
"""
# With heights, and with a layer that every other target spends most of its time on.
FULL = """
size: [1024, 1024]
chunk: 512
layers:
  caves: {generator: cellular_caves}
  relief: {generator: heightmap}
  seen: {generator: exposure}
visibility: {radius: 8}
"""
ROWS = 3
SIDE = 512 * 16
PARTS_TO_IMPORT = (0, 64, 1024)


def writing(blob: bool) -> None:
    """Print the cost of writing a part, with or without its blob."""
    world = World(parse_level(FULL.encode(), "full.level.yaml"))
    known = world.surveyed()
    part = world.part(1, 1, known, world.grounds(known))
    target = TARGETS.get("godot")
    options = target.options(path=FOLDER, blob=blob)
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        result = target.export_part(part, options, FOLDER)
        best = min(best, time.process_time() - begin)
    cells = part.width * part.height
    print(f"a part of 512 x 512: {best / cells * 1e9:.0f} ns a cell to write, blob: {blob}")
    for file in result.artifacts:
        print(f"  {file.name}: {len(file.data) / cells:.2f} bytes a cell")


def walks(columns: int) -> list[dict[str, Any]]:
    """Return the walks: from left to right, ever faster, a leap, and one far out."""
    left, right, middle = SIDE * 0.6, SIDE * (columns - 0.6), SIDE * 1.5
    way = {"from": [left, middle], "to": [right, middle + 300], "wait": 6}
    return [
        {"title": "8 pixels a frame", "speed": 8, **way},
        {"title": "60 pixels a frame", "speed": 60, **way},
        {"title": "leap to the other end", "speed": 1e9, "parts": 12, **way},
        {"title": "8 pixels a frame, zoom 0.1", "speed": 8, "zoom": 0.1, **way},
    ]


def importing(godot: Godot, folder: Path, source: Path) -> None:
    """Print how long the editor's first import takes with many parts and with none."""
    for count in PARTS_TO_IMPORT:
        project = godot.new_project(folder / f"import_{count}")
        levels = project / FOLDER
        (levels / "wide.world").mkdir(parents=True)
        for file in (source / FOLDER).iterdir():
            if file.is_file():
                (levels / file.name).write_bytes(file.read_bytes())
        folders = source / FOLDER / "wide.world", levels / "wide.world"
        parts = sorted(file.stem for file in folders[0].glob("*.tscn"))
        for number in range(count):
            part, name = parts[number % len(parts)], f"wide.{number % 32}_{number // 32}"
            for suffix in (".lvb", ".lvb.import"):
                content = (folders[0] / f"{part}{suffix}").read_bytes()
                (folders[1] / f"{name}{suffix}").write_bytes(content)
            text = (folders[0] / f"{part}.tscn").read_text(encoding="utf-8")
            head, rest = text.split("\n", 1)
            # Every part has a uid of its own.
            text = f"{head[: head.index(' uid=')]}]\n{rest}"
            (folders[1] / f"{name}.tscn").write_text(text, encoding="utf-8")
        begin = time.perf_counter()
        godot.import_project(project)
        print(f"first import with {count} parts: {time.perf_counter() - begin:.1f} s")


def main() -> None:
    """Print the figures."""
    columns = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    writing(blob=True)
    writing(blob=False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        godot = Godot.find(folder)
        if godot is None:
            sys.exit("Godot 4 (command godot) is not installed")
        project = godot.new_project(folder / "game")
        parts = [(column, row) for row in range(ROWS) for column in range(columns)]
        export_world(SPEC, "wide", parts, project)
        importing(godot, folder, project)
        godot.import_project(project)
        requested = walks(columns)
        question = {"scene": f"res://{FOLDER}/wide.tscn", "walks": requested}
        answers = godot.query(project, SCRIPT, question, seconds=1200)
        for walk, answer in zip(requested, answers, strict=True):
            work, rest, frame = answer["work"], answer["rest"], answer["frame"]
            print(
                f"{walk['title']:28} {answer['frames']:6} frames, {answer['parts']:3} parts, "
                f"first 6 after {answer['ready_ms']} ms; work {work['median']:.2f} ms, 99 %: "
                f"{work['p99']:.2f}, most {work['most']:.2f} ({work['above']} above 8 ms); "
                f"rest 99 %: {rest['p99']:.2f}, most {rest['most']:.2f} "
                f"({rest['above']} above 8 ms); frame "
                f"{frame['median']:.1f} ms, 99 %: {frame['p99']:.1f}; "
                f"{answer['memory'] / 1e6:.0f} MB"
            )


if __name__ == "__main__":
    main()
