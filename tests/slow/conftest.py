"""Fixtures of the slow tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from team_repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with a project in the folder `my game`."""
    return Repository(tmp_path / "repository")
