"""Kill exports at many moments: every remaining file is whole and has an owner.

    python tests/benchmarks/kills.py [--moments 1000]

Prints how many exports were killed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from kills import check_killed_change, check_killed_first_export


def main() -> None:
    """Kill as many exports as asked for, or one before and after each call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=1000)
    moments = parser.parse_args().moments
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        os.environ["LEVEL_EXPORTER_HOME"] = str(root / "home")
        killed = sum(
            check_killed_change(root / f"cached {cached}", cached=cached, moments=moments)
            for cached in (True, False)
        )
        killed += check_killed_first_export(root / "first", moments)
    print(f"{killed} exports were killed, and all is whole ({time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    main()
