"""Remove the layers and objects of a spec that its metrics do not need.

A search builds thousands of levels, so layers without a role, puzzles, tables and pictures are left
out. One table lists the reasons to keep a layer, another the reasons to keep the objects. Layers
that a kept layer names are kept, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from exporter.generators import GENERATORS
from exporter.measures.names import NamedMetric, named_metric
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import LayerRole
from exporter.model.parameters import Parameters, references
from exporter.reading.build_order import bringing_layers, may_hold_tiles
from exporter.reading.level_spec import LayerSpec, LevelSpec
from exporter.reading.roles import layer_roles


@dataclass(frozen=True, slots=True)
class _Demand:
    """What decides which layers and objects of a spec are needed.

    Attributes:
        spec: The spec.
        needs: What the metrics and limits read, such as `objects` or `visibility`.
        all_layers: Whether to keep every layer.
        roles: The roles of the spec's layers, by name.
    """

    spec: LevelSpec
    needs: frozenset[str]
    all_layers: bool
    roles: dict[str, LayerRole]


# Reasons to keep a layer, each with its test.
_LAYER_REASONS: dict[str, Callable[[_Demand, LayerSpec], bool]] = {
    "all are asked for": lambda demand, _layer: demand.all_layers,
    "may be walked on": lambda demand, layer: (
        demand.roles[layer.name] == "play" and may_hold_tiles(layer, demand.spec.size)
    ),
    "has requirements": lambda _demand, layer: (
        layer.options.require is not None or bool(layer.limits)
    ),
    "brings objects": lambda demand, layer: layer.name in bringing_layers(demand.spec.layers),
    "blocks sight": lambda demand, layer: (
        demand.spec.visibility is not None and demand.spec.visibility.layer == layer.name
    ),
    "may hold the rooms of a mission": lambda demand, _layer: demand.spec.mission is not None,
    "named by objects": lambda demand, layer: any(
        layer.name in _names(item, "layer") for item in demand.spec.objects
    ),
}
# Reasons to keep the objects, each with its test on the needed layers. Objects are placed one after
# another, so all or none are left out.
_OBJECT_REASONS: dict[str, Callable[[_Demand, Sequence[LayerSpec]], bool]] = {
    "measured": lambda demand, _layers: "objects" in demand.needs,
    "may fail": lambda demand, _layers: any(item.required for item in demand.spec.objects),
    "may be named by a mission": lambda demand, _layers: demand.spec.mission is not None,
    "start of distances": lambda demand, _layers: (
        demand.spec.require is not None and demand.spec.require.start is not None
    ),
    "named by a layer": lambda _demand, layers: any(
        _names(item.parameters, "object") for item in layers
    ),
    "derived from": lambda _demand, layers: any(
        GENERATORS.get(item.generator).stage == "derived" for item in layers
    ),
}


def prune_to_dependencies(
    spec: LevelSpec, metrics: Sequence[NamedMetric], *, all_layers: bool = False
) -> LevelSpec:
    """Return `spec` with only what `metrics` and its own limits depend on.

    The rest gives the same metrics as the whole spec does. If `all_layers` is true, no layer is
    left out.
    """
    measured = [metric.metric for metric in metrics]
    measured += [named_metric(limit.name).metric for limit in spec.limits]
    needs = frozenset(need for item in measured for need in item.needs)
    if "level" in needs:
        return spec
    demand = _Demand(spec, needs, all_layers, layer_roles(spec.layers))
    layers = _needed_layers(demand)
    needed = list(layers.values())
    has_objects = any(is_reason(demand, needed) for is_reason in _OBJECT_REASONS.values())
    objects = spec.objects if has_objects else ()
    drawn_from = {item.spawn.table for item in objects if item.spawn is not None}
    return replace(
        spec,
        layers=_with_roles(layers, demand.roles),
        objects=objects,
        puzzles={},
        tables={name: table for name, table in spec.tables.items() if name in drawn_from},
        tileset=None,
        properties={},
    )


def _needed_layers(demand: _Demand) -> dict[str, LayerSpec]:
    """Return needed layers and what they read, by name, in the spec's order."""
    layers = demand.spec.layers
    waiting = [
        name
        for name, layer in layers.items()
        if any(is_reason(demand, layer) for is_reason in _LAYER_REASONS.values())
    ]
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _names(layers[name].parameters, "layer")
    return {name: layer for name, layer in layers.items() if name in needed}


def _with_roles(layers: dict[str, LayerSpec], roles: dict[str, LayerRole]) -> dict[str, LayerSpec]:
    """Return `layers`, each with its role in the whole spec, from `roles`.

    A layer's default role could change when other layers are left out.
    """
    changed = {name for name, role in layer_roles(layers).items() if role != roles[name]}
    return {
        name: replace(layer, options=replace(layer.options, role=roles[name]))
        if name in changed
        else layer
        for name, layer in layers.items()
    }


def _names(parameters: Parameters, kind: str) -> set[str]:
    """Return the names of layers, or of objects, that `parameters` contain.

    `kind` chooses which: `layer` or `object`.
    """
    return {reference.name for reference in references(parameters) if reference.rule.to == kind}
