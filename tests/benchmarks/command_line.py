"""How long the commands take as whole processes: start-up, and exports with nothing to do.

    python tests/benchmarks/command_line.py [--runs N]

Peers: the bare interpreter, and `mkdocs --help` where mkdocs is installed (another YAML-driven
build tool in Python).
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_project"
EXPORTER = [sys.executable, "-m", "exporter"]


def seconds(command: list[str], runs: int) -> float:
    """Return the median wall time of a command, after one run that does not count."""
    times = []
    for _ in range(runs + 1):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
        times.append(time.perf_counter() - started)
    return statistics.median(times[1:])


def project_of(folder: Path, levels: int) -> Path:
    """Make an exported project of small levels."""
    (folder / "levels").mkdir(parents=True)
    (folder / "exporter.yaml").write_text(
        "targets:\n  godot: {path: godot}\n  tiled: {path: tiled}\n"
    )
    for number in range(levels):
        (folder / "levels" / f"cave{number}.level.yaml").write_text(
            f"size: [24, 16]\nseed: {number}\nlayers:\n  ground: {{generator: cellular_caves}}\n"
        )
    subprocess.run([*EXPORTER, "export", str(folder)], check=True, capture_output=True, cwd=ROOT)
    return folder


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as temporary:
        sample = Path(temporary) / "sample"
        shutil.copytree(SAMPLE, sample, ignore=shutil.ignore_patterns(".exporter", ".godot"))
        subprocess.run([*EXPORTER, "export", str(sample)], check=True, cwd=ROOT)
        three = project_of(Path(temporary) / "three", 3)
        hundred = project_of(Path(temporary) / "hundred", 100)
        spec = str(sample / "levels" / "cavern.level.yaml")
        rows = [
            ("python -c pass", [sys.executable, "-c", "pass"], ""),
            ("exporter --help", [*EXPORTER, "--help"], "60"),
            ("exporter check SPEC", [*EXPORTER, "check", spec], ""),
            (
                "exporter export, nothing changed, 3 levels",
                [*EXPORTER, "export", str(three)],
                "150",
            ),
            (
                "the same, the sample project with a plugin",
                [*EXPORTER, "export", str(sample)],
                "",
            ),
            (
                "exporter export, nothing changed, 100 levels",
                [*EXPORTER, "export", str(hundred)],
                "",
            ),
            (
                "exporter export --force, 3 levels",
                [*EXPORTER, "export", str(three), "--force"],
                "",
            ),
        ]
        if shutil.which("mkdocs"):
            rows.append(("mkdocs --help (peer)", ["mkdocs", "--help"], ""))
        print(f"{'whole process, median of ' + str(runs):<48}{'ms':>8}{'limit':>8}")
        for name, command, limit in rows:
            print(f"{name:<48}{seconds(command, runs) * 1000:>8.0f}{limit:>8}")


if __name__ == "__main__":
    main()
