"""Code bits in a stream with a range coder that adapts probabilities.

A range coder codes a bit in fewer bits the better its probability is known. The state of a decision
packs the probability of a 0 (22 bits) and a count (10 bits). After each decision the probability
moves towards the bit by 1 / (count + 1.5), so that it learns fast at first; the count stops at a
limit, so that it can still follow slow change.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import codec_coder
from exporter.kernels import view as view

# Probability one half, nothing seen.
FRESH = 1 << 31
TOP = 1 << 24


@cache
def rates() -> NDArray[np.uint32]:
    """Return how fast probabilities adapt, by count of decisions.

    The result is uint32 [1024], 65536 / (count + 1.5).
    """
    return np.array([131072 // (2 * count + 3) for count in range(1024)], np.uint32)


class Reader:
    """A range-coded stream that is being decoded."""

    def __init__(self, stream: bytes) -> None:
        self._stream = as_bytes(stream)
        code = int.from_bytes(stream[:4].ljust(4, b"\0"), "big")
        self._registers = np.array([(1 << 32) - 1, code, 4], np.uint64)

    def run(self, model: Callable[..., None], most: int, *arguments: Any) -> None:
        """Decode with the compiled kernel `model`; arguments as in `Writer.run`."""
        nothing = np.empty(0, np.uint16)
        model(True, view(self._stream), view(nothing), view(self._registers), *arguments)


class Writer:
    """A range-coded stream that is being written."""

    def __init__(self) -> None:
        self._registers = np.array([0, (1 << 32) - 1, 0, 0, 0], np.uint64)
        self._parts: list[bytes] = []
        self._bits, self._probabilities = np.empty(0, np.uint8), np.empty(0, np.uint16)

    def run(self, model: Callable[..., None], most: int, *arguments: Any) -> None:
        """Code the bits that the compiled kernel `model` asks for.

        Args:
            model: The kernel that decides what is coded. Its first arguments are whether it reads,
                the stream, probabilities and registers; `run` supplies these.
            most: The largest possible number of decisions.
            *arguments: Further arguments of the kernel.
        """
        if most > self._bits.size:
            self._bits, self._probabilities = np.empty(most, np.uint8), np.empty(most, np.uint16)
        counted = np.zeros(3, np.uint64)
        model(False, view(self._bits), view(self._probabilities), view(counted), *arguments)
        self.feed(self._probabilities, self._bits, int(counted[2]))

    def feed(self, probabilities: NDArray[np.uint16], bits: NDArray[np.uint8], count: int) -> None:
        """Code the first `count` of `bits`, each with its probability of a 0."""
        room = 2 * count + int(self._registers[codec_coder.PENDING]) + 8
        output = np.empty(room, np.uint8)
        written = codec_coder.write(
            view(probabilities), view(bits), count, view(self._registers), view(output)
        )
        self._parts.append(output[:written].tobytes())

    def finish(self) -> bytes:
        """Return the stream without trailing zeros, which readers assume."""
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


# Runs a codec's model: one function of a codec serves both directions.
Coder: TypeAlias = Reader | Writer


def as_bytes(stream: bytes) -> NDArray[np.uint8]:
    """Return `stream` as an array of bytes, as the compiled kernels need."""
    return np.frombuffer(stream, np.uint8).copy()


def number(value: int) -> bytes:
    """Encode `value` as a base-128 number: 7 bits to a byte, low bits first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_number(data: bytes, position: int, most: int = 5) -> tuple[int, int]:
    """Decode the base-128 number at `position` in `data`.

    Return the number, and the position after it. `most` is the largest allowed number of bytes.

    Raises:
        ValueError: The number is too long or cut short.
    """
    value = 0
    for index in range(most):
        if position + index >= len(data):
            break
        byte = data[position + index]
        value |= (byte & 127) << 7 * index
        if byte < 128:
            return value, position + index + 1
    raise ValueError("a variable-length number is too long or incomplete")
