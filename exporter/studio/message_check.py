"""Check JSON data against the types of requests and events."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

# Returns where a value does not fit, such as `[0].set`; None where it fits.
Check = Callable[[Any], str | None]


@cache
def check_of(kind: Any) -> Check:
    """Return a function that checks values of a type."""
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
    """Return each key's type in a mapping, and whether it is required."""
    result = {}
    for name, item in typing.get_type_hints(kind, include_extras=True).items():
        optional = get_origin(item) is NotRequired
        result[name] = (get_args(item)[0] if optional else item, not optional)
    return result


def members_of(union: Any) -> tuple[Any, ...]:
    """Return the types of a union; for another type, only itself."""
    return get_args(union) if get_origin(union) in (Union, UnionType) else (union,)


def names_of(union: Any, tag: str) -> dict[str, Any]:
    """Return the types of a union by the value of their field `tag`."""
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
