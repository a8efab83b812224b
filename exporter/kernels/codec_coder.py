# cython: boundscheck=False, wraparound=False
"""Turn listed decisions into bytes: the writing half of a range coder.

A codec with contexts first lists binary decisions and how probable a 0 was for each; this kernel
turns such lists into bytes. Reading is part of each codec's own loop, because a decoded bit decides
the next context. Carry handling follows the range coder of LZMA (I. Pavlov; G. N. N. Martin, "Range
encoding", 1979), with 16-bit probabilities.

The state kept between calls is five registers: low, range, cache, pending, started.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

LOW = 0
RANGE = 1
CACHE = 2
PENDING = 3
STARTED = 4


@cython.cdivision(True)
def write(
    probabilities: cython.ushort[::1],
    bits: cython.uchar[::1],
    count: cython.Py_ssize_t,
    registers: cython.ulonglong[::1],
    output: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Encode `count` decisions; return how many bytes were written.

    Args:
        probabilities: uint16 [count], 65536 times the probability of a 0, 1 to 65535.
        bits: uint8 [count], the decisions, 0 or 1.
        count: The number of decisions.
        registers: uint64 [5], the coder's state: 0, 2**32 - 1, 0, 0, 0 at first; then as the last
            call left it.
        output: uint8, receives the bytes; with room for 2 * count + pending + 8, pending being
            `registers[3]`.
    """
    low: cython.ulonglong = registers[0]
    span: cython.ulonglong = registers[1]
    cache: cython.ulonglong = registers[2]
    pending: cython.ulonglong = registers[3]
    started: cython.ulonglong = registers[4]
    at: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t
    for index in range(count):
        bound: cython.ulonglong = (span >> 16) * probabilities[index]
        if bits[index] == 0:
            span = bound
        else:
            low += bound
            span -= bound
        while span < 16777216:
            span <<= 8
            # Only a byte of 255 can still change by a carry: hold it back.
            if low >> 24 != 255:
                carry: cython.ulonglong = low >> 32
                if started != 0:
                    output[at] = (cache + carry) & 255
                    at += 1
                while pending > 0:
                    output[at] = (255 + carry) & 255
                    at += 1
                    pending -= 1
                started = 1
                cache = (low >> 24) & 255
            else:
                pending += 1
            low = (low & 16777215) << 8
    registers[0] = low
    registers[1] = span
    registers[2] = cache
    registers[3] = pending
    registers[4] = started
    return at
