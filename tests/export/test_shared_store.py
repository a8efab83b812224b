"""A store that many machines fill: whole files, checked by their names, never changed."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from pathlib import Path

import pytest

from exporter.export import places
from exporter.export.cluster import Cluster
from exporter.export.places import (
    LocalFolder,
    absolute,
    is_remote,
    open_location,
    url_without_secrets,
)
from exporter.export.shared_store import MARK, SharedStore
from exporter.model.errors import FarmError

KEY = "ab" * 32


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(params=["folder", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return str(tmp_path / "store")
    pytest.importorskip("fsspec")
    return f"memory://{tmp_path.name}/store"


def content_file(root: Path, data: bytes) -> Path:
    name = digest(data)
    return root / "contents" / name[:2] / name[2:]


def test_a_machine_reads_what_another_added(url: str) -> None:
    item, other = SharedStore.open(url), SharedStore.open(url)
    assert other.content(digest(b"cells")) is None
    assert list(other.records(KEY)) == []
    item.save_content(digest(b"cells"), b"cells")
    item.save_record(KEY, b"first")
    item.save_record(KEY, b"second")
    item.save_record(KEY, b"second")
    assert other.content(digest(b"cells")) == b"cells"
    assert sorted(other.records(KEY)) == [b"first", b"second"]
    assert list(other.records("cd" * 32)) == []
    assert not other.damaged


def test_a_store_for_reading_alone_is_neither_created_nor_filled(url: str) -> None:
    store = SharedStore.open(url, read_only=True)
    store.save_content(digest(b"cells"), b"cells")
    assert store.content(digest(b"cells")) is None
    assert list(store.records(KEY)) == []
    assert open_location(url).title.endswith("store")
    assert "://" in url or not Path(url).exists()
    assert SharedStore.open(url).location.read(MARK) is not None


@pytest.mark.parametrize("size", ["same", "other"])
def test_a_damaged_content_is_missing_until_it_is_added_again(tmp_path: Path, size: str) -> None:
    store = SharedStore.open(str(tmp_path))
    store.save_content(digest(b"cells"), b"cells")
    store.save_record(KEY, b"record")
    content_file(tmp_path, b"cells").write_bytes(b"cellz" if size == "same" else b"")
    (record,) = (tmp_path / "levels" / KEY[:2] / KEY[2:]).iterdir()
    record.write_bytes(b"reword")
    reader = SharedStore.open(str(tmp_path))
    assert reader.content(digest(b"cells")) is None
    assert list(reader.records(KEY)) == []
    assert len(reader.damaged) == 2
    reader.save_content(digest(b"cells"), b"cells")
    reader.save_record(KEY, b"record")
    assert not reader.damaged
    assert reader.content(digest(b"cells")) == b"cells"
    assert list(reader.records(KEY)) == [b"record"]


def test_a_remote_content_is_read_up_to_the_largest_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fsspec")
    monkeypatch.setattr(places, "MAXIMUM_BYTES", 4)
    store = SharedStore.open(f"memory://{tmp_path.name}/store")
    for data, result in ((b"", b""), (b"four", b"four"), (b"fives", None)):
        store.save_content(digest(data), data)
        assert store.content(digest(data)) == result
    assert len(store.damaged) == 1


def test_a_writer_that_was_reported_of_damage_writes_over_a_file_of_the_same_size(
    tmp_path: Path,
) -> None:
    SharedStore.open(str(tmp_path)).save_content(digest(b"cells"), b"cells")
    content_file(tmp_path, b"cells").write_bytes(b"cellz")
    SharedStore.open(str(tmp_path)).save_content(digest(b"cells"), b"cells")
    assert content_file(tmp_path, b"cells").read_bytes() == b"cellz"
    SharedStore.open(str(tmp_path)).save_content(digest(b"cells"), b"cells", rewrite=True)
    assert content_file(tmp_path, b"cells").read_bytes() == b"cells"


def test_a_content_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    SharedStore.open(str(tmp_path)).save_content(digest(b"cells"), b"cells")
    before = content_file(tmp_path, b"cells").stat()
    SharedStore.open(str(tmp_path)).save_content(digest(b"cells"), b"cells")
    assert content_file(tmp_path, b"cells").stat().st_ino == before.st_ino


def test_many_may_write_the_same_at_once(tmp_path: Path) -> None:
    contents = [bytes([number]) * 5000 for number in range(40)]

    def fill() -> None:
        store = SharedStore.open(str(tmp_path / "store"))
        for data in contents:
            store.save_content(digest(data), data)
            store.save_record(KEY, data)

    threads = [threading.Thread(target=fill) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = SharedStore.open(str(tmp_path / "store"))
    assert [store.content(digest(data)) for data in contents] == contents
    assert len(list(store.records(KEY))) == len(contents)
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_folder_that_holds_something_else_is_no_store(url: str) -> None:
    open_location(url) if "://" in url else Path(url).mkdir()
    open_location(url).write("notes.txt", b"mine")
    with pytest.raises(FarmError, match=r"it is no store of the exporter, and not empty"):
        SharedStore.open(url)
    assert open_location(url).read(MARK) is None


def test_a_store_that_another_machine_is_just_making_is_one(tmp_path: Path) -> None:
    (tmp_path / ".level-exporter.1.0123456789abcdef.tmp").write_bytes(b"{")
    SharedStore.open(str(tmp_path))
    assert (tmp_path / MARK).exists()


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        (b'{"store": 2}', "a store of version 2; this exporter reads version 1"),
        (b"[]", "does not mark a store"),
        (b"\xff", "does not mark a store"),
    ],
)
def test_the_store_of_another_version_is_refused(tmp_path: Path, mark: bytes, said: str) -> None:
    (tmp_path / MARK).write_bytes(mark)
    with pytest.raises(FarmError, match=said):
        SharedStore.open(str(tmp_path))


def test_the_folder_of_a_mount_that_is_not_there_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match=r"is it mounted\?"):
        SharedStore.open(str(tmp_path / "mount" / "store"))
    assert not (tmp_path / "mount").exists()


def test_a_store_that_vanishes_is_reported_and_does_not_come_back_empty(tmp_path: Path) -> None:
    store = SharedStore.open(str(tmp_path / "store"))
    (tmp_path / "store").rename(tmp_path / "elsewhere")
    for use in (
        lambda: store.content(KEY),
        lambda: list(store.records(KEY)),
        lambda: store.save_content(digest(b"x"), b"x"),
    ):
        with pytest.raises(FarmError, match="the folder of the store does not exist"):
            use()
    assert not (tmp_path / "store").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_a_disk_that_is_full_is_reported_and_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SharedStore.open(str(tmp_path))
    full = os.open("/dev/full", os.O_WRONLY)
    real = os.open

    def no_room(path: str, flags: int, *rest: object, **more: object) -> int:
        result = flags & os.O_CREAT
        opened = real(path, flags, *rest, **more)  # type: ignore[arg-type]
        if result:
            os.dup2(full, opened)
        return opened

    monkeypatch.setattr(os, "open", no_room)
    with pytest.raises(FarmError, match="No space left on device"):
        store.save_content(digest(b"x"), b"x")
    monkeypatch.undo()
    os.close(full)
    assert store.content(digest(b"x")) is None
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize("key", ["", "../x", "ab", KEY.upper(), KEY + "\n"])
def test_only_hashes_name_files(tmp_path: Path, key: str) -> None:
    store = SharedStore.open(str(tmp_path))
    with pytest.raises(ValueError, match="no SHA-256"):
        store.save_content(key, b"")
    with pytest.raises(ValueError, match="no SHA-256"):
        store.content(key)


def test_an_address_that_nothing_opens_is_reported() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(FarmError, match=r"nosuch://b/x: no installed package opens nosuch://"):
        SharedStore.open("nosuch://user:secret@b/x")


def test_without_fsspec_a_url_is_refused_with_a_way_out_and_a_folder_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(FarmError, match=r"pip install level-exporter\[cluster\]"):
        SharedStore.open("s3://bucket/store")
    SharedStore.open(f"file://{tmp_path.as_posix()}/store")
    assert (tmp_path / "store" / MARK).exists()


def test_without_distributed_a_cluster_is_refused_with_a_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FarmError, match=r"pip install level-exporter\[cluster\]"):
        Cluster("tcp://127.0.0.1:1", bytes, lambda _: None)


def test_what_paths_and_urls_are_here_and_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute("store") == str(tmp_path / "store")
    assert absolute("s3://bucket/a") == "s3://bucket/a"
    assert isinstance(open_location(r"C:\store"), LocalFolder)
    assert [is_remote(item) for item in ("a", "/a", "file:///a", "s3://a")] == [False] * 3 + [True]
    assert url_without_secrets("sftp://me:secret@host/a@b") == "sftp://host/a@b"
