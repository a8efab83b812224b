"""Define changes of a spec's data, independent of the file's text.

A change names a value by its path. Changes are applied one after another; each path refers to the
spec after the earlier changes. `data_after` returns the data after a change; `spec_changes` edits
the text of the file accordingly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import NOT_TEXT, character_name
from exporter.reading.yaml_reader import Path

_WHOLE_NUMBERS = range(-(1 << 63), 1 << 63)


@dataclass(frozen=True, slots=True)
class SetValue:
    """Set the value at `path`; missing parents are added.

    Attributes:
        path: The keys that lead to the value; in lists the index, from 0.
        value: A text, number, boolean, None, or lists and mappings of these.
    """

    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Insert:
    """Add an entry, such as a layer or an object, to a mapping or list.

    Attributes:
        path: The path of the new entry; in a list its last step is the index, from 0 up to the
            length.
        value: The value of the entry, of the types allowed for `SetValue`.
        index: For a mapping, the index of the new key; None puts the key where the order of the
            reference page has it.
        wording: The entry's text with comments; used only if it has the same data as `value`.
    """

    path: Path
    value: Any
    index: int | None = None
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the entry at `path`; a parameter gets its default again."""

    path: Path


@dataclass(frozen=True, slots=True)
class Rename:
    """Change the last key of `path` to `key`; the entry keeps its position."""

    path: Path
    key: str


@dataclass(frozen=True, slots=True)
class Move:
    """Move the entry at `path` to `index` in its mapping or list."""

    path: Path
    index: int


Change = SetValue | Insert | Remove | Rename | Move


@dataclass(frozen=True, slots=True)
class Refused:
    """The reason why a text was not changed.

    Attributes:
        reason: One sentence for the user.
        problems: The faults in the file, if they are the reason; else empty.
    """

    reason: str
    problems: tuple[Problem, ...] = ()


class RefusedError(Exception):
    """A change is impossible; `changed_spec` catches it and returns `Refused`."""

    def __init__(self, reason: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(reason)
        self.refused = Refused(reason, problems)


def named(path: Path) -> str:
    """Format a value's `path` for users, as in `layers.ground.size[0]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".") or "the spec"


def plain_value(value: Any, path: Path = ()) -> Any:
    """Return a copy of `value` in types that a spec file can hold.

    Tuples become lists. `path` is where the value belongs, for the error message.

    Raises:
        RefusedError: A file cannot hold the value.
    """
    if isinstance(value, str):
        return _checked(value, path)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value not in _WHOLE_NUMBERS:
            raise RefusedError(f"{named(path)}: {value} does not fit in 64 bits")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise RefusedError(f"{named(path)}: {value} is not a finite number")
        return float(value)
    if isinstance(value, list | tuple):
        return [plain_value(item, (*path, index)) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise RefusedError(f"{named(path)}: the key {key!r} is not text")
        return {_checked(key, path): plain_value(item, (*path, key)) for key, item in value.items()}
    raise RefusedError(f"{named(path)}: a value of type {type(value).__name__} cannot be written")


def _checked(text: str, path: Path) -> str:
    bad = NOT_TEXT.search(text)
    if bad is not None:
        character = character_name(bad[0])
        raise RefusedError(f"{named(path)}: the text has the character {character} (remove it)")
    return str(text)


def same_data(item: Any, other: Any) -> bool:
    """Return whether two values are equal, in types and order of keys, too.

    For example, 1 and 1.0 differ.
    """
    return json.dumps(item) == json.dumps(other)


def data_after(data: Any, change: Change) -> Any:
    """Return a spec's data after `change`; `data` itself stays unchanged.

    Raises:
        RefusedError: The path does not exist, or the new entry exists already.
    """
    return _after(data, change.path, change)


def _after(data: Any, rest: Path, change: Change) -> Any:
    if not rest:
        if isinstance(change, SetValue):
            return plain_value(change.value)
        raise RefusedError("the whole spec can only be replaced, not removed, moved or renamed")
    step = rest[0]
    if len(rest) == 1:
        return _entry_after(data, step, change)
    if isinstance(data, dict) and step in data:
        return {
            key: _after(value, rest[1:], change) if key == step else value
            for key, value in data.items()
        }
    if isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
        changed = list(data)
        changed[step] = _after(data[step], rest[1:], change)
        return changed
    raise RefusedError(f"there is no {named(change.path[: len(change.path) - len(rest) + 1])}")


def _entry_after(data: Any, step: str | int, change: Change) -> Any:
    if isinstance(data, list) and isinstance(step, int) and not isinstance(step, bool):
        return _item_after(data, step, change)
    if not isinstance(data, dict) or not isinstance(step, str):
        raise RefusedError(f"{named(change.path)} cannot be added there")
    there = step in data
    if isinstance(change, Insert):
        if there:
            raise RefusedError(f"{named(change.path)} exists already")
        _checked(step, change.path)
        entries = list(data.items())
        _check_position(change.index or 0, len(entries) + 1, change)
        end = len(entries) if change.index is None else change.index
        entries.insert(end, (step, plain_value(change.value, change.path)))
        return dict(entries)
    if isinstance(change, SetValue):
        key = _checked(step, change.path)
        return data | {key: plain_value(change.value, change.path)}
    if not there:
        raise RefusedError(f"there is no {named(change.path)}")
    if isinstance(change, Remove):
        return {key: value for key, value in data.items() if key != step}
    if isinstance(change, Rename):
        if change.key != step and change.key in data:
            raise RefusedError(f"{named((*change.path[:-1], change.key))} exists already")
        _checked(change.key, change.path)
        return {change.key if key == step else key: value for key, value in data.items()}
    _check_position(change.index, len(data), change)
    entries = [(key, value) for key, value in data.items() if key != step]
    entries.insert(change.index, (step, data[step]))
    return dict(entries)


def _item_after(data: list[Any], step: int, change: Change) -> list[Any]:
    changed = list(data)
    if isinstance(change, Insert):
        _check_position(step, len(data) + 1, change)
        changed.insert(step, plain_value(change.value, change.path))
        return changed
    if not 0 <= step < len(data):
        raise RefusedError(f"there is no {named(change.path)}")
    if isinstance(change, SetValue):
        changed[step] = plain_value(change.value, change.path)
    elif isinstance(change, Remove):
        del changed[step]
    elif isinstance(change, Move):
        _check_position(change.index, len(data), change)
        changed.insert(change.index, changed.pop(step))
    else:
        raise RefusedError(
            f"{named(change.path)} cannot be renamed, because it is an entry of a list"
        )
    return changed


def _check_position(position: int, count: int, change: Change) -> None:
    if not 0 <= position < count:
        raise RefusedError(
            f"{named(change.path)} cannot have the position {position} (allowed: 0 to {count - 1})"
        )
