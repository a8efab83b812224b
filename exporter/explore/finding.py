"""Search for levels: measure candidates in order and keep the best.

A candidate is a seed with values of the varied parameters. Usually these values are evenly spread
over their ranges. If the search has metrics `spread`, in which found levels should differ,
candidates are changed copies of good, varied levels (`exporter.explore.archive`), and levels far
from each other are chosen in the end.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator

from exporter.build.build import Build
from exporter.build.costs import estimated_costs
from exporter.build.dependencies import prune_to_dependencies
from exporter.build.seed_search import miss_words
from exporter.build.trials import Attempt, Trials, values_by_name
from exporter.explore.archive import GENERATION, PARTS, Archive, Elite, farthest_first, generation
from exporter.explore.candidates import Candidate, parameters_of, settings_of, spread_candidate
from exporter.explore.journal import Journal, judged
from exporter.explore.judging import Judges, Judging, MakeJudges, sensible_jobs
from exporter.explore.search import LevelMatch, NearMiss, Search, SearchedLevels
from exporter.measures import Number
from exporter.model.expression_tree import NoValueError, distance_of

# An archive begins with evenly spread candidates: one in so many of the budget.
_FIRST_SHARE = 10
# Matching levels are built completely in the end; spare ones replace those that fail then.
_SPARE = 16
Progress = Callable[[int, int], None]


def seconds_of_each(search: Search) -> float:
    """Estimate how many seconds building and measuring one level takes."""
    metrics = search.plan.named()
    part = prune_to_dependencies(search.spec, metrics)
    seconds = sum(
        estimated_cost.seconds
        for estimated_cost in estimated_costs(part)
        if estimated_cost.what != "visibility"
        or any("visibility" in metric.metric.needs for metric in metrics)
    )
    return max(seconds, 0.0005)


class RunningSearch:
    """A search in progress, which can be interrupted and continued.

    Args:
        search: The parameters of the search.
        journal: Stores results of candidates, so that an interrupted search can continue; None to
            store nothing.
        progress: Called with the number of tried levels, and the most to try.

    Attributes:
        archive: The best level for each combination of metric ranges; empty unless `search.spread`
            names metrics.
    """

    def __init__(
        self, search: Search, journal: Journal | None = None, progress: Progress | None = None
    ) -> None:
        self._search = search
        self._journal = journal
        self._progress = progress
        self._named = search.plan.named()
        self.archive = Archive(len(search.spread))
        self._whole = Trials(search.spec, (), Build, search.root, whole=True)
        self._ranked: list[tuple[float, int, Candidate, dict[str, Number]]] = []
        self._nearest: tuple[tuple[bool, float], NearMiss] | None = None
        self._tried = self._matched = self._failed = self._unmet = self._without_value = 0
        self._first_failure = ""

    def run(self, jobs: int | None = None, judges_for: MakeJudges | None = None) -> SearchedLevels:
        """Search to the end, and return the levels.

        After an interruption, `result` returns the levels found so far.

        Args:
            jobs: The number of processes; None chooses.
            judges_for: Makes the object that builds and measures levels on other machines; None to
                use processes of this one.
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
        """Measure candidates in order; yield those that meet the condition.

        Each comes with its metrics. If `Search.spread` names metrics, matching candidates are added
        to `archive`, and later candidates are changed copies of levels in it.
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
                born.append(Elite(candidate, search.position_of(values), search.rank_of(values)))
                yield candidate, values
            self.archive.add(born)

    def result(self) -> SearchedLevels:
        """Return the best levels found so far, with statistics."""
        return self.statistics(self._different() if self._search.spread else self._first())

    def statistics(self, levels: Iterable[LevelMatch] = ()) -> SearchedLevels:
        """Return the statistics of the search so far, together with `levels`."""
        chosen = tuple(levels)
        spread = len(self._search.spread)
        nearest = self._nearest[1] if self._nearest is not None and not self._matched else None
        return SearchedLevels(
            chosen,
            self._tried,
            self._matched,
            self._failed,
            self._first_failure,
            nearest,
            len(self.archive.elites),
            PARTS**spread if spread else 0,
            self.archive.ranges,
            self._unmet,
            self._without_value,
        )

    # --- looking at candidates ----------------------------------------------------------------

    def _matches(
        self, judges: Judging, candidates: Iterable[Candidate]
    ) -> Iterator[tuple[Candidate, dict[str, Number]]]:
        for candidate, attempted in judged(judges, candidates, self._journal):
            values = self._metrics_of_match(candidate, attempted)
            if values is not None:
                yield candidate, values

    def _go_through(self, judges: Judging) -> None:
        """Test candidates until enough are found or tried; keep the best."""
        search = self._search
        for candidate, values in self.matches(judges):
            if not search.sort:
                # It is one of the found levels, unless building the whole level fails.
                if self._is_whole(candidate):
                    self._ranked.append((0.0, candidate.number, candidate, values))
                if len(self._ranked) == search.count:
                    return
                continue
            # A heap has its least item on top: here the worst level.
            rank = -search.rank_of(values)
            heapq.heappush(self._ranked, (rank, -candidate.number, candidate, values))
            if len(self._ranked) > 2 * search.count + _SPARE:
                heapq.heappop(self._ranked)

    def _elites(self) -> list[Elite]:
        return [item for _, item in sorted(self.archive.elites.items())]

    def _metrics_of_match(self, candidate: Candidate, attempt: Attempt) -> dict[str, Number] | None:
        """Count a candidate; return its metrics if it meets the condition.

        Otherwise remember it if it comes nearest to the condition, and return None.
        """
        self._tried += 1
        if self._progress is not None:
            self._progress(self._tried, self._search.budget)
        if attempt.values is None:
            self._note_failure(attempt.failure)
            if attempt.distance is not None:
                self._unmet += 1
                self._note_miss((True, attempt.distance), candidate, {}, attempt.failure)
            return None
        values = values_by_name(self._named, attempt.values)
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
        """Remember `candidate` if it comes nearest to the condition so far.

        `distance` begins with whether the level breaks the spec's requirements, since any such
        level is farther than the others. `words` says how the level misses the condition.
        """
        if self._nearest is None or distance < self._nearest[0]:
            self._nearest = distance, NearMiss(self._level(candidate, values), words)

    def _note_failure(self, reason: str) -> None:
        self._failed += 1
        self._first_failure = self._first_failure or reason

    # --- choosing -----------------------------------------------------------------------------

    def _first(self) -> Iterator[LevelMatch]:
        """Yield the first levels in sorted order that can be built completely."""
        result = 0
        ordered = sorted(self._ranked, key=lambda item: (-item[0], abs(item[1])))
        for _, _, candidate, values in ordered:
            if result == self._search.count:
                return
            if self._search.sort and not self._is_whole(candidate):
                continue
            result += 1
            yield self._level(candidate, values)

    def _different(self) -> Iterator[LevelMatch]:
        """Yield archive levels that lie far from each other, in sorted order."""
        chosen = farthest_first(
            self._elites(),
            self.archive.ranges,
            lambda elite: self._is_whole(elite.candidate),
            self._search.count,
        )
        trials = self._search.plan.trials()
        for choice in sorted(chosen, key=lambda item: item.rank):
            settings = settings_of(choice.candidate, self._search.varied)
            again = trials.run(choice.candidate.seed, settings)
            assert again.values is not None, "a level that was built is built again"
            yield self._level(choice.candidate, values_by_name(self._named, again.values))

    def _is_whole(self, candidate: Candidate) -> bool:
        """Return whether the whole level can be built, not only what is measured.

        If not, count it as failed instead of matched.
        """
        attempted = self._whole.run(candidate.seed, settings_of(candidate, self._search.varied))
        if attempted.values is None:
            self._matched -= 1
            self._note_failure(attempted.failure)
        return attempted.values is not None

    def _level(self, candidate: Candidate, values: dict[str, Number]) -> LevelMatch:
        parameters = parameters_of(candidate, self._search.varied)
        return LevelMatch(candidate.seed, parameters, values, candidate.number)
