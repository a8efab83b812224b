"""`exporter clean`: refusals, output, and a dry run that removes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from edited_outputs import SETTINGS, ThreeEngines
from exporter.cli.main import main
from exporter.store.atomic_files import release_lock
from exporter.watch.lock import claim_project


@pytest.fixture
def game(tmp_path: Path) -> ThreeEngines:
    three_engines = ThreeEngines(tmp_path / "game")
    three_engines.write("a")
    three_engines.export()
    return three_engines


@pytest.mark.parametrize("options", [[], ["--stale"]], ids=["all", "stale"])
def test_it_refuses_while_a_watch_runs_and_says_why(
    game: ThreeEngines, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    before = game.files()
    game.settings("targets:\n  tiled: {path: t}\n")
    lock = claim_project(game.root)
    assert lock is not None
    try:
        assert main(["clean", str(game.root), *options]) == 2
        output = capsys.readouterr().err
        assert "`exporter watch` runs for this project (process " in output
        assert "stop it first" in output
        assert game.files() == before
        assert main(["clean", str(game.root), "--dry-run", *options]) == 0  # which removes nothing
        assert game.files() == before
    finally:
        release_lock(lock)
    assert main(["clean", str(game.root), *options]) == 0
    assert len(game.files()) < len(before)


def test_a_watch_that_was_killed_is_no_reason_to_refuse(game: ThreeEngines) -> None:
    lock = claim_project(game.root)
    release_lock(lock)  # the lock's file and the number of the process stay
    assert (game.root / ".exporter" / "watch.lock").exists()
    assert main(["clean", str(game.root)]) == 0
    assert game.files() == {}


@pytest.mark.parametrize("options", [[], ["--stale"]], ids=["all", "stale"])
def test_every_file_is_named_that_is_or_would_be_removed_and_that_is_preserved(
    game: ThreeEngines, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    game.settings(SETTINGS.replace("  godot: {path: g}\n", ""))
    game.edit("g/a.tscn")
    before = game.files()
    assert main(["clean", str(game.root), "--dry-run", *options]) == 0
    dry = capsys.readouterr()
    assert game.files() == before
    assert main(["clean", str(game.root), *options]) == 0
    real = capsys.readouterr()
    removed = before.keys() - game.files().keys()
    assert "g/a.lvb" in removed
    assert "g/a.tscn" not in removed
    for reported in (dry, real):
        named = {line.strip() for line in reported.out.splitlines() if line.startswith("  ")}
        assert named == removed
        assert "g/a.tscn: warning: kept" in reported.err
    assert f"would remove {len(removed)} files" in dry.out
    assert f"removed {len(removed)} files" in real.out


def test_a_clone_without_state_can_be_cleaned(game: ThreeEngines) -> None:
    import shutil

    edits = game.edit("t/a.tmj")
    shutil.rmtree(game.root / ".exporter")
    assert main(["clean", str(game.root)]) == 0
    assert game.files() == edits


def test_a_wrong_exporter_yaml_removes_nothing_that_is_stale(game: ThreeEngines) -> None:
    before = game.files()
    game.settings("targets:\n  godot: {paht: g}\n")
    assert main(["clean", str(game.root), "--stale"]) == 1
    assert game.files() == before


def test_of_a_level_that_cannot_be_built_all_outputs_stay(
    game: ThreeEngines, capsys: pytest.CaptureFixture[str]
) -> None:
    game.settings(SETTINGS.replace("  godot: {path: g}\n", ""))
    before = game.files()
    game.spec("a").write_text("size: [8]\n")
    assert main(["clean", str(game.root), "--stale"]) == 0
    assert game.files() == before
    assert "a.level.yaml:1:" in capsys.readouterr().err
