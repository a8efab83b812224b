"""Every dataclass that a spec is read into, and plain data that each accepts."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from exporter.generators import GENERATORS
from exporter.model.parameters import COLOR_PATTERN, Matches, Within
from exporter.model.tables.table import TableParameters
from exporter.model.tileset import TilesetOptions
from exporter.placement.parameters import ObjectParameters
from exporter.puzzles import PUZZLES
from exporter.reading.level_keys import LayerOptions, LevelDocument, VisibilityParameters
from exporter.reading.limit_keys import Requirements
from exporter.targets import TARGETS


def dataclasses_of_a_spec() -> Iterator[type[Any]]:
    """Yield every dataclass a user fills, those inside others excepted."""
    yield from (LevelDocument, LayerOptions, Requirements, VisibilityParameters)
    yield from (ObjectParameters, TableParameters, TilesetOptions)
    for registry in (GENERATORS, PUZZLES):
        yield from (entry.parameters for entry in registry.all().values())
    yield from (entry.options for entry in TARGETS.all().values())


def sample(hint: Any, length: int | None = None) -> Any:
    """Return plain data that an annotation accepts, of some length where it has one."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        ranges = [mark for mark in arguments[1:] if isinstance(mark, Within)]
        if ranges and length is None:
            least = int(ranges[0].minimum)
            return sample(arguments[0], least) if ranges[0].length else least
        return sample(arguments[0], length)
    if origin is Literal:
        return arguments[0]
    if origin in (Union, types.UnionType):
        fitting = [item for item in arguments if length is None or has_length(item)]
        return sample(fitting[0], length)
    if origin is tuple and ... in arguments:
        return [sample(arguments[0]) for _ in range(length or 0)]
    if origin is tuple:
        return [sample(argument) for argument in arguments]
    if origin in (dict, Mapping):
        keys = (key(arguments[0], number) for number in range(length or 0))
        return {item: sample(arguments[1]) for item in keys}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        needed = [item for item in dataclasses.fields(hint) if is_needed(item)]
        return {field.name: sample(hints[field.name]) for field in needed}
    plain: dict[Any, Any] = {int: 0, float: 0.5, bool: True, type(None): None, Any: 0}
    return "a" * (1 if length is None else length) if hint is str else plain[hint]


def key(hint: Any, number: int) -> str:
    """Return one of many keys that an annotation accepts: a number, letter, colour or name."""
    if get_args(hint)[:1] == (int,):
        return str(number + 1)
    marks = get_args(hint)[1:]
    if Within(1, 1, length=True) in marks:
        return chr(0x4E00 + number)
    if any(isinstance(mark, Matches) and mark.pattern == COLOR_PATTERN for mark in marks):
        return f"#{number:06x}"
    return f"k{number}"


def has_length(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return has_length(get_args(hint)[0])
    return hint is str or get_origin(hint) in (tuple, dict, Mapping)


def is_needed(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing
