"""Pack bits of a deflate stream into bytes; write uncompressed blocks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

STORED_LIMIT = 65535


def stored_blocks(carry: int, carried: int, data: bytes, final: bool = False) -> bytes:
    """Return the pending bits, followed by `data` as uncompressed blocks.

    Args:
        carry: The pending bits, fewer than a byte, that earlier blocks left; the first is lowest.
        carried: The number of pending bits, below eight.
        data: At least one byte.
        final: Whether the stream ends here.
    """
    out = []
    for start in range(0, len(data), STORED_LIMIT):
        part = data[start : start + STORED_LIMIT]
        # The final bit, two zero bits for the kind, then up to the next whole byte.
        carry |= int(final and start + STORED_LIMIT >= len(data)) << carried
        out.append(carry.to_bytes((carried + 3 + 7) // 8, "little"))
        carry, carried = 0, 0
        out.append(len(part).to_bytes(2, "little"))
        out.append((len(part) ^ 0xFFFF).to_bytes(2, "little") + part)
    return b"".join(out)


def pack_bits(
    carry: int, carried: int, codes: NDArray[np.uint64], sizes: NDArray[np.uint8]
) -> tuple[bytes, int, int]:
    """Append `codes` to pending bits; return the full bytes and what is left.

    `sizes` are the numbers of bits of `codes`. `carry` has the pending bits, which fill no byte
    yet, the first in its lowest bit; `carried` is their number. The pending bits that are left are
    returned in the same form.
    """
    ends = np.cumsum(sizes, dtype=np.int64) + carried
    total = int(ends[-1])
    starts = ends - sizes
    words = starts >> 6
    shifts = (starts & 63).astype(np.uint64)
    out = np.zeros((total >> 6) + 2, np.uint64)
    firsts = np.flatnonzero(np.diff(words, prepend=-1))
    out[words[firsts]] = np.bitwise_or.reduceat(codes << shifts, firsts)
    # At most one pattern of a word reaches into the next one, and it comes last.
    over = np.flatnonzero((ends - 1) >> 6 != words)
    out[words[over] + 1] |= codes[over] >> (np.uint64(64) - shifts[over])
    out[0] |= np.uint64(carry)
    data = out.astype("<u8").tobytes()
    whole, rest = divmod(total, 8)
    return data[:whole], data[whole] & ((1 << rest) - 1), rest
