"""Store the common text of many levels once, and the rest in few bits.

The values of a blob (`LEVL`, `OBJS` and other trees) are JSON texts that differ from level to level
in few places. A shape has the common text once, and states how many bits each difference takes:

    "text"                              the text itself, no bits
    {"all": [shape, ...]}               one after the other
    {"integer": minimum, "bits": n}     a whole number: the minimum and n bits
    {"one_of": ["text", ...]}           the number of one of these texts
    {"either": [shape, ...]}            the number of one of these shapes, and its bits
    {"list": shape, "bits": n}          a count of n bits, and each element
    {"length": n}                       a length of n bits, and as many bytes of text

Bits are stored from the highest to the lowest; a choice among n takes as many bits as n - 1 has.
`Observed` finds the common shape of trees, and `ShapeReader` decodes a tree by this shape.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any, Protocol

from exporter.codecs import Limits
from exporter.model.errors import BlobError

# A shape as above.
Shape = Any
# The bits of one difference: their value and their number.
Field = tuple[int, int]

# The kinds of all JSON values but maps, whose kinds differ by their keys.
_KINDS: dict[type, tuple[str, ...]] = {
    list: ("list",),
    int: ("integer",),
    **{kind: (kind.__name__,) for kind in (bool, float, str, type(None))},
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

# More texts than this are stored in each level instead of once.
MOST_TEXTS = 256
# Lists that all have one length have a shape for each index, up to this length.
LONGEST_ROW = 64
# Most bits of one difference; readers in every language have integers of this width.
WIDEST = 32
MOST_INTEGER = 1 << 53
# Integers of blobs have 64 bits: at most 20 characters.
_INTEGER_LENGTH = 5


class Observed:
    """The values at one position, such as a key, of many JSON trees.

    Their common shape encodes the values in few bits.
    """

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, ...], _Kind] = {}

    def add(self, value: Any) -> None:
        """Add a value that a tree has at this position."""
        key = _kind_of(value)
        if key not in self._kinds:
            self._kinds[key] = _new_kind(key)
        self._kinds[key].add(value)

    def merge(self, other: Observed) -> None:
        """Add all values that `other` has observed."""
        for key, kind in other._kinds.items():
            if key in self._kinds:
                self._kinds[key].merge(kind)
            else:
                self._kinds[key] = kind

    def shape(self) -> Shape:
        """Return the shape that encodes all values observed so far."""
        shapes = [kind.shape() for kind in self._kinds.values()]
        return shapes[0] if len(shapes) == 1 else {"either": shapes}

    def fields(self, value: Any, into: list[Field]) -> None:
        """Encode an observed value as fields of bits, appended to `into`.

        Each field is a number and its width in bits.
        """
        key = _kind_of(value)
        if len(self._kinds) > 1:
            into.append((list(self._kinds).index(key), width_of(len(self._kinds))))
        self._kinds[key].fields(value, into)


class _Kind(Protocol):
    """Collects values of one type that many trees have at one position."""

    def add(self, value: Any) -> None: ...

    def merge(self, other: Any) -> None: ...

    def shape(self) -> Shape: ...

    def fields(self, value: Any, into: list[Field]) -> None: ...


class _Integers:
    def __init__(self) -> None:
        self.least, self.most = 1 << 64, -1 << 64

    def add(self, value: int) -> None:
        self.least, self.most = min(self.least, value), max(self.most, value)

    def merge(self, other: _Integers) -> None:
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)

    @property
    def is_wide(self) -> bool:
        span = self.most - self.least
        return span >> WIDEST > 0 or max(-self.least, self.most) > MOST_INTEGER

    def shape(self) -> Shape:
        if self.is_wide:
            return {"length": _INTEGER_LENGTH}
        if self.least == self.most:
            return str(self.least)
        return {"integer": self.least, "bits": (self.most - self.least).bit_length()}

    def fields(self, value: int, into: list[Field]) -> None:
        if self.is_wide:
            into += _text_fields(str(value), _INTEGER_LENGTH)
        else:
            into.append((value - self.least, (self.most - self.least).bit_length()))


class _Texts:
    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.longest = 0

    def add(self, value: Any) -> None:
        text = json_text(value)
        self.longest = max(self.longest, len(text.encode()))
        if len(self.texts) <= MOST_TEXTS:
            self.texts.setdefault(text, len(self.texts))

    def merge(self, other: _Texts) -> None:
        self.longest = max(self.longest, other.longest)
        for text in other.texts:
            self.texts.setdefault(text, len(self.texts))

    def shape(self) -> Shape:
        if len(self.texts) > MOST_TEXTS:
            return {"length": self.longest.bit_length()}
        return {"one_of": list(self.texts)} if len(self.texts) > 1 else next(iter(self.texts))

    def fields(self, value: Any, into: list[Field]) -> None:
        text = json_text(value)
        if len(self.texts) > MOST_TEXTS:
            into += _text_fields(text, self.longest.bit_length())
        else:
            into.append((self.texts[text], width_of(len(self.texts))))


class _Maps:
    def __init__(self, keys: tuple[str, ...]) -> None:
        self.children = {key: Observed() for key in keys}

    def add(self, value: dict[str, Any]) -> None:
        for key, child in self.children.items():
            child.add(value[key])

    def merge(self, other: _Maps) -> None:
        for key, child in self.children.items():
            child.merge(other.children[key])

    def shape(self) -> Shape:
        parts: list[Shape] = ["{"]
        for key, child in self.children.items():
            parts += ["," if len(parts) > 1 else "", json_text(key) + ":", child.shape()]
        return _joined([*parts, "}"])

    def fields(self, value: dict[str, Any], into: list[Field]) -> None:
        for key, child in self.children.items():
            child.fields(value[key], into)


class _Lists:
    """Finds the common shape of the lists seen at one position.

    If all have the same length, up to `LONGEST_ROW`, each index has its own shape. Otherwise all
    elements share one.
    """

    def __init__(self) -> None:
        self.row: list[Observed] | None = None
        self.element: Observed | None = None
        self.longest = 0

    def add(self, value: list[Any]) -> None:
        self.longest = max(self.longest, len(value))
        if self.element is None and self.row is None and len(value) <= LONGEST_ROW:
            self.row = [Observed() for _ in value]
        if self.element is None and (self.row is None or len(self.row) != len(value)):
            self._join_places()
        for index, item in enumerate(value):
            (self.element or (self.row or [])[index]).add(item)

    def merge(self, other: _Lists) -> None:
        self.longest = max(self.longest, other.longest)
        mine, theirs = self.row, other.row
        if mine is not None and theirs is not None and len(mine) == len(theirs):
            for element, item in zip(mine, theirs, strict=True):
                element.merge(item)
            return
        self._join_places().merge(other._join_places())

    def _join_places(self) -> Observed:
        self.element = joined = self.element or Observed()
        for element in self.row or ():
            joined.merge(element)
        self.row = None
        return joined

    def shape(self) -> Shape:
        if self.row is not None:
            parts: list[Shape] = ["["]
            for element in self.row:
                parts += ["," if len(parts) > 1 else "", element.shape()]
            return _joined([*parts, "]"])
        assert self.element is not None, "a list was observed"
        return {"list": self.element.shape(), "bits": self.longest.bit_length()}

    def fields(self, value: list[Any], into: list[Field]) -> None:
        if self.row is None:
            into.append((len(value), self.longest.bit_length()))
        for index, item in enumerate(value):
            assert self.row is not None or self.element is not None
            (self.element or (self.row or [])[index]).fields(item, into)


def _kind_of(value: Any) -> tuple[str, ...]:
    return ("map", *value) if isinstance(value, dict) else _KINDS[type(value)]


def _new_kind(key: tuple[str, ...]) -> _Kind:
    if key[0] == "map":
        return _Maps(key[1:])
    if key[0] == "list":
        return _Lists()
    return _Integers() if key[0] == "integer" else _Texts()


def _joined(parts: list[Shape]) -> Shape:
    """Concatenate shapes, and merge adjacent texts."""
    flat: list[Shape] = []
    for part in parts:
        for item in part["all"] if isinstance(part, dict) and "all" in part else [part]:
            if isinstance(item, str) and flat and isinstance(flat[-1], str):
                flat[-1] += item
            else:
                flat.append(item)
    return flat[0] if len(flat) == 1 else {"all": flat}


def _text_fields(text: str, bits: int) -> Iterator[Field]:
    data = text.encode()
    yield len(data), bits
    for byte in data:
        yield byte, 8


def json_text(value: Any) -> str:
    """Return `value` as JSON text, exactly as blobs contain it."""
    return encode_basestring(value) if type(value) is str else _ENCODER.encode(value)


def width_of(choices: int) -> int:
    """Return how many bits encode a choice among `choices` alternatives."""
    return (choices - 1).bit_length()


def packed(fields: list[Field]) -> bytes:
    """Return the bits of `fields` as bytes, highest bit first, zero-padded."""
    number = width = 0
    for value, bits in fields:
        number, width = number << bits | value, width + bits
    spare = -width % 8
    return (number << spare).to_bytes((width + spare) // 8, "big")


class Bits:
    """Reads numbers of any width in bits from bytes, in order.

    Args:
        data: The bytes; their highest bits come first.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, bits: int) -> int:
        """Return the number in the next `bits` bits.

        Raises:
            BlobError: Fewer bits are left.
        """
        end = self._at + bits
        if end > 8 * len(self._data):
            raise BlobError("the data of a level are incomplete")
        first, last = self._at >> 3, (end + 7) >> 3
        number = int.from_bytes(self._data[first:last], "big") >> (8 * last - end)
        self._at = end
        return number & ((1 << bits) - 1)

    def rest(self) -> int:
        """Return the offset of the first byte of which no bit was read yet."""
        return (self._at + 7) >> 3


class ShapeReader:
    """Decodes texts by their shapes, within the limits of a blob's values.

    Args:
        limits: Limits for the length of a text, and for the shapes to read it.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._parts: list[bytes] = []
        self._size = self._count = 0

    def read(self, shape: Shape, bits: Bits) -> bytes:
        """Decode one text: `shape` states how, `bits` has its variable parts.

        Raises:
            BlobError: The shape is not valid, or the text is too long.
        """
        self._parts, self._size, self._count = [], 0, 0
        try:
            self._read(shape, bits)
        except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
            raise BlobError(
                f"the pack is damaged: the shape of its values cannot be read ({error!r})"
            ) from error
        return b"".join(self._parts)

    def _add(self, text: bytes) -> None:
        self._size += len(text)
        if self._size > self._limits.text:
            raise BlobError(f"the JSON text of a level is larger than {self._limits.text} bytes")
        self._parts.append(text)

    def _read(self, shape: Shape, bits: Bits) -> None:
        self._count += 1
        if self._count > self._limits.values:
            raise BlobError(f"a level has more than {self._limits.values} values")
        if isinstance(shape, str):
            self._add(shape.encode())
        elif "all" in shape:
            for part in _items(shape["all"]):
                self._read(part, bits)
        elif "integer" in shape:
            number = _number(shape["integer"], -MOST_INTEGER, MOST_INTEGER)
            self._add(b"%d" % (number + bits.take(_width(shape))))
        elif "one_of" in shape:
            texts = _items(shape["one_of"])
            self._add(texts[self._choice(len(texts), bits)].encode())
        elif "either" in shape:
            shapes = _items(shape["either"])
            self._read(shapes[self._choice(len(shapes), bits)], bits)
        elif "list" in shape:
            count = bits.take(_width(shape))
            self._add(b"[")
            for index in range(count):
                if index:
                    self._add(b",")
                self._read(shape["list"], bits)
            self._add(b"]")
        else:
            length = bits.take(_number(shape["length"], 0, WIDEST))
            if length > self._limits.text:
                raise BlobError(
                    f"the JSON text of a level is larger than {self._limits.text} bytes"
                )
            self._add(bytes(bits.take(8) for _ in range(length)))

    @staticmethod
    def _choice(count: int, bits: Bits) -> int:
        number = bits.take(width_of(count)) if count > 1 else 0
        if number >= count:
            raise BlobError(
                f"the pack is damaged: a level refers to value {number + 1} in a list of {count}"
            )
        return number


def _items(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("a list is expected")
    return value


def _width(shape: dict[str, Any]) -> int:
    return _number(shape["bits"], 0, WIDEST)


def _number(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"a number from {least} to {most} is expected")
    return value
