"""Checks that the names in a spec lead to layers and objects that exist when they are needed.

A layer can use those above it. Layers derived from sight or objects are late: they are made after
the maps and the objects, so they can use every map wherever it stands. A map that uses a late layer
is late itself. No object stands on a late layer, and none blocks sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporter.generators import GENERATORS
from exporter.model.parameters import Reference, references
from exporter.model.registry import unknown_name
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LayerSpec, LevelDocument, LevelSpec

Found = Iterator[tuple[ValuePath, str]]


def late_layers(layers: Mapping[str, LayerSpec]) -> frozenset[str]:
    """Return the layers that are made after the objects: derived ones, and those that use them."""
    late: set[str] = set()
    for name, layer in layers.items():
        used = {one.name for one in references(layer.parameters) if one.rule.to == "layer"}
        if GENERATORS.get(layer.generator).stage == "derived" or not late.isdisjoint(used):
            late.add(name)
    return frozenset(late)


def reference_problems(spec: LevelSpec, outer: LevelDocument) -> Found:
    """Yield the path and the message of every reference that leads nowhere.

    Args:
        spec: The layers that could be read.
        outer: The outer keys, with all layers, also those that could not be read.
    """
    late = late_layers(spec.layers)
    for layer in spec.layers.values():
        path: ValuePath = ("layers", layer.name)
        if layer.parameters.needs_visibility:
            if spec.visibility is None:
                what = f"{layer.generator!r} needs the level's `visibility:` block"
                yield (*path, "generator"), what
            if layer.options.size not in (None, spec.size):
                what = "a layer derived from visibility has the level's size"
                yield (*path, "size"), what
        for reference in references(layer.parameters):
            message = _reference_problem(layer, reference, spec, outer, late)
            if message:
                yield (*path, *reference.path), message


def standing_problem(name: str | None, outer: LevelDocument, late: frozenset[str]) -> str:
    """Return why objects cannot stand on the layer `name`; empty if they can."""
    if name is None:
        return ""
    if name not in outer.layers:
        return unknown_name("layer", name, list(outer.layers))
    if name in late:
        return f"the layer {name!r} is built after the objects, so it cannot hold objects"
    return ""


def sight_problem(name: str | None, spec: LevelSpec, names: list[str]) -> str:
    """Return why the layer `name` cannot block sight; empty if it can."""
    if name is None:
        return ""
    if name not in names:
        return _unknown("layer", name, names)
    layer = spec.layers.get(name)
    if layer is None:
        return ""
    if name in late_layers(spec.layers):
        return f"the layer {name!r} is derived from visibility and cannot block sight"
    if layer.options.size not in (None, spec.size):
        return f"{name!r} is not a tile layer of the level's size"
    return ""


def _reference_problem(
    layer: LayerSpec,
    reference: Reference,
    spec: LevelSpec,
    outer: LevelDocument,
    late: frozenset[str],
) -> str:
    if reference.rule.to == "object":
        names = sorted(str(data.get("name")) for data in outer.objects)
        return "" if reference.name in names else _unknown("object", reference.name, names)
    message = _order_problem(layer.name, reference.name, outer, late)
    other = spec.layers.get(reference.name)
    if message or other is None or not reference.rule.same_size:
        return message
    width, height = layer.options.size or spec.size
    other_width, other_height = other.options.size or spec.size
    if (width, height) == (other_width, other_height):
        return ""
    return (
        f"the layer {other.name!r} has {other_width} x {other_height} cells, "
        f"this one {width} x {height}"
    )


def _order_problem(name: str, wanted: str, outer: LevelDocument, late: frozenset[str]) -> str:
    """Return why a layer is not finished when another needs it; empty if it is."""
    if wanted == name:
        return f"the layer {name!r} cannot refer to itself"
    names = list(outer.layers)
    place = names.index(name)
    above = names[:place]
    if name in late and wanted in names[place:] and wanted not in late:
        return ""  # all maps are finished by then
    if wanted in above:
        return ""
    if wanted in names:
        return f"the layer {wanted!r} is defined after {name!r} (only earlier layers can be used)"
    return _unknown("layer", wanted, above)


def _unknown(what: str, name: str, known: list[str]) -> str:
    return unknown_name(what, name, known) if known else f"unknown {what} {name!r} (there is none)"
