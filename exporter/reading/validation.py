"""Checks plain data against parameter dataclasses and describes every fault to the user.

pydantic does the checking, in strict JSON mode (so the text "5" is not a number and a list may
fill a tuple). What this module adds is the place of each fault in the file, plain wording, and
"did you mean".
"""

from __future__ import annotations

import dataclasses
import json
import types
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from exporter.model.errors import Problem
from exporter.model.limits import MAXIMUM_PROBLEMS
from exporter.reading.document import Document, Path
from exporter.reading.former import former_changes

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Checked = TypeVar("Checked")

_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "dataclass_type": "a mapping",
    "none_required": "nothing",
}


def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return pydantic's validator for a parameters dataclass, built once."""
    return _adapter(kind)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def check(
    kind: type[Checked], data: Any, document: Document, path: Path
) -> tuple[Checked | None, list[Problem]]:
    """Check `data`, which stands at `path` of `document`, against the dataclass `kind`.

    Former names are reported alone; other faults are easier to see once they are rewritten.

    Returns:
        The dataclass and no problems, or None and every problem found.
    """
    from pydantic import ValidationError

    former = [
        document.problem(change.path, change.problem, at_key=change.at_key)
        for change in former_changes(kind, data, path)
    ]
    if former:
        return None, former
    try:
        text = json.dumps(data)
        checked: Checked = adapter(kind).validate_json(text)
    except ValidationError as error:
        return None, _problems(error.errors(include_url=False), kind, data, document, path)
    return checked, []


def _problems(
    errors: list[Any], kind: type[Any], data: Any, document: Document, base: Path
) -> list[Problem]:
    # A union reports one error for each of its members: they are reported as one.
    grouped: dict[Path, list[Any]] = {}
    for error in errors:
        grouped.setdefault(_path_in(data, error["loc"], error["type"]), []).append(error)
    problems = []
    for path, group in islice(grouped.items(), MAXIMUM_PROBLEMS):
        at_key = group[0]["type"] == "unexpected_keyword_argument"
        message = _message(group, path, kind, data)
        problems.append(document.problem((*base, *path), message, at_key=at_key))
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _path_in(data: Any, location: tuple[str | int, ...], error: str) -> Path:
    """Turn pydantic's location, which also names union members, into a path of the data."""
    path: list[str | int] = []
    for index, step in enumerate(location):
        last = index == len(location) - 1
        if isinstance(data, dict) and (step in data or (last and error in _ABSENT)):
            path.append(step)
            data = data.get(str(step))
        elif isinstance(data, list) and isinstance(step, int):
            path.append(step)
            data = data[step] if step < len(data) else None
    return tuple(path)


_ABSENT = {"missing", "missing_argument", "missing_keyword_only_argument"}


def _message(group: list[Any], path: Path, kind: type[Any], data: Any) -> str:
    first = group[0]
    error = first["type"]
    last = path[-1] if path else ""
    if error == "unexpected_keyword_argument":
        return unknown_key(str(last), known_keys(kind, path[:-1]))
    if error in _ABSENT and isinstance(last, str):
        return f"{last!r} is missing here"
    if error in _ABSENT:
        return f"the list is too short (item {int(last) + 1} is missing)"
    if error in ("too_long", "too_short"):
        context = first.get("ctx", {})
        wanted = context.get("max_length", context.get("min_length"))
        return f"the list has {context.get('actual_length')} items (allowed: {wanted})"
    if error == "value_error":
        return str(first["msg"]).removeprefix("Value error, ")
    literals: list[str] = []
    expected: list[str] = []
    for one in group:
        if one["type"] == "literal_error":
            literals += _literal_values(one)
        elif one["type"] in _EXPECTED:
            expected.append(_EXPECTED[one["type"]])
        else:
            # A rule of ours (a range, a pattern) is more telling than the other union members.
            return str(one["msg"])
    given = first.get("input")
    if literals:
        return _not_one_of(given, literals, expected)
    wanted = " or ".join(dict.fromkeys(expected))
    return f"expected {wanted}, not {describe(given)}"


def _literal_values(error: Any) -> list[str]:
    text = str(error.get("ctx", {}).get("expected", ""))
    parts = text.replace(" or ", ", ").split(", ")
    named = {"True": "true", "False": "false", "None": "null"}
    return [named.get(part, part.strip("'")) for part in parts if part]


def _not_one_of(given: Any, literals: list[str], expected: list[str]) -> str:
    allowed = ", ".join([*dict.fromkeys(literals), *dict.fromkeys(expected)])
    close = get_close_matches(str(given), literals)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{describe(given)} is not allowed here (allowed: {allowed}{hint})"


def describe(value: Any) -> str:
    """Describe a value of a file for a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    kind = "the text " if isinstance(value, str) else ""
    return kind + (text if len(text) <= 60 else f"{text[:57]}...")


def unknown_key(key: str, known: list[str]) -> str:
    """Return the message for an unknown key: what was probably meant, or what is allowed."""
    close = get_close_matches(key, known)
    hint = f"did you mean {close[0]!r}?" if close else f"allowed: {', '.join(known) or 'none'}"
    return f"unknown key {key!r} ({hint})"


def known_keys(kind: Any, path: Path) -> list[str]:
    """Return the keys a dataclass allows at `path` below it."""
    for step in path:
        kind = _member(kind, step)
    for candidate in _alternatives(kind):
        if dataclasses.is_dataclass(candidate):
            return [field.name for field in dataclasses.fields(candidate)]
    return []


def _member(kind: Any, step: str | int) -> Any:
    for candidate in _alternatives(kind):
        if dataclasses.is_dataclass(candidate):
            hints = get_type_hints(candidate)
            if step in hints:
                return hints[step]
        arguments = get_args(candidate)
        if isinstance(step, int) and arguments:
            return arguments[0] if step >= len(arguments) or ... in arguments else arguments[step]
        if isinstance(step, str) and len(arguments) == 2:
            return arguments[1]
    return None


def _alternatives(kind: Any) -> list[Any]:
    if get_origin(kind) in (Union, types.UnionType):
        return list(get_args(kind))
    return [kind]
