"""How long Unity's C# reader takes under Mono, beside Python's own reader of the same blobs.

    python tests/benchmarks/csharp_decode.py [--runs N] [FOLDER]

Needs Mono (`.ci/install-engines`). FOLDER may hold `.npz` files (first array each, uint8 or
uint16, two dimensions); without it, levels are generated here. Each figure is the best of the
runs in one process; `first` is the first run, with compiling the code just in time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "engines"), str(Path(__file__).parent)]

import codec_sizes  # noqa: E402

from engine_harness import Mono  # noqa: E402
from exporter.blob import read_blob, write_blob  # noqa: E402
from exporter.codecs.codec import Profile  # noqa: E402
from exporter.model.level import Layer, Level, Tile  # noqa: E402
from exporter.visibility import compute_visibility  # noqa: E402

CORE = ROOT / "templates" / "unity" / "com.levelexporter.unity" / "Runtime" / "Core"
PROGRAM = ROOT / "tests" / "engines" / "csharp" / "TimeBlobs.cs"
PROFILES: tuple[Profile, ...] = ("small", "fast")


def grids(folder: Path | None) -> dict[str, NDArray[Any]]:
    """Return the grids to time: two-dimensional, of tile ids or heights."""
    result = codec_sizes.from_folder(folder) if folder else codec_sizes.generated()
    return {
        name: grid
        for name, grid in result.items()
        if grid.ndim == 2 and grid.dtype in (np.uint8, np.uint16)
    }


def level_of(grid: NDArray[Any]) -> Level:
    """Return a level with one layer; bitmaps get visibility."""
    height, width = grid.shape
    kind: Any = "heights" if grid.dtype == np.uint16 else "tiles"
    tiles = (Tile(0, "floor", True, False, "#ffffff"), Tile(1, "wall", False, True, "#000000"))
    layer = Layer("layer", kind, grid, "benchmark", tiles=tiles if kind == "tiles" else ())
    seen = compute_visibility(grid != 0, 8, "symmetric") if grid.max() == 1 else None
    return Level(
        "benchmark",
        width,
        height,
        layers={"layer": layer},
        visibility=seen,
        visibility_layer="layer" if seen else None,
    )


def python_milliseconds(blob: bytes, runs: int) -> float:
    """Return the fastest reading of a blob in Python."""
    best = float("inf")
    for _ in range(runs):
        started = time.perf_counter()
        read_blob(blob)
        best = min(best, time.perf_counter() - started)
    return best * 1000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("folder", type=Path, nargs="?")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mono = Mono.find(folder / "home")
        if mono is None:
            sys.exit("Mono (commands mcs and mono) is not installed")
        program = mono.compile([*sorted(CORE.rglob("*.cs")), PROGRAM], folder / "time.exe")
        print("| data | profile | bytes | Python ms | C# first ms | C# ms | field of view us |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for title, grid in grids(arguments.folder).items():
            for profile in PROFILES:
                level = level_of(grid)
                path = folder / f"{title}-{profile}.lvb"
                path.write_bytes(write_blob(level, profile))
                first, best, sight = mono.run(program, str(arguments.runs), path).split()
                bare = replace(level, visibility=None, visibility_layer=None)
                python = python_milliseconds(write_blob(bare, profile), min(arguments.runs, 5))
                print(
                    f"| {title} | {profile} | {path.stat().st_size:,} | {python:.1f} | {first} "
                    f"| {best} | {sight} |"
                )


if __name__ == "__main__":
    main()
