"""Cleaning removes the exporter's files, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.export.clean import clean_project
from exporter.export.events import Removal
from exporter.export.removals import stale_outputs
from exporter.store.store import Store
from silent_reporter import SilentReporter
from small_game import Game
from status_files import read_levels, read_status


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


def test_everything_goes_but_what_somebody_changed(game: Game) -> None:
    game.write("b")
    game.write("a")
    game.export()
    (game.root / "t" / "b.tmj").write_text("mine")
    (game.root / "t" / "notes.txt").write_text("mine")
    reporter = SilentReporter()
    assert clean_project(game.root, reporter) == 5
    assert game.outputs() == ["t/b.tmj", "t/notes.txt"]
    assert reporter.events == [
        Removal(
            "a",
            "levels/a.level.yaml",
            ("t/a.tileset.png", "t/a.tileset.tsj", "t/a.tmj"),
            (),
            "cleaned",
        ),
        Removal(
            "b",
            "levels/b.level.yaml",
            ("t/b.tileset.png", "t/b.tileset.tsj"),
            ("t/b.tmj",),
            "cleaned",
        ),
    ]
    assert read_levels(game.root) == []
    assert read_status(game.root)["counts"]["levels"] == 0
    assert Store(game.root, game.root / ".exporter").peek() == {}
    assert not (game.root / ".exporter" / "manifest.journal").exists()
    assert clean_project(game.root, reporter) == 0


def test_after_cleaning_everything_is_built_again(game: Game) -> None:
    game.write("a")
    before = game.export()["a"].outputs
    clean_project(game.root, SilentReporter())
    result = game.export()["a"]
    assert result.status == "built"
    assert result.written == tuple(output.path for output in before)


def test_stale_is_what_could_be_removed(game: Game) -> None:
    game.write("a")
    game.export()
    (game.root / "t" / "a.tmj").write_text("mine")
    (game.root / "t" / "a.tileset.tsj").unlink()
    with Store(game.root, game.root / ".exporter") as store:
        stale = stale_outputs(store, [], listed=False)
    assert [output.path for output in stale] == ["t/a.tileset.png"]
