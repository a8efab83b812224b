"""Compares all rules with their references on many random maps.

Run: python tests/benchmarks/visibility_long.py [cases] [first seed]

By default 100,000 cases, compiled and numpy runs both; it prints how far it is and stops at the
first difference. A case is a map, a radius and a rule, compared on every cell of small maps and on
some of larger ones.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "visibility"))

from visibility_cases import RULES, random_cases
from visibility_references import field_of_view

from exporter import compute_visibility
from exporter.visibility.algorithms import plan_for
from exporter.visibility.runs import run_arrays

BATCH = 500


def main(requested: int, seed: int) -> int:
    """Compare until enough cases are done; return the exit code."""
    done = origins = 0
    start = time.perf_counter()
    while done < requested:
        algorithm, see_walls = RULES[seed % len(RULES)]
        for case in random_cases(algorithm, see_walls, seed, min(BATCH, requested - done)):
            table = compute_visibility(case.opaque, case.radius, algorithm, see_walls=see_walls)
            arrays = run_arrays(plan_for(algorithm, case.radius, see_walls), case.opaque)
            if not np.array_equal(arrays, table.blocks):
                print(f"seed {seed}: the two runs differ\n{case}")
                return 1
            for origin in case.origins:
                expected = field_of_view(case.opaque, origin, case.radius, algorithm, see_walls)
                if not np.array_equal(table.visible_from(*origin), expected):
                    print(f"seed {seed}: differs from the reference, from {origin}\n{case}")
                    return 1
            done += 1
            origins += len(case.origins)
        seed += 1
        took = time.perf_counter() - start
        print(f"{done} cases, {origins} origins, no difference ({took:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(arguments + [100_000, 1000][len(arguments) :])))
