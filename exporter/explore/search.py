"""Search for levels: test candidates in order and keep the best.

Without `spread` the parameters of the candidates are evenly spread over their ranges. With it they
come from an archive of different levels (`exporter.explore.archive`), and levels far from each
other are chosen in the end.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from exporter.build.build import Build
from exporter.build.costs import estimated_costs
from exporter.build.dependencies import prune_to_dependencies
from exporter.build.seed_search import miss_words
from exporter.build.trials import Attempt, Trials, values_by_name
from exporter.build.trials import varied as varied_spec
from exporter.explore.archive import (
    GENERATION,
    PARTS,
    Archive,
    Elite,
    Range,
    farthest_first,
    generation,
)
from exporter.explore.candidates import (
    MAXIMUM_BUDGET,
    Candidate,
    parameters_of,
    settings_of,
    spread_candidate,
)
from exporter.explore.journal import Journal, judged
from exporter.explore.judging import Judges, Judging, MakeJudges, Plan, sensible_jobs
from exporter.explore.varying import VariedParameter
from exporter.measures import Number
from exporter.model.errors import ParameterError
from exporter.model.expression_tree import NoValueError, distance_of
from exporter.model.expressions import Expression
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import object_names
from exporter.reading.seed_search import measurable, metric_expression

MAXIMUM_COUNT = 10_000
# An archive of more metrics would have too many niches, and be unreadable.
MAXIMUM_SPREAD = 3
# Measured by default: the certificate has it anyway.
_BY_DEFAULT = ("floor", "farthest", "dead_ends")
# An archive begins with evenly spread candidates: this share of the budget.
_FIRST_SHARE = 10
# Levels found are built completely; for those that then fail, spares are at hand.
_SPARE = 16

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Search:
    """The parameters of a search; made and checked by `search_for`.

    Attributes:
        spec: The spec, with a plain seed.
        root: The folder its input files must lie in; None for its own.
        count: The number of levels to find.
        budget: The limit of tested levels.
        where: The condition that they must meet; None for any.
        varied: The parameters that are varied.
        spread: The names of the metrics in which they should differ.
        sort: The name of the metric by which they are sorted; empty for none.
        descending: Whether the greatest comes first.
        metrics: The names of all measured metrics, in order.
    """

    spec: LevelSpec
    root: Path | None
    count: int
    budget: int
    where: Expression | None
    varied: tuple[VariedParameter, ...]
    spread: tuple[str, ...]
    sort: str
    descending: bool
    metrics: tuple[str, ...]

    @property
    def plan(self) -> Plan:
        """How the candidates are built and measured."""
        return Plan(self.spec, self.root, self.metrics, self.varied)

    def rank_of(self, values: Mapping[str, Number]) -> float:
        """Return how good a level is by the order of the search; less is better."""
        if not self.sort:
            return 0.0
        value = float(values[self.sort])
        return -value if self.descending else value

    def position_of(self, values: Mapping[str, Number]) -> tuple[float, ...]:
        """Return where a level lies in the metrics of `spread`."""
        return tuple(float(values[name]) for name in self.spread)

    def spec_of(self, found: FoundLevel) -> LevelSpec:
        """Return the spec of a level that was found."""
        settings = [
            (item.layer, item.parameter, found.parameters[item.name]) for item in self.varied
        ]
        return varied_spec(self.spec, found.seed, settings)


@dataclass(frozen=True, slots=True)
class FoundLevel:
    """A level found by a search.

    Attributes:
        seed: Its seed.
        parameters: The varied parameters by name, as in `ground.wall_percent`.
        metrics: Its metrics, by name.
        number: The number of the candidate, from 0.
    """

    seed: int
    parameters: dict[str, Any]
    metrics: dict[str, Number]
    number: int = field(default=0, compare=False)

    def document(self) -> dict[str, Any]:
        """Return it as JSON reports have it."""
        return {"seed": self.seed, "parameters": self.parameters, "metrics": self.metrics}


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The level nearest to the condition, with a text of its distance.

    Its metrics are missing if it breaks the spec's requirements.
    """

    level: FoundLevel
    words: str


@dataclass(frozen=True, slots=True)
class FoundLevels:
    """The result of a search: its levels, in order, and statistics.

    Attributes:
        levels: The levels.
        tried: How many were tested.
        matched: How many of them meet the condition.
        failed: How many could not be built or measured, or break the spec's requirements.
        first_failure: The reason of the first failure.
        nearest: If none meets the condition, the nearest one: among levels that meet the spec's
            requirements, otherwise among the others.
        niches: With `spread`, how many niches are filled.
        all_niches: The number of all niches.
        ranges: The least and the greatest value of each metric of `spread`.
        unmet: How many of the failed levels were built, and break the spec's requirements.
        without_value: For how many of the failed levels the condition has no value.
    """

    levels: tuple[FoundLevel, ...]
    tried: int
    matched: int
    failed: int = 0
    first_failure: str = ""
    nearest: NearMiss | None = None
    niches: int = 0
    all_niches: int = 0
    ranges: tuple[Range, ...] = ()
    unmet: int = 0
    without_value: int = 0

    def __len__(self) -> int:
        """Return how many levels were found."""
        return len(self.levels)

    def __iter__(self) -> Iterator[FoundLevel]:
        """Go through the levels in order."""
        return iter(self.levels)

    def __getitem__(self, index: int) -> FoundLevel:
        """Return a level by its index."""
        return self.levels[index]


def search_for(
    spec: LevelSpec,
    *,
    root: Path | None = None,
    count: int = 50,
    budget: int = 10_000,
    where: str = "",
    varied: Sequence[VariedParameter] = (),
    spread: Sequence[str] = (),
    sort: str = "",
    measures: Sequence[str] = (),
    maximum: int = MAXIMUM_COUNT,
) -> Search:
    """Check the parameters of a search; see `find_seeds`.

    `measures` are further metrics to measure, `maximum` is the limit of `count`.

    Raises:
        ExpressionError: `where` is no condition over metrics of such levels.
        ParameterError: Another argument is wrong.
    """
    if not 1 <= count <= maximum:
        raise ParameterError(f"count: {count} is out of range (allowed: 1 to {maximum})")
    if not 1 <= budget <= MAXIMUM_BUDGET:
        raise ParameterError(f"budget: {budget} is out of range (allowed: 1 to {MAXIMUM_BUDGET})")
    names = [item.name for item in varied]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"vary: {name} is given twice")
    objects = object_names(spec)
    check = partial(measurable, objects=objects, sight=spec.visibility is not None)
    condition, named = None, list[str]()
    if where:
        condition, metrics = metric_expression(
            where, "condition", objects, sight=spec.visibility is not None
        )
        named += map(str, metrics)
    if len(spread) > MAXIMUM_SPREAD:
        raise ParameterError(f"spread: {len(spread)} metrics (allowed: 1 to {MAXIMUM_SPREAD})")
    with _named("spread"):
        axes = tuple(str(check(name)) for name in spread)
    if len(set(axes)) < len(axes):
        raise ParameterError("spread: the same metric is given twice")
    with _named("sort"):
        order = str(check(sort.removeprefix("-"))) if sort else ""
    with _named("measures"):
        further = [str(check(name)) for name in measures]
    expected = dict.fromkeys([*axes, *([order] if order else []), *named, *further])
    return Search(
        spec if spec.search is None else spec.with_seed(0),
        root,
        count,
        budget,
        condition,
        tuple(varied),
        axes,
        order,
        sort.startswith("-"),
        tuple(expected) or _BY_DEFAULT,
    )


@contextmanager
def _named(argument: str) -> Iterator[None]:
    """Put the name of an argument before errors about it."""
    try:
        yield
    except ParameterError as error:
        raise ParameterError(f"{argument}: {error.message}") from None


def seconds_of_each(search: Search) -> float:
    """Estimate how long it takes to look at one level."""
    metrics = search.plan.named()
    part = prune_to_dependencies(search.spec, metrics)
    seconds = sum(
        estimated_cost.seconds
        for estimated_cost in estimated_costs(part)
        if estimated_cost.what != "visibility"
        or any("visibility" in metric.metric.needs for metric in metrics)
    )
    return max(seconds, 0.0005)


class Finding:
    """A running search.

    Args:
        search: The parameters of the search.
        journal: Remembers results, so that an interrupted search can go on.
        progress: Called now and then with the number of tested levels, and the total.
    """

    def __init__(
        self,
        search: Search,
        journal: Journal | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._search = search
        self._journal = journal
        self._progress = progress
        self._named = search.plan.named()
        self._archive = Archive(len(search.spread))
        self._whole = Trials(search.spec, (), Build, search.root, whole=True)
        self._kept: list[tuple[float, int, Candidate, dict[str, Number]]] = []
        self._nearest: tuple[tuple[bool, float], NearMiss] | None = None
        self._tried = self._matched = self._failed = self._unmet = self._without_value = 0
        self._first_failure = ""

    def run(self, jobs: int | None = None, judges_for: MakeJudges | None = None) -> FoundLevels:
        """Search to the end; after an interruption `result` returns the levels so far.

        Args:
            jobs: The number of processes; None chooses.
            judges_for: Makes a judge on other machines, instead of processes.
        """
        search = self._search
        # A generation is finished before the next one begins.
        at_once = GENERATION if search.spread else search.budget
        jobs = sensible_jobs(search.budget, seconds_of_each(search), jobs, at_once)
        result = judges_for(search.plan) if judges_for is not None else Judges(search.plan, jobs)
        with result as judges:
            if search.spread:
                for _ in self.matches(judges):
                    pass
            else:
                self._go_through(judges)
        return self.result()

    def matches(self, judges: Judging) -> Iterator[tuple[Candidate, dict[str, Number]]]:
        """Test candidates in order; yield those that meet the condition, with their metrics.

        With `spread` the candidates come from the archive, which they fill.
        """
        search = self._search
        level, dimensions = search.spec.level, len(search.varied)
        if not search.spread:
            candidates = (spread_candidate(level, n, dimensions) for n in range(search.budget))
            yield from self._matches(judges, candidates)
            return
        for first in range(0, search.budget, GENERATION):
            size = min(GENERATION, search.budget - first)
            elites = self._elites() if first * _FIRST_SHARE >= search.budget else []
            born = []
            generated = generation(level, first, size, dimensions, elites)
            for candidate, values in self._matches(judges, generated):
                born.append(
                    Elite(
                        candidate,
                        search.position_of(values),
                        search.rank_of(values),
                    )
                )
                yield candidate, values
            self._archive.add(born)

    def result(self) -> FoundLevels:
        """Return the result so far."""
        return self.statistics(self._different() if self._search.spread else self._first())

    def statistics(self, levels: Iterable[FoundLevel] = ()) -> FoundLevels:
        """Return these levels with the statistics of the search so far."""
        chosen = tuple(levels)
        spread = len(self._search.spread)
        nearest = self._nearest[1] if self._nearest is not None and not self._matched else None
        return FoundLevels(
            chosen,
            self._tried,
            self._matched,
            self._failed,
            self._first_failure,
            nearest,
            len(self._archive.elites),
            PARTS**spread if spread else 0,
            self._archive.ranges,
            self._unmet,
            self._without_value,
        )

    # --- looking at candidates ----------------------------------------------------------------

    def _matches(
        self, judges: Judging, candidates: Iterable[Candidate]
    ) -> Iterator[tuple[Candidate, dict[str, Number]]]:
        for candidate, attempted in judged(judges, candidates, self._journal):
            values = self._matching(candidate, attempted)
            if values is not None:
                yield candidate, values

    def _go_through(self, judges: Judging) -> None:
        """Test evenly spread candidates, until the budget or the wanted number is reached."""
        search = self._search
        for candidate, values in self.matches(judges):
            if not search.sort:
                # It is among the levels that are found, unless the whole of it fails.
                if self._is_whole(candidate):
                    self._kept.append((0.0, candidate.number, candidate, values))
                if len(self._kept) == search.count:
                    return
                continue
            # A heap has its least on top: here the level that would go first.
            rank = -search.rank_of(values)
            heapq.heappush(self._kept, (rank, -candidate.number, candidate, values))
            if len(self._kept) > 2 * search.count + _SPARE:
                heapq.heappop(self._kept)

    def _elites(self) -> list[Elite]:
        return [item for _, item in sorted(self._archive.elites.items())]

    def _matching(self, candidate: Candidate, tried: Attempt) -> dict[str, Number] | None:
        """Return the metrics of a level that meets the condition; count the others."""
        self._tried += 1
        if self._progress is not None:
            self._progress(self._tried, self._search.budget)
        if tried.values is None:
            self._note_failure(tried.failure)
            if tried.distance is not None:
                self._unmet += 1
                self._note_miss((True, tried.distance), candidate, {}, tried.failure)
            return None
        values = values_by_name(self._named, tried.values)
        where = self._search.where
        try:
            misses = where.misses(values) if where is not None else []
        except NoValueError as error:
            self._without_value += 1
            self._note_failure(f"the condition has no value: {error}")
            return None
        if not misses:
            self._matched += 1
            return values
        words = miss_words(misses, values)
        self._note_miss((False, distance_of(misses)), candidate, values, words)
        return None

    def _note_miss(
        self,
        distance: tuple[bool, float],
        candidate: Candidate,
        values: dict[str, Number],
        words: str,
    ) -> None:
        """Keep the nearest level; broken requirements count as farther."""
        if self._nearest is None or distance < self._nearest[0]:
            self._nearest = distance, NearMiss(self._level(candidate, values), words)

    def _note_failure(self, reason: str) -> None:
        self._failed += 1
        self._first_failure = self._first_failure or reason

    # --- choosing -----------------------------------------------------------------------------

    def _first(self) -> Iterator[FoundLevel]:
        """Yield the first levels in sorted order, as far as they can be built completely."""
        result = 0
        ordered = sorted(self._kept, key=lambda item: (-item[0], abs(item[1])))
        for _, _, candidate, values in ordered:
            if result == self._search.count:
                return
            if self._search.sort and not self._is_whole(candidate):
                continue
            result += 1
            yield self._level(candidate, values)

    def _different(self) -> Iterator[FoundLevel]:
        """Yield levels of the archive that lie far from each other, in sorted order."""
        chosen = farthest_first(
            self._elites(),
            self._archive.ranges,
            lambda elite: self._is_whole(elite.candidate),
            self._search.count,
        )
        trials = self._search.plan.trials()
        for one in sorted(chosen, key=lambda item: item.rank):
            settings = settings_of(one.candidate, self._search.varied)
            again = trials.run(one.candidate.seed, settings)
            assert again.values is not None, "a level that was built is built again"
            yield self._level(one.candidate, values_by_name(self._named, again.values))

    def _is_whole(self, candidate: Candidate) -> bool:
        """Whether all of a level can be built, not only what the metrics need."""
        attempted = self._whole.run(candidate.seed, settings_of(candidate, self._search.varied))
        if attempted.values is None:
            self._matched -= 1
            self._note_failure(attempted.failure)
        return attempted.values is not None

    def _level(self, candidate: Candidate, values: dict[str, Number]) -> FoundLevel:
        parameters = parameters_of(candidate, self._search.varied)
        return FoundLevel(candidate.seed, parameters, values, candidate.number)
