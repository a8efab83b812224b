"""Every reporter reports the same: text, JSON document, JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from cases import each_case
from exporter.console.json_reports import JsonDocument, JsonLines
from exporter.console.text import OutputOptions, TextReporter
from exporter.export.events import (
    BatchDone,
    Building,
    DroppedTarget,
    Event,
    Finished,
    Interrupted,
    LevelResult,
    PreservedOutputs,
    Progress,
    ProjectProblems,
    Ready,
    Reason,
    Recovered,
    Refusal,
    Remark,
    Removal,
    Stale,
    Upkeep,
)
from exporter.export.export import export_project
from exporter.export.settings import Settings
from exporter.model.errors import Problem, SpecError

WARNING = Problem("too large", "cave.level.yaml", severity="warning")
FAILED = LevelResult("cave", "levels/cave.level.yaml", "failed", problems=(Problem("no", "c"),))
BUILT = LevelResult("cave", "levels/cave.level.yaml", "built", warnings=(WARNING,))
REMOVAL = Removal(
    "old", "levels/old.level.yaml", ("t/old.tmj",), ("t/old.tileset.tsj",), held=("t/old.png",)
)
# For each kind of event, an example and the words that must appear in its report.
EVENTS: list[tuple[Event, list[str]]] = [
    (FAILED, ["no"]),
    (BUILT, ["cave", "too large"]),
    (REMOVAL, ["old", "t/old.tmj", "t/old.tileset.tsj", "t/old.png"]),
    (PreservedOutputs("cave", "levels/cave.level.yaml", ("t/cave.tmj",)), ["t/cave.tmj"]),
    (Stale(("t/gone.tmj", "t/gone.tileset.tsj")), ["t/gone.tmj", "t/gone.tileset.tsj"]),
    (Upkeep(("a/plugin.cfg",), ("a/plugin.gd",)), ["plugin", "a/plugin.gd"]),
    (Refusal((Problem("no targets", "exporter.yaml"),)), ["no targets"]),
    (Remark("changes are not announced"), ["not announced"]),
    (DroppedTarget("unity", 12), ["unity", "12"]),
    (ProjectProblems((WARNING,)), ["too large"]),
    (Recovered("cave", "levels/cave.level.yaml"), ["cave"]),
]


def output_of(reporter: Any, events: list[Event], capsys: pytest.CaptureFixture[str]) -> str:
    for event in events:
        reporter.report(event)
    captured = capsys.readouterr()
    return captured.out + captured.err


@each_case(("event", "words"), EVENTS)
def test_every_reporter_tells_it(
    event: Event, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    results = [event] if isinstance(event, LevelResult) else []
    ending: list[Event] = [] if isinstance(event, Refusal) else [Finished(results)]
    # Only a watch reports that a mistake was undone: other commands give a fresh answer each time.
    watching = (TextReporter(watching=True), JsonLines())
    once = () if isinstance(event, Recovered) else (TextReporter(), JsonDocument())
    for reporter in (*watching, *once):
        text = output_of(reporter, [event, *ending], capsys)
        assert all(word in text for word in words), (type(reporter).__name__, text)


def test_every_kind_of_event_is_here() -> None:
    # Progress, and its end; tested elsewhere.
    silent = {Progress, Building, Ready, Finished, BatchDone, Interrupted}
    assert {type(event) for event, _ in EVENTS} | silent == set(get_args(Event))


def test_lines_tell_how_far_a_long_stage_is(capsys: pytest.CaptureFixture[str]) -> None:
    stages = ("pack", "pack: 612 of 1,000 levels", "")
    events = [Building("cave", "levels/cave.level.yaml", stage) for stage in stages]
    (line,) = output_of(JsonLines(), events, capsys).splitlines()
    assert json.loads(line) == {
        "event": "building", "level": "cave", "spec": "levels/cave.level.yaml", "stage": stages[1],
    }  # fmt: skip


def test_a_document_is_printed_once_and_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = JsonDocument()
    for event in (Progress(0, 1), BUILT, Progress(1, 1), REMOVAL):
        reporter.report(event)
    assert capsys.readouterr().out == ""
    reporter.report(Finished([BUILT]))
    document = json.loads(capsys.readouterr().out)
    assert [level["level"] for level in document["levels"]] == ["cave"]
    assert document["removed"] == [
        {
            "level": "old",
            "spec": "levels/old.level.yaml",
            "paths": ["t/old.tmj"],
            "removed": ["t/old.tmj"],
            "kept": ["t/old.tileset.tsj"],
            "held": ["t/old.png"],
            "reason": "spec gone",
        }
    ]


def test_a_dry_run_says_what_it_would_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert "would be built" not in output_of(TextReporter(dry_run=True), [REMOVAL, BUILT], capsys)
    text = output_of(
        TextReporter(OutputOptions(verbose=True), dry_run=True), [REMOVAL, BUILT], capsys
    )
    assert "would remove 1 file" in text
    assert "would be built, without any change of its files" in text
    assert "  t/old.tmj" in text


def test_an_edited_output_of_a_removed_spec_is_reported_by_export(tmp_path: Path) -> None:
    (tmp_path / "exporter.yaml").write_text("targets:\n  tiled: {path: t, blob: false}\n")
    spec = tmp_path / "levels" / "cave.level.yaml"
    spec.parent.mkdir()
    spec.write_text("size: [8, 8]\nlayers: {ground: {generator: cellular_caves}}\n")
    events: list[Event] = []

    class Listener:
        def report(self, event: Event) -> None:
            events.append(event)

    export_project(tmp_path, Settings(), Listener())
    (tmp_path / "t" / "cave.tmj").write_text("mine")
    spec.unlink()
    export_project(tmp_path, Settings(), Listener())
    (removal,) = [event for event in events if isinstance(event, Removal)]
    assert removal.preserved == ("t/cave.tmj",)
    assert "t/cave.ground.png" in removal.paths
    assert (tmp_path / "t" / "cave.tmj").read_text() == "mine"


def test_a_wrong_project_is_reported_before_it_is_raised(tmp_path: Path) -> None:
    (tmp_path / "exporter.yaml").write_text("targets: {}\n")
    events: list[Event] = []

    class Listener:
        def report(self, event: Event) -> None:
            events.append(event)

    with pytest.raises(SpecError):
        export_project(tmp_path, Settings(), Listener())
    assert [type(event) for event in events] == [Refusal]


@pytest.mark.parametrize(
    ("reason", "way_out"), [("spec gone", True), ("stale", True), ("cleaned", False)]
)
def test_a_preserved_file_that_nothing_writes_any_more_is_left_to_its_owner(
    capsys: pytest.CaptureFixture[str], reason: Reason, way_out: bool
) -> None:
    text = output_of(TextReporter(), [replace(REMOVAL, reason=reason)], capsys)
    assert "t/old.tileset.tsj: warning: kept: changed since it was written" in text
    assert ("remove it yourself" in text) == way_out
    assert "--overwrite" not in text
