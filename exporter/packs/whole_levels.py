"""Build the chosen levels of a pack completely, each into a blob."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from exporter.blob import UnstorableError, level_chunks, with_readable_sight, write_container
from exporter.build.build import Build
from exporter.build.requirements import UnmetError, check_blob
from exporter.build.trials import Attempt, Trials
from exporter.explore.candidates import Candidate, settings_of
from exporter.explore.judging import SearchPlan
from exporter.measures.measuring import value_of
from exporter.model.errors import NotMeasurableError, ParameterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.packs.plan import PackPlan, PackProfile, PackSight
from exporter.reading.level_spec import LevelSpec

# The blob of a level, or why it has none.
BuiltLevel = tuple[bytes | None, str]


@dataclass(frozen=True, slots=True)
class WholeLevels(SearchPlan):
    """How the chosen candidates of a pack are built into blobs.

    Attributes:
        sight: What levels store of visibility: `none`, the exposure of each cell, or `full`.
        profile: The codecs of the blobs: for small files, or for fast reading.
    """

    sight: PackSight = "none"
    profile: PackProfile = "small"

    @classmethod
    def of(cls, pack: PackPlan) -> WholeLevels:
        """Return the plan to build the levels that `pack` requests."""
        plan = pack.search.plan
        return cls(pack.spec, plan.root, plan.metrics, plan.varied, True, pack.sight, pack.profile)

    @property
    def batch(self) -> int:
        """How many levels are built at once: few, since the last may be unneeded."""
        return 4

    def judge(
        self, build: Callable[[LevelSpec, Path | None], Build] = Build
    ) -> Callable[[Candidate], Any]:
        """Return a function that builds a candidate and returns a `BuiltLevel`.

        `build` begins the build of a level, given its spec and the folder of its input files.
        """
        whole = self._whole(build)
        return lambda candidate: whole(candidate)[0]

    def _whole(
        self, build: Callable[[LevelSpec, Path | None], Build]
    ) -> Callable[[Candidate], tuple[BuiltLevel, Build | Attempt | None]]:
        """Return a function that builds the blob of a candidate.

        The function also returns the `Build` of the level, an `Attempt` if the level does not meet
        a requirement, or None if the level could not be built. `build` begins a build, given a spec
        and the folder of its input files.
        """
        trials = Trials(self.spec, (), build, self.root, whole=True)

        def whole(candidate: Candidate) -> tuple[BuiltLevel, Build | Attempt | None]:
            finished = None
            try:
                spec = trials.level_spec(candidate.seed, settings_of(candidate, self.varied))
                begun = build(spec, self.root)
                level, _ = begun.level()
                finished = begun
                check_blob(spec, level)
                return (self._blob(level.exported()), ""), finished
            except UnmetError as error:
                return (None, error.problems[0].message), Attempt.unmet(error)
            except SpecError as error:
                return (None, error.problems[0].message), finished
            except (ParameterError, UnstorableError) as error:
                return (None, str(error)), finished

        return whole

    def _blob(self, level: Level) -> bytes:
        if self.sight != "full":
            level = replace(level, visibility=None)
        # Its texts are inflated again for what they share with others.
        deflate = partial(zlib.compress, level=1)
        level = with_readable_sight(level)
        return write_container(level_chunks(level, 0, self.profile, deflate=deflate, quick=True))


@dataclass(frozen=True, slots=True)
class MeasuredLevels(WholeLevels):
    """The plan of a pack that takes all candidates: measure and build at once."""

    def judge(
        self, build: Callable[[LevelSpec, Path | None], Build] = Build
    ) -> Callable[[Candidate], tuple[Attempt, BuiltLevel]]:
        """Return a function that builds a candidate and measures it.

        It returns the measures, an `Attempt`, and the blob, a `BuiltLevel`. `build` begins the
        build of a level, given its spec and the folder of its input files.
        """
        whole, metrics = self._whole(build), self.named()
        measure = SearchPlan(self.spec, self.root, self.metrics, self.varied).judge(build)

        def measured(candidate: Candidate) -> tuple[Attempt, BuiltLevel]:
            built, begun = whole(candidate)
            if isinstance(begun, Attempt):
                return begun, built
            try:
                if begun is not None:
                    level = begun.measured()
                    return Attempt(tuple(value_of(metric, level) for metric in metrics)), built
            except (NotMeasurableError, ParameterError):
                pass
            # Counted and reported as by any search.
            return measure(candidate), built

        return measured
