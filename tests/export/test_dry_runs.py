"""A dry run lists exactly the writes, removals and kept files of the next run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from edited_outputs import ThreeEngines
from exporter.cli.main import main
from random_edits import all_files, check_cleaning, check_dry_runs, run_export

ROUNDS = 3


PLAIN = [(seed, ()) for seed in range(2)]
SPECIAL: list[tuple[int, tuple[str, ...]]] = [(1, ("--force",)), (7, ("--overwrite",))]


@pytest.mark.parametrize(("seed", "extra"), PLAIN + SPECIAL)
def test_dry_run_lists_what_the_next_run_does(
    tmp_path: Path, seed: int, extra: tuple[str, ...]
) -> None:
    check_dry_runs(tmp_path / "game", seed, ROUNDS, extra)


@pytest.mark.parametrize("seed", [100, 103])
def test_cleaning_lists_before_what_it_removes(tmp_path: Path, seed: int) -> None:
    check_cleaning(tmp_path / "game", seed, ROUNDS)


# --- exit codes ---------------------------------------------------------------------------------


def check(game: ThreeEngines, *options: str) -> int:
    return main(["export", str(game.root), "--check", *options])


def test_a_project_that_is_as_exported_passes(
    three: ThreeEngines, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(three) == 0
    three.write("a", more="# a comment\n")
    assert check(three) == 0  # the level is built, and no byte changes
    capsys.readouterr()


@pytest.mark.parametrize(
    ("what", "listed"),
    [
        (lambda game: game.write("a", seed=2), "t/a.tmj"),
        (lambda game: (game.root / "t/a.tmj").unlink(), "t/a.tmj"),
        (lambda game: game.spec("a").unlink(), "t/a.tmj"),
        (lambda game: game.write("c"), "t/c.tmj"),
        (lambda game: game.spec("a").rename(game.spec("z")), "t/z.tmj"),
        (lambda game: game.settings("targets:\n  tiled: {path: t}\n"), "g/a.tscn"),
        (lambda game: (game.root / "t/.level-exporter-index").unlink(), "t/.level-exporter-index"),
    ],
    ids=["changed", "missing", "deleted", "new", "renamed", "stale", "index"],
)
def test_whatever_is_stale_fails_the_check_and_is_listed(
    three: ThreeEngines, capsys: pytest.CaptureFixture[str], what: Any, listed: str
) -> None:
    what(three)
    before = all_files(three.root)
    assert check(three) == 1
    captured = capsys.readouterr()
    assert listed in captured.out + captured.err
    assert all_files(three.root) == before
    assert main(["export", str(three.root), "--dry-run"]) == 0


def test_an_edited_output_is_reported_and_passes(
    three: ThreeEngines, capsys: pytest.CaptureFixture[str]
) -> None:
    three.edit("t/a.tmj")
    assert check(three) == 0
    assert "t/a.tmj: warning: kept" in capsys.readouterr().err


def test_a_level_that_cannot_be_built_fails_the_check(three: ThreeEngines) -> None:
    three.spec("a").write_text("size: [8]\n")
    assert check(three) == 1


def test_a_project_that_was_never_exported_fails_the_check_and_stays_as_it_is(
    tmp_path: Path,
) -> None:
    game = ThreeEngines(tmp_path / "game")
    game.write("a")
    before = all_files(game.root)
    assert check(game) == 1
    assert all_files(game.root) == before  # no state, no cache, no folder


def test_a_selected_level_is_checked_alone(three: ThreeEngines) -> None:
    three.write("a", seed=2)
    assert check(three, "--level", "b") == 0
    assert check(three, "--level", "a") == 1


# --- upgrades -----------------------------------------------------------------------------------


def upgrade(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    """Let the exporter be another one, with a newer recipe for caves that makes other cells."""
    from dataclasses import replace

    from exporter.export import plan as plan_module
    from exporter.generators import GENERATORS

    old = GENERATORS.get("cellular_caves")
    monkeypatch.setitem(
        GENERATORS._added,
        "cellular_caves",
        replace(
            GENERATORS._added["cellular_caves"], entry=replace(old, version=old.version + version)
        ),
    )
    monkeypatch.setattr(plan_module, "code_identity", lambda: f"upgraded {version}")


def test_after_an_upgrade_it_says_which_levels_change_and_by_which_recipe(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    three.spec("b").write_text("size: [8, 8]\nlayers: {maze: {generator: island_maze}}\n")
    three.export()
    before = all_files(three.root)
    upgrade(monkeypatch, 1)
    _, document = run_export(three.root, "--dry-run")
    levels = {level["level"]: level for level in document["levels"]}
    (recipe,) = levels["a"]["recipes"]
    assert (recipe["layer"], recipe["generator"]) == ("ground", "cellular_caves")
    assert recipe["to"] == recipe["from"] + 1
    assert levels["a"]["written"]
    assert (levels["b"]["recipes"], levels["b"]["written"]) == ([], [])
    assert all_files(three.root) == before
    capsys.readouterr()
    main(["export", str(three.root), "--dry-run", "--jobs", "1"])
    output = capsys.readouterr().out
    assert f"recipe {recipe['from']} to {recipe['to']} of cellular_caves" in output
    assert "b: " not in output
    assert "2 levels: 1 to change, 1 unchanged" in output


def test_an_upgrade_that_changes_no_byte_names_no_recipe(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    upgrade(monkeypatch, 0)
    _, document = run_export(three.root, "--dry-run")
    assert {level["status"] for level in document["levels"]} == {"built"}
    assert not any(level["recipes"] or level["written"] for level in document["levels"])
