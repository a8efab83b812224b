"""A new name for a layer, in every place of a spec that has the name."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.model.parameters import references
from exporter.reading.changes import Change, Rename, SetValue
from exporter.reading.document import Path
from exporter.reading.level_spec import LevelSpec


def renamed_layer(spec: LevelSpec, old: str, new: str) -> tuple[Change, ...]:
    """Return the changes that give a layer another name, everywhere in its spec.

    Its random numbers begin with its name, so its cells are other ones then. Hand edits name
    layers, too; they are in a file of their own.

    Args:
        spec: The spec.
        old: The layer's name.
        new: Its new name.
    """
    named = tuple(SetValue(path, new) for path in _places(spec, old))
    return (*named, Rename(("layers", old), new))


def redirected_layer(spec: LevelSpec, old: str, new: str) -> tuple[Change, ...]:
    """Return the changes that make everything that reads a layer read another one.

    Args:
        spec: The spec.
        old: The layer's name.
        new: That of the layer that takes its place.
    """
    return tuple(SetValue(path, new) for path in _places(spec, old))


def _places(spec: LevelSpec, name: str) -> Iterator[Path]:
    """Yield the places in which a layer is named by others."""
    for layer in spec.layers.values():
        for reference in references(layer.parameters):
            if reference.rule.to == "layer" and reference.name == name:
                yield ("layers", layer.name, *reference.path)
    for index, one in enumerate(spec.objects):
        for reference in references(one):
            if reference.rule.to == "layer" and reference.name == name:
                yield ("objects", index, *reference.path)
    if spec.mission is not None and spec.mission.of == name:
        yield ("mission", "of")
    if spec.visibility is not None and spec.visibility.layer == name:
        yield ("visibility", "layer")
