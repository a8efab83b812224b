"""The figures of the progress bar: honest from the first level to the last."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.console.progress import ProgressBar, progress_line, remaining


def test_nothing_is_promised_before_there_is_something_to_count_on() -> None:
    assert progress_line(0, 12, 40.0, []) == "[" + "." * 24 + "] 0 of 12 levels"
    assert "left" not in progress_line(1, 12, 40.0, [])
    assert "left" not in progress_line(5, 12, 0.5, [])


def test_rate_and_rest_follow_from_all_that_is_done() -> None:
    line = progress_line(3, 12, 2.0, ["crypt: layer relief 4 s", "cave: sight 1 s"])
    assert line == (
        "[######..................] 3 of 12 levels, 1.5 levels/s, 6 s left; crypt: layer relief 4 s"
    )


def test_a_long_level_makes_the_estimate_longer() -> None:
    assert "6 s left" in progress_line(3, 12, 2.0, [])
    assert "60 s left" not in progress_line(3, 12, 20.0, [])
    assert "9.0 levels/min, 1 min left" in progress_line(3, 12, 20.0, [])


@each_case(
    ("seconds", "said"),
    [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min"), (3599, "1 h 0 min"), (7800, "2 h 10 min")],
)
def test_estimates_are_no_more_exact_than_they_are(seconds: float, said: str) -> None:
    assert remaining(seconds) == said


def test_parts_of_worlds_have_a_rate_and_memory_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bar = ProgressBar(enabled=False)
    now = [100.0]
    monkeypatch.setattr("exporter.console.progress.monotonic", lambda: now[0])
    bar.stage("cavern", "levels/cavern.level.yaml", "survey")
    now[0] = 160.0
    bar.update(0, 1, (0, 400), 0)
    now[0] = 170.0
    bar.update(0, 1, (40, 400), 180_000_000)
    line = bar._line(now[0])
    assert "40 of 400 parts, 4.0 parts/s, 2 min left; 180 MB; cavern: survey" in line
    bar.update(1, 3)
    assert "1 of 3 levels" in bar._line(now[0])


def test_surveys_have_a_rate_from_their_own_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = ProgressBar(enabled=False)
    now = [100.0]
    monkeypatch.setattr("exporter.console.progress.monotonic", lambda: now[0])
    bar.stage("cavern", "levels/cavern.level.yaml", "survey")
    for seconds, done in (
        (100.0, 0),
        (110.0, 0),
        (120.0, 40),
        (130.0, 128),
        (200.0, 0),
        (208.0, 4),
    ):
        now[0] = seconds
        bar.update(0, 1, memory=170_000_000, surveys=(done, 128))
        if done == 40:
            assert "40 of 128 rows, 2.0 rows/s, 44 s left; 170 MB; cavern" in bar._line(now[0])
    assert "4 of 128 rows, 30.0 rows/min, 4 min left" in bar._line(now[0])
    bar.update(0, 1, (0, 400), 170_000_000)
    assert "0 of 400 parts" in bar._line(now[0])


def test_memory_lies_in_80_columns_beside_the_largest_figures() -> None:
    line = progress_line(12_345, 65_536, 40_000.0, ["w: part 2 s"], "parts", 2_800_000_000)
    assert "2800 MB" in line[:77]
