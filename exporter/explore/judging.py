"""Build and measure candidates, in one or several processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from exporter.build.build import Build
from exporter.build.trials import Trials
from exporter.explore.candidates import Candidate, settings_of
from exporter.explore.processes import Crew
from exporter.explore.varying import VariedParameter
from exporter.measures.names import NamedMetric, named_metrics
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.level_spec import LevelSpec

# How many candidates go to a process at once: enough that they take longer than sending them.
_BATCH = 32
# More processes than this only take memory.
_MOST_FOR_EACH_PROCESSOR = 4


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How the candidates of a search are built, and what is measured.

    Attributes:
        spec: The spec.
        root: The folder that input files must lie in; None for the spec's own folder.
        metrics: The names of the metrics to measure.
        varied: The parameters that are varied.
        whole: Whether to build all that an export builds, not only what the metrics need.
    """

    spec: LevelSpec
    root: Path | None
    metrics: tuple[str, ...] = ()
    varied: tuple[VariedParameter, ...] = ()
    whole: bool = False

    def trials(self, build: Callable[[LevelSpec, Path | None], Build] = Build) -> Trials:
        """Return the object that builds and measures the candidates.

        `build` begins the build of a level, given its spec and the folder of its input files.
        """
        refers = any(item.refers for item in self.varied)
        return Trials(
            self.spec, self.named(), build, self.root, whole=self.whole, all_layers=refers
        )

    @property
    def batch(self) -> int:
        """How many candidates to send at once to a process or machine."""
        return _BATCH

    def judge(
        self, build: Callable[[LevelSpec, Path | None], Build] = Build
    ) -> Callable[[Candidate], Any]:
        """Return the function that builds and measures a candidate.

        `build` begins the build of a level, given its spec and the folder of its input files.
        """
        trials = self.trials(build)
        return lambda candidate: trials.run(candidate.seed, settings_of(candidate, self.varied))

    def named(self) -> tuple[NamedMetric, ...]:
        """Return the metrics to measure, each with its name and argument."""
        return tuple(named_metrics(self.metrics))


class Judging(Protocol):
    """Builds and measures candidates, for use in a `with` block."""

    def __enter__(self) -> Judging:
        """Return itself."""

    def __exit__(self, *_: object) -> None:
        """Stop building."""

    def judged(self, candidates: Iterable[Candidate]) -> Iterator[Any]:
        """Yield the result of each candidate, in the order of `candidates`."""


# Makes the object that builds and measures the candidates of a plan.
MakeJudges = Callable[[SearchPlan], Judging]


class Judges:
    """Builds and measures candidates in processes of this machine.

    Args:
        plan: How candidates are built and measured.
        jobs: The number of processes; with 1, this process does all the work.
    """

    def __init__(self, plan: SearchPlan, jobs: int = 1) -> None:
        self._plan = plan
        self._jobs = jobs
        self._judge = plan.judge() if jobs <= 1 else None
        self._crew: Crew[list[Candidate], list[Any]] | None = None

    def __enter__(self) -> Judges:
        return self

    def __exit__(self, *_: object) -> None:
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def judged(self, candidates: Iterable[Candidate]) -> Iterator[Any]:
        """Yield the result of each candidate, in the order of `candidates`."""
        if self._judge is not None:
            yield from map(self._judge, candidates)
            return
        if self._crew is None:
            self._crew = Crew(self._jobs, prepared, self._plan)
        for results in self._crew.results(batches(candidates, self._plan.batch)):
            yield from results


def prepared(plan: SearchPlan) -> Callable[[Sequence[Candidate]], list[Any]]:
    """Return the function that builds and measures a batch of candidates."""
    judge = plan.judge()
    return lambda candidates: [judge(candidate) for candidate in candidates]


def sensible_jobs(
    levels: int, seconds_each: float, jobs: int | None, at_once: int | None = None
) -> int:
    """Return how many processes to use for building a number of levels.

    The built levels do not depend on this number.

    Args:
        levels: The number of levels to build.
        seconds_each: The estimated seconds for one level.
        jobs: The number that the user chose; it is lowered for few levels or processors. None to
            choose here.
        at_once: After how many levels the processes wait for each other; None for never.
    """
    if jobs is not None:
        batches = -(-(at_once or levels) // _BATCH)
        return max(1, min(jobs, batches, _MOST_FOR_EACH_PROCESSOR * (os.cpu_count() or 1)))
    # Starting processes takes about as long as a second of work.
    return (os.cpu_count() or 1) if levels * seconds_each > 2 else 1


def batches(candidates: Iterable[Candidate], size: int) -> Iterator[list[Candidate]]:
    """Yield candidates in lists of `size`; the last one may be shorter."""
    source = iter(candidates)
    while batch := list(islice(source, size)):
        yield batch
