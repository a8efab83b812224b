"""Running an engine: output captured as one text, time limited, a home folder of its own."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

# A process that takes longer hangs: far more than any needs on a busy machine.
MOST_SECONDS = 600.0
ANSI_SEQUENCE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def home_environment(home: Path) -> dict[str, str]:
    """Return this process's environment with every per-user folder below `home`."""
    folders = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_RUNTIME_DIR": home / "runtime",
    }
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {**os.environ, **{name: str(folder) for name, folder in folders.items()}}


def run(
    command: list[str],
    environment: Mapping[str, str],
    seconds: float = MOST_SECONDS,
    folder: Path | None = None,
    stdin: str = "",
) -> tuple[int, str]:
    """Run a command and return its exit code and its output, errors and colours merged out.

    Raises:
        subprocess.TimeoutExpired: After `seconds`; the process is dead then.
    """
    finished = subprocess.run(
        command,
        env=dict(environment),
        cwd=folder,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )
    return finished.returncode, ANSI_SEQUENCE.sub("", finished.stdout)
