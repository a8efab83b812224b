"""An export of a project: stale, refused, removed and retried levels."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from exporter.export import failures as failures_module
from exporter.export.events import LevelResult, Progress, Removal
from exporter.export.level_builder import build_files
from exporter.model.errors import StoreError
from small_game import Game, repeats, tasks
from status_files import read_levels


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


def statuses(results: dict[str, LevelResult]) -> dict[str, str]:
    return {name: result.status for name, result in results.items()}


def test_only_what_changed_is_built(game: Game) -> None:
    game.write("a")
    game.write("b")
    assert statuses(game.export()) == {"a": "built", "b": "built"}
    assert statuses(game.export()) == {"a": "unchanged", "b": "unchanged"}
    game.write("b", seed=2)
    results = game.export()
    assert statuses(results) == {"a": "unchanged", "b": "built"}
    assert results["b"].causes == ("levels/b.level.yaml",)
    assert results["a"].outputs
    assert results["a"].layers["ground"]["generator"] == "cellular_caves"


def test_a_comment_makes_a_level_stale_and_writes_nothing(game: Game) -> None:
    game.write("a")
    game.export()
    game.write("a", more="# a comment\n")
    result = game.export()["a"]
    assert (result.status, result.written) == ("built", ())


def test_a_change_of_exporter_yaml_is_the_cause(game: Game) -> None:
    game.write("a")
    game.export()
    game.settings("targets:\n  tiled: {path: t, blob: false}\n")
    result = game.export()["a"]
    assert (result.status, result.causes) == ("built", ("exporter.yaml",))
    assert result.written == ("t/a.ground.png",)


def test_a_change_of_exporter_yaml_that_shapes_nothing_builds_nothing(game: Game) -> None:
    game.write("a")
    game.export()
    game.settings("# hello\ntargets:\n  tiled: {path: t, blob: false, bitmaps: false}\n")
    assert game.export()["a"].status == "unchanged"


def test_a_lost_output_is_created_again(game: Game) -> None:
    game.write("a")
    game.export()
    output = game.root / "t" / "a.tmj"
    before = output.read_bytes()
    output.unlink()
    result = game.export()["a"]
    assert (result.status, result.causes) == ("built", ("t/a.tmj",))
    assert output.read_bytes() == before


def test_a_touched_output_is_not_created_again(game: Game) -> None:
    game.write("a")
    game.export()
    os.utime(game.root / "t" / "a.tmj", ns=(10**18, 10**18))
    assert game.export()["a"].status == "unchanged"


def test_outputs_are_looked_at_in_a_full_look_only(game: Game) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    (game.root / "t" / "a.tmj").unlink()
    assert not export.plan(full=False).levels
    assert export.planner.staleness.outputs_differ({})
    assert [level.causes for level in export.plan(full=True).levels] == [("t/a.tmj",)]


def test_only_selected_levels_are_exported(game: Game) -> None:
    for name in ("cave_1", "cave_2", "hall"):
        game.write(name)
    assert list(game.export(levels=("cave_*",))) == ["cave_1", "cave_2"]
    assert statuses(game.export(levels=("hall", "cave_1"))) == {
        "cave_1": "unchanged",
        "hall": "built",
    }
    assert game.export(levels=("CAVE_1",)) == {}


def test_levels_are_exported_around_one_that_fails(game: Game) -> None:
    game.write("a")
    game.spec("b").write_text("size: [8]\n")
    results = game.export()
    assert statuses(results) == {"a": "built", "b": "failed"}
    assert results["b"].problems
    assert game.outputs() == ["t/a.tileset.png", "t/a.tileset.tsj", "t/a.tmj"]
    progress = [event for event in game.reporter.events if isinstance(event, Progress)]
    reported = [(event.done, event.total) for event in progress]
    assert reported in ([(0, 2), (2, 2)], [(0, 2), (1, 2), (2, 2)])  # stored together or not


def test_two_specs_of_one_name_are_refused_and_recover(game: Game) -> None:
    game.write("a")
    game.write("b", more="level: A\n")
    results = game.export()
    assert statuses(results) == {"a": "failed", "b": "failed"}
    assert "the name 'a' is also that of levels/b.level.yaml" in results["a"].problems[0].message
    assert not (game.root / "t").exists()
    game.write("b")
    assert statuses(game.export()) == {"a": "built", "b": "built"}


def test_twins_are_attempted_again_when_the_other_one_changes(game: Game) -> None:
    game.write("a")
    game.write("b", more="level: a\n")
    export = game.open()
    assert {result.status for result in game.batch(export)} == {"failed"}
    assert not game.batch(export)  # reported once
    game.write("b")
    assert {result.status for result in game.batch(export)} == {"built"}


def test_a_renamed_spec_keeps_its_outputs(game: Game) -> None:
    game.write("a", more="level: cave\n")
    game.export()
    stamps = {path: (game.root / path).stat().st_mtime_ns for path in game.outputs()}
    game.spec("a").rename(game.spec("z"))
    result = game.export()["z"]
    assert (result.level, result.status, result.written) == ("cave", "built", ())
    assert not [event for event in game.reporter.events if isinstance(event, Removal)]
    assert stamps == {path: (game.root / path).stat().st_mtime_ns for path in game.outputs()}


def test_force_builds_everything_and_writes_over_nothing_of_the_users(game: Game) -> None:
    game.write("a")
    (game.root / "t").mkdir()
    (game.root / "t" / "a.tmj").write_text("mine")
    result = game.export()["a"]
    assert result.status == "failed"
    assert "was not written by the exporter" in result.problems[0].message
    assert game.outputs() == ["t/a.tmj"]
    assert game.export(force=True)["a"].status == "failed"
    assert (game.root / "t" / "a.tmj").read_text() == "mine"
    assert game.export(overwrite=True)["a"].status == "built"
    assert (game.root / "t" / "a.tmj").read_text() != "mine"
    again = game.export(force=True)["a"]
    assert (again.status, again.written) == ("built", ())


def test_a_failure_is_reported_once_and_again_when_it_changes(game: Game) -> None:
    game.spec("a").write_text("size: [8]\n")
    export = game.open()
    assert [result.status for result in game.batch(export)] == ["failed"]
    assert game.batch(export) == []
    game.spec("a").write_text("size: [9]\n")
    assert [result.status for result in game.batch(export)] == ["failed"]


def test_a_mistake_that_is_accepted_back_is_settled(game: Game) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    game.spec("a").write_text("size: [8]\n")
    game.batch(export)
    assert "levels/a.level.yaml" in export.planner.failures
    game.write("a")
    assert game.batch(export) == []
    assert "levels/a.level.yaml" not in export.planner.failures
    assert [read_level["status"] for read_level in read_levels(game.root)] == ["built"]


def test_an_early_look_tells_and_settles_nothing(game: Game) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    game.spec("a").unlink()
    game.write("b", more="level: c\n")
    game.write("d", more="level: c\n")
    game.write("e")
    game.reporter.events.clear()
    assert [level.level for level in export.planner.early_plan(()).levels] == ["e"]
    assert game.reporter.events == []
    assert "t/a.tmj" in game.outputs()


def test_an_input_that_changed_while_it_was_built_is_built_again(game: Game) -> None:
    game.spec("a").write_text(
        "size: [4, 4]\nlayers:\n  map: {generator: prefabs, prefabs: [{file: piece.txt}]}\n"
    )
    piece = game.root / "levels" / "piece.txt"
    piece.write_text("..\n..\n")
    export = game.open()
    (task,) = tasks(export)
    built = build_files(task)
    piece.write_text(".#\n#.\n")
    (retry,) = repeats(export, built)
    assert not game.outputs()
    assert repeats(export, build_files(retry)) == []
    assert game.outputs()


def test_a_spec_that_changed_while_it_was_built_is_built_as_it_is_now(game: Game) -> None:
    game.write("a", seed=1)
    export = game.open()
    (task,) = tasks(export)
    built = build_files(task)
    game.write("a", seed=2)
    (retry,) = repeats(export, built)
    assert retry.content == game.spec("a").read_bytes()
    assert retry.key != task.key
    assert repeats(export, build_files(retry)) == []
    export.committer.finish()
    assert game.export()["a"].status == "unchanged"


def test_a_spec_that_vanished_while_it_was_built_is_dropped(game: Game) -> None:
    game.write("a")
    export = game.open()
    (task,) = tasks(export)
    built = build_files(task)
    game.spec("a").unlink()
    assert repeats(export, built) == []
    assert not game.outputs()
    assert not [event for event in game.reporter.events if isinstance(event, LevelResult)]


def test_a_refusing_disk_is_requested_again_later_and_later(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    now = [100.0]
    monkeypatch.setattr(failures_module, "monotonic", lambda: now[0])
    export = game.open()
    commit = export.store.commit_all

    def refuse(*_arguments: Any, **_options: Any) -> Any:
        raise StoreError("t/a.tmj: No space left on device")

    monkeypatch.setattr(export.store, "commit_all", refuse)
    (result,) = game.batch(export)
    assert result.status == "failed"
    assert result.problems[0].message == "t/a.tmj: No space left on device"
    pause = failures_module.RETRY_SECONDS
    while pause < failures_module.LONGEST_RETRY_SECONDS:
        now[0] += pause - 0.1
        assert not export.planner.staleness.outputs_differ({})
        assert not export.plan(full=True).levels
        now[0] += 0.1
        assert export.planner.staleness.outputs_differ({})
        assert game.batch(export) == []  # the same failure is not reported twice
        pause *= 2
    now[0] += failures_module.LONGEST_RETRY_SECONDS
    monkeypatch.setattr(export.store, "commit_all", commit)
    (result,) = game.batch(export)
    assert result.status == "built"
    assert game.outputs()


def test_a_level_that_cannot_be_built_is_not_attempted_again_by_itself(game: Game) -> None:
    game.spec("a").write_text("size: [8]\n")
    export = game.open()
    game.batch(export)
    failure = export.planner.failures.get("levels/a.level.yaml")
    assert failure is not None
    assert failure.retry_at is None
    assert not export.planner.staleness.outputs_differ({})


def test_a_content_the_cache_lost_asks_for_a_fresh_build(game: Game) -> None:
    game.write("a", seed=1)
    export = game.open()
    game.batch(export)
    game.write("a", seed=2)
    game.batch(export)
    game.write("a", seed=1)
    (task,) = tasks(export)
    built = build_files(task)
    assert all(file.data is None for file in built.files)
    for path in (game.root / ".exporter" / "cache").rglob("*"):
        if path.is_file():
            path.unlink()
    (retry,) = repeats(export, built)
    assert retry.fresh
    assert repeats(export, build_files(retry)) == []


def test_a_spec_that_is_a_folder_or_cannot_be_read_is_reported(game: Game) -> None:
    game.write("a")
    game.spec("b").symlink_to(game.root / "nowhere")
    assert statuses(game.export()) == {"a": "built"}


def test_what_failed_is_forgotten_with_its_spec(game: Game) -> None:
    game.spec("a").write_text("size: [8]\n")
    export = game.open()
    game.batch(export)
    game.spec("a").unlink()
    game.batch(export)
    assert "levels/a.level.yaml" not in export.planner.failures


def test_a_failed_level_is_stale_when_a_file_it_missed_turns_up(game: Game) -> None:
    game.spec("a").write_text(
        "size: [4, 4]\nlayers:\n  map: {generator: prefabs, prefabs: [{file: piece.txt}]}\n"
    )
    export = game.open()
    (result,) = game.batch(export)
    assert result.status == "failed"
    assert export.planner.inputs() == {"levels/piece.txt"}
    (game.root / "levels" / "piece.txt").write_text("..\n..\n")
    assert export.planner.files.differ()
    (result,) = game.batch(export)
    assert result.status == "built"
    assert export.planner.inputs() == {"levels/piece.txt"}
