"""Choose the levels of a pack and build them.

Candidates (seeds with varied parameters) are measured as in any search (`exporter.explore`).
Without `spread` the pack takes the levels that meet the condition in order, or the best by `sort`.
With `spread` it takes varied levels: the range of each metric, over all levels that meet the
condition, is cut into ten bins, and a niche is a combination of bins, one for each metric. Each
niche gives its first level before any gives its second; niches far from those already used come
first.

A chosen level is built completely; one that fails is replaced by the next. If all candidates are
chosen, they are built as they are measured. Nothing depends on the number of processes.
"""

from __future__ import annotations

import base64
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from exporter.build.trials import Attempt
from exporter.explore.archive import Elite, Niche, Range, farthest_first, niche_of, wider_ranges
from exporter.explore.candidates import Candidate, parameters_of
from exporter.explore.finding import RunningSearch, seconds_of_each
from exporter.explore.journal import Journal, LineStore
from exporter.explore.judging import Judges, Judging, MakeJudges, SearchPlan, sensible_jobs
from exporter.explore.search import SearchedLevels
from exporter.measures import Number
from exporter.model.lazy_dataclass import dataclass
from exporter.packs.format import encode_pack
from exporter.packs.plan import PackPlan
from exporter.packs.progress import BINS, EmptyRange, PackProgress, empty_ranges
from exporter.packs.whole_levels import BuiltLevel, MeasuredLevels, WholeLevels

# How many levels are stored at once; an interruption loses no more.
_BATCH = 64

_Match = tuple[Candidate, dict[str, Number]]
Builds = Callable[[Iterable[Candidate]], Iterator[BuiltLevel]]


@dataclass(frozen=True, slots=True)
class BuiltPack:
    """The bytes of a pack, and statistics of the search for its levels.

    Attributes:
        data: The bytes of the file.
        count: Number of levels in the pack.
        requested: Number of levels that were requested.
        tried: Number of candidates that were measured.
        statistics: The search's statistics, such as failures and the nearest level.
        niches: How many combinations of metric ranges have a level, and how many there are; zeros
            if levels are not spread over metrics.
        empty: For each metric that levels are spread over, the widest range in which none lies.
        failure: Why the first chosen level that failed could not be built; empty if all could.
    """

    data: bytes
    count: int
    requested: int
    tried: int
    statistics: SearchedLevels
    niches: tuple[int, int]
    empty: tuple[EmptyRange, ...]
    failure: str

    def document(self) -> dict[str, Any]:
        """Return the statistics of the pack as JSON data."""
        filled, of = self.niches
        empty = [item.document() for item in self.empty]
        return {
            "tried": self.tried,
            "kept": self.count,
            "asked": self.requested,
            "bytes": len(self.data),
            **({"niches": {"filled": filled, "of": of}, "empty": empty} if of else {}),
        }

    def missing(self) -> str:
        """Return a message with a fix if the pack has too few levels, else ""."""
        if self.count == self.requested:
            return ""
        reason = self.failure or self.statistics.first_failure
        if self.statistics.nearest is not None:
            reason = self.statistics.nearest.words
        words = f"the pack has {self.count:,} of {self.requested:,} levels"
        return f"{words} (raise `budget`{f'; {reason}' if reason else ''})"


def make_pack(
    plan: PackPlan,
    jobs: int | None = None,
    *,
    judged: LineStore | None = None,
    built: LineStore | None = None,
    progress: Callable[[PackProgress], None] | None = None,
    judges_for: MakeJudges | None = None,
) -> BuiltPack:
    """Choose the levels that `plan` requests, and build them into a pack.

    Args:
        plan: The checked request.
        jobs: The number of processes; None chooses. The pack's bytes do not depend on it.
        judged: Stores the measures of candidates, so that an interrupted search can continue.
        built: Stores the blobs of levels, so that an interrupted run need not build them again.
        progress: Called from time to time with the progress.
        judges_for: Makes the object that builds and measures candidates on other machines; None to
            use processes of this one.
    """
    return _Making(plan, jobs, judged, built, progress, judges_for).run()


class _Making:
    def __init__(
        self,
        plan: PackPlan,
        jobs: int | None,
        judged: LineStore | None,
        built: LineStore | None,
        progress: Callable[[PackProgress], None] | None,
        judges_for: MakeJudges | None,
    ) -> None:
        search = plan.search
        self._plan, self._search = plan, search
        self._make_judges = judges_for
        self._jobs = sensible_jobs(search.budget, seconds_of_each(search), jobs)
        self._journal = Journal(judged, len(search.metrics)) if judged is not None else None
        save_measures = self._journal.save if self._journal is not None else lambda: None
        self._built = _BuiltLevels(built, save_measures)
        self._report = progress
        self._finding = RunningSearch(search, self._journal, self._count_judged)
        self._progress = PackProgress(search, self._finding.archive)
        self._ranges: tuple[Range, ...] = ()
        self._first_failure = ""

    def run(self) -> BuiltPack:
        search = self._search
        whole = WholeLevels.of(self._plan)
        # A measure of whole levels is one of levels without what a pack adds.
        at_once = not (search.spread or search.sort or search.where) and not any(
            "level" in metric.metric.needs for metric in search.plan.named()
        )
        plan = MeasuredLevels.of(self._plan) if at_once else search.plan
        try:
            with ExitStack() as stack:
                judges = stack.enter_context(self._judges(plan))
                build: Builds
                if at_once:
                    both = _JudgesThatBuild(judges, stack.enter_context(self._judges(whole)))
                    matches, build = self._finding.matches(both), both.built
                else:
                    matches = self._finding.matches(judges)
                    if search.spread or search.sort:
                        matches = self._by_preference(list(matches))
                    build = stack.enter_context(self._judges(whole)).judged
                chosen = self._take(matches, build)
        finally:
            if self._journal is not None:
                self._journal.save()
            self._built.save()
        chosen.sort(key=lambda item: (search.rank_of(item[1]), item[0].number))
        positions = [search.position_of(values) for _, values, _ in chosen]
        niches = {niche_of(position, self._ranges, BINS) for position in positions}
        empty = empty_ranges(search.spread, self._ranges, positions)
        statistics = self._finding.statistics()
        candidates = statistics.tried
        if len(chosen) == search.count and not search.spread and not search.sort:
            # Further candidates may have been judged ahead, by any number of processes.
            candidates = chosen[-1][0].number + 1
        return BuiltPack(
            self._encoded(chosen),
            len(chosen),
            search.count,
            candidates,
            statistics,
            (len(niches), BINS ** len(search.spread)) if search.spread else (0, 0),
            empty,
            self._first_failure,
        )

    def _by_preference(self, matches: list[_Match]) -> Iterator[_Match]:
        """Return all matching levels in the order in which the pack takes them.

        This is the order of the search. If levels are spread over metrics, there are rounds
        instead: each takes one level of each combination of metric ranges.
        """
        search = self._search
        matches.sort(key=lambda match: (search.rank_of(match[1]), match[0].number))
        positions = [search.position_of(values) for _, values in matches]
        self._ranges = wider_ranges((), positions)
        niches: dict[Niche, list[_Match]] = {}
        firsts: dict[Niche, Elite] = {}
        for (candidate, values), position in zip(matches, positions, strict=True):
            niche = niche_of(position, self._ranges, BINS)
            niches.setdefault(niche, []).append((candidate, values))
            firsts.setdefault(niche, Elite(candidate, position, search.rank_of(values)))
        rounds = max(map(len, niches.values()), default=0)
        # If there are fewer levels than niches, they still cover all of the ranges.
        far = farthest_first(list(firsts.values()), self._ranges, lambda _: True, len(firsts))
        ordered = [niches[niche_of(first.position, self._ranges, BINS)] for first in far]
        return (niche[turn] for turn in range(rounds) for niche in ordered if turn < len(niche))

    def _take(
        self, matches: Iterator[_Match], build: Builds
    ) -> list[tuple[Candidate, dict[str, Number], bytes]]:
        """Build the levels of `matches` in order until the pack has enough.

        Levels that fail, or whose seeds the plan leaves out, are skipped. Return the candidate, the
        metrics and the blob of each level that was taken.
        """
        chosen: list[tuple[Candidate, dict[str, Number], bytes]] = []
        waiting: list[_Match] = []

        def candidates() -> Iterator[Candidate]:
            for match in matches:
                waiting.append(match)
                yield match[0]

        for blob, failure in self._built.through(build, candidates()):
            candidate, values = waiting.pop(0)
            # Built all the same, so that the levels kept for another making stay in order.
            if candidate.seed in self._plan.without:
                continue
            if blob is None:
                self._first_failure = self._first_failure or failure
                continue
            chosen.append((candidate, values, blob))
            self._progress.built = len(chosen)
            self._report_progress()
            if len(chosen) == self._search.count:
                break
        return chosen

    def _encoded(self, chosen: Sequence[tuple[Candidate, Mapping[str, Number], bytes]]) -> bytes:
        search = self._search
        parameters = [parameters_of(candidate, search.varied) for candidate, _, _ in chosen]
        names = [str(metric) for metric in search.plan.named()]
        columns = {
            "seeds": {"seed": [candidate.seed for candidate, _, _ in chosen]},
            "parameters": {
                item.name: [values[item.name] for values in parameters] for item in search.varied
            },
            "metrics": {name: [values[name] for _, values, _ in chosen] for name in names},
        }
        width, height = search.spec.size
        blobs = [blob for _, _, blob in chosen]
        return encode_pack(search.spec.level, blobs, columns, width * height)

    def _judges(self, plan: SearchPlan) -> Judging:
        make = self._make_judges
        return make(plan) if make is not None else Judges(plan, self._jobs)

    def _count_judged(self, judged: int, _budget: int) -> None:
        self._progress.judged = judged
        self._report_progress()

    def _report_progress(self) -> None:
        if self._report is not None:
            self._report(self._progress)


class _JudgesThatBuild:
    """Measures and builds candidates at once; keeps the levels for `built`.

    Args:
        judges: Measures and builds each candidate, by a plan `MeasuredLevels`.
        builders: Builds levels whose measures were stored by an earlier, interrupted run.
    """

    def __init__(self, judges: Judging, builders: Judging) -> None:
        self._judges, self._builders = judges, builders
        self._ready: dict[int, BuiltLevel] = {}

    def __enter__(self) -> _JudgesThatBuild:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: `judges` and `builders` are ended by their owner."""

    def judged(self, candidates: Iterable[Candidate]) -> Iterator[Attempt]:
        """Measure and build each candidate; yield its measures, keep its level."""
        waiting: deque[int] = deque()

        def noted() -> Iterator[Candidate]:
            for candidate in candidates:
                waiting.append(candidate.number)
                yield candidate

        for attempt, built in self._judges.judged(noted()):
            number = waiting.popleft()
            if attempt.values is not None:
                self._ready[number] = built
            yield attempt

    def built(self, candidates: Iterable[Candidate]) -> Iterator[BuiltLevel]:
        """Yield the built level of each candidate; build it if `judged` did not."""
        for ready, group in groupby(candidates, lambda item: item.number in self._ready):
            if ready:
                yield from (self._ready.pop(candidate.number) for candidate in group)
            else:
                yield from self._builders.judged(group)


class _BuiltLevels:
    """Stores built levels, so that an interrupted run can continue."""

    def __init__(self, lines: LineStore | None, save_measures: Callable[[], None]) -> None:
        self._lines, self._save_measures = lines, save_measures
        self._known: list[BuiltLevel] = list(_read(lines)) if lines is not None else []
        self._unsaved: list[str] = []
        self._begun = False

    def through(self, build: Builds, candidates: Iterator[Candidate]) -> Iterator[BuiltLevel]:
        """Yield the built level of each candidate, in order.

        The first ones come from an interrupted run; `build` builds the others.
        """
        for known, _ in zip(self._known, candidates, strict=False):
            yield known
        for built in build(candidates):
            blob, failure = built
            text = base64.b64encode(blob).decode() if blob is not None else None
            self._unsaved.append(json.dumps([text, failure]) + "\n")
            if len(self._unsaved) >= _BATCH:
                self.save()
            yield built

    def save(self) -> None:
        """Store the levels built since the last call."""
        if self._lines is None or not self._unsaved:
            return
        self._save_measures()  # a level without them would be built again
        if not self._begun:
            self._begun = True
            self._lines.keep(len(self._known))
        if not self._lines.append(self._unsaved):
            self._lines = None
        self._unsaved = []


def _read(lines: LineStore) -> Iterator[BuiltLevel]:
    """Yield stored levels up to the first damaged line."""
    for line in lines.read():
        try:
            text, failure = json.loads(line)
            blob = base64.b64decode(text, validate=True) if text is not None else None
        except (ValueError, TypeError):
            return
        if not line.endswith("\n") or not isinstance(failure, str):
            return
        yield blob, failure
