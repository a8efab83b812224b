"""Measure worlds: seconds, memory of all processes, bytes on disk.

    python tests/benchmarks/worlds.py --side 4096 16384 --targets blob
    python tests/benchmarks/worlds.py --side 4096 --targets blob godot tiled unity

`exporter export` exports each world into a new folder, once from nothing and once more with nothing
to do. Memory is the proportional set size (PSS), sampled ten times a second on Linux.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LAYERS = {
    "cave": "  caves: {generator: cellular_caves}\n",
    "joined": "  caves: {generator: cellular_caves, connect: guaranteed}\n",
    # Two strips of floor in rock: further apart than any part sees at first.
    "far": (
        "  rock: {generator: blank, tile: wall, role: none}\n"
        f"  far: {{generator: stamp, of: rock, art: '{'.' * 500}', at: [[50, 20], [50, 580]], "
        "connect: guaranteed}\n"
    ),
    "heights": "  relief: {generator: heightmap, feature_size: 256, octaves: 8}\n",
    "exposure": "  open: {generator: exposure}\n",
}
TARGETS = {
    "blob": "  unity: {path: out, bitmaps: false}\n",
    "godot": "  godot: {path: godot}\n",
    "tiled": "  tiled: {path: tiled}\n",
    "unity": "  unity: {path: unity/Assets/Levels}\n",
}


@dataclass(frozen=True)
class Cost:
    """The costs of an export."""

    seconds: float
    memory: int
    nothing_to_do: float
    files: int
    size: int


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, nargs="+", default=[2048, 4096])
    parser.add_argument("--chunk", type=int, default=512)
    parser.add_argument(
        "--layers", nargs="+", choices=[*LAYERS], default=["cave", "heights", "exposure"]
    )
    parser.add_argument("--targets", nargs="+", choices=[*TARGETS], default=["tiled"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--place", type=Path, help="where to write; default: a temporary folder")
    options = parser.parse_args()
    heads = ("side", "seconds", "ns/cell", "MiB", "no-op s", "files", "B/cell")
    print("".join(f"{head:>9}" for head in heads))
    for side in options.side:
        with tempfile.TemporaryDirectory(dir=options.place) as folder:
            cost = measured(Path(folder), side, options)
        cells = side * side
        row = (
            f"{side}",
            f"{cost.seconds:.1f}",
            f"{cost.seconds / cells * 1e9:.0f}",
            f"{cost.memory / 2**20:.0f}",
            f"{cost.nothing_to_do:.2f}",
            f"{cost.files}",
            f"{cost.size / cells:.1f}",
        )
        print("".join(f"{item:>9}" for item in row), flush=True)


def measured(root: Path, side: int, options: argparse.Namespace) -> Cost:
    """Export a world twice."""
    (root / "levels").mkdir()
    targets = "".join(TARGETS[name] for name in options.targets)
    (root / "exporter.yaml").write_text(f"levels: levels/*.level.yaml\ntargets:\n{targets}")
    layers = "".join(LAYERS[name] for name in options.layers)
    sight = "visibility: {radius: 8}\n" if "exposure" in options.layers else ""
    (root / "levels" / "world.level.yaml").write_text(
        f"size: [{side}, {side}]\nchunk: {options.chunk}\nlayers:\n{layers}{sight}"
    )
    command = [sys.executable, "-P", "-m", "exporter", "export", str(root), "--quiet"]
    command += ["--jobs", str(options.jobs)]
    seconds, memory = run(command)
    nothing_to_do, _ = run(command)
    outputs = [
        path
        for path in root.rglob("*")
        if path.is_file() and ".exporter" not in path.parts and path.parent.name != "levels"
    ]
    size = sum(path.stat().st_size for path in outputs)
    shutil.rmtree(root / ".exporter")
    return Cost(seconds, memory, nothing_to_do, len(outputs), size)


def run(command: list[str]) -> tuple[float, int]:
    """Run a command; return its seconds and the most memory of its processes together."""
    started = time.perf_counter()
    running = subprocess.Popen(command, start_new_session=True)
    most = [0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.1):
            most[0] = max(most[0], sum(map(memory_of, session(running.pid))))

    watching = threading.Thread(target=watch)
    watching.start()
    code = running.wait()
    ended.set()
    watching.join()
    if code:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    return time.perf_counter() - started, most[0]


def session(leader: int) -> list[int]:
    """Return the processes of a session."""
    result = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader:
                result.append(int(path.name))
    return result


def memory_of(process: int) -> int:
    """Return the PSS of a process in bytes; 0 if it has ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next(
        int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:")
    )


if __name__ == "__main__":
    main()
