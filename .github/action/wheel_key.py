"""Tells the runner by which key the exporter's wheel is cached: its source, Python and system.

Compiling the kernels takes longer than most exports; the same source gives the same wheel.
"""

import hashlib
import os
import sys
import sysconfig
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
# What a wheel is made of.
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "exporter", "templates")
# What running or compiling the exporter leaves in its folders.
LEFT_OVER = (".c", ".pyc", ".pyd", ".so")


def main() -> int:
    """Write the key, and the folder for the wheel."""
    digest = hashlib.sha256()
    for source in SOURCES:
        place = CHECKOUT / source
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.is_file() and path.suffix not in LEFT_OVER:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                digest.update(f"{path.relative_to(CHECKOUT).as_posix()} {content}\n".encode())
    python = f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
        outputs.write(f"key=level-exporter-wheel-{python}-{digest.hexdigest()}\n")
        outputs.write(f"folder={Path(os.environ['RUNNER_TEMP']) / 'level-exporter-wheel'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
