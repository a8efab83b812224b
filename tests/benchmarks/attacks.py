"""Every attack on every command: nothing outside of the attacker's project is touched.

    python tests/benchmarks/attacks.py

Prints each attack that does harm, and how many were tried.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from attack_project import Attack
from attacks import ATTACKS, COMMANDS, run


def main() -> int:
    """Try all of them; return 1 when one does harm."""
    failed = 0
    for name, prepare in ATTACKS.items():
        for command in COMMANDS:
            with tempfile.TemporaryDirectory() as folder:
                attack = Attack(Path(os.path.realpath(folder)))
                attack.make()
                prepare(attack)
                try:
                    run(attack, command)
                except AssertionError as error:
                    failed += 1
                    print(f"{name}: {command}: {error}")
    print(f"{len(ATTACKS) * len(COMMANDS)} attacks, {failed} of them did harm")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
