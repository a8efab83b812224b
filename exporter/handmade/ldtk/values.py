"""Read values of a JSON document, with their paths for messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass

# Bytes of one file without the tiles that rules make; and its objects and lists, which take many
# times the bytes of their text.
MAXIMUM_BYTES = 1 << 24
MAXIMUM_CONTAINERS = 1_500_000
# Whole numbers beyond are no positions, sizes or values of anything.
MAXIMUM_NUMBER = 1 << 31

SAVE_AGAIN = "open the project in LDtk 1.5 and save it"
SMALLER = "save its levels separately, in LDtk's project settings"

# Tiles that rules make are not read, and are most of many files: they are taken out of the text. A
# quote inside a text has a backslash before it, so that this key is found nowhere else.
_RULE_TILES = re.compile(rb'"autoLayerTiles"\s*:\s*\[(?:\s*\{[^{}]*\}\s*,?)*+\s*\]')


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a JSON document, and the path to it for messages.

    Methods raise `ParameterError` if the value is not of the type that they read.
    """

    content: Any
    path: str

    def key(self, name: str) -> Value:
        """Return the value at the key `name` of this object.

        Raises:
            ParameterError: This value is no object, or lacks the key.
        """
        if not isinstance(self.content, dict):
            raise self.wrong("an object")
        if name not in self.content:
            raise ParameterError(f"{self.path} has no `{name}` ({SAVE_AGAIN})")
        return Value(self.content[name], f"{self.path}.{name}")

    def optional(self, name: str) -> Value | None:
        """Return the value at the key `name`; None if missing or null."""
        if isinstance(self.content, dict) and self.content.get(name) is None:
            return None
        return self.key(name)

    def items(self) -> Iterator[Value]:
        """Yield the values in this list, each with its path."""
        for index, item in enumerate(self.values()):
            yield Value(item, f"{self.path}[{index}]")

    def listed(self, name: str) -> Iterator[Value]:
        """Yield the values of the list at the key `name`; nothing if missing.

        Early versions of LDtk lack some lists.
        """
        value = self.optional(name)
        return iter(()) if value is None else value.items()

    def values(self) -> list[Any]:
        """Return the contents of this list, without paths."""
        if not isinstance(self.content, list):
            raise self.wrong("a list")
        return self.content

    def text(self) -> str:
        """Return the value as text."""
        if not isinstance(self.content, str):
            raise self.wrong("a text")
        return self.content

    def boolean(self) -> bool:
        """Return the value as true or false."""
        if not isinstance(self.content, bool):
            raise self.wrong("true or false")
        return self.content

    def integer(self, least: int = -MAXIMUM_NUMBER, most: int = MAXIMUM_NUMBER) -> int:
        """Return the value as a whole number from `least` to `most`."""
        if not isinstance(self.content, int) or isinstance(self.content, bool):
            raise self.wrong("a whole number")
        if not least <= self.content <= most:
            raise ParameterError(f"{self.path} is out of range (allowed: {least} to {most})")
        return self.content

    def number(self) -> float:
        """Return the value as a finite number."""
        whole = isinstance(self.content, int) and not isinstance(self.content, bool)
        if whole and abs(self.content) <= MAXIMUM_NUMBER:
            return float(self.content)
        if not isinstance(self.content, float) or not isfinite(self.content):
            raise self.wrong("a finite number")
        return self.content

    def pair(self) -> tuple[Value, Value]:
        """Return the two values of this list."""
        items = list(self.items()) if len(self.values()) == 2 else []
        if not items:
            raise self.wrong("a list of two values")
        return items[0], items[1]

    def integers(self, count: int, most: int) -> NDArray[np.int64]:
        """Return this list of `count` whole numbers from 0 to `most`: int64."""
        values = self.values()
        if len(values) != count:
            raise ParameterError(f"{self.path} has {len(values)} values (expected: {count})")
        numbers = whole_numbers(values)
        if numbers is None or (count and (int(numbers.min()) < 0 or int(numbers.max()) > most)):
            raise self.wrong(f"a list of whole numbers from 0 to {most}")
        return numbers

    def wrong(self, expected: str) -> ParameterError:
        """Return the error that this value is not `expected`, such as "a list"."""
        return ParameterError(f"{self.path} is not {expected} ({SAVE_AGAIN})")


def whole_numbers(values: list[Any]) -> NDArray[np.int64] | None:
    """Return `values` as an array; None if one of them is not a whole number."""
    # True and False are numbers to numpy.
    if not set(map(type, values)) <= {int}:
        return None
    try:
        return np.array(values, np.int64)
    except OverflowError:
        return None


def read_json(content: bytes, name: str) -> Value:
    """Return the document in `content`, the bytes of a JSON file.

    `name` is the file's name in messages. Tiles made by auto-layer rules are left out.

    Raises:
        ParameterError: The file is too large, no JSON, or nested too deeply.
    """
    content = _RULE_TILES.sub(_empty_list, content)
    if len(content) > MAXIMUM_BYTES:
        raise ParameterError(
            f"{name} has {len(content)} bytes without tiles of rules (allowed: {MAXIMUM_BYTES}; "
            f"{SMALLER})"
        )
    containers = content.count(b"{") + content.count(b"[")
    if containers > MAXIMUM_CONTAINERS:
        raise ParameterError(
            f"{name} has {containers} objects and lists (allowed: {MAXIMUM_CONTAINERS}; {SMALLER})"
        )
    try:
        return Value(json.loads(content.decode("utf-8-sig"), parse_constant=_refuse), name)
    except UnicodeDecodeError:
        raise ParameterError(f"{name} is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ParameterError(
            f"{name} is not a complete JSON file (line {error.lineno}, column {error.colno}: "
            f"{error.msg})"
        ) from None
    except RecursionError:
        raise ParameterError(f"{name} is nested too deeply") from None
    except ValueError as error:
        raise ParameterError(f"{name} is not a JSON file ({error})") from None


def _empty_list(result: re.Match[bytes]) -> bytes:
    """Return an empty list with as many line ends, to keep line numbers."""
    return b'"autoLayerTiles":[' + b"\n" * result[0].count(b"\n") + b"]"


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not a number")
