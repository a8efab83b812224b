"""How fast many levels are exported: by jobs, from the cache, and when nothing changed.

python tests/benchmarks/export_many.py [--levels 200]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))

from daemon_harness import Project

TARGETS = """targets:
  unity: {path: unity/Assets/Levels}
  godot: {path: godot/levels}
  tiled: {path: tiled}
"""


def export(project: Project, what: str, *arguments: str) -> None:
    """Export and print how long it took."""
    began = time.perf_counter()
    result = project.export(*arguments)
    if result.returncode:
        raise SystemExit(result.stderr)
    print(f"{what:<44} {time.perf_counter() - began:8.2f} s", flush=True)


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, default=200)
    options = parser.parse_args()
    for jobs in ("1", "2", "4"):
        with tempfile.TemporaryDirectory() as name:
            project = Project(Path(name), TARGETS)
            for number in range(options.levels):
                project.write(f"level{number}", seed=number, size=64)
            levels = f"{options.levels} levels, --jobs {jobs}"
            export(project, f"{levels}: new", "--jobs", jobs)
            export(project, f"{levels}: untouched", "--jobs", jobs)
            for folder in ("unity", "godot", "tiled"):
                shutil.rmtree(project.root / folder)
            export(project, f"{levels}: outputs lost, all cached", "--jobs", jobs)


if __name__ == "__main__":
    main()
