"""Many batches of one export: plugins, outputs that were touched, warnings, the cache's bound."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from exporter.export import staleness as staleness_module
from exporter.export.events import LevelResult, Progress, Removal, Stale
from exporter.export.export import Export, export_project, failed
from exporter.export.level_builder import build_files
from exporter.export.plan import ExportPlanner
from exporter.export.run import MAXIMUM_REPEATS
from exporter.export.settings import Settings
from exporter.model.errors import Problem, SpecError, StoreError
from exporter.store.entries import Output
from exporter.store.ownership import FileProbe
from small_game import Game, repeats, tasks
from status_files import read_levels, read_status

A, B = "levels/a.level.yaml", "levels/b.level.yaml"
GODOT = "targets:\n  godot: {path: game/levels, blob: false, plugin: true}\n"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


def status(game: Game) -> dict[str, Any]:
    return read_status(game.root)


def removals(game: Game) -> list[Removal]:
    return [event for event in game.reporter.events if isinstance(event, Removal)]


# --- engine plugins ------------------------------------------------------------------------------


@pytest.fixture
def godot(game: Game) -> Game:
    game.settings(GODOT)
    (game.root / "game").mkdir()
    (game.root / "game" / "project.godot").write_text("config_version=5\n")
    game.write("a")
    return game


def plugin(game: Game) -> list[str]:
    folder = game.root / "game" / "addons"
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def ours(path: Path, game: Game) -> str:
    """Return a path as the exporter has it."""
    return path.relative_to(game.root).as_posix()


def commits(export: Export, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the specs whose files are stored."""
    noted: list[str] = []
    real = export.store.commit_all

    def note(commits: Any, **options: Any) -> Any:
        noted.extend(entry.spec for entry, _ in commits)
        return real(commits, **options)

    monkeypatch.setattr(export.store, "commit_all", note)
    return noted


def test_a_plugin_is_stored_once_and_again_when_a_file_of_it_is_lost(
    godot: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = godot.open()
    noted = commits(export, monkeypatch)
    godot.batch(export)
    godot.batch(export)
    assert sorted(noted) == ["exporter.yaml", A]
    names = plugin(godot)
    assert "plugin.cfg" in names
    kinds = {output.kind for output in export.store.entries["exporter.yaml"].outputs}
    assert kinds == {"plugin"}
    cfg = godot.root / "game" / "addons" / "level_exporter" / "plugin.cfg"
    before = cfg.read_bytes()
    cfg.unlink()
    godot.batch(export)
    assert cfg.read_bytes() == before
    assert sorted(noted) == ["exporter.yaml", "exporter.yaml", A]
    cfg.write_text("edited")
    godot.batch(export)
    assert cfg.read_text() == "edited"
    assert export.committer.reports.preserved["exporter.yaml"] == (ours(cfg, godot),)
    assert sorted(noted) == ["exporter.yaml", "exporter.yaml", A]
    assert not removals(godot)  # exporter.yaml is no deleted spec
    stale = [event for event in godot.reporter.events if isinstance(event, Stale)]
    assert not any(event.paths for event in stale)


def test_a_plugin_follows_the_settings(godot: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    export = godot.open()
    noted = commits(export, monkeypatch)
    godot.batch(export)
    godot.settings("# changed\n" + GODOT)
    godot.batch(export)
    assert noted.count("exporter.yaml") == 2
    godot.settings(GODOT.replace("true", "false"))
    godot.batch(export)
    entry = export.store.entries["exporter.yaml"]
    assert not entry.outputs
    reported = [event for event in godot.reporter.events if isinstance(event, Stale)]
    assert [event.paths for event in reported] == [tuple(sorted(o.path for o in entry.stale))]
    assert plugin(godot)  # changes of exporter.yaml remove nothing
    godot.settings(GODOT)
    godot.batch(export)
    assert plugin(godot)
    assert not export.store.entries["exporter.yaml"].stale


def test_a_plugin_replaces_files_of_the_user_only_if_reported_to_overwrite(godot: Game) -> None:
    cfg = godot.root / "game" / "addons" / "level_exporter" / "plugin.cfg"
    cfg.parent.mkdir(parents=True)
    cfg.write_text("mine")
    with pytest.raises(StoreError, match=r"plugin\.cfg exists"):
        godot.export()
    with pytest.raises(StoreError, match=r"plugin\.cfg exists"):
        godot.export(force=True)
    assert cfg.read_text() == "mine"
    godot.export(overwrite=True)
    assert cfg.read_text() != "mine"


def test_settings_without_a_plugin_are_not_read_for_one(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    game.export()
    export = game.open()

    def read() -> Any:
        raise AssertionError

    monkeypatch.setattr(export.planner.files, "project", read)
    assert not export.plan(full=True).levels


# --- stale levels --------------------------------------------------------------------------------


def reads(export: Export, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the outputs whose content is compared."""
    noted: list[str] = []
    real = export.store.look

    def note(output: Output) -> FileProbe:
        noted.append(output.path)
        return real(output)

    monkeypatch.setattr(export.store, "look", note)
    return noted


def test_an_output_is_read_once_after_it_was_touched(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    noted = reads(export, monkeypatch)
    assert not export.plan(full=True).levels
    assert noted == []
    os.utime(game.root / "t" / "a.tmj", ns=(10**18, 10**18))
    assert not export.plan(full=True).levels
    assert not export.plan(full=True).levels
    assert noted == ["t/a.tmj"]
    os.utime(game.root / "t" / "a.tmj", ns=(10**18 + 5, 10**18 + 5))
    assert not export.plan(full=True).levels
    assert noted == ["t/a.tmj"] * 2


def test_no_more_touched_outputs_are_remembered_than_the_maximum(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    paths = ["t/a.tileset.png", "t/a.tileset.tsj", "t/a.tmj"]
    for path in paths:
        (game.root / path).write_bytes(b"edited")
    noted = reads(export, monkeypatch)
    monkeypatch.setattr(staleness_module, "MAXIMUM_VERIFIED", 3)
    for _ in range(2):
        assert not export.plan(full=True).levels
    assert noted == paths
    monkeypatch.setattr(staleness_module, "MAXIMUM_VERIFIED", 1)
    os.utime(game.root / paths[0], ns=(10**18 + 5, 10**18 + 5))
    for _ in range(2):
        assert not export.plan(full=True).levels
    assert noted.count("t/a.tmj") == 3  # forgotten, and read again every time
    assert export.committer.reports.preserved[A] == tuple(paths)


def test_a_sidecar_is_read_once_after_it_was_changed(
    godot: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = godot.open()
    godot.batch(export)
    own = [output for output in export.store.entries[A].outputs if output.once]
    assert own
    sidecar = godot.root / own[0].path
    sidecar.write_text(sidecar.read_text() + "\n[deps]\n\n")  # completed by the engine
    noted = reads(export, monkeypatch)
    for _ in range(2):
        assert not export.plan(full=True).levels
        assert not export.planner.staleness.outputs_differ({})
    assert noted == [own[0].path]
    (godot.root / own[0].path).unlink()
    assert [level.causes for level in export.plan(full=True).levels] == [(own[0].path,)]


def test_another_exporter_beside_us_is_noticed(game: Game) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    assert not export.planner.staleness.outputs_differ({})
    game.write("b")
    other = game.open()
    game.batch(other)
    assert export.planner.staleness.outputs_differ({})
    assert game.batch(export) == []
    assert not export.planner.staleness.outputs_differ({})


def test_every_path_that_created_a_level_stale_is_reported(game: Game) -> None:
    (game.root / "levels" / "map.txt").write_text("..\n..\n")
    text = "size: [4, 4]\nlayers:\n  m: {generator: prefabs, prefabs: [{file: map.txt}]}\n"
    game.spec("a").write_text(text)
    assert game.export()["a"].causes == (A,)
    (game.root / "levels" / "map.txt").write_text(".#\n..\n")
    assert game.export()["a"].causes == ("levels/map.txt",)
    (game.root / "levels" / "map.txt").write_text("##\n..\n")
    game.spec("a").write_text("# changed\n" + text)
    assert game.export()["a"].causes == (A, "levels/map.txt")
    assert game.export(force=True)["a"].causes == (A,)
    game.settings("targets:\n  tiled: {path: t, blob: false}\n")
    assert game.export()["a"].causes == ("exporter.yaml",)


# --- reports and records -------------------------------------------------------------------------


def test_a_batch_lies_in_the_status(game: Game) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    document = status(game)
    assert document["changed"] is True
    assert [(item["spec"], item["status"]) for item in document["batch"]] == [(A, "built")]
    assert document["batch"][0]["written"] == ["t/a.tileset.png", "t/a.tileset.tsj", "t/a.tmj"]
    game.batch(export)
    assert (status(game)["changed"], status(game)["batch"]) == (False, [])
    game.spec("a").unlink()
    game.batch(export)
    assert (status(game)["changed"], read_levels(game.root)) == (True, [])


def test_the_cache_knows_how_much_was_put_into_it(game: Game) -> None:
    def stored_bytes() -> int:
        cache = game.root / ".exporter" / "cache"
        files = [path for path in cache.rglob("*") if path.is_file() and path.name != "size"]
        return sum(path.stat().st_size - 32 for path in files)

    game.write("a")
    game.export()
    size = game.root / ".exporter" / "cache" / "size"
    assert int(size.read_text()) == stored_bytes() > 0
    export = game.open()
    game.write("a", seed=2)
    game.batch(export)
    game.batch(export)  # which puts nothing into it
    before = int(size.read_text())
    game.write("b", seed=3)
    (task,) = tasks(export)
    built = build_files(task)
    assert repeats(export, built) == []
    export.committer.finish(compact=False)
    assert int(size.read_text()) == before + built.saved


def test_the_journal_stays_where_a_batch_is_not_the_last(game: Game) -> None:
    game.write("a")
    export = game.open()
    export.run.accept([build_files(task) for task in tasks(export)])
    export.committer.finish(compact=False)
    journal = game.root / ".exporter" / "manifest.journal"
    assert journal.exists()
    export.committer.finish()
    assert not journal.exists()


def test_a_dry_run_of_a_failure_tells_it_and_writes_nothing(game: Game) -> None:
    game.spec("a").write_text("size: [8]\n")
    game.write("b")
    results = game.export(dry_run=True)
    assert {name: item.status for name, item in results.items()} == {"a": "failed", "b": "built"}
    assert [output.path for output in results["b"].outputs] == [
        "t/b.tileset.png",
        "t/b.tileset.tsj",
        "t/b.tmj",
    ]
    assert all(output.bytes > 0 and len(output.sha256) == 64 for output in results["b"].outputs)
    assert sorted(path.name for path in game.root.iterdir()) == ["exporter.yaml", "levels"]


def test_a_spec_that_cannot_be_read_fails_under_the_name_of_its_file(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exporter.store.snapshots import Snapshots

    def refuse(_seen: Snapshots, path: str) -> bytes:
        raise PermissionError(13, "Permission denied")

    game.write("a")
    monkeypatch.setattr(Snapshots, "_read", refuse)
    for dry_run in (False, True):
        result = game.export(dry_run=dry_run)["a"]
        assert (result.level, result.spec, result.status) == ("a", A, "failed")
        assert result.problems[0].message == "cannot be read (Permission denied)"
        assert game.export(levels=("b",), dry_run=dry_run) == {}


def test_what_is_reported_of_a_level_is_reported_again_when_nothing_changed(game: Game) -> None:
    game.write("a")
    built = game.export()["a"]
    again = game.export()["a"]
    assert again == LevelResult(
        "a", A, "unchanged", outputs=built.outputs, warnings=built.warnings, layers=built.layers
    )
    assert built.seconds > 0
    assert built.layers["ground"]["certificate"]["cells"] == 64


TOO_LARGE = Problem("tiled: too large", A, 2, 3, severity="warning")


def test_warnings_of_a_build_are_reported_and_preserved(game: Game) -> None:
    from dataclasses import replace

    game.write("a")
    export = game.open()
    (task,) = tasks(export)
    built = replace(build_files(task), warnings=(TOO_LARGE,))
    assert repeats(export, built) == []
    export.committer.finish()
    (result,) = [event for event in game.reporter.events if isinstance(event, LevelResult)]
    assert result.warnings == (TOO_LARGE,)
    assert result.causes == (A,)
    (again,) = game.export()["a"].warnings
    assert (again.message, again.line, again.severity) == ("tiled: too large", 2, "warning")
    assert again.file.endswith(A)
    assert read_levels(game.root)[0]["warnings"] == ["tiled: too large"]


def test_the_traceback_of_a_bug_is_reported(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.build.build import Build

    def fail(_build: Build) -> None:
        raise RuntimeError("odd")

    game.write("a")
    monkeypatch.setattr(Build, "prepare", fail)
    result = game.export()["a"]
    assert "RuntimeError: odd" in result.traceback
    assert failed([result])
    assert not failed([])


def test_a_name_that_differs_in_case_alone_is_the_same_name(game: Game) -> None:
    game.write("a", more="level: Cave\n")
    game.export()
    game.spec("a").unlink()
    game.write("z", more="level: cave\n")
    # Outputs change hands: where the file system knows no case they are the same files.
    assert game.export()["z"].status == "built"
    assert [removal.reason for removal in removals(game)] == ["renamed"]
    assert game.outputs() == ["t/cave.tileset.png", "t/cave.tileset.tsj", "t/cave.tmj"]


def test_a_level_with_a_removed_levels_name_does_not_take_its_outputs(
    game: Game,
) -> None:
    game.write("a", more="level: x\n")
    game.write("b", more="level: y\n")
    game.export()
    game.spec("a").unlink()
    game.write("b", seed=2, more="level: x\n")
    assert game.export()["b"].status == "built"
    reported = [(removal.level, removal.spec, removal.reason) for removal in removals(game)]
    assert reported == [("x", A, "spec gone"), ("x", B, "renamed")]
    assert game.outputs() == ["t/x.tileset.png", "t/x.tileset.tsj", "t/x.tmj"]


def test_a_spec_that_changes_all_the_time_is_not_built_for_ever(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    builds: list[None] = []

    def changed(_planner: ExportPlanner, _result: Any) -> bool:
        builds.append(None)
        return True

    monkeypatch.setattr(ExportPlanner, "is_outdated", changed)
    reported = game.export()["a"]
    assert reported.status == "failed"
    assert [problem.message for problem in reported.problems] == [
        "the spec was removed or changed during the export (export again)"
    ]
    assert len(builds) == MAXIMUM_REPEATS == 5
    progress = [event for event in game.reporter.events if isinstance(event, Progress)]
    assert {(event.done, event.total) for event in progress} == {(0, 1)}


def test_a_spec_that_is_being_written_is_left_to_the_next_look(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    game.write("b")
    export = game.open()
    monkeypatch.setattr(export.planner.files, "content", lambda spec: None if spec == A else b"")
    assert [level.task.spec for level in export.plan(full=True).levels] == [B]


def test_jobs_know_all_that_they_need(game: Game) -> None:
    game.write("a", more="level: hall\n")
    for force in (False, True):
        (item,) = game.open(force=force).plan(full=True).levels
        assert (item.level, item.causes) == ("hall", (A,))
        assert item.task.spec == A
        assert item.task.content == game.spec("a").read_bytes()
        assert item.task.fresh == force
        assert item.task.project.root == game.root


def test_results_come_in_the_order_of_their_specs(game: Game) -> None:
    for name in ("c", "a", "b"):
        game.write(name)
    game.spec("b").write_text("size: [8]\n")
    results = export_project(game.root, Settings(), game.reporter)
    assert [result.level for result in results] == ["a", "b", "c"]


def test_wrong_settings_write_nothing(game: Game) -> None:
    game.write("a")
    game.settings("targets: {}\n")
    with pytest.raises(SpecError):
        game.export()
    assert game.outputs() == []
