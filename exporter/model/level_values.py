"""Define roles, display and property values, which specs and levels share.

They are in a separate module so that specs are read without importing numpy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from exporter.model.lazy_dataclass import dataclass

# play: seen and walked on; picture: only seen; data: for programs; none: only for other layers.
LayerRole = Literal["play", "picture", "data", "none"]
# The roles of layers that engines draw.
SEEN_ROLES: frozenset[LayerRole] = frozenset({"play", "picture"})

Scalar = str | int | float | bool | None
# A value of a property: a single value, a list of values, or a mapping with one key, the type of
# its value (`exporter.model.property_values`).
PropertyValue = Scalar | list[Any] | Mapping[str, Any]

# Tiles of these names are never drawn and have no effect.
EMPTY_NAMES = frozenset({"empty", "nothing", "none", "other"})
# Words in names of tiles that mean doors; `trapdoor` does not.
DOOR_WORDS = frozenset({"door", "gate", "portcullis"})


@dataclass(frozen=True, slots=True)
class LayerDisplay:
    """How engines draw a layer.

    Attributes:
        y_sort: Whether cells are drawn in the order of their lower edges, mixed with objects.
        z_index: Layers with a larger index are drawn above others.
        settings: Engine-specific properties, by their name in the engine.
    """

    y_sort: bool = False
    z_index: int = 0
    settings: Mapping[str, Scalar] = field(default_factory=dict)
