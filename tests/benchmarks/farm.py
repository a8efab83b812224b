"""How an export is divided: by shards, and by the workers of a Dask cluster, one of them killed.

python tests/benchmarks/farm.py [--levels 200] [--size 32] [--skip alone,shards]

For each way: seconds, levels a second, the memory of exporter, scheduler and workers after a fifth
of the levels and at most, and whether the outputs are those of one machine.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))

from daemon_harness import Project, environment, fresh_copy
from dask_cluster import DaskCluster

TARGETS = "targets:\n  tiled: {path: tiled}\n"
HEAD = (
    f"{'':<34}{'seconds':>9}{'levels/s':>10}{'exporter MB':>16}{'scheduler MB':>16}"
    f"{'worker MB':>16}  same bytes"
)


@dataclass
class Memory:
    """Resident memory of some processes in MB: after a fifth of the work, and at most."""

    early: dict[str, float] = field(default_factory=dict)
    most: dict[str, float] = field(default_factory=dict)

    def look(self, processes: Mapping[str, int], *, early: bool) -> None:
        """Look at processes by name."""
        for name, process in processes.items():
            size = resident(process)
            if early:
                self.early[name] = max(size, self.early.get(name, 0.0))
            self.most[name] = max(size, self.most.get(name, 0.0))

    def of_kind(self, kind: str) -> str:
        """Return the memory of a kind of processes, the largest of them."""
        early = max((v for k, v in self.early.items() if k.startswith(kind)), default=0.0)
        most = max((v for k, v in self.most.items() if k.startswith(kind)), default=0.0)
        return f"{early:.0f} -> {most:.0f}" if most else "-"


def resident(process: int) -> float:
    """Return the resident memory of a process in MB."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return int(lines.get("VmRSS", "0").split()[0]) / 1024


def digest(project: Project) -> str:
    """Return the hash of all outputs."""
    total = hashlib.sha256()
    for path in sorted((project.root / "tiled").rglob("*")):
        if path.is_file():
            total.update(path.relative_to(project.root).as_posix().encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def done(project: Project) -> int:
    """Return how many levels have been exported."""
    folder = project.root / "tiled"
    return len(list(folder.glob("*.tmj"))) if folder.exists() else 0


def timed(
    project: Project,
    levels: int,
    processes: Mapping[str, int],
    *arguments: str,
    halfway: Callable[[], None] | None = None,
) -> tuple[float, Memory]:
    """Export; return the seconds, and the memory."""
    began = time.perf_counter()
    running = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "exporter",
            "export",
            str(project.root),
            "--quiet",
            *arguments,
        ],
        env=environment(),
    )
    memory = Memory()
    while running.poll() is None:
        time.sleep(0.5)
        count = done(project)
        memory.look({"exporter": running.pid, **processes}, early=count <= levels / 5)
        if halfway is not None and count > levels / 2:
            halfway()
            halfway = None
    if running.returncode:
        raise SystemExit(f"exit code {running.returncode}")
    return time.perf_counter() - began, memory


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, default=200)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--skip", default="", help="alone, shards, one, two, killed")
    options = parser.parse_args()
    skipped = options.skip.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = Project(folder / "game", TARGETS)
        for number in range(options.levels):
            project.write(f"level{number}", seed=number, size=options.size)
        seen: list[str] = []

        def tell(what: str, item: Project, seconds: float, memory: Memory) -> None:
            seen.append(digest(item))
            kinds = (memory.of_kind(kind) for kind in ("exporter", "scheduler", "worker"))
            columns = "".join(f"{kind:>16}" for kind in kinds)
            same = "yes" if seen[-1] == seen[0] else "NO"
            rate = options.levels / seconds
            print(f"{what:<34}{seconds:9.1f}{rate:10.1f}{columns}  {same}", flush=True)

        print(f"{options.levels} levels of {options.size} x {options.size} cells, Tiled")
        print(HEAD, flush=True)
        if "alone" not in skipped:
            for jobs in ("1", "2"):
                copied = fresh_copy(project, folder / f"copied{jobs}")
                tell(
                    f"one machine, --jobs {jobs}",
                    copied,
                    *timed(copied, options.levels, {}, "--jobs", jobs),
                )
        if "shards" not in skipped:
            store = str(folder / "shards")
            for number in ("1/2", "2/2"):
                copied = fresh_copy(project, folder / f"shard{number[0]}")
                seconds, _ = timed(
                    copied, options.levels, {}, "--jobs", "1", "--store", store, "--shard", number
                )
                print(f"{'--shard ' + number:<34}{seconds:9.1f}", flush=True)
            copied = fresh_copy(project, folder / "whole")
            tell(
                "then all from the store",
                copied,
                *timed(copied, options.levels, {}, "--store", store),
            )
        for what, workers in (("one", 1), ("two", 2), ("killed", 2)):
            if what in skipped:
                continue
            copied = fresh_copy(project, folder / what)
            with DaskCluster(folder / f"{what}-cluster") as cluster:
                started = [cluster.worker() for _ in range(workers)]
                pids = {f"worker{number}": item.pid for number, item in enumerate(started)}
                time.sleep(5)  # they import
                words = f"--cluster, {what if what != 'killed' else 'two, one killed halfway'}"
                seconds, memory = timed(
                    copied, options.levels, {"scheduler": cluster.scheduler.pid, **pids},
                    "--store", str(folder / f"{what}-store"), "--cluster", cluster.address,
                    halfway=started[0].kill if what == "killed" else None,
                )  # fmt: skip
                tell(words, copied, seconds, memory)


if __name__ == "__main__":
    main()
