"""Describe allowed values and defaults of fields for reference pages."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from exporter.model.parameters import (
    COLOR_PATTERN,
    NAME_PATTERN,
    About,
    FileName,
    Matches,
    Refers,
    Within,
)
from exporter.model.sizes import SizeRule

# From a nested dataclass to a link to its table.
Link = Callable[[type[Any]], str]

_PLAIN = {
    int: "whole number",
    float: "number",
    str: "text",
    bool: "`true`, `false`",
    dict: "mapping",
    Any: "any value",
}
_FILE_PATTERN = next(rule.pattern for rule in get_args(FileName) if isinstance(rule, Matches))
_PATTERNS = {
    NAME_PATTERN: "name",
    COLOR_PATTERN: "`#rrggbb` or `#rrggbbaa`",
    _FILE_PATTERN: "file name",
}


def about(hint: Any) -> About:
    """Return the `About` in annotation `hint`; an empty one if it has none."""
    return next((rule for rule in _metadata(hint) if isinstance(rule, About)), About(""))


def allowed(hint: Any, link: Link) -> str:
    """Describe the values that annotation `hint` allows.

    `link` returns the text that represents a nested dataclass.
    """
    if get_origin(hint) is Annotated:
        return _restricted(get_args(hint)[0], _metadata(hint), link)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ", ".join(f"`{yaml_text(value)}`" for value in arguments)
    if origin is tuple:
        if arguments[-1] is ...:
            return f"list of {_several(allowed(arguments[0], link))}"
        return "[" + ", ".join(allowed(argument, link) for argument in arguments) + "]"
    if origin in (Union, types.UnionType):
        return _either([allowed(item, link) for item in arguments if item is not types.NoneType])
    if len(arguments) == 2:
        return f"mapping of {_several(allowed(arguments[1], link))}"
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return link(hint)
    return _PLAIN.get(hint, getattr(hint, "__name__", str(hint)))


def nested(hint: Any) -> Iterator[type[Any]]:
    """Yield the dataclasses inside annotation `hint`, in order."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for argument in get_args(hint):
        yield from nested(argument)


def default(field: dataclasses.Field[Any]) -> str:
    """Describe the value that `field` has if it is left out."""
    if field.default_factory is not dataclasses.MISSING or field.default in (None, ()):
        return "none"
    if field.default is dataclasses.MISSING:
        return "**required**"
    return f"`{yaml_text(field.default)}`"


def yaml_text(value: Any) -> str:
    """Format a plain `value` as YAML on one line."""
    if isinstance(value, bool) or value is None:
        return str(value).lower() if value is not None else "null"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(yaml_text, value)) + "]"
    if dataclasses.is_dataclass(value):
        fields = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        value = {field.name: given for field, given in fields if given != field.default}
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {yaml_text(item)}" for key, item in value.items()) + "}"
    text = str(value)
    return f'"{text}"' if "#" in text else text


def number(value: float) -> str:
    """Format `value` in digits, without an exponent."""
    return str(int(value)) if value == int(value) else f"{value:g}"


def _restricted(hint: Any, rules: tuple[Any, ...], link: Link) -> str:
    """Describe the values of `hint`, restricted by its metadata `rules`.

    `link` returns the text that represents a nested dataclass.
    """
    for rule in rules:
        if isinstance(rule, Refers):
            return f"name of {'an' if rule.to == 'object' else 'a'} {rule.to}"
    if any(isinstance(rule, SizeRule) for rule in rules):
        return "size: bytes, or a number with `B`, `kB`, `MB`, `KiB`, `MiB`"
    for rule in rules:
        if isinstance(rule, Matches) and rule.pattern in _PATTERNS:
            return _PATTERNS[rule.pattern]
    words = allowed(hint, link)
    within = next((rule for rule in rules if isinstance(rule, Within)), None)
    if within is None:
        return words
    low, high = number(within.minimum), number(within.maximum)
    if within.length:
        return _long(words, low, high)
    return words.replace("whole number", f"{low} to {high}").replace("number", f"{low} to {high}")


def _long(words: str, low: str, high: str) -> str:
    """Describe `words`, a text or list, whose length is from `low` to `high`."""
    extent = f"at most {high}" if low == "0" else low if low == high else f"{low} to {high}"
    if words == "text":
        return "one character" if extent == "1" else f"text of {extent} characters"
    return f"{words}, {extent} entries"


def _several(words: str) -> str:
    """Return `words`, the description of a list's item, in the plural."""
    if words in ("name", "text", "number", "whole number", "file name"):
        return f"{words}s"
    linked = re.fullmatch(r"mapping, see \[an? ([^]]+)\](.+)", words)
    if linked is not None:
        return f"[{linked[1]}s]{linked[2]}"
    if words.startswith("name of a"):
        return words.replace("name of an ", "names of ").replace("name of a ", "names of ") + "s"
    return f"({words})" if " or " in words or ", `" in words else words


def _either(members: list[str]) -> str:
    """Join descriptions of alternatives with "or".

    Whole numbers are not listed beside numbers, which include them.
    """
    words = ["boolean" if member == _PLAIN[bool] else member for member in members]
    different = list(dict.fromkeys(words if len(words) > 1 else members))
    if "number" in different and "whole number" in different:
        different.remove("whole number")
    return " or ".join(different)


def _metadata(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def hints_of(kind: type[Any]) -> dict[str, Any]:
    """Return the annotations of dataclass `kind`, with metadata, by field."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}
