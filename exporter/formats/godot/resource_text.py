"""Read Godot's text resources (`.tres`), each value on demand.

    [gd_resource type="TileSet" format=3 uid="uid://..."]
    [ext_resource type="Texture2D" path="res://art/dungeon.png" id="1_ab"]
    [sub_resource type="TileSetAtlasSource" id="atlas"]
    margins = Vector2i(2, 2)
    [resource]
    sources/0 = SubResource("atlas")

Files are untrusted: nothing in them is run, and size, depth and numbers are limited.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from exporter.model.lazy_dataclass import dataclass

MAXIMUM_BYTES = 8 << 20
_MAXIMUM_ENTRIES = 400_000
_MAXIMUM_DEPTH = 32
_LARGEST_INTEGER = 1 << 63

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.S)
_STOP = re.compile(r'["\[\](){}\n]')
_KEY = re.compile(r'([^\s=\[;"][^=\n"]*?)[ \t]*=[ \t]*')
_QUOTED_KEY = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"[ \t]*=[ \t]*')
_TAG = re.compile(r"\[[ \t]*([A-Za-z_]+)")
_ATTRIBUTE = re.compile(r"[ \t\n]*([A-Za-z_]+)[ \t]*=[ \t]*")
_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+)")
_WORD = re.compile(r"[-+]?[A-Za-z_][A-Za-z0-9_.]*(?:\[[^\[\]\n\"]*\])?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_WORDS = {"true": True, "false": False, "null": None, "nil": None}
_UNBOUNDED = {"inf": math.inf, "-inf": -math.inf, "inf_neg": -math.inf, "nan": math.nan}


class ResourceTextError(ValueError):
    """Raised if a text is not a valid Godot resource.

    The message says where and why.
    """


@dataclass(frozen=True, slots=True)
class Call:
    """A value of a named type: `Vector2i(2, 1)` or `SubResource("atlas")`.

    `name` is the type, such as `Vector2i`.
    """

    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ResourceSection:
    """A section of a resource file: its heading, and its entries as text.

    The heading is `[tag key=value ...]`; `attributes` has its parsed values. An entry is a line
    `name = value`.
    """

    tag: str
    attributes: Mapping[str, Any]
    entries: dict[str, str] = field(default_factory=dict)

    def value(self, key: str, default: Any = None) -> Any:
        """Return the parsed value of the entry `key`, or `default` without one.

        Raises:
            ResourceTextError: The value cannot be read.
        """
        written = self.entries.get(key)
        return default if written is None else value_of(written, key)


def read_sections(content: bytes) -> list[ResourceSection]:
    """Return the sections of a resource file (`.tres`), in order.

    Raises:
        ResourceTextError: The text has another format, is broken, or exceeds a limit.
    """
    if len(content) > MAXIMUM_BYTES:
        raise ResourceTextError(f"the resource has {len(content)} bytes (allowed: {MAXIMUM_BYTES})")
    if content[:4] in (b"RSRC", b"RSCC"):
        raise ResourceTextError("the resource is binary (save it as .tres in Godot)")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ResourceTextError("the resource is not UTF-8 text") from None
    sections = list(_sections(text))
    if not sections or sections[0].tag != "gd_resource":
        raise ResourceTextError("the first line of the resource is not [gd_resource ...]")
    return sections


def value_of(text: str, what: str = "a value") -> Any:
    """Parse `text`, a value: number, text, list, mapping, or else a `Call`.

    `what` names the value in errors. A mapping is a list of pairs.

    Raises:
        ResourceTextError: The text is not a value, or is nested too deeply.
    """
    try:
        value, end = _value(text, 0, 0)
    except RecursionError:
        raise ResourceTextError(f"{what} is nested too deeply") from None
    if _SPACE.match(text, end).end() != len(text):  # type: ignore[union-attr]
        raise ResourceTextError(f"{what} has an invalid value")
    return value


def _sections(text: str) -> Iterator[ResourceSection]:
    current: ResourceSection | None = None
    at = count = 0
    while True:
        at = _next_line(text, at)
        if at == len(text):
            break
        count += 1
        if count > _MAXIMUM_ENTRIES:
            raise ResourceTextError(f"the resource has more than {_MAXIMUM_ENTRIES} entries")
        if text[at] == "[":
            if current is not None:
                yield current
            current, at = _heading(text, at)
            continue
        key = _KEY.match(text, at) or _QUOTED_KEY.match(text, at)
        if key is None or current is None:
            raise ResourceTextError(f"line {_line(text, at)} is not of the form `name = value`")
        end = _end_of_value(text, key.end())
        # Keys in quotes have odd characters; no key that is ever read has such a character.
        current.entries[key.group(1) if key.re is _KEY else key.group()] = text[key.end() : end]
        at = end
    if current is not None:
        yield current


def _next_line(text: str, at: int) -> int:
    """Return where the next entry or heading begins, searching from `at`."""
    while at < len(text):
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if at == len(text) or text[at] != ";":
            break
        end = text.find("\n", at)
        at = len(text) if end < 0 else end
    return at


def _heading(text: str, at: int) -> tuple[ResourceSection, int]:
    tag = _TAG.match(text, at)
    if tag is None:
        raise ResourceTextError(f"line {_line(text, at)} is not a heading in square brackets")
    attributes: dict[str, Any] = {}
    position = tag.end()
    while result := _ATTRIBUTE.match(text, position):
        attributes[result.group(1)], position = _value(text, result.end(), 0)
    position = _SPACE.match(text, position).end()  # type: ignore[union-attr]
    if text[position : position + 1] != "]":
        raise ResourceTextError(f"line {_line(text, at)} is not a heading in square brackets")
    return ResourceSection(tag.group(1), attributes), position + 1


def _end_of_value(text: str, at: int) -> int:
    """Return where the value that begins at `at` ends.

    It ends at the end of a line that is not inside brackets.
    """
    closing: list[str] = []
    position = at
    while stop := _STOP.search(text, position):
        mark, position = stop.group(), stop.end()
        if mark == "\n":
            if not closing:
                return stop.start()
        elif mark == '"':
            whole = _STRING.match(text, stop.start())
            if whole is None:
                raise ResourceTextError(f"the text from line {_line(text, at)} on is not closed")
            position = whole.end()
        elif mark in _CLOSING:
            closing.append(_CLOSING[mark])
            if len(closing) > _MAXIMUM_DEPTH:
                raise ResourceTextError(
                    f"the value in line {_line(text, at)} is nested too deeply (allowed: "
                    f"{_MAXIMUM_DEPTH} levels)"
                )
        elif not closing or closing.pop() != mark:
            raise ResourceTextError(f"the value in line {_line(text, at)} has a stray {mark}")
    if closing:
        raise ResourceTextError(f"the value from line {_line(text, at)} on is not closed")
    return len(text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    """Return the value at position `at`, and the position after it."""
    if depth > _MAXIMUM_DEPTH:
        raise ResourceTextError("a value is nested too deeply")
    at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
    mark = text[at : at + 1]
    if mark in ("&", "^") and text[at + 1 : at + 2] == '"':
        at, mark = at + 1, '"'
    if mark == '"':
        whole = _STRING.match(text, at)
        if whole is None:
            raise ResourceTextError(f"the text from line {_line(text, at)} on is not closed")
        return _unescape(whole.group()[1:-1]), whole.end()
    if mark == "[":
        return _items(text, at + 1, "]", depth)
    if mark == "{":
        return _entries(text, at + 1, depth)
    number = _NUMBER.match(text, at)
    if number is not None:
        return _number(number.group()), number.end()
    word = _WORD.match(text, at)
    if word is None:
        raise ResourceTextError(f"line {_line(text, at)} has an invalid value")
    name, end = word.group(), word.end()
    if text[end : end + 1] == "(":
        arguments, end = _items(text, end + 1, ")", depth)
        return Call(name, tuple(arguments)), end
    if name in _UNBOUNDED:
        return _UNBOUNDED[name], end
    if name not in _WORDS:
        raise ResourceTextError(f"line {_line(text, at)} has the unknown word {name[:40]}")
    return _WORDS[name], end


def _items(text: str, at: int, closing: str, depth: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] == closing:
            return items, at + 1
        item, at = _value(text, at, depth + 1)
        items.append(item)
        at = _behind(text, at, ",", closing)


def _entries(text: str, at: int, depth: int) -> tuple[list[tuple[Any, Any]], int]:
    """Return the entries of the mapping at `at`, and the position after it."""
    entries: list[tuple[Any, Any]] = []
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] == "}":
            return entries, at + 1
        key, at = _value(text, at, depth + 1)
        at = _behind(text, at, ":", "")
        item, at = _value(text, at, depth + 1)
        entries.append((key, item))
        at = _behind(text, at, ",", "}")


def _behind(text: str, at: int, mark: str, closing: str) -> int:
    """Return the position after `mark`, or that of `closing` in its place.

    Blanks before both are skipped.

    Raises:
        ResourceTextError: Neither is there.
    """
    at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
    result = text[at : at + 1]
    if result == mark:
        return at + 1
    if result and result == closing:
        return at
    raise ResourceTextError(f"line {_line(text, at)} has no {mark} where one belongs")


def _number(digits: str) -> int | float:
    if len(digits) > 64:
        raise ResourceTextError("a number has too many digits")
    if digits.lstrip("+-").isdigit():
        number = int(digits)
        if not -_LARGEST_INTEGER <= number < _LARGEST_INTEGER:
            raise ResourceTextError(f"the number {digits} has more than 64 bits")
        return number
    return float(digits)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text

    def meant(result: re.Match[str]) -> str:
        code = result.group(1)
        if len(code) > 1:
            number = int(code[1:], 16)
            return chr(number) if number < 0x110000 else "\ufffd"
        return _ESCAPED.get(code, code)

    return _ESCAPE.sub(meant, text)
