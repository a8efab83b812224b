# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Count how many cells each cell sees, from a visibility table.

A table (`exporter.visibility.table`) has a plane of bits for each offset: whether each origin
(viewer) sees the cell at the offset. A block of 8 words of 64 origins is counted at a time. Planes
are added like the ticks of a binary counter, with full adders over whole words: the first plane
waits until the second one comes, and what these two carry waits at the next bit until the next two
have come (Harley and Seal's counting of bits, in Warren, "Hacker's Delight", 2012). So a plane
costs one full adder.

The fallback without a compiler is `exporter.grids.bits.sum_planes`; interpreted, this file gives
the same numbers, slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED = cython.compiled


@cython.cfunc
@cython.exceptval(check=False)
def _add(
    sums: cython.ulonglong[::1],
    waiting: cython.ulonglong[::1],
    carry: cython.ulonglong[::1],
    added: cython.Py_ssize_t,
) -> cython.void:
    """Add the 8 words in `carry` to the counts `sums`, bit by bit.

    `waiting` keeps words until a second one comes to be added with them; `added` is the number of
    planes that were added before.
    """
    place: cython.Py_ssize_t = 0
    word: cython.Py_ssize_t
    # Where a bit of the number of planes is set, one word waits for another.
    while (added >> place) & 1:
        for word in range(8):
            either: cython.ulonglong = waiting[place * 8 + word] ^ carry[word]
            both: cython.ulonglong = waiting[place * 8 + word] & carry[word]
            carry[word] = both | (either & sums[place * 8 + word])
            sums[place * 8 + word] ^= either
        place += 1
    for word in range(8):
        waiting[place * 8 + word] = carry[word]


@cython.cfunc
@cython.exceptval(check=False)
def _finish(
    sums: cython.ulonglong[::1],
    waiting: cython.ulonglong[::1],
    added: cython.Py_ssize_t,
    places: cython.Py_ssize_t,
) -> cython.void:
    """Add the words that still wait in `waiting` to the counts `sums`."""
    place: cython.Py_ssize_t
    above: cython.Py_ssize_t
    word: cython.Py_ssize_t
    for place in range(places):
        if (added >> place) & 1:
            for word in range(8):
                carry: cython.ulonglong = waiting[place * 8 + word]
                for above in range(place, places):
                    before: cython.ulonglong = sums[above * 8 + word]
                    sums[above * 8 + word] = before ^ carry
                    carry &= before


@cython.cfunc
@cython.exceptval(check=False)
def _write_counts(
    sums: cython.ulonglong[::1],
    word: cython.Py_ssize_t,
    places: cython.Py_ssize_t,
    counts: cython.int[:, ::1],
    y: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
) -> cython.void:
    """Write the counts of the 64 cells of `word` to row `y`, up to the edge."""
    # Eight cells at a time, so that the bytes of their counts fill a word: each bit of a byte is
    # moved to the lowest bit of another byte (Warren, "Hacker's Delight").
    spread: cython.ulonglong = 0x8040201008040201
    copies: cython.ulonglong = 0x0101010101010101
    round_up: cython.ulonglong = 0x7F7F7F7F7F7F7F7F
    place: cython.Py_ssize_t
    base: cython.Py_ssize_t
    octet: cython.Py_ssize_t
    x: cython.Py_ssize_t
    for octet in range(0, min(64, counts.shape[1] - first), 8):
        end: cython.Py_ssize_t = min(8, counts.shape[1] - first - octet)
        for base in range(0, places, 8):
            lanes: cython.ulonglong = 0
            for place in range(base, min(base + 8, places)):
                one: cython.ulonglong = ((sums[place * 8 + word] >> octet) & 255) * copies & spread
                # 1 in every byte that is not 0, whichever of its bits is set.
                one = ((((one & round_up) + round_up) | one) >> 7) & copies
                lanes |= one << (place - base)
            for x in range(end):
                counts[y, first + octet + x] |= ((lanes >> 8 * x) & 255) << base


def count_seen(
    table: cython.ulonglong[::1],
    offsets: cython.int[:, ::1],
    blocks: cython.Py_ssize_t,
    mutual: cython.bint,
    scratch: cython.ulonglong[::1],
    counts: cython.int[:, ::1],
) -> None:
    """Count how many cells each cell sees, without itself.

    Args:
        table: uint64, the blocks of a visibility table as one dimension.
        offsets: int32 [planes, 2], the (dx, dy) from viewer to seen cell of each plane.
        blocks: The table's number of blocks of rows.
        mutual: Whether the planes serve two opposite offsets; then cells at opposite offsets are
            counted, too.
        scratch: uint64 [8 + 16 * places], working space; `places` is the number of bits of the
            largest possible count.
        counts: int32 [height, width], zeros; receives the counts. Ignore those of opaque cells.
    """
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    height: cython.Py_ssize_t = counts.shape[0]
    width: cython.Py_ssize_t = counts.shape[1]
    planes: cython.Py_ssize_t = offsets.shape[0]
    columns: cython.Py_ssize_t = (width + 63) >> 6
    places: cython.Py_ssize_t = (scratch.shape[0] - 8) >> 4
    next_column: cython.Py_ssize_t = blocks * planes * 8
    carry: cython.ulonglong[::1] = scratch[:8]
    sums: cython.ulonglong[::1] = scratch[8 : 8 + 8 * places]
    waiting: cython.ulonglong[::1] = scratch[8 + 8 * places :]
    column: cython.Py_ssize_t
    block: cython.Py_ssize_t
    plane: cython.Py_ssize_t
    word: cython.Py_ssize_t
    for column in range(columns):
        for block in range(blocks):
            added: cython.Py_ssize_t = 0
            for word in range(8 * places):
                sums[word] = 0
            for plane in range(planes):
                at: cython.Py_ssize_t = (column * blocks + block) * planes * 8 + plane * 8
                for word in range(8):
                    carry[word] = table[at + word]
                _add(sums, waiting, carry, added)
                added += 1
                if not mutual:
                    continue
                # A cell seen at an offset sees the cell that it is counted from.
                dx: cython.int = offsets[plane, 0]
                for word in range(8):
                    row: cython.Py_ssize_t = block * 8 + word - offsets[plane, 1]
                    if row < 0 or row >= blocks * 8:
                        carry[word] = 0
                        continue
                    at = ((column * blocks + (row >> 3)) * planes + plane) * 8 + (row & 7)
                    bits: cython.ulonglong = 0
                    if dx == 0:
                        bits = table[at]
                    elif dx > 0:
                        if dx < 64:
                            bits = (table[at] << dx) & full
                        if column > 0:
                            bits |= table[at - next_column] >> (64 - dx)
                    else:
                        if dx > -64:
                            bits = table[at] >> -dx
                        if column + 1 < columns:
                            bits |= (table[at + next_column] << (64 + dx)) & full
                    carry[word] = bits
                _add(sums, waiting, carry, added)
                added += 1
            _finish(sums, waiting, added, places)
            for word in range(min(8, height - block * 8)):
                _write_counts(sums, word, places, counts, block * 8 + word, column * 64)
