"""Measure the setup of a checkout and the export of its sample project.

    python tests/benchmarks/setup_time.py [CHECKOUT ...] [--runs N]

Each checkout (by default this one) is copied without its build products and gets a fresh
environment. Checkouts are measured in turn in one run, so that two versions can be compared. For
each step: wall time, and processor time of the process and of those it starts. Wheels of other
packages come from pip's cache after the first run; that run is printed too.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".git", ".venv", "*.egg-info", "*.so", "*.pyd", "__pycache__")
PIP = ("--disable-pip-version-check", "--quiet")


@dataclass(frozen=True)
class Spent:
    """Wall and processor time in seconds."""

    wall: float
    processor: float

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.processor + other.processor)

    def __str__(self) -> str:
        return f"{self.wall:8.2f} s {self.processor:7.2f} s CPU"


def spent(command: Sequence[str | Path], folder: Path) -> Spent:
    """Run a command and return the time that it took."""
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(time.perf_counter() - started, processor)


def steps(checkout: Path, folder: Path) -> dict[str, Spent]:
    """Set up a copy of a checkout and return the time of each step."""
    source, environment = folder / "source", folder / "environment"
    shutil.copytree(checkout, source, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.rmtree(source / "build", ignore_errors=True)
    shutil.rmtree(source / "sample_project" / ".exporter", ignore_errors=True)
    python, exporter = environment / "bin" / "python", environment / "bin" / "exporter"
    export = [exporter, "export", "sample_project"]
    return {
        "environment": spent([sys.executable, "-m", "venv", environment], folder),
        "install": spent([python, "-m", "pip", "install", *PIP, "."], source),
        "export": spent(export, source),
        "export, unchanged": min(
            (spent(export, source) for _ in range(5)), key=lambda one: one.wall
        ),
    }


def main() -> None:
    """Measure every checkout in turn and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", nargs="*", type=Path, default=[ROOT], metavar="CHECKOUT")
    parser.add_argument("--runs", type=int, default=2)
    options = parser.parse_args()
    print(f"{'run':>3}  {'step':<18} " + " ".join(f"{c.name:>24}" for c in options.checkouts))
    for run in range(1, options.runs + 1):
        columns = []
        for checkout in options.checkouts:
            with tempfile.TemporaryDirectory() as folder:
                columns.append(steps(checkout.resolve(), Path(folder)))
        for step in columns[0]:
            print(f"{run:>3}  {step:<18} " + " ".join(str(c[step]) for c in columns))
        sums = [sum(c.values(), Spent(0, 0)) for c in columns]
        print(f"{run:>3}  {'all':<18} " + " ".join(map(str, sums)))


if __name__ == "__main__":
    main()
