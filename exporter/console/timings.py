"""Report how long each build stage of each level took (`--timings`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exporter.export.stage_clock import Timings
from exporter.model.texts import duration

TOTAL = "total"
_HEAD = ("level", "stage", "milliseconds")


def timings_table(levels: Iterable[tuple[str, Timings]]) -> list[str]:
    """Return a table as lines: the milliseconds of each stage of each level.

    With several levels, rows with the sums over all levels follow. `levels` has the name of each
    level, with the seconds of its stages in order.
    """
    rows: list[tuple[str, str, str]] = [_HEAD]
    stages: dict[str, float] = {}
    count = 0
    for name, timings in levels:
        if not timings:
            continue
        count += 1
        rows += _rows(name, timings)
        for stage, seconds in timings:
            kind = stage.partition(" ")[0]
            stages[kind] = stages.get(kind, 0.0) + seconds
    if not count:
        return []
    if count > 1:
        rows += _rows("all levels", [*stages.items()])
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        f"{level:<{widths[0]}}  {stage:<{widths[1]}}  {figure:>{widths[2]}}"
        for level, stage, figure in rows
    ]


def timings_line(timings: Timings) -> str:
    """Return the stages of one level's build with their times, as one line."""
    return ", ".join(f"{stage} {duration(seconds)}" for stage, seconds in timings)


def timings_report(timings: Timings) -> list[dict[str, str | float]]:
    """Return the stages of one level's build with their seconds, as JSON data."""
    return [{"stage": stage, "seconds": round(seconds, 6)} for stage, seconds in timings]


def _rows(level: str, timings: Sequence[tuple[str, float]]) -> list[tuple[str, str, str]]:
    """Return the rows of one level: one for each stage, then one for the sum.

    Only the first row has the level's name.
    """
    whole = [*timings, (TOTAL, sum(seconds for _, seconds in timings))]
    return [
        (level if number == 0 else "", stage, f"{seconds * 1000:.1f}")
        for number, (stage, seconds) in enumerate(whole)
    ]
