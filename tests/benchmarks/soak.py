"""Random edits, renames, deletions and vandalism under a daemon that is killed now and then.

    python tests/benchmarks/soak.py [--edits 1000] [--seed 1]

Prints how often each style of saving was used, and how many outputs were edited by hand.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from soak import soak


def main() -> None:
    """Run the long soak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        counts = soak(Path(name), options.edits, options.seed)
        print(
            f"{options.edits} random edits: nothing edited was lost, all else as freshly exported "
            f"({time.monotonic() - began:.0f} s)"
        )
        print(", ".join(f"{what}: {number}" for what, number in counts.items()))


if __name__ == "__main__":
    main()
