"""Encode the studio's binary messages: JSON, then arrays.

    bytes 0..3    length of the JSON text in bytes, little-endian
    then          the JSON text, UTF-8, with spaces after it up to a multiple of 8 bytes
    then          the arrays, each at a multiple of 8 bytes

In the JSON text, `{"at": offset, "type": "uint8", "shape": [h, w]}` represents an array; offsets
count from the first array. Arrays are little-endian, row by row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ALIGNMENT = 8
# The page's types of typed arrays.
TYPES = frozenset({"uint8", "uint16", "int32"})


class BinaryMessage:
    """A binary message of JSON text and arrays, to which arrays are added."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def array(self, values: NDArray[Any]) -> dict[str, Any]:
        """Add the array `values`; return its reference for the JSON text.

        Args:
            values: bool, uint8, uint16 or int32 of any shape.

        Raises:
            ValueError: The array has another type.
        """
        import numpy as np

        plain = values.view(np.uint8) if values.dtype == bool else values
        if plain.dtype.name not in TYPES:
            raise ValueError(f"no message has arrays of {plain.dtype}")
        little = np.ascontiguousarray(plain, plain.dtype.newbyteorder("<"))
        described = {
            "at": self._length,
            "type": plain.dtype.name,
            "shape": list(values.shape),
        }
        data = little.tobytes()
        self._parts.append(data + b"\0" * (-len(data) % _ALIGNMENT))
        self._length += len(self._parts[-1])
        return described

    def message(self, header: Mapping[str, Any]) -> bytes:
        """Return the bytes of the message: the JSON text, and all added arrays.

        `header` is the data of the JSON text, with the references that `array` returned.
        """
        text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-(len(text) + 4) % _ALIGNMENT)
        return b"".join((len(text).to_bytes(4, "little"), text, *self._parts))


def read_frame(message: bytes) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """Return the JSON data and the arrays of a binary message; for tests."""
    import numpy as np

    length = int.from_bytes(message[:4], "little")
    header = json.loads(message[4 : 4 + length])
    data = memoryview(message)[4 + length :]
    result: dict[int, NDArray[Any]] = {}

    def look(value: Any) -> None:
        if isinstance(value, dict):
            if set(value) == {"at", "type", "shape"}:
                kind = np.dtype(value["type"]).newbyteorder("<")
                count = int(np.prod(value["shape"], dtype=np.int64))
                array = np.frombuffer(data, kind, count, value["at"])
                result[value["at"]] = array.reshape(value["shape"])
                return
            for inner in value.values():
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    look(header)
    return header, [result[position] for position in sorted(result)]
