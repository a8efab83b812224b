"""List the drawing properties of Godot's nodes that a spec can set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.formats.godot.values import Color, Value
from exporter.model.colors import rgba
from exporter.model.errors import LevelError, ParameterError
from exporter.model.level_values import LayerDisplay
from exporter.model.suggestions import unknown_name

_NODE_2D: Mapping[str, type] = {
    "light_mask": int,
    "modulate": Color,
    "self_modulate": Color,
    "show_behind_parent": bool,
    "texture_filter": int,
    "texture_repeat": int,
    "visibility_layer": int,
    "visible": bool,
    "y_sort_enabled": bool,
    "z_as_relative": bool,
    "z_index": int,
}
_TILE_MAP_LAYER: Mapping[str, type] = {
    **_NODE_2D,
    "collision_enabled": bool,
    "collision_visibility_mode": int,
    "enabled": bool,
    "navigation_enabled": bool,
    "navigation_visibility_mode": int,
    "occlusion_enabled": bool,
    "rendering_quadrant_size": int,
    "use_kinematic_bodies": bool,
    "x_draw_order_reversed": bool,
    "y_sort_origin": int,
}
_KINDS = {int: "a whole number", bool: "true or false", Color: 'a colour such as "#ff8800"'}


def display_values(
    display: LayerDisplay,
    path: tuple[str | int, ...],
    node_class: str = "TileMapLayer",
    problem: type[ParameterError] = LevelError,
) -> dict[str, Value]:
    """Return the properties of a node that `display` sets.

    Values that are Godot's defaults are left out.

    Args:
        display: How the node is drawn.
        path: The path of `display.settings` in the spec or the options, for errors.
        node_class: The class of the node: TileMapLayer or Node2D.
        problem: The class of errors to raise; LevelError if `path` is in the spec.

    Raises:
        ParameterError: The class lacks a property, or a value does not fit.
    """
    values: dict[str, Value] = {}
    if display.y_sort:
        values["y_sort_enabled"] = True
    if display.z_index:
        values["z_index"] = display.z_index
    types = _TILE_MAP_LAYER if node_class == "TileMapLayer" else _NODE_2D
    for name, value in display.settings.items():
        at = (*path, name)
        kind = types.get(name)
        if kind is None:
            raise problem(unknown_name(f"property of {node_class}", name, list(types)), at)
        result = _value(value, kind)
        if result is None:
            raise problem(f"{name!r} is {value!r} (allowed: {_KINDS[kind]})", at)
        values[name] = result
    return values


def _value(value: Any, kind: type) -> Value:
    """Convert `value` to the type `kind`; return None if it does not fit."""
    if kind is Color and isinstance(value, str):
        try:
            return Color(*(part / 255 for part in rgba(value)))
        except ValueError:
            return None
    plain: Value = value
    return plain if type(value) is kind else None
