"""The plan of a commit: made without writing, and carried out as planned."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from exporter.formats.engine_files import EngineFiles
from exporter.model.errors import OutsideError, StoreError
from exporter.store.commit_plan import whole_file
from exporter.store.contents import digest_of
from exporter.store.entries import ManifestEntry
from exporter.store.group_commit import Committed, GroupCommit
from exporter.store.indexes import INDEX, index_text
from exporter.store.ownership import FileState
from exporter.store.store import File, Removed, Store

FIRST, SECOND = "levels/one.level.yaml", "levels/two.level.yaml"
GUID, OTHER_GUID = "ab" * 16, "cd" * 16


def scene(uid: str, *more: str) -> bytes:
    """Return a scene of Godot's that is known by a uid and names others."""
    text = "".join(f'[ext_resource path="x" uid="{name}"]\n' for name in more)
    return f'[gd_scene format=3 uid="{uid}"]\n{text}'.encode()


def meta(guid: str, mode: int = 1) -> bytes:
    return f"fileFormatVersion: 2\nguid: {guid}\nTextureImporter:\n  spriteMode: {mode}\n".encode()


def file(path: str, data: bytes = b"data", *, once: bool = False, home: str = "t") -> File:
    return whole_file(path, "bitmap", "ground", "tiled", data, once, home)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "t").mkdir(parents=True)
    return root


@pytest.fixture
def store(root: Path) -> Store:
    return opened(root)


def opened(root: Path, *, dry: bool = False) -> Store:
    """Return the store as another process opens it."""
    store = Store(root, root / ".exporter", EngineFiles(), dry=dry)
    if dry:
        store.peek()
    store.set_homes(("t",))
    return store


def commit(
    store: Store, *files: File, spec: str = FIRST, level: str = "one", **more: Any
) -> Committed:
    with store:
        return store.commit(ManifestEntry(spec, level, "key"), files, **more)


def content(store: Store, path: str) -> bytes:
    return (store.root / path).read_bytes()


def paths(store: Store, spec: str = FIRST) -> list[str]:
    return [output.path for output in store.entries[spec].outputs]


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return all files of a project but its state, with times."""
    return {
        path.relative_to(root).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        for path in root.rglob("*")
        if path.is_file() and ".exporter" not in path.parts
    }


# --- accuracy of a dry run -----------------------------------------------------------------------


def test_a_dry_commit_says_what_a_true_one_does_and_writes_nothing(store: Store) -> None:
    commit(store, file("t/one.a"), file("t/one.b"), file("t/one.c"), file("t/one.d"))
    with store:
        store.write_indexes()
        store.save()
    (store.root / "t/one.b").write_bytes(b"edited")
    (store.root / "t/one.d").unlink()
    files = (file("t/one.a", b"new"), file("t/one.b", b"new"), file("t/one.d"), file("t/e"))
    before = snapshot(store.root)
    state = (store.root / ".exporter/manifest.json").read_bytes()
    dry = opened(store.root, dry=True)
    planned = commit(dry, *files)
    indexes = dry.write_indexes()
    assert snapshot(store.root) == before
    assert (store.root / ".exporter/manifest.json").read_bytes() == state
    assert not list((store.root / ".exporter").glob("*.tmp"))
    done = commit(store, *files)
    assert planned.written == done.written == ("t/one.a", "t/one.d", "t/e")
    assert planned.preserved == done.preserved == ("t/one.b",)
    with store:
        assert store.write_indexes() == indexes == (f"t/{INDEX}",)


def test_a_dry_removal_says_what_a_true_one_does(store: Store) -> None:
    commit(store, file("t/a"), file("t/b"), file("t/c"))
    (store.root / "t/b").write_bytes(b"edited")
    (store.root / "t/c").unlink()
    dry = opened(store.root, dry=True)
    with dry:
        planned = dry.forget(FIRST)
    assert planned == Removed(("t/a",), ("t/b",))
    assert (store.root / "t/a").exists()
    with store:
        assert store.forget(FIRST) == planned
    assert not (store.root / "t/a").exists()


# --- files listed in an index --------------------------------------------------------------------


def test_in_a_clone_without_a_state_the_index_tells_what_may_be_replaced(store: Store) -> None:
    for name, data in (("old", b"old\n"), ("crlf", b"old\r\n"), ("edited", b"edited\n")):
        (store.root / f"t/{name}").write_bytes(data)
    old = digest_of(b"old\n")
    (store.root / "t" / INDEX).write_bytes(
        index_text({x: [old] for x in ("old", "crlf", "edited")})
    )
    files = [file(f"t/{name}", b"new\n") for name in ("old", "crlf", "edited")]
    done = commit(store, *files)
    assert done.written == ("t/old", "t/crlf")
    assert done.preserved == ("t/edited",)
    assert content(store, "t/edited") == b"edited\n"
    # The edited file stays known as one of ours that a user changed.
    assert store.entries[FIRST].outputs[2].written == old
    (store.root / "t" / INDEX).unlink()
    assert commit(opened(store.root), *files).preserved == ("t/edited",)


def test_an_index_lists_nothing_outside_of_its_folder(store: Store) -> None:
    (store.root / "mine").write_bytes(b"mine")
    lines = index_text({"../mine": [digest_of(b"mine")], "/mine": [digest_of(b"mine")]})
    (store.root / "t" / INDEX).write_bytes(lines)
    with pytest.raises(StoreError, match="not written by the exporter"):
        commit(store, file("mine", b"new"))
    with store:
        assert store.listed_only() == []
    assert content(store, "mine") == b"mine"


def test_what_only_an_index_lists_may_be_removed_with_that_content(store: Store) -> None:
    for name, data in (("a", b"a\n"), ("b", b"edited"), ("c.meta", meta(GUID))):
        (store.root / f"t/{name}").write_bytes(data)
    lines = {"a": [digest_of(b"a\n")], "b": [digest_of(b"b")], "c.meta": [digest_of(meta(GUID))]}
    lines["gone"] = [digest_of(b"")]
    (store.root / "t" / INDEX).write_bytes(index_text(lines))
    commit(store, file("t/new"))
    with store:
        listed = store.listed_only()
        assert [output.path for output in listed] == ["t/a", "t/b", "t/c.meta"]
        assert [output.once for output in listed] == [False, False, True]
        assert store.remove(listed) == Removed(("t/a", "t/c.meta"), ("t/b",))
        store.write_indexes()
    assert content(store, f"t/{INDEX}") == index_text(
        {"b": [digest_of(b"b")], "new": [digest_of(b"data")]}
    )


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "t/0 exists and was not written by the exporter (move it away, or replace it with"),
        (2, "t/0, t/1 exist and were not written by the exporter (move them away, or"),
        (5, "t/0, t/1, t/2, t/3, t/4 exist and"),
        (7, "t/0, t/1, t/2, t/3, t/4 and 2 more exist and"),
    ],
)
def test_foreign_files_are_named_with_the_way_out(store: Store, count: int, words: str) -> None:
    for number in range(count):
        (store.root / f"t/{number}").write_bytes(b"mine")
    files = [file(f"t/{number}") for number in range(count)]
    with pytest.raises(StoreError) as caught:
        commit(store, *files)
    assert str(caught.value).startswith(words)
    assert "--overwrite" in str(caught.value)
    assert len(commit(store, *files, overwrite=True).written) == count


def test_a_file_that_leads_outside_is_refused_even_with_overwrite(store: Store) -> None:
    outside = store.root.parent / "outside"
    outside.mkdir()
    (outside / "a").write_bytes(b"theirs")
    (store.root / "t/out").symlink_to("../../outside")
    for overwrite in (False, True):
        for name in ("a", "new"):
            with pytest.raises(OutsideError):
                commit(store, file(f"t/out/{name}"), overwrite=overwrite)
    assert [path.name for path in outside.iterdir()] == ["a"]
    assert (outside / "a").read_bytes() == b"theirs"


def test_a_link_in_the_position_of_an_output_is_preserved_and_replaced_only_when_requested(
    store: Store,
) -> None:
    commit(store, file("t/a"))
    canary = store.root.parent / "canary"
    canary.write_bytes(b"theirs")
    (store.root / "t/a").unlink()
    (store.root / "t/a").symlink_to(canary)
    assert commit(store, file("t/a", b"new")).preserved == ("t/a",)
    assert (store.root / "t/a").is_symlink()
    with store:
        assert store.forget(SECOND) == Removed()
    assert commit(store, file("t/a", b"new"), overwrite=True).written == ("t/a",)
    assert not (store.root / "t/a").is_symlink()
    assert canary.read_bytes() == b"theirs"


# --- other specs' files --------------------------------------------------------------------------


def test_a_file_of_a_spec_that_is_removed_is_accepted_over(store: Store) -> None:
    commit(store, file("t/a"), file("t/b"))
    store.live = {SECOND: "two"}
    done = commit(store, file("t/a", b"new"), spec=SECOND, level="two")
    assert done.written == ("t/a",)
    assert paths(store, SECOND) == ["t/a"]
    assert (paths(store), store.entries[FIRST].key) == (["t/b"], "")
    with store:
        assert store.forget(FIRST) == Removed(("t/b",))
    assert content(store, "t/a") == b"new"


def test_an_edited_file_of_a_spec_that_is_removed_stays_edited(store: Store) -> None:
    commit(store, file("t/a"))
    (store.root / "t/a").write_bytes(b"edited")
    store.live = {SECOND: "two"}
    assert commit(store, file("t/a", b"new"), spec=SECOND, level="two").preserved == ("t/a",)
    assert content(store, "t/a") == b"edited"


def test_a_stale_file_of_a_spec_that_lies_is_accepted_over(store: Store) -> None:
    commit(store, file("t/a"), file("t/b"))
    commit(store, file("t/b"))
    assert [output.path for output in store.entries[FIRST].stale] == ["t/a"]
    store.live = {FIRST: "one", SECOND: "two"}
    assert commit(store, file("t/a", b"new"), spec=SECOND, level="two").written == ("t/a",)
    assert store.entries[FIRST].stale == ()
    assert store.entries[FIRST].key == "key"  # its outputs are the same as before


@pytest.mark.parametrize(
    "live", [None, {FIRST: "one", SECOND: "two"}, {FIRST: "ONE", SECOND: "two"}]
)
def test_a_file_of_a_spec_that_lies_is_refused(store: Store, live: dict[str, str] | None) -> None:
    commit(store, file("t/a"))
    store.live = live
    for path in ("t/a", "t/A"):
        with pytest.raises(StoreError, match=f"is already an output of {FIRST}"):
            commit(store, file(path, b"new"), spec=SECOND, level="two", overwrite=True)
    assert content(store, "t/a") == b"data"


def test_two_levels_can_swap_their_names(store: Store) -> None:
    store.live = {FIRST: "one", SECOND: "two"}
    commit(store, file("t/one.a", b"1"))
    commit(store, file("t/two.a", b"2"), spec=SECOND, level="two")
    store.live = {FIRST: "two", SECOND: "one"}
    commit(store, file("t/two.a", b"1"), level="two")
    commit(store, file("t/one.a", b"2"), spec=SECOND, level="one")
    assert (content(store, "t/two.a"), content(store, "t/one.a")) == (b"1", b"2")
    assert (paths(store), paths(store, SECOND)) == (["t/two.a"], ["t/one.a"])
    assert store.manifest.owner("t/one.a") == SECOND
    assert store.manifest.owner("t/two.a") == FIRST
    assert all(not entry.stale for entry in store.entries.values())
    assert sorted(snapshot(store.root)) == ["t/one.a", "t/two.a"]


# --- a level gets another name -------------------------------------------------------------------


def test_the_files_of_a_renamed_level_move_with_what_engines_put_beside_them(
    store: Store,
) -> None:
    commit(store, file("t/one.a.png"), file("t/one.tmj", b"{}"))
    for beside in ("one.a.png.import", "one.tmj.meta"):
        (store.root / "t" / beside).write_bytes(b"by the engine")
    done = commit(store, file("t/new.a.png"), file("t/new.tmj", b"{2}"), level="new")
    assert dict(done.moved) == {"t/new.a.png": "t/one.a.png", "t/new.tmj": "t/one.tmj"}
    assert done.written == ("t/new.a.png", "t/new.tmj")
    assert content(store, "t/new.tmj") == b"{2}"
    assert sorted(snapshot(store.root)) == [
        "t/new.a.png",
        "t/new.a.png.import",
        "t/new.tmj",
        "t/new.tmj.meta",
    ]
    assert store.entries[FIRST].stale == ()
    with store:
        assert store.forget(FIRST).removed == ("t/new.a.png", "t/new.tmj")


def test_an_edited_file_moves_with_its_level_and_stays_edited(store: Store) -> None:
    commit(store, file("t/one.a"), file("t/one.b"))
    (store.root / "t/one.a").write_bytes(b"edited")
    done = commit(store, file("t/new.a"), file("t/new.b"), level="new")
    assert dict(done.moved) == {"t/new.a": "t/one.a", "t/new.b": "t/one.b"}
    assert done.preserved == ("t/new.a",)
    assert content(store, "t/new.a") == b"edited"
    assert not (store.root / "t/one.a").exists()
    with store:
        assert store.forget(FIRST) == Removed(("t/new.b",), ("t/new.a",))


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_nothing_moves_onto_what_lies_there(store: Store, there: str) -> None:
    commit(store, file("t/one.a"))
    position = store.root / "t/new.a"
    if there == "folder":
        position.mkdir()
    elif there == "link":
        position.symlink_to("one.a")
    else:
        position.write_bytes(b"mine")
    with pytest.raises(StoreError):
        commit(store, file("t/new.a"), level="new")
    assert content(store, "t/one.a") == b"data"
    assert not position.is_file() or position.is_symlink() or position.read_bytes() == b"mine"


def test_files_move_into_a_folder_that_is_named_after_the_level(store: Store) -> None:
    commit(store, file("t/one.parts/a"))
    done = commit(store, file("t/new.parts/a"), level="new")
    assert dict(done.moved) == {"t/new.parts/a": "t/one.parts/a"}
    assert content(store, "t/new.parts/a") == b"data"


def test_a_move_that_is_refused_is_reported_with_its_file(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("t/one.a"))
    real = os.replace

    def refuse(source: Any, target: Any, **more: Any) -> None:
        if source == "one.a":
            raise OSError(28, "No space left on device")
        real(source, target, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(StoreError, match=r"^t/one\.a: No space left on device"):
            commit(store, file("t/new.a"), level="new")
    assert commit(store, file("t/new.a"), level="new").moved == (("t/new.a", "t/one.a"),)


@pytest.mark.parametrize("path", ["t/a", "t/A"])
def test_a_file_accepted_over_under_another_case_is_looked_at_afresh(
    store: Store, path: str
) -> None:
    commit(store, file("t/a"))
    store.live = {SECOND: "two"}
    done = commit(store, file(path, b"new"), spec=SECOND, level="two")
    assert done.written == (path,)
    assert store.entries[FIRST].outputs == ()
    assert content(store, path) == b"new"


def test_files_of_other_names_do_not_move(store: Store) -> None:
    commit(store, file("t/one.a"), file("t/onetwo.a"), file("other/one.a", home=""))
    files = (file("t/new.b"), file("t/newtwo.a"), file("other/new.a", home=""))
    done = commit(store, *files, level="new")
    assert done.moved == ()
    assert [output.path for output in store.entries[FIRST].stale] == [
        "t/one.a",
        "t/onetwo.a",
        "other/one.a",
    ]


def test_a_kill_after_a_move_leaves_every_file_with_an_owner(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("t/one.a"), file("t/one.b"))
    with monkeypatch.context() as patch:
        patch.setattr(GroupCommit, "_reveal", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            commit(store, file("t/new.a", b"x"), file("t/new.b"), level="new")
    again = opened(store.root)
    done = commit(again, file("t/new.a", b"x"), file("t/new.b"), level="new")
    assert done.preserved == ()
    assert content(again, "t/new.a") == b"x"
    with again:
        assert set(again.forget(FIRST).removed) == {"t/new.a", "t/new.b"}
    assert not list((store.root / "t").glob("*.?"))


# --- the numbers by which engines know files -----------------------------------------------------


def test_a_file_keeps_its_number_when_its_level_is_renamed_and_so_do_those_that_name_it(
    store: Store,
) -> None:
    old = (
        file("t/one.tscn", scene("uid://one")),
        file("t/all.tscn", scene("uid://all", "uid://one")),
    )
    commit(store, *old)
    new = (
        file("t/new.tscn", scene("uid://new")),
        file("t/all.tscn", scene("uid://all", "uid://new")),
    )
    done = commit(store, *new, level="new")
    assert dict(done.moved) == {"t/new.tscn": "t/one.tscn"}
    assert content(store, "t/new.tscn") == scene("uid://one")
    assert content(store, "t/all.tscn") == scene("uid://all", "uid://one")
    assert store.entries[FIRST].identities == {"uid://new": "uid://one"}
    # The next export, also of another process, finds nothing to do.
    assert commit(opened(store.root), *new, level="new").written == ()
    assert commit(opened(store.root), *new, level="new").preserved == ()


def test_a_new_level_of_the_previous_name_gets_another_number(store: Store) -> None:
    commit(store, file("t/one.tscn", scene("uid://one")))
    commit(store, file("t/new.tscn", scene("uid://new")), level="new")
    fresh = file("t/one.tscn", scene("uid://one"))
    commit(store, fresh, spec=SECOND)
    other = EngineFiles().other_identity("uid://one")
    assert content(store, "t/one.tscn") == scene(other)
    assert content(store, "t/new.tscn") == scene("uid://one")
    assert commit(opened(store.root), fresh, spec=SECOND).written == ()


def test_an_edited_number_does_not_change_ours(store: Store) -> None:
    commit(store, file("t/one.png.meta", meta(GUID), once=True))
    (store.root / "t/one.png.meta").write_bytes(meta(OTHER_GUID))
    done = commit(store, file("t/one.png.meta", meta(GUID, 2), once=True))
    assert done.preserved == ("t/one.png.meta",)
    assert content(store, "t/one.png.meta") == meta(OTHER_GUID)


def test_a_sidecar_keeps_its_guid_when_its_level_is_renamed(store: Store) -> None:
    commit(store, file("t/one.png"), file("t/one.png.meta", meta(GUID), once=True))
    files = (file("t/new.png"), file("t/new.png.meta", meta(OTHER_GUID), once=True))
    done = commit(store, *files, level="new")
    assert done.preserved == ()
    assert content(store, "t/new.png.meta") == meta(GUID)
    assert not (store.root / "t/one.png.meta").exists()


def test_only_files_that_can_hold_a_number_are_read_for_one(store: Store) -> None:
    text = scene("uid://one")
    commit(store, file("t/one.txt", text))
    commit(store, file("t/new.txt", scene("uid://new")), level="new")
    assert content(store, "t/new.txt") == scene("uid://new")
    assert store.entries[FIRST].identities == {}


# --- stale files ---------------------------------------------------------------------------------


def test_a_stale_file_that_is_not_there_any_more_is_forgotten(store: Store) -> None:
    commit(store, file("t/a"), file("t/b"), file("t/c"))
    (store.root / "t/b").unlink()
    commit(store, file("t/c"))
    assert [output.path for output in store.entries[FIRST].stale] == ["t/a"]
    commit(store, file("t/a"), file("t/c"))
    assert store.entries[FIRST].stale == ()
    assert paths(store) == ["t/a", "t/c"]


def test_a_file_that_another_program_holds_stays_remembered(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("t/a"), file("t/b"))
    commit(store, file("t/b"))
    monkeypatch.setattr("exporter.store.held_files.PAUSE", 0.0)
    real = os.unlink

    def held(path: Any, **more: Any) -> None:
        if path == "a":
            raise OSError(16, "in use")
        real(path, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", held)
        with store:
            assert store.remove_stale(FIRST, {"t"}) == Removed(held=("t/a",))
            assert [output.path for output in store.entries[FIRST].stale] == ["t/a"]
            assert store.forget(FIRST) == Removed(("t/b",), held=("t/a",))
        assert paths(store) == []
        assert [output.path for output in store.entries[FIRST].stale] == ["t/a"]
        assert store.entries[FIRST].key == ""
    with store:
        assert store.forget(FIRST) == Removed(("t/a",))
        assert FIRST not in store.entries


def test_a_plan_has_the_state_of_every_file(store: Store) -> None:
    commit(store, file("t/a"), file("t/b"))
    (store.root / "t/b").write_bytes(b"edited")
    result = [store.look(output).state for output in store.entries[FIRST].outputs]
    assert result == [FileState.UP_TO_DATE, FileState.USER_MODIFIED]
