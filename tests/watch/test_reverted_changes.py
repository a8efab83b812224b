"""Reports of a watch when a mistake is undone, on a clock that the test moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exporter.console.text import TextReporter
from exporter.export.events import Event, LevelResult, ProjectProblems, Recovered
from simulated_watch import SimulatedWatch

A = "levels/a.level.yaml"
WRONG = "size: [8, 8]\nlayers: {ground: {generator: caves}}\n"


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedWatch]:
    simulated_watch = SimulatedWatch(tmp_path / "game", monkeypatch)
    yield simulated_watch
    simulated_watch.close()


def messages_of(events: list[tuple[float, Event]], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the standard output, line by line, without the times of day."""
    capsys.readouterr()
    reporter = TextReporter(watching=True)
    for _, event in events:
        reporter.report(event)
    lines = capsys.readouterr().out.splitlines()
    return [re.sub(r"^[0-9:]{8} ", "", line) for line in lines]


def level(watch: SimulatedWatch, name: str = "a") -> dict[str, Any] | None:
    result = [item for item in watch.levels() if item["level"] == name]
    return result[0] if result else None


def test_a_mistake_that_is_undone_is_reported_and_leaves_the_status(
    watch: SimulatedWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = watch.spec("a").read_text()
    states: list[dict[str, Any] | None] = []
    watch.at(1.0, lambda: watch.spec("a").write_text(WRONG), watch.announce)
    watch.at(2.0, lambda: states.append(level(watch)))
    watch.at(2.0, lambda: watch.spec("a").write_text(good), watch.announce)
    watch.at(3.0, lambda: states.append(level(watch)))
    watch.run(3.5)
    failed, again = states
    assert failed is not None
    assert again is not None
    assert failed["status"] == "failed"
    assert [item["line"] for item in failed["errors"]] == [2]
    assert (again["status"], again["errors"]) == ("built", [])
    assert watch.of(Recovered) == [Recovered("a", A)]
    assert "a: ok again" in messages_of(watch.events, capsys)


def test_a_mistake_that_is_mended_otherwise_is_built(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.spec("a").write_text(WRONG), watch.announce)
    watch.at(2.0, lambda: watch.save("a", seed=9))
    watch.run(3.0)
    assert [state for _, state in watch.results("a")][-2:] == ["failed", "built"]
    assert watch.of(Recovered) == []
    result = level(watch)
    assert result is not None
    assert (result["status"], result["errors"]) == ("built", [])


def test_a_wrong_spec_that_is_deleted_is_reported_removed_and_leaves_the_status(
    watch: SimulatedWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    states: list[dict[str, Any] | None] = []
    watch.at(1.0, lambda: watch.spec("b").write_text(WRONG), watch.announce)
    watch.at(2.0, lambda: states.append(level(watch, "b")))
    watch.at(2.0, watch.spec("b").unlink, watch.announce)
    watch.at(9.0, lambda: states.append(level(watch, "b")))
    watch.run(9.5)
    assert states[0] is not None
    assert states[0]["status"] == "failed"
    assert states[1] is None
    assert [(item.level, item.was_deleted) for item in watch.of(Recovered)] == [("b", True)]
    assert "b: gone" in messages_of(watch.events, capsys)


def test_wrong_settings_that_are_undone_are_reported(
    watch: SimulatedWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = watch.root / "exporter.yaml"
    good = settings.read_text()
    watch.at(1.0, lambda: settings.write_text("targets: {}\n"), watch.announce)
    watch.at(3.0, lambda: settings.write_text(good), watch.announce)
    watch.run(4.0)
    assert "exporter.yaml: ok again" in messages_of(watch.events, capsys)
    assert watch.status()["errors"] == []


def test_a_mistake_that_stays_is_reported_once(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.spec("a").write_text(WRONG), watch.announce)
    watch.at(2.0, watch.announce)
    watch.at(3.0, watch.announce)
    watch.run(4.0)
    failures = [item for item in watch.of(LevelResult) if item.status == "failed"]
    assert len(failures) == 1


def test_a_file_that_no_glob_matches_is_reported_once_and_in_the_status(
    watch: SimulatedWatch,
) -> None:
    unmatched = watch.root / "levels" / "b.level.yml"
    watch.at(1.0, lambda: unmatched.write_text(WRONG), watch.announce)
    watch.at(2.0, watch.announce)
    watch.run(3.0)
    problems = [problem for event in watch.of(ProjectProblems) for problem in event.problems]
    assert len(problems) == 1
    assert problems[0].severity == "warning"
    assert problems[0].message.endswith("(rename it to b.level.yaml?)")


def test_a_project_that_loses_its_only_spec_is_reported(watch: SimulatedWatch) -> None:
    watch.at(1.0, watch.spec("a").unlink, watch.announce)
    watch.run(9.0)
    problems = [problem for event in watch.of(ProjectProblems) for problem in event.problems]
    assert [problem.message.split(" (")[0] for problem in problems] == [
        "no level spec matches `levels: levels/**/*.level.yaml`"
    ]


def test_specs_that_are_away_for_a_moment_are_reported_and_then_well_again(
    watch: SimulatedWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, away = watch.spec("a"), watch.spec("a").with_suffix(".away")
    errors: list[list[dict[str, Any]]] = []
    watch.at(1.0, lambda: spec.rename(away), watch.announce)
    watch.at(2.0, lambda: errors.append(watch.status()["errors"]))
    watch.at(3.0, lambda: away.rename(spec), watch.announce)
    watch.at(4.0, lambda: errors.append(watch.status()["errors"]))
    watch.run(4.5)
    assert ["no level spec matches" in item["message"] for item in errors[0]] == [True]
    assert errors[1] == []
    assert "level specs: ok again" in messages_of(watch.events, capsys)
