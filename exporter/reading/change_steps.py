"""Divide a change of a spec into simple changes.

A new list or mapping is compared with the old one, so that only the differences are written to the
file; the rest keeps its text and comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from exporter.reading.changes import (
    Change,
    Insert,
    Move,
    RefusedError,
    Remove,
    SetValue,
    named,
    plain_value,
    same_data,
)
from exporter.reading.field_order import position_of
from exporter.reading.yaml_reader import Path

# A list or mapping with more differences is rewritten as a whole.
_MOST_STEPS = 100


def find_value(data: Any, path: Path) -> tuple[bool, Any]:
    """Return whether `path` exists in `data`, and its value (None if not)."""
    for step in path:
        if isinstance(data, list):
            inside = isinstance(step, int) and 0 <= step < len(data)
        else:
            inside = isinstance(data, dict) and step in data
        if not inside:
            return False, None
        data = data[step]
    return True, data


def simple_steps(data: Any, change: Change) -> list[Change]:
    """Return simple changes that together have the effect of `change`.

    `data` is the whole spec's data before the change.

    Raises:
        RefusedError: The change does not fit `data`, such as one of an entry that does not exist.
    """
    if isinstance(change, SetValue):
        change = replace(change, value=plain_value(change.value, change.path))
        there, old = find_value(data, change.path)
        if not there:
            return simple_steps(data, Insert(change.path, change.value))
        if same_data(old, change.value):
            return []
        steps = list(_differences(change.path, old, change.value))
        return steps if len(steps) <= _MOST_STEPS else [change]
    if not change.path:
        raise RefusedError("the whole spec can only be replaced, not removed, moved or renamed")
    holder = find_value(data, change.path[:-1])[1]
    if isinstance(change, Insert):
        return _adding(data, change, holder)
    if isinstance(change, Remove) and isinstance(holder, dict | list) and len(holder) == 1:
        if find_value(data, change.path)[0]:
            return [SetValue(change.path[:-1], type(holder)())]
    elif isinstance(change, Move) and isinstance(holder, dict | list) and change.index >= 0:
        order = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if order[change.index : change.index + 1] == [change.path[-1]]:
            return []
    return [change]


def _adding(data: Any, change: Insert, holder: Any) -> list[Change]:
    value, key = plain_value(change.value, change.path), change.path[-1]
    if holder is None or holder in ({}, []):
        if isinstance(key, int) and key:
            raise RefusedError(f"{named(change.path)} cannot be added there")
        if holder is not None and isinstance(holder, list) != isinstance(key, int):
            raise RefusedError(f"{named(change.path)} cannot be added there")
        whole = [value] if isinstance(key, int) else {key: value}
        if find_value(data, change.path[:-1])[0]:
            return [SetValue(change.path[:-1], whole)]
        return simple_steps(data, Insert(change.path[:-1], whole))
    if isinstance(holder, dict) and isinstance(key, str) and change.index is None:
        if key in holder:
            raise RefusedError(f"{named(change.path)} exists already")
        return [replace(change, value=value, index=position_of(data, change.path))]
    return [replace(change, value=value)]


def differences(before: Any, after: Any) -> list[Change]:
    """Return the changes that turn `before`, a spec's data, into `after`."""
    return [*_differences((), before, after)]


def _differences(path: Path, old: Any, new: Any) -> Iterator[Change]:
    if same_data(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() & new.keys():
        yield from _of_mappings(path, old, new)
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        yield from _of_lists(path, old, new)
    else:
        yield SetValue(path, new)


def _of_mappings(path: Path, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for key in old:
        if key not in new:
            yield Remove((*path, key))
    order = [key for key in old if key in new]
    for key in order:
        yield from _differences((*path, key), old[key], new[key])
    for position, key in enumerate(new):
        if key not in old:
            at = min(position, len(order))
            yield Insert((*path, key), new[key], at)
            order.insert(at, key)
    for location, key in enumerate(new):
        if order[location] != key:
            yield Move((*path, key), location)
            order.remove(key)
            order.insert(location, key)


def _of_lists(path: Path, old: list[Any], new: list[Any]) -> Iterator[Change]:
    most = min(len(old), len(new))
    first = 0
    while first < most and same_data(old[first], new[first]):
        first += 1
    last = 0
    while last < most - first and same_data(old[-1 - last], new[-1 - last]):
        last += 1
    # Part of the first entry stays, so that the list is never empty in between.
    both = min(len(old), len(new)) - first - last
    for number in range(first, first + both):
        yield from _differences((*path, number), old[number], new[number])
    for number in reversed(range(first + both, len(old) - last)):
        yield Remove((*path, number))
    for number in range(first + both, len(new) - last):
        yield Insert((*path, number), new[number])
