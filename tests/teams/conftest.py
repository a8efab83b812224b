"""A project of a team in a repository of Git."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from team_repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with a project in the folder `my game`."""
    return Repository(tmp_path / "repository")
