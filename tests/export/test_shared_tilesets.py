"""One tileset for all levels with the same tiles, coupled only by its content."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest

from exporter.export.clean import clean_project, clean_stale
from exporter.export.events import Removal
from exporter.store.indexes import INDEX
from exporter.store.store import Store
from silent_reporter import SilentReporter
from small_game import Game

GODOT = "godot: {path: t, tilesets: project, blob: false, bitmaps: false}"
TILED = "tiled: {path: t, tilesets: project, blob: false, bitmaps: false, languages: [json, xml]}"
OTHER = "size: [8, 8]\nlayers: {ground: {generator: rooms_and_corridors}}\n"


@pytest.fixture(params=[GODOT, TILED], ids=["godot", "tiled"])
def game(tmp_path: Path, request: pytest.FixtureRequest) -> Game:
    result = Game(tmp_path / "game")
    result.settings(f"targets:\n  {request.param}\n")
    return result


def tilesets(game: Game) -> list[str]:
    return [name for name in game.outputs() if "tileset" in name]


def test_levels_with_the_same_tiles_have_one_tileset(game: Game) -> None:
    game.write("a")
    game.export()
    alone = {name: (game.root / name).read_bytes() for name in tilesets(game)}
    game.write("b", seed=2)
    assert game.export()["b"].status == "built"
    assert {name: (game.root / name).read_bytes() for name in tilesets(game)} == alone
    assert all(Path(name).name.startswith("_tiles_") for name in alone)
    assert {status.status for status in game.export().values()} == {"unchanged"}
    assert {f"t/{path}" for path in game.index() if "tileset" in path} == set(alone)


def test_levels_with_other_tiles_have_another(game: Game) -> None:
    game.write("a")
    game.export()
    before = tilesets(game)
    game.spec("b").write_text(OTHER)
    game.export()
    assert len(tilesets(game)) == 2 * len(before)


def test_it_goes_with_the_last_level(game: Game) -> None:
    game.write("a")
    game.write("b", seed=2)
    game.export()
    before = tilesets(game)
    game.spec("a").unlink()
    game.export()
    assert tilesets(game) == before
    assert game.export()["b"].status == "unchanged"
    game.spec("b").unlink()
    game.export()
    assert game.outputs() == []


def test_a_level_that_takes_other_tiles_leaves_it_to_the_others(game: Game) -> None:
    game.write("a")
    game.write("b", seed=2)
    game.export()
    shared = tilesets(game)
    game.spec("a").write_text(OTHER)
    game.export()
    clean_stale(game.root, SilentReporter())
    assert set(shared) < set(tilesets(game))
    game.spec("b").write_text(OTHER)
    game.export()
    clean_stale(game.root, SilentReporter())
    assert not set(shared) & set(tilesets(game))
    entries = Store(game.root, game.root / ".exporter").peek().values()
    assert not any(entry.stale for entry in entries)
    assert {status.status for status in game.export().values()} == {"unchanged"}


def test_everything_can_be_cleaned(game: Game) -> None:
    for seed, name in enumerate("abc"):
        game.write(name, seed=seed)
    game.export()
    clean_project(game.root, SilentReporter())
    assert game.outputs() == []
    assert not (game.root / "t" / INDEX).exists()


def test_a_missing_file_is_created_again(game: Game) -> None:
    game.write("a")
    game.write("b", seed=2)
    game.export()
    for name in tilesets(game):
        (game.root / name).unlink()
    game.export()
    assert tilesets(game)
    assert {status.status for status in game.export().values()} == {"unchanged"}


def test_a_user_modified_tileset_is_kept_for_all_levels(game: Game) -> None:
    game.write("a")
    game.export()
    name = next(name for name in tilesets(game) if name.endswith((".tres", ".tsj")))
    (game.root / name).write_text((game.root / name).read_text() + "\n\n")
    (game.root / name).write_text("mine")
    game.write("b", seed=2)
    game.write("a", seed=3)
    results = game.export()
    assert results["a"].preserved == results["b"].preserved == (name,)
    assert (game.root / name).read_text() == "mine"


def test_a_renamed_level_keeps_it(game: Game) -> None:
    game.write("a")
    game.write("b", seed=2)
    game.export()
    before = tilesets(game)
    game.spec("a").rename(game.spec("c"))
    game.export()
    assert tilesets(game) == before
    assert {status.status for status in game.export().values()} == {"unchanged"}


def test_an_exporter_that_writes_it_otherwise_does_so_for_all_levels(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    game.write("b", seed=2)
    game.export()
    monkeypatch.setattr("exporter.targets.shared_files.shared_stem", lambda *_: "_tiles_1.tileset")
    game.export(force=True)
    for target in ("_godot_scene_tiles.tileset_resource", "tiled.tiled_json"):
        module, name = target.split(".")
        whole = f"exporter.targets.{module}.{name}"
        original = getattr(importlib.import_module(f"exporter.targets.{module}"), name)
        monkeypatch.setattr(
            whole, lambda *given, original=original: original(*given).replace(b"\n", b"\n ", 1)
        )
    results = game.export(force=True)
    assert {result.status for result in results.values()} == {"built"}
    assert not any(result.preserved for result in results.values())


def test_the_order_of_levels_does_not_matter(game: Game) -> None:
    contents = []
    for names in ("abc", "cab"):
        for name in names:
            game.write(name, seed=ord(name))
            game.export()
        contents.append({name: (game.root / name).read_bytes() for name in game.outputs()})
        for name in names:
            game.spec(name).unlink()
        game.export()
        assert game.outputs() == []
    assert contents[0] == contents[1]


def test_a_clone_without_memory_takes_it_over(game: Game) -> None:
    game.write("a")
    game.write("b", seed=2)
    game.export()
    before = game.outputs()
    shutil.rmtree(game.root / ".exporter")
    results = game.export()
    assert all(not result.written and not result.preserved for result in results.values())
    game.spec("a").unlink()
    game.export()
    assert set(game.outputs()) >= {name for name in before if "tileset" in name}


def test_it_stays_while_a_level_on_disk_may_use_it(game: Game) -> None:
    """As after a change of branches: another level has it, whose spec is broken at the moment."""
    game.write("a")
    game.export()
    shared = tilesets(game)
    game.spec("b").write_text(OTHER)
    game.export()
    # The other branch has no `a`, and a `b` that uses the tileset of `a`.
    game.spec("a").unlink()
    game.spec("b").write_text("size: [8, 8]\nlayers: {ground: {generator: nope}}\n")
    for reported in (["a"], []):
        assert game.export()["b"].status == "failed"
        removals = [event for event in game.reporter.events if isinstance(event, Removal)]
        assert [event.level for event in removals] == reported
        assert set(shared) <= set(tilesets(game))
    clean_stale(game.root, SilentReporter())
    assert set(shared) <= set(tilesets(game))
    assert not [name for name in game.outputs() if Path(name).name.startswith("a.")]
    game.spec("b").write_text(OTHER)
    game.export()
    game.export()
    assert not set(shared) & set(tilesets(game))
