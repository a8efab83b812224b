"""Encode a column of a pack: one value for each level, without loss.

    {"name", "kind": "integer" | "number", "minimum", "divisor", "bytes"}    a value is
        (minimum + n) / divisor for an unsigned n of so many bytes (1, 2 or 4), little-endian
    {"name", "kind": "number", "bytes": 8}                  64-bit floats, little-endian
    {"name", "kind": "choice", "values": [...], "bytes"}    n is the number of one of the values

Many measures are shares of a level's cells: fractions with few different divisors. Most of them
take two bytes, and zlib shrinks these further.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.deflate import compress
from exporter.model.errors import BlobError
from exporter.packs.shapes import MOST_INTEGER, json_text

Column = dict[str, Any]
# Widths of unsigned numbers, the type of each, and the denominators that fractions may have.
_TYPES = {1: "<u1", 2: "<u2", 4: "<u4"}
_DIVISORS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 25, 50, 100, 1000, 10_000)


def encode_column(name: str, values: Sequence[Any], cells: int) -> tuple[Column, bytes]:
    """Return the JSON description of a column, and its bytes.

    Args:
        name: The column's name, such as that of a measure.
        values: One value for each level, in the order of the levels.
        cells: The number of cells of a level; tried as a divisor, because many measures are shares
            of a level's cells.
    """
    if not values:
        empty = {"name": name, "kind": "integer", "minimum": 0, "divisor": 1, "bytes": 1}
        return empty, compress(b"")
    if all(type(value) is int for value in values):
        column = _fractions(name, "integer", np.array(values, object), 1)
        if column is not None:
            return column
    if all(type(value) in (int, float) for value in values):
        numbers = np.array(values, np.float64)
        for divisor in (*_DIVISORS, cells):
            counts = np.rint(numbers * divisor)
            if np.array_equal(counts / divisor, numbers):
                column = _fractions(name, "number", counts.astype(object), divisor)
                if column is not None:
                    return column
        if all(float(value) == value for value in values):
            data = compress(numbers.astype("<f8").tobytes())
            return {"name": name, "kind": "number", "bytes": 8}, data
    texts = {json_text(value): value for value in values}
    numbers_of = {text: number for number, text in enumerate(texts)}
    codes = np.array([numbers_of[json_text(value)] for value in values])
    width = _width_of(len(texts) - 1)
    column_of = {"name": name, "kind": "choice", "values": list(texts.values()), "bytes": width}
    return column_of, compress(codes.astype(_TYPES[width]).tobytes())


def decode_column(column: Column, payload: bytes, count: int) -> list[Any] | NDArray[Any]:
    """Return the values of a column, one for each level; numbers as an array.

    `column` is the description that `encode_column` returned, `payload` the column's bytes, and
    `count` the number of levels.

    Raises:
        BlobError: The description or the bytes are damaged.
    """
    try:
        return _decoded(column, payload, count)
    except (KeyError, TypeError, ValueError, IndexError, zlib.error) as error:
        raise BlobError(f"broken column: {error!r}") from error


def _decoded(column: Column, payload: bytes, count: int) -> list[Any] | NDArray[Any]:
    width = column["bytes"]
    if width not in _TYPES and (width, column["kind"]) != (8, "number"):
        raise ValueError(f"a column has values of {width!r} bytes, which is not allowed")
    engine = zlib.decompressobj()
    data = engine.decompress(payload, count * width + 1)
    if len(data) != count * width or not engine.eof or engine.unused_data:
        raise ValueError("the data of a column do not have a value for each level")
    if width == 8:
        return np.frombuffer(data, "<f8").astype(np.float64)
    numbers = np.frombuffer(data, _TYPES[width]).astype(np.int64)
    if column["kind"] == "choice":
        values = column["values"]
        return [values[number] for number in numbers.tolist()]
    minimum, divisor = column["minimum"], column["divisor"]
    if type(minimum) is not int or abs(minimum) > MOST_INTEGER:
        raise ValueError(f"the minimum {minimum!r} of a column is out of range")
    if type(divisor) is not int or not 1 <= divisor <= MOST_INTEGER:
        raise ValueError(f"the divisor {divisor!r} of a column is out of range")
    if column["kind"] == "integer" and divisor == 1:
        return numbers + minimum
    if column["kind"] != "number":
        raise ValueError(f"unknown kind of column {column['kind']!r}")
    return np.asarray((numbers + minimum) / divisor, np.float64)


def _fractions(
    name: str, kind: str, counts: NDArray[Any], divisor: int
) -> tuple[Column, bytes] | None:
    """Encode `counts`, the numerators of values over `divisor`, as a column.

    `kind` is `integer` or `number`. Return None if the counts need more than 4 bytes each.
    """
    least, most = int(min(counts)), int(max(counts))
    if most - least >= 1 << 32 or max(-least, most) > MOST_INTEGER:
        return None
    width = _width_of(most - least)
    data = np.array([int(count) - least for count in counts], _TYPES[width]).tobytes()
    column = {"name": name, "kind": kind, "minimum": least, "divisor": divisor, "bytes": width}
    return column, compress(data)


def _width_of(most: int) -> int:
    return next(width for width in _TYPES if most < 1 << 8 * width)
