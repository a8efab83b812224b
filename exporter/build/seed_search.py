"""Search for a seed whose level meets the spec's `search` criteria.

A candidate is a level whose seed is computed from the level's name and the candidate's number,
which counts from 0. So a spec finds the same seed on every machine, and `exporter seeds` tries the
same levels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from exporter.build.dependencies import prune_to_dependencies
from exporter.build.inputs import Inputs
from exporter.build.missing_files import parts_with_files
from exporter.build.trials import SingleBuild, Trials, candidate_seed, values_by_name
from exporter.measures import Number
from exporter.measures.names import NamedMetric
from exporter.model.errors import SpecError
from exporter.model.expression_tree import Miss, NoValueError, distance_of
from exporter.model.expressions import Expression
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import file_names
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import object_names
from exporter.reading.seed_search import metric_expression
from exporter.reading.yaml_reader import Path as ValuePath

# Keys of a spec that do not affect candidates; files are read separately, and file sizes do not
# matter.
_NOT_READ = frozenset({"document", "folder", "seed", "budget"})
# Candidates between two calls of `before_step`: each call costs time.
_TELL_EVERY = 16


@dataclass(frozen=True, slots=True)
class SeedResult:
    """The seed that a search found, and the metrics of its level.

    Attributes:
        seed: The seed.
        number: How many candidates were tried before the one with this seed.
        tried: How many candidates were tried.
        metrics: The metrics of the found level, by name.
    """

    seed: int
    number: int
    tried: int
    metrics: dict[str, Number]


@dataclass(frozen=True, slots=True)
class Criteria:
    """The criteria of a seed search.

    Attributes:
        metrics: The metrics that `where` and `best` read.
        where: The condition that a level must meet; None accepts any level.
        best: The expression to maximise; None takes the first level that meets the condition.
    """

    metrics: tuple[NamedMetric, ...]
    where: Expression | None
    best: Expression | None


def criteria_of(spec: LevelSpec) -> Criteria:
    """Parse the search criteria of `spec`, which must have a `search`."""
    assert spec.search is not None
    objects = object_names(spec)
    sight = spec.visibility is not None
    metrics: dict[NamedMetric, None] = {}
    where = best = None
    if spec.search.where is not None:
        where, named = metric_expression(spec.search.where, "condition", objects, sight=sight)
        metrics |= dict.fromkeys(named)
    if spec.search.best is not None:
        best, named = metric_expression(spec.search.best, "number", objects, sight=sight)
        metrics |= dict.fromkeys(named)
    return Criteria(tuple(metrics), where, best)


def searched_part(spec: LevelSpec) -> dict[str, Any]:
    """Return the values of `spec` on which its seed search depends.

    They are by key of the spec. Values that do not affect the metrics are left out, so that a
    changed puzzle causes no new search. Contents of files are not included.
    """
    part = prune_to_dependencies(spec, criteria_of(spec).metrics)
    names = [field.name for field in fields(LevelSpec) if field.name not in _NOT_READ]
    return {name: getattr(part, name) for name in names}


def search_seed(
    spec: LevelSpec,
    root: Path | None,
    build: Callable[[LevelSpec, Path | None], SingleBuild],
    before_step: Callable[[str, ValuePath], None],
    inputs: Inputs,
) -> SeedResult:
    """Find a seed whose level meets the search criteria of `spec`.

    Args:
        spec: The spec.
        root: The folder that input files must lie in.
        build: Returns a new build of one level, from its spec and the folder of its input files.
        before_step: Called from time to time with a text that has the candidate's number, and the
            path of the search in the spec.
        inputs: Through it the spec and files are read, so that what the result depends on is
            recorded.

    Raises:
        SpecError: No candidate meets the criteria; the message names the nearest one.
    """
    assert spec.search is not None
    criteria = criteria_of(spec)
    trials = Trials(spec, criteria.metrics, build, root)
    inputs.searched_part()
    for path, parameters in parts_with_files(trials.spec):
        for name, inside in file_names(parameters):
            inputs.attempt((*path, *inside), inputs.file, name)
    best: tuple[float, SeedResult] | None = None
    missed = _Missed()
    for number in range(spec.search.search):
        if number % _TELL_EVERY == 0:
            step = f"the search for a seed (candidate {number + 1} of {spec.search.search})"
            before_step(step, ("seed", "search"))
        seed = candidate_seed(spec.level, number)
        attempted = trials.run(seed)
        if attempted.values is None:
            if attempted.distance is None:
                missed.failed(attempted.failure)
            else:
                missed.by((True, attempted.distance), attempted.failure, seed)
            continue
        values = values_by_name(criteria.metrics, attempted.values)
        result = SeedResult(seed, number, number + 1, values)
        try:
            misses = criteria.where.misses(values) if criteria.where is not None else []
            rank = criteria.best.number(values) if criteria.best is not None else 0.0
        except NoValueError as error:
            missed.without_value(str(error))
            continue
        if misses:
            missed.by((False, distance_of(misses)), miss_words(misses, values), seed)
        elif best is None or rank > best[0]:  # the lowest of equal numbers wins
            best = rank, result
        if best is not None and criteria.best is None:
            break
    if best is None:
        detected_near = missed.nearest is not None and not missed.nearest[0][0]
        key = "where" if spec.search.where is not None and detected_near else "search"
        reported = missed.describe(spec.search.search)
        if spec.edits is not None and spec.edits.count:
            reported += (
                f" (every one has the {spec.edits.count} hand edits of {spec.edits.document.file})"
            )
        raise SpecError([spec.problem(("seed", key), reported)])
    return replace(best[1], tried=number + 1)


class _Missed:
    """Counts why candidates failed, and remembers the one that missed least."""

    def __init__(self) -> None:
        self.failures = 0
        self.first_failure = ""
        self.valueless = 0
        self.first_valueless = ""
        # (whether it breaks requirements, by how much it misses), its seed, the message.
        self.nearest: tuple[tuple[bool, float], int, str] | None = None

    def failed(self, reason: str) -> None:
        self.failures += 1
        self.first_failure = self.first_failure or reason

    def without_value(self, reason: str) -> None:
        self.valueless += 1
        self.first_valueless = self.first_valueless or reason

    def by(self, distance: tuple[bool, float], words: str, seed: int) -> None:
        if self.nearest is None or distance < self.nearest[0]:
            self.nearest = distance, seed, words

    def describe(self, count: int) -> str:
        """Return a message that none of `count` seeds meets the criteria."""
        rest = ""
        if self.valueless:
            rest += f"; {self.valueless} have no value, first: {self.first_valueless}"
        if self.failures:
            rest += f"; {self.failures} failed, first with: {self.first_failure}"
        if self.nearest is None:
            verb = "satisfies this" if self.valueless else "can be built and measured"
            return f"none of {counted(count)} {verb}{rest}"
        _, seed, words = self.nearest
        return (
            f"none of {counted(count)} satisfies this (the nearest has the seed {seed}: "
            f"{words}{rest})"
        )


def counted(levels: int) -> str:
    """Return the number `levels` as a text, such as `20 levels`."""
    return f"{levels:,} levels" if levels > 1 else "1 level"


def miss_words(misses: list[Miss], values: Mapping[str, float]) -> str:
    """Return a text that says how far a level is from meeting a condition.

    `misses` are the comparisons in the condition that are false, `values` the level's metrics by
    name.
    """
    return ", ".join(miss.describe(values) for miss in misses)


def encode_search_result(result: SeedResult) -> bytes:
    """Encode the result of a search for the cache."""
    return json.dumps(
        [result.seed, result.number, result.tried, result.metrics], separators=(",", ":")
    ).encode()


def decode_search_result(data: bytes) -> SeedResult:
    """Decode the cached result of a search; raise ValueError if malformed."""
    seed, number, attempted, metrics = json.loads(data)
    if not all(isinstance(item, int) for item in (seed, number, attempted)):
        raise ValueError("malformed search result: the seed and the counts must be integers")
    return SeedResult(seed, number, attempted, dict(metrics))
