"""Compile the kernels with AddressSanitizer, and run a script on them.

The exporter itself is not changed: they go into a separate folder. gcc or clang and Cython are
needed, and Linux.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLAGS = "-fsanitize=address -fno-omit-frame-pointer"


def build(folder: Path) -> None:
    """Copy the package into `folder` and compile its kernels there.

    Raises:
        CalledProcessError: When that fails.
    """
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "build")
    shutil.copytree(ROOT / "exporter", folder / "exporter", ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    # Templates are part of the package but no part of the kernels.
    (folder / "templates").mkdir()
    environment = {**os.environ, "CFLAGS": FLAGS, "LDFLAGS": FLAGS, "PYTHONPATH": ""}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    if not any((folder / "exporter" / "kernels").glob("codec_*.so")):
        raise RuntimeError("no kernel was compiled")


def run_on(folder: Path, command: list[str]) -> int:
    """Run a command on the package in `folder`, and return its exit code."""
    runtime = subprocess.run(
        [os.environ.get("CC", "gcc"), "-print-file-name=libasan.so"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "LD_PRELOAD": runtime,
        # Python frees little at its end, which is no leak.
        "ASAN_OPTIONS": "detect_leaks=0",
        # Its own allocator would hide the kernels' errors in small blocks.
        "PYTHONMALLOC": "malloc",
    }
    return subprocess.run(command, env=environment, check=False).returncode
