"""Check that a world has the cells of the whole map; measure random kills.

    python tests/benchmarks/world_proofs.py --side 4096 --kills 20

The first table builds the same spec as one level, and compares all layers of all parts with it. The
second one kills an export with all its processes at random moments, goes on with it each time, and
compares the files with those of an undisturbed export. `lost` are parts whose files existed without
being recorded as done: work that is done again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from exporter.blob import read_blob
from exporter.build.build import build_level
from exporter.reading.reader import parse_level
from exporter.store.entries import is_part
from exporter.store.manifest import Manifest

SPEC = """\
size: [{side}, {side}]
chunk: {chunk}
layers:
  caves: {{generator: cellular_caves, connect: guaranteed}}
  relief: {{generator: heightmap, feature_size: 256, octaves: 8}}
  biomes: {{generator: bands, of: relief, steps: [{{below: 0.4, tile: water}}, {{tile: grass}}]}}
  open: {{generator: exposure, of: caves}}
visibility: {{layer: caves, radius: 8}}
"""
SETTINGS = "levels: levels/*.level.yaml\ntargets:\n  tiled: {path: tiled}\n"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=4096)
    parser.add_argument("--chunk", type=int, default=512)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    options = parser.parse_args()
    text = SPEC.format(side=options.side, chunk=options.chunk)
    with tempfile.TemporaryDirectory() as folder:
        unharmed = project(Path(folder) / "unharmed", text)
        started = time.perf_counter()
        start(unharmed, options.jobs).wait()
        seconds = time.perf_counter() - started
        print(f"{options.side} x {options.side} cells in parts of {options.chunk}: {seconds:.1f} s")
        compare(unharmed, text, options.chunk)
        kill(unharmed, Path(folder), text, seconds, options)


def project(root: Path, text: str) -> Path:
    """Make a project with the world."""
    (root / "levels").mkdir(parents=True)
    (root / "levels" / "world.level.yaml").write_text(text)
    (root / "exporter.yaml").write_text(SETTINGS)
    return root


def start(root: Path, jobs: int) -> subprocess.Popen[bytes]:
    """Begin an export, or go on with it."""
    command = [sys.executable, "-P", "-m", "exporter", "export", str(root), "--quiet"]
    return subprocess.Popen([*command, "--jobs", str(jobs)], start_new_session=True)


def compare(root: Path, text: str, chunk: int) -> None:
    """Compare all layers of all parts with those of the level that is built at once."""
    whole = build_level(parse_level(text.replace(f"chunk: {chunk}\n", "").encode(), "world"))
    differing = dict.fromkeys(whole.layers, 0)
    parts = sorted((root / "tiled" / "world.world").glob("world.*.lvb"))
    for path in parts:
        column, row = (int(number) for number in path.stem.split(".")[1].split("_"))
        part = read_blob(path.read_bytes())
        area = np.s_[row * chunk : (row + 1) * chunk, column * chunk : (column + 1) * chunk]
        for name, layer in whole.layers.items():
            differing[name] += int(np.count_nonzero(part.layers[name].cells != layer.cells[area]))
    print(f"\n{'layer':<10}{'cells':>14}{'differing':>12}")
    for name, count in differing.items():
        print(f"{name:<10}{whole.layers[name].cells.size:>14,}{count:>12,}")
    print(f"{len(parts)} parts", flush=True)


def kill(
    unharmed: Path, folder: Path, text: str, seconds: float, options: argparse.Namespace
) -> None:
    """Kill exports, resume them, and report the lost work."""
    moments = random.Random(options.seed)
    kills = runs = 0
    dropped: list[int] = []
    same = True
    expected = contents(unharmed)
    while kills < options.kills:
        root = project(folder / f"killed{runs}", text)
        runs += 1
        recorded: dict[str, int] = {}
        while True:
            running = start(root, options.jobs)
            try:
                left = options.kills - kills
                running.wait(moments.uniform(0.5, 2 * seconds / options.kills) if left else None)
                break
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
            kills += 1
            if any(part(root, name).stat().st_mtime_ns != at for name, at in recorded.items()):
                raise SystemExit("a part that was done was made again")
            recorded = {name: part(root, name).stat().st_mtime_ns for name in done(root)}
            begun = {path.stem.split(".")[1] for path in part(root, "0_0").parent.glob("*.lvb")}
            dropped.append(len(begun - recorded.keys()))
        same = same and contents(root) == expected
    print(f"\n{'kills':<8}{'exports':>8}{'most lost at a kill':>22}{'lost in all':>14}  same bytes")
    answer = "yes" if same else "NO"
    print(
        f"{kills:<8}{runs:>8}{max(dropped, default=0):>22}{sum(dropped):>14}  {answer}", flush=True
    )


def part(root: Path, name: str) -> Path:
    """Return the blob of a part."""
    return root / "tiled" / "world.world" / f"world.{name}.lvb"


def done(root: Path) -> set[str]:
    """Return the parts that are recorded as done."""
    manifest = Manifest(root / ".exporter")
    manifest.refresh()
    return {
        key.partition("\n")[2]
        for key, entry in manifest.entries.items()
        if is_part(key) and entry.key
    }


def contents(root: Path) -> dict[str, str]:
    """Return the hashes of all outputs."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((root / "tiled").rglob("*"))
        if path.is_file()
    }


if __name__ == "__main__":
    main()
