"""List the objects a level can have, by its spec alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import references
from exporter.reading.level_spec import LayerSpec, LevelSpec

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters


@dataclass(frozen=True, slots=True)
class ObjectNames(Collection[str]):
    """The names of a level's objects.

    Attributes:
        listed: The names in the spec.
        open: Whether a layer can bring objects of other names, from a file: then every name is
            accepted until the level is built.
    """

    listed: tuple[str, ...]
    open: bool = False

    def __contains__(self, name: object) -> bool:
        """Whether there can be objects of this name."""
        return self.open or name in self.listed

    def __iter__(self) -> Iterator[str]:
        """Go through the names that the spec has."""
        return iter(self.listed)

    def __len__(self) -> int:
        """Return how many names the spec has."""
        return len(self.listed)


def object_names(spec: LevelSpec) -> ObjectNames:
    """Return the names of the objects that a level of a spec can have."""
    return names_of([item.name for item in spec.objects], spec.layers, spec.mission)


def bringing_layers(layers: Mapping[str, LayerSpec]) -> frozenset[str]:
    """Return the layers that bring objects: their own, or those of a layer that they copy."""
    copies = {
        name: {item.name for item in references(layer.parameters) if item.rule.copied}
        for name, layer in layers.items()
    }
    found = {name for name, layer in layers.items() if layer.parameters.object_names() != ()}
    while more := {name for name in copies if name not in found and copies[name] & found}:
        found |= more
    return frozenset(found)


def names_of(
    listed: Iterable[str],
    layers: Mapping[str, LayerSpec],
    mission: MissionParameters | None = None,
) -> ObjectNames:
    """Return the names that `objects:` lists, those of layers' objects and of the mission."""
    names = dict.fromkeys(listed)
    names.update(dict.fromkeys(mission.object_names() if mission is not None else ()))
    result = [layer.parameters.object_names() for layer in layers.values()]
    names.update(dict.fromkeys(name for some in result for name in some or ()))
    return ObjectNames(tuple(names), open=None in result)
