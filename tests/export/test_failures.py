"""Failed levels: new failures, and when to try again."""

from __future__ import annotations

import pytest

from exporter.export import failures as failures_module
from exporter.export.events import LevelResult
from exporter.export.failures import Failure, Failures
from exporter.model.errors import Problem

SPEC = "levels/a.level.yaml"


def result(message: str = "no", spec: str = SPEC) -> LevelResult:
    return LevelResult("a", spec, "failed", problems=(Problem(message, spec),))


@pytest.fixture
def failures() -> Failures:
    return Failures()


def test_a_failure_is_news_once_and_again_with_another_key_or_other_words(
    failures: Failures,
) -> None:
    assert failures.note(Failure(result(), "key", {}), retry=False)
    assert not failures.note(Failure(result(), "key", {}), retry=False)
    assert failures.note(Failure(result(), "other key", {}), retry=False)
    assert failures.note(Failure(result("still no"), "other key", {}), retry=False)
    assert failures.note(Failure(result(spec="levels/b.level.yaml"), "other key", {}), retry=False)


def test_what_is_known_of_a_failure_is_what_was_noted(failures: Failures) -> None:
    inputs = {"levels/map.png": "hash"}
    failures.note(Failure(result(), "key", inputs), retry=False)
    failure = failures.get(SPEC)
    assert failure is not None
    assert (failure.result, failure.key) == (result(), "key")
    assert failure.inputs == {"levels/map.png": "hash"}
    assert failures.inputs() == {"levels/map.png"}
    assert SPEC in failures
    failures.settle(SPEC)
    assert failures.get(SPEC) is None
    assert SPEC not in failures
    failures.settle(SPEC)  # a level that did not fail has nothing to forget


def test_only_the_failures_of_some_specs_are_preserved(failures: Failures) -> None:
    for spec in ("a", "b", "c"):
        failures.note(Failure(result(spec=spec), "key", {spec: ""}), retry=False)
    failures.keep(["b", "d"])
    assert failures.inputs() == {"b"}


def test_a_disk_that_refused_is_requested_again_after_twice_the_pause_each_time(
    failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(failures_module, "monotonic", lambda: now)
    pauses = []
    for _ in range(7):
        failures.note(Failure(result(), "key", {}), retry=True)
        failure = failures.get(SPEC)
        assert failure is not None
        assert failure.retry_at is not None
        pauses.append(failure.retry_at - now)
        assert not failures.any_due()
        now = failure.retry_at
        assert failures.any_due()
    assert pauses == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_a_pause_begins_anew_after_a_failure_of_another_kind(
    failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(failures_module, "monotonic", lambda: now)
    failures.note(Failure(result(), "key", {}), retry=True)
    failures.note(Failure(result("wrong"), "key", {}), retry=False)
    now = 2000.0
    assert not failures.any_due()
    failures.note(Failure(result(), "key", {}), retry=True)
    failure = failures.get(SPEC)
    assert failure is not None
    assert failure.retry_at == 2002.0
