"""Looks at candidates, here or in several processes, and returns what was found in their order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from exporter.metrics._names import NamedMetric, named_metrics
from exporter.pipeline.build import Build
from exporter.pipeline.trials import Trials, Tried
from exporter.reading.level_spec import LevelSpec
from exporter.search.candidates import Candidate, settings_of
from exporter.search.varying import VariedParameter

# So many candidates go to a process at once.
_BATCH = 32
# So many batches wait for each process: it never idles, and an interruption loses little.
_AHEAD = 3
_PRELOADED = ["exporter.pipeline.build", "exporter.search.judging"]


@dataclass(frozen=True, slots=True)
class Plan:
    """How the candidates of a search are built and measured.

    Attributes:
        spec: The spec.
        root: The folder its input files must lie in; None for its own.
        metrics: The names of what is measured.
        varied: The parameters that are varied.
        whole: Whether everything is built that an export would build.
    """

    spec: LevelSpec
    root: Path | None
    metrics: tuple[str, ...] = ()
    varied: tuple[VariedParameter, ...] = ()
    whole: bool = False

    def trials(self) -> Trials:
        """Return what builds and measures the levels."""
        return Trials(self.spec, self.named(), Build, self.root, whole=self.whole)

    def named(self) -> tuple[NamedMetric, ...]:
        """Return what is measured."""
        return tuple(named_metrics(self.metrics))


class Judges:
    """Builds and measures candidates.

    Args:
        plan: How.
        jobs: In how many processes; 1 is this one.
    """

    def __init__(self, plan: Plan, jobs: int = 1) -> None:
        self._plan = plan
        self._jobs = jobs
        self._trials = plan.trials()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Judges:
        """Return the judges; leaving the block ends their processes."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()  # what they are at is of no use to anybody
            self._pool = None

    def judged(self, candidates: Iterable[Candidate]) -> Iterator[Tried]:
        """Yield what becomes of each candidate, in their order."""
        if self._jobs <= 1:
            for candidate in candidates:
                yield _judge(self._trials, self._plan, candidate)
            return
        if self._pool is None:
            self._pool = self._started()
        waiting: deque[Future[list[Tried]]] = deque()
        source = iter(candidates)
        while True:
            while len(waiting) < self._jobs * _AHEAD:
                batch = list(islice(source, _BATCH))
                if not batch:
                    break
                waiting.append(self._pool.submit(_judge_batch, batch))
            if not waiting:
                return
            yield from waiting.popleft().result()

    def _started(self) -> ProcessPoolExecutor:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            context.set_forkserver_preload(_PRELOADED)
        return ProcessPoolExecutor(self._jobs, context, _begin, (self._plan,))


def sensible_jobs(levels: int, seconds_each: float, jobs: int | None) -> int:
    """Return in how many processes to look at so many levels, if the user has not said."""
    if jobs is not None:
        return jobs
    # Starting processes takes about as long as a second of work.
    return (os.cpu_count() or 1) if levels * seconds_each > 2 else 1


def _judge(trials: Trials, plan: Plan, candidate: Candidate) -> Tried:
    return trials.run(candidate.seed, settings_of(candidate, plan.varied))


_working: tuple[Plan, Trials] | None = None


def _begin(plan: Plan) -> None:
    """Prepare a process: interrupts are for the one that started it."""
    global _working
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _working = plan, plan.trials()


def _judge_batch(candidates: Sequence[Candidate]) -> list[Tried]:
    assert _working is not None
    plan, trials = _working
    return [_judge(trials, plan, candidate) for candidate in candidates]
