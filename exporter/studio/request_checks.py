"""Check requests of the page: known types, within limits."""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

from exporter.model.errors import ExporterError, SpecError
from exporter.model.texts import character_name
from exporter.reading.changes import Change, Insert, Move, Remove, Rename, SetValue, named
from exporter.reading.yaml_reader import Path, read_document
from exporter.studio.requests import EditRequest, Request

# Performs a request.
Action = Callable[[dict[str, Any]], Awaitable[None]]

MAXIMUM_CHANGES = 250
MAXIMUM_DEPTH = 16
# Limit of nested values in one message; a control has few, and each is checked repeatedly.
MAXIMUM_VALUES = 20_000


class MalformedError(ExporterError):
    """A message of the page does not fit any request, or breaks a limit."""


def check_request(message: dict[str, Any]) -> None:
    """Check that a message is a request, by the types in `requests`.

    Raises:
        MalformedError: The message is no valid request.
    """
    do = message.get("do")
    check = _checks().get(do) if isinstance(do, str) else None
    if check is None:
        raise MalformedError("there is no such action")
    position = check(message)
    if position is not None:
        raise MalformedError(f"`{position.removeprefix('.')}` of {do} does not fit")


@cache
def edits() -> frozenset[str]:
    """Return the names (`do`) of the requests that change or save the draft."""
    return frozenset(names_of(EditRequest, "do"))


@cache
def _checks() -> dict[str, Check]:
    return {name: check_of(kind) for name, kind in names_of(Request, "do").items()}


def changes_of(message: dict[str, Any]) -> tuple[Change, ...]:
    """Return the changes in a request; at most one of them is in YAML.

    Each sets, inserts, removes, renames or moves an entry of the spec.

    Raises:
        MalformedError: The changes break a limit.
        SpecError: The YAML cannot be read; with the line in that text.
    """
    changes = message["changes"]
    if not 0 < len(changes) <= MAXIMUM_CHANGES:
        raise MalformedError(f"`changes` must be a list of 1 to {MAXIMUM_CHANGES} changes")
    if sum("yaml" in change for change in changes) > 1:
        raise MalformedError("at most one change may be written in YAML")
    result = tuple(_change_of(change) for change in changes)
    if (
        sum(_count(item.value) for item in result if isinstance(item, SetValue | Insert))
        > MAXIMUM_VALUES
    ):
        raise MalformedError(
            f"a change has at most {MAXIMUM_VALUES} values (write them into the file)"
        )
    return result


def merge_of(message: dict[str, Any]) -> str:
    """Return the text `merge` of a request; "" without one.

    Requests with the same text become one undo step.

    Raises:
        MalformedError: The text is too long.
    """
    merge: str = message.get("merge", "")
    if len(merge) > 200:
        raise MalformedError("`merge` must be a text of at most 200 characters")
    return merge


def number_of(message: dict[str, Any]) -> int:
    """Return the number that the page gave a request; 0 without one.

    Raises:
        MalformedError: The number is out of range.
    """
    number: int = message.get("number", 0)
    if not 0 <= number < 1 << 53:
        raise MalformedError("`number` must be an integer from 0 to 2^53 - 1")
    return number


def text_of(message: dict[str, Any], key: str) -> str:
    """Return the text in the field `key` of a message, which must be short.

    Raises:
        MalformedError: The text is empty or too long.
    """
    value: str = message[key]
    if not 0 < len(value) <= 200:
        raise MalformedError(f"`{key}` must be a text of 1 to 200 characters")
    return value


def _change_of(change: dict[str, Any]) -> Change:
    if "yaml" in change:
        path = _path_of(change["set"])
        return SetValue(path, plain_value(_read(change["yaml"], path)))
    if "set" in change:
        return SetValue(_path_of(change["set"]), plain_value(change["value"]))
    if "insert" in change:
        return Insert(_path_of(change["insert"]), plain_value(change["value"]), change.get("place"))
    if "remove" in change:
        return Remove(_path_of(change["remove"]))
    if "rename" in change:
        return Rename(_path_of(change["rename"]), change["key"])
    return Move(_path_of(change["move"]), change["place"])


def content_of(text: str) -> bytes:
    """Encode a text of the page in UTF-8.

    Raises:
        MalformedError: The text has an unpaired surrogate, which UTF-8 cannot encode.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        character = character_name(text[error.start])
        raise MalformedError(f"the text has the character {character} (remove it)") from None


def _read(text: str, path: Path) -> Any:
    """Return the value of the YAML `text`, parsed as in a spec.

    `path` names the value in problems.
    """
    document = read_document(content_of(text), named(path), maximum_values=MAXIMUM_VALUES)
    if any(problem.severity == "error" for problem in document.problems):
        raise SpecError(document.problems)
    return document.data


def _path_of(path: list[str | int]) -> tuple[str | int, ...]:
    if 0 < len(path) <= MAXIMUM_DEPTH:
        return tuple(path)
    raise MalformedError(f"a path must be a list of 1 to {MAXIMUM_DEPTH} keys")


def _count(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_count, value.values()))
    return 1 + sum(map(_count, value)) if isinstance(value, list) else 1


def plain_value(value: object, depth: int = 0) -> Any:
    """Return a JSON value as a value of a spec, whose keys are all texts.

    `depth` is how deeply the value is nested in the outermost one.

    Raises:
        MalformedError: The value is nested too deeply.
    """
    if depth > MAXIMUM_DEPTH:
        raise MalformedError("a value is nested too deeply")
    if isinstance(value, dict):
        return {str(key): plain_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_value(item, depth + 1) for item in value]
    return value


# Returns the path to the fault in a value, such as `[0].set`; None if the value fits.
Check = Callable[[Any], str | None]


@cache
def check_of(kind: Any) -> Check:
    """Return a function that checks whether values have the type `kind`.

    The function returns None for such a value, otherwise the path to the fault in the value; the
    path is empty if the value itself is at fault.
    """
    if kind is Any:
        return lambda _value: None
    if kind is float:
        return lambda value: None if type(value) in (int, float) else ""
    if kind in (int, str, bool, NoneType):
        return lambda value: None if type(value) is kind else ""
    if is_typeddict(kind):
        return _check_of_keys(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return lambda value: None if type(value) in (str, bool) and value in arguments else ""
    if origin in (Union, UnionType):
        return _check_of_any(arguments)
    if origin is list:
        return _check_of_items(check_of(arguments[0]))
    if origin is tuple:
        return _check_of_tuple([check_of(argument) for argument in arguments])
    if origin is dict:
        return _check_of_values(check_of(arguments[1]))
    raise TypeError(f"no message has values of {kind}")


def fields_of(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Return the type of each key of a TypedDict, and whether it is required."""
    result = {}
    for name, item in typing.get_type_hints(kind, include_extras=True).items():
        optional = get_origin(item) is NotRequired
        result[name] = (get_args(item)[0] if optional else item, not optional)
    return result


def members_of(union: Any) -> tuple[Any, ...]:
    """Return the member types of a union; for another type, only the type."""
    return get_args(union) if get_origin(union) in (Union, UnionType) else (union,)


def names_of(union: Any, tag: str) -> dict[str, Any]:
    """Return the members of a union of TypedDicts by the values of a field.

    `tag` is the name of the field, whose type in each member is a `Literal`.
    """
    return {name: item for item in members_of(union) for name in get_args(fields_of(item)[tag][0])}


def _check_of_keys(kind: Any) -> Check:
    fields = {name: (check_of(item), needed) for name, (item, needed) in fields_of(kind).items()}
    required = {name for name, (_, needed) in fields.items() if needed}

    def check(value: Any) -> str | None:
        if type(value) is not dict:
            return ""
        if not required <= value.keys() <= fields.keys():
            return "." + min(map(str, value.keys() ^ (required | (value.keys() & fields.keys()))))
        for name, item in value.items():
            wrong = fields[name][0](item)
            if wrong is not None:
                return f".{name}{wrong}"
        return None

    return check


def _check_of_any(kinds: Iterable[Any]) -> Check:
    checks = [check_of(kind) for kind in kinds]
    return lambda value: None if any(check(value) is None for check in checks) else ""


def _check_of_items(check: Check) -> Check:
    def check_all(value: Any) -> str | None:
        if type(value) is not list:
            return ""
        for position, item in enumerate(value):
            wrong = check(item)
            if wrong is not None:
                return f"[{position}]{wrong}"
        return None

    return check_all


def _check_of_tuple(checks: list[Check]) -> Check:
    def check_all(value: Any) -> str | None:
        if type(value) is not list or len(value) != len(checks):
            return ""
        for check, item in zip(checks, value, strict=True):
            if check(item) is not None:
                return ""
        return None

    return check_all


def _check_of_values(check: Check) -> Check:
    def check_all(value: Any) -> str | None:
        if type(value) is not dict:
            return ""
        for name, item in value.items():
            wrong = check(item)
            if wrong is not None:
                return f".{name}{wrong}"
        return None

    return check_all
