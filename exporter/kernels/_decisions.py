"""Encode and decode decisions (bits) whose probabilities are learned.

Interpreted kernels import these functions, compiled ones inline those of `_decisions.pxd`, since
Cython shares inline functions between modules only from there. Both must stay the same; the tests
that compare interpreted and compiled kernels notice a difference.

The kernels of all codecs use these functions. A state is what was learned about a decision, in one
number: `probability of 0 (22 bits) << 10 | count`.
"""

from __future__ import annotations


def updated(state: int, bit: int, rates: memoryview, limit: int) -> int:
    """Return `state` after a decision `bit`, which becomes more probable.

    A state is the probability of a 0, and a count of decisions, which rises up to `limit`. `rates`
    (uint32 [1024]) is how far the probability moves at each count.
    """
    probability = state >> 10
    count = state & 1023
    if bit != 0:
        probability -= probability * rates[count] >> 16
    else:
        probability += (4194304 - probability) * rates[count] >> 16
    if count < limit:
        count += 1
    return probability << 10 | count


def unlearned(state: int, most: int) -> int:
    """Return `state` with its count cut to `most`, so that it adapts quickly."""
    count = state & 1023
    return state - count + most if count > most else state


def coded(
    reads: int,
    bit: int,
    state: int,
    span: int,
    code: int,
    position: int,
    stream: memoryview,
    probabilities: memoryview,
) -> tuple[int, int, int, int]:
    """Read a decision, or list it for writing; return it.

    A codec has the same loop for reading and writing, in which only this function differs. If
    `reads` is true, the decision comes from `stream` (uint8), which has zeros past its end. Else it
    is `bit` and is stored as `stream[position]`, with the probability of a 0, from `state`, as
    `probabilities[position]` (uint16); `codec_coder.write` later turns both lists into bytes.

    Returns:
        The decision, and the new span, code and position: the range coder's state.
    """
    if not reads:
        probabilities[position] = state >> 16 | 1
        stream[position] = bit
        return bit, span, code, position + 1
    bound = (span >> 16) * (state >> 16 | 1)
    if code < bound:
        span = bound
        bit = 0
    else:
        code -= bound
        span -= bound
        bit = 1
    while span < 16777216:
        span <<= 8
        code = code << 8 | (stream[position] if position < len(stream) else 0)
        position += 1
    return bit, span, code, position
