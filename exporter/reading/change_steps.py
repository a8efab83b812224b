"""Divide a change of a spec into simple ones, each with its inverse.

A new list or mapping is compared with the old one, so that only differences are rewritten; the rest
keeps its text and comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from exporter.model.lazy_dataclass import dataclass
from exporter.reading.changes import (
    Change,
    Insert,
    Move,
    RefusedError,
    Remove,
    Rename,
    SetValue,
    named,
    plain_value,
    same_data,
)
from exporter.reading.document import Document, Path
from exporter.reading.layout import is_block, layout_of

# Returns the number of a new key in its mapping, from the whole data and its path.
Placing = Callable[[Any, Path], int]
# A list or mapping with more differences is rewritten as a whole.
_MOST_STEPS = 100


@dataclass(frozen=True, slots=True)
class Guarded:
    """A change that is made only while the text has the expected value.

    Attributes:
        change: The change.
        path: The path to check.
        expected: What the path must hold: this value, any value, or nothing.
        value: The value.
    """

    change: Change
    path: Path
    expected: Literal["value", "anything", "nothing"]
    value: Any = None

    def fits(self, data: Any) -> bool:
        """Whether a spec meets the expectation."""
        there, value = find_value(data, self.path)
        if self.expected == "value":
            return there and same_data(value, self.value)
        return there is (self.expected == "anything")


def find_value(data: Any, path: Path) -> tuple[bool, Any]:
    """Return whether a path exists, and its value."""
    for step in path:
        if isinstance(data, list):
            inside = isinstance(step, int) and 0 <= step < len(data)
        else:
            inside = isinstance(data, dict) and step in data
        if not inside:
            return False, None
        data = data[step]
    return True, data


def simple_steps(data: Any, change: Change, placing: Placing) -> list[Change]:
    """Return simple changes that together make a change, in order.

    Args:
        data: The whole spec before.
        change: The change.
        placing: Returns the position of a new key.

    Raises:
        RefusedError: Nothing can be at its path.
    """
    if isinstance(change, SetValue):
        change = replace(change, value=plain_value(change.value, change.path))
        there, old = find_value(data, change.path)
        if not there:
            return simple_steps(data, Insert(change.path, change.value), placing)
        if same_data(old, change.value):
            return []
        if change.wording:
            return [change]
        steps = list(_differences(change.path, old, change.value))
        return steps if len(steps) <= _MOST_STEPS else [change]
    if not change.path:
        raise RefusedError("the whole spec can only be set")
    holder = find_value(data, change.path[:-1])[1]
    if isinstance(change, Insert):
        return _adding(data, change, holder, placing)
    if isinstance(change, Remove) and isinstance(holder, dict | list) and len(holder) == 1:
        if find_value(data, change.path)[0]:
            return [SetValue(change.path[:-1], type(holder)())]
    elif isinstance(change, Move) and isinstance(holder, dict | list) and change.index >= 0:
        order = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if order[change.index : change.index + 1] == [change.path[-1]]:
            return []
    return [change]


def _adding(data: Any, change: Insert, holder: Any, placing: Placing) -> list[Change]:
    value, key = plain_value(change.value, change.path), change.path[-1]
    if holder is None or holder in ({}, []):
        if isinstance(key, int) and key:
            raise RefusedError(f"there is no place for {named(change.path)}")
        if holder is not None and isinstance(holder, list) != isinstance(key, int):
            raise RefusedError(f"there is no place for {named(change.path)}")
        whole = [value] if isinstance(key, int) else {key: value}
        if find_value(data, change.path[:-1])[0]:
            return [SetValue(change.path[:-1], whole)]
        return simple_steps(data, Insert(change.path[:-1], whole), placing)
    if isinstance(holder, dict) and isinstance(key, str) and change.index is None:
        if key in holder:
            raise RefusedError(f"{named(change.path)} is already there")
        return [replace(change, value=value, index=placing(data, change.path))]
    return [replace(change, value=value)]


def differences(before: Any, after: Any) -> list[Change]:
    """Return the changes that turn the data of one spec into that of another."""
    return [*_differences((), before, after)]


def _differences(path: Path, old: Any, new: Any) -> Iterator[Change]:
    """Yield the changes that turn one value into another."""
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


def guarded_pair(document: Document, data: Any, step: Change) -> tuple[Guarded, Guarded]:
    """Return a simple step and its inverse, each with its expectation.

    Args:
        document: The text before the step.
        data: The data after the step.
        step: The step.
    """
    path, before = step.path, document.data
    holder = path[:-1]
    in_list = bool(path) and isinstance(path[-1], int)
    old, new = find_value(before, path)[1], find_value(data, path)[1]
    lists = [Guarded(step, holder, "value", find_value(before, holder)[1])] if in_list else []
    if isinstance(step, SetValue):
        back: Change = SetValue(path, old, _wording(document, path))
        return Guarded(step, path, "value", old), Guarded(back, path, "value", new)
    if isinstance(step, Insert):
        ahead = lists[0] if in_list else Guarded(step, path, "nothing")
        return ahead, Guarded(Remove(path), path, "value", new)
    after = find_value(data, holder)[1]
    if isinstance(step, Remove):
        order = [] if in_list else list(find_value(before, holder)[1])
        position = None if in_list else order.index(path[-1])
        back = Insert(path, old, position, _entry_wording(document, path))
        ahead = Guarded(step, path, "value", old)
        if in_list:
            return ahead, Guarded(back, holder, "value", after)
        return ahead, Guarded(back, path, "nothing")
    if isinstance(step, Rename):
        there = (*holder, step.key)
        back = Rename(there, str(path[-1]))
        return Guarded(step, path, "anything"), Guarded(back, there, "anything")
    if in_list:
        assert isinstance(path[-1], int)
        back = Move((*holder, step.index), path[-1])
        return lists[0], Guarded(back, holder, "value", after)
    back = Move(path, list(find_value(before, holder)[1]).index(path[-1]))
    return Guarded(step, path, "anything"), Guarded(back, path, "anything")


def clamped(data: Any, change: Change) -> Change:
    """Return a change whose place is clamped to the current number of keys."""
    holder = find_value(data, change.path[:-1])[1]
    if not isinstance(holder, dict):
        return change
    if isinstance(change, Insert) and change.index is not None:
        return replace(change, index=min(change.index, len(holder)))
    if isinstance(change, Move):
        return replace(change, index=min(change.index, len(holder) - 1))
    return change


def _wording(document: Document, path: Path) -> str:
    if path not in document.values or is_block(document, path):
        return ""
    mark = document.values[path]
    text = document.text[mark.start : mark.end]
    return "" if text.startswith(("|", ">")) else text


def _entry_wording(document: Document, path: Path) -> str:
    entries = layout_of(document, path[:-1]).entries
    item = next(entry for entry in entries if entry.step == path[-1])
    return document.text[item.start : item.end]
