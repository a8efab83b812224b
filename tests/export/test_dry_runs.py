"""A dry run lists exactly what the run after it writes, removes and keeps, and writes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edited_outputs import ThreeEngines
from exporter.cli.main import main
from exporter.export.clean import clean_stale
from exporter.export.events import Removal
from random_edits import RandomEdits
from silent_reporter import SilentReporter

ROUNDS = 6


def tree(root: Path) -> dict[str, bytes]:
    """Return all files of a project but its state, with the indexes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".exporter" not in path.parts
    }


def everything(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return all files of a project, the state's too, with their times; folders as well.

    The times of files in the cache do not count: they say when a file was used last.
    """
    return {
        path.relative_to(root).as_posix(): (
            path.stat().st_mtime_ns if "cache" not in path.parts else 0,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in root.rglob("*")
    }


def run(
    capsys: pytest.CaptureFixture[str], root: Path, *options: str
) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["export", str(root), "--json", "--jobs", "1", *options])
    return code, json.loads(capsys.readouterr().out)


def told(document: dict[str, Any]) -> dict[str, Any]:
    """Return what a report says of files, without what takes time or memory."""
    levels = []
    for level in document["levels"]:
        shown = {key: value for key, value in level.items() if key != "seconds"}
        levels.append(shown)
    return {**document, "levels": levels}


PLAIN = [(seed, ()) for seed in range(8)]
SPECIAL = [(seed, (option,)) for seed in (1, 7) for option in ("--force", "--overwrite")]


@pytest.mark.parametrize(("seed", "extra"), PLAIN + SPECIAL)
def test_a_dry_run_tells_what_the_next_run_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int, extra: tuple[str, ...]
) -> None:
    game = ThreeEngines(tmp_path / "game")
    game.write("a")
    game.write("b")
    edits = RandomEdits(game, seed)
    for _ in range(ROUNDS):
        for _ in range(edits.random.randrange(1, 4)):
            edits.act()
        before, all_before = tree(game.root), everything(game.root)
        _, dry = run(capsys, game.root, "--dry-run", *extra)
        checked, check = run(capsys, game.root, "--check", *extra)
        assert everything(game.root) == all_before, edits.done
        code, real = run(capsys, game.root, *extra)
        after = tree(game.root)
        for key, value in told(real).items():
            assert told(dry)[key] == told(check)[key] == value, (key, edits.done)
        written = set(real["written"])
        removed = {path for one in real["removed"] for path in one["removed"]}
        assert not edits.lost() or "--overwrite" in extra, edits.done
        new = {path for path, data in after.items() if before.get(path) != data}
        gone = before.keys() - after.keys()
        assert new <= written, edits.done
        assert gone <= written | removed, edits.done
        # What is removed and written again in one run may be as it was.
        assert written - new - gone <= removed, edits.done
        assert removed - gone <= written, edits.done
        moved = {one["to"] for level in real["levels"] for one in level["moved"]}
        assert not set(real["kept"]) & written - moved, edits.done
        assert not set(real["stale"]) & (new | gone), edits.done
        changes = bool(written or removed or real["stale"])
        assert checked == (1 if changes or code else 0), edits.done
        again, second = run(capsys, game.root, "--check")
        if not code and not second["stale"]:
            assert (again, second["written"], second["removed"]) == (0, [], []), edits.done


@pytest.mark.parametrize("seed", range(6))
def test_cleaning_what_is_stale_tells_before_what_it_removes(tmp_path: Path, seed: int) -> None:
    game = ThreeEngines(tmp_path / "game")
    game.write("a")
    game.write("b")
    edits = RandomEdits(game, 100 + seed)
    for _ in range(ROUNDS):
        for _ in range(edits.random.randrange(1, 4)):
            edits.act()
        if edits.random.random() < 0.7:
            game.export()
        before, all_before = tree(game.root), everything(game.root)
        dry, real = SilentReporter(), SilentReporter()
        clean_stale(game.root, dry, dry_run=True)
        assert everything(game.root) == all_before, edits.done
        clean_stale(game.root, real)
        paths = {
            name: {
                path for one in reporter.events if isinstance(one, Removal) for path in one.paths
            }
            for name, reporter in (("dry", dry), ("real", real))
        }
        assert paths["dry"] == paths["real"], edits.done
        gone = {path for path in before if path not in tree(game.root)}
        indexes = {path for path in gone if path.endswith(".level-exporter-index")}
        assert gone - indexes == paths["real"], edits.done
        assert clean_stale(game.root, SilentReporter()) == 0, edits.done
        assert not edits.lost(), edits.done


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
    before = everything(three.root)
    assert check(three) == 1
    captured = capsys.readouterr()
    assert listed in captured.out + captured.err
    assert everything(three.root) == before
    assert main(["export", str(three.root), "--dry-run"]) == 0


def test_an_edited_output_is_told_and_passes(
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
    before = everything(game.root)
    assert check(game) == 1
    assert everything(game.root) == before  # no state, no cache, no folder


def test_a_selected_level_is_checked_alone(three: ThreeEngines) -> None:
    three.write("a", seed=2)
    assert check(three, "--level", "b") == 0
    assert check(three, "--level", "a") == 1


# --- upgrades -----------------------------------------------------------------------------------


def upgrade(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    """Let the exporter be another one, with a newer recipe for caves that makes other cells."""
    from dataclasses import replace

    from exporter.export import export as export_module
    from exporter.generators import GENERATORS

    old = GENERATORS.get("cellular_caves")
    monkeypatch.setitem(
        GENERATORS._added,
        "cellular_caves",
        replace(
            GENERATORS._added["cellular_caves"], entry=replace(old, version=old.version + version)
        ),
    )
    monkeypatch.setattr(export_module, "code_identity", lambda: f"upgraded {version}")


def test_after_an_upgrade_it_says_which_levels_change_and_by_which_recipe(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    three.spec("b").write_text("size: [8, 8]\nlayers: {maze: {generator: island_maze}}\n")
    three.export()
    before = everything(three.root)
    upgrade(monkeypatch, 1)
    _, document = run(capsys, three.root, "--dry-run")
    levels = {level["level"]: level for level in document["levels"]}
    (recipe,) = levels["a"]["recipes"]
    assert (recipe["layer"], recipe["generator"]) == ("ground", "cellular_caves")
    assert recipe["to"] == recipe["from"] + 1
    assert levels["a"]["written"]
    assert (levels["b"]["recipes"], levels["b"]["written"]) == ([], [])
    assert everything(three.root) == before
    capsys.readouterr()
    main(["export", str(three.root), "--dry-run", "--jobs", "1"])
    shown = capsys.readouterr().out
    assert f"recipe {recipe['from']} to {recipe['to']} of cellular_caves" in shown
    assert "b: " not in shown
    assert "2 levels: 1 to change, 1 unchanged" in shown


def test_an_upgrade_that_changes_no_byte_names_no_recipe(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    upgrade(monkeypatch, 0)
    _, document = run(capsys, three.root, "--dry-run")
    assert {level["status"] for level in document["levels"]} == {"built"}
    assert not any(level["recipes"] or level["written"] for level in document["levels"])
