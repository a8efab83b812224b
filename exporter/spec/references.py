"""Whether the names in a spec lead to layers and objects that exist by then.

A layer can use those above it. Layers derived from sight or objects are made after all others and
after the objects, so they can use every map, but no map and no object can use them.
"""

from __future__ import annotations

from collections.abc import Iterator

from exporter.generators import GENERATORS
from exporter.parameters import Reference, references
from exporter.registry import unknown_name
from exporter.spec.document import Path as ValuePath
from exporter.spec.model import LayerSpec, LevelDocument, LevelSpec

Found = Iterator[tuple[ValuePath, str]]


def reference_problems(spec: LevelSpec, outer: LevelDocument) -> Found:
    """Yield the path and wording of every reference that leads nowhere.

    Args:
        spec: The layers that could be read.
        outer: The outer keys, with all layers; those that could not be read are not blamed.
    """
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
            message = _reference_problem(layer, reference, spec, outer)
            if message:
                yield (*path, *reference.path), message


def standing_problem(name: str | None, outer: LevelDocument) -> str:
    """Say why objects cannot stand on the layer `name`; empty when nothing is known against it."""
    if name is None:
        return ""
    if name not in outer.layers:
        return unknown_name("layer", name, list(outer.layers))
    if _is_derived(name, outer):
        return f"the layer {name!r} is made after the objects, nothing can stand on it"
    return ""


def sight_problem(name: str | None, spec: LevelSpec, names: list[str]) -> str:
    """Say why the layer `name` cannot block sight; empty when nothing is known against it."""
    if name is None:
        return ""
    if name not in names:
        return _unknown("layer", name, names)
    layer = spec.layers.get(name)
    if layer is None:
        return ""
    if layer.parameters.needs_visibility:
        return f"the layer {name!r} derives from sight and cannot block it"
    if layer.options.size not in (None, spec.size):
        return f"{name!r} is not a tile layer of the level's size"
    return ""


def _reference_problem(
    layer: LayerSpec, reference: Reference, spec: LevelSpec, outer: LevelDocument
) -> str:
    if reference.rule.to == "object":
        names = sorted(str(data.get("name")) for data in outer.objects)
        return "" if reference.name in names else _unknown("object", reference.name, names)
    message = _order_problem(layer.name, reference.name, outer)
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


def _order_problem(name: str, wanted: str, outer: LevelDocument) -> str:
    """Say why a layer is not finished when another wants it; empty when it is."""
    if wanted == name:
        return f"the layer {name!r} cannot refer to itself"
    names = list(outer.layers)
    above = names[: names.index(name)]
    derived = _is_derived(name, outer)
    if derived:
        # All maps are finished by then, wherever they stand.
        below = names[names.index(name) + 1 :]
        above += [other for other in below if not _is_derived(other, outer)]
    else:
        if wanted in names and _is_derived(wanted, outer):
            return (
                f"the layer {wanted!r} is made after all maps (it derives from sight or objects), "
                f"{name!r} cannot use it"
            )
        above = [other for other in above if not _is_derived(other, outer)]
    if wanted in above:
        return ""
    if wanted in names:
        return f"the layer {wanted!r} stands below {name!r} (only layers above can be used)"
    return _unknown("layer", wanted, above)


def _unknown(what: str, name: str, known: list[str]) -> str:
    return unknown_name(what, name, known) if known else f"unknown {what} {name!r} (there is none)"


def _is_derived(name: str, outer: LevelDocument) -> bool:
    generator = outer.layers[name].get("generator")
    if not isinstance(generator, str):
        return False
    try:
        return GENERATORS.get(generator).stage == "derived"
    except KeyError:
        return False  # already told
