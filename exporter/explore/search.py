"""Define the parameters of a search for levels, and its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from exporter.build.trials import varied as varied_spec
from exporter.explore.archive import Range
from exporter.explore.candidates import MAXIMUM_BUDGET
from exporter.explore.judging import SearchPlan
from exporter.explore.varying import VariedParameter
from exporter.measures import Number
from exporter.model.errors import ParameterError
from exporter.model.expressions import Expression
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import object_names
from exporter.reading.seed_search import measurable, metric_expression

MAXIMUM_COUNT = 10_000
# An archive of more metrics would have too many niches.
MAXIMUM_SPREAD = 3
# Measured by default, because the certificate has these metrics anyway.
_BY_DEFAULT = ("floor", "farthest", "dead_ends")


@dataclass(frozen=True, slots=True)
class Search:
    """The checked parameters of a search; made by `search_for`.

    Attributes:
        spec: The spec, with a fixed seed in place of its own search for one.
        root: The folder that input files must lie in; None for the spec's own folder.
        count: The number of levels to find.
        budget: How many levels to try at most.
        where: The condition that found levels must meet; None for any.
        varied: The parameters to vary.
        spread: The names of the metrics in which found levels should differ.
        sort: The name of the metric to sort by; empty for none.
        descending: Whether the level with the greatest value comes first.
        metrics: The names of all metrics to measure, in order.
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
    def plan(self) -> SearchPlan:
        """How candidates are built and measured."""
        return SearchPlan(self.spec, self.root, self.metrics, self.varied)

    def rank_of(self, values: Mapping[str, Number]) -> float:
        """Return the sort key of a level by its metrics: lower is better."""
        if not self.sort:
            return 0.0
        value = float(values[self.sort])
        return -value if self.descending else value

    def position_of(self, values: Mapping[str, Number]) -> tuple[float, ...]:
        """Return the values of the metrics in `spread`, out of a level's `values`."""
        return tuple(float(values[name]) for name in self.spread)

    def spec_of(self, level: LevelMatch) -> LevelSpec:
        """Return the searched spec with the seed and parameters of `level`."""
        settings = [
            (item.layer, item.parameter, level.parameters[item.name]) for item in self.varied
        ]
        return varied_spec(self.spec, level.seed, settings)


@dataclass(frozen=True, slots=True)
class LevelMatch:
    """A level that a search found.

    Attributes:
        seed: The level's seed.
        parameters: The values of the varied parameters, by `LAYER.PARAMETER`.
        metrics: The level's metrics by name.
        number: The number of the level among the candidates, from 0.
    """

    seed: int
    parameters: dict[str, Any]
    metrics: dict[str, Number]
    number: int = field(default=0, compare=False)

    def document(self) -> dict[str, Any]:
        """Return the level as JSON data."""
        return {"seed": self.seed, "parameters": self.parameters, "metrics": self.metrics}


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The level that came nearest to the condition of a search.

    Attributes:
        level: The level; without metrics if it breaks the spec's requirements.
        words: How it misses the condition, as text.
    """

    level: LevelMatch
    words: str


@dataclass(frozen=True, slots=True)
class SearchedLevels:
    """The levels that a search found, in order, and statistics.

    Attributes:
        levels: The found levels.
        tried: How many levels were tried.
        matched: How many of the tried levels meet the condition.
        failed: How many could not be built or measured, or break the spec's requirements.
        first_failure: Why the first of the failed levels failed; empty if none did.
        nearest: If no level meets the condition, the nearest one, preferably one that meets the
            spec's requirements; otherwise None.
        niches: How many combinations of metric ranges have a level; 0 if levels are not spread over
            metrics.
        all_niches: How many such combinations there are; 0 if levels are not spread over metrics.
        ranges: The least and the greatest value of each metric that levels are spread over.
        unmet: How many of the failed levels were built, and break the spec's requirements.
        without_value: How many of the failed levels have no value for the condition, as by division
            by zero.
    """

    levels: tuple[LevelMatch, ...]
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
        return len(self.levels)

    def __iter__(self) -> Iterator[LevelMatch]:
        return iter(self.levels)

    def __getitem__(self, index: int) -> LevelMatch:
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
    """Check the arguments of a search for levels, and return the search.

    Args:
        spec: The spec of all levels; its own seed is not used.
        root: The folder that the spec's input files must lie in; None for the spec's own folder.
        count: The number of levels to find.
        budget: How many levels to try at most.
        where: The condition over metrics that levels must meet; empty for none.
        varied: The parameters to vary.
        spread: Metrics in which levels should differ from each other as much as possible.
        sort: The metric to sort by, ascending; `-NAME` for descending, empty for none.
        measures: Further metrics to measure.
        maximum: Limit of `count`.

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
            raise ParameterError(f"vary: {name} is given twice (leave one out)")
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
    with _name_argument_in_errors("spread"):
        axes = tuple(str(check(name)) for name in spread)
    if len(set(axes)) < len(axes):
        raise ParameterError("spread: the same metric is given twice (name two different metrics)")
    with _name_argument_in_errors("sort"):
        order = str(check(sort.removeprefix("-"))) if sort else ""
    with _name_argument_in_errors("measures"):
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
def _name_argument_in_errors(argument: str) -> Iterator[None]:
    """Put the name `argument` before the message of a `ParameterError`.

    This holds for errors that the `with` block raises.
    """
    try:
        yield
    except ParameterError as error:
        raise ParameterError(f"{argument}: {error.message}") from None
