"""The store: owners of files, and allowed changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import OutsideError, StoreError
from exporter.store.atomic_files import later_time
from exporter.store.commit_plan import whole_file
from exporter.store.contents import digest_of
from exporter.store.indexes import INDEX, Indexes, index_text
from exporter.store.manifest import JOURNAL, MANIFEST
from exporter.store.store import File, ManifestEntry, Removed, Store
from exporter.store.user_folder import trust

SPEC = "levels/cave.level.yaml"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path, tmp_path / ".exporter")


def _file(path: str, data: bytes = b"data", *, once: bool = False) -> File:
    return whole_file(path, "bitmap", None, "tiled", data, once)


def _commit(
    store: Store, *files: File, spec: str = SPEC, overwrite: bool = False
) -> tuple[str, ...]:
    with store:
        return store.commit(ManifestEntry(spec, "cave", "key"), files, overwrite=overwrite).written


def _forget(store: Store, spec: str = SPEC) -> Removed:
    with store:
        return store.forget(spec)


def test_only_what_changed_is_written(store: Store) -> None:
    assert _commit(store, _file("a"), _file("b")) == ("a", "b")
    before = (store.root / "a").stat().st_mtime_ns
    assert _commit(store, _file("a"), _file("b", b"new")) == ("b",)
    assert (store.root / "a").stat().st_mtime_ns == before


def test_a_file_that_happens_to_be_the_same_is_adopted(store: Store) -> None:
    (store.root / "a").write_bytes(b"data")
    assert _commit(store, _file("a")) == ()
    assert _forget(store).removed == ("a",)


def test_a_sidecar_of_unknown_kind_is_never_rewritten_and_a_foreign_one_never_removed(
    store: Store,
) -> None:
    (store.root / "theirs.meta").write_bytes(b"theirs")
    _commit(store, _file("ours.meta", once=True), _file("theirs.meta", once=True))
    (store.root / "ours.meta").write_bytes(b"completed by the engine")
    files = (_file("ours.meta", b"x", once=True), _file("theirs.meta", b"x", once=True))
    assert _commit(store, *files) == ()
    # Without rules its own part is unknown: it counts as edited, and stays.
    assert _forget(store) == Removed(preserved=("ours.meta", "theirs.meta"))
    assert (store.root / "theirs.meta").read_bytes() == b"theirs"


def test_a_stale_file_stays_until_it_is_cleaned_and_an_edited_one_for_good(store: Store) -> None:
    _commit(store, _file("sub/a"), _file("sub/b"), _file("c"))
    (store.root / "sub/b").write_bytes(b"edited")
    _commit(store, _file("c"))
    assert (store.root / "sub/a").exists()
    assert [output.path for output in store.entries[SPEC].stale] == ["sub/a", "sub/b"]
    with store:
        assert store.remove_stale(SPEC, {""}) == Removed(("sub/a",), ("sub/b",))
    assert not (store.root / "sub/a").exists()
    assert (store.root / "sub/b").read_bytes() == b"edited"
    assert store.entries[SPEC].stale == ()
    assert [output.path for output in store.entries[SPEC].outputs] == ["c"]


def test_two_specs_cannot_own_one_file_even_in_another_case(store: Store) -> None:
    _commit(store, _file("a"))
    with pytest.raises(StoreError, match=SPEC):
        _commit(store, _file("A"), spec="levels/other.level.yaml")


def test_a_failed_write_leaves_the_old_files_and_no_temporary_ones(store: Store) -> None:
    _commit(store, _file("a"), _file("b"))
    (store.root / "sub").write_bytes(b"in the way")
    with pytest.raises(StoreError):
        _commit(store, _file("a", b"new"), _file("sub/c", b"new"), _file("b", b"new"))
    assert (store.root / "a").read_bytes() == b"data"
    assert not list(store.root.rglob(".*.tmp"))
    assert store.entries[SPEC].key == ""


def test_the_order_of_writing_is_preserved(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    real = os.replace

    def note(source: str, target: str, **folders: Any) -> None:
        order.append(Path(target).name)
        real(source, target, **folders)

    monkeypatch.setattr(os, "replace", note)
    _commit(store, *(_file(name) for name in ("z", "m", "a")))
    assert [name for name in order if len(name) == 1] == ["z", "m", "a"]


def test_changes_within_a_second_get_later_whole_seconds(store: Store) -> None:
    seconds = []
    for number in range(5):
        _commit(store, _file("a", b"%d" % number))
        seconds.append(int((store.root / "a").stat().st_mtime))
    assert seconds == sorted(set(seconds))


def test_time_that_runs_backwards_does_not_take_the_files_back(store: Store) -> None:
    _commit(store, _file("a", b"1"))
    status = (store.root / "a").stat()
    future = status.st_mtime_ns + 3600 * 10**9
    os.utime(store.root / "a", ns=(future, future))
    _commit(store, _file("a", b"2"))
    assert (store.root / "a").stat().st_mtime_ns == later_time(future, 0)
    assert (store.root / "a").stat().st_mtime_ns > future


def test_temporary_files_of_dead_processes_are_removed(store: Store) -> None:
    form = ".level-exporter.{}.0123456789abcdef.tmp"
    _commit(store, _file("sub/a"))
    dead = store.root / "sub" / form.format(999999999)
    living = store.root / "sub" / form.format(os.getppid())
    other = store.root / "sub" / ".notes.tmp"
    for path in (dead, living, other):
        path.write_bytes(b"")
    with Store(store.root, store.state):
        pass
    assert not dead.exists()
    assert living.exists()
    assert other.exists()


def test_a_renamed_spec_hands_its_files_on(store: Store) -> None:
    _commit(store, _file("a"))
    with store:
        store.move(SPEC, "levels/new.level.yaml")
    assert _commit(store, _file("a"), spec="levels/new.level.yaml") == ()
    assert _forget(store, "levels/new.level.yaml").removed == ("a",)


def test_the_mode_of_a_file_is_preserved(store: Store) -> None:
    _commit(store, _file("a"))
    os.chmod(store.root / "a", 0o640)
    _commit(store, _file("a", b"new"))
    assert (store.root / "a").stat().st_mode & 0o777 == 0o640


# --- the manifest -----------------------------------------------------------------------------


def _read(store: Store) -> dict[str, ManifestEntry]:
    return Store(store.root, store.state).peek()


def test_another_process_sees_every_change_at_once(store: Store) -> None:
    other = Store(store.root, store.state)
    for number in range(4):
        name = str(number % 2)
        _commit(store, _file(name, b"%d" % number), spec=f"levels/{name}.level.yaml")
        if number < 2:
            with store:
                store.forget(f"levels/{number}.level.yaml")
                store.manifest.flush()
        with other:
            assert other.entries == store.entries == _read(store)
        if number == 1:
            with other:
                other.save()


def test_a_line_that_was_cut_off_ends_the_journal_there(store: Store) -> None:
    _commit(store, _file("a"))
    with store:
        store.save()
    _commit(store, _file("a", b"1"))
    good = _read(store)
    _commit(store, _file("a", b"2"))
    journal = store.state / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-3])
    entries = _read(store)
    # The announcement of the second change is whole, its end is not: so it is to be done again.
    assert entries[SPEC].key == ""
    assert entries[SPEC].outputs[0].coming
    assert good[SPEC].key == "key"
    with Store(store.root, store.state) as again:
        again.commit(ManifestEntry(SPEC, "cave", "key"), [_file("a", b"2")])
        again.save()
    assert _read(store)[SPEC].key == "key"


# --- indexes and the state of others -------------------------------------------------------------


def test_the_indexes_are_written_once_and_again_when_somebody_changed_them(store: Store) -> None:
    (store.root / "t").mkdir()
    store.set_homes(("t",))
    files = [whole_file("t/a", "bitmap", None, "tiled", b"data", home="t")]
    _commit(store, *files)
    index = store.root / "t" / INDEX
    with store:
        assert store.write_indexes() == (f"t/{INDEX}",)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Indexes, "text", lambda *_: pytest.fail("looked at without need"))
            assert store.write_indexes() == ()
    assert index.read_bytes() == index_text({"a": [digest_of(b"data")]})
    assert not store.indexes_changed()
    for change in (lambda: index.write_bytes(b"conflict\n"), index.unlink):
        change()
        assert store.indexes_changed()
        with store:
            assert store.write_indexes() == (f"t/{INDEX}",)
        assert index.read_bytes() == index_text({"a": [digest_of(b"data")]})
    again = Store(store.root, store.state)
    again.peek()
    assert not again.indexes_changed()
    with store:
        store.forget(SPEC)
        assert store.write_indexes() == (f"t/{INDEX}",)
    # Nothing of ours is left in the folder, so the folder is not ours either.
    assert not (store.root / "t").exists()


def test_a_touched_output_is_remembered_without_doubting_the_indexes(store: Store) -> None:
    (store.root / "t").mkdir()
    store.set_homes(("t",))
    _commit(store, whole_file("t/a", "bitmap", None, "tiled", b"data", home="t"))
    with store:
        store.write_indexes()
        marks = store.manifest.indexes
        assert marks
        store.note_signatures(SPEC, {"t/a": (1, 2, 3)})
        assert store.manifest.indexes == marks
    assert store.entries[SPEC].outputs[0].signature == (1, 2, 3)


def test_a_hint_removes_no_leftovers_and_nothing_elsewhere(store: Store) -> None:
    """The state of a stranger names folders; nothing in them is touched for that."""
    leftover = ".level-exporter.999999999.0123456789abcdef.tmp"
    (store.root / "mine").mkdir()
    (store.root / "mine" / leftover).write_bytes(b"")
    (store.root / "mine/a").write_bytes(b"data")
    _commit(store, _file("mine/a"))
    with store:
        store.save()
    position = store.state / MANIFEST
    position.write_bytes(position.read_bytes()[:-66] + b"0" * 64 + b'"}')
    again = Store(store.root, store.state)
    again.set_homes(("t",))
    with again:
        assert again.entries == {}
        again.write_indexes()
        assert again.listed_only() == []
    assert sorted(path.name for path in (store.root / "mine").iterdir()) == [leftover, "a"]


def test_trust_is_what_lets_a_store_write_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "user"))
    root = tmp_path / "project"
    root.mkdir()
    store = Store(root, root / ".exporter")
    with pytest.raises(OutsideError):
        _commit(store, _file("../game/a"))
    assert not (tmp_path / "game").exists()
    trust(root, tmp_path / "game")
    assert _commit(store, _file("../game/a")) == ("../game/a",)
    assert (tmp_path / "game/a").read_bytes() == b"data"
    assert _forget(store).removed == ("../game/a",)
