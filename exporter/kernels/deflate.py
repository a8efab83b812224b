# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find matches for deflate: hash chains, and one step of lookahead.

The search is that of zlib's strongest levels (J. Gailly, M. Adler, "algorithm.txt" of zlib): every
position is entered under a hash of its next bytes; positions of one hash form a chain from the
nearest to the farthest; a match is taken only if the next position has no longer one. Here each
position lies in two chains, as in libdeflate (E. Biggers): one of three bytes, of which only the
nearest are tried, and one of eight, where long matches are found without trying short ones (grids
of few tiles have very many of those). All decisions are made with integers, so the matches are the
same on every machine, also interpreted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled

# Sizes of the caller's tables.
WINDOW = 32768
HASHES = 32768
# A token is a byte, or the length of a match with its distance above these bits.
DISTANCE_SHIFT = 9


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _enter_short(
    data: cython.uchar[::1],
    position: cython.Py_ssize_t,
    newest: cython.int[:, ::1],
    older: cython.int[:, ::1],
) -> cython.Py_ssize_t:
    """Enter `position` into its chain by three bytes; return the next entry.

    That is the nearest earlier position with the same hash of three bytes, or -1.
    """
    three: cython.ulonglong = data[position]
    three = three << 8 | data[position + 1]
    three = three << 8 | data[position + 2]
    # Multiplicative hashing (Knuth): the high bits of the product are well mixed.
    # Constants this large are Python's integers, and slow ones, unless they are cast.
    key: cython.Py_ssize_t = three * cython.cast(cython.ulonglong, 2654435761) >> 17 & 32767
    candidate: cython.Py_ssize_t = newest[0, key]
    older[0, position & 32767] = candidate
    newest[0, key] = position
    return candidate


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _enter_long(
    data: cython.uchar[::1],
    position: cython.Py_ssize_t,
    newest: cython.int[:, ::1],
    older: cython.int[:, ::1],
) -> cython.Py_ssize_t:
    """Enter `position` into its chain by eight bytes; return the next entry.

    That is the nearest earlier position with the same hash of eight bytes, or -1.
    """
    eight: cython.ulonglong = 0
    index: cython.Py_ssize_t
    for index in range(8):
        eight = eight << 8 | data[position + index]
    # Bits 49 to 63 of the product; a mask of 64 bits would be one of Python's integers as well.
    key: cython.Py_ssize_t = eight * cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15) >> 49 & 32767
    candidate: cython.Py_ssize_t = newest[1, key]
    older[1, position & 32767] = candidate
    newest[1, key] = position
    return candidate


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _longest(
    data: cython.uchar[::1],
    position: cython.Py_ssize_t,
    room: cython.Py_ssize_t,
    best: cython.Py_ssize_t,
    candidate: cython.Py_ssize_t,
    older: cython.int[:, ::1],
    kind: cython.Py_ssize_t,
    chain: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the longest match that is longer than `best`; 0 if none is.

    It is distance << 9 | length, the nearest of equally long ones. At most `chain` positions of the
    chain that begins with `candidate` are tried; `room` is the greatest length.
    """
    found: cython.Py_ssize_t = 0
    while candidate >= 0 and position - candidate <= 32767 and chain > 0:
        # The last two bytes that a longer match needs exclude most candidates.
        if (
            data[candidate + best] == data[position + best]
            and data[candidate + best - 1] == data[position + best - 1]
        ):
            length: cython.Py_ssize_t = 0
            while length < room and data[candidate + length] == data[position + length]:
                length += 1
            if length > best:
                best = length
                found = (position - candidate) << 9 | length
                if best == room:
                    break
        candidate = older[kind, candidate & 32767]
        chain -= 1
    return found


def find_tokens(
    data: cython.uchar[::1],
    start: cython.Py_ssize_t,
    short_chain: cython.Py_ssize_t,
    long_chain: cython.Py_ssize_t,
    newest: cython.int[:, ::1],
    older: cython.int[:, ::1],
    tokens: cython.uint[::1],
) -> cython.Py_ssize_t:
    """Divide `data` from `start` on into literal bytes and matches.

    Args:
        data: uint8 [n], fewer than 2**31 bytes.
        start: Where the first token begins; matches may look back before it.
        short_chain: How many candidates with the same three bytes are tried, at most.
        long_chain: How many candidates with the same eight bytes are tried, at most.
        newest: int32 [2, HASHES], all -1: working space.
        older: int32 [2, WINDOW]: working space.
        tokens: uint32, with room for a token for each byte from `start`: receives a byte, or
            distance << 9 | length of a match.

    Returns:
        The number of tokens.
    """
    size: cython.Py_ssize_t = data.shape[0]
    count: cython.Py_ssize_t = 0
    position: cython.Py_ssize_t
    near: cython.Py_ssize_t
    far: cython.Py_ssize_t
    # The match one position earlier, which waits for this position to have no longer one.
    waiting: cython.Py_ssize_t = 0
    # With a good match at hand a longer one is rarely found, and gains little.
    literal_waits: cython.bint = False
    for position in range(min(start, size - 7)):
        _enter_short(data, position, newest, older)
        _enter_long(data, position, newest, older)
    position = start
    while position < size:
        found: cython.Py_ssize_t = 0
        best: cython.Py_ssize_t = waiting & 511
        room: cython.Py_ssize_t = min(size - position, 258)
        near = far = -1
        if room >= 3:
            near = _enter_short(data, position, newest, older)
        if room >= 8:
            far = _enter_long(data, position, newest, older)
        if room >= 3 and best < room:
            ease: cython.Py_ssize_t = 2 if best >= 32 else 0
            found = _longest(
                data, position, room, max(best, 2), near, older, 0, short_chain >> ease
            )
            if found & 511 == 3 and found >> 9 > 4096:
                # Three far bytes cost more as a match than as literals.
                found = 0
            if found & 511 < room:
                longer: cython.Py_ssize_t = max(best, found & 511, 7)
                longer = _longest(data, position, room, longer, far, older, 1, long_chain >> ease)
                found = longer if longer != 0 else found
        if waiting != 0 and found == 0:
            tokens[count] = cython.cast(cython.uint, waiting)
            count += 1
            end: cython.Py_ssize_t = position - 1 + best
            position += 1
            while position < end:
                if position + 3 <= size:
                    _enter_short(data, position, newest, older)
                if position + 8 <= size:
                    _enter_long(data, position, newest, older)
                position += 1
            waiting = 0
            literal_waits = False
            continue
        if literal_waits:
            tokens[count] = data[position - 1]
            count += 1
        literal_waits = True
        waiting = found
        position += 1
    # A match leaves at least two bytes for the next position, so none is pending here.
    if literal_waits:
        tokens[count] = data[size - 1]
        count += 1
    return count
