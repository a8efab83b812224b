# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Runs visibility plans over a map, 512 origins at a time.

A block is 8 words of 64 columns, one below the other: near enough to each other that in most maps
whole subtrees of a plan end in nothing and are skipped. The map is seen through each of a plan's
offsets as a shifted copy; the copies are made for one column of words and a band of rows at a
time, so that they stay in the cache. `exporter.visibility.runs.run_arrays` is the fallback
without a compiler; interpreted, this file gives the same bits, very slowly.
"""

from __future__ import annotations

import cython

COMPILED = cython.compiled

_ALL: cython.ulonglong = 0xFFFFFFFFFFFFFFFF


@cython.cfunc
@cython.exceptval(check=False)
def _shift(
    source: cython.ulonglong[:, ::1],
    column: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    shifted: cython.ulonglong[:, ::1],
    rows: cython.Py_ssize_t,
) -> cython.void:
    """Fill `shifted[d]` with what a column of words sees `d - reach` cells to the right."""
    reach: cython.Py_ssize_t = shifted.shape[0] // 2
    index: cython.Py_ssize_t
    row: cython.Py_ssize_t
    right: cython.int
    left: cython.int
    for index in range(2 * reach + 1):
        if index == reach:
            for row in range(rows):
                shifted[index, row] = source[column, first + row]
        elif index == reach + 64:
            for row in range(rows):
                shifted[index, row] = source[column + 1, first + row]
        elif index == reach - 64:
            for row in range(rows):
                shifted[index, row] = source[column - 1, first + row]
        elif index > reach:
            right = index - reach
            left = 64 - right
            for row in range(rows):
                shifted[index, row] = (source[column, first + row] >> right) | (
                    (source[column + 1, first + row] << left) & _ALL
                )
        else:
            left = reach - index
            right = 64 - left
            for row in range(rows):
                shifted[index, row] = ((source[column, first + row] << left) & _ALL) | (
                    source[column - 1, first + row] >> right
                )


@cython.cfunc
@cython.exceptval(check=False)
def _walk(
    instructions: cython.int[:, ::1],
    outputs: cython.int[::1],
    across_step: cython.Py_ssize_t,
    along_step: cython.Py_ssize_t,
    origin: cython.Py_ssize_t,
    seen_open: cython.ulonglong[::1],
    levels: cython.ulonglong[::1],
    slots: cython.ulonglong[::1],
) -> cython.void:
    """Run the instructions for one block and wedge: origins go down the tree, and into slots."""
    count: cython.Py_ssize_t = instructions.shape[0]
    index: cython.Py_ssize_t = 0
    item: cython.Py_ssize_t
    at: cython.Py_ssize_t
    flip: cython.ulonglong
    w0: cython.ulonglong
    w1: cython.ulonglong
    w2: cython.ulonglong
    w3: cython.ulonglong
    w4: cython.ulonglong
    w5: cython.ulonglong
    w6: cython.ulonglong
    w7: cython.ulonglong
    while index < count:
        at = origin + instructions[index, 1] * across_step + instructions[index, 2] * along_step
        flip = _ALL if instructions[index, 3] else 0
        w0 = seen_open[at] ^ flip
        w1 = seen_open[at + 1] ^ flip
        w2 = seen_open[at + 2] ^ flip
        w3 = seen_open[at + 3] ^ flip
        w4 = seen_open[at + 4] ^ flip
        w5 = seen_open[at + 5] ^ flip
        w6 = seen_open[at + 6] ^ flip
        w7 = seen_open[at + 7] ^ flip
        at = (instructions[index, 0] - 1) * 8
        w0 &= levels[at]
        w1 &= levels[at + 1]
        w2 &= levels[at + 2]
        w3 &= levels[at + 3]
        w4 &= levels[at + 4]
        w5 &= levels[at + 5]
        w6 &= levels[at + 6]
        w7 &= levels[at + 7]
        if (w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7) == 0:
            index = instructions[index, 6]
            continue
        at += 8
        levels[at] = w0
        levels[at + 1] = w1
        levels[at + 2] = w2
        levels[at + 3] = w3
        levels[at + 4] = w4
        levels[at + 5] = w5
        levels[at + 6] = w6
        levels[at + 7] = w7
        for item in range(instructions[index, 4], instructions[index, 5]):
            at = outputs[item] * 8
            slots[at] |= w0
            slots[at + 1] |= w1
            slots[at + 2] |= w2
            slots[at + 3] |= w3
            slots[at + 4] |= w4
            slots[at + 5] |= w5
            slots[at + 6] |= w6
            slots[at + 7] |= w7
        index += 1


@cython.cfunc
@cython.exceptval(check=False)
def _store_mirrored(
    table: cython.ulonglong[:, :, :, ::1],
    column: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    plane: cython.Py_ssize_t,
    dx: cython.int,
    bits: cython.ulonglong,
) -> cython.void:
    """Add bits to a row of a plane, `dx` cells to the right of where they are."""
    block: cython.Py_ssize_t = row >> 3
    line: cython.Py_ssize_t = row & 7
    here: cython.ulonglong
    beside: cython.ulonglong
    if dx == 0:
        table[column, block, plane, line] |= bits
    elif dx > 0:
        here = (bits << dx) & _ALL if dx < 64 else 0
        beside = bits >> (64 - dx)
        table[column, block, plane, line] |= here
        if beside:
            table[column + 1, block, plane, line] |= beside
    else:
        here = bits >> -dx if dx > -64 else 0
        beside = (bits << (64 + dx)) & _ALL
        table[column, block, plane, line] |= here
        if beside:
            table[column - 1, block, plane, line] |= beside


@cython.cfunc
@cython.exceptval(check=False)
def _finish(
    finishes: cython.int[:, :, ::1],
    wedge: cython.Py_ssize_t,
    slots: cython.ulonglong[::1],
    seen_open: cython.ulonglong[:, ::1],
    seen_opaque: cython.ulonglong[:, ::1],
    first: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    block: cython.Py_ssize_t,
    table: cython.ulonglong[:, :, :, ::1],
) -> cython.void:
    """Take what a wedge's slots hold into the table, where the tiles are as they must be."""
    reach: cython.Py_ssize_t = seen_open.shape[0] // 2
    index: cython.Py_ssize_t
    item: cython.Py_ssize_t
    one: cython.Py_ssize_t
    two: cython.Py_ssize_t
    across: cython.Py_ssize_t
    at: cython.Py_ssize_t
    plane: cython.Py_ssize_t
    condition: cython.int
    any_bits: cython.ulonglong
    bits: cython.ulonglong
    allowed: cython.ulonglong
    for index in range(finishes.shape[1]):
        one = finishes[wedge, index, 0] * 8
        two = finishes[wedge, index, 1] * 8
        any_bits = 0
        for item in range(8):
            any_bits |= slots[one + item] | slots[two + item]
        if any_bits == 0:
            continue
        across = finishes[wedge, index, 2] + reach
        at = first + finishes[wedge, index, 3] + reach
        condition = finishes[wedge, index, 4]
        plane = finishes[wedge, index, 5]
        if finishes[wedge, index, 6]:
            for item in range(8):
                bits = (slots[one + item] | slots[two + item]) & seen_opaque[across, at + item]
                if bits:
                    _store_mirrored(
                        table,
                        column,
                        block * 8 + item + finishes[wedge, index, 3],
                        plane,
                        finishes[wedge, index, 2],
                        bits,
                    )
        elif condition == 0:
            for item in range(8):
                allowed = seen_open[across, at + item] | seen_opaque[across, at + item]
                table[column, block, plane, item] |= slots[one + item] & allowed
        elif condition == 1:
            for item in range(8):
                table[column, block, plane, item] |= slots[one + item] & seen_open[across, at + item]
        elif condition == 2:
            for item in range(8):
                table[column, block, plane, item] |= (
                    slots[one + item] & seen_opaque[across, at + item]
                )


def run(
    open_words: cython.ulonglong[:, ::1],
    opaque_words: cython.ulonglong[:, ::1],
    instructions: cython.int[:, ::1],
    outputs: cython.int[::1],
    finishes: cython.int[:, :, ::1],
    wedges: cython.int[:, ::1],
    seen_open: cython.ulonglong[:, ::1],
    seen_opaque: cython.ulonglong[:, ::1],
    flat_open: cython.ulonglong[::1],
    levels: cython.ulonglong[::1],
    slots: cython.ulonglong[::1],
    table: cython.ulonglong[:, :, :, ::1],
) -> None:
    """Run a plan over a whole map.

    Args:
        open_words: uint64 [columns + 2, rows + 2 * reach], bit rows of the open cells, column of
            words by column of words, in a frame of zeros. `rows` is a multiple of 8.
        opaque_words: The same of the opaque cells inside the map.
        instructions: See `exporter.visibility.plan.Plan`, as are `outputs` and `finishes`.
        outputs: int32.
        finishes: int32.
        wedges: int32 [wedges, 4].
        seen_open: uint64 [2 * reach + 1, band + 2 * reach], scratch; `band` is a multiple of 8.
        seen_opaque: The same.
        flat_open: `seen_open` as one dimension, the same memory.
        levels: uint64 [(depth + 1) * 8], scratch.
        slots: uint64 [slots * 8], scratch.
        table: uint64 [columns, rows / 8, planes, 8], zeros; gets the result.
    """
    reach: cython.Py_ssize_t = seen_open.shape[0] // 2
    stride: cython.Py_ssize_t = seen_open.shape[1]
    band: cython.Py_ssize_t = stride - 2 * reach
    blocks: cython.Py_ssize_t = table.shape[1]
    column: cython.Py_ssize_t
    top: cython.Py_ssize_t
    rows: cython.Py_ssize_t
    line: cython.Py_ssize_t
    item: cython.Py_ssize_t
    wedge: cython.Py_ssize_t
    any_bits: cython.ulonglong
    for item in range(8):
        levels[item] = _ALL
    for column in range(table.shape[0]):
        for top in range(0, blocks * 8, band):
            rows = min(band, blocks * 8 - top)
            _shift(open_words, column + 1, top, seen_open, rows + 2 * reach)
            _shift(opaque_words, column + 1, top, seen_opaque, rows + 2 * reach)
            for line in range(0, rows, 8):
                any_bits = 0
                for item in range(8):
                    any_bits |= seen_open[reach, reach + line + item]
                if any_bits == 0:
                    continue
                for wedge in range(wedges.shape[0]):
                    for item in range(slots.shape[0]):
                        slots[item] = 0
                    _walk(
                        instructions,
                        outputs,
                        wedges[wedge, 0] * stride + wedges[wedge, 2],
                        wedges[wedge, 1] * stride + wedges[wedge, 3],
                        reach * stride + reach + line,
                        flat_open,
                        levels,
                        slots,
                    )
                    _finish(
                        finishes,
                        wedge,
                        slots,
                        seen_open,
                        seen_opaque,
                        line,
                        column,
                        (top + line) >> 3,
                        table,
                    )
