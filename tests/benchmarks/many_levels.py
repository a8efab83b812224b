"""Measure projects of many levels: export, no-op, save, idle daemon.

    python tests/benchmarks/many_levels.py [--levels 1000 5000 10000] [--folder DIR]

Caves of 24 x 16 cells with visibility at radius 4 and one object, for Godot and Tiled: 13 files a
level. The first export is reported by thousands, to show whether it slows down. A save is
timed until `export` has ended; and in a running `watch` until the output is another one, and until
the status says so. The daemon at rest: its share of one processor over 20 seconds. Memory is that
of the main process at its largest, and the largest of its workers. Linux.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))

from daemon_harness import Daemon, Project, children, environment

STEP = 1000
SAVES = 7
REST_SECONDS = 20.0
SPEC = """size: [24, 16]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, connect: guaranteed}}
visibility: {{layer: ground, radius: 4}}
objects:
  - {{name: chest}}
"""


def name_of(number: int) -> str:
    """Return a level's name."""
    return f"cave{number:05}"


def write_spec(project: Project, number: int, seed: int) -> None:
    """Save a level's spec."""
    project.spec(name_of(number)).write_text(SPEC.format(seed=seed))


def megabytes(process: int, field: str) -> float:
    """Return a size of a process's memory, as reported by Linux."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Memory:
    """The largest sizes of a process and its children while it runs."""

    def __init__(self, process: int) -> None:
        self.main, self.worker = 0.0, 0.0
        self._process = process
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(1.0):
            try:
                self.main = max(self.main, megabytes(self._process, "VmHWM"))
                sizes = [megabytes(child, "VmHWM") for child in children(self._process)]
            except OSError:
                continue
            self.worker = max([self.worker, *sizes])

    def end(self) -> str:
        """Stop watching; return the measurements."""
        self._over.set()
        self._thread.join()
        return f"{self.main:.0f} MB, a worker {self.worker:.0f} MB"


def show(what: str, value: str) -> None:
    """Print a row."""
    print(f"  {what:<44} {value}", flush=True)


def export(project: Project, what: str, *, by_steps: bool = False) -> None:
    """Export and print how long it took, its processor time and its memory."""
    before = os.times()
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "exporter", "export", str(project.root)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    memory = Memory(process.pid) if by_steps else None
    assert process.stdout is not None
    done, last = 0, began
    for line in process.stdout:
        done += line.startswith("cave")
        if by_steps and line.startswith("cave") and done % STEP == 0:
            now = time.perf_counter()
            show(f"levels {done - STEP + 1} to {done}", f"{(now - last) / STEP * 1e3:.1f} ms each")
            last = now
    if process.wait():
        raise SystemExit("the export failed")
    seconds = time.perf_counter() - began
    after = os.times()
    used = after.children_user + after.children_system - before.children_user
    used -= before.children_system
    show(what, f"{seconds:.2f} s ({used:.2f} s of the main process)")
    if memory is not None:
        show("memory of the export", memory.end())


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and its workers so far."""
    total = 0
    for item in (process, *children(process)):
        fields = Path(f"/proc/{item}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def changed(path: Path, before: tuple[int, int]) -> float:
    """Wait until a file is another one; return when that was."""
    while mark(path) == before:
        time.sleep(0.001)
    return time.perf_counter()


def mark(path: Path) -> tuple[int, int]:
    """Return a value that differs if a file was replaced."""
    status = path.stat()
    return status.st_mtime_ns, status.st_ino


def watch(project: Project, levels: int) -> None:
    """Measure a running daemon."""
    began = time.perf_counter()
    with Daemon(project) as daemon:
        show("watch: start until ready", f"{time.perf_counter() - began:.2f} s")
        process = daemon.process.pid
        time.sleep(5)  # it puts its notes in order, and warms its workers up
        output = project.root / "tiled" / f"{name_of(levels // 2)}.tmj"
        status = project.root / ".exporter" / "status.json"
        until_output, until_status = [], []
        for save in range(SAVES):
            marks = mark(output), mark(status)
            began = time.perf_counter()
            write_spec(project, levels // 2, 10**6 + save)
            until_output.append(changed(output, marks[0]) - began)
            until_status.append(changed(status, marks[1]) - began)
            time.sleep(2)
        show("watch: a save until its map is there", f"{statistics.median(until_output):.3f} s")
        show("watch: a save until the status has it", f"{statistics.median(until_status):.3f} s")
        time.sleep(5)
        before = processor_seconds(process)
        time.sleep(REST_SECONDS)
        share = (processor_seconds(process) - before) / REST_SECONDS
        show("watch: processor share at rest", f"{share:.2%}")
        workers = [megabytes(child, "VmRSS") for child in children(process)]
        sizes = f"{megabytes(process, 'VmRSS'):.0f} MB, a worker {max(workers, default=0.0):.0f} MB"
        show("watch: memory", sizes)


def main() -> None:
    """Run all of it for every number of levels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, nargs="*", default=[1000, 5000, 10_000])
    parser.add_argument("--folder", type=Path, help="where to work; default: a temporary folder")
    options = parser.parse_args()
    for levels in options.levels:
        print(f"{levels} levels", flush=True)
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            project = Project(Path(name) / "project")
            for number in range(levels):
                write_spec(project, number, number)
            export(project, "first export", by_steps=True)
            export(project, "no-op")
            write_spec(project, levels // 2, 10**6 - 1)
            export(project, "one save, exported")
            watch(project, levels)


if __name__ == "__main__":
    main()
