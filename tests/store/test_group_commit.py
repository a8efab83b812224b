"""Commits of several specs at once: as if one after the other, with one wait for the disk."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from disk_order import note_disk_order
from exporter.model.errors import StoreError
from exporter.store.commit_plan import whole_file
from exporter.store.entries import ManifestEntry
from exporter.store.folder import Directory
from exporter.store.group_commit import Committed, ContentMissingError, Outcome
from exporter.store.store import File, Store


def spec(name: str) -> str:
    return f"levels/{name}.level.yaml"


def file(path: str, data: bytes = b"data") -> File:
    return whole_file(f"t/{path}", "bitmap", "ground", "tiled", data, home="t")


Level = tuple[str, list[File]]


def commit_all(store: Store, *levels: Level, **more: Any) -> list[Outcome]:
    with store:
        return store.commit_all(
            [(ManifestEntry(spec(name), name, "key"), files) for name, files in levels], **more
        )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path, tmp_path / ".exporter")
    store.set_homes(("t",))
    return store


def temporaries(store: Store) -> list[Path]:
    return list((store.root / "t").glob(".*.tmp"))


def test_the_disk_is_waited_for_once_before_any_file_gets_its_name(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_announced() -> None:
        announced = Store(store.root, store.state).peek()
        assert [entry.key for entry in announced.values()] == [""] * 3

    with store:
        store.save()
    happened = note_disk_order(monkeypatch, check_announced)
    levels: list[Level] = [(name, [file(f"{name}.1"), file(f"{name}.2")]) for name in "abc"]
    commit_all(store, *levels)
    # The announcement of all, all files, then their names: of each level in its order.
    assert happened == ["sync"] * 7 + ["a.1", "a.2", "b.1", "b.2", "c.1", "c.2"]
    assert {entry.key for entry in Store(store.root, store.state).peek().values()} == {"key"}


def test_a_level_that_cannot_be_stored_stops_no_other(store: Store) -> None:
    (store.root / "t").mkdir()
    (store.root / "t" / "b").write_bytes(b"a user's")
    dropped = replace(file("c"), data=None)
    first, second, third, fourth = commit_all(
        store, ("a", [file("a")]), ("b", [file("b")]), ("c", [dropped]), ("d", [file("d")])
    )
    assert isinstance(first, Committed)
    assert isinstance(second, StoreError)
    assert isinstance(third, ContentMissingError)
    assert isinstance(fourth, Committed)
    assert (store.root / "t" / "b").read_bytes() == b"a user's"
    assert (store.root / "t" / "d").exists()


@pytest.mark.parametrize("call", ["create", "sync", "replace"])
def test_a_disk_that_refuses_one_level_has_the_files_of_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real = getattr(Directory, call)
    refused: list[str] = []

    def refuse(self: Directory, name: str, *rest: Any, **more: Any) -> Any:
        expected = {"create": name, "replace": rest[0] if rest else ""}.get(call)
        if expected == "b.2" or (call == "sync" and self.read(name)[0] == b"b.2"):
            refused.append(name)
            raise OSError(28, "No space left on device")
        return real(self, name, *rest, **more)

    monkeypatch.setattr(Directory, call, refuse)
    levels: list[Level] = [
        (name, [file(f"{name}.{n}", f"{name}.{n}".encode()) for n in (1, 2)]) for name in "abc"
    ]
    first, second, third = commit_all(store, *levels)
    assert refused
    assert isinstance(first, Committed)
    assert isinstance(third, Committed)
    assert isinstance(second, StoreError)
    assert "t/b.2" in str(second)
    assert not temporaries(store)
    # It is announced, and so every file has an owner.
    assert store.entries[spec("b")].key == ""
    assert {store.entries[spec(name)].key for name in "ac"} == {"key"}


def test_an_interrupt_while_the_disk_is_waited_for_leaves_no_temporary_files(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Directory, "sync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        commit_all(store, ("a", [file("a")]), ("b", [file("b")]))
    assert not temporaries(store)
    assert {entry.key for entry in Store(store.root, store.state).peek().values()} == {""}


def test_of_two_levels_that_want_one_file_the_second_is_refused(store: Store) -> None:
    first, second = commit_all(store, ("a", [file("x", b"1")]), ("b", [file("X", b"2")]))
    assert isinstance(first, Committed)
    assert isinstance(second, StoreError)
    assert f"is already an output of {spec('a')}" in str(second)
    assert (store.root / "t" / "x").read_bytes() == b"1"


def test_a_shared_file_is_written_once_and_belongs_to_all(store: Store) -> None:
    levels: list[Level] = [(name, [file("_shared"), file(name)]) for name in "abc"]
    outcomes = commit_all(store, *levels)
    written = [outcome.written for outcome in outcomes if isinstance(outcome, Committed)]
    assert written == [("t/_shared", "t/a"), ("t/b",), ("t/c",)]
    with store:
        store.forget(spec("a"))
    assert (store.root / "t" / "_shared").exists()


def remembered(store: Store) -> dict[str, ManifestEntry]:
    """Return the records, without values that differ in every run."""
    return {
        name: replace(
            entry,
            outputs=tuple(replace(output, signature=None) for output in entry.outputs),
            stale=tuple(replace(item, signature=None) for item in entry.stale),
        )
        for name, entry in store.entries.items()
    }


def contents(store: Store) -> dict[str, bytes]:
    position = store.root / "t"
    return {path.name: path.read_bytes() for path in position.iterdir() if path.is_file()}


def whole(outcome: Outcome) -> object:
    return outcome.written if isinstance(outcome, Committed) else str(outcome)


@pytest.mark.parametrize("seed", range(15))
def test_a_group_does_what_its_commits_do_one_after_the_other(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    stores = []
    for name in ("together", "alone"):
        root = tmp_path / name
        (root / "t").mkdir(parents=True)
        (root / "t" / "e").write_bytes(b"a user's")
        stores.append(Store(root, root / ".exporter"))
    together, alone = stores
    names = ["a", "b", "c", "d", "e", "_f", "_g"]
    for _ in range(4):
        levels = [
            (
                name,
                draw.choice([name, f"{name}2"]),
                [file(item, draw.choice([b"1", b"2"])) for item in draw.sample(names, 3)],
            )
            for name in draw.sample("uvwxyz", 5)
        ]
        live = {spec(name): level for name, level, _ in levels}
        entries = [
            (ManifestEntry(spec(name), level, "key"), files) for name, level, files in levels
        ]
        for store in stores:
            store.live = live
            store.set_homes(("t",))
        with together:
            done = [whole(outcome) for outcome in together.commit_all(entries)]
        sequentially = []
        for entry, files in entries:
            with alone:
                (outcome,) = alone.commit_all([(entry, files)])
            sequentially.append(whole(outcome))
        assert done == sequentially
        assert contents(together) == contents(alone)
        assert remembered(together) == remembered(alone)
        again = Store(together.root, together.state)
        again.peek()
        assert remembered(again) == remembered(together)
