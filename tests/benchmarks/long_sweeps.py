"""Repeat the random sweeps of quick tests with other seeds.

Run: python tests/benchmarks/long_sweeps.py [times] [tests ...]

By default 20 times the folders whose properties Hypothesis looks for counterexamples of. It prints
each seed, and stops at the first that fails: `pytest --hypothesis-seed=SEED` finds that case again.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = [
    "blob", "codecs", "deflate", "formats", "generators", "geometry", "grids", "placement",
    "reading", "tables", "visibility",
]  # fmt: skip


def main(times: int, tests: list[str]) -> int:
    """Run the tests with one seed after the other; return the exit code."""
    given = [str(ROOT / "tests" / name) for name in tests]
    for seed in range(1, times + 1):
        start = time.perf_counter()
        command = [sys.executable, "-m", "pytest", "-q", f"--hypothesis-seed={seed}", *given]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"seed {seed}: {time.perf_counter() - start:.0f} s", flush=True)
        if done.returncode:
            print(done.stdout)
            return 1
    return 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:2]]
    sys.exit(main(numbers[0] if numbers else 20, sys.argv[2:] or FOLDERS))
