"""Measure the processor time of whole commands, in fresh processes.

    python tests/benchmarks/command_line.py [--runs N] [--against PYTHON]

Processor seconds of the process and of those it starts (user and system), the best of all runs,
and how many times `python -c "import numpy"` that is. The commands take turns, so a busy machine
slows all of them. Only bytecode is kept, as after an installation, and for `nothing to do` the
export. `--against` is the Python of another installation of the exporter, measured in turn with
this one. Peers: an empty Python, and `ruff check` where ruff is installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_project"
BASE = "import numpy"
WITHOUT_THREADS = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'; import numpy"
# In multiples of `import numpy`.
GOALS = {
    "--help": 0.45,
    "check": 2.8,
    "stats": 2.5,
    "preview": 3.2,
    "first export, one level": 3.5,
    "nothing to do, one level": 0.8,
    "init, with its first export": 5.5,
}


def environment(temporary: Path) -> dict[str, str]:
    """Return an environment in which Python keeps bytecode, whatever this one says."""
    remaining = {name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"}
    return remaining | {"PYTHONPYCACHEPREFIX": str(temporary / "bytecode")}


def seconds(command: list[str], folder: Path) -> float:
    """Return the processor time of a command and of the processes that it waits for."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(folder.parent.parent),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {errors.decode()}")
    return usage.ru_utime + usage.ru_stime


def cavern(folder: Path) -> None:
    """Make a project of the sample's first level, for three engines."""
    (folder / "levels").mkdir()
    shutil.copy(SAMPLE / "levels" / "cavern.level.yaml", folder / "levels")
    (folder / "exporter.yaml").write_text(
        "targets:\n"
        "  godot: {path: godot/levels}\n"
        "  unity: {path: unity/Assets/Levels}\n"
        "  tiled: {path: tiled}\n"
    )


def nothing(folder: Path) -> None:
    """Leave a folder empty: there `init` makes a game of Godot and exports its first level."""


def sample(folder: Path) -> None:
    """Copy the sample project, without exported files."""
    ignored = shutil.ignore_patterns(".exporter", ".godot")
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True, ignore=ignored)


def many(folder: Path) -> None:
    """Make a project of 100 small levels."""
    cavern(folder)
    for number in range(100):
        (folder / "levels" / f"cave{number}.level.yaml").write_text(
            f"size: [24, 16]\nseed: {number}\nlayers:\n  ground: {{generator: cellular_caves}}\n"
        )


SPEC = "levels/cavern.level.yaml"
# Names, arguments, files there before, and whether they are exported already.
COMMANDS: list[tuple[str, list[str], Callable[[Path], None], bool]] = [
    ("--help", ["--help"], cavern, False),
    ("check", ["check", SPEC], cavern, False),
    ("stats", ["stats", SPEC], cavern, False),
    ("preview", ["preview", SPEC, "-o", "cavern.png"], cavern, False),
    ("first export, one level", ["export"], cavern, False),
    ("nothing to do, one level", ["export"], cavern, True),
    ("init, with its first export", ["init", "game"], nothing, False),
    ("first export, sample project", ["export"], sample, False),
    ("nothing to do, sample project", ["export"], sample, True),
    ("nothing to do, 101 levels", ["export"], many, True),
]


class Bench:
    """One installation, its projects, and the best time of each command."""

    def __init__(self, python: str, temporary: Path) -> None:
        self.exporter = [python, "-P", "-m", "exporter"]
        self.temporary = temporary
        self.best: dict[str, float] = {}
        self._folders = 0

    def fresh(self, make: Callable[[Path], None]) -> Path:
        """Return a new folder with a project."""
        self._folders += 1
        folder = self.temporary / str(self._folders)
        folder.mkdir(parents=True)
        make(folder)
        return folder

    def exported(self, make: Callable[[Path], None]) -> Path:
        """Return a new folder with a project that is exported."""
        folder = self.fresh(make)
        seconds([*self.exporter, "export"], folder)
        return folder

    def run(self, name: str, command: list[str], folder: Path) -> None:
        """Run a command once."""
        time = seconds(command, folder)
        self.best[name] = min(time, self.best.get(name, time))


def measure(pythons: list[str], runs: int, temporary: Path) -> list[dict[str, float]]:
    """Return the best time of each command; peers are with the first installation."""
    benches = [Bench(python, temporary / str(number)) for number, python in enumerate(pythons)]
    peers = benches[0]
    here = peers.fresh(cavern)
    remaining = [
        {name: bench.exported(make) for name, _, make, before in COMMANDS if before}
        for bench in benches
    ]
    ruff = shutil.which(
        "ruff", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    )
    for _ in range(runs + 1):  # the first run fills the bytecode, and is never the best
        peers.run("python -c pass", [sys.executable, "-c", "pass"], here)
        peers.run(BASE, [sys.executable, "-c", BASE], here)
        peers.run("import numpy, without threads", [sys.executable, "-c", WITHOUT_THREADS], here)
        if ruff:
            peers.run("ruff check", [ruff, "check", "--no-cache", str(Path(__file__))], here)
        for name, arguments, make, _ in COMMANDS:
            for bench, folders in zip(benches, remaining, strict=True):
                folder = folders.get(name) or bench.fresh(make)
                bench.run(name, [*bench.exporter, *arguments], folder)
    return [bench.best for bench in benches]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--against", metavar="PYTHON", help="another installation's Python")
    options = parser.parse_args()
    pythons = [sys.executable, *([options.against] if options.against else [])]
    with tempfile.TemporaryDirectory() as temporary:
        results = measure(pythons, options.runs, Path(temporary))
    base = results[0][BASE]
    heads = ["this", "other"][: len(results)]
    print(
        f"{'best of ' + str(options.runs):<32}"
        + "".join(f"{head + ' ms':>10}{'x numpy':>9}" for head in heads)
        + f"{'goal':>8}"
    )
    for name in results[0]:
        cells = "".join(
            f"{best[name] * 1000:>10.0f}{best[name] / base:>9.2f}" if name in best else " " * 19
            for best in results
        )
        print(f"{name:<32}{cells}{GOALS.get(name, ''):>8}")


if __name__ == "__main__":
    main()
