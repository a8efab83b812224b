"""What all context codecs share: the adaptive state, the range coder's stream, the kernels' glue.

A decision's state packs the probability of a 0 (22 bits) over a count (10 bits). After each
decision the probability moves towards it by 1 / (count + 1.5), so that it first learns fast and
then averages; the count stops at a limit, which lets the model follow slow change.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import codec_coder
from exporter.kernels import view as view

# Probability one half, nothing seen.
FRESH = 1 << 31
TOP = 1 << 24


@cache
def rates() -> NDArray[np.uint32]:
    """Return uint32 [1024]: 65536 / (count + 1.5), rounded down, for each count."""
    return np.array([131072 // (2 * count + 3) for count in range(1024)], np.uint32)


class Writer:
    """A growing range-coded stream: feed it decisions, then take its bytes."""

    def __init__(self) -> None:
        self._registers = np.array([0, (1 << 32) - 1, 0, 0, 0], np.uint64)
        self._parts: list[bytes] = []

    def feed(self, probabilities: NDArray[np.uint16], bits: NDArray[np.uint8], count: int) -> None:
        """Code the first `count` decisions."""
        room = 2 * count + int(self._registers[codec_coder.PENDING]) + 8
        output = np.empty(room, np.uint8)
        written = codec_coder.write(
            view(probabilities),
            view(bits),
            count,
            view(self._registers),
            view(output),
        )
        self._parts.append(output[:written].tobytes())

    def finish(self) -> bytes:
        """Return the stream; its trailing zeros are left off, readers read zeros past the end."""
        low, span, cached, pending, started = (int(value) for value in self._registers)
        for zeros in range(32, -1, -1):
            value = (low + (1 << zeros) - 1) >> zeros << zeros
            if value < low + span:
                break
        tail = bytearray()
        carry = value >> 32
        if started:
            tail.append((cached + carry) & 255)
        tail += bytes(((255 + carry) & 255,)) * pending
        tail += (value & 0xFFFFFFFF).to_bytes(4, "big")
        return (b"".join(self._parts) + bytes(tail)).rstrip(b"\0")


def start_reading(stream: bytes) -> NDArray[np.uint64]:
    """Return the decoder's registers (range, code, position) at the start of a stream."""
    code = int.from_bytes(stream[:4].ljust(4, b"\0"), "big")
    return np.array([(1 << 32) - 1, code, 4], np.uint64)


def as_bytes(stream: bytes) -> NDArray[np.uint8]:
    """Return a stream as the kernels take it."""
    return np.frombuffer(stream, np.uint8).copy()


def number(value: int) -> bytes:
    """Return a base-128 number, low bits first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_number(data: bytes, position: int, most: int = 5) -> tuple[int, int]:
    """Return a base-128 number of at most `most` bytes and the position after it.

    Raises:
        ValueError: When it is longer or cut short.
    """
    value = 0
    for index in range(most):
        if position + index >= len(data):
            break
        byte = data[position + index]
        value |= (byte & 127) << 7 * index
        if byte < 128:
            return value, position + index + 1
    raise ValueError("a number is too long or cut short")
