"""Checks messages of the page: plain data of known shapes, and nothing else."""

from __future__ import annotations

from typing import Any

from exporter.model.errors import ExporterError, SpecError
from exporter.model.texts import character_name
from exporter.reading.changes import Change, Insert, Move, Remove, Rename, SetValue, named
from exporter.reading.document import Path, read_document

MAXIMUM_CHANGES = 100
MAXIMUM_DEPTH = 16
# Values in the values of one message; a control has some, and each is looked at again and again.
MAXIMUM_VALUES = 20_000


class MalformedError(ExporterError):
    """A message is none that the page sends."""


def changes_of(message: dict[str, Any]) -> tuple[Change, ...]:
    """Return the changes that a message wants.

    Each is one of these, where a path is a list of keys and of numbers in lists:

        {"set": path, "value": ...}        {"insert": path, "value": ...}, and "place"
        {"remove": path}                   {"rename": path, "key": text}
        {"move": path, "place": number}    {"set": path, "yaml": text}, at most one

    Raises:
        MalformedError: They are none.
        SpecError: The YAML cannot be read, at a place of that text.
    """
    changes = message.get("changes")
    if not isinstance(changes, list) or not 0 < len(changes) <= MAXIMUM_CHANGES:
        raise MalformedError(f"`changes` is a list of 1 to {MAXIMUM_CHANGES} changes")
    if sum(isinstance(one, dict) and "yaml" in one for one in changes) > 1:
        raise MalformedError("at most one change is written in YAML")
    found = tuple(_change_of(one) for one in changes)
    if (
        sum(_count(one.value) for one in found if isinstance(one, SetValue | Insert))
        > MAXIMUM_VALUES
    ):
        raise MalformedError(
            f"a change has at most {MAXIMUM_VALUES} values (write them into the file)"
        )
    return found


def merge_of(message: dict[str, Any]) -> str:
    """Return what a message has in common with others that are one step for undo.

    Raises:
        MalformedError: It is no short text.
    """
    merge = message.get("merge", "")
    if not isinstance(merge, str) or len(merge) > 200:
        raise MalformedError("`merge` is a short text")
    return merge


def number_of(message: dict[str, Any]) -> int:
    """Return the number that a page gave a message; 0 without one.

    Raises:
        MalformedError: It is none.
    """
    number = message.get("number", 0)
    if type(number) is not int or not 0 <= number < 1 << 53:
        raise MalformedError("`number` is a number")
    return number


def _change_of(change: object) -> Change:
    if not isinstance(change, dict):
        raise MalformedError("a change is a mapping")
    if set(change) == {"set", "value"}:
        return SetValue(_path_of(change["set"]), _plain(change["value"]))
    if set(change) == {"set", "yaml"} and isinstance(change["yaml"], str):
        path = _path_of(change["set"])
        return SetValue(path, _plain(_read(change["yaml"], path)))
    if set(change) == {"insert", "value"}:
        return Insert(_path_of(change["insert"]), _plain(change["value"]))
    if set(change) == {"insert", "value", "place"} and type(change["place"]) is int:
        return Insert(_path_of(change["insert"]), _plain(change["value"]), change["place"])
    if set(change) == {"remove"}:
        return Remove(_path_of(change["remove"]))
    if set(change) == {"rename", "key"} and isinstance(change["key"], str):
        return Rename(_path_of(change["rename"]), change["key"])
    if set(change) == {"move", "place"} and type(change["place"]) is int:
        return Move(_path_of(change["move"]), change["place"])
    raise MalformedError("a change sets, inserts, removes, renames or moves")


def _read(text: str, path: Path) -> Any:
    """Return what YAML means, read as a spec is."""
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        character = character_name(text[error.start])
        raise MalformedError(f"the text has the character {character} (remove it)") from None
    document = read_document(content, named(path), maximum_values=MAXIMUM_VALUES)
    if any(problem.severity == "error" for problem in document.problems):
        raise SpecError(document.problems)
    return document.data


def _path_of(path: object) -> tuple[str | int, ...]:
    if isinstance(path, list) and 0 < len(path) <= MAXIMUM_DEPTH:
        steps = [one for one in path if isinstance(one, str | int) and not isinstance(one, bool)]
        if len(steps) == len(path):
            return tuple(steps)
    raise MalformedError(f"a path is a list of 1 to {MAXIMUM_DEPTH} keys")


def _count(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_count, value.values()))
    return 1 + sum(map(_count, value)) if isinstance(value, list) else 1


def _plain(value: object, depth: int = 0) -> Any:
    if depth > MAXIMUM_DEPTH:
        raise MalformedError("a value is too deep")
    if isinstance(value, dict):
        return {str(key): _plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one, depth + 1) for one in value]
    return value
