"""Packages from outside, and the one of the page on extending."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from outside_packages import Packages, blocks, named, page_entry_points, page_files


@pytest.fixture
def packages(tmp_path: Path) -> Packages:
    """Return an empty folder of packages and an empty project."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "project").mkdir()
    return Packages(tmp_path / "packages", tmp_path / "project")


@pytest.fixture
def ruins(packages: Packages) -> Packages:
    """Return the package and the project of the page on extending."""
    packages.install("ruins-pack", page_files(), page_entry_points())
    for block in blocks("yaml"):
        packages.write(*named(block))
    return packages
