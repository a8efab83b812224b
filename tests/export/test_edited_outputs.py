"""Edited outputs stay the user's, whatever happens to their spec and target."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from edited_outputs import EDITED, FOLDERS, SETTINGS, ThreeEngines
from exporter.export.clean import clean_project, clean_stale
from exporter.export.events import Removal
from exporter.store.store import ManifestEntry, Output, Store
from silent_reporter import SilentReporter
from small_game import CAVE, Game

A = "levels/a.level.yaml"
TEXTS = (".tscn", ".tres", ".tmj", ".tsj", ".json", ".import", ".meta")


def of_a(paths: set[str] | dict[str, bytes]) -> set[str]:
    return {path for path in paths if path.split("/")[-1].startswith("a.")}


# --- changes of the spec, the settings, the outputs ---------------------------------------------


def nothing(_game: ThreeEngines) -> None:
    pass


def change_spec(game: ThreeEngines) -> None:
    game.write("a", seed=2)


def delete_spec(game: ThreeEngines) -> None:
    game.spec("a").unlink()


def change_glob(game: ThreeEngines) -> None:
    game.settings("levels: levels/b.*\n" + SETTINGS)


def change_paths(game: ThreeEngines) -> None:
    game.settings(SETTINGS.replace("path: ", "path: elsewhere/"))


def remove_targets(game: ThreeEngines) -> None:
    game.settings("targets:\n  ldtk: {path: l}\n")


def rename_layer(game: ThreeEngines) -> None:
    game.spec("a").write_text(CAVE.format(seed=1).replace("ground", "floor"))


def remove_layer(game: ThreeEngines) -> None:
    game.spec("a").write_text("size: [8, 8]\nlayers: {relief: {generator: heightmap}}\n")


def break_spec(game: ThreeEngines) -> None:
    game.spec("a").write_text("size: [8]\n")


def unmount(game: ThreeEngines) -> None:
    (game.root / "levels").rename(game.root / "gone")
    (game.root / "levels").mkdir()


def lose_state(game: ThreeEngines) -> None:
    shutil.rmtree(game.root / ".exporter")
    game.write("a", seed=2)


WAYS: tuple[Callable[[ThreeEngines], None], ...] = (
    nothing,
    change_spec,
    delete_spec,
    change_glob,
    change_paths,
    remove_targets,
    rename_layer,
    remove_layer,
    break_spec,
    unmount,
    lose_state,
)


def export(game: ThreeEngines) -> None:
    game.export()


def force(game: ThreeEngines) -> None:
    game.export(force=True)


def watch(game: ThreeEngines) -> None:
    opened = game.open()
    game.batch(opened)
    reported = list(game.reporter.events)
    game.batch(opened)
    assert not game.reported_retained()  # once is enough
    game.reporter.events[:0] = reported


def clean_what_is_stale(game: ThreeEngines) -> None:
    game.export()
    clean_stale(game.root, game.reporter)


def clean(game: ThreeEngines) -> None:
    clean_project(game.root, game.reporter)


RUNS: tuple[Callable[[ThreeEngines], None], ...] = (
    export,
    force,
    watch,
    clean_what_is_stale,
    clean,
)


# Each way meets an export and one of the other runs, which differ from way to way.
CASES = [
    (way, run)
    for number, way in enumerate(WAYS)
    for other, run in enumerate(RUNS)
    if other in (0, 1 + number % (len(RUNS) - 1))
]


@pytest.mark.parametrize(("way", "run"), CASES, ids=lambda item: item.__name__)
def test_nothing_edited_is_lost_or_written_over(
    three: ThreeEngines, way: Callable[[ThreeEngines], None], run: Callable[[ThreeEngines], None]
) -> None:
    edits = three.edit(*EDITED)
    way(three)
    run(three)
    assert three.read(*EDITED) == edits
    assert not three.reported_removed() & set(EDITED)
    three.export()
    assert three.read(*EDITED) == edits


@pytest.mark.parametrize("run", RUNS, ids=lambda item: item.__name__)
@pytest.mark.parametrize("part", [0, 1])
def test_each_kind_of_file_is_preserved_and_listed(
    three: ThreeEngines, part: int, run: Callable[[ThreeEngines], None]
) -> None:
    """Every second of them, so that none is kept for the sake of its neighbour."""
    edits = three.edit(*EDITED[part::2])
    run(three)
    assert three.read(*edits) == edits
    assert three.reported_retained() == set(edits)


@pytest.mark.parametrize("way", [nothing, change_spec, delete_spec, lose_state])
def test_what_a_run_would_have_written_or_removed_is_reported_to_be_preserved(
    three: ThreeEngines, way: Callable[[ThreeEngines], None]
) -> None:
    three.edit(*EDITED)
    way(three)
    three.export()
    assert three.reported_retained() == set(EDITED)


@pytest.mark.parametrize("way", [change_glob, change_paths, remove_targets, rename_layer])
def test_what_cleaning_would_have_removed_is_reported_to_be_preserved(
    three: ThreeEngines, way: Callable[[ThreeEngines], None]
) -> None:
    before = of_a(three.files())
    three.edit(*EDITED)
    way(three)
    three.export()
    reporter = SilentReporter()
    removed = clean_stale(three.root, reporter)
    (removal,) = [event for event in reporter.events if isinstance(event, Removal)]
    assert len(removal.paths) == removed > 0
    deleted = before - of_a(three.files())
    assert deleted == of_a(set(removal.paths))
    assert set(removal.preserved) == set(EDITED) - three.reported_retained()
    assert not deleted & set(EDITED)


def test_only_overwriting_ends_an_edit(three: ThreeEngines) -> None:
    before = three.files()
    three.edit(*EDITED)
    result = three.export(overwrite=True)["a"]
    assert (set(result.written), result.preserved) == (set(EDITED), ())
    assert three.reported_retained() == set()
    assert three.files() == before
    assert three.export()["a"].status == "unchanged"


def test_overwriting_a_selected_level_touches_no_other(three: ThreeEngines) -> None:
    before = three.files()
    three.edit("t/a.tmj")
    edits = three.edit("t/b.tmj")
    three.export(overwrite=True, levels=("a",))
    assert three.read("t/a.tmj")["t/a.tmj"] == before["t/a.tmj"]
    assert three.read("t/b.tmj") == edits


def test_an_edit_that_is_accepted_back_makes_it_ours_again(three: ThreeEngines) -> None:
    before = three.files()
    three.edit(*EDITED)
    assert set(three.export()["a"].preserved) == set(EDITED)
    for path in EDITED:
        (three.root / path).write_bytes(before[path])
    assert three.export()["a"].preserved == ()
    three.write("a", seed=2)
    result = three.export()["a"]
    assert result.preserved == ()
    assert {"g/a.tscn", "u/a.ground.png", "t/a.tmj", "t/a.lvb"} <= set(result.written)


def test_a_content_of_before_the_last_write_is_the_users(three: ThreeEngines) -> None:
    before = (three.root / "t/a.tmj").read_bytes()
    three.write("a", seed=2)
    three.export()
    (three.root / "t/a.tmj").write_bytes(before)
    assert three.export()["a"].preserved == ("t/a.tmj",)
    assert (three.root / "t/a.tmj").read_bytes() == before


def test_what_would_be_written_anyway_is_ours(three: ThreeEngines) -> None:
    old = three.read("t/a.tmj")["t/a.tmj"]
    three.write("a", seed=2)
    three.export()
    three.edit("t/a.tmj")
    three.write("a", seed=1)
    assert three.export()["a"].preserved == ("t/a.tmj",)
    (three.root / "t/a.tmj").write_bytes(old)
    assert three.export()["a"].preserved == ()
    three.spec("a").unlink()
    three.export()
    assert not of_a(three.files())


def test_a_preserved_file_is_still_preserved_after_many_exports_of_other_content(
    three: ThreeEngines,
) -> None:
    edits = three.edit(*EDITED)
    for seed in range(2, 5):
        three.write("a", seed=seed)
        assert set(three.export()["a"].preserved) == set(EDITED)
    assert three.read(*EDITED) == edits
    assert three.export()["a"].status == "unchanged"
    assert set(three.export()["a"].preserved) == set(EDITED)


# --- no edits -----------------------------------------------------------------------------------


def with_other_line_endings(game: Game) -> list[str]:
    """Write every text file of the game as a checkout on Windows has it."""
    changed = []
    for folder in FOLDERS:
        for path in sorted((game.root / folder).rglob("*")):
            data = path.read_bytes()
            if b"\0" not in data and b"\n" in data:
                path.write_bytes(data.replace(b"\n", b"\r\n"))
                changed.append(path.name)
    return changed


def test_line_endings_and_times_are_no_edits(three: ThreeEngines) -> None:
    changed = with_other_line_endings(three)
    assert {Path(name).suffix for name in changed} >= set(TEXTS)
    for path in three.files():
        os.utime(three.root / path, ns=(10**18, 10**18))
    before = three.files()
    results = three.export()
    assert {result.status for result in results.values()} == {"unchanged"}
    assert three.reported_retained() == three.reported_stale() == three.reported_removed() == set()
    assert three.files() == before
    three.write("a", seed=2)
    result = three.export()["a"]
    assert result.preserved == ()
    assert "t/a.tmj" in result.written
    three.spec("a").unlink()
    three.export()
    assert three.reported_retained() == set()
    assert not of_a(three.files())


def test_line_endings_are_no_edits_in_a_clone_without_state(three: ThreeEngines) -> None:
    with_other_line_endings(three)
    lose_state(three)
    results = three.export()
    assert {name: result.status for name, result in results.items()} == {
        "a": "built",
        "b": "built",
    }
    assert three.reported_retained() == three.reported_stale() == three.reported_removed() == set()
    assert results["b"].written == ()


def test_an_edit_in_a_file_with_other_line_endings_is_an_edit(three: ThreeEngines) -> None:
    with_other_line_endings(three)
    edits = three.edit("t/a.tmj", "g/a.ground.png.import", "u/a.ground.png.meta")
    three.write("a", seed=2)
    assert set(three.export()["a"].preserved) == set(edits)
    assert three.read(*edits) == edits


# --- plugins ------------------------------------------------------------------------------------

PLUGIN = "targets:\n  godot: {path: game/levels, plugin: true}\n"


@pytest.fixture
def plugin(tmp_path: Path) -> ThreeEngines:
    game = ThreeEngines(tmp_path / "game")
    game.settings(PLUGIN)
    (game.root / "game").mkdir()
    (game.root / "game" / "project.godot").write_text("config_version=5\n")
    game.write("a")
    game.export()
    return game


@pytest.mark.parametrize(
    ("text", "run"),
    [
        (PLUGIN.replace("true", "false"), export),
        ("targets: {tiled: {path: t}}\n", watch),
        (PLUGIN.replace("true", "false"), clean_what_is_stale),
        ("targets: {tiled: {path: t}}\n", clean),
    ],
)
def test_an_edited_file_of_a_plugin_stays(
    plugin: ThreeEngines, text: str, run: Callable[[ThreeEngines], None]
) -> None:
    script = "game/addons/level_exporter/plugin.gd"
    before = set(plugin.files())
    edits = plugin.edit(script)
    plugin.settings(text)
    run(plugin)
    assert plugin.read(script) == edits
    cleaned = {path for path in before - set(plugin.files()) if "/addons/" in path}
    assert cleaned <= plugin.reported_removed()
    assert bool(cleaned) == (run in (clean, clean_what_is_stale))


def test_an_edited_file_of_a_plugin_is_reported_until_it_is_overwritten(
    plugin: ThreeEngines,
) -> None:
    script = "game/addons/level_exporter/plugin.gd"
    before = plugin.read(script)
    edits = plugin.edit(script)
    for settings in ({}, {"force": True}):
        plugin.export(**settings)
        assert plugin.reported_retained() == {script}
        assert plugin.read(script) == edits
    plugin.export(overwrite=True)
    assert plugin.read(script) == before
    plugin.export()
    assert plugin.reported_retained() == set()


# --- files that were never ours ------------------------------------------------------------------


def test_every_file_that_was_never_ours_is_named(tmp_path: Path) -> None:
    game = ThreeEngines(tmp_path / "game")
    game.write("a")
    for folder in FOLDERS:
        (game.root / folder).mkdir()
    mine = ["g/a.tscn", "t/a.tmj", "t/a.lvb", "u/a.tileset.json"]
    for path in mine:
        (game.root / path).write_text("mine")
    result = game.export()["a"]
    assert result.status == "failed"
    (problem,) = result.problems
    assert all(path in problem.message for path in mine)
    assert "--overwrite" in problem.message
    assert set(game.files()) == set(mine)
    assert game.export(overwrite=True)["a"].status == "built"
    assert all((game.root / path).read_bytes() != b"mine" for path in mine)


def test_a_sidecar_that_was_never_ours_is_preserved(tmp_path: Path) -> None:
    game = ThreeEngines(tmp_path / "game")
    game.write("a")
    (game.root / "g").mkdir()
    path = game.root / "g/a.ground.png.import"
    path.write_text('[remap]\n\nimporter="texture"\nuid="uid://abc"\n')
    before = path.read_bytes()
    result = game.export()["a"]
    assert (result.status, result.preserved) == ("built", ("g/a.ground.png.import",))
    assert path.read_bytes() == before
    game.spec("a").unlink()
    game.export()
    assert path.read_bytes() == before


def test_file_of_the_user_at_an_announced_path_is_not_ours(tmp_path: Path) -> None:
    """A path that was announced but never written may have got another owner since."""
    game = Game(tmp_path / "game")
    with Store(game.root, game.root / ".exporter") as store:
        digest = hashlib.sha256(b"ours").hexdigest()
        announced = Output("t/cave.tmj", "tilemap", None, "tiled", 4, "", coming=digest)
        sidecar = replace(announced, path="t/cave.meta", once=True)
        store.manifest.put(
            ManifestEntry("levels/cave.level.yaml", "cave", outputs=(announced, sidecar))
        )
        store.manifest.flush()
    (game.root / "t").mkdir()
    (game.root / "t" / "cave.tmj").write_text("mine")
    (game.root / "t" / "cave.meta").write_text("mine")
    assert game.export() == {}  # there is no spec at all
    assert game.outputs() == ["t/cave.meta", "t/cave.tmj"]
    assert all((game.root / path).read_text() == "mine" for path in game.outputs())


# --- indexes ------------------------------------------------------------------------------------


def test_each_target_folder_lists_what_was_written_there(three: ThreeEngines) -> None:
    files = three.files()
    for folder in FOLDERS:
        listed = {f"{folder}/{path}": digests for path, digests in three.index(folder).items()}
        assert listed == {
            path: {hashlib.sha256(data).hexdigest()}
            for path, data in files.items()
            if path.startswith(f"{folder}/")
        }
        text = (three.root / folder / ".level-exporter-index").read_text()
        assert text.splitlines() == sorted(text.splitlines())


def test_an_index_goes_with_the_last_file_of_its_folder(three: ThreeEngines) -> None:
    three.spec("a").unlink()
    three.export()
    assert not of_a(set(three.index("t")))
    three.spec("b").unlink()
    three.export()
    assert not any((three.root / folder).exists() for folder in FOLDERS)


def test_the_index_of_a_target_that_is_no_more_goes_with_its_last_file(three: ThreeEngines) -> None:
    three.settings("targets:\n  tiled: {path: t}\n")
    three.export()
    assert three.index("u")
    clean_stale(three.root, SilentReporter())
    assert not (three.root / "u").exists()
    assert not (three.root / "g").exists()
    assert three.index("t")


def test_the_same_index_goes_when_the_specs_of_its_files_are_deleted(three: ThreeEngines) -> None:
    three.settings("targets:\n  tiled: {path: t}\n")
    three.export()
    three.spec("a").unlink()
    three.spec("b").unlink()
    three.export()
    assert not any((three.root / folder).exists() for folder in FOLDERS)


def test_an_index_that_was_deleted_or_damaged_is_written_again(three: ThreeEngines) -> None:
    index = three.root / "t" / ".level-exporter-index"
    before = index.read_bytes()
    for damage in (None, b"", b"<<<<<<< ours\n" + before, before.replace(b"\n", b"\r\n")):
        if damage is None:
            index.unlink()
        else:
            index.write_bytes(damage)
        assert three.export()["a"].status == "unchanged"
        if damage is None or b"\r" not in damage:
            assert index.read_bytes() == before


def test_an_unused_plugin_stays_beside_a_used_one(
    plugin: ThreeEngines,
) -> None:
    both = PLUGIN + "  unity: {path: u/Assets/Levels, plugin: true}\n"
    for folder in ("Assets", "ProjectSettings"):
        (plugin.root / "u" / folder).mkdir(parents=True)
    plugin.settings(both)
    plugin.export()
    before = set(plugin.files())
    plugin.settings(both.replace("Levels, plugin: true", "Levels"))
    plugin.export()
    assert before <= set(plugin.files())
    assert not plugin.reported_removed()
    entry = plugin.open().store.peek()["exporter.yaml"]
    assert {output.path.partition("/")[0] for output in entry.outputs} == {"game"}
    assert {output.path.partition("/")[0] for output in entry.stale} == {"u"}
