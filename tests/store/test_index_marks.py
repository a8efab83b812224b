"""Amended indexes equal indexes that are written from scratch."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from exporter.store.commit_plan import whole_file
from exporter.store.entries import ManifestEntry
from exporter.store.folder import Folder
from exporter.store.indexes import INDEX, Indexes
from exporter.store.manifest import MANIFEST
from exporter.store.store import File, Store

HOMES = ("t", "u")


def spec(name: str) -> str:
    return f"levels/{name}.level.yaml"


def file(path: str, data: bytes = b"data") -> File:
    return whole_file(path, "bitmap", "ground", "tiled", data, home=path.partition("/")[0])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path)


def opened(root: Path) -> Store:
    store = Store(root, root / ".exporter")
    store.peek()
    store.set_homes(HOMES)
    return store


def commit(store: Store, name: str, *files: File) -> None:
    with store:
        store.commit(ManifestEntry(spec(name), name, "key"), files)


def written(store: Store) -> tuple[str, ...]:
    with store:
        return store.write_indexes()


def built_anew(store: Store) -> dict[str, bytes]:
    """Return the expected text of the indexes, computed the slow way."""
    outputs = [output for entry in store.entries.values() for output in entry.files]
    indexes = Indexes(Folder(store.root))
    texts = {home: indexes.text(home, outputs)[0] for home in HOMES}
    return {home: text for home, text in texts.items() if text}


def on_disk(store: Store) -> dict[str, bytes]:
    places = {home: store.root / home / INDEX for home in HOMES}
    return {home: position.read_bytes() for home, position in places.items() if position.exists()}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the indexes that are parsed."""
    noted: list[str] = []
    real = Indexes._lines

    def note(self: Indexes, home: str) -> object:
        noted.append(home)
        return real(self, home)

    monkeypatch.setattr(Indexes, "_lines", note)
    return noted


def test_a_save_parses_no_index_and_changes_its_own_lines(store: Store, read: list[str]) -> None:
    for name in "abc":
        commit(store, name, file(f"t/{name}"), file(f"u/{name}"))
    written(store)
    read.clear()
    for again in (store, opened(store.root)):
        commit(again, "b", file("t/b", str(id(again)).encode()), file("u/b"))
        assert written(again) == (f"t/{INDEX}",)
        assert not again.listed_only()
        assert not written(again)
    assert read == []
    assert on_disk(store) == built_anew(again)


def test_an_index_that_somebody_changed_is_read(store: Store, read: list[str]) -> None:
    commit(store, "a", file("t/a"))
    written(store)
    (store.root / "t" / "theirs").write_bytes(b"x")
    position = store.root / "t" / INDEX
    line = f"{'0' * 64}  theirs\n".encode()
    position.write_bytes(line + position.read_bytes())
    commit(store, "a", file("t/a", b"new"))
    read.clear()
    written(store)
    assert "t" in read
    assert line in position.read_bytes()
    # It lists files without a record, so it is read the next time, too.
    commit(store, "a", file("t/a", b"newer"))
    (store.root / "t" / "theirs").unlink()
    written(store)
    assert line not in position.read_bytes()
    assert on_disk(store) == built_anew(store)


def test_a_file_that_is_forgotten_and_lies_stays_listed(store: Store) -> None:
    commit(store, "a", file("t/a"), file("t/b"))
    commit(store, "c", file("t/c"))
    written(store)
    (store.root / "t" / "a").write_bytes(b"edited")
    with store:
        assert store.forget(spec("a")).preserved == ("t/a",)
    before = on_disk(store)["t"]
    written(store)
    after = on_disk(store)["t"]
    assert [line for line in before.splitlines() if line.endswith((b"  a", b"  c"))] == (
        after.splitlines()
    )
    assert [output.path for output in store.listed_only()] == ["t/a"]


def test_an_index_that_may_list_other_files_is_read(store: Store, read: list[str]) -> None:
    commit(store, "a", file("t/a"))
    written(store)
    marks = store.manifest.indexes
    store.manifest.mark_indexes(marks)  # the other entries of an index are unknown
    with store:
        store.save()
    assert (store.state / MANIFEST).exists()
    again = opened(store.root)
    assert again.manifest.indexes == marks
    commit(again, "a", file("t/a", b"new"))
    written(again)
    assert "t" in read
    assert on_disk(again) == built_anew(again)


@pytest.mark.parametrize("seed", range(15))
def test_amended_indexes_are_those_that_are_created_anew(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    store = opened(tmp_path)
    store.live = {}
    for _ in range(25):
        name = draw.choice("abcde")
        step = draw.randrange(8)
        if step == 0:
            with store:
                store.forget(spec(name))
        elif step == 1:
            store = opened(tmp_path)
            store.live = {}
        elif step == 2 and spec(name) in store.entries and spec(f"{name}2") not in store.entries:
            with store:
                store.move(spec(name), spec(f"{name}2"))
        else:
            paths = [f"{home}/{name}.{n}" for home in HOMES for n in range(3)]
            paths += [f"{home}/_{n}" for home in HOMES for n in range(2)]
            chosen = draw.sample(paths, draw.randrange(1, 6))
            commit(store, name, *(file(path, draw.choice([b"1", b"2"])) for path in chosen))
        if draw.random() < 0.7:
            expected = built_anew(store)
            written(store)
            assert on_disk(store) == expected
