"""Deleted specs take their outputs along; specs out of sight do not."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from edited_outputs import SETTINGS, ThreeEngines
from exporter.export import removals as removals_module
from exporter.export import workers as workers_module
from exporter.export.clean import clean_stale
from exporter.export.events import Removal
from exporter.export.removals import DeletedSpecs, remove_outputs_of_deleted_specs
from exporter.store.entries import ManifestEntry, is_part, part_key
from exporter.store.store import Removed
from silent_reporter import SilentReporter
from small_game import CAVE

UID = re.compile(rb'uid="(uid://[a-z0-9]+)"')
GUID = re.compile(rb"^guid: ([0-9a-f]{32})$", re.MULTILINE)


def names(game: ThreeEngines) -> set[str]:
    """Return the levels that have files."""
    return {path.split("/")[-1].split(".")[0] for path in game.files()}


def identities(game: ThreeEngines, level: str) -> dict[str, list[bytes]]:
    """Return the uids and guids in a level's files, by the files' suffixes."""
    result = {}
    for path, data in game.files().items():
        folder, _, name = path.partition("/")
        if name.startswith(f"{level}."):
            numbers = UID.findall(data) + GUID.findall(data)
            if numbers:
                result[f"{folder}/{name.removeprefix(level)}"] = numbers
    return result


def cells_of(game: ThreeEngines, level: str) -> Any:
    """Return the tiles in the cells of a level's map."""
    document = json.loads((game.root / "t" / f"{level}.tmj").read_bytes())
    return [layer.get("data") for layer in document["layers"]]


def without_name(game: ThreeEngines, level: str) -> dict[str, bytes]:
    """Return a level's files of engines, without its name."""
    return {
        path.replace(f"/{level}.", "/NAME."): re.sub(
            rb"\b%s([.\"])" % level.encode(), rb"NAME\1", data
        )
        for path, data in game.files().items()
        if f"/{level}." in path and not path.endswith((".lvb", ".png"))
    }


# --- deleted, or out of sight -------------------------------------------------------------------


def test_a_spec_that_is_deleted_takes_its_outputs_along(three: ThreeEngines) -> None:
    before = {path for path in three.files() if "/a." in path}
    three.spec("a").unlink()
    three.export()
    assert names(three) == {"b"}
    assert three.reported_removed() == before
    assert not {path for path in three.index("g") if path.startswith("a.")}


def test_the_last_spec_of_a_folder_that_lies_is_deleted(three: ThreeEngines) -> None:
    three.spec("a").unlink()
    three.spec("b").unlink()
    three.export()
    assert three.files() == {}


def move_away(game: ThreeEngines) -> None:
    (game.root / "levels").rename(game.root / "away")


def put_an_empty_folder_there(game: ThreeEngines) -> None:
    move_away(game)
    (game.root / "levels").mkdir()


def replace_by_a_file(game: ThreeEngines) -> None:
    move_away(game)
    (game.root / "levels").write_text("")


def replace_by_a_broken_link(game: ThreeEngines) -> None:
    move_away(game)
    (game.root / "levels").symlink_to(game.root / "nowhere")


def change_the_glob(game: ThreeEngines) -> None:
    game.settings("levels: levels/nothing/*\n" + SETTINGS)


def change_the_glob_and_delete(game: ThreeEngines) -> None:
    change_the_glob(game)
    game.spec("a").unlink()


@pytest.mark.parametrize(
    "way",
    [
        move_away,
        put_an_empty_folder_there,
        replace_by_a_file,
        replace_by_a_broken_link,
        change_the_glob,
        change_the_glob_and_delete,
    ],
    ids=lambda item: item.__name__,
)
def test_a_folder_that_is_out_of_sight_removes_nothing(three: ThreeEngines, way: Any) -> None:
    before = three.files()
    index = three.index("t")
    way(three)
    for _ in range(2):
        assert three.export() == {}
        assert three.files() == before or set(before) <= set(three.files())
        assert three.reported_removed() == set()
        assert three.reported_stale() == set(before)
    assert three.index("t") == index
    assert clean_stale(three.root, SilentReporter()) == len(before)
    assert not set(before) & set(three.files())


@pytest.mark.parametrize("way", [move_away, put_an_empty_folder_there])
def test_what_comes_back_into_sight_is_as_it_was(three: ThreeEngines, way: Any) -> None:
    before = three.files()
    way(three)
    three.export()
    if (three.root / "levels").exists():
        (three.root / "levels").rmdir()
    (three.root / "away").rename(three.root / "levels")
    assert {item.status for item in three.export().values()} == {"unchanged"}
    assert three.reported_stale() == set()
    assert three.files() == before


def test_specs_that_were_out_of_sight_and_are_deleted_later(three: ThreeEngines) -> None:
    put_an_empty_folder_there(three)
    three.export()
    (three.root / "levels").rmdir()
    (three.root / "away").rename(three.root / "levels")
    three.spec("a").unlink()
    three.export()
    assert names(three) == {"b"}


def test_a_folder_that_cannot_be_read_removes_nothing(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = three.files()
    real = os.scandir

    def refuse(path: Any = ".") -> Any:
        if str(path).endswith("levels"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        three.spec("a").unlink()
        assert three.export() == {}
        assert three.files() == before
        assert three.reported_removed() == set()
        assert clean_stale(three.root, SilentReporter()) == 0
        assert three.files() == before
    three.export()
    assert names(three) == {"b"}  # now its deletion is visible


def test_a_spec_that_cannot_be_looked_at_removes_nothing(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = three.files()

    def refuse(_path: Any) -> Any:
        raise OSError(5, "Input/output error")

    three.spec("a").rename(three.root / "elsewhere")
    with monkeypatch.context() as patched:
        patched.setattr(removals_module.os, "lstat", refuse)
        three.export()
    assert names(three) - {"elsewhere"} == {"a", "b"}
    assert before.items() <= three.files().items()


def test_a_spec_in_a_folder_that_is_deleted_with_it_stays_until_it_is_cleaned(
    three: ThreeEngines,
) -> None:
    (three.root / "levels" / "deep").mkdir()
    (three.root / "levels" / "deep" / "c.level.yaml").write_text(CAVE.format(seed=3))
    three.export()
    (three.root / "levels" / "deep" / "c.level.yaml").unlink()
    (three.root / "levels" / "deep").rmdir()
    three.export()
    assert names(three) == {"a", "b", "c"}
    assert {path for path in three.files() if "/c." in path} == three.reported_stale()
    clean_stale(three.root, SilentReporter())
    assert names(three) == {"a", "b"}


def test_deleting_waits_for_its_grace(three: ThreeEngines, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(removals_module, "monotonic", lambda: now[0])
    opened = three.open(grace=5.0)
    three.batch(opened)
    three.spec("a").unlink()
    for second in (0.0, 4.9):
        now[0] = 100.0 + second
        three.batch(opened)
        assert names(three) == {"a", "b"}
        assert three.reported_stale() == set()
    now[0] = 105.0
    three.batch(opened)
    assert names(three) == {"b"}


# --- renamed ------------------------------------------------------------------------------------


def rename_the_spec(game: ThreeEngines) -> None:
    game.spec("a").rename(game.spec("z"))


def rename_the_level(game: ThreeEngines) -> None:
    game.write("a", more="level: z\n")


@pytest.mark.parametrize("way", [rename_the_spec, rename_the_level], ids=lambda item: item.__name__)
def test_a_rename_moves_outputs_with_their_uids_and_guids(three: ThreeEngines, way: Any) -> None:
    before = identities(three, "a")
    texts = without_name(three, "a")
    inodes = {p: (three.root / p).stat().st_ino for p in three.files() if "/a." in p}
    assert {Path("x" + path.partition("/")[2]).suffix for path in before} == {
        ".tscn",
        ".tres",
        ".import",
        ".meta",
    }
    way(three)
    three.export()
    assert names(three) == {"b", "z"}
    assert identities(three, "z") == before
    assert without_name(three, "z") == texts
    remaining = {p for p, inode in inodes.items() if p.endswith((".png", ".import", ".meta"))}
    for path in remaining:
        moved = three.root / path.replace("/a.", "/z.")
        assert moved.stat().st_ino == inodes[path], path
    assert three.reported_removed() == set()
    assert {item.status for item in three.export().values()} == {"unchanged"}
    three.write("z" if way is rename_the_spec else "a", seed=9, more="level: z\n")
    three.export()
    assert identities(three, "z") == before  # and for ever


@pytest.mark.parametrize(
    ("moment", "after"), [(number, bool(number % 2)) for number in range(0, 24, 3)]
)
def test_a_rename_that_is_killed_is_completed(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, moment: int, after: bool
) -> None:
    before = identities(three, "a")
    count = 0

    def killed(real: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count > moment and not after:
                raise KeyboardInterrupt
            result = real(*arguments, **options)
            if count > moment:
                raise KeyboardInterrupt
            return result

        return call

    three.write("a", more="level: z\n")
    with monkeypatch.context() as patched:
        patched.setattr(os, "rename", killed(os.rename))
        patched.setattr(os, "replace", killed(os.replace))
        with contextlib.suppress(KeyboardInterrupt):
            three.export()
    result = three.export()["a"]
    assert (result.status, result.preserved) in (("built", ()), ("unchanged", ()))
    assert names(three) == {"b", "z"}
    assert identities(three, "z") == before
    assert three.reported_stale() == set()


@pytest.mark.parametrize("forget", [False, True])
def test_a_new_level_of_the_old_name_gets_other_uids_and_guids(
    three: ThreeEngines, forget: bool
) -> None:
    old = {number for numbers in identities(three, "a").values() for number in numbers}
    rename_the_spec(three)
    three.export()
    three.write("a", seed=5)
    if not forget:
        three.export()
    else:
        three.export(force=True)
    new = {number for numbers in identities(three, "a").values() for number in numbers}
    assert len(new) == len(old)
    assert not old & new
    three.write("a", seed=6)
    three.export()
    again = {number for numbers in identities(three, "a").values() for number in numbers}
    assert again == new
    everything = [n for level in "abz" for ns in identities(three, level).values() for n in ns]
    heads = [n for level in "abz" for p, ns in identities(three, level).items() for n in ns[:1]]
    assert len(set(heads)) == len(heads)  # no two files have the same
    assert set(everything) == set(heads)  # and every reference leads to a file that is there


def test_a_level_that_is_deleted_and_created_again_gets_the_same_uids(three: ThreeEngines) -> None:
    before = identities(three, "a")
    three.spec("a").unlink()
    three.export()
    three.write("a")
    three.export()
    assert identities(three, "a") == before


def test_spec_is_deleted_while_another_is_renamed_and_a_third_is_new(three: ThreeEngines) -> None:
    """Neither of the new specs is the heir of the deleted one."""
    before = identities(three, "a")
    rename_the_spec(three)
    three.spec("b").unlink()
    three.write("c", seed=7)
    results = three.export()
    assert {name: result.status for name, result in results.items()} == {"z": "built", "c": "built"}
    assert names(three) == {"z", "c"}
    assert identities(three, "z") == before
    assert three.reported_removed()
    assert not any("/a." in path for path in three.reported_removed())


def test_two_levels_swap_their_names(three: ThreeEngines) -> None:
    three.write("a", seed=1, more="level: x\n")
    three.write("b", seed=2, more="level: y\n")
    three.export()
    cells = {level: cells_of(three, level) for level in "xy"}
    assert cells["x"] != cells["y"]
    three.write("a", seed=1, more="level: y\n")
    three.write("b", seed=2, more="level: x\n")
    results = three.export()
    assert {result.status for result in results.values()} == {"built"}
    assert (cells_of(three, "x"), cells_of(three, "y")) == (cells["y"], cells["x"])
    assert names(three) == {"x", "y"}
    heads = [n for level in "xy" for ns in identities(three, level).values() for n in ns[:1]]
    assert len(set(heads)) == len(heads)
    assert {item.status for item in three.export().values()} == {"unchanged"}
    assert three.reported_stale() == three.reported_retained() == set()


def test_two_specs_swap_their_files(three: ThreeEngines) -> None:
    three.write("a", seed=1)
    three.write("b", seed=2)
    three.export()
    fresh = three.files()
    three.write("a", seed=2)
    three.write("b", seed=1)
    three.export()
    three.write("a", seed=1)
    three.write("b", seed=2)
    three.export()
    assert three.files() == fresh


def test_an_edited_output_goes_with_a_renamed_level_and_stays_edited(three: ThreeEngines) -> None:
    edits = three.edit("t/a.tmj", "g/a.ground.png.import", "u/a.ground.png.meta")
    rename_the_spec(three)
    result = three.export()["z"]
    there = {path.replace("/a.", "/z."): data for path, data in edits.items()}
    assert three.read(*there) == there
    assert set(result.preserved) == set(there)
    assert names(three) == {"b", "z"}


def test_a_rename_onto_files_of_the_users_moves_nothing_over_them(three: ThreeEngines) -> None:
    (three.root / "t" / "z.tmj").write_text("mine")
    rename_the_spec(three)
    assert three.export()["z"].status == "failed"
    assert (three.root / "t" / "z.tmj").read_text() == "mine"
    (three.root / "t" / "z.tmj").unlink()
    assert three.export()["z"].status == "built"
    assert names(three) == {"b", "z"}


def test_a_spec_after_an_interrupted_first_export_inherits_its_levels_files(
    three: ThreeEngines,
) -> None:
    edits = three.edit("t/a.tmj")
    heir = three.root / "levels" / "sub" / "a.level.yaml"
    heir.parent.mkdir()
    three.spec("a").rename(heir)
    export = three.open()
    with export.store as store:
        store.manifest.put(ManifestEntry("levels/sub/a.level.yaml", "a"))
        store.save()
    assert three.export()["a"].preserved == tuple(edits)
    assert not [event for event in three.reporter.events if isinstance(event, Removal)]
    assert three.read(*edits) == edits
    assert names(three) == {"a", "b"}


def test_an_edited_output_of_a_deleted_level_is_preserved_when_another_level_takes_the_name(
    three: ThreeEngines,
) -> None:
    edits = three.edit("t/a.tmj")
    three.spec("a").unlink()
    three.spec("b").write_text("level: a\n" + three.spec("b").read_text())
    result = three.export()["b"]
    assert (result.status, result.preserved) == ("built", tuple(edits))
    assert three.read(*edits) == edits


def test_what_an_engine_put_beside_an_output_goes_with_it(three: ThreeEngines) -> None:
    beside = three.root / "g" / "a.lvb.import"
    beside.write_text('[remap]\n\nimporter="level_exporter"\nuid="uid://abc"\n')
    rename_the_spec(three)
    three.export()
    assert not beside.exists()
    assert 'uid="uid://abc"' in (three.root / "g" / "z.lvb.import").read_text()


def test_a_renamed_level_is_reported_with_its_old_names(three: ThreeEngines) -> None:
    before = {path for path in three.files() if "/a." in path}
    rename_the_spec(three)
    result = three.export()["z"]
    (removal,) = [event for event in three.reporter.events if isinstance(event, Removal)]
    assert (set(removal.paths), removal.reason) == (before, "renamed")
    assert dict(result.moved) == {path.replace("/a.", "/z."): path for path in before}
    report = result.report()["moved"]
    assert {"from": "t/a.tmj", "to": "t/z.tmj"} in report


# --- in a clone, where nothing is remembered ------------------------------------------------------


def forget(three: ThreeEngines) -> None:
    shutil.rmtree(three.root / ".exporter")


def test_a_level_that_was_renamed_in_a_clone_keeps_its_files(three: ThreeEngines) -> None:
    before = identities(three, "a")
    forget(three)
    three.spec("a").rename(three.spec("z"))
    three.export()
    assert names(three) == {"b", "z"}
    assert identities(three, "z") == before


def test_an_edited_output_of_a_level_that_was_renamed_in_a_clone_stays(three: ThreeEngines) -> None:
    scene = three.root / "g" / "a.tscn"
    edited = scene.read_bytes() + b"; mine"
    scene.write_bytes(edited)
    forget(three)
    three.spec("a").rename(three.spec("z"))
    three.export()
    assert scene.read_bytes() == edited
    assert (three.root / "g" / "z.tscn").exists()
    assert not (three.root / "g" / "a.lvb").exists()


@pytest.mark.parametrize("seed", [1, 2], ids=["a copy", "another level"])
def test_a_new_level_in_a_clone_takes_no_files_of_a_present_level(
    three: ThreeEngines, seed: int
) -> None:
    before = identities(three, "a")
    text = three.spec("a").read_text()
    forget(three)
    three.spec("z").write_text(text if seed == 1 else f"{text}properties: {{n: 1}}\n")
    three.export()
    assert names(three) == {"a", "b", "z"}
    assert identities(three, "a") == before
    used = {number for numbers in before.values() for number in numbers}
    given = {number for numbers in identities(three, "z").values() for number in numbers}
    assert given
    assert not given & used


def test_a_new_level_in_a_clone_takes_no_files_of_a_deleted_one_for_its_tileset_alone(
    three: ThreeEngines,
) -> None:
    before = identities(three, "a")
    three.spec("a").unlink()
    forget(three)
    three.write("z", seed=77)
    three.export()
    assert names(three) == {"a", "b", "z"}
    assert identities(three, "a") == before


def test_specs_that_vanish_while_they_are_exported_are_reported(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = three.files()
    real = workers_module.build_all

    def vanish(*arguments: Any) -> Any:
        three.spec("a").unlink()
        return real(*arguments)

    monkeypatch.setattr(workers_module, "build_all", vanish)
    result = three.export(force=True)
    assert {name: item.status for name, item in result.items()} == {"a": "failed", "b": "built"}
    assert "during the export" in result["a"].problems[0].message
    assert three.files() == before


def test_an_index_that_names_a_file_behind_a_link_permits_nothing_and_stops_nothing(
    three: ThreeEngines, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs").write_bytes(b"theirs")
    (three.root / "g" / "link").symlink_to(outside)
    index = three.root / "g" / ".level-exporter-index"
    digest = hashlib.sha256(b"theirs").hexdigest()
    index.write_text(index.read_text() + f"{digest}  link/theirs\n")
    three.write("a", seed=8)
    assert three.export()["a"].status == "built"
    clean_stale(three.root, three.reporter)
    assert (outside / "theirs").read_bytes() == b"theirs"


def test_a_world_whose_parts_alone_lose_files_is_a_removal() -> None:
    """Its own files are kept for other levels, until all of them are known again."""
    keys = ("w.level.yaml", part_key("w.level.yaml", 0, 0))
    entries = {key: ManifestEntry("w.level.yaml", "w") for key in keys}

    def forget(key: str, *, with_shared: bool) -> Removed:
        if not is_part(key):
            return Removed()
        del entries[key]
        return Removed(("w.0_0.tmj",))

    store: Any = SimpleNamespace(entries=entries, forget=forget)
    snapshot: Any = SimpleNamespace(specs=[])
    deleted = DeletedSpecs(deleted=["w.level.yaml"])
    (removal,) = remove_outputs_of_deleted_specs(store, deleted, snapshot)
    assert removal.paths == ("w.0_0.tmj",)
