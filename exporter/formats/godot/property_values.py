"""Convert properties of a spec to values of Godot's types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exporter.formats.godot.values import Color, NodePath, Value, Vector2, Vector3
from exporter.model.colors import rgba
from exporter.model.level_values import PropertyValue
from exporter.model.property_values import type_and_content


def metadata_value(value: PropertyValue, paths: Mapping[str, str]) -> Value:
    """Return `value`, a property of a spec, as metadata of a node.

    A reference to a resource becomes the resource's path; a reference to an object becomes the path
    of its node, which `paths` has by the object's name.
    """
    if isinstance(value, list):
        return tuple(metadata_value(entry, paths) for entry in value)
    kind, content = type_and_content(value)
    match kind:
        case "color":
            return color(content)
        case "vector":
            return vector(content)
        case "object":
            return NodePath(paths.get(content, ""))
    return content  # type: ignore[no-any-return]


def color(text: str) -> Color:
    """Convert `text`, `#rrggbb` or `#rrggbbaa`, to a Color."""
    return Color(*(part / 255 for part in rgba(text)))


def vector(numbers: Sequence[float]) -> Vector2 | Vector3:
    """Return two or three `numbers` as a Vector2 or Vector3."""
    return Vector2(*numbers) if len(numbers) == 2 else Vector3(*numbers)
