"""Test how many seeds give levels that meet a spec's requirements."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporter.build.costs import estimated_costs
from exporter.build.seed_search import miss_words
from exporter.build.trials import Attempt, values_by_name
from exporter.explore.bounds import lower_bound, needed_trials
from exporter.explore.candidates import MAXIMUM_BUDGET, spread_candidate
from exporter.explore.journal import Journal, judged
from exporter.explore.judging import Judges, MakeJudges, SearchPlan, sensible_jobs
from exporter.model.errors import ParameterError, Problem
from exporter.model.expression_tree import NoValueError
from exporter.model.expressions import Expression
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import object_names
from exporter.reading.seed_search import metric_expression

# Limit of different reasons that are counted.
_MOST_REASONS = 1000
_FIGURE = re.compile(r"[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Proof:
    """How many of the tried seeds give a level that meets the requirements.

    Attributes:
        tried: How many seeds were tried.
        passed: How many of these seeds give such a level.
        failed: The other seeds, in the order in which they were tried.
        reasons: Why seeds fail, as (text, count) pairs, the most frequent first. Texts that differ
            only in numbers count as one; the first of them is kept.
        at_least: The share of all seeds that must pass; None if all tried seeds must.
    """

    tried: int
    passed: int
    failed: tuple[int, ...]
    reasons: tuple[tuple[str, int], ...]
    at_least: float | None

    @property
    def bound(self) -> float:
        """The lower 95 % confidence bound of the share of all seeds that pass."""
        return lower_bound(self.passed, self.tried) if self.tried else 0.0

    @property
    def holds(self) -> bool:
        """Whether enough seeds pass: all that were tried, or `at_least`."""
        if self.at_least is None:
            return not self.failed
        return self.bound >= self.at_least

    def document(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "tried": self.tried,
            "passed": self.passed,
            "lower_bound": self.bound,
            "at_least": self.at_least,
            "failed": list(self.failed),
            "reasons": [{"reason": text, "count": count} for text, count in self.reasons],
        }


class SeedProver:
    """Tries the seeds of one spec, and records which meet its requirements.

    Args:
        spec: The spec; its own seed is not used.
        seeds: How many seeds to try.
        root: The folder that input files must lie in; None for the spec's own folder.
        where: A condition over metrics that levels must also meet; empty for none.

    Attributes:
        journal: Stores results, so that an interrupted proof can continue.
        progress: Called with the number of tried seeds, and the number of all.

    Raises:
        ExpressionError: `where` is no condition over metrics of such levels.
        ParameterError: `seeds` is out of range.
    """

    def __init__(
        self,
        spec: LevelSpec,
        seeds: int,
        root: Path | None = None,
        where: str = "",
    ) -> None:
        if not 1 <= seeds <= MAXIMUM_BUDGET:
            raise ParameterError(f"{seeds} seeds are out of range (allowed: 1 to {MAXIMUM_BUDGET})")
        self._condition: Expression | None = None
        metrics: tuple[str, ...] = ()
        if where:
            objects = object_names(spec)
            sight = spec.visibility is not None
            self._condition, named = metric_expression(where, "condition", objects, sight=sight)
            metrics = tuple(map(str, named))
        demand = spec.require.seeds if spec.require is not None else None
        self.at_least = demand.at_least if demand is not None else None
        self.plan = SearchPlan(spec.with_seed(0), root, metrics, whole=True)
        self._named = self.plan.named()
        self._seeds = seeds
        self.journal: Journal | None = None
        self.progress: Callable[[int, int], None] | None = None
        self._tried = 0
        self._failed: list[int] = []
        self._reasons: dict[str, tuple[str, int]] = {}

    def run(self, jobs: int | None = None, judges_for: MakeJudges | None = None) -> Proof:
        """Try all seeds, and return the proof.

        After an interruption, `result` returns the proof by the seeds tried so far.

        Args:
            jobs: The number of processes; None chooses.
            judges_for: Makes the object that builds levels on other machines; None to use processes
                of this one.
        """
        spec = self.plan.spec
        seconds = sum(estimated_cost.seconds for estimated_cost in estimated_costs(spec))
        jobs = sensible_jobs(self._seeds, max(seconds, 0.0005), jobs)
        result = judges_for(self.plan) if judges_for is not None else Judges(self.plan, jobs)
        with result as judges:
            candidates = (spread_candidate(spec.level, n, 0) for n in range(self._seeds))
            for _, attempted in judged(judges, candidates, self.journal):
                self._take(attempted)
        return self.result()

    def result(self) -> Proof:
        """Return how many seeds passed and failed so far."""
        reasons = sorted(self._reasons.values(), key=lambda reason: -reason[1])
        passed = self._tried - len(self._failed)
        return Proof(self._tried, passed, tuple(self._failed), tuple(reasons), self.at_least)

    def _take(self, attempt: Attempt) -> None:
        reason = self._failure(attempt)
        if reason:
            self._failed.append(spread_candidate(self.plan.spec.level, self._tried, 0).seed)
            kind = _FIGURE.sub("#", reason)
            if kind in self._reasons or len(self._reasons) < _MOST_REASONS:
                first, count = self._reasons.get(kind, (reason, 0))
                self._reasons[kind] = first, count + 1
        self._tried += 1
        if self.progress is not None:
            self.progress(self._tried, self._seeds)

    def _failure(self, attempt: Attempt) -> str:
        """Return how a level breaks the requirements; empty if it meets them."""
        if attempt.values is None:
            return attempt.failure
        if self._condition is None:
            return ""
        values = values_by_name(self._named, attempt.values)
        try:
            misses = self._condition.misses(values)
        except NoValueError as error:
            return f"the condition has no value: {error}"
        return miss_words(misses, values)


def broken_demand(spec: LevelSpec, proof: Proof) -> Problem | None:
    """Return the problem to report if too few seeds passed, else None.

    `spec` demands a number or share of passing seeds; `proof` has the number that passed.
    """
    if proof.holds:
        return None
    path = ("require", "seeds", "at_least")
    least = f"{proof.at_least:g}" if proof.at_least is not None else "all"
    reason = f"; most often: {proof.reasons[0][0]}" if proof.reasons else ""
    if not proof.failed and proof.at_least is not None:
        needed = needed_trials(proof.at_least)
        reason = f"; set `of` to {needed} or more" if needed else "; no number of seeds shows that"
    message = (
        f"{proof.passed} of {proof.tried} seeds meet the requirements, so at least "
        f"{proof.bound:.4f} of all (required: {least}){reason}"
    )
    return replace(spec.problem(path, message), severity="error")
