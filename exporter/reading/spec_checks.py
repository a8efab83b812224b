"""Check that the sections of a spec fit each other, once all are read.

One table lists all checks. A check yields paths and messages; it skips invalid parts and everything
that depends on them, since their faults are reported already. Names in a section are checked in
`exporter.reading.sections`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_SIDE, MAXIMUM_TOTAL_CELLS
from exporter.reading.build_order import build_graph, cycle_message
from exporter.reading.level_spec import LevelSpec, seed_problem
from exporter.reading.references import Declared, SearchResult
from exporter.reading.roles import role_problems
from exporter.reading.yaml_reader import Path as ValuePath


def _size_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Check that the level does not have too many cells; skip worlds."""
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


def _seed_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    # The seeds that a search tries suit every random stream.
    if spec.search is not None or not (declared.has("seed") and declared.has("rng")):
        return
    problem = seed_problem(spec.seed, spec.rng)
    if problem:
        yield ("seed",) if "seed" in spec.document.data else ("rng",), problem


def _order_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Check that no layers and object groups depend on each other in a circle."""
    if not declared.all_objects_read:
        return
    graph = build_graph(
        spec.layers, spec.objects, spec.visibility, declared.roles, declared.size, spec.mission
    )
    for cycle in graph.cycles():
        yield cycle.path, cycle_message(cycle, graph)


def _role_problems(spec: LevelSpec, declared: Declared) -> SearchResult:
    return role_problems(spec.layers, declared.size, declared.sizes)


SPEC_CHECKS: tuple[Callable[[LevelSpec, Declared], SearchResult], ...] = (
    _size_problems,
    _world_problems,
    _seed_problems,
    _order_problems,
    _role_problems,
)
