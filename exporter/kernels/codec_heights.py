# cython: boundscheck=False, wraparound=False
"""Encode and decode grids of heights: linear prediction, then rANS.

A residual is the difference of a sample from its prediction. `predict` turns samples into folded
residuals (numbers without a sign), and back. `classify` computes how large the residuals around
each one are (its energy). `write` and `read` code tokens of residuals with one static table for
each class of energies (rANS: J. Duda, "Asymmetric numeral systems", 2013; byte-wise renormalisation
after F. Giesen's ryg_rans).

A residual r is folded to 2 r if r >= 0, else to -2 r - 1. The token of a number below 4 is the
number itself. A greater number of b bits has the token 4 (b - 2) + its two bits after the first,
and its other b - 3 bits are stored raw. Interpreted, the kernel gives the same result, some hundred
times slower.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _prediction(
    work: cython.int[:, ::1],
    y: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    taps: cython.longlong[:, ::1],
    span: cython.longlong,
) -> cython.longlong:
    """Predict the sample at row `y`, column `x` of `work`, from 0 to `span`.

    `taps` has dx, dy and factor (times 2^18) of each neighbour used.
    """
    total: cython.longlong = 131072
    tap: cython.Py_ssize_t
    for tap in range(taps.shape[0]):
        total += taps[tap, 2] * work[y + taps[tap, 1], x + taps[tap, 0]]
    if total < 0:
        return 0
    total = total >> 18
    return span if total > span else total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _finish_row(work: cython.int[:, ::1], y: cython.Py_ssize_t) -> cython.int:
    """Repeat the ends of row `y` in the frame; and the first row above it."""
    width: cython.Py_ssize_t = work.shape[1]
    x: cython.Py_ssize_t
    for x in range(3):
        work[y, x] = work[y, 3]
        work[y, width - 1 - x] = work[y, width - 4]
    if y == 3:
        for x in range(width):
            work[0, x] = work[3, x]
            work[1, x] = work[3, x]
            work[2, x] = work[3, x]
    return 0


def predict(
    restores: cython.bint,
    work: cython.int[:, ::1],
    taps: cython.longlong[:, ::1],
    span: cython.longlong,
    folded: cython.uint[:, ::1],
) -> cython.int:
    """Compute residuals in `folded` from samples in `work`, or the reverse.

    Args:
        restores: Whether samples in `work` are restored from `folded`.
        work: int32 [height + 3, width + 6], the samples, from row 3, column 3 on; the frame around
            them is filled here.
        taps: int64 [taps, 3]: dx, dy and factor (times 2^18) of each neighbour that predicts a
            sample.
        span: The largest sample.
        folded: uint32 [height, width], the folded residuals.

    Returns:
        1 if a restored sample is out of range, else 0.
    """
    height: cython.Py_ssize_t = folded.shape[0]
    width: cython.Py_ssize_t = folded.shape[1]
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    guess: cython.longlong
    value: cython.longlong
    wrong: cython.int = 0
    for y in range(3, height + 3):
        if y > 3:
            for x in range(3):
                work[y, x] = work[y - 1, 3]
        for x in range(3, width + 3):
            if y > 3:
                guess = _prediction(work, y, x, taps, span)
            elif x > 3:
                guess = work[y, x - 1]
            else:
                guess = (span + 1) >> 1
            if restores:
                value = folded[y - 3, x - 3]
                value = guess + (-(value >> 1) - 1 if value & 1 else value >> 1)
                if value < 0 or value > span:
                    wrong = 1
                    value = 0
                work[y, x] = value
            else:
                value = work[y, x] - guess
                folded[y - 3, x - 3] = value * 2 if value >= 0 else -2 * value - 1
        _finish_row(work, y)
    return wrong


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _token(value: cython.uint) -> cython.uint:
    """Return the token of `value`: the number itself, or its first three bits.

    From 4 on, a token encodes the number of bits and the two bits after the first.
    """
    length: cython.uint = 2
    if value < 4:
        return value
    while value >> length != 0:
        length += 1
    return 4 * (length - 2) + (value >> (length - 3) & 3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _energy(
    folded: cython.uint[:, ::1],
    y: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
) -> cython.uint:
    """Return how large the residuals around the cell (x, y) are, as a token.

    That is the token of 2 |W| + 2 |N| + |NW| + |NE|, residuals beyond the edge being 0.
    """
    total: cython.uint = 0
    if x > 0:
        total += 2 * ((folded[y, x - 1] + 1) >> 1)
    if y > 0:
        total += 2 * ((folded[y - 1, x] + 1) >> 1)
        if x > 0:
            total += (folded[y - 1, x - 1] + 1) >> 1
        if x + 1 < width:
            total += (folded[y - 1, x + 1] + 1) >> 1
    return _token(total)


def classify(
    folded: cython.uint[:, ::1], energies: cython.uchar[:, ::1], tokens: cython.uchar[:, ::1]
) -> cython.void:
    """Compute the energy and the token of each residual.

    Args:
        folded: uint32 [height, width], the folded residuals.
        energies: uint8 [height, width], receives how large the residuals around each one are.
        tokens: uint8 [height, width], receives the tokens.
    """
    width: cython.Py_ssize_t = folded.shape[1]
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    for y in range(folded.shape[0]):
        for x in range(width):
            energies[y, x] = _energy(folded, y, x, width)
            tokens[y, x] = _token(folded[y, x])


def write(
    folded: cython.uint[::1],
    tokens: cython.uchar[::1],
    contexts: cython.uchar[::1],
    frequencies: cython.uint[:, ::1],
    starts: cython.uint[:, ::1],
    coded: cython.uchar[::1],
    raw: cython.uchar[::1],
) -> tuple[cython.Py_ssize_t, cython.Py_ssize_t]:
    """Encode all residuals into `coded` and `raw`.

    Args:
        folded: uint32 [cells], the folded residuals.
        tokens: uint8 [cells], the token of each residual.
        contexts: uint8 [cells], the number of the table for each residual.
        frequencies: uint32 [tables, 80]: how frequent each token is, out of 4096.
        starts: uint32 [tables, 80]: the sum of the frequencies of all tokens before each.
        coded: uint8 [2 * cells + 8]: receives the rANS stream, from the end, as rANS writes
            backwards.
        raw: uint8 [2 * cells + 8]: receives the bits that tokens leave out, first bit lowest.

    Returns:
        The index in `coded` where the stream begins, and the number of bytes used in `raw`.
    """
    state: cython.uint = 8388608
    at: cython.Py_ssize_t = coded.shape[0]
    index: cython.Py_ssize_t
    _index: cython.Py_ssize_t
    for index in range(folded.shape[0] - 1, -1, -1):
        frequency: cython.uint = frequencies[contexts[index], tokens[index]]
        limit: cython.uint = frequency << 19
        # A frequency of 4096 gives 2^31, the largest limit; states stay below it.
        while state >= limit:
            at -= 1
            coded[at] = state & 255
            state >>= 8
        state = (
            (state // frequency << 12) + state % frequency + starts[contexts[index], tokens[index]]
        )
    for _index in range(4):
        at -= 1
        coded[at] = state & 255
        state >>= 8
    held: cython.ulonglong = 0
    bits: cython.uint = 0
    room: cython.Py_ssize_t = 0
    one: cython.ulonglong = 1
    for index in range(folded.shape[0]):
        if tokens[index] < 8:
            continue
        extra: cython.uint = (tokens[index] >> 2) - 1
        held |= (folded[index] & ((one << extra) - 1)) << bits
        bits += extra
        while bits >= 8:
            raw[room] = held & 255
            room += 1
            held >>= 8
            bits -= 8
    if bits > 0:
        raw[room] = held & 255
        room += 1
    return at, room


def read(
    coded: cython.uchar[::1],
    raw: cython.uchar[::1],
    classes: cython.uchar[::1],
    frequencies: cython.uint[:, ::1],
    starts: cython.uint[:, ::1],
    symbols: cython.uchar[:, ::1],
    folded: cython.uint[:, ::1],
) -> cython.int:
    """Decode all residuals into `folded`.

    Args:
        coded: uint8, the rANS stream, its four state bytes first (high byte first).
        raw: uint8, the bits that tokens leave out, first bit lowest.
        classes: uint8 [80], the number of the table for each energy.
        frequencies: uint32 [tables, 80]: how frequent each token is, out of 4096.
        starts: uint32 [tables, 80]: the sum of the frequencies of all tokens before each.
        symbols: uint8 [tables, 4096], the token for each value of the rANS state's low 12 bits.
        folded: uint32 [height, width], receives the folded residuals.

    Returns:
        0 if both streams ended where they must, else 1.
    """
    width: cython.Py_ssize_t = folded.shape[1]
    size: cython.Py_ssize_t = coded.shape[0]
    room: cython.Py_ssize_t = raw.shape[0]
    at: cython.Py_ssize_t = 0
    raw_at: cython.Py_ssize_t = 0
    state: cython.ulonglong = 0
    held: cython.ulonglong = 0
    bits: cython.uint = 0
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    one: cython.ulonglong = 1
    for at in range(4):
        state = state << 8 | (coded[at] if at < size else 0)
    at = 4
    for y in range(folded.shape[0]):
        for x in range(width):
            table: cython.uint = classes[_energy(folded, y, x, width)]
            place: cython.uint = state & 4095
            token: cython.uint = symbols[table, place]
            state = frequencies[table, token] * (state >> 12) + place - starts[table, token]
            while state < 8388608:
                if at >= size:
                    return 1
                state = state << 8 | coded[at]
                at += 1
            value: cython.uint = token
            if token >= 8:
                extra: cython.uint = (token >> 2) - 1
                while bits < extra:
                    if raw_at >= room:
                        return 1
                    held |= cython.cast(cython.ulonglong, raw[raw_at]) << bits
                    raw_at += 1
                    bits += 8
                value = ((token & 3 | 4) << extra) + cython.cast(
                    cython.uint, held & ((one << extra) - 1)
                )
                held >>= extra
                bits -= extra
            folded[y, x] = value
    return 0 if at == size and raw_at == room and state == 8388608 else 1
