"""A small game for three engines, with outputs that tests edit as users and engines do."""

from __future__ import annotations

from pathlib import Path

import pytest

from edited_outputs import ThreeEngines
from stored_project import RetainedProject


def make(root: Path) -> None:
    game = ThreeEngines(root)
    game.write("a")
    game.write("b")
    game.export()


@pytest.fixture(scope="session")
def retained_three(tmp_path_factory: pytest.TempPathFactory) -> RetainedProject:
    return RetainedProject(tmp_path_factory.mktemp("three"), make)


@pytest.fixture
def three(retained_three: RetainedProject) -> ThreeEngines:
    """Return an exported game with the levels `a` and `b`."""
    return ThreeEngines.at(retained_three.restore())
