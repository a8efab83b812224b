"""Collect the objects that layers contain, such as those of drawn maps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from exporter.model.level import Layer, PlacedObject


def objects_of_layers(layers: Iterable[Layer]) -> tuple[PlacedObject, ...]:
    """Return the objects that `layers` contain, numbered from 1 in order.

    Objects with equal name, cell and properties count once, since several layers of one drawn map
    contain the same objects.
    """
    result: list[PlacedObject] = []
    brought: set[tuple[object, ...]] = set()
    for layer in layers:
        own = [(_identity(item), item) for item in layer.objects]
        result += [item for identity, item in own if identity not in brought]
        brought.update(identity for identity, _ in own)
    return tuple(replace(item, id=number) for number, item in enumerate(result, 1))


def _identity(item: PlacedObject) -> tuple[object, ...]:
    values = sorted((name, repr(value)) for name, value in item.properties.items())
    return item.name, item.x, item.y, *values
