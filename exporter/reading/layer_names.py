"""Rename a layer, or replace it by another, wherever a spec uses it."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.model.parameters import references
from exporter.reading.changes import Change, Rename, SetValue
from exporter.reading.level_spec import LevelSpec
from exporter.reading.yaml_reader import Path


def renamed_layer(spec: LevelSpec, old: str, new: str) -> tuple[Change, ...]:
    """Return the changes that rename layer `old` to `new` throughout `spec`.

    The layer's cells change, since its random numbers depend on its name. Hand edits are in another
    file and keep the old name.
    """
    named = tuple(SetValue(path, new) for path in _places(spec, old))
    return (*named, Rename(("layers", old), new))


def redirected_layer(spec: LevelSpec, old: str, new: str) -> tuple[Change, ...]:
    """Return the changes that make all users of layer `old` use layer `new`."""
    return tuple(SetValue(path, new) for path in _places(spec, old))


def _places(spec: LevelSpec, name: str) -> Iterator[Path]:
    """Yield the paths of all values that refer to layer `name`."""
    for layer in spec.layers.values():
        for reference in references(layer.parameters):
            if reference.rule.to == "layer" and reference.name == name:
                yield ("layers", layer.name, *reference.path)
    for index, item in enumerate(spec.objects):
        for reference in references(item):
            if reference.rule.to == "layer" and reference.name == name:
                yield ("objects", index, *reference.path)
    if spec.mission is not None and spec.mission.of == name:
        yield ("mission", "of")
    if spec.visibility is not None and spec.visibility.layer == name:
        yield ("visibility", "layer")
