"""Find the role of layers that set none.

A role says what a layer is for: `play` layers make up the map, `picture` layers are only drawn,
`data` layers are for programs. No other module decides it. A layer of tiles is `play`. It is
`data` if another layer replaces it (a parameter of type `ReplacedLayerName`), or if its generator
only measures (`@generator(..., role="data")`). A layer for looks (`role="picture"`) is `data` if
its tiles are copied into another layer (`CopiedLayerName`). Heights, and layers of another size
than the level, are `data`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from exporter.generators import GENERATORS
from exporter.model.level_values import SEEN_ROLES, LayerRole
from exporter.model.parameters import references
from exporter.reading.level_spec import LayerSpec
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.model.level import Layer

Size = tuple[int, int]


def layer_roles(layers: Mapping[str, LayerSpec]) -> dict[str, LayerRole]:
    """Return the role of each layer in `layers`, as far as the spec tells.

    Which layers hold heights is known only after the build, so all count as layers of tiles here.
    """
    named = [reference for layer in layers.values() for reference in references(layer.parameters)]
    replaced = {item.name for item in named if item.rule.replaced}
    copied = copied_layers(layers)
    return {name: _role(layer, name in replaced, name in copied) for name, layer in layers.items()}


def copied_layers(layers: Mapping[str, LayerSpec]) -> frozenset[str]:
    """Return the names of layers that other layers copy, called stamps."""
    named = (item for layer in layers.values() for item in references(layer.parameters))
    return frozenset(item.name for item in named if item.rule.copied)


def replacement(layers: Mapping[str, LayerSpec]) -> tuple[str, str] | None:
    """Return the names of a replaced layer and of the layer that replaces it.

    It is a pair whose replaced layer sets no `role`, and so has the role `data`. Return None if
    there is no such pair.
    """
    for name, layer in layers.items():
        for item in references(layer.parameters):
            replaced = layers.get(item.name) if item.rule.replaced else None
            if replaced is not None and replaced.options.role is None:
                return item.name, name
    return None


def finished_role(layer: Layer, role: LayerRole) -> LayerRole:
    """Return the role of the built `layer`, whose role by its spec is `role`.

    Only layers of tiles with the level's size are shown; others become `data`.
    """
    is_tiles = layer.kind == "tiles" and layer.grid_aligned
    return "data" if role in SEEN_ROLES and not is_tiles else role


def role_problems(
    layers: Mapping[str, LayerSpec], level_size: Size | None, sizes: Mapping[str, Size | None]
) -> Iterator[tuple[ValuePath, str]]:
    """Yield path and message of each role that its layer cannot have.

    `sizes` has the width and height of each layer, and `level_size` those of the level; None is an
    invalid size.
    """
    for name, layer in layers.items():
        size = sizes.get(name)
        other_size = size if level_size is not None and size != level_size else None
        heights = GENERATORS.get(layer.generator).makes == "heights"
        message = role_problem(layer.options.role, heights=heights, other_size=other_size)
        if message:
            yield ("layers", name, "role"), message


def role_problem(written: LayerRole | None, *, heights: bool, other_size: Size | None) -> str:
    """Return why a layer cannot have the role `written`, or "" if it can.

    Args:
        written: The role in the spec; None if unset.
        heights: Whether the layer holds heights.
        other_size: The layer's width and height, if they differ from the level's.
    """
    if written not in SEEN_ROLES:
        return ""
    if heights:
        return (
            f"a layer of heights cannot be {written!r}: only tiles are drawn in a scene "
            "(write `data` or `none`, or leave `role` out)"
        )
    if other_size is not None:
        width, height = other_size
        return (
            f"a layer of {width} x {height} cells cannot be {written!r}: only tiles of the level's "
            "size are drawn in a scene (write `data` or `none`, or remove `size`)"
        )
    return ""


def _role(layer: LayerSpec, replaced: bool, copied: bool) -> LayerRole:
    if layer.options.role is not None:
        return layer.options.role
    usual = GENERATORS.get(layer.generator).role
    return "data" if replaced or (copied and usual == "picture") else usual
