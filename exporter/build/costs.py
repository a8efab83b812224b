"""Estimate the cost of a level from its spec before anything is built.

Every layer, group of objects and puzzle, and the field of view, estimates its own cost in seconds;
the sum is compared with the user's limit. A level that would take hours is refused, with an error
at the most costly parameter; one that takes a minute gets a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import prod

from exporter.generators import GENERATORS
from exporter.model.costs import Cost
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS
from exporter.reading.level_spec import LevelSpec
from exporter.reading.yaml_reader import Path as ValuePath

# Levels that take longer get a warning.
NOTABLE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class StepCost:
    """The estimated cost of one build step.

    Attributes:
        what: The name of the step.
        seconds: The estimated duration.
        path: The path in the spec of the parameter that contributes most to the duration.
    """

    what: str
    seconds: float
    path: ValuePath


def estimated_costs(spec: LevelSpec) -> list[StepCost]:
    """Return the estimated cost of each build step, in the order of the spec.

    A search for a seed counts as the first step.

    Raises:
        SpecError: A third-party generator or puzzle failed to estimate its cost.
    """
    costs = _searched_costs(spec) if spec.search is not None else []
    counts: Counter[str] = Counter()
    for item in spec.objects:
        counts[item.name] += item.expected_count(prod(spec.size))
    for name, layer in spec.layers.items():
        position: ValuePath = ("layers", name)
        estimate = GENERATORS.get(layer.generator).cost
        size = layer.options.size or spec.size
        with _failures_placed(spec, (*position, "generator")):
            parameters = layer.parameters.with_objects(counts)
            costs.append(_step(f"layer {name!r}", position, estimate(parameters, *size)))
    for index, entry in enumerate(spec.objects):
        costs.append(_step(f"objects {entry.name!r}", ("objects", index), entry.cost(*spec.size)))
    if spec.puzzles:
        from exporter.puzzles import PUZZLES

        for name, puzzle in spec.puzzles.items():
            position = ("puzzles", name)
            estimate = PUZZLES.get(puzzle.kind).cost
            with _failures_placed(spec, (*position, "kind")):
                costs.append(
                    _step(f"puzzle {name!r}", position, estimate(puzzle.parameters, *spec.size))
                )
    if spec.visibility is not None:
        from exporter.visibility import estimated_seconds

        seconds = estimated_seconds(*spec.size, spec.visibility.radius)
        costs.append(StepCost("visibility", seconds, ("visibility", "radius")))
    return costs


def _searched_costs(spec: LevelSpec) -> list[StepCost]:
    """Return the estimated cost of the search for a seed, in a list.

    The cost is that of building all candidates, as far as the metrics need.
    """
    from exporter.build.dependencies import prune_to_dependencies
    from exporter.build.seed_search import criteria_of

    assert spec.search is not None
    metrics = criteria_of(spec).metrics
    part = replace(prune_to_dependencies(spec, metrics), search=None)
    if not any("visibility" in metric.metric.needs for metric in metrics):
        part = replace(part, visibility=None)
    seconds = (
        sum(estimated_cost.seconds for estimated_cost in estimated_costs(part)) * spec.search.search
    )
    return [StepCost("the search for a seed", seconds, ("seed", "search"))]


def runs_code_of_others(spec: LevelSpec) -> bool:
    """Return whether `spec` uses third-party generators or puzzles."""
    from exporter.puzzles import PUZZLES

    layers = (GENERATORS.origin(layer.generator) for layer in spec.layers.values())
    puzzles = (PUZZLES.origin(puzzle.kind) for puzzle in spec.puzzles.values())
    return any(origin is not None for origin in (*layers, *puzzles))


def check_at_once(spec: LevelSpec) -> None:
    """Raise an error if a level is so large that it must be built in chunks.

    Raises:
        SpecError: The level has more cells than can be built at once.
    """
    if prod(spec.size) > MAXIMUM_CELLS:
        message = (
            f"a world of {prod(spec.size):,} cells cannot be built at once (allowed: "
            f"{MAXIMUM_CELLS:,}; `exporter export` builds it in parts)"
        )
        raise spec.error(("size",), message)


def check_costs(
    spec: LevelSpec, max_seconds: float, what: str = "building this level"
) -> list[Problem]:
    """Estimate how long a level takes to build; refuse it above `max_seconds`.

    Args:
        spec: The checked spec.
        max_seconds: The longest time that building may take.
        what: The subject of the message, such as `the level`.

    Returns:
        One warning if the level takes long, else an empty list.

    Raises:
        SpecError: The level would take longer (the error points at the parameter that costs most),
            or is so large that it must be built in chunks.
    """
    check_at_once(spec)
    costs = estimated_costs(spec)
    total = sum(cost.seconds for cost in costs)
    if total <= min(NOTABLE_SECONDS, max_seconds):
        return []
    most = max(costs, key=lambda cost: cost.seconds)
    about = f"{what} takes about {_seconds(total)} seconds"
    if most.seconds < 0.9 * total:
        about += f", {_seconds(most.seconds)} of them for {most.what}"
    if total > max_seconds:
        message = f"{about} (allowed: {max_seconds:g}; --max-seconds allows more)"
        raise SpecError([_problem(spec, most.path, message)])
    return [_problem(spec, most.path, about, warning=True)]


@contextmanager
def _failures_placed(spec: LevelSpec, path: ValuePath) -> Iterator[None]:
    try:
        yield
    except ParameterError as error:
        raise spec.error(path, error.message) from None


def _step(what: str, position: ValuePath, cost: Cost) -> StepCost:
    return StepCost(what, cost.seconds, (*position, *cost.path))


def _problem(spec: LevelSpec, path: ValuePath, message: str, *, warning: bool = False) -> Problem:
    # The size of a layer is usually given at the top of the spec.
    if path[-1] == "size" and spec.document.get(path) is None:
        path = ("size",)
    return spec.document.problem(path, message, severity="warning" if warning else "error")


def _seconds(number: float) -> str:
    return f"{number:.1f}" if number < 10 else f"{number:,.0f}"
