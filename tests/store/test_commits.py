"""Committing the files of a spec: what is written, adopted, kept and removed, in which order."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import StoreError
from exporter.store.atomic_files import release_lock, try_lock
from exporter.store.manifest import JOURNAL, MANIFEST, Entry, Output, ProjectMark
from exporter.store.store import ContentMissingError, File, Store, whole_file

SPEC, OTHER = "levels/cave.level.yaml", "levels/other.level.yaml"
SECOND = 10**9


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path, tmp_path / ".exporter")


def file(path: str, data: bytes = b"data", *, once: bool = False) -> File:
    return whole_file(path, "bitmap", "ground", "tiled", data, once)


def commit(store: Store, *files: File, spec: str = SPEC, **more: Any) -> tuple[str, ...]:
    with store:
        return store.commit(Entry(spec, "cave", "key"), files, **more)[1]


def outputs(store: Store, spec: str = SPEC) -> dict[str, Output]:
    return {output.path: output for output in store.entries[spec].outputs}


# --- what is remembered --------------------------------------------------------------------------


def test_an_entry_says_everything_of_its_files(store: Store) -> None:
    with store:
        entry, written = store.commit(Entry(SPEC, "cave", "key"), [file("sub/a", b"12345")])
    path = store.root / "sub/a"
    status = path.stat()
    assert written == ("sub/a",)
    assert entry == store.entries[SPEC] == Store(store.root, store.state).peek()[SPEC]
    assert entry.outputs == (
        Output(
            "sub/a",
            "bitmap",
            "ground",
            "tiled",
            5,
            hashlib.sha256(b"12345").hexdigest(),
            signature=(status.st_mtime_ns, status.st_ctime_ns, status.st_ino),
        ),
    )


def test_the_mark_of_the_project_is_remembered(store: Store) -> None:
    mark = ProjectMark("digest", ("*.yaml",), "finger")
    with store:
        assert store.project is None
        store.manifest.mark(mark)
        store.manifest.flush()
    again = Store(store.root, store.state)
    again.peek()
    assert again.project == mark


def test_the_state_folder_keeps_itself_out_of_version_control(store: Store) -> None:
    commit(store, file("a"))
    ignore = store.state / ".gitignore"
    assert ignore.read_text() == "*\n"
    ignore.write_text("mine")
    commit(store, file("a"))
    assert ignore.read_text() == "mine"


def test_a_state_folder_that_cannot_be_made_is_told(store: Store) -> None:
    store.state.write_bytes(b"in the way")
    with pytest.raises(StoreError, match="exists"), store:
        pass


def test_saving_leaves_one_file(store: Store) -> None:
    commit(store, file("a"))
    with store:
        store.save()
        stamp = (store.state / MANIFEST).stat().st_mtime_ns
        store.save()
    assert (store.state / MANIFEST).stat().st_mtime_ns == stamp
    assert not (store.state / JOURNAL).exists()


def test_the_status_is_replaced_without_waiting_for_the_disk(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("nobody needs it after a power cut"))
    store.state.mkdir()
    store.write_status('{"é": 1}')
    assert (store.state / "status.json").read_text(encoding="utf-8") == '{"é": 1}'


# --- the lock ------------------------------------------------------------------------------------


def test_the_lock_is_held_inside_and_free_outside_however_deep(store: Store) -> None:
    with store, store:
        with store:
            pass
        assert try_lock(store.state / "lock") is None
    for _ in range(2):
        lock = try_lock(store.state / "lock")
        assert lock is not None
        release_lock(lock)
        with store:
            assert try_lock(store.state / "lock") is None


def test_a_manifest_that_cannot_be_read_leaves_the_lock_free(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> bool:
        raise MemoryError

    monkeypatch.setattr(store.manifest, "refresh", fail)
    with pytest.raises(MemoryError), store:
        pass
    lock = try_lock(store.state / "lock")
    assert lock is not None
    release_lock(lock)


# --- whose file it is ----------------------------------------------------------------------------


def test_a_folder_in_the_place_of_a_file_is_told(store: Store) -> None:
    (store.root / "a").mkdir()
    with pytest.raises(StoreError, match="a exists but is not a file"):
        commit(store, file("a"))
    assert (store.root / "a").is_dir()


def test_a_refusal_changes_nothing_and_names_the_way_out(store: Store) -> None:
    commit(store, file("a", b"old"))
    (store.root / "b").write_bytes(b"mine")
    with pytest.raises(StoreError, match=r"^b exists and was not written by .* --force"):
        commit(store, file("a", b"new"), file("b"))
    assert (store.root / "a").read_bytes() == b"old"
    assert store.entries[SPEC].key == "key"
    assert list(outputs(store)) == ["a"]


def test_a_file_of_another_spec_is_refused_even_when_forced(store: Store) -> None:
    commit(store, file("a"))
    with pytest.raises(StoreError, match=f"a is written by {SPEC} already"):
        commit(store, file("a", b"new"), spec=OTHER, force=True)
    assert (store.root / "a").read_bytes() == b"data"


def test_an_edited_output_of_ours_is_written_again(store: Store) -> None:
    commit(store, file("a"), file("b"))
    (store.root / "a").write_bytes(b"edit")
    assert commit(store, file("a"), file("b")) == ("a",)
    assert (store.root / "a").read_bytes() == b"data"


def test_a_file_that_vanishes_as_soon_as_it_is_written_has_no_signature(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: object) -> None:
        raise FileNotFoundError

    with monkeypatch.context() as patch:
        patch.setattr("exporter.store.atomic_files.signature_of", gone)
        commit(store, file("a"))
    assert outputs(store)["a"].signature is None
    assert Store(store.root, store.state).peek() == store.entries


def test_a_touched_output_is_not_written_again(store: Store) -> None:
    commit(store, file("a"))
    os.utime(store.root / "a", (5, 5))
    assert commit(store, file("a")) == ()
    assert outputs(store)["a"].signature[0] == 5 * SECOND  # type: ignore[index]


def test_an_output_with_its_signature_is_not_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("a"))
    monkeypatch.setattr("exporter.store.atomic_files.hash_file", lambda _: pytest.fail("read"))
    assert commit(store, file("a")) == ()
    assert store.is_current(outputs(store)["a"])


@pytest.mark.parametrize(
    ("change", "current"),
    [
        (None, True),
        ("touch", True),
        ("edit", False),
        ("edit and hide", False),
        ("longer", False),
        ("remove", False),
        ("folder", False),
    ],
)
def test_an_output_is_current_while_it_has_our_content(
    store: Store, change: str | None, current: bool
) -> None:
    commit(store, file("a"), file("a.meta", once=True))
    path = store.root / "a"
    status = path.stat()
    if change == "touch":
        os.utime(path, (5, 5))
    elif change in ("edit", "edit and hide", "longer"):
        path.write_bytes(b"longer data" if change == "longer" else b"edit")
        if change == "edit and hide":
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change in ("remove", "folder"):
        path.unlink()
        if change == "folder":
            path.mkdir()
    assert store.is_current(outputs(store)["a"]) == current
    (store.root / "a.meta").write_bytes(b"completed by the engine")
    assert store.is_current(outputs(store)["a.meta"])
    (store.root / "a.meta").unlink()
    assert not store.is_current(outputs(store)["a.meta"])


def test_a_file_is_no_sidecar_unless_it_says_so() -> None:
    assert not File("a", "bitmap", None, "tiled", 0, "", b"").once
    assert not whole_file("a", "bitmap", None, "tiled", b"").once


# --- sidecars ------------------------------------------------------------------------------------


def test_a_foreign_sidecar_is_adopted_and_an_equal_one_is_ours(store: Store) -> None:
    (store.root / "theirs.meta").write_bytes(b"theirs")
    (store.root / "same.meta").write_bytes(b"data")
    names = ("ours.meta", "theirs.meta", "same.meta")
    for _ in range(2):
        commit(store, *(file(name, once=True) for name in names))
        found = outputs(store)
        assert [found[name].adopted for name in names] == [False, True, False]
        assert not any(output.coming for output in found.values())
    with store:
        assert store.forget(SPEC) == ["ours.meta", "same.meta"]
    assert (store.root / "theirs.meta").exists()


def test_a_sidecar_that_was_removed_comes_back(store: Store) -> None:
    commit(store, file("a.meta", once=True))
    (store.root / "a.meta").unlink()
    assert commit(store, file("a.meta", b"new", once=True)) == ("a.meta",)
    assert (store.root / "a.meta").read_bytes() == b"new"


def test_a_sidecar_that_somebody_made_while_ours_was_announced_is_theirs(store: Store) -> None:
    (store.root / "sub").write_bytes(b"in the way")
    with pytest.raises(StoreError):
        commit(store, file("a.meta", once=True), file("sub/b"))
    assert outputs(store)["a.meta"].sha256 == ""
    (store.root / "sub").unlink()
    (store.root / "a.meta").write_bytes(b"theirs")
    commit(store, file("a.meta", once=True), file("sub/b"))
    assert outputs(store)["a.meta"].adopted
    with store:
        store.forget(SPEC)
    assert (store.root / "a.meta").read_bytes() == b"theirs"


# --- contents ------------------------------------------------------------------------------------


def absent(path: str, data: bytes) -> File:
    """Return a file whose content lies elsewhere."""
    digest = hashlib.sha256(data).hexdigest()
    return File(path, "bitmap", None, "tiled", len(data), digest, None)


def test_only_the_contents_that_must_be_written_are_asked_for(store: Store) -> None:
    asked: list[str] = []

    def content(wanted: File) -> bytes:
        asked.append(wanted.path)
        return b"data"

    files = [absent("a", b"data"), absent("b", b"data")]
    commit(store, *files, content=content)
    (store.root / "b").unlink()
    commit(store, *files, content=content)
    assert asked == ["a", "b", "b"]


def test_a_missing_content_writes_nothing(store: Store) -> None:
    with pytest.raises(ContentMissingError, match="b"):
        commit(store, file("a"), absent("b", b"data"))
    assert not (store.root / "a").exists()
    assert SPEC not in store.entries


# --- order and interruptions ---------------------------------------------------------------------


def test_nothing_is_renamed_before_everything_is_on_the_disk_and_announced(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        happened.append("sync")
        real_sync(descriptor)

    def note_replace(source: Any, target: Any) -> None:
        if Path(target).suffix != ".json":
            announced = Store(store.root, store.state).peek()[SPEC]
            coming = {output.path: output.coming for output in announced.outputs}
            assert announced.key == ""
            assert all(coming[name] for name in ("a", "b"))
            happened.append(Path(target).name)
        real_replace(source, target)

    with store:
        store.save()
    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    commit(store, file("a"), file("b"))
    # The announcement, then both files, then both names.
    assert happened == ["sync", "sync", "sync", "a", "b"]
    happened.clear()
    commit(store, file("a", b"new"), file("b", b"new"))
    # Known files have an owner whatever a power cut leaves of the announcement.
    assert happened == ["sync", "sync", "a", "b"]


def test_an_unchanged_level_announces_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("a"))
    put: list[Entry] = []
    real = store.manifest.put
    monkeypatch.setattr(store.manifest, "put", lambda entry: (put.append(entry), real(entry)))
    commit(store, file("a"))
    assert [entry.key for entry in put] == ["key"]
    commit(store, file("a"), file("b"))
    commit(store, file("b"))
    # Both a new file and one that goes are announced by an entry without a key.
    assert [entry.key for entry in put] == ["key", "", "key", "", "key"]


def test_what_a_killed_export_announced_is_taken_for_ours(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("a"))
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_output", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            commit(store, file("a", b"1"), file("b", b"2"))
    again = Store(store.root, store.state)
    announced = again.peek()[SPEC]
    assert announced.key == ""
    assert [output.path for output in announced.outputs] == ["a", "b"]
    assert [(o.kind, o.layer, o.target, o.bytes, o.once) for o in announced.outputs] == [
        ("bitmap", "ground", "tiled", 4, False),
        ("bitmap", "ground", "tiled", 1, False),
    ]
    with again:
        assert again.forget(SPEC) == ["a", "b"]
    assert not list(store.root.glob("?"))


def test_a_temporary_file_that_cannot_be_written_is_told_with_its_file(store: Store) -> None:
    (store.root / "sub").write_bytes(b"in the way")
    with pytest.raises(StoreError, match="sub"):
        commit(store, file("a"), file("sub/b"))
    assert not (store.root / "a").exists()
    assert not list(store.root.glob(".*.tmp"))
    # The second try finds nothing in the way of what was announced.
    (store.root / "sub").unlink()
    assert commit(store, file("a"), file("sub/b")) == ("a", "sub/b")


def test_a_project_folder_that_vanished_does_not_come_back(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    store = Store(root, tmp_path / "state")
    with store:
        root.rename(tmp_path / "moved")
        with pytest.raises(StoreError):
            store.commit(Entry(SPEC, "cave", "key"), [file("sub/a")])
    assert not root.exists()


def test_leftovers_are_removed_once_and_only_where_we_write(store: Store) -> None:
    commit(store, file("sub/a"))
    places = ["sub/.a.999999999.tmp", ".exporter/.manifest.json.999999999.tmp"]
    kept = "elsewhere/.a.999999999.tmp"
    (store.root / "elsewhere").mkdir()
    for place in [*places, kept]:
        (store.root / place).write_bytes(b"")
    other = Store(store.root, store.state)
    with other:
        pass
    assert [place for place in places if (store.root / place).exists()] == []
    assert (store.root / kept).exists()
    (store.root / places[0]).write_bytes(b"")
    with other:
        pass
    assert (store.root / places[0]).exists()


# --- removing ------------------------------------------------------------------------------------


def test_what_goes_is_forgotten_and_a_stranger_has_nothing_to_forget(store: Store) -> None:
    commit(store, file("a"), file("b"))
    commit(store, file("c"), spec=OTHER)
    (store.root / "a").unlink()
    with store:
        assert store.forget("levels/never.level.yaml") == []
        assert store.forget(SPEC) == ["b"]
        store.save()
    assert list(Store(store.root, store.state).peek()) == [OTHER]
    assert (store.root / "c").exists()


def test_an_edited_file_is_not_removed(store: Store) -> None:
    commit(store, file("a"), file("sub/b"))
    (store.root / "a").write_bytes(b"edit")
    with store:
        assert store.forget(SPEC) == ["sub/b"]
    assert (store.root / "a").exists()
    assert not (store.root / "sub").exists()
    assert store.root.is_dir()


def test_all_folders_that_became_empty_go_and_the_project_stays(store: Store) -> None:
    commit(store, file("one/two/three/a"))
    commit(store)
    assert not (store.root / "one").exists()
    assert store.root.is_dir()


def test_a_renamed_specs_entry_has_no_key_until_it_is_built(store: Store) -> None:
    commit(store, file("a"))
    with store:
        store.move(SPEC, OTHER)
        store.save()
    entries = Store(store.root, store.state).peek()
    assert list(entries) == [OTHER]
    assert (entries[OTHER].spec, entries[OTHER].key) == (OTHER, "")
    assert [output.path for output in entries[OTHER].outputs] == ["a"]


def test_a_file_renamed_in_case_alone_is_not_removed_where_case_does_not_count(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("Cave.png"))
    real = os.path.samefile
    # As on a file system without case: both names lead to one file.
    (store.root / "cave.png").hardlink_to(store.root / "Cave.png")
    commit(store, file("cave.png"))
    assert real(store.root / "Cave.png", store.root / "cave.png")
    assert list(outputs(store)) == ["cave.png"]


def test_where_case_counts_the_old_file_goes(store: Store) -> None:
    commit(store, file("Cave.png"))
    commit(store, file("cave.png"))
    assert [path.name for path in store.root.glob("*.png")] == ["cave.png"]


def test_a_file_that_comes_back_gets_a_later_second_but_only_after_we_removed_it(
    store: Store,
) -> None:
    commit(store, file("a"))
    future = store.root / "a"
    os.utime(future, ns=(0, 4 * 10**9 * SECOND))
    commit(store, file("b"))
    commit(store, file("a"))
    assert (store.root / "a").stat().st_mtime_ns == (4 * 10**9 + 1) * SECOND
    # Known once: afterwards the clock counts again.
    (store.root / "a").unlink()
    commit(store, file("a", b"again"), file("b"))
    assert (store.root / "a").stat().st_mtime_ns < 4 * 10**9 * SECOND


def test_the_memory_of_removed_files_is_bounded(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.store.store.REMEMBERED_REMOVALS", 3)
    for number in range(10):
        commit(store, file(str(number)))
    assert len(store._removed) <= 3
