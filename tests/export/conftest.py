"""A small game for three engines, whose outputs tests edit as users and engines do."""

from __future__ import annotations

from pathlib import Path

import pytest

from edited_outputs import ThreeEngines


@pytest.fixture
def three(tmp_path: Path) -> ThreeEngines:
    """Return an exported game with the levels `a` and `b`."""
    game = ThreeEngines(tmp_path / "game")
    game.write("a")
    game.write("b")
    game.export()
    return game
