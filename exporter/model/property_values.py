"""Define the values of properties, which become typed values in engines.

A property is a single value, a list, or a mapping with one key that names the type of its value:
`{color: "#ff0000"}`, `{vector: [1, 2]}`, `{resource: "res://key.tres"}`, `{object: door}`. Levels
store values as plain data, so that JSON and blobs keep them as written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import PropertyValue, Scalar
from exporter.model.parameters import STRICT, About, Color, Matches, Name, Parameters, Within

if TYPE_CHECKING:
    from exporter.model.level import Level, PlacedObject

# The types of values, by their keys.
TYPES = ("color", "vector", "resource", "object")
# Entries of a list.
MOST_ENTRIES = 1024
RESOURCE_PATTERN = r"(?:res|uid)://[^\x00-\x1f\x7f\\\"]{1,1000}"


@dataclass(frozen=True, kw_only=True)
class TypedValue(Parameters):
    """A value of a type that engines know: exactly one of the keys."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {
        **STRICT,
        "json_schema_extra": {"minProperties": 1, "maxProperties": 1},
    }

    color: Annotated[Color | None, About("A colour.", example='"#ff8000"')] = None
    vector: Annotated[
        tuple[int | float, int | float] | tuple[int | float, int | float, int | float] | None,
        About("A vector of two or three numbers.", example="[1, 2]"),
    ] = None
    resource: Annotated[
        Annotated[str, Matches(RESOURCE_PATTERN, "a path that begins with res:// or uid://")]
        | None,
        About("A resource of the game, by its path.", example='"res://items/key.tres"'),
    ] = None
    object: Annotated[
        Name | None, About("An object of the level: the first one of a name.", example="door")
    ] = None

    def __post_init__(self) -> None:
        if sum(getattr(self, name) is not None for name in TYPES) != 1:
            raise ValueError(
                "a property cannot have this value (allowed: a single value, a list, or a mapping "
                'with one key of color, vector, resource and object, as in `{color: "#ff8000"}`)'
            )


SingleValue: TypeAlias = Scalar | TypedValue
# A value in a spec.
WrittenValue: TypeAlias = (
    SingleValue | Annotated[tuple[SingleValue, ...], Within(0, MOST_ENTRIES, length=True)]
)


def plain_values(values: Mapping[str, Any]) -> dict[str, PropertyValue]:
    """Return the properties `values` of a spec as plain JSON data, by name."""
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, TypedValue):
        (name,) = (name for name in TYPES if getattr(value, name) is not None)
        return {name: _plain(getattr(value, name))}
    return value


def type_and_content(value: Any) -> tuple[str, Any]:
    """Return the type and the content of a property's `value`.

    `{color: "#ff0000"}` gives `color` and `#ff0000`; a value without a type gives "" and itself.
    """
    if isinstance(value, Mapping):
        ((kind, content),) = value.items()
        return kind, content
    return "", value


def first_objects(level: Level) -> dict[str, PlacedObject]:
    """Return the first object of each name in `level`, by name.

    It is the object that a property `{object: name}` means.
    """
    return {item.name: item for item in reversed(level.objects)}


def as_text(value: PropertyValue) -> str:
    """Format a property's `value` as text; lists and vectors as JSON."""
    _, content = type_and_content(value)
    if isinstance(content, list):
        return json.dumps(content, separators=(", ", ": "), ensure_ascii=False)
    return str(content)


def named_objects(values: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield path and name of each `{object: name}` in the properties `values`.

    `values` has the properties by name; lists in them are searched, too.
    """
    for name, value in values.items():
        entries = enumerate(value) if isinstance(value, list) else ((None, value),)
        for index, entry in entries:
            kind, content = type_and_content(entry)
            if kind == "object":
                path = (name,) if index is None else (name, index)
                yield (*path, kind), content


def is_property_value(value: Any) -> bool:
    """Return whether `value`, untrusted plain data, is a valid property value."""
    if isinstance(value, list):
        return len(value) <= MOST_ENTRIES and all(map(_is_single, value))
    return _is_single(value)


def _is_single(value: Any) -> bool:
    if not isinstance(value, dict):
        return not isinstance(value, list)
    if len(value) != 1:
        return False
    ((kind, content),) = value.items()
    if kind == "vector":
        return (
            isinstance(content, list)
            and len(content) in (2, 3)
            and all(type(number) in (int, float) for number in content)
        )
    return kind in TYPES and isinstance(content, str)
