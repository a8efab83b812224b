"""Read valid, common data into parameter dataclasses without pydantic.

pydantic describes every fault, but takes a quarter of a second to import and prepare, and most
specs have no fault. So values that are clearly valid are read here, and all others are left to
pydantic. This module may refuse more than pydantic, but accepts nothing that pydantic would refuse
or read as another value.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from math import isfinite
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin

from exporter.model.parameters import About, Matches, Names, Refers, Within, key_of
from exporter.model.sizes import SizeRule, bytes_of

_Reader = Callable[[Any], Any]
# Types that JSON keeps unchanged.
_LARGEST_INTEGER = (1 << 63) - 1


class NotPlainError(Exception):
    """Raised when a value is wrong, or is one that only pydantic can check."""


def read_plainly(kind: Any, data: Any) -> Any:
    """Read `data` into `kind`, a dataclass or any other annotation.

    Raises:
        NotPlainError: The data is wrong, or is such that only pydantic can check it.
    """
    try:
        return _reader(kind)(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotPlainError from error


def _reader(hint: Any) -> _Reader:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _restricted(arguments[0], arguments[1:])
    if origin is Literal:
        return lambda value: _any_of(arguments, value)
    if origin in (Union, types.UnionType):
        readers = [_reader(argument) for argument in arguments]
        return lambda value: _sole_value(readers, value)
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        each = _reader(arguments[0])
        return lambda value: tuple([each(entry) for entry in _exact(list, value)])
    if origin is tuple:
        readers = [_reader(argument) for argument in arguments]
        return lambda value: tuple(
            [read(entry) for read, entry in zip(readers, _exact(list, value), strict=True)]
        )
    if origin in (dict, Mapping):
        key, item = map(_reader, arguments)
        return lambda value: {
            key(_text(name)): item(entry) for name, entry in _exact(dict, value).items()
        }
    if isinstance(hint, type) and is_dataclass(hint) and not _reads_itself(hint):
        return lambda value: _dataclass(hint, value)
    return _refuse


def _refuse(value: Any) -> NoReturn:
    raise NotPlainError


def _exact(kind: type[Any], value: Any) -> Any:
    if type(value) is not kind:
        raise NotPlainError
    return value


def _integer(value: Any) -> int:
    if type(value) is not int or abs(value) > _LARGEST_INTEGER:
        raise NotPlainError
    return value


def _number(value: Any) -> float:
    if type(value) is int and abs(value) < 1 << 53:
        return float(value)
    if type(value) is not float or not isfinite(value):
        raise NotPlainError
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise NotPlainError
    value.encode()  # JSON has no lone surrogates
    return value


def _anything(value: Any) -> Any:
    if type(value) is dict:
        return {_text(key): _anything(item) for key, item in value.items()}
    if type(value) is list:
        return [_anything(item) for item in value]
    if value is None or type(value) is bool:
        return value
    if type(value) is float:
        return _number(value)
    return _text(value) if type(value) is str else _integer(value)


_PLAIN: dict[Any, _Reader] = {
    int: _integer,
    float: _number,
    str: _text,
    bool: lambda value: _exact(bool, value),
    type(None): lambda value: _exact(type(None), value),
    Any: _anything,
}


_SCALARS = frozenset({int, float, str, bool, type(None)})


def _restricted(hint: Any, marks: tuple[Any, ...]) -> _Reader:
    """Return a reader for `hint` that also applies the rules in `marks`."""
    rules = [mark for mark in marks if type(mark) not in (About, Names, Refers)]
    if len(rules) == 1 and type(rules[0]) is SizeRule:
        return _size
    if not all(type(rule) in (Within, Matches) for rule in rules):
        return _refuse
    read = _reader(hint)

    def restricted(value: Any) -> Any:
        value = read(value)
        if not all(rule.admits(value) for rule in rules):
            raise NotPlainError
        return value

    return restricted if rules else read


def _size(value: Any) -> int:
    size = bytes_of(value)
    if size is None:
        raise NotPlainError
    return size


def _any_of(values: tuple[Any, ...], value: Any) -> Any:
    for item in values:
        if type(item) is type(value) and item == value:
            return item
    raise NotPlainError


def _sole_value(readers: list[_Reader], value: Any) -> Any:
    """Read `value` by the only one of a union's `readers` that accepts it."""
    result = []
    for read in readers:
        try:
            result.append(read(value))
        except (NotPlainError, TypeError, ValueError):
            continue
    # 5 fits `float` as well, and has no fraction.
    exact = [item for item in result if type(item) is type(value) and type(item) in _SCALARS]
    if len(result) == 1 or exact:
        return (exact or result)[0]
    raise NotPlainError


def _dataclass(kind: Any, data: Any) -> Any:
    values = {}
    for key, item in _exact(dict, data).items():
        name, read = _field_reader(kind, key)
        values[name] = read(item)
    return kind(**values)


def _reads_itself(kind: type[Any]) -> bool:
    """Return whether class `kind` has validation of its own, run by pydantic."""
    return any("pydantic" in name and name != "__pydantic_config__" for name in dir(kind))


@cache
def _field_reader(kind: Any, key: str) -> tuple[str, _Reader]:
    """Return name and reader of the field of `kind` that has the key `key`."""
    field = next((item for item in fields(kind) if key_of(item.name) == key and item.init), None)
    if field is None:
        return key, _refuse
    name, hint = field.name, field.type
    if isinstance(hint, str):
        owner = next(
            (item for item in kind.__mro__ if name in vars(item).get("__annotations__", ())), None
        )
        if owner is None:
            return name, _refuse
        hint = eval(hint, vars(sys.modules[owner.__module__]))
    return name, _reader(hint)
