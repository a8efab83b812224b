"""Plan the order of a world's layers and objects, and the margin of each.

A part is made with a margin, since its cells depend on other layers there. The margin follows from
the halo of each step, added up from the last step to the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from exporter.generators import Parts
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.build_order import Graph, Need, Part
from exporter.reading.level_spec import LevelSpec
from exporter.reading.world_rules import parts_of


@dataclass(frozen=True, slots=True)
class LayerStep:
    """How a layer is made.

    Attributes:
        part: The layer in the graph of the build.
        name: Its name.
        parts: How its generator makes parts.
        halo: How many cells around affect its cells.
        reach: How far around a part it is needed.
        needs: The layers and groups it is made from.
    """

    part: Part
    name: str
    parts: Parts
    halo: int
    reach: int
    needs: frozenset[Part]


@dataclass(frozen=True, slots=True)
class GroupStep:
    """How a group of objects is placed; attributes as in `LayerStep`.

    Attributes:
        index: Its place in the spec.
        number: Which group of its name it is, from 1 in the order of the build.
    """

    part: Part
    index: int
    number: int
    halo: int
    reach: int
    needs: frozenset[Part]


Step = LayerStep | GroupStep


def world_steps(spec: LevelSpec, graph: Graph) -> tuple[Step, ...]:
    """Return the steps of a world in the order of the build.

    Args:
        spec: The spec.
        graph: The dependencies of its layers and groups.

    Raises:
        SpecError: A generator cannot make parts.
    """
    order = [one for one in graph.ordered() if one.kind in ("layer", "objects")]
    makers: dict[Part, tuple[Parts, int]] = {}
    for one in order:
        if one.kind == "layer":
            name = str(one.key)
            try:
                makers[one] = parts_of(spec, spec.layers[name])
            except ParameterError as error:
                raise spec.error(("layers", name, *error.path), error.message) from None
    halos: dict[Part, dict[Part, int]] = {}
    groups: list[Part] = []
    for one in order:
        if one.kind == "layer":
            halos[one] = dict.fromkeys(_needed(graph, one), makers[one][1])
        else:
            # Cells of earlier groups are taken, and no others.
            radius = spec.objects[int(one.key)].clear_radius
            halos[one] = dict.fromkeys(groups, 0)
            halos[one] |= {need: radius for need in _needed(graph, one) if need.kind == "layer"}
            groups.append(one)
    reach = _reaches(order, halos)
    begun: Counter[str] = Counter()
    steps: list[Step] = []
    for one in order:
        needs = frozenset(halos[one])
        if one.kind == "layer":
            parts, halo = makers[one]
            steps.append(LayerStep(one, str(one.key), parts, halo, reach[one], needs))
            continue
        index = int(one.key)
        group = spec.objects[index]
        begun[group.name] += 1
        number = begun[group.name]
        steps.append(GroupStep(one, index, number, group.clear_radius, reach[one], needs))
    return tuple(steps)


def _reaches(order: list[Part], halos: Mapping[Part, Mapping[Part, int]]) -> dict[Part, int]:
    """Return the margin around a part of the world for each part of the build."""
    reach = dict.fromkeys(order, 0)
    for one in reversed(order):
        for need, halo in halos[one].items():
            reach[need] = max(reach[need], reach[one] + halo)
    return reach


def _needed(graph: Graph, part: Part) -> dict[Part, None]:
    """Return the layers and groups that a part needs."""
    found: dict[Part, None] = {}
    waiting: list[Need] = list(graph.needs.get(part, ()))
    seen: set[Part] = set()
    while waiting:
        one = waiting.pop(0).part
        if one in seen:
            continue
        seen.add(one)
        if one.kind in ("layer", "objects"):
            found[one] = None
        else:
            waiting += graph.needs.get(one, ())
    return found
