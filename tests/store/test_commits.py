"""Committing the files of a spec: written, adopted, kept and removed, in order."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from disk_order import note_disk_order
from exporter.model.errors import StoreError
from exporter.store.atomic_files import release_lock, try_lock
from exporter.store.commit_plan import whole_file
from exporter.store.contents import digest_of
from exporter.store.entries import ManifestEntry, Output, ProjectMark
from exporter.store.folder import Directory
from exporter.store.group_commit import ContentMissingError, GroupCommit
from exporter.store.manifest import JOURNAL, MANIFEST
from exporter.store.ownership import FileState
from exporter.store.store import File, Removed, Store

SPEC, OTHER = "levels/cave.level.yaml", "levels/other.level.yaml"
SECOND = 10**9


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path, tmp_path / ".exporter")


def file(path: str, data: bytes = b"data", *, once: bool = False, home: str = "") -> File:
    return whole_file(path, "bitmap", "ground", "tiled", data, once, home)


def commit(store: Store, *files: File, spec: str = SPEC, **more: Any) -> tuple[str, ...]:
    with store:
        return store.commit(ManifestEntry(spec, "cave", "key"), files, **more).written


def forget(store: Store, spec: str = SPEC) -> Removed:
    with store:
        return store.forget(spec)


def clean(store: Store, spec: str = SPEC) -> Removed:
    """Remove the former outputs of a spec."""
    with store:
        return store.remove_stale(spec, {""})


def state(store: Store, name: str) -> FileState:
    return store.look(outputs(store)[name]).state


def outputs(store: Store, spec: str = SPEC) -> dict[str, Output]:
    return {output.path: output for output in store.entries[spec].outputs}


# --- records -------------------------------------------------------------------------------------


def test_an_entry_says_everything_of_its_files(store: Store) -> None:
    with store:
        done = store.commit(
            ManifestEntry(SPEC, "cave", "key"), [file("sub/a", b"12345", home="sub")]
        )
    path = store.root / "sub/a"
    status = path.stat()
    assert done.written == ("sub/a",)
    assert done.preserved == done.moved == ()
    assert done.entry == store.entries[SPEC] == Store(store.root, store.state).peek()[SPEC]
    assert done.entry.outputs == (
        Output(
            "sub/a",
            "bitmap",
            "ground",
            "tiled",
            5,
            digest_of(b"12345"),
            written=digest_of(b"12345"),
            home="sub",
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


def test_a_state_folder_that_cannot_be_created_is_reported(store: Store) -> None:
    store.state.write_bytes(b"in the way")
    with pytest.raises(StoreError, match=r"is not a folder \(move it away\)"), store:
        pass
    assert store.state.read_bytes() == b"in the way"


@pytest.mark.parametrize("inside", [True, False])
def test_a_state_folder_that_is_a_link_is_refused_wherever_it_leads(
    tmp_path: Path, inside: bool
) -> None:
    root = tmp_path / "project"
    other = (root if inside else tmp_path) / "other"
    other.mkdir(parents=True)
    root.mkdir(exist_ok=True)
    (root / ".exporter").symlink_to(other)
    store = Store(root, root / ".exporter")
    with pytest.raises(StoreError, match=r"is a symbolic link"), store:
        pass
    with pytest.raises(StoreError):
        store.statuses.write("{}", {})
    assert list(other.iterdir()) == []


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
    store.statuses.write('{"é": 1}', {"a.json": "ä", "b.json": "b"})
    assert (store.state / "status.json").read_text(encoding="utf-8") == '{"é": 1}'
    assert store.statuses.read() == '{"é": 1}'
    assert store.statuses.read_levels() == {"a.json": "ä", "b.json": "b"}
    store.statuses.write("{}", {"a.json": None, "c.json": None})
    assert store.statuses.read_levels() == {"b.json": "b"}
    assert store.statuses.read() == "{}"


def test_of_status_files_that_are_not_ours_only_the_names_are_known(store: Store) -> None:
    store.state.mkdir()
    assert (store.statuses.read(), store.statuses.read_levels()) == ("", {})
    folder = store.state / "levels"
    folder.mkdir()
    (folder / "link.json").symlink_to(store.root / "elsewhere")
    (folder / "raw.json").write_bytes(b"\xff")
    (folder / "notes.txt").write_text("mine")
    (store.state / "status.json").symlink_to(store.root / "elsewhere")
    (store.root / "elsewhere").write_text("theirs")
    assert store.statuses.read_levels() == {"link.json": "", "raw.json": ""}
    assert store.statuses.read() == ""
    store.statuses.write("{}", {"link.json": "ours", "raw.json": None})
    assert (store.root / "elsewhere").read_text() == "theirs"
    assert store.statuses.read_levels() == {"link.json": "ours"}


def test_what_a_killed_export_left_among_the_status_files_is_removed(store: Store) -> None:
    folder = store.state / "levels"
    folder.mkdir(parents=True)
    left = folder / ".level-exporter.999999999.0123456789abcdef.tmp"
    left.write_text("half")
    with store:
        pass
    assert not left.exists()


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


# --- owners of files -----------------------------------------------------------------------------


def test_a_folder_in_the_position_of_a_file_is_reported(store: Store) -> None:
    (store.root / "a").mkdir()
    with pytest.raises(StoreError, match="a exists but is not a file"):
        commit(store, file("a"))
    assert (store.root / "a").is_dir()


def test_a_refusal_changes_nothing_and_names_the_way_out(store: Store) -> None:
    commit(store, file("a", b"old"))
    (store.root / "b").write_bytes(b"mine")
    with pytest.raises(StoreError, match=r"^b exists and was not written by .* --overwrite"):
        commit(store, file("a", b"new"), file("b"))
    assert (store.root / "a").read_bytes() == b"old"
    assert store.entries[SPEC].key == "key"
    assert list(outputs(store)) == ["a"]


def test_a_file_of_another_spec_is_refused_even_with_overwrite(store: Store) -> None:
    commit(store, file("a"))
    with pytest.raises(StoreError, match=f"a is already an output of {SPEC}"):
        commit(store, file("a", b"new"), spec=OTHER, overwrite=True)
    assert (store.root / "a").read_bytes() == b"data"


def test_an_edited_output_is_preserved_and_reported_until_it_is_written_over(store: Store) -> None:
    commit(store, file("a"), file("b"))
    (store.root / "a").write_bytes(b"edit")
    for data in (b"data", b"new"):
        with store:
            done = store.commit(ManifestEntry(SPEC, "cave", "key"), [file("a", data), file("b")])
        assert (done.written, done.preserved) == ((), ("a",))
        assert (store.root / "a").read_bytes() == b"edit"
        record = outputs(store)["a"]
        # The record is the content we gave it; its later content was never ours.
        assert (record.written, record.signature) == (digest_of(b"data"), None)
        assert record.sha256 == digest_of(data)
    assert commit(store, file("a", b"new"), file("b"), overwrite=True) == ("a",)
    assert (store.root / "a").read_bytes() == b"new"
    assert state(store, "a") is FileState.UP_TO_DATE


def test_an_edited_output_that_is_put_back_is_ours_again(store: Store) -> None:
    commit(store, file("a"))
    (store.root / "a").write_bytes(b"edit")
    assert commit(store, file("a", b"new")) == ()
    (store.root / "a").write_bytes(b"data")
    assert commit(store, file("a", b"new")) == ("a",)
    assert (store.root / "a").read_bytes() == b"new"


def test_an_edit_between_the_plan_and_the_writing_is_not_lost(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("a"), file("b"))
    real = GroupCommit._announce

    def announce(self: GroupCommit, plan: Any) -> bool:
        (store.root / "b").write_bytes(b"edited just now")
        return real(self, plan)

    monkeypatch.setattr(GroupCommit, "_announce", announce)
    with pytest.raises(StoreError, match=r"^b was changed by .* \(export again\)"):
        commit(store, file("a", b"new"), file("b", b"new"))
    assert (store.root / "b").read_bytes() == b"edited just now"
    assert not list(store.root.glob(".*.tmp"))


def test_a_file_that_vanishes_as_soon_as_it_is_written_has_no_signature(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(GroupCommit, "_signature", lambda *_: None)
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
    monkeypatch.setattr(Directory, "read", lambda *_: pytest.fail("read"))
    assert commit(store, file("a")) == ()
    assert state(store, "a") is FileState.UP_TO_DATE


@pytest.mark.parametrize(
    ("change", "result"),
    [
        (None, FileState.UP_TO_DATE),
        ("touch", FileState.UP_TO_DATE),
        ("edit", FileState.USER_MODIFIED),
        ("edit and hide", FileState.USER_MODIFIED),
        ("longer", FileState.USER_MODIFIED),
        ("remove", FileState.MISSING),
        ("folder", FileState.BLOCKED),
        ("link", FileState.USER_MODIFIED),
        ("pipe", FileState.BLOCKED),
    ],
)
def test_an_output_is_requested_while_it_has_our_content(
    store: Store, change: str | None, result: FileState
) -> None:
    commit(store, file("a"))
    path = store.root / "a"
    status = path.stat()
    if change == "touch":
        os.utime(path, (5, 5))
    elif change in ("edit", "edit and hide", "longer"):
        path.write_bytes(b"longer data" if change == "longer" else b"edit")
        if change == "edit and hide":
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change is not None:
        path.unlink()
        if change == "folder":
            path.mkdir()
        elif change == "link":
            (store.root / "same").write_bytes(b"data")
            path.symlink_to("same")
        elif change == "pipe":
            os.mkfifo(path)
    assert state(store, "a") is result


def test_a_file_is_no_sidecar_unless_it_says_so() -> None:
    assert not File("a", "bitmap", None, "tiled", 0, "", b"").once
    assert not whole_file("a", "bitmap", None, "tiled", b"").once


# --- sidecars ------------------------------------------------------------------------------------


def test_a_foreign_sidecar_is_preserved_and_an_equal_one_is_ours(store: Store) -> None:
    (store.root / "theirs.meta").write_bytes(b"theirs")
    (store.root / "same.meta").write_bytes(b"data")
    names = ("ours.meta", "theirs.meta", "same.meta")
    for _ in range(2):
        with store:
            files = [file(name, once=True) for name in names]
            done = store.commit(ManifestEntry(SPEC, "cave", "key"), files)
        assert done.preserved == ("theirs.meta",)
        result = outputs(store)
        assert [bool(result[name].written) for name in names] == [True, False, True]
        assert not any(output.coming for output in result.values())
    assert forget(store) == Removed(("ours.meta", "same.meta"), ("theirs.meta",))
    assert (store.root / "theirs.meta").exists()


def test_a_sidecar_that_was_removed_comes_back(store: Store) -> None:
    commit(store, file("a.meta", once=True))
    (store.root / "a.meta").unlink()
    assert commit(store, file("a.meta", b"new", once=True)) == ("a.meta",)
    assert (store.root / "a.meta").read_bytes() == b"new"


def test_a_sidecar_that_somebody_created_while_ours_was_announced_is_theirs(store: Store) -> None:
    (store.root / "sub").write_bytes(b"in the way")
    with pytest.raises(StoreError):
        commit(store, file("a.meta", once=True), file("sub/b"))
    assert outputs(store)["a.meta"].written == ""
    assert outputs(store)["a.meta"].coming == digest_of(b"data")
    (store.root / "sub").unlink()
    (store.root / "a.meta").write_bytes(b"theirs")
    commit(store, file("a.meta", once=True), file("sub/b"))
    assert outputs(store)["a.meta"].written == ""
    assert forget(store).preserved == ("a.meta",)
    assert (store.root / "a.meta").read_bytes() == b"theirs"


class _Lines:
    """Rules of made-up sidecars: lines that begin with `#` are the engine's."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        lines = data.splitlines(keepends=True)
        return b"".join(line for line in lines if not line.startswith(b"#"))

    def merged(self, path: str, current: bytes, new_content: bytes) -> bytes | None:
        lines = current.splitlines(keepends=True)
        return new_content + b"".join(line for line in lines if line.startswith(b"#"))

    def may_have_identity(self, path: str) -> bool:
        return False

    def identity(self, path: str, data: bytes) -> str | None:
        return None

    def other_identity(self, identity: str) -> str:
        return identity


@pytest.fixture
def ruled(tmp_path: Path) -> Store:
    """A store that knows sidecars."""
    return Store(tmp_path, tmp_path / ".exporter", _Lines())


def test_what_an_engine_adds_to_a_sidecar_is_no_edit_and_stays_when_our_keys_change(
    ruled: Store,
) -> None:
    path = ruled.root / "a.meta"
    commit(ruled, file("a.meta", b"mode: 1\n", once=True))
    path.write_bytes(b"mode: 1\n# by the engine\n")
    assert state(ruled, "a.meta") is FileState.UP_TO_DATE
    assert commit(ruled, file("a.meta", b"mode: 1\n", once=True)) == ()
    assert commit(ruled, file("a.meta", b"mode: 2\n", once=True)) == ("a.meta",)
    assert path.read_bytes() == b"mode: 2\n# by the engine\n"
    assert state(ruled, "a.meta") is FileState.UP_TO_DATE
    assert forget(ruled).removed == ("a.meta",)


def test_a_key_of_ours_that_somebody_changed_makes_a_sidecar_theirs(ruled: Store) -> None:
    path = ruled.root / "a.meta"
    commit(ruled, file("a.meta", b"mode: 1\n", once=True))
    path.write_bytes(b"mode: 7\n# by the engine\n")
    assert state(ruled, "a.meta") is FileState.USER_MODIFIED
    assert commit(ruled, file("a.meta", b"mode: 2\n", once=True)) == ()
    assert path.read_bytes() == b"mode: 7\n# by the engine\n"
    assert forget(ruled).preserved == ("a.meta",)
    assert path.exists()


@pytest.mark.parametrize("meets", ["same", "other"])
def test_what_a_killed_export_wrote_of_a_sidecar_is_ours(ruled: Store, meets: str) -> None:
    """The announced content is that of the file as it is written, with the engine's lines."""
    commit(ruled, file("a.meta", b"mode: 1\n", once=True))
    (ruled.root / "a.meta").write_bytes(b"mode: 1\n# by the engine\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GroupCommit, "_output", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            commit(ruled, file("a.meta", b"mode: 2\n", once=True))
    again = Store(ruled.root, ruled.state, _Lines())
    expected = b"mode: 2\n" if meets == "same" else b"mode: 3\n"
    with again:
        done = again.commit(
            ManifestEntry(SPEC, "cave", "key"), [file("a.meta", expected, once=True)]
        )
    assert done.preserved == ()
    assert (again.root / "a.meta").read_bytes() == expected + b"# by the engine\n"


# --- contents ------------------------------------------------------------------------------------


def absent(path: str, data: bytes) -> File:
    """Return a file whose content is stored elsewhere."""
    digest = hashlib.sha256(data).hexdigest()
    return File(path, "bitmap", None, "tiled", len(data), digest, None)


def test_only_the_contents_that_must_be_written_are_requested_for(store: Store) -> None:
    requested: list[str] = []

    def content(expected: File) -> bytes:
        requested.append(expected.path)
        return b"data"

    files = [absent("a", b"data"), absent("b", b"data")]
    commit(store, *files, content=content)
    (store.root / "b").unlink()
    commit(store, *files, content=content)
    assert requested == ["a", "b", "b"]


def test_a_missing_content_writes_nothing(store: Store) -> None:
    with pytest.raises(ContentMissingError, match="b"):
        commit(store, file("a"), absent("b", b"data"))
    assert not (store.root / "a").exists()
    assert SPEC not in store.entries


# --- order and interruptions ---------------------------------------------------------------------


def test_nothing_is_renamed_before_everything_is_on_the_disk_and_announced(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_announced() -> None:
        announced = Store(store.root, store.state).peek()[SPEC]
        coming = {output.path: output.coming for output in announced.outputs}
        assert announced.key == ""
        assert all(coming[name] for name in ("a", "b"))

    with store:
        store.save()
    happened = note_disk_order(monkeypatch, check_announced)
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
    put: list[ManifestEntry] = []
    real = store.manifest.put
    monkeypatch.setattr(store.manifest, "put", lambda entry: (put.append(entry), real(entry)))
    commit(store, file("a"))
    assert [entry.key for entry in put] == ["key"]
    commit(store, file("a"), file("b"))
    commit(store, file("b"))
    # Both a new file and one that goes are announced by an entry without a key.
    assert [entry.key for entry in put] == ["key", "", "key", "", "key"]


def test_what_a_killed_export_announced_is_accepted_for_ours(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, file("a"))
    with monkeypatch.context() as patch:
        patch.setattr(GroupCommit, "_output", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            commit(store, file("a", b"1"), file("b", b"2"))
    again = Store(store.root, store.state)
    announced = again.peek()[SPEC]
    assert announced.key == ""
    assert [output.path for output in announced.outputs] == ["a", "b"]
    assert [(o.kind, o.layer, o.target, o.bytes, o.once) for o in announced.outputs] == [
        ("bitmap", "ground", "tiled", 1, False),
        ("bitmap", "ground", "tiled", 1, False),
    ]
    assert [(o.written, o.coming) for o in announced.outputs] == [
        (digest_of(b"data"), digest_of(b"1")),
        ("", digest_of(b"2")),
    ]
    assert forget(again).removed == ("a", "b")
    assert not list(store.root.glob("?"))


def test_a_temporary_file_that_cannot_be_written_is_reported_with_its_file(store: Store) -> None:
    (store.root / "sub").write_bytes(b"in the way")
    with pytest.raises(StoreError, match="sub"):
        commit(store, file("a"), file("sub/b"))
    assert not (store.root / "a").exists()
    assert not list(store.root.glob(".*.tmp"))
    # The second try finds the paths of the announced files free.
    (store.root / "sub").unlink()
    assert commit(store, file("a"), file("sub/b")) == ("a", "sub/b")


def test_a_project_folder_that_vanished_does_not_come_back(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    store = Store(root, root / ".exporter")
    with store:
        root.rename(tmp_path / "moved")
        with pytest.raises(StoreError):
            store.commit(ManifestEntry(SPEC, "cave", "key"), [file("sub/a")])
    assert not root.exists()


def test_leftovers_are_removed_once_and_only_where_we_write(store: Store) -> None:
    commit(store, file("sub/a"))
    name = ".level-exporter.999999999.0123456789abcdef.tmp"
    places, remaining = [f"sub/{name}", f".exporter/{name}"], f"elsewhere/{name}"
    (store.root / "elsewhere").mkdir()
    for position in [*places, remaining]:
        (store.root / position).write_bytes(b"")
    other = Store(store.root, store.state)
    with other:
        pass
    assert [position for position in places if (store.root / position).exists()] == []
    assert (store.root / remaining).exists()
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
        assert store.forget("levels/never.level.yaml") == Removed()
        assert store.forget(SPEC) == Removed(("b",))
        store.save()
    assert list(Store(store.root, store.state).peek()) == [OTHER]
    assert (store.root / "c").exists()


def test_an_edited_file_is_not_removed(store: Store) -> None:
    commit(store, file("a"), file("sub/b"))
    (store.root / "a").write_bytes(b"edit")
    assert forget(store) == Removed(("sub/b",), ("a",))
    assert (store.root / "a").exists()
    assert not (store.root / "sub").exists()
    assert store.root.is_dir()


def test_all_folders_that_became_empty_go_and_the_project_stays(store: Store) -> None:
    commit(store, file("one/two/three/a"))
    commit(store)
    assert (store.root / "one/two/three/a").exists()
    clean(store)
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
    assert [output.path for output in store.entries[SPEC].stale] == ["Cave.png"]
    assert clean(store) == Removed()
    assert store.entries[SPEC].stale == ()
    assert real(store.root / "Cave.png", store.root / "cave.png")
    assert list(outputs(store)) == ["cave.png"]


def test_where_case_counts_the_old_file_goes(store: Store) -> None:
    commit(store, file("Cave.png"))
    commit(store, file("cave.png"))
    assert clean(store) == Removed(("Cave.png",))
    assert [path.name for path in store.root.glob("*.png")] == ["cave.png"]


def test_a_file_that_comes_back_gets_a_later_second_but_only_after_we_removed_it(
    store: Store,
) -> None:
    commit(store, file("a"))
    future = store.root / "a"
    os.utime(future, ns=(0, 4 * 10**9 * SECOND))
    commit(store, file("b"))
    clean(store)
    assert not future.exists()
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
        clean(store)
    assert len(list(store.root.glob("?"))) == 1
    assert len(store._removed) <= 3
