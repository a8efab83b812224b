"""Report a world's layers and objects as sums over its chunks.

Manifest entries of chunks have the numbers of walkable cells and objects, so the sums are right
even if several exports built the chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exporter.export.layer_reports import certificate_report, layer_report
from exporter.store.entries import ManifestEntry

if TYPE_CHECKING:
    from exporter.build.world import World
    from exporter.build.world_surveys import Surveyed
    from exporter.model.level import Level


def part_layers(level: Level) -> dict[str, Any]:
    """Return the report about the layers of one chunk, a `level`.

    It has the number of walkable cells of each layer, for the sums of the whole world.
    """
    result = {name: layer_report(layer) for name, layer in level.layers.items()}
    for name, layer in level.layers.items():
        if layer.walkable is not None:
            result[name]["floor"] = int(layer.walkable.sum())
    return result


def part_objects(level: Level) -> dict[str, dict[str, int]]:
    """Return how many objects of each name a chunk, a `level`, has.

    They count both as requested and as placed.
    """
    names = [item.name for item in level.objects]
    return {
        name: {"asked": names.count(name), "placed": names.count(name)}
        for name in dict.fromkeys(names)
    }


def world_layers(world: World, level: Level, known: Surveyed) -> dict[str, Any]:
    """Return the report about the layers of `world`, without sums.

    The sums over all chunks are added later. `level` is any chunk of the world; `known` are the
    results of all surveys.
    """
    result = {name: layer_report(layer) for name, layer in level.layers.items()}
    play = [layer.name for layer in level.play_layers()]
    for name, layer in level.layers.items():
        if layer.walkable is not None:
            alone = play == [name]
            certificate = world.certificate(name, known, alone=alone)
            result[name]["certificate"] = certificate_report(certificate)
    return result


def with_floors(layers: Mapping[str, Any], parts: Sequence[ManifestEntry]) -> dict[str, Any]:
    """Return the report `layers` with each layer's count of walkable cells.

    A count is the sum over `parts`, the manifest entries of all chunks. A layer gets none if it has
    no certificate, or if the count of a chunk is unknown.
    """
    result = dict(layers)
    for name, layer in layers.items():
        floors = [part.layers.get(name, {}).get("floor") for part in parts]
        if layer["certificate"] is not None and None not in floors:
            result[name] = {**layer, "certificate": {**layer["certificate"], "floor": sum(floors)}}
    return result


def with_objects(
    objects: Mapping[str, Mapping[str, int]], parts: Sequence[ManifestEntry]
) -> dict[str, dict[str, int]]:
    """Return the numbers of `objects` plus those of all chunks, by name.

    The numbers are of requested and of placed objects. `parts` are the manifest entries of all
    chunks.
    """
    result = {name: dict(item) for name, item in objects.items()}
    for part in parts:
        for name, item in part.objects.items():
            counts = result.setdefault(name, {"asked": 0, "placed": 0})
            for key in counts:
                counts[key] += item[key]
    return result
