"""Warn about objects and cells that were requested but could not be made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.build.requirements import ALL_BUILT, SEPARATE_REGIONS
from exporter.generators import GENERATORS
from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from exporter.model.level import Layer, PlacedObject
    from exporter.placement.placed import PlacedGroup
    from exporter.reading.level_spec import LevelSpec


@dataclass(frozen=True, slots=True)
class ObjectCount:
    """How many objects of one name were requested and placed."""

    requested: int
    placed: int

    def report(self) -> dict[str, int]:
        """Return the counts as JSON data for the export report."""
        return {"asked": self.requested, "placed": self.placed}


def _apart(regions: int) -> str:
    way_out = "open some cells of `fixed`, `only_in` or `never_in`, or remove `connect`"
    if regions == 0:
        return f"no cell is walkable, because all cells are given ({way_out})"
    return (
        f"{regions} regions cannot be joined, because given cells between them are never opened "
        f"({way_out})"
    )


def object_counts(
    spec: LevelSpec, placed: tuple[PlacedObject, ...], spawned: Mapping[int, PlacedGroup]
) -> dict[str, ObjectCount]:
    """Return how many objects were requested and how many placed, by name.

    Args:
        spec: The spec.
        placed: The placed objects.
        spawned: The groups drawn from spawn tables, by index in the spec's `objects`; for such a
            group, the number of drawn objects counts as requested.
    """
    counter = Counter(item.name for item in placed)
    # Objects on a drawn layer are placed as requested.
    requested = Counter(item.name for item in placed if item.entry is None)
    entries = Counter(item.entry for item in placed)
    for index, item in enumerate(spec.objects):
        if item.spawn is not None:
            requested[item.name] += spawned[index].requested
        else:
            # With `percent`, each cell is decided alone, so the result is what was requested.
            requested[item.name] += item.count if item.percent is None else entries[index]
    return {name: ObjectCount(count, counter[name]) for name, count in requested.items()}


def shortfalls(
    spec: LevelSpec,
    layers: Mapping[str, Layer],
    placed: tuple[PlacedObject, ...],
    spawned: Mapping[int, PlacedGroup],
) -> list[Problem]:
    """Return a warning for each shortage of objects or cells.

    Args:
        spec: The spec.
        layers: The finished layers by name.
        placed: The objects as they were placed.
        spawned: The groups drawn from spawn tables, by index in the spec's `objects`.
    """
    result: list[tuple[tuple[str | int, ...], str]] = []
    for name, built in layers.items():
        entry = GENERATORS.get(built.generator)
        layer, text = built, ""
        apart = built.report.get(SEPARATE_REGIONS)
        if apart is not None:
            result.append((("layers", name), f"layer {name!r}: {_apart(apart)}"))
            layer = replace(built, complete=built.report[ALL_BUILT])
        if entry.shortfall is not None:
            text = entry.shortfall(spec.layers[name].parameters, layer)
        elif not layer.complete:
            text = "some requested parts could not be made"
        if text:
            result.append((("layers", name), f"layer {name!r}: {text}"))
    counted = Counter(item.entry for item in placed)
    counts: dict[str, ObjectCount] = {}
    for index, item in enumerate(spec.objects):
        if item.spawn is None and item.percent is None:
            before = counts.get(item.name, ObjectCount(0, 0))
            counts[item.name] = ObjectCount(
                before.requested + item.count, before.placed + counted[index]
            )
    for name, count in counts.items():
        if count.placed < count.requested:
            index = next(i for i, item in enumerate(spec.objects) if item.name == name)
            text = (
                f"{count.placed} of {count.requested} {name!r} could be placed (lower `count` or "
                "its demands; `required: true` makes this an error)"
            )
            result.append((("objects", index), text))
    result += [
        (("objects", index, "spawn"), item.shortfall)
        for index, item in sorted(spawned.items())
        if item.shortfall
    ]
    return [
        replace(spec.document.problem(path, text, at_key=True), severity="warning")
        for path, text in result
    ]
