"""A wheel of the exporter of this checkout without compiled kernels, made in some seconds."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The sources of a wheel, without products of a build beside them.
_PARTS = ("LICENSE", "README.md", "exporter", "pyproject.toml", "setup.py", "templates")
_LEFT = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "*.c", "*.egg-info", ".exporter")
# As setup.py does it, without its extensions.
_BUILD = """
import runpy, sys
from setuptools import setup

described = runpy.run_path("setup.py", run_name="described")
sys.argv = ["setup.py", "-q", "bdist_wheel", "-d", sys.argv[1]]
setup(packages=described["PACKAGES"])
"""


def build_pure_wheel(folder: Path) -> Path:
    """Build the wheel from a copy of the source, and return its path.

    Args:
        folder: A folder that is used for nothing else.
    """
    source = folder / "source"
    source.mkdir(parents=True)
    for name in _PARTS:
        part = ROOT / name
        if part.is_dir():
            shutil.copytree(part, source / name, ignore=_LEFT)
        else:
            shutil.copy2(part, source / name)
    command = [sys.executable, "-W", "ignore", "-c", _BUILD, str(folder / "wheel")]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.rmtree(source)
    (wheel,) = (folder / "wheel").iterdir()
    return wheel
