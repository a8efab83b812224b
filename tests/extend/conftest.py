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


@pytest.fixture(scope="session")
def ruins_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package of the page on extending; no test may change it."""
    folder = tmp_path_factory.mktemp("ruins")
    Packages(folder, folder).install("ruins-pack", page_files(), page_entry_points())
    return folder


@pytest.fixture
def ruins(ruins_folder: Path, tmp_path: Path) -> Packages:
    """Return the package of the page on extending, and its project."""
    (tmp_path / "project").mkdir()
    packages = Packages(ruins_folder, tmp_path / "project")
    for block in blocks("yaml"):
        packages.write(*named(block))
    return packages
