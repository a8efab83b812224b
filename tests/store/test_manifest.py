"""The manifest: every change is on disk at once, and no damage is taken for the truth."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import StoreError
from exporter.store.entries import ManifestEntry, Output, ProjectMark, entry_document
from exporter.store.folder import Directory
from exporter.store.manifest import JOURNAL, MANIFEST, Manifest
from exporter.store.user_folder import Seal

FIRST, SECOND = "levels/one.level.yaml", "levels/two.level.yaml"
MARKS = b'"indexes": {}, "alone": []'
MARK = ProjectMark("5ha", ("levels/*.yaml", "more/*.yaml"), "finger")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state = tmp_path / "project" / ".exporter"
    state.mkdir(parents=True)
    return state


@pytest.fixture
def manifest(state: Path) -> Manifest:
    """A manifest with one entry, written as one file."""
    manifest = Manifest(state)
    manifest.refresh()
    manifest.put(entry(FIRST, "a"))
    manifest.compact()
    return manifest


def output(path: str, **more: Any) -> Output:
    return Output(path, "bitmap", "ground", "tiled", 4, "5ha", **more)


def entry(spec: str, *paths: str, key: str = "key") -> ManifestEntry:
    return ManifestEntry(spec, "level", key, outputs=tuple(output(path) for path in paths))


def reread(state: Path) -> Manifest:
    """Return the manifest as another process reads it."""
    manifest = Manifest(state)
    manifest.refresh()
    return manifest


def put(manifest: Manifest, item: ManifestEntry) -> None:
    """Put an entry into the journal on the disk."""
    manifest.put(item)
    manifest.flush()


def head_of(state: Path, later: int = 0) -> bytes:
    """Return the first line of a journal of the manifest, or of a later one."""
    generation = json.loads((state / MANIFEST).read_bytes())["generation"]
    return line_of(state, {"generation": generation + later})


def line_of(state: Path, change: Any) -> bytes:
    """Return a line of the journal with a right seal."""
    return sealed_line(state, json.dumps(change, separators=(",", ":")).encode())


def sealed_line(state: Path, text: bytes) -> bytes:
    return b"%s %s\n" % (Seal(state.parent).of(b"journal", text).hex()[:16].encode(), text)


def seal(state: Path, document: Any) -> None:
    """Write a manifest with a right seal, as only a bug of ours would."""
    text = json.dumps(document, separators=(",", ":"))[:-1].encode()
    digits = Seal(state.parent).of(b"manifest", text).hex()
    (state / MANIFEST).write_bytes(text + f',"seal":"{digits}"}}'.encode())


def add(state: Path, *lines: bytes) -> None:
    with open(state / JOURNAL, "ab") as file:
        file.write(b"".join(lines))


# --- records -------------------------------------------------------------------------------------


def test_everything_of_an_entry_comes_back_from_the_journal_and_from_the_file(state: Path) -> None:
    whole = ManifestEntry(
        FIRST,
        "cave",
        "key",
        {"art/hill.png": "digest"},
        (
            output("a", once=True, written="old", coming="next", signature=(1, 2, 3), home="sub"),
            output("e", written="5ha"),
            Output("b", "blob", None, "godot", 0, ""),
        ),
        {"ground": {"generator": "maze", "version": 1}},
        (("a warning", 3, 5, ""), ("another", 1, 1, "exporter.yaml")),
        "digest",
        17,
        (output("d", written="5ha", home="sub"),),
        {"uid://a": "uid://b"},
    )
    manifest = Manifest(state)
    manifest.refresh()
    manifest.put(entry(SECOND, "c"))
    manifest.compact()
    manifest.put(whole)
    manifest.mark(MARK)
    manifest.flush()
    for _ in range(2):
        again = reread(state)
        assert again.entries == manifest.entries == {FIRST: whole, SECOND: entry(SECOND, "c")}
        assert again.project == MARK
        assert [again.owner(path) for path in "AcDf"] == [FIRST, SECOND, FIRST, None]
        assert again.identities == {FIRST: {"uid://a": "uid://b"}}
        manifest.compact()
    assert not (state / JOURNAL).exists()
    signature = again.entries[FIRST].outputs[0].signature
    assert type(signature) is tuple


def test_the_marks_of_indexes_come_back_and_are_void_after_any_change(
    manifest: Manifest, state: Path
) -> None:
    marks = {"t": (1, 2, 3), ".": (4, 5, 6)}
    manifest.mark_indexes(marks)
    manifest.flush()
    for _ in range(2):
        again = reread(state)
        assert again.indexes == marks
        assert type(again.indexes["t"]) is tuple
        manifest.compact()
    for change in (lambda: manifest.put(entry(SECOND, "b")), lambda: manifest.drop(SECOND)):
        change()
        assert manifest.indexes == {}
        manifest.flush()
        assert reread(state).indexes == {}
        manifest.mark_indexes(marks)
        manifest.flush()


def test_a_report_of_an_output_says_what_the_command_line_promises() -> None:
    assert output("a", once=True, coming="next").report() == {
        "path": "a",
        "kind": "bitmap",
        "layer": "ground",
        "target": "tiled",
        "bytes": 4,
        "sha256": "5ha",
    }


def test_an_entry_that_is_put_again_owns_only_its_new_outputs(manifest: Manifest) -> None:
    manifest.put(entry(FIRST, "b", "C"))
    assert manifest.owner("a") is None
    assert manifest.owner("b") == manifest.owner("c") == FIRST
    manifest.drop(FIRST)
    assert manifest.owner("b") is None
    assert manifest.entries == {}
    manifest.drop("levels/never.level.yaml")


def test_a_file_that_changed_hands_stays_with_its_new_owner(manifest: Manifest) -> None:
    manifest.put(entry(SECOND, "a"))
    manifest.drop(FIRST)
    assert manifest.owner("a") == SECOND


def test_a_dropped_entry_is_removed_for_others_and_the_mark_stays(
    manifest: Manifest, state: Path
) -> None:
    manifest.mark(MARK)
    manifest.drop(FIRST)
    manifest.flush()
    assert reread(state).entries == {}
    assert reread(state).project == MARK


def test_a_manifest_that_was_never_read_can_be_written(state: Path) -> None:
    manifest = Manifest(state)
    assert (manifest.entries, manifest.project, manifest.owner("a")) == ({}, None, None)
    assert manifest.has_journal
    put(manifest, entry(FIRST, "a"))
    assert reread(state).entries == manifest.entries


# --- writing -------------------------------------------------------------------------------------


def test_a_change_costs_a_line_and_not_the_whole_file(manifest: Manifest, state: Path) -> None:
    base = (state / MANIFEST).stat()
    sizes = []
    for number in range(3):
        put(manifest, entry(FIRST, f"a{number}"))
        sizes.append((state / JOURNAL).stat().st_size)
        assert reread(state).entries == manifest.entries
    assert (state / MANIFEST).stat().st_mtime_ns == base.st_mtime_ns
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0] < sizes[0]
    assert manifest.has_journal
    manifest.compact()
    assert not manifest.has_journal


def test_the_journal_may_be_what_any_new_file_may(manifest: Manifest, state: Path) -> None:
    (state / "ordinary").write_bytes(b"")
    put(manifest, entry(FIRST, "b"))
    assert (state / JOURNAL).stat().st_mode == (state / "ordinary").stat().st_mode


def test_flushing_nothing_writes_nothing(manifest: Manifest, state: Path) -> None:
    manifest.flush()
    assert not (state / JOURNAL).exists()
    manifest.put(entry(SECOND, "b"))
    assert manifest.has_journal
    manifest.flush()
    before = (state / JOURNAL).read_bytes()
    manifest.flush()
    assert (state / JOURNAL).read_bytes() == before
    empty = Manifest(state.parent)
    empty.refresh()
    empty.flush()
    assert not (state.parent / MANIFEST).exists()


def test_only_a_durable_flush_waits_for_the_disk(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    put(manifest, entry(FIRST, "b"))
    assert synced == []
    manifest.put(entry(FIRST, "c"))
    manifest.flush(durable=True)
    assert len(synced) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_flushing_leaves_no_file_open(manifest: Manifest) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for number in range(3):
        put(manifest, entry(FIRST, str(number)))
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("how", ["refused", "cut short", "not synced"])
def test_a_journal_that_cannot_be_written_is_reported_and_stays_as_it_was(
    manifest: Manifest, state: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    put(manifest, entry(FIRST, "b"))
    before = (state / JOURNAL).read_bytes()
    manifest.put(entry(FIRST, "c"))
    real = os.write

    def short(descriptor: int, data: bytes) -> int:
        return real(descriptor, data[:-4])

    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        if how == "not synced":
            patch.setattr(os, "fsync", refuse)
        else:
            patch.setattr(os, "write", short if how == "cut short" else refuse)
        with pytest.raises(StoreError, match="No space left on device") as caught:
            manifest.flush(durable=True)
    assert JOURNAL in str(caught.value)
    assert (state / JOURNAL).read_bytes() == before
    # The entries to write are not forgotten.
    assert manifest.entries[FIRST].outputs[0].path == "c"
    manifest.flush()
    assert reread(state).entries == manifest.entries


def test_a_journal_that_cannot_be_opened_is_reported(manifest: Manifest, state: Path) -> None:
    (state / JOURNAL).mkdir()
    manifest.put(entry(FIRST, "b"))
    with pytest.raises(StoreError):
        manifest._append(b"", durable=False)


def test_a_manifest_that_cannot_be_written_keeps_the_journal(
    manifest: Manifest, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(manifest, entry(FIRST, "b"))

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(StoreError, match="No space left on device"):
            manifest.compact()
    assert reread(state).entries == manifest.entries
    put(manifest, entry(FIRST, "c"))
    assert reread(state).entries == manifest.entries


def test_an_old_journal_that_cannot_be_removed_is_void(
    manifest: Manifest, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(manifest, entry(SECOND, "b"))
    manifest.drop(SECOND)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "in use")

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        manifest.compact()
    assert (state / JOURNAL).exists()
    assert reread(state).entries == {FIRST: entry(FIRST, "a")}
    put(manifest, entry(FIRST, "c"))
    assert reread(state).entries == manifest.entries


# --- damage --------------------------------------------------------------------------------------


def test_a_line_with_a_wrong_checksum_ends_the_journal(manifest: Manifest, state: Path) -> None:
    good = line_of(state, {"gone": "nothing"})
    removed = line_of(state, {"gone": FIRST})
    for wrong in (
        b"%016x" % (int(removed[:16], 16) ^ 1) + removed[16:],
        removed.replace(b"one", b"two"),
        removed[:-1],
        removed.replace(b" ", b"_", 1),
        b"z" * 16 + removed[16:],
        b"\n",
        removed[1:],
        removed[:15] + removed[16:],
        sealed_line(state, b"not json"),
        sealed_line(state, b"[" * 100_000),
        sealed_line(state, b"5"),
    ):
        (state / JOURNAL).write_bytes(head_of(state) + good + wrong + removed)
        assert reread(state).entries.keys() == {FIRST}, wrong
    (state / JOURNAL).write_bytes(head_of(state) + good + removed)
    assert reread(state).entries == {}


@pytest.mark.parametrize("head", ["none", "older", "newer", "later"])
def test_a_journal_counts_only_under_its_own_manifest(
    manifest: Manifest, state: Path, head: str
) -> None:
    removed = line_of(state, {"gone": FIRST})
    lines = {
        "none": [removed],
        "older": [head_of(state, -1), removed],
        "newer": [head_of(state, 1), removed],
        "later": [head_of(state), head_of(state), removed],
    }
    add(state, *lines[head])
    again = reread(state)
    assert again.entries == manifest.entries
    # And later entries are read again.
    put(again, entry(SECOND, "b"))
    assert reread(state).entries == again.entries


def test_every_manifest_has_a_generation_of_its_own(manifest: Manifest, state: Path) -> None:
    seen = []
    for number in range(3):
        manifest = reread(state)
        manifest.put(entry(FIRST, str(number)))
        manifest.compact()
        seen.append(json.loads((state / MANIFEST).read_bytes())["generation"])
    assert len(set(seen)) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"level": {"spec": SECOND}},
        {"level": [1]},
        {"level": {"spec": SECOND, "level": "", "key": "", "inputs": {}, "outputs": [[1]]}},
        {"gone": [1]},
        {"project": {"sha256": ""}},
        {"project": 5},
    ],
)
def test_a_change_that_makes_no_sense_ends_the_journal_there(
    manifest: Manifest, state: Path, change: dict[str, Any]
) -> None:
    add(state, head_of(state), line_of(state, change), line_of(state, {"gone": FIRST}))
    assert reread(state).entries == manifest.entries


def test_what_follows_a_damaged_line_is_written_so_that_it_can_be_read(
    manifest: Manifest, state: Path
) -> None:
    put(manifest, entry(FIRST, "b"))
    add(state, b"half a li")
    again = reread(state)
    assert again.entries == manifest.entries
    put(again, entry(SECOND, "c"))
    assert reread(state).entries == again.entries


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b'{"version": 3}',
        b'{"version": 2, "generation": 1, "project": null, %s, "levels": []}' % MARKS,
        b'{"version": 3, "generation": "x", "project": null, %s, "levels": []}' % MARKS,
        b'{"version": 3, "generation": 1, "project": {}, %s, "levels": []}' % MARKS,
        b'{"version": 3, "generation": 1, "project": null, %s, "levels": [{}]}' % MARKS,
        b'{"version": 3, "generation": 1, "project": null, %s, "levels": 7}' % MARKS,
        b'{"version": 3, "generation": 1, "project": null, "levels": []}',
    ],
)
def test_a_damaged_manifest_is_an_empty_one(
    manifest: Manifest, state: Path, content: bytes
) -> None:
    manifest.mark(MARK)
    put(manifest, entry(SECOND, "b"))
    (state / MANIFEST).write_bytes(content)
    again = reread(state)
    assert (again.entries, again.project, again.owner("a")) == ({}, None, None)
    put(again, entry(FIRST, "c"))
    assert reread(state).entries == again.entries


def test_a_half_damaged_manifest_leaves_no_half_behind(manifest: Manifest, state: Path) -> None:
    document = json.loads((state / MANIFEST).read_bytes())
    document["levels"].append({"spec": SECOND})
    document["project"] = {"sha256": "s", "patterns": [], "fingerprint": "f"}
    (state / MANIFEST).write_text(json.dumps(document))
    again = reread(state)
    assert (again.entries, again.project, again.owner("a")) == ({}, None, None)


# --- other processes -----------------------------------------------------------------------------


def test_what_another_process_wrote_is_accepted_in_and_nothing_is_read_twice(
    manifest: Manifest, state: Path
) -> None:
    assert not manifest.refresh()
    other = reread(state)
    put(other, entry(SECOND, "b"))
    assert manifest.is_other_on_disk()
    assert manifest.refresh()
    assert manifest.entries == other.entries
    assert not manifest.is_other_on_disk()
    other.compact()
    assert manifest.is_other_on_disk()
    assert manifest.refresh()
    assert not manifest.refresh()
    put(manifest, entry(FIRST, "c"))
    assert not manifest.is_other_on_disk()
    assert not manifest.refresh()


def test_another_content_of_the_same_length_is_noticed_by_its_time(
    manifest: Manifest, state: Path
) -> None:
    document = json.loads((state / MANIFEST).read_bytes())
    del document["seal"]
    document["levels"][0]["spec"] = SECOND
    before = (state / MANIFEST).stat().st_size
    seal(state, document)
    assert (state / MANIFEST).stat().st_size == before
    os.utime(state / MANIFEST, ns=(5, 5))
    assert manifest.refresh()
    assert list(manifest.entries) == [SECOND]


def test_notes_that_somebody_deleted_are_written_anew(manifest: Manifest, state: Path) -> None:
    manifest.refresh()
    shutil.rmtree(state)
    state.mkdir()
    assert manifest.refresh()
    assert manifest.entries == {FIRST: entry(FIRST, "a")}
    assert manifest.has_journal
    manifest.flush()
    assert reread(state).entries == manifest.entries


def test_another_project_in_the_same_folder_has_no_old_state(
    manifest: Manifest, state: Path
) -> None:
    manifest.refresh()
    root = state.parent
    root.rename(root.with_name("moved"))
    state.mkdir(parents=True)
    assert manifest.refresh()
    assert manifest.entries == {}
    assert manifest.owner("a") is None
    shutil.rmtree(root)
    assert manifest.refresh()
    assert manifest.entries == {}


def test_a_manifest_written_anew_while_it_is_read_is_read_again(
    manifest: Manifest, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Manifest(state)
    real = Directory.read
    writes = [entry(SECOND, "b"), entry(SECOND, "c")]

    def read(directory: Directory, name: str, most: int) -> Any:
        content = real(directory, name, most)
        if name == MANIFEST and writes:
            manifest.put(writes.pop(0))
            manifest.compact()
        return content

    monkeypatch.setattr(Directory, "read", read)
    reader.refresh()
    assert reader.entries == manifest.entries
    assert reader.entries[SECOND].outputs[0].path == "c"


def test_a_manifest_that_never_rests_is_given_up(
    manifest: Manifest, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Manifest(state)
    real = Directory.read
    number = 0

    def read(directory: Directory, name: str, most: int) -> Any:
        nonlocal number
        content = real(directory, name, most)
        if name == MANIFEST:
            number += 1
            manifest.put(entry(SECOND, str(number)))
            manifest.compact()
        return content

    monkeypatch.setattr(Directory, "read", read)
    assert reader.refresh()
    assert 2 <= number < 50


def test_a_journal_that_was_replaced_is_not_written_into(manifest: Manifest, state: Path) -> None:
    put(manifest, entry(FIRST, "b"))
    # A copy has the same content but is another file, whose writer may go on.
    copy = (state / JOURNAL).read_bytes()
    (state / "copy").write_bytes(copy)
    os.replace(state / "copy", state / JOURNAL)
    put(manifest, entry(SECOND, "c"))
    assert reread(state).entries == manifest.entries
    assert json.loads((state / MANIFEST).read_bytes())["levels"][1]["spec"] == SECOND


def test_a_journal_that_somebody_deleted_loses_nothing(manifest: Manifest, state: Path) -> None:
    put(manifest, entry(SECOND, "b"))
    (state / JOURNAL).unlink()
    put(manifest, replace(entry(FIRST, "a"), key="new"))
    assert reread(state).entries == manifest.entries
    assert len(manifest.entries) == 2


def test_entries_are_written_in_the_order_of_their_specs(state: Path) -> None:
    manifest = Manifest(state)
    manifest.refresh()
    for spec in ("c", "a", "b"):
        manifest.put(entry(spec))
    manifest.compact()
    levels = json.loads((state / MANIFEST).read_bytes())["levels"]
    assert [level["spec"] for level in levels] == ["a", "b", "c"]


def test_a_journal_without_its_manifest_says_nothing(state: Path) -> None:
    level = entry_document(entry(FIRST, "a"))
    add(state, line_of(state, {"generation": 0}), line_of(state, {"level": level}))
    assert reread(state).entries == {}


def test_what_another_process_took_away_is_not_remembered(manifest: Manifest, state: Path) -> None:
    manifest.put(replace(entry(FIRST, "a"), identities={"uid://a": "uid://b"}))
    manifest.mark_indexes({"t": (1, 2, 3)})
    manifest.compact()
    reader = reread(state)
    assert reader.identities
    assert reader.indexes
    manifest.drop(FIRST)
    manifest.compact()
    assert reader.refresh()
    assert (reader.entries, reader.identities, reader.indexes) == ({}, {}, {})


# --- hints ---------------------------------------------------------------------------------------


HOMES = ("t", "u/deep", "../game")
DIGEST, NEXT = "ab" * 32, "cd" * 32


def ours(path: str, home: str = "t", **more: Any) -> Output:
    """Return an output as an export leaves it."""
    return Output(path, "bitmap", "ground", "tiled", 4, DIGEST, written=DIGEST, home=home, **more)


def hinted(path: str, home: str = "t", **more: Any) -> Output:
    """Return the part of such an output that may be taken from a hint."""
    return Output(path, "", None, "", 0, DIGEST, written=DIGEST, home=home, **more)


@pytest.fixture
def rich(state: Path) -> Path:
    """A project with a manifest that says something of everything."""
    manifest = Manifest(state)
    manifest.refresh()
    whole = ManifestEntry(
        FIRST,
        "one",
        "key",
        {"a.png": "digest"},
        (ours("t/a", signature=(1, 2, 3)), ours("t/a.meta", once=True, coming=NEXT)),
        {"ground": {"generator": "maze", "version": 1}},
        (("a warning", 3, 5, ""),),
        "digest",
        17,
        (ours("t/old"),),
        {"uid://a": "uid://b"},
    )
    manifest.put(whole)
    manifest.mark(MARK)
    manifest.compact()
    return state


def believed(state: Path, homes: tuple[str, ...] = HOMES) -> dict[str, ManifestEntry]:
    """Return the entries that an export trusts in a manifest that is only a hint."""
    manifest = reread(state)
    assert manifest.is_hint
    assert manifest.entries == {}
    assert manifest.project is None
    manifest.restrict(homes)
    assert manifest.project is None
    assert manifest.indexes == {}
    assert manifest.identities == {}
    return manifest.entries


def unsealed(state: Path, change: Callable[[Any], Any] = lambda document: document) -> None:
    """Rewrite a manifest as anybody could."""
    document = json.loads((state / MANIFEST).read_bytes())
    document.pop("seal", None)
    changed = change(document)
    text = json.dumps(document if changed is None else changed)
    (state / MANIFEST).write_text(text)


def test_a_manifest_of_this_user_in_this_position_is_no_hint(rich: Path) -> None:
    manifest = reread(rich)
    assert not manifest.is_hint
    assert manifest.entries[FIRST].key == "key"
    assert manifest.project == MARK


@pytest.mark.parametrize("how", ["no seal", "another user", "moved", "wrong seal"])
def test_of_a_hint_only_contents_in_the_target_folders_are_believed(
    rich: Path, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = rich
    if how == "no seal":
        unsealed(state)
    elif how == "wrong seal":
        data = (state / MANIFEST).read_bytes()
        (state / MANIFEST).write_bytes(data[:-66] + b"0" * 64 + data[-2:])
    elif how == "another user":
        monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "another user"))
    else:
        state = state.parent.rename(tmp_path / "moved") / ".exporter"
    outputs = (hinted("t/a"), hinted("t/a.meta", once=True, coming=NEXT), hinted("t/old"))
    assert believed(state) == {FIRST: ManifestEntry(FIRST, "one", outputs=outputs)}
    assert believed(state, ("u/deep",)) == {}
    assert believed(state, ()) == {}
    # The next manifest is sealed, and has the trusted entries.
    manifest = reread(state)
    manifest.restrict(HOMES)
    believed_then = dict(manifest.entries)
    put(manifest, entry(SECOND, "t/c"))
    again = reread(state)
    assert not again.is_hint
    assert again.entries == {**believed_then, SECOND: entry(SECOND, "t/c")}


def test_a_hint_stays_within_the_folders_when_it_is_read_again(rich: Path) -> None:
    unsealed(rich)
    manifest = reread(rich)
    manifest.restrict(("u/deep",))
    unsealed(rich)
    (rich / JOURNAL).write_bytes(b"anything")
    assert manifest.refresh()
    assert manifest.entries == {}
    manifest = reread(rich)
    manifest.restrict(("t",))
    assert list(manifest.entries) == [FIRST]
    unsealed(rich)
    os.utime(rich / MANIFEST, ns=(5, 5))
    assert manifest.refresh()
    assert list(manifest.entries) == [FIRST]


def test_the_journal_of_a_hint_is_not_read(rich: Path) -> None:
    generation = json.loads((rich / MANIFEST).read_bytes())["generation"]
    unsealed(rich)
    add(rich, line_of(rich, {"generation": generation}), line_of(rich, {"gone": FIRST}))
    assert list(believed(rich)) == [FIRST]


def test_every_flipped_bit_of_a_manifest_makes_it_a_hint_at_most(rich: Path) -> None:
    data = (rich / MANIFEST).read_bytes()
    whole = reread(rich).entries
    for index in range(len(data)):
        damaged = bytearray(data)
        damaged[index] ^= 1
        (rich / MANIFEST).write_bytes(damaged)
        again = reread(rich)
        # An unreadable manifest is no hint, but empty.
        assert again.entries == {}, index
        assert again.project is None
    (rich / MANIFEST).write_bytes(data)
    assert reread(rich).entries == whole


def test_every_flipped_bit_of_a_journal_ends_it_before_its_line(
    manifest: Manifest, state: Path
) -> None:
    manifest.put(entry(FIRST, "b"))
    put(manifest, entry(SECOND, "c"))
    data = (state / JOURNAL).read_bytes()
    steps = [{FIRST: entry(FIRST, "a")}, {FIRST: entry(FIRST, "b")}, manifest.entries]
    ends = [position for position, byte in enumerate(data) if byte == ord("\n")]
    for index in range(len(data)):
        damaged = bytearray(data)
        damaged[index] ^= 1
        (state / JOURNAL).write_bytes(damaged)
        line = sum(index > end for end in ends)
        assert reread(state).entries == steps[max(0, line - 1)], index


def test_every_beginning_of_a_manifest_and_of_a_journal_is_recovered_from(
    manifest: Manifest, state: Path
) -> None:
    manifest.put(entry(SECOND, "b"))
    put(manifest, entry(FIRST, "c"))
    base, journal = (state / MANIFEST).read_bytes(), (state / JOURNAL).read_bytes()
    steps = [
        {FIRST: entry(FIRST, "a")},
        {FIRST: entry(FIRST, "a"), SECOND: entry(SECOND, "b")},
        manifest.entries,
    ]
    for length in range(len(journal)):
        (state / JOURNAL).write_bytes(journal[:length])
        lines = journal[:length].count(b"\n")
        assert reread(state).entries == steps[max(0, lines - 1)], length
    (state / JOURNAL).write_bytes(journal)
    for length in range(len(base)):
        (state / MANIFEST).write_bytes(base[:length])
        again = reread(state)
        again.restrict(HOMES)
        assert again.entries == {}, length
        if length % 50 == 0:
            put(again, entry(SECOND, "d"))
            assert reread(state).entries == {SECOND: entry(SECOND, "d")}
            (state / JOURNAL).write_bytes(journal)


HOSTILE_PATHS = [
    "../canary",
    "t/../../canary",
    "t/../levels/mine.level.yaml",
    "/etc/passwd",
    "t//a",
    "t/",
    "t",
    "t/.",
    "t/..",
    "tt/a",
    "levels/mine.level.yaml",
    "exporter.yaml",
    "t/a\\..\\b",
    "t/C:",
    "t/a\0b",
    "t/\ud800",
    "t/a\nb",
    "t/\x1b[2J",
    "",
    ".",
    5,
    None,
    ["t/a"],
    {"t/a": 1},
    True,
    1e400,
]


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_a_hint_of_a_file_elsewhere_is_not_believed(rich: Path, path: Any) -> None:
    def change(document: Any) -> None:
        level = document["levels"][0]
        level["outputs"] = [_row_of(path), _row_of("t/fine")]
        level["stale"] = []

    unsealed(rich, change)
    entries = believed(rich)
    assert [output.path for output in entries[FIRST].outputs] == ["t/fine"]


def _row_of(path: Any, home: Any = "t", written: Any = True, coming: Any = "") -> list[Any]:
    return [path, "bitmap", "ground", "tiled", 4, DIGEST, False, written, coming, None, home]


@pytest.mark.parametrize(
    "home", ["", "..", ".", "/", "t/..", "levels", "t/", "./t", "T", 5, None, ["t"], {}, True]
)
def test_a_hint_with_another_folder_is_not_believed(rich: Path, home: Any) -> None:
    def change(document: Any) -> None:
        rows = [_row_of(path, home) for path in ("../canary", "levels/a", "/etc/passwd", "t/../b")]
        document["levels"][0].update(outputs=rows, stale=[])

    unsealed(rich, change)
    assert believed(rich) == {}


def test_a_file_in_a_trusted_folder_must_lie_in_it(rich: Path) -> None:
    def change(document: Any) -> None:
        paths = ("../game/a", "../game/../other/b", "../gamer", "../game", "../other/c")
        rows = [_row_of(path, "../game") for path in paths]
        document["levels"][0].update(outputs=rows, stale=[])

    unsealed(rich, change)
    assert [output.path for output in believed(rich)[FIRST].outputs] == ["../game/a"]


@pytest.mark.parametrize("digest", ["", "x", DIGEST[:-1], DIGEST.upper(), 5, None, False, [DIGEST]])
def test_a_hint_without_a_content_is_not_believed(rich: Path, digest: Any) -> None:
    def change(document: Any) -> None:
        rows = [_row_of("t/a", written=digest), _row_of("t/b", written=digest, coming=NEXT)]
        document["levels"][0].update(outputs=rows, stale=[])

    unsealed(rich, change)
    (output,) = believed(rich)[FIRST].outputs
    assert (output.path, output.written, output.coming) == ("t/b", "", NEXT)


@pytest.mark.parametrize("name", [5, None, ["a"], {}, "a\0b", "\ud800", "../up", "a\x1b[0m"])
@pytest.mark.parametrize("key", ["spec", "level"])
def test_a_hint_with_a_name_that_no_level_has_is_not_believed(
    rich: Path, key: str, name: Any
) -> None:
    unsealed(rich, lambda document: document["levels"][0].update({key: name}))
    assert believed(rich) == {}


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["levels"].append(5),
        lambda document: document["levels"].append(None),
        lambda document: document["levels"].append([]),
        lambda document: document.update(levels={"a": 1}),
        lambda document: document.update(levels="abc"),
        lambda document: document["levels"][0].update(outputs=[[1, 2]]),
        lambda document: document["levels"][0].update(outputs=5),
        lambda document: document["levels"][0].update(warnings=5),
        lambda document: document["levels"][0]["outputs"][0].__setitem__(9, {"a": 1}),
        lambda document: document["levels"][0]["outputs"][0].__setitem__(9, [1]),
        lambda document: document.update(version=[]),
        lambda document: document.update(version=4),
        lambda document: [document],
        lambda document: 5,
    ],
)
def test_a_hint_of_another_form_is_an_empty_manifest(
    rich: Path, change: Callable[[Any], Any]
) -> None:
    unsealed(rich, change)
    manifest = reread(rich)
    manifest.restrict(HOMES)
    assert manifest.entries == {}
    put(manifest, entry(SECOND, "c"))
    assert reread(rich).entries == {SECOND: entry(SECOND, "c")}


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\0" * (64 << 20),
        b'{"version":3,"levels":[' + b"[]," * (20 << 20) + b"[]]}",
        b'{"version":3,"levels":' + b"9" * 10_000 + b"}",
        b'{"version":3,"levels":NaN}',
        b"\xff\xfe{}",
    ],
    ids=["brackets", "objects", "64 MB of nothing", "many lists", "digits", "NaN", "UTF-16"],
)
@pytest.mark.parametrize("name", [MANIFEST, JOURNAL])
def test_any_content_of_the_state_is_recovered_from(rich: Path, name: str, content: bytes) -> None:
    before = reread(rich).entries
    (rich / name).write_bytes(content)
    manifest = reread(rich)
    manifest.restrict(HOMES)
    assert manifest.entries == ({} if name == MANIFEST else before)
    put(manifest, entry(SECOND, "c"))
    assert reread(rich).entries == manifest.entries
    assert (rich / MANIFEST).stat().st_size < 10_000


def test_what_is_no_hint_for_its_size_is_not_even_parsed(
    rich: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsealed(rich)
    size = (rich / MANIFEST).stat().st_size
    monkeypatch.setattr("exporter.store.manifest.MAXIMUM_HINT_BYTES", size)
    assert list(believed(rich)) == [FIRST]
    monkeypatch.setattr("exporter.store.manifest.MAXIMUM_HINT_BYTES", size - 1)
    monkeypatch.setattr(json, "loads", lambda _: pytest.fail("parsed"))
    assert reread(rich).entries == {}


@pytest.mark.parametrize("name", [MANIFEST, JOURNAL])
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_manifest_or_a_journal_that_is_no_file_is_none(
    rich: Path, tmp_path: Path, name: str, kind: str
) -> None:
    canary = tmp_path / "canary"
    canary.write_bytes((rich / MANIFEST).read_bytes())
    (rich / name).unlink(missing_ok=True)
    if kind == "link":
        (rich / name).symlink_to(canary)
    elif kind == "pipe":
        os.mkfifo(rich / name)
    else:
        (rich / name).mkdir()
    before = canary.read_bytes()
    manifest = reread(rich)
    assert list(manifest.entries) == ([] if name == MANIFEST else [FIRST])
    manifest.put(entry(SECOND, "c"))
    if name == MANIFEST and kind == "folder":
        with pytest.raises(StoreError):
            manifest.flush()
    else:
        manifest.flush()
        assert reread(rich).entries == manifest.entries
    assert canary.read_bytes() == before
