"""Build the chosen levels of a pack completely, each into its blob."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from exporter.blob import UnstorableError, level_chunks, with_readable_sight, write_container
from exporter.build.build import Build
from exporter.build.requirements import check_blob
from exporter.explore.candidates import Candidate, settings_of
from exporter.explore.judging import SearchPlan
from exporter.model.errors import ParameterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.packs.plan import PackPlan, PackProfile, PackSight
from exporter.reading.level_spec import LevelSpec

# The blob of a level, or why it has none.
BuiltLevel = tuple[bytes | None, str]


@dataclass(frozen=True, slots=True)
class WholeLevels(SearchPlan):
    """How the chosen candidates are built into blobs.

    Attributes:
        sight: See `PackPlan`.
        profile: See `PackPlan`.
    """

    sight: PackSight = "none"
    profile: PackProfile = "small"

    @classmethod
    def of(cls, pack: PackPlan) -> WholeLevels:
        """Return how the levels of a planned pack are built."""
        search = pack.search
        return cls(pack.spec, search.root, (), search.varied, True, pack.sight, pack.profile)

    @property
    def batch(self) -> int:
        """How many levels to build at once: few, since the last may be unneeded."""
        return 4

    def judge(
        self, build: Callable[[LevelSpec, Path | None], Build] = Build
    ) -> Callable[[Candidate], BuiltLevel]:
        """Return a function that builds the blob of a candidate."""
        trials = self.trials(build)

        def built(candidate: Candidate) -> BuiltLevel:
            try:
                spec = trials.level_spec(candidate.seed, settings_of(candidate, self.varied))
                level, _ = build(spec, self.root).level()
                check_blob(spec, level)
                level = level.exported()
                if self.sight != "full":
                    level = replace(level, visibility=None)
                # Its texts are inflated again for what they share with others.
                deflate = partial(zlib.compress, level=1)
                chunks = level_chunks(with_readable_sight(level), 0, self.profile, deflate=deflate)
                return write_container(chunks), ""
            except SpecError as error:
                return None, error.problems[0].message
            except (ParameterError, UnstorableError) as error:
                return None, str(error)

        return built
