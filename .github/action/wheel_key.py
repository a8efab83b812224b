"""Print the key by which the runner caches the exporter's wheel: its source, Python and system.

Compiling the kernels takes longer than most exports; the same source gives the same wheel.
"""

import hashlib
import os
import platform
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
        position = CHECKOUT / source
        for path in [position] if position.is_file() else sorted(position.rglob("*")):
            if path.is_file() and path.suffix not in LEFT_OVER:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                digest.update(f"{path.relative_to(CHECKOUT).as_posix()} {content}\n".encode())
    # Free-threaded Pythons differ in the suffix, systems of one name in the libraries they have.
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX")).strip(".")
    python = "-".join([suffix, sysconfig.get_platform(), *platform.libc_ver()])
    key = f"level-exporter-wheel-{python}-{digest.hexdigest()}"
    # Two versions of the action in one job have a folder each.
    folder = Path(os.environ["RUNNER_TEMP"]) / f"level-exporter-wheel-{digest.hexdigest()[:16]}"
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
        outputs.write(f"key={key}\nfolder={folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
