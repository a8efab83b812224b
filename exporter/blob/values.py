"""Encode data as JSON text in a zlib stream, codec 21 of blobs.

The data is a tree of None, booleans, 64-bit integers and floats, texts, lists and mappings, and is
decoded to equal values: 5 and 5.0 stay different. The same tree gives the same bytes on every
machine. Text to decode may come from a stranger, so its values are counted before any object is
built.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NoReturn

import numpy as np

from exporter.blob._budget import DecodingBudget, ValueCount
from exporter.blob.container import Chunk, Container
from exporter.codecs import Limits
from exporter.deflate import compress
from exporter.model.errors import BlobError

NUMBER = 21
Deflate = Callable[[bytes], bytes]
INTEGER_MINIMUM, INTEGER_MAXIMUM = -(1 << 63), (1 << 63) - 1
# The shortest text of a 64-bit float has at most 17 digits, or 18 with the 0 behind its point, and
# 24 characters. Readers convert it exactly with integers of 64 bits, and refuse longer numbers.
LONGEST_NUMBER = 32
MOST_DIGITS = 18

_MISSING = object()
_WHITE_SPACE = re.compile(rb"[ \t\n\r]")
# Opening a list or a map becomes 1, closing it -1, all else is removed.
_OPENING_AND_CLOSING = bytes.maketrans(b"[{]}", b"\1\1\xff\xff")
_OTHERS = bytes(set(range(256)) - set(b"[{]}"))
# Characters not allowed in a blob's texts: engines' strings end at the first, and the others are no
# characters.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


def encode_values(
    value: Any, what: str = "value", limits: Limits | None = None, deflate: Deflate = compress
) -> bytes:
    """Encode a tree of plain values as JSON text in a zlib stream.

    Tuples become lists; numpy scalars become Python's.

    Args:
        value: The data.
        what: The name of the data in errors.
        limits: The limits that readers apply.
        deflate: Compresses the text; the default gives the same bytes on every machine.

    Raises:
        TypeError: A value has another type, or a mapping has a key that is not text.
        UnstorableError: A blob cannot store a value: a number that is not finite, an integer beyond
            64 bits, a text with U+0000 or half a character, or data over the limits.
    """
    limits = limits or Limits()
    plain = _Plain(limits).value(value, what, 0)
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > limits.text:
        raise UnstorableError(
            f"{what} is {len(text)} bytes as JSON; a blob holds at most {limits.text}"
        )
    return deflate(text)


def decode_values(
    codec: int, payload: bytes, limits: Limits, budget: DecodingBudget | None = None
) -> Any:
    """Decode the JSON values of `payload`, made by `encode_values`.

    Args:
        codec: The number of the codec.
        payload: The encoded bytes.
        limits: The limits for one payload.
        budget: The budget of the whole blob; None outside a blob.

    Raises:
        BlobError: The codec is unknown, the payload is not JSON text in a zlib stream, or the data
            exceeds the limits or the budget.
    """
    if codec != NUMBER:
        raise BlobError(
            f"unknown codec {codec} for values: the data is damaged or from a newer exporter"
        )
    text = inflate_text(payload, limits)
    count = _check_structure(text, limits)
    (budget or DecodingBudget(limits)).charge_values("a tree of values", count)
    try:
        value = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_map,
            parse_int=_integer,
            parse_float=_decimal,
            parse_constant=_constant,
        )
    except (ValueError, RecursionError) as error:
        raise BlobError(f"broken values: {error}") from error
    if b"\\u" in text:  # elsewhere UTF-8 itself allows no half characters
        _check_texts(value)
    return value


def inflate_text(payload: bytes, limits: Limits) -> bytes:
    """Decompress the JSON text of `payload`, if it is within the limits.

    Raises:
        BlobError: The payload is not a zlib stream, or longer than the limits allow.
    """
    engine = zlib.decompressobj()
    try:
        text = engine.decompress(payload, limits.text + 1)
    except zlib.error as error:
        raise BlobError(f"broken values: {error}") from error
    if len(text) > limits.text:
        raise BlobError(f"the JSON text is larger than {limits.text} bytes")
    if not engine.eof or engine.unused_data:
        raise BlobError("broken values: the zlib stream is incomplete, or more data follows it")
    if b"\0" in text:
        raise BlobError("broken values: a text contains U+0000")
    return text


def values_chunk(name: str, value: Any, level: int, deflate: Deflate = compress) -> Chunk:
    """Encode `value` as a chunk of type `name`.

    `level` is the index of the value's level in a pack; `deflate` compresses the text.

    Raises:
        TypeError, UnstorableError: A value has a type or content that a blob cannot store.
    """
    return Chunk(name, NUMBER, encode_values(value, name, deflate=deflate), level=level)


def read_values(
    container: Container, name: str, level: int, budget: DecodingBudget, default: Any = _MISSING
) -> Any:
    """Decode the values in the chunk of type `name` of a level.

    `level` is the level's index in a pack. If the chunk is missing, return `default`, if given.

    Raises:
        BlobError: The values are damaged, over the budget, or missing without a default.
    """
    result = container.find(name, level)
    if result:
        loaded = container.load(result[0])
        return decode_values(loaded.codec, loaded.payload, budget.limits, budget)
    if default is _MISSING:
        raise BlobError(
            f"level {level} is not in the blob, or is incomplete: its {name} chunk is missing "
            "(export it again)"
        )
    return default


class UnstorableError(ValueError):
    """A blob cannot store a value; the message begins with the value's path."""


class _Plain:
    """Converts data to plain types; counts values as a reader will.

    So data that readers would refuse is refused already when it is written.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.values

    def value(self, value: Any, path: str, depth: int) -> Any:
        """Convert `value` to lists, dicts and Python's own scalars.

        `path` is where the value is in the data, for messages; `depth` is how deep it is nested.
        """
        # First of all, for numpy's float64 is a float and writes itself differently.
        if isinstance(value, np.generic):
            value = value.item()
        self._left -= 1
        if self._left < 0:
            raise UnstorableError(
                f"{path}: a blob holds at most {self._limits.values} values in a tree"
            )
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if not INTEGER_MINIMUM <= value <= INTEGER_MAXIMUM:
                raise UnstorableError(f"{path}: {_number_text(value)} does not fit in 64 bits")
            return int(value)
        if isinstance(value, float):
            if not isfinite(value):
                raise UnstorableError(
                    f"{path}: a blob cannot store {value} (allowed: finite numbers)"
                )
            return float(value)
        if isinstance(value, str):
            return _text(value, path)
        if isinstance(value, Mapping | list | tuple):
            if depth >= self._limits.depth:
                raise UnstorableError(
                    f"{path} is nested more than {self._limits.depth} levels deep"
                )
            return self._container(value, path, depth + 1)
        raise TypeError(f"{path}: a blob cannot store a value of type {type(value).__name__}")

    def _container(self, value: Any, path: str, depth: int) -> Any:
        if not isinstance(value, Mapping):
            return [self.value(item, f"{path}[{at}]", depth) for at, item in enumerate(value)]
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"{path}: the keys of a mapping must be text")
        return {
            _text(key, path): self.value(item, f"{path}.{key}", depth)
            for key, item in value.items()
        }


def _text(value: str, path: str) -> str:
    if result := _NO_CHARACTER.search(value):
        raise UnstorableError(
            f"{path}: a blob cannot store text that contains U+{ord(result[0]):04X}"
        )
    return str(value)


def _number_text(value: int) -> str:
    return str(value) if value.bit_length() < 200 else f"an integer of {value.bit_length()} bits"


def _check_structure(text: bytes, limits: Limits) -> ValueCount:
    """Count the values in a JSON text without parsing it.

    Refuse white space, and more values than the limits allow.
    """
    skeleton = _without_strings(text)
    if _WHITE_SPACE.search(skeleton):
        raise BlobError("broken values: there is white space in the JSON text")
    lists, maps = skeleton.count(b"["), skeleton.count(b"{")
    empty = skeleton.count(b"[]") + skeleton.count(b"{}")
    values = 1 + skeleton.count(b",") + lists + maps - empty
    if values > limits.values:
        raise BlobError(f"there are more than {limits.values} values")
    if lists + maps != skeleton.count(b"]") + skeleton.count(b"}"):
        raise BlobError("broken values: the text is not JSON")
    brackets = np.frombuffer(skeleton.translate(_OPENING_AND_CLOSING, _OTHERS), np.int8)
    if brackets.size and int(np.cumsum(brackets, dtype=np.int32).max()) > limits.depth:
        raise BlobError(f"the values are nested more than {limits.depth} levels deep")
    words = skeleton.count(b"true") + skeleton.count(b"false")
    return ValueCount(
        len(text),
        lists,
        maps,
        max(0, values - lists - maps),
        skeleton.count(b"."),
        skeleton.count(b"e") + skeleton.count(b"E") - words,
    )


def _without_strings(text: bytes) -> bytes:
    """Return the JSON `text` with each string reduced to its last quote.

    So the remaining characters can be counted. The text may come from a stranger, so it is
    processed as a whole: a million strings take the same time and memory as one.
    """
    # Backslashes escape in pairs from the left, so escaped ones must be removed first.
    letters = np.frombuffer(text.replace(b"\\\\", b"__").replace(b'\\"', b"__"), np.uint8)
    is_inside = np.logical_xor.accumulate(letters == ord('"'))
    return letters[~is_inside].tobytes()


def _map(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a mapping has the same key twice")
    return result


def _integer(text: str) -> int:
    value = int(text) if len(text) <= LONGEST_NUMBER else 1 << 64
    if not INTEGER_MINIMUM <= value <= INTEGER_MAXIMUM:
        raise ValueError("an integer does not fit in 64 bits")
    return value


def _decimal(text: str) -> float:
    if len(text) > MOST_DIGITS:
        digits = re.split("[eE]", text)[0].replace(".", "").lstrip("-0")
        if len(text) > LONGEST_NUMBER or len(digits) > MOST_DIGITS:
            raise ValueError("a number is too long")
    value = float(text)
    if not isfinite(value):
        raise ValueError("a number is too large")
    return value


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _check_texts(value: Any) -> None:
    if isinstance(value, str):
        if _NO_CHARACTER.search(value):
            raise BlobError("broken values: a text contains U+0000 or half of a surrogate pair")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_texts(key)
            _check_texts(item)
    elif isinstance(value, list):
        for item in value:
            _check_texts(item)
