"""Find the order in which layers and object groups of a spec are built.

An object group is one entry of `objects:`. A layer depends on the layers and objects that its
parameters name; a group depends on the layer it stands on, the objects that it keeps near to or far
from, and whatever else its parameters name. Objects that name no layer are placed on all ground
layers together; one of these layers also blocks sight. Each layer or group is built after its
dependencies. Otherwise the order is: maps, object groups, then layers derived from sight or from
all objects; within these as in the spec, but groups with fewer dependencies come first, and those
with `after_others` last.

No other module decides the order. A cycle is a mistake in the spec; the message names its members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Literal, NamedTuple

from exporter.generators import GENERATORS
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import LayerRole
from exporter.model.parameters import references
from exporter.reading.level_keys import VisibilityParameters
from exporter.reading.level_spec import LayerSpec, LevelSpec
from exporter.reading.roles import layer_roles
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters
    from exporter.placement.parameters import ObjectParameters

# `named`: all groups of a name; `ground`: all ground layers; `all`: all groups; `others`: those
# without `after_others`; `standing`: all layers that bring objects.
Kind = Literal[
    "layer", "objects", "named", "ground", "sight", "all", "others", "standing", "mission"
]
Size = tuple[int, int]


class BuildPart(NamedTuple):
    """A node of the build graph, such as a layer or an object group.

    Attributes:
        kind: What it is. Some are sets: `named` (all object groups of one name), `ground` (all
            layers that objects stand on), `standing` (all layers with objects of their own), `all`
            and `others` (all object groups; those without `after_others`).
        key: The layer's name for `layer`; the index in `objects` for `objects`; the objects' name
            for `named`; else "".
    """

    kind: Kind
    key: str | int = ""


class Need(NamedTuple):
    """A dependency on `part`, caused by the spec's parameter at `path`."""

    part: BuildPart
    path: ValuePath


class Cycle(NamedTuple):
    """Layers and object groups that depend on each other in a circle.

    `path` is the parameter because of which the first of `parts` depends on the next.
    """

    parts: tuple[BuildPart, ...]
    path: ValuePath


GROUND = BuildPart("ground")
SIGHT = BuildPart("sight")
ALL_OBJECTS = BuildPart("all")
STANDING = BuildPart("standing")
OTHERS = BuildPart("others")
MISSION = BuildPart("mission")


def late_layers(layers: Mapping[str, LayerSpec]) -> frozenset[str]:
    """Return the layers derived from sight or objects, and layers using them.

    They are called late, since they are built after the objects. An object stands on such a layer
    only if the object names it, and late layers never block sight.
    """
    late: set[str] = set()
    for name, layer in layers.items():
        used = {
            reference.name
            for reference in references(layer.parameters)
            if reference.rule.to == "layer"
        }
        if GENERATORS.get(layer.generator).stage != "map" or not late.isdisjoint(used):
            late.add(name)
    return frozenset(late)


@dataclass(slots=True)
class Graph:
    """The dependencies among the layers and object groups of a level.

    Attributes:
        needs: The dependencies of each layer or group, in the order of its parameters.
        objects: The object groups of the spec.
        late: The names of the layers that are built after the objects.
    """

    needs: dict[BuildPart, list[Need]]
    objects: Sequence[ObjectParameters]
    late: frozenset[str]
    _places: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        layers = [str(part.key) for part in self.needs if part.kind == "layer"]
        self._places = {name: position for position, name in enumerate(layers)}

    def ordered(self, built: frozenset[BuildPart] = frozenset()) -> list[BuildPart]:
        """Return layers and object groups in build order, without those in cycles.

        `built` has nodes that are finished already; they are left out of the result.
        """
        waiting: dict[BuildPart, int] = {}
        needed_by: dict[BuildPart, list[BuildPart]] = {}
        for part, needs in self.needs.items():
            if part in built:
                continue
            missing = {need.part for need in needs} - built
            waiting[part] = len(missing)
            for item in missing:
                needed_by.setdefault(item, []).append(part)
        # The number of groups before a part.
        depth = dict.fromkeys(waiting, 0)
        ready = [(*self._rank(part, 0), part) for part, count in waiting.items() if not count]
        heapify(ready)
        order = []
        while ready:
            part = heappop(ready)[-1]
            order.append(part)
            behind = depth[part] + (part.kind == "objects")
            for entry in needed_by.get(part, ()):
                depth[entry] = max(depth[entry], behind)
                waiting[entry] -= 1
                if not waiting[entry]:
                    heappush(ready, (*self._rank(entry, depth[entry]), entry))
        return order

    def cycles(self) -> Iterator[Cycle]:
        """Yield the dependency cycles, one for each mistake; none share a node."""
        built: frozenset[BuildPart] = frozenset()
        while True:
            built |= frozenset(self.ordered(built))
            stuck = {part: None for part in self.needs if part not in built}
            if not stuck:
                return
            cycle = self._cycle_among(stuck)
            yield cycle
            built |= frozenset(cycle.parts)

    def label(self, part: BuildPart) -> str:
        """Return the name of `part` in messages."""
        if part.kind == "objects":
            return self.objects[int(part.key)].name
        return {"sight": "visibility", "mission": "mission"}.get(part.kind, str(part.key))

    def _rank(self, part: BuildPart, depth: int) -> tuple[int, int, int]:
        if part.kind == "mission":
            return (2, -1, 0)
        if part.kind == "layer":
            name = str(part.key)
            return (3 if name in self.late else 1, 0, self._places[name])
        if part.kind == "objects":
            index = int(part.key)
            return (2, len(self.objects) if self.objects[index].after_others else depth, index)
        return (0, 0, 0)

    def _cycle_among(self, stuck: Mapping[BuildPart, None]) -> Cycle:
        """Return a cycle in `stuck`, the nodes that cannot be built.

        Each of these nodes depends on another of them.
        """
        part = next(iter(stuck))
        seen: list[Need] = []
        places: dict[BuildPart, int] = {}
        while part not in places:
            places[part] = len(seen)
            need = next(need for need in self.needs[part] if need.part in stuck)
            seen.append(Need(part, need.path))
            part = need.part
        around = seen[places[part] :]
        displayed = [need for need in around if need.part.kind in ("layer", "objects")]
        first = min(displayed, key=lambda need: (need.part.kind, self._position(need.part)))
        start = around.index(first)
        around = around[start:] + around[:start]
        return Cycle(tuple(need.part for need in around), first.path)

    def _position(self, part: BuildPart) -> int:
        return self._places[str(part.key)] if part.kind == "layer" else int(part.key)


def build_graph(
    layers: Mapping[str, LayerSpec],
    objects: Sequence[ObjectParameters],
    visibility: VisibilityParameters | None,
    roles: Mapping[str, LayerRole],
    size: Size | None,
    mission: MissionParameters | None = None,
) -> Graph:
    """Return the dependencies among layers and object groups.

    A reference to something missing, or of a layer or group to itself, is ignored: other checks
    report it.

    Args:
        layers: The layers by name.
        objects: The object groups.
        visibility: The value of `visibility`; None if unset.
        roles: The role of each layer by name.
        size: The level's width and height; None if invalid.
        mission: The mission; None without one.
    """
    late = late_layers(layers)
    ground = ground_layers(layers, roles, late, size)
    parts: dict[BuildPart, list[Need]] = {
        BuildPart("layer", name): _needs_of_layer(layer, visibility is not None)
        for name, layer in layers.items()
    }
    for index, item in enumerate(objects):
        parts[BuildPart("objects", index)] = _needs_of_group(index, item)
    for index, entry in enumerate(objects):
        parts.setdefault(BuildPart("named", entry.name), []).append(
            Need(BuildPart("objects", index), ())
        )
    blocking = [visibility.layer] if visibility is not None and visibility.layer else ground
    parts[GROUND] = [Need(BuildPart("layer", name), ()) for name in ground]
    parts[SIGHT] = [Need(BuildPart("layer", name), ()) for name in blocking if name not in late]
    parts[ALL_OBJECTS] = [Need(BuildPart("objects", index), ()) for index in range(len(objects))]
    parts[OTHERS] = [need for need in parts[ALL_OBJECTS] if not _comes_later(need.part, objects)]
    parts[ALL_OBJECTS].append(Need(STANDING, ()))
    bringing = bringing_layers(layers)
    parts[STANDING] = [Need(BuildPart("layer", name), ()) for name in layers if name in bringing]
    if mission is not None:
        _add_mission(parts, mission, objects)
    for part, needs in parts.items():
        parts[part] = [need for need in needs if need.part in parts and need.part != part]
    return Graph(parts, objects, late)


def bringing_layers(layers: Mapping[str, LayerSpec]) -> frozenset[str]:
    """Return the names of layers that contain objects themselves.

    Such a layer draws its objects, or copies them from a file or another layer.
    """
    copies = {
        name: {item.name for item in references(layer.parameters) if item.rule.copied}
        for name, layer in layers.items()
    }
    bringing = {name for name, layer in layers.items() if layer.parameters.object_names() != ()}
    while more := {name for name in copies if name not in bringing and copies[name] & bringing}:
        bringing |= more
    return frozenset(bringing)


def _add_mission(
    parts: dict[BuildPart, list[Need]],
    mission: MissionParameters,
    objects: Sequence[ObjectParameters],
) -> None:
    """Add the mission to `parts`, between the objects it names and all others."""
    locks = {lock.name for lock in mission.locks}
    needs = [
        Need(
            BuildPart("layer" if reference.rule.to == "layer" else "named", reference.name),
            ("mission", *reference.path),
        )
        for reference in references(mission)
    ]
    needs.append(Need(STANDING, ("mission",)))
    needs += [
        Need(item.part, ("mission", *path))
        for name, _, path in mission.named()
        for item in parts.get(BuildPart("named", name), ())
    ]
    needs += [
        Need(BuildPart("objects", index), ("objects", index, "properties"))
        for index, item in enumerate(objects)
        if item.properties.get("opens") in locks
    ]
    for name in mission.object_names():
        parts.setdefault(BuildPart("named", name), [Need(MISSION, ("mission",))])
    parts[ALL_OBJECTS].append(Need(MISSION, ("mission",)))
    # A layer that reads what the mission places comes later: the proof looks at it.
    parts[MISSION] = needs + [
        need for need in parts[GROUND] if MISSION not in _needed_by(need.part, parts)
    ]
    before = _needed_by(MISSION, parts)
    for index in range(len(objects)):
        if BuildPart("objects", index) not in before:
            parts[BuildPart("objects", index)].append(Need(MISSION, ("mission",)))


def _needed_by(part: BuildPart, parts: Mapping[BuildPart, Sequence[Need]]) -> set[BuildPart]:
    """Return `part` and everything that it depends on, directly or not."""
    result, waiting = {part}, [part]
    while waiting:
        for need in parts.get(waiting.pop(), ()):
            if need.part not in result:
                result.add(need.part)
                waiting.append(need.part)
    return result


def spec_graph(spec: LevelSpec) -> Graph:
    """Return the dependencies among the layers and object groups of `spec`."""
    roles = layer_roles(spec.layers)
    return build_graph(spec.layers, spec.objects, spec.visibility, roles, spec.size, spec.mission)


def ground_layers(
    layers: Mapping[str, LayerSpec],
    roles: Mapping[str, LayerRole],
    late: frozenset[str],
    size: Size | None,
) -> list[str]:
    """Return the names of the layers on which objects without `layer` stand.

    These are the layers of the role `play` that can have tiles of the level's size. The last one
    blocks sight.

    Args:
        layers: The layers by name.
        roles: The role of each layer by name.
        late: The names of layers that are built after the objects; they are left out.
        size: The level's width and height; None if invalid.
    """
    return [
        name
        for name, layer in layers.items()
        if roles[name] == "play" and name not in late and may_hold_tiles(layer, size)
    ]


def may_hold_tiles(layer: LayerSpec, size: Size | None) -> bool:
    """Return whether `layer` can have one tile for each cell of the level.

    `size` is the level's width and height; if it is None, any size of the layer will do.
    """
    if GENERATORS.get(layer.generator).makes == "heights":
        return False
    return size is None or layer.options.size in (None, size)


def cycle_message(cycle: Cycle, graph: Graph) -> str:
    """Return the error message about `cycle`, with a suggested fix."""
    displayed = [
        part for part in cycle.parts if part.kind in ("layer", "objects", "sight", "mission")
    ]
    labels = [graph.label(part) for part in displayed]
    if len(set(labels)) < len(labels):  # a layer and objects of one name
        labels = [
            label if part.kind in ("sight", "mission") else f"{part.kind} {label}"
            for part, label in zip(displayed, labels, strict=True)
        ]
    ways_out = ["remove one of these references"]
    around = [*cycle.parts, cycle.parts[0]]
    for before, part, after in zip(around[-2:-1] + around, around, around[1:], strict=False):
        if part == GROUND:
            key = "layer" if before.kind == "objects" else "of"
            ways_out.append(f"name the layer of {graph.label(before)!r} with `{key}`")
        elif part == SIGHT:
            ways_out.append("name another layer in `visibility`")
        elif part == OTHERS:
            ways_out.append(f"write `after_others: true` for {graph.label(after)!r}, too")
    way = " -> ".join([*labels, labels[0]])
    return f"cycle: {way} (each is built after what it names: {', or '.join(ways_out)})"


def _needs_of_layer(layer: LayerSpec, sight: bool) -> list[Need]:
    path: ValuePath = ("layers", layer.name)
    needs = [
        Need(
            BuildPart("layer" if reference.rule.to == "layer" else "named", reference.name),
            (*path, *reference.path),
        )
        for reference in references(layer.parameters)
    ]
    stage = GENERATORS.get(layer.generator).stage
    if layer.parameters.needs_ground():
        needs.append(Need(GROUND, (*path, "generator")))
    if any(reference.rule.to == "object" for reference in references(layer.parameters)):
        needs.append(Need(STANDING, (*path, "generator")))
    if stage == "derived":
        needs.append(Need(ALL_OBJECTS, (*path, "generator")))
    if stage != "map" and sight:
        needs.append(Need(SIGHT, (*path, "generator")))
    return needs


def _needs_of_group(index: int, item: ObjectParameters) -> list[Need]:
    path: ValuePath = ("objects", index)
    needs = [
        Need(BuildPart("layer" if it.rule.to == "layer" else "named", it.name), (*path, *it.path))
        for it in references(item)
        if it.rule.to == "layer" or it.name != item.name
    ]
    # Objects that layers bring have their cells before all others.
    needs.append(Need(STANDING, path))
    if item.layer is None:
        needs.append(Need(GROUND, path))
    if item.after_others:
        needs.append(Need(OTHERS, (*path, "after_others")))
    return needs


def _comes_later(part: BuildPart, objects: Sequence[ObjectParameters]) -> bool:
    return objects[int(part.key)].after_others
