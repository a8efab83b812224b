"""Fixtures of the slow tests."""

from __future__ import annotations

import os
import signal
from multiprocessing import forkserver
from pathlib import Path

import pytest

from team_repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with a project in the folder `my game`."""
    return Repository(tmp_path / "repository")


@pytest.fixture(autouse=True, scope="module")
def own_forkserver() -> None:
    """Let a file's workers come from a server of its own, with its modules and environment."""
    running = forkserver._forkserver  # type: ignore[attr-defined]
    if running._forkserver_pid is not None:
        os.kill(running._forkserver_pid, signal.SIGKILL)  # else it waits for its workers
        running._stop()
