"""Plan in which order a world's layers are built, and with what margins.

A chunk is built with a margin, since its cells depend on cells around it. How far a step looks is
its halo. The margin of a layer is the sum of the halos of the steps that read it, one after
another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from exporter.generators import Parts
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.build_order import BuildPart, Graph, Need
from exporter.reading.level_spec import LevelSpec
from exporter.reading.world_rules import parts_of


@dataclass(frozen=True, slots=True)
class LayerStep:
    """How a layer of a world is built in a window.

    Attributes:
        part: The layer in the dependency graph.
        name: The name of the layer.
        parts: How the layer's generator builds windows.
        halo: How many cells around a cell affect it.
        reach: How many cells around the window later steps need of this layer.
        needs: The layers and groups on which the layer depends.
    """

    part: BuildPart
    name: str
    parts: Parts
    halo: int
    reach: int
    needs: frozenset[BuildPart]


@dataclass(frozen=True, slots=True)
class GroupStep:
    """How a group of objects is placed in a window of a world.

    Attributes:
        part: The group in the dependency graph.
        index: The group's index in the spec's `objects`.
        number: The group's number among the groups of its name, from 1 in build order.
        halo: How many cells around a cell affect whether it gets an object.
        reach: How many cells around the window later steps need of this group.
        needs: The layers and groups on which the group depends.
    """

    part: BuildPart
    index: int
    number: int
    halo: int
    reach: int
    needs: frozenset[BuildPart]


Step = LayerStep | GroupStep


def world_steps(spec: LevelSpec, graph: Graph) -> tuple[Step, ...]:
    """Return how each layer and group of objects is built, in build order.

    `graph` has the dependencies between the layers and groups of `spec`.

    Raises:
        SpecError: A generator cannot build windows of a world, but only whole layers.
    """
    order = [item for item in graph.ordered() if item.kind in ("layer", "objects")]
    makers: dict[BuildPart, tuple[Parts, int]] = {}
    for item in order:
        if item.kind == "layer":
            name = str(item.key)
            try:
                makers[item] = parts_of(spec, spec.layers[name])
            except ParameterError as error:
                raise spec.error(("layers", name, *error.path), error.message) from None
    halos: dict[BuildPart, dict[BuildPart, int]] = {}
    groups: list[BuildPart] = []
    for entry in order:
        if entry.kind == "layer":
            halos[entry] = dict.fromkeys(_needed(graph, entry), makers[entry][1])
        else:
            # A group avoids the cells of earlier groups, with no margin.
            radius = spec.objects[int(entry.key)].clear_radius
            halos[entry] = dict.fromkeys(groups, 0)
            halos[entry] |= {need: radius for need in _needed(graph, entry) if need.kind == "layer"}
            groups.append(entry)
    reach = _reaches(order, halos)
    begun: Counter[str] = Counter()
    steps: list[Step] = []
    for element in order:
        needs = frozenset(halos[element])
        if element.kind == "layer":
            parts, halo = makers[element]
            steps.append(LayerStep(element, str(element.key), parts, halo, reach[element], needs))
            continue
        index = int(element.key)
        group = spec.objects[index]
        begun[group.name] += 1
        number = begun[group.name]
        steps.append(GroupStep(element, index, number, group.clear_radius, reach[element], needs))
    return tuple(steps)


def _reaches(
    order: list[BuildPart], halos: Mapping[BuildPart, Mapping[BuildPart, int]]
) -> dict[BuildPart, int]:
    """Return how many cells around a window each layer or group is needed.

    `order` has all layers and groups in build order; `halos` has, for each, how far around a cell
    it reads each of the others.
    """
    reach = dict.fromkeys(order, 0)
    for item in reversed(order):
        for need, halo in halos[item].items():
            reach[need] = max(reach[need], reach[item] + halo)
    return reach


def _needed(graph: Graph, part: BuildPart) -> dict[BuildPart, None]:
    """Return all layers and groups on which `part` depends, as dict keys."""
    result: dict[BuildPart, None] = {}
    waiting: list[Need] = list(graph.needs.get(part, ()))
    seen: set[BuildPart] = set()
    while waiting:
        item = waiting.pop(0).part
        if item in seen:
            continue
        seen.add(item)
        if item.kind in ("layer", "objects"):
            result[item] = None
        else:
            waiting += graph.needs.get(item, ())
    return result
