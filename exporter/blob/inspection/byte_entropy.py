"""Measure the entropy of bytes, and guess whether they are compressed.

The measure is Shannon's order-0 entropy, a lower bound for codes of one byte at a time; codecs that
use context can do better.
"""

from __future__ import annotations

from math import log2
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.codecs.entropy import order_zero_bits
from exporter.model.lazy_dataclass import dataclass

BytesLike: TypeAlias = bytes | bytearray | memoryview | NDArray[np.uint8]
# numpy counts in copies of eight times the size.
WINDOW = 1 << 20


@dataclass(frozen=True, slots=True)
class Symbol:
    """A byte value, how often it occurs, and its share of all bytes."""

    byte: int
    count: int
    probability: float


class ByteEntropy:
    """Counts of the byte values seen so far, and the entropy of the bytes.

    Attributes:
        counts: int64 [256], how often each byte value occurred.
    """

    def __init__(self) -> None:
        self.counts: NDArray[np.int64] = np.zeros(256, np.int64)

    def update(self, chunk: BytesLike | str) -> ByteEntropy:
        """Count the bytes of `chunk`, too; return self.

        A text counts as its bytes in UTF-8.

        Raises:
            UnicodeEncodeError: A text has a lone surrogate, which UTF-8 cannot write.
        """
        data = np.frombuffer(chunk.encode() if isinstance(chunk, str) else chunk, np.uint8)
        for first in range(0, data.size, WINDOW):
            self.counts += np.bincount(data[first : first + WINDOW], minlength=256)
        return self

    @property
    def size(self) -> int:
        """The number of bytes seen so far."""
        return int(self.counts.sum())

    @property
    def distinct(self) -> int:
        """The number of different byte values seen so far."""
        return int(np.count_nonzero(self.counts))

    @property
    def most_frequent(self) -> list[tuple[int, int]]:
        """The pairs of byte value and count, the most frequent first."""
        order = np.argsort(-self.counts, kind="stable")
        return [(int(byte), int(self.counts[byte])) for byte in order if self.counts[byte]]

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The share of each byte value: float64 [256]; zeros without bytes."""
        return self.counts / max(1, self.size)

    @property
    def symbols(self) -> list[Symbol]:
        """The byte values seen, each with its count and its share."""
        size = self.size
        return [Symbol(byte, count, count / size) for byte, count in self.most_frequent]

    @property
    def bits_per_byte(self) -> float:
        """The Shannon entropy in bits per byte.

        It ranges from 0 (only one value) to 8 (all values equally often).
        """
        return order_zero_bits(self.counts) / max(1, self.size)

    @property
    def verdict(self) -> str:
        """What the bytes probably are, such as `text-like` or `random`."""
        size, bits = self.size, self.bits_per_byte
        if size == 0:
            return "empty"
        if bits < 1.0:
            return "repetitive"
        printable = int(self.counts[32:127].sum() + self.counts[[9, 10, 13]].sum())
        # UTF-8 text beyond ASCII has bytes above 127 but next to no control characters.
        control = int(self.counts[:32].sum() - self.counts[[9, 10, 13]].sum())
        if control * 1000 <= size and printable * 2 >= size:
            return "text-like"
        return "compressed or random" if bits >= _random_bound(size) else "structured"

    def __repr__(self) -> str:
        return (
            f"ByteEntropy(size={self.size}, distinct={self.distinct}, "
            f"bits_per_byte={self.bits_per_byte:.4f})"
        )


def _random_bound(size: int) -> float:
    """Return the entropy above which `size` bytes count as random.

    It is in bits per byte; few random bytes have less than 8.
    """
    if size < 1024:
        return 0.88 * min(8.0, log2(size))
    # A random sample of n bytes falls short of 8 bits by about 255 / (2 n ln 2) bits.
    return min(7.95, 8.0 - 2.0 * 184.0 / size)


def entropy(data: BytesLike | str) -> ByteEntropy:
    """Measure the Shannon entropy of bytes, or of text as UTF-8.

    Raises:
        UnicodeEncodeError: A text has a lone surrogate, which UTF-8 cannot write.
    """
    return ByteEntropy().update(data)
