"""The exports of worlds that are under way: which units come next, and what becomes of them.

The plan comes first, then surveys, round after round, then what all parts have in common, the parts
and last the files of the whole. Only so many units are given out at once that all processes have
work: the next one follows when one is done. A part that is stored stays stored: whoever goes on
after an interruption begins with those that are missing.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from exporter.export.job import BuiltLevel, Job
from exporter.export.shards import Shard
from exporter.export.units import Grounds, Plan, Unit
from exporter.model.errors import Problem
from exporter.model.windows import Window
from exporter.store.parts import part_key

if TYPE_CHECKING:
    from exporter.build.world_surveys import Surveyed


@dataclass(slots=True)
class WorldRun:
    """The export of one world.

    Attributes:
        job: The job without a unit.
        plan: How the world is made.
        level: Its name.
        is_current: Whether a part, by its column and row, is stored already.
        at_once: How many units are given out at the same time.
        shard: The share of the parts that is made; then no files of the whole are. None for all.
        count: How many parts are missing at the beginning.
        done: How many of them are stored by now.
        to_survey: How many rows of parts the survey that runs now looks at; 0 for none.
        surveyed: How many of them are done.
        written: The paths that were written.
        kept: The paths that somebody changed.
        warnings: What targets warned of, in order.
        seconds: What the units took, all together.
        share_done: Whether all parts of the shard are stored.
    """

    job: Job
    plan: Plan
    level: str
    is_current: Callable[[int, int], bool]
    at_once: int
    shard: Shard | None = None
    count: int = 0
    done: int = 0
    to_survey: int = 0
    surveyed: int = 0
    written: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)
    share_done: bool = False
    _known: Surveyed = field(default_factory=dict)
    _found: Surveyed = field(default_factory=dict)
    _grounds: Grounds = field(default_factory=dict)
    _round: int = 0
    _waiting: deque[Unit] = field(default_factory=deque)
    _out: int = 0

    def begin(self) -> list[Job]:
        """Return the first units."""
        return self._next_stage()

    def take(self, built: BuiltLevel) -> list[Job]:
        """Take a unit that is done; return those that can be done now.

        What a survey gives does not depend on the order in which its units end.
        """
        from exporter.build.world_surveys import joined_surveys

        unit = built.job.unit
        assert unit is not None
        assert built.found is not None
        self._out -= 1
        self.seconds += built.seconds
        if unit.kind == "survey":
            self._found = joined_surveys(self._found, built.found.surveyed)
            self.surveyed += 1
        elif unit.kind == "common":
            self._grounds = built.found.grounds
        if self._waiting or self._out:
            return self._given()
        if unit.kind == "survey":
            settle = Unit("settle", survey=unit.survey, known=self._known, found=self._found)
            self._waiting.append(settle)
            self._found = {}
            return self._given()
        if unit.kind == "settle":
            self._known = {**self._known, **built.found.surveyed}
            if built.found.unsettled:
                self._begin_survey(built.found.unsettled)
                return self._given()
            self._round += 1
        return self._next_stage(unit)

    def job_of(self, unit: Unit) -> Job:
        """Return the job of a unit."""
        return replace(self.job, unit=unit)

    def _next_stage(self, last: Unit | None = None) -> list[Job]:
        """Return the units after all those of a stage are done."""
        if self._round < len(self.plan.surveys):
            self._begin_survey(self.plan.surveys[self._round])
        elif last is None or last.kind == "settle":
            self.surveyed = self.to_survey = 0
            self._waiting.append(Unit("common", known=self._known))
        elif last.kind == "common":
            self._waiting.extend(self._missing_parts())
            self.count = len(self._waiting)
            if not self._waiting:
                self._end()
        elif last.kind == "part":
            self._end()
        return self._given()

    def _end(self) -> None:
        """Go on with the files of the whole, after all parts."""
        if self.shard is None:
            self._waiting.append(self._whole())
        else:
            self.share_done = True

    def _is_in_share(self, column: int, row: int) -> bool:
        return self.shard is None or self.shard.has(part_key(self.job.spec, column, row))

    def _begin_survey(self, names: tuple[str, ...]) -> None:
        self._waiting.extend(self._surveys(names))
        self.surveyed, self.to_survey = 0, self.plan.rows

    def _surveys(self, names: tuple[str, ...]) -> Iterable[Unit]:
        """Yield the surveys of all rows of parts.

        Shards that run at the same time begin in different places: what one has surveyed, the
        others find in the store.
        """
        rows = self.plan.rows
        first = 0 if self.shard is None else rows * (self.shard.number - 1) // self.shard.count
        for row in (*range(first, rows), *range(first)):
            known = self._narrowed(self.plan.row_window(row))
            yield Unit("survey", row=row, survey=names, known=known)

    def _narrowed(self, window: Window) -> Surveyed:
        """Return what of the whole concerns some of the cells: units cross process borders."""
        from exporter.build.world_surveys import narrowed_surveys

        return narrowed_surveys(self._known, window, self.plan.reach, self.plan.chunk)

    def _missing_parts(self) -> Iterable[Unit]:
        for row in range(self.plan.rows):
            for column in range(self.plan.columns):
                if self._is_in_share(column, row) and not self.is_current(column, row):
                    known = self._narrowed(self.plan.window(column, row))
                    yield Unit("part", column, row, known=known, grounds=self._grounds)

    def _whole(self) -> Unit:
        middle = self.plan.columns // 2, self.plan.rows // 2
        return Unit("whole", *middle, known=self._known, grounds=self._grounds)

    def _given(self) -> list[Job]:
        jobs = []
        while self._waiting and self._out < self.at_once:
            jobs.append(self.job_of(self._waiting.popleft()))
            self._out += 1
        return jobs
