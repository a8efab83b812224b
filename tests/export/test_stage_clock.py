"""The seconds of stages that run one after another or inside each other."""

from __future__ import annotations

import pytest

from exporter.export import stage_clock
from exporter.export.stage_clock import StageClock


class Time:
    """A clock that the test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(stage_clock, "perf_counter", lambda: self.now)


def test_inner_stages_count_for_themselves_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time(monkeypatch)
    reported: list[str] = []
    clock = StageClock(reported.append)
    time.now += 50.0  # before the first stage: counted for none
    with clock("target godot"):
        time.now += 1.0
        with clock("sight"):
            time.now += 2.0
        time.now += 4.0
    time.now += 8.0  # between two stages
    with clock("target godot"):
        time.now += 16.0
    assert clock.timings() == (("target godot", 21.0), ("sight", 2.0))
    assert reported == ["target godot", "sight", "target godot", "", "target godot", ""]


def test_a_stage_that_fails_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time(monkeypatch)
    clock = StageClock()

    def fail() -> None:
        with clock("read"):
            time.now += 3.0
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert clock.timings() == (("read", 3.0),)
