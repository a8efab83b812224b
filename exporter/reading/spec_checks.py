"""Check how the sections of a spec fit each other, once all are read.

One table has all checks. Each yields the path in its section and a message; a check is left out if
its inputs are faulty, which has been reported then.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from exporter.model.errors import RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_SIDE, MAXIMUM_TOTAL_CELLS
from exporter.reading.build_order import build_graph, cycle_message
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LevelSpec, seed_problem
from exporter.reading.metric_limits import unmet_needs
from exporter.reading.references import (
    Declared,
    SearchResult,
    limit_problems,
    mission_problems,
    reference_problems,
    sight_problems,
    start_problems,
)
from exporter.reading.roles import role_problems


@dataclass(frozen=True, slots=True)
class SpecCheck:
    """One check of a spec that is read.

    Attributes:
        problems: Yields a path and a message for each problem.
        section: Where the paths begin.
        needs: The outer keys that must be valid, and whose sections must be read whole.
        at_key: Whether problems are reported at keys, not at values.
    """

    problems: Callable[[LevelSpec, Declared], SearchResult]
    section: ValuePath = ()
    needs: tuple[str, ...] = ()
    at_key: bool = False


def _size_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Check the number of cells; a world is checked part by part."""
    size = declared.size
    if spec.chunk is not None:
        return
    if size is not None and prod(size) > MAXIMUM_CELLS:
        yield (
            ("size",),
            f"{prod(size):,} cells are too many at once (allowed: {MAXIMUM_CELLS:,}; with "
            "`chunk: 512` the level is made by parts)",
        )
        return
    if size is not None and max(size) > MAXIMUM_SIDE:
        yield (
            ("size",),
            f"{max(size):,} cells are too many for a side (allowed: {MAXIMUM_SIDE:,}; "
            "with `chunk: 512` the level is made by parts)",
        )
        return
    total = 0
    for name, layer_size in declared.sizes.items():
        if layer_size is None:
            continue
        cells = prod(layer_size)
        path: ValuePath = ("layers", name, "size")
        if cells > MAXIMUM_CELLS and spec.document.get(path) is not None:
            yield path, f"{cells:,} cells are too many (allowed: {MAXIMUM_CELLS:,})"
        total += min(cells, MAXIMUM_CELLS)
    if total > MAXIMUM_TOTAL_CELLS:
        message = f"all layers together have {total:,} cells (allowed: {MAXIMUM_TOTAL_CELLS:,})"
        yield ("layers",), message


def _world_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    if spec.chunk is not None and declared.size is not None:
        from exporter.reading.world_rules import world_problems

        yield from world_problems(spec)


def _seed_problems(spec: LevelSpec, _declared: Declared) -> SearchResult:
    # The candidates of a search suit every stream.
    problem = seed_problem(spec.seed, spec.rng) if spec.search is None else ""
    if problem:
        yield ("seed",) if "seed" in spec.document.data else ("rng",), problem


def _sight_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    visibility = spec.visibility
    if visibility is None:
        return
    from exporter.visibility.algorithms import ALGORITHMS

    yield from sight_problems(visibility.layer, spec.layers, declared)
    try:
        rule = ALGORITHMS.get(visibility.algorithm)
    except RegistryError as error:
        yield ("algorithm",), str(error)
        return
    if visibility.see_walls and not rule.optional_walls:
        having = [name for name in ALGORITHMS.built_in() if ALGORITHMS.get(name).optional_walls]
        yield ("see_walls",), f"see_walls is only for {', '.join(f'`{n}`' for n in having)}"


def _requirement_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    if spec.require is not None and spec.require.limits_cells():
        yield from limit_problems(spec.layers, declared)
    if spec.require is not None:
        yield from start_problems(spec.require, declared)


def _metric_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    return unmet_needs(spec.limits, declared.objects, sight=declared.sight)


def _order_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Check that every layer and group can be built after its dependencies."""
    graph = build_graph(
        spec.layers, spec.objects, spec.visibility, declared.roles, declared.size, spec.mission
    )
    for cycle in graph.cycles():
        yield cycle.path, cycle_message(cycle, graph)


def _mission_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    if spec.mission is not None:
        yield from mission_problems(spec.mission, spec.layers, declared)


def _role_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    return role_problems(spec.layers, declared.size, declared.sizes)


SPEC_CHECKS = (
    SpecCheck(_size_problems),
    SpecCheck(_world_problems),
    SpecCheck(_seed_problems, needs=("seed", "rng")),
    SpecCheck(_sight_problems, ("visibility",)),
    SpecCheck(_requirement_problems, ("require",)),
    SpecCheck(_metric_problems, ("require",), at_key=True),
    SpecCheck(reference_problems),
    SpecCheck(_mission_problems, ("mission",)),
    SpecCheck(_order_problems, needs=("objects",)),
    SpecCheck(_role_problems),
)
