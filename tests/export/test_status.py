"""The status files: results of the last batch, and the state of every level."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exporter import __version__
from exporter.export import status as status_module
from exporter.export.events import LevelResult
from exporter.export.status import MAXIMUM_EARLIER_FILES, Status, level_status_name
from exporter.model.errors import Problem, StoreError
from exporter.store.entries import ManifestEntry, Output
from exporter.store.store import Store
from small_game import Game
from status_files import read_levels, read_status

NO = Problem("no", "levels/b.level.yaml", 2, 3)
A, B = "levels/a.level.yaml", "levels/b.level.yaml"
OUTPUT = Output("t/a.tmj", "map", None, "tiled", 5, "hash")
FILE_A, FILE_B = (f"levels/{level_status_name(spec)}" for spec in (A, B))


class Book:
    """A status over a store with one exported level."""

    def __init__(self, root: Path) -> None:
        self.store = Store(root, root / ".exporter")
        self.status = Status()
        self.put("too large")

    def put(self, *warnings: str, spec: str = A) -> None:
        with self.store:
            reported = tuple((warning, 1, 1) for warning in warnings)
            self.store.manifest.put(
                ManifestEntry(spec, "a", "key", outputs=(OUTPUT,), warnings=reported)
            )

    def read(self, *specs: str, **more: Any) -> dict[str, Any]:
        with self.store:
            self.status.write(self.store, list(specs), **more)
        return read_status(self.store.root)

    def levels(self, *specs: str, **more: Any) -> dict[str, tuple[str, str]]:
        self.read(*specs, **more)
        documents = read_levels(self.store.root)
        return {document["spec"]: (document["level"], document["status"]) for document in documents}

    def file(self, spec: str) -> Path:
        return self.store.state / "levels" / level_status_name(spec)

    def stamps(self) -> dict[str, int]:
        """Return the inode of every level's file: another one for every write."""
        return {path.name: path.stat().st_ino for path in self.file(A).parent.iterdir()}


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def test_a_batch_is_reported_with_counts_and_the_files_that_changed(book: Book) -> None:
    book.status.changed = True
    book.status.problems = (Problem("odd", "exporter.yaml"),)
    book.status.note(
        LevelResult("a", A, "built", 0.12345678, written=("t/a.tmj",), causes=("x.png",))
    )
    book.status.note(LevelResult("b", B, "failed", problems=(NO,)))
    document = book.read(A, B, preserved={A: ("t/a.tmj", "t/a.png")})
    finished = document.pop("finished")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", finished)
    assert document.pop("seconds") > 0
    assert document == {
        "version": 2,
        "revision": 1,
        "exporter": __version__,
        "changed": True,
        "errors": [{"file": "exporter.yaml", "line": 1, "column": 1, "message": "odd"}],
        "counts": {"levels": 2, "failed": 1, "incomplete": 0, "kept": 2},
        "batch": [
            {
                "level": "a",
                "spec": A,
                "file": FILE_A,
                "status": "built",
                "causes": ["x.png"],
                "written": ["t/a.tmj"],
                "seconds": 0.123457,
            },
            {
                "level": "b",
                "spec": B,
                "file": FILE_B,
                "status": "failed",
                "causes": [],
                "written": [],
                "seconds": 0,
            },
        ],
        "files": [FILE_A, FILE_B],
        "earlier": [],
    }


def test_every_level_has_a_file_of_its_own(book: Book) -> None:
    book.status.note(LevelResult("b", B, "failed", problems=(NO,)))
    book.read(A, B, preserved={A: ("t/a.tmj",)})
    assert read_levels(book.store.root) == [
        {
            "level": "a",
            "spec": A,
            "status": "built",
            "errors": [],
            "warnings": ["too large"],
            "outputs": ["t/a.tmj"],
            "kept": ["t/a.tmj"],
            "complete": True,
            "digest": "",
            "edits_digest": "",
        },
        {
            "level": "b",
            "spec": B,
            "status": "failed",
            "errors": [{"file": B, "line": 2, "column": 3, "message": "no"}],
            "warnings": [],
            "outputs": [],
            "kept": [],
            "complete": True,
            "digest": "",
            "edits_digest": "",
        },
    ]


@pytest.mark.parametrize(
    "spec",
    ["levels/crypt.level.yaml", "a/../..\\b:*?.level.yaml", "x" * 300, "höhle.level.yaml", "", "/"],
)
def test_file_names_are_safe_for_any_spec(spec: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{0,60}-[0-9a-f]{12}\.json", level_status_name(spec))


def test_specs_of_one_name_have_files_of_their_own() -> None:
    specs = ["levels/a.level.yaml", "more/a.level.yaml", "levels/A.level.yaml", "levels/a.yaml"]
    assert len({level_status_name(spec).casefold() for spec in specs}) == len(specs)
    assert level_status_name("levels/crypt.level.yaml").startswith("crypt-")


def test_the_next_batch_begins_empty_and_failures_stay(book: Book) -> None:
    book.status.changed = True
    book.status.problems = (NO,)
    book.status.note(LevelResult("a", A, "built"))
    book.status.note(LevelResult("b", B, "failed", problems=(NO,)))
    book.read(A, B)
    book.status.begin()
    document = book.read(A, B)
    assert (document["changed"], document["errors"], document["batch"]) == (False, [], [])
    assert document["files"] == []
    assert book.levels(A, B) == {A: ("a", "built"), B: ("b", "failed")}


def test_only_the_files_of_levels_that_changed_are_written(book: Book) -> None:
    book.put("another", spec=B)
    book.read(A, B)
    before = book.stamps()
    assert len(before) == 2
    book.put("less", spec=B)
    document = book.read(A, B)
    after = book.stamps()
    assert [name for name in after if after[name] != before[name]] == [level_status_name(B)]
    assert document["files"] == [FILE_B]
    # Built again with the same result: in the batch, and its file is unchanged.
    book.status.note(LevelResult("a", A, "built", written=("t/a.tmj",)))
    document = book.read(A, B)
    assert document["files"] == [FILE_A]
    assert book.stamps() == after


def test_another_process_writes_only_what_changed(book: Book) -> None:
    book.put("another", spec=B)
    book.read(A, B)
    before = book.stamps()
    book.status = Status()
    assert book.read(A, B)["files"] == []
    assert book.stamps() == before


def test_what_another_process_wrote_meanwhile_is_noticed(book: Book) -> None:
    book.read(A)
    other = Book(book.store.root)
    other.put("theirs")
    other.read(A)
    # The memory still has the last written state, but not the disk.
    with book.store:
        book.store.manifest.put(
            ManifestEntry(A, "a", "key", outputs=(OUTPUT,), warnings=(("x", 1, 1),))
        )
    book.read(A)
    assert read_levels(book.store.root)[0]["warnings"] == ["x"]
    assert read_status(book.store.root)["revision"] == 3


def test_a_failure_that_was_accepted_back_leaves_the_level_as_it_was(book: Book) -> None:
    book.status.note(LevelResult("new", A, "failed", problems=(NO,)))
    assert book.levels(A) == {A: ("new", "failed")}
    book.status.settle(A)
    book.status.settle(B)
    assert book.levels(A) == {A: ("a", "built")}


def test_a_failure_of_another_process_is_settled_by_what_is_remembered(book: Book) -> None:
    book.status.note(LevelResult("a", A, "failed", problems=(NO,)))
    assert book.levels(A) == {A: ("a", "failed")}
    book.status = Status()
    assert book.levels(A) == {A: ("a", "built")}


def test_of_levels_that_were_not_looked_at_the_files_stay(book: Book) -> None:
    book.status.note(LevelResult("a", A, "failed", problems=(NO,)))
    book.read(A)
    book.status = Status()
    assert book.levels(A, selects=lambda level, _spec: level != "a") == {A: ("a", "failed")}
    assert book.read(A, selects=lambda level, _spec: level != "a")["counts"]["failed"] == 1
    # But one that is missing is written.
    book.file(A).unlink()
    book.status = Status()
    assert book.levels(A, selects=lambda level, _spec: level != "a") == {A: ("a", "built")}


def test_a_level_of_which_nothing_is_known_is_not_there(book: Book) -> None:
    assert book.levels() == {}
    assert book.levels(B) == {}
    assert book.levels(A, B) == {A: ("a", "built")}


def test_the_file_of_a_level_goes_with_its_spec(book: Book) -> None:
    for spec in (A, B):
        book.status.note(LevelResult("x", spec, "failed", problems=(NO,)))
    book.read(A, B)
    book.status.begin()
    book.status.keep([A])
    document = book.read(A)
    assert document["files"] == [FILE_B]
    assert document["counts"] == {"levels": 1, "failed": 1, "incomplete": 0, "kept": 0}
    assert book.levels(A) == {A: ("x", "failed")}


def test_files_of_no_level_are_removed(book: Book) -> None:
    book.read(A)
    stranger = book.file(A).with_name("stranger.json")
    stranger.write_text("{}")
    book.status = Status()
    book.read(A)
    assert [path.name for path in stranger.parent.iterdir()] == [level_status_name(A)]


def test_the_last_batches_are_listed_newest_first(book: Book) -> None:
    book.read(A)
    for number in range(3):
        book.put(f"warning {number}")
        document = book.read(A)
    assert document["revision"] == 4
    assert document["earlier"] == [{"revision": n, "files": [FILE_A]} for n in (3, 2, 1)]
    book.status = Status()
    document = book.read(A)
    assert (document["revision"], document["files"]) == (5, [])
    assert [item["revision"] for item in document["earlier"]] == [4, 3, 2, 1]


def test_of_earlier_batches_only_so_many_files_are_listed(book: Book) -> None:
    specs = [f"levels/{number}.level.yaml" for number in range(MAXIMUM_EARLIER_FILES - 1)]
    for spec in specs:
        book.put(spec=spec)
    book.read(*specs)
    book.put("changed", spec=specs[0])
    book.read(*specs)
    assert [item["revision"] for item in book.read(*specs)["earlier"]] == [2, 1]
    book.put("changed again", spec=specs[0])
    book.read(*specs)
    assert [item["revision"] for item in book.read(*specs)["earlier"]] == [4, 3, 2]
    for _ in range(2 * MAXIMUM_EARLIER_FILES):
        document = book.read(*specs)
    assert len(document["earlier"]) == MAXIMUM_EARLIER_FILES


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "[]",
        '{"version": 1, "levels": [{"level": "a"}]}',
        '{"version": 2}',
        '{"version": 2, "revision": "x", "files": [], "earlier": []}',
        '{"version": 2, "revision": 1e999, "files": [], "earlier": []}',
        '{"version": 2, "revision": 1, "files": 3, "earlier": []}',
        '{"version": 2, "revision": 1, "files": [], "earlier": [{}]}',
    ],
)
def test_a_status_of_another_form_is_replaced(book: Book, text: str) -> None:
    book.read(A)
    (book.store.state / "status.json").write_text(text)
    book.file(A).write_text(text)
    document = book.read(A)
    assert (document["revision"], document["earlier"]) == (1, [])
    assert document["files"] == [FILE_A]
    assert book.levels(A) == {A: ("a", "built")}


def test_the_text_of_a_level_is_created_anew_only_when_something_about_it_changed(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    result: list[str] = []
    real = status_module._level_document

    def counted(spec: str, *rest: Any) -> dict[str, Any]:
        result.append(spec)
        return real(spec, *rest)

    monkeypatch.setattr(status_module, "_level_document", counted)
    book.read(A, B)
    book.read(A, B)
    assert result == [A]
    book.put("another warning")
    book.read(A)
    book.status.note(LevelResult("a", A, "failed"))
    assert book.levels(A) == {A: ("a", "failed")}
    book.read(A, preserved={A: ("t/a.tmj",)})
    assert result == [A, A, A, A]
    book.status.keep([B])
    book.read(A)
    assert result == [A, A, A, A, A]


def test_the_seconds_are_those_since_the_batch_began(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(status_module.time, "perf_counter", lambda: now)
    book.status = Status()
    now = 102.5
    assert book.read()["seconds"] == 2.5
    book.status.begin()
    now = 103.00000049
    assert book.read()["seconds"] == 0.5


def test_a_disk_that_refuses_the_status_stops_nothing(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = book.read(A)

    def refuse(*_: object) -> None:
        raise StoreError("status.json: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(book.store.statuses, "write", refuse)
        book.put("refused")
        assert book.read(A) == before
    # The pending status is written when the disk takes it.
    book.read(A)
    assert read_levels(book.store.root)[0]["warnings"] == ["refused"]


@pytest.mark.parametrize("link_path", ["levels", "status.json"])
def test_status_files_are_not_written_through_links(book: Book, link_path: str) -> None:
    outside = book.store.root / "outside"
    outside.mkdir()
    book.store.state.joinpath(link_path).symlink_to(outside)
    with book.store:
        book.status.write(book.store, [A])
    assert list(outside.iterdir()) == []


def test_one_save_among_many_levels_writes_little(tmp_path: Path) -> None:
    game = Game(tmp_path / "game")
    for number in range(40):
        game.write(f"level_{number}", seed=number)
    export = game.open()
    game.batch(export)
    before = sizes(game.root)
    game.write("level_7", seed=100)
    game.batch(export)
    after = sizes(game.root)
    changed = [name for name in after if after[name] != before.get(name)]
    own = [level_status_name("levels/level_7.level.yaml")]
    assert [Path(name).name for name in changed if "levels/" in name] == own
    assert (game.root / ".exporter" / "status.json").stat().st_size < 10_000
    game.write("level_7", seed=100, more="nonsense: 1\n")
    game.batch(export)
    broken = sizes(game.root)
    changed = [name for name in broken if broken[name] != after[name] and "levels/" in name]
    assert [Path(name).name for name in changed] == own


def sizes(root: Path) -> dict[str, tuple[int, int]]:
    """Return size and inode of every status file."""
    state = root / ".exporter"
    paths = [state / "status.json", *(state / "levels").iterdir()]
    result: Callable[[Path], os.stat_result] = os.stat
    return {str(path): (result(path).st_size, result(path).st_ino) for path in paths}


def test_a_level_that_is_renamed_or_left_out_leaves_no_file(tmp_path: Path) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    game.write("b", seed=2)
    game.export()
    assert [read_level["level"] for read_level in read_levels(game.root)] == ["a", "b"]
    game.spec("a").rename(game.spec("c"))
    game.export()
    assert [read_level["level"] for read_level in read_levels(game.root)] == ["b", "c"]
    game.spec("b").unlink()
    game.export()
    assert [read_level["level"] for read_level in read_levels(game.root)] == ["c"]


def test_an_upgrade_writes_the_files_of_all_levels(tmp_path: Path) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    game.export()
    state = game.root / ".exporter"
    for path in (state / "levels").iterdir():
        path.unlink()
    (state / "levels").rmdir()
    old = {"version": 1, "levels": [{"level": "a", "status": "built"}]}
    (state / "status.json").write_text(json.dumps(old))
    assert game.export()["a"].status == "unchanged"
    assert [read_level["status"] for read_level in read_levels(game.root)] == ["built"]
    assert read_status(game.root)["files"] == [FILE_A]
