"""The status file: what the last batch did, and how every level stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from exporter import __version__
from exporter.export import status as status_module
from exporter.export.events import LevelResult
from exporter.export.status import Status
from exporter.model.errors import Problem, StoreError
from exporter.store.manifest import Entry, Output
from exporter.store.store import Store

NO = Problem("no", "levels/b.level.yaml", 2, 3)
A, B = "levels/a.level.yaml", "levels/b.level.yaml"
OUTPUT = Output("t/a.tmj", "map", None, "tiled", 5, "hash")


class Book:
    """A status over a store with one exported level."""

    def __init__(self, root: Path) -> None:
        self.store = Store(root, root / ".exporter")
        self.status = Status()
        self.put("too large")

    def put(self, *warnings: str) -> None:
        with self.store:
            self.store.manifest.put(
                Entry(A, "a", "key", outputs=(OUTPUT,), warnings=tuple((w, 1, 1) for w in warnings))
            )

    def read(self, *specs: str) -> dict[str, Any]:
        with self.store:
            self.status.write(self.store, list(specs))
        document: dict[str, Any] = json.loads((self.store.state / "status.json").read_text())
        return document

    def levels(self, *specs: str) -> dict[str, tuple[str, str]]:
        return {one["spec"]: (one["level"], one["status"]) for one in self.read(*specs)["levels"]}


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def test_a_batch_is_told_with_every_level(book: Book) -> None:
    book.status.changed = True
    book.status.problems = (Problem("odd", "exporter.yaml"),)
    book.status.note(
        LevelResult("a", A, "built", 0.12345678, written=("t/a.tmj",), causes=("x.png",))
    )
    book.status.note(LevelResult("b", B, "failed", problems=(NO,)))
    document = book.read(A, B)
    assert list(document) == [
        "version",
        "exporter",
        "finished",
        "changed",
        "seconds",
        "errors",
        "batch",
        "levels",
    ]
    assert (document["version"], document["exporter"]) == (1, __version__)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["finished"])
    assert document["changed"] is True
    assert document["errors"] == [
        {"file": "exporter.yaml", "line": 1, "column": 1, "message": "odd"}
    ]
    assert document["batch"] == [
        {
            "level": "a",
            "spec": A,
            "status": "built",
            "causes": ["x.png"],
            "written": ["t/a.tmj"],
            "seconds": 0.123457,
        },
        {"level": "b", "spec": B, "status": "failed", "causes": [], "written": [], "seconds": 0},
    ]
    assert document["levels"] == [
        {
            "level": "a",
            "spec": A,
            "status": "built",
            "errors": [],
            "warnings": ["too large"],
            "outputs": ["t/a.tmj"],
            "kept": [],
            "complete": True,
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
        },
    ]


def test_the_next_batch_begins_empty_and_failures_stay(book: Book) -> None:
    book.status.changed = True
    book.status.problems = (NO,)
    book.status.note(LevelResult("a", A, "built"))
    book.status.note(LevelResult("b", B, "failed", problems=(NO,)))
    book.read(A, B)
    book.status.begin()
    document = book.read(A, B)
    assert (document["changed"], document["errors"], document["batch"]) == (False, [], [])
    assert book.levels(A, B) == {A: ("a", "unchanged"), B: ("b", "failed")}


def test_a_failure_that_was_taken_back_leaves_the_level_as_it_was(book: Book) -> None:
    book.status.note(LevelResult("new", A, "failed", problems=(NO,)))
    assert book.levels(A) == {A: ("new", "failed")}
    book.status.settle(A)
    book.status.settle(B)
    assert book.levels(A) == {A: ("a", "unchanged")}


def test_a_level_of_which_nothing_is_known_is_not_there(book: Book) -> None:
    assert book.levels() == {}
    assert book.levels(B) == {}
    assert book.levels(A, B) == {A: ("a", "unchanged")}


def test_specs_that_are_gone_are_forgotten(book: Book) -> None:
    for spec in (A, B):
        book.status.note(LevelResult("x", spec, "failed", problems=(NO,)))
    book.read(A, B)
    book.status.keep([A])
    assert book.levels(A, B) == {A: ("x", "failed")}


def test_the_text_of_a_level_is_made_anew_only_when_something_about_it_changed(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = status_module._level_document

    def counted(spec: str, *rest: Any) -> dict[str, Any]:
        made.append(spec)
        return real(spec, *rest)

    monkeypatch.setattr(status_module, "_level_document", counted)
    book.read(A, B)
    book.read(A, B)
    assert made == [A]
    book.put("another warning")
    assert book.read(A)["levels"][0]["warnings"] == ["another warning"]
    book.status.note(LevelResult("a", A, "built"))
    assert book.levels(A) == {A: ("a", "built")}
    assert made == [A, A, A]
    book.status.keep([B])
    book.read(A)
    assert made == [A, A, A, A]


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

    def refuse(_text: str) -> None:
        raise StoreError("status.json: No space left on device")

    monkeypatch.setattr(book.store, "write_status", refuse)
    assert book.read(B) == before
