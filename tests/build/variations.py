"""Other values for every field of a spec's dataclasses, found from the annotations alone."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from exporter.model.parameters import Matches, Refers, Within

NAMES = {"layer": ["other", "ground", "moisture"], "object": ["lamp", "start"]}
# Texts that mean something in some field.
TEXTS = ["raycast", "maze", "floor", "wall", "art.png", "sample.png", "deep_water", "#ff0000", "x"]


def variations(hint: Any, value: Any) -> Iterator[Any]:
    """Yield plain values that a field of this type might take instead of `value`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from _annotated(arguments[0], arguments[1:], value)
    elif origin is Literal:
        yield from (
            argument
            for argument in arguments
            if argument != value or type(argument) is not type(value)
        )
    elif origin in (Union, types.UnionType):
        for member in arguments:
            yield from variations(member, value)
    elif hint is type(None):
        if value is not None:
            yield None
    elif hint is bool:
        yield not value
    elif hint is int:
        yield from _numbers(value if isinstance(value, int) else 1)
    elif hint is float:
        yield from (float(number) for number in _numbers(value or 1.0))
        yield (value or 1.0) / 2
    elif hint is str:
        yield from (text for text in TEXTS if text != value)
    elif origin is tuple:
        yield from _tuples(arguments, value)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        yield from _mappings(arguments, value)
    elif dataclasses.is_dataclass(hint):
        yield from _records(hint, value)


def _numbers(value: float) -> Iterator[Any]:
    yield from (value + 1, value - 1, value * 2, value // 2, 0, 1)


def _annotated(inner: Any, metadata: tuple[Any, ...], value: Any) -> Iterator[Any]:
    refers = next((item for item in metadata if isinstance(item, Refers)), None)
    within = next((item for item in metadata if isinstance(item, Within)), None)
    matches = next((item for item in metadata if isinstance(item, Matches)), None)
    if refers is not None:
        yield from (name for name in NAMES[refers.to] if name != value)
    elif within is not None and not within.length and inner in (int, float):
        number = value if isinstance(value, int | float) else within.minimum
        steps = [number + 1, number - 1, number * 2, number / 2, within.minimum, within.maximum]
        for step in dict.fromkeys(inner(step) for step in steps):
            if within.minimum <= step <= within.maximum and step != value and abs(step) < 1000:
                yield step
    elif matches is not None and inner is str:
        yield from (text for text in ("renamed", "#00ff00", "other.png") if text != value)
        yield from variations(inner, value)
    else:
        yield from variations(inner, value)


def _tuples(arguments: tuple[Any, ...], value: Any) -> Iterator[Any]:
    items = [_plain(item) for item in value] if isinstance(value, list | tuple) else []
    if len(arguments) == 2 and arguments[1] is ...:
        for index, item in enumerate(items):
            for other in variations(arguments[0], item):
                yield [*items[:index], other, *items[index + 1 :]]
        for extra in variations(arguments[0], None):
            yield [*items, extra]
        if items:
            yield items[:-1]
        return
    for index, hint in enumerate(arguments):
        for other in variations(hint, items[index] if items else None):
            base = items or [other] * len(arguments)
            yield [*base[:index], other, *base[index + 1 :]]


def _mappings(arguments: tuple[Any, ...], value: Any) -> Iterator[Any]:
    items = dict(value) if isinstance(value, Mapping) else {}
    for key, item in items.items():
        for other in variations(arguments[1], item):
            yield {**items, key: other}
    for key in ("floor", "#", "#ff0000", "hp"):
        for extra in variations(arguments[1], None):
            yield {**items, key: extra}
    if items:
        yield {}
        yield dict(reversed(items.items()))


def _records(kind: type[Any], value: Any) -> Iterator[Any]:
    hints = get_type_hints(kind, include_extras=True)
    given = dict(value) if isinstance(value, Mapping) else {}
    for field in dataclasses.fields(kind):
        default = None if field.default is dataclasses.MISSING else field.default
        for other in variations(hints[field.name], given.get(field.name, default)):
            yield {**given, field.name: other}


def _plain(value: Any) -> Any:
    """Return a default as a spec would write it."""
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value


def fields_of(kind: type[Any]) -> list[tuple[str, Any, Any]]:
    """Return every field of a parameters dataclass: its name, type and default."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        (
            field.name,
            hints[field.name],
            None if field.default is dataclasses.MISSING else field.default,
        )
        for field in dataclasses.fields(kind)
    ]
