"""Edit a project at random between exports: each run does what its dry run listed.

    python tests/benchmarks/random_edits.py [--seeds 200]

Prints how many projects were checked; a failure names its seed and its edits.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from random_edits import check_cleaning, check_dry_runs


def main() -> None:
    """Check as many projects as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    began = time.monotonic()
    for seed in range(options.seeds):
        extra = ((), ("--force",), ("--overwrite",))[seed % 3]
        with tempfile.TemporaryDirectory() as folder:
            os.environ["LEVEL_EXPORTER_HOME"] = str(Path(folder) / "home")
            try:
                check_dry_runs(Path(folder) / "dry", seed, options.rounds, extra)
                check_cleaning(Path(folder) / "clean", seed, options.rounds)
            except AssertionError as error:
                sys.exit(f"seed {seed} {extra}: {error}")
    print(f"{options.seeds} projects: all as listed ({time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    main()
