"""How long a save takes until all outputs are on disk, while `exporter watch` runs.

    python tests/benchmarks/watch_latency.py [--levels 1000] [--saves 30]

Real files in a temporary folder: a 128 x 128 level with visibility at radius 8 and all three
targets, saved by truncating and writing, timed from before the save until the line of JSON that
says it is exported. Then start to `ready` with many untouched levels, and the time and processor
share of an idle daemon. As a peer, watchdog with the same quiet time and nothing to do.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROJECT = """levels: levels/**/*.level.yaml
targets:
  unity: {path: unity/Assets/Levels}
  godot: {path: godot/levels}
  tiled: {path: tiled}
"""
LEVEL = """size: [128, 128]
seed: %d
layers:
  ground: {generator: cellular_caves}
visibility: {layer: ground, radius: 8}
"""
SMALL = "size: [16, 16]\nseed: %d\nlayers: {ground: {generator: cellular_caves}}\n"


class Daemon:
    """A running `exporter watch --json`."""

    def __init__(self, project: Path) -> None:
        command = [sys.executable, "-P", "-m", "exporter", "watch", "--json", str(project)]
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def next(self, event: str) -> dict[str, object]:
        """Return the next line of a kind."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, object] = json.loads(line)
            if message["event"] == event:
                return message
        raise SystemExit("the daemon ended")

    def processor_seconds(self) -> float:
        """Return the processor time of the daemon and its workers."""
        total = 0.0
        parents = {self.process.pid}
        for _ in range(4):
            for stat in Path("/proc").glob("[0-9]*/stat"):
                try:
                    fields = stat.read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[1]) in parents:
                    parents.add(int(stat.parent.name))
        for process in parents:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return total

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(20)


def save_to_outputs(folder: Path, saves: int) -> None:
    """Time saves of one level."""
    spec = folder / "levels" / "cave.level.yaml"
    spec.write_text(LEVEL % 0)
    daemon = Daemon(folder)
    daemon.next("ready")
    time.sleep(2)
    times, own, built = [], [], []
    for number in range(1, saves + 1):
        time.sleep(0.25)
        began = time.perf_counter()
        spec.write_text(LEVEL % number)
        message = daemon.next("level")
        times.append(time.perf_counter() - began)
        own.append(float(str(message["milliseconds"])) / 1000)
        built.append(float(str(message["seconds"])))
    daemon.stop()
    _row("save to outputs, 128 x 128, visibility 8, 3 targets", times)
    _row("  of which from the first event", own)
    _row("  of which building (within the quiet time)", built)


def debounce_time_of_a_peer(folder: Path, saves: int) -> None:
    """Time watchdog with 40 ms of quiet and nothing to do."""
    from watchdog.events import FileSystemEventHandler
    from watchdog.observers import Observer

    bell = threading.Event()

    class Ringer(FileSystemEventHandler):
        def on_any_event(self, event: object) -> None:
            if getattr(event, "event_type", "") not in ("opened", "closed_no_write"):
                bell.set()

    observer = Observer()
    observer.schedule(Ringer(), str(folder), recursive=True)
    observer.start()
    times = []
    for number in range(saves):
        time.sleep(0.1)
        bell.clear()
        began = time.perf_counter()
        (folder / "file").write_text(str(number))
        bell.wait()
        while bell.is_set():
            bell.clear()
            bell.wait(0.04)
        times.append(time.perf_counter() - began)
    observer.stop()
    observer.join()
    _row("peer: watchdog, 40 ms of quiet, nothing to do", times)


def many_levels(folder: Path, levels: int) -> None:
    """Time the start with untouched levels, one save among them, a checkout, and idling."""
    for number in range(levels):
        spec = folder / "levels" / f"part{number % 10}" / f"level{number}.level.yaml"
        spec.parent.mkdir(parents=True, exist_ok=True)
        spec.write_text(SMALL % number)
    command = [sys.executable, "-P", "-m", "exporter", "export", str(folder), "--jobs", "2"]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _row(f"export of {levels} new levels, 2 jobs", [time.perf_counter() - began])
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _row(f"export of {levels} untouched levels", [time.perf_counter() - began])
    starts = []
    for _ in range(3):
        daemon = Daemon(folder)
        daemon.next("ready")
        starts.append(time.perf_counter() - daemon.started)
        daemon.stop()
    _row(f"watch: start to ready, {levels} untouched levels", starts)
    daemon = Daemon(folder)
    daemon.next("ready")
    time.sleep(3)
    times = []
    for number in range(10):
        time.sleep(0.3)
        began = time.perf_counter()
        (folder / "levels" / "part0" / "level0.level.yaml").write_text(SMALL % (9000 + number))
        daemon.next("level")
        times.append(time.perf_counter() - began)
    _row(f"one save among {levels} levels", times)
    changed = min(200, levels)
    time.sleep(3)
    began = time.perf_counter()
    for number in range(changed):
        spec = folder / "levels" / f"part{number % 10}" / f"level{number}.level.yaml"
        spec.write_text(SMALL % (5000 + number))
    for _ in range(changed):
        daemon.next("level")
    _row(f"checkout of {changed} changed levels, watch", [time.perf_counter() - began])
    time.sleep(5)
    before, began = daemon.processor_seconds(), time.perf_counter()
    time.sleep(20)
    share = (daemon.processor_seconds() - before) / (time.perf_counter() - began)
    print(f"{f'idle with {levels} levels':<56} {share:8.2%} of one processor")
    daemon.stop()
    for number in range(changed):
        spec = folder / "levels" / f"part{number % 10}" / f"level{number}.level.yaml"
        spec.write_text(SMALL % (7000 + number))
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _row(f"export --jobs 2 of {changed} changed levels", [time.perf_counter() - began])


def _row(what: str, times: list[float]) -> None:
    worst = sorted(times)[int(0.95 * (len(times) - 1))]
    middle = statistics.median(times)
    print(f"{what:<56} {middle * 1000:8.1f} ms   (95 %: {worst * 1000:.1f})", flush=True)


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, default=1000)
    parser.add_argument("--saves", type=int, default=30)
    options = parser.parse_args()
    for run in (
        lambda folder: debounce_time_of_a_peer(folder, options.saves),
        lambda folder: save_to_outputs(folder, options.saves),
        lambda folder: many_levels(folder, options.levels),
    ):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "exporter.yaml").write_text(PROJECT)
            (folder / "levels").mkdir()
            run(folder)


if __name__ == "__main__":
    main()
