"""Keys of values: two values that differ have two keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import PurePosixPath

import pytest

from exporter.model.keys import value_key


@dataclass
class Size:
    """Has the fields of a place."""

    x: int = 1
    y: int = 2
    note: str = field(default="", compare=False)


@dataclass
class Location:
    """Has the fields of a size."""

    x: int = 1
    y: int = 2


class Suit(Enum):
    """Has members of one name with a rank."""

    ONE = 1


class Rank(IntEnum):
    """Is a number, too."""

    ONE = 1


VALUES = [
    None, "None", "", b"", 0, 0.0, False, "0", b"0", 1, "1", True,
    [], (), {}, [0], (0,), [[]], [[0], 1], [[0, 1]], [[], 0, 1],
    {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": "b", 1: 2}, {1: {"a": 2}}, {1: {}, "a": 2},
    "a", b"a", PurePosixPath("a"), Suit.ONE, Rank.ONE,
    Size(), Location(), Size(2, 1), Size(1, 3), [Size(), Location()], [Location(), Size()],
]  # fmt: skip


def test_values_that_differ_have_keys_that_differ() -> None:
    result: dict[str, object] = {}
    for value in VALUES:
        assert result.setdefault(value_key(value), value) is value


def test_a_field_that_is_not_compared_is_in_no_key() -> None:
    assert value_key(Size(note="wide")) == value_key(Size())


def test_what_is_no_plain_value_has_no_key() -> None:
    for value in (object(), [Size], {1: {2}}):
        with pytest.raises(TypeError, match="cannot be part of a cache key"):
            value_key(value)
