"""Finds former names and values of parameters in specs.

The declarations (`model/former.py`) stand in the annotations of the parameters. Here data is read
beside its annotation, and every former name or value in it becomes a `Change`. Both the errors of
a check and `exporter migrate` are made of these.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from exporter.model.former import Formerly, FormerValue, inclusive_maximum
from exporter.reading.document import Path

MIGRATE = "`exporter migrate` rewrites it"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a mapping that is written otherwise now.

    Attributes:
        path: The entry, as it stands in the file.
        key: Its present key, which may be the same.
        value: Its present value, which may be the same.
        added: A further entry that belongs after it: key and value.
        problem: What is wrong with the entry, for an error at its key.
        at_key: Whether the key is the place of the problem, or else the value.
        conflict: Whether it cannot be rewritten.
    """

    path: Path
    key: str
    value: Any
    added: tuple[str, Any] | None = None
    problem: str = ""
    at_key: bool = True
    conflict: bool = False


def former_changes(kind: Any, data: Any, path: Path = ()) -> Iterator[Change]:
    """Yield the former names and values in some data.

    Args:
        kind: The parameters dataclass of the data, or the annotation of a field.
        data: Plain data of a file.
        path: Where the data stands in the file.
    """
    if not _has_former(kind):
        return
    for member in _alternatives(kind):
        if dataclasses.is_dataclass(member) and isinstance(data, dict):
            yield from _mapping_changes(member, data, path)
        elif isinstance(data, list):
            for index, item in enumerate(data):
                yield from former_changes(_item_kind(member, index), item, (*path, index))
        elif isinstance(data, dict) and len(get_args(member)) == 2:
            for key, item in data.items():
                yield from former_changes(get_args(member)[1], item, (*path, key))


def former_names(kind: Any) -> frozenset[str]:
    """Return the former names of the fields of a dataclass."""
    return frozenset(former.name for former in _formers(kind).values())


def _mapping_changes(kind: Any, data: dict[str, Any], path: Path) -> Iterator[Change]:
    hints, formers = _hints(kind), _formers(kind)
    present = {former.name: name for name, former in formers.items() if former.name in data}
    # A former name that is another field's present one is former only beside that one's.
    while wrong := [name for name in present if name in hints and name not in present.values()]:
        for name in wrong:
            del present[name]
    given = {present.get(key, key): value for key, value in data.items()}
    for key, value in data.items():
        name = present.get(key, key)
        if name not in hints:
            continue
        change = _value_change(hints[name], key, value, path)
        if key in present:
            now = value if change is None else change.value
            change = _renamed(kind, data, present, key, path, {**given, name: now})
        if change is not None:
            yield change
        yield from former_changes(hints[name], value, (*path, key))


def _renamed(
    kind: Any,
    data: dict[str, Any],
    present: dict[str, str],
    key: str,
    path: Path,
    given: dict[str, Any],
) -> Change:
    """Return the change of an entry under a former name; `given` has the present names."""
    name = present[key]
    former, value = _formers(kind)[name], given[name]
    also = ""
    if former.exclusive_above:
        also = " and inclusive"
        minimum = given.get(former.exclusive_above, _default(kind, former.exclusive_above))
        value = inclusive_maximum(value, minimum)
    problem = f"{key!r} is now called {name!r}{also} ({MIGRATE})"
    conflict = name in data and name not in present
    if conflict:
        problem = f"{key!r} is now called {name!r}{also}, which is given too (remove one)"
    added = _missing_maximum(kind, name, value, given)
    return Change((*path, key), name, value, added, problem, conflict=conflict)


def _missing_maximum(kind: Any, name: str, minimum: Any, given: Any) -> tuple[str, Any] | None:
    """Return the maximum that belongs to a minimum whose maximum was left to a former default."""
    for other, former in _formers(kind).items():
        if former.exclusive_above != name or former.default is None or other in given:
            continue
        if not _same_shape(minimum, former.default):
            continue
        meant = inclusive_maximum(former.default, minimum)
        if _plain(meant) != _plain(_default(kind, other)) and _allowed(minimum, meant):
            return other, _plain(meant)
    return None


def _value_change(hint: Any, key: str, value: Any, path: Path) -> Change | None:
    """Return the change of an entry whose value is not taken any more."""
    for rule in _metadata(hint):
        if isinstance(rule, FormerValue) and type(value) is type(rule.value):
            if value != rule.value:
                continue
            shown = str(value).lower() if isinstance(value, bool) else value
            problem = f"{shown} is not allowed here, write {rule.now} ({rule.reason}; {MIGRATE})"
            return Change((*path, key), key, rule.now, None, problem, at_key=False)
    return None


def _allowed(minimum: Any, maximum: Any) -> bool:
    """Return whether no minimum is above its maximum; such a spec was invalid before, too."""
    lows = minimum if isinstance(minimum, list) else [minimum]
    highs = maximum if isinstance(maximum, list | tuple) else [maximum]
    return all(low <= high for low, high in zip(lows, highs, strict=True))


def _same_shape(value: Any, default: Any) -> bool:
    """Return whether a value of a file is as many whole numbers as a default."""
    items = value if isinstance(value, list) else [value]
    wanted = default if isinstance(default, tuple) else (default,)
    whole = all(isinstance(item, int) and not isinstance(item, bool) for item in items)
    return (
        isinstance(value, list) == isinstance(default, tuple)
        and whole
        and (len(items) == len(wanted))
    )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _default(kind: Any, name: str) -> Any:
    return next(field.default for field in dataclasses.fields(kind) if field.name == name)


def _alternatives(hint: Any) -> Iterator[Any]:
    """Yield the members of a union, without their metadata."""
    if get_origin(hint) is Annotated:
        yield from _alternatives(get_args(hint)[0])
    elif get_origin(hint) in (Union, types.UnionType):
        for member in get_args(hint):
            yield from _alternatives(member)
    else:
        yield hint


def _item_kind(hint: Any, index: int) -> Any:
    arguments = get_args(hint)
    if not arguments:
        return None
    return arguments[0] if ... in arguments or index >= len(arguments) else arguments[index]


def _metadata(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


@cache
def _hints(kind: Any) -> dict[str, Any]:
    fields = {field.name for field in dataclasses.fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint for name, hint in hints.items() if name in fields}


@cache
def _formers(kind: Any) -> dict[str, Formerly]:
    """Return what the fields of a dataclass were called, by their present names."""
    return {
        name: rule
        for name, hint in _hints(kind).items()
        for rule in _metadata(hint)
        if isinstance(rule, Formerly)
    }


def _has_former(hint: Any, outer: frozenset[Any] = frozenset()) -> bool:
    """Return whether former names or values are declared anywhere in an annotation.

    Data without any, such as the million rows of a table, then need not be searched. `outer` are
    the dataclasses around the annotation, because one may contain itself.
    """
    if any(isinstance(rule, Formerly | FormerValue) for rule in _metadata(hint)):
        return True
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hint not in outer and _declares(hint, outer)
    return any(_has_former(argument, outer) for argument in get_args(hint))


@cache
def _declares(kind: Any, outer: frozenset[Any]) -> bool:
    inside = outer | {kind}
    return any(_has_former(hint, inside) for hint in _hints(kind).values())
