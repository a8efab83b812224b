"""The cache: entries come back whole or not at all, and the folder keeps its limit."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from exporter.store.cache import Cache

KEY, OTHER = "ab" * 32, "ab" + "cd" * 31


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(_state(tmp_path))


def _state(root: Path) -> Path:
    """Return the state folder of a project."""
    state = root / ".exporter"
    state.mkdir(exist_ok=True)
    return state


def files(cache: Cache) -> list[Path]:
    """Return the files of the cache but the note of its size."""
    return sorted(path for path in cache.folder.rglob("*") if path.is_file() and path.parent.name)


def saved(cache: Cache) -> Path:
    """Return the one file that was saved."""
    (path,) = [path for path in files(cache) if path.name != "size"]
    return path


@pytest.mark.parametrize("data", [b"", b"data", bytes(range(256)) * 99])
def test_what_was_saved_comes_back(cache: Cache, data: bytes) -> None:
    assert cache.load(KEY) is None
    cache.save(KEY, data)
    assert cache.load(KEY) == data
    assert cache.load(OTHER) is None
    cache.save(OTHER, b"other")
    cache.save(KEY, b"newer")
    assert (cache.load(KEY), cache.load(OTHER)) == (b"newer", b"other")


@pytest.mark.parametrize("damage", ["a bit of the content", "a bit of the hash", "cut", "longer"])
def test_what_was_damaged_is_a_miss_and_goes(cache: Cache, damage: str) -> None:
    cache.save(KEY, b"some content")
    path = saved(cache)
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[:-1]
    elif damage == "longer":
        content += b"\0"
    else:
        content[-1 if "content" in damage else 0] ^= 1
    path.write_bytes(bytes(content))
    assert cache.load(KEY) is None
    assert not path.exists()
    cache.save(KEY, b"made again")
    assert cache.load(KEY) == b"made again"


def test_a_file_cut_off_inside_its_hash_is_a_miss(cache: Cache) -> None:
    cache.save(KEY, b"some content")
    path = saved(cache)
    for length in (0, 1, 31, 32):
        path.write_bytes(bytes(length))
        assert cache.load(KEY) is None


def test_a_folder_in_the_position_of_a_file_is_a_miss(cache: Cache) -> None:
    cache.save(KEY, b"data")
    path = saved(cache)
    path.unlink()
    path.mkdir()
    assert cache.load(KEY) is None
    cache.save(KEY, b"data")  # cannot be saved, and does no harm
    assert not list(cache.folder.rglob("*.tmp"))


@pytest.mark.parametrize("key", ["", "../../up", KEY[:-1], KEY + "a", KEY.upper(), KEY + "\n"])
def test_what_is_no_key_is_a_mistake_of_ours(cache: Cache, key: str) -> None:
    with pytest.raises(ValueError, match="is not a cache key"):
        cache.load(key)
    with pytest.raises(ValueError, match="is not a cache key"):
        cache.save(key, b"")


def test_a_forgetful_cache_finds_nothing_and_keeps_everything(tmp_path: Path) -> None:
    forgetful = Cache(_state(tmp_path), forgetful=True)
    forgetful.save(KEY, b"data")
    assert forgetful.load(KEY) is None
    assert Cache(_state(tmp_path)).load(KEY) == b"data"


def test_a_deleted_cache_is_created_again_and_a_deleted_project_is_not(tmp_path: Path) -> None:
    state = tmp_path / "project" / ".exporter"
    state.mkdir(parents=True)
    cache = Cache(state)
    cache.save(KEY, b"data")
    shutil.rmtree(cache.folder)
    cache.save(KEY, b"data")
    assert cache.load(KEY) == b"data"
    shutil.rmtree(state.parent)
    cache.save(KEY, b"data")
    assert not state.parent.exists()


def test_a_write_that_breaks_off_leaves_what_was_there(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.save(KEY, b"old")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    cache.save(KEY, b"new")
    monkeypatch.undo()
    assert cache.load(KEY) == b"old"
    assert [path.name for path in files(cache)] == [saved(cache).name]


def fill(cache: Cache, number: int, size: int = 100) -> list[str]:
    """Save entries of a size on disk, the first one used longest ago."""
    keys = []
    for index in range(number):
        key = f"{index:02x}" + "0" * 62
        cache.save(key, bytes(size - 32))
        keys.append(key)
    for index, path in enumerate(sorted(path for path in files(cache) if path.name != "size")):
        os.utime(path, (1000 + index, 1000 + index))
    return keys


def test_what_was_used_longest_ago_goes_first_until_a_quarter_is_free(tmp_path: Path) -> None:
    cache = Cache(_state(tmp_path), maximum=1000)
    keys = fill(cache, 11)
    assert cache.load(keys[1]) is not None  # used just now
    assert cache.prune() == 700
    left = [key for key in keys if cache.load(key) is not None]
    assert left == [keys[1], *keys[5:]]


def test_a_cache_within_its_bound_loses_nothing(tmp_path: Path) -> None:
    cache = Cache(_state(tmp_path), maximum=1000)
    keys = fill(cache, 10)
    assert cache.prune() == 1000
    assert all(cache.load(key) is not None for key in keys)


def test_an_empty_cache_can_be_pruned(cache: Cache) -> None:
    assert cache.prune() == 0


def test_growth_is_counted_up_to_the_bound(tmp_path: Path) -> None:
    cache = Cache(_state(tmp_path), maximum=1000)
    keys = fill(cache, 11)
    for _ in range(2):
        cache.grown(500)
    assert all(cache.load(key) is not None for key in keys)
    assert (cache.folder / "size").read_text() == "1000\n"
    cache.grown(1)
    # The note was wrong: after pruning it agrees with the files.
    assert (cache.folder / "size").read_text() == "700\n"
    assert sum(cache.load(key) is not None for key in keys) == 7
    cache.grown(0)
    cache.grown(-5)
    assert (cache.folder / "size").read_text() == "700\n"


def test_a_damaged_note_of_the_size_starts_again(tmp_path: Path) -> None:
    cache = Cache(_state(tmp_path), maximum=1000)
    fill(cache, 2)
    (cache.folder / "size").write_text("nonsense")
    cache.grown(200)
    assert (cache.folder / "size").read_text() == "200\n"


def test_growth_of_a_cache_that_is_removed_is_not_noted(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "gone")
    cache.grown(100)
    assert not (tmp_path / "gone").exists()


def test_growth_removes_what_killed_processes_left(cache: Cache) -> None:
    cache.save(KEY, b"data")
    branch = saved(cache).parent
    left = ".level-exporter.999999999.0123456789abcdef.tmp"
    writing = f".level-exporter.{os.getppid()}.0123456789abcdef.tmp"
    for folder in (cache.folder, branch):
        for name in (left, writing):
            (folder / name).write_bytes(b"half")
    cache.grown(1)
    assert not [*cache.folder.rglob(left)]
    assert len([*cache.folder.rglob(writing)]) == 2
    assert cache.load(KEY) == b"data"


# --- prepared by an attacker ---------------------------------------------------------------------


def test_what_another_user_or_another_project_saved_is_a_miss_and_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item, two = tmp_path / "one", tmp_path / "two"
    item.mkdir()
    two.mkdir()
    Cache(_state(item)).save(KEY, b"data")

    shutil.copytree(item / ".exporter", two / ".exporter")
    copied = Cache(_state(two))
    assert copied.load(KEY) is None
    assert not [path for path in files(copied) if path.name != "size"]
    with monkeypatch.context() as patch:
        patch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "another user"))
        assert Cache(_state(item)).load(KEY) is None


def test_a_content_under_another_key_is_a_miss(cache: Cache) -> None:
    cache.save(KEY, b"data")
    saved(cache).rename(cache.folder / OTHER[:2] / OTHER[2:])
    assert cache.load(OTHER) is None


@pytest.mark.parametrize("link_name", ["state", "cache", "branch", "file", "size"])
def test_links_are_neither_read_nor_written_nor_pruned_through(
    tmp_path: Path, link_name: str
) -> None:
    canary = tmp_path / "canary"
    other = tmp_path / "other"
    other.mkdir()
    _state(other)
    donor = Cache(_state(other))
    donor.save(KEY, b"data")
    donor.grown(5)
    shutil.move(donor.folder, canary)
    before = {path: path.read_bytes() for path in canary.rglob("*") if path.is_file()}
    root = tmp_path / "project"
    root.mkdir()
    links = {
        "state": (root / ".exporter", tmp_path / "state"),
        "cache": (root / ".exporter/cache", canary),
        "branch": (root / ".exporter/cache" / KEY[:2], canary / KEY[:2]),
        "file": (root / ".exporter/cache" / KEY[:2] / KEY[2:], canary / KEY[:2] / KEY[2:]),
        "size": (root / ".exporter/cache/size", canary / "size"),
    }
    link, leads = links[link_name]
    if link_name == "state":
        leads.mkdir()
        shutil.move(canary, leads / "cache")
        before = {leads / "cache" / x.relative_to(canary): data for x, data in before.items()}
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(leads)
    times = {path: path.stat().st_mtime_ns for path in before}
    cache = Cache(root / ".exporter", maximum=1)
    assert cache.load(KEY) is None
    cache.save(KEY, b"mine")
    cache.grown(100)
    cache.prune()
    assert {path: path.read_bytes() for path in before} == before
    assert {path: path.stat().st_mtime_ns for path in before} == times


@pytest.mark.parametrize(
    ("note", "then"),
    [
        ("-1000000", "100\n"),
        ("9" * 33, "100\n"),
        ("9" * 31, "0\n"),
        ("1e9", "100\n"),
        ("", "100\n"),
        ("\xff", "100\n"),
        (" 7 ", "107\n"),
    ],
)
def test_a_note_of_the_size_cannot_put_pruning_off(tmp_path: Path, note: str, then: str) -> None:
    cache = Cache(_state(tmp_path), maximum=1000)
    cache.folder.mkdir()
    (cache.folder / "size").write_text(note, encoding="latin-1")
    cache.grown(100)
    assert (cache.folder / "size").read_text() == then


def test_only_what_the_cache_can_have_created_is_pruned(tmp_path: Path) -> None:
    cache = Cache(_state(tmp_path), maximum=10)
    fill(cache, 3)
    for name in ("notes", "abc", "zz", "AB"):
        (cache.folder / name).mkdir()
        (cache.folder / name / "mine").write_bytes(bytes(100))
    assert cache.prune() <= 10
    assert sorted(path.parent.name for path in cache.folder.rglob("mine")) == [
        "AB",
        "abc",
        "notes",
        "zz",
    ]
