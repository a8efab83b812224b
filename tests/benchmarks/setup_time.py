"""Measure the setup of a checkout and the export of its sample project.

    python tests/benchmarks/setup_time.py [CHECKOUT ...] [--runs N]

Each checkout (by default this one) is copied without its build products and gets a fresh
environment. Checkouts are measured in turn in one run, so that two versions can be compared. Wheels
of other packages come from pip's cache after the first run; that run is printed too.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".git", ".venv", "build", "*.egg-info", "*.so", "*.pyd", "__pycache__")
PIP = ("--disable-pip-version-check", "--quiet")


def seconds(command: Sequence[str | Path], folder: Path) -> float:
    """Run a command and return its wall time."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def steps(checkout: Path, folder: Path) -> dict[str, float]:
    """Set up a copy of a checkout and return the wall time of each step."""
    source, environment = folder / "source", folder / "environment"
    shutil.copytree(checkout, source, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.rmtree(source / "sample_project" / ".exporter", ignore_errors=True)
    python, exporter = environment / "bin" / "python", environment / "bin" / "exporter"
    export = [exporter, "export", "sample_project"]
    return {
        "environment": seconds([sys.executable, "-m", "venv", environment], folder),
        "install": seconds([python, "-m", "pip", "install", *PIP, "."], source),
        "export": seconds(export, source),
        "export, unchanged": min(seconds(export, source) for _ in range(5)),
    }


def main() -> None:
    """Measure every checkout in turn and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", nargs="*", type=Path, default=[ROOT], metavar="CHECKOUT")
    parser.add_argument("--runs", type=int, default=2)
    options = parser.parse_args()
    print(f"{'run':>3}  {'step':<18} " + " ".join(f"{c.name:>12}" for c in options.checkouts))
    for run in range(1, options.runs + 1):
        columns = []
        for checkout in options.checkouts:
            with tempfile.TemporaryDirectory() as folder:
                columns.append(steps(checkout.resolve(), Path(folder)))
        for step in columns[0]:
            print(f"{run:>3}  {step:<18} " + " ".join(f"{c[step]:10.2f} s" for c in columns))
        print(f"{run:>3}  {'all':<18} " + " ".join(f"{sum(c.values()):10.2f} s" for c in columns))


if __name__ == "__main__":
    main()
