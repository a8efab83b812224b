# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compute visibility tables: run a plan for 512 origins at a time.

A plan (`exporter.visibility.plan`) is a list of instructions that find what an origin (a cell that
one looks from) sees, for all origins alike. A block is 8 words of 64 columns, one below the other:
its cells are so near to each other that in most maps whole subtrees of a plan apply to none of them
and are skipped. The map is seen through each of a plan's offsets as a shifted copy; the copies are
made for one column of words and a band of rows at a time, so that they stay in the cache.
`exporter.visibility.runs.run_arrays` is the fallback without a compiler; interpreted, this file
gives the same bits, very slowly.
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
def _shift(
    source: cython.ulonglong[:, ::1],
    column: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    shifted: cython.ulonglong[::1],
    reach: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
) -> cython.void:
    """Copy a column of words, shifted by each dx from -`reach` to `reach`.

    The copy for dx begins at `(dx + reach) * stride` of `shifted`, and has `rows` words, the first
    from row `first` of `source`.
    """
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    dx: cython.int
    row: cython.Py_ssize_t
    for dx in range(-reach, reach + 1):
        at: cython.Py_ssize_t = (dx + reach) * stride
        # The neighbouring column bits come from, and the shifts of the two.
        side: cython.Py_ssize_t = column + 1 if dx > 0 else column - 1
        right: cython.int = dx if dx > 0 else 64 + dx
        left: cython.int = 64 - right
        if dx == 0:
            for row in range(rows):
                shifted[at + row] = source[column, first + row]
        elif dx == 64 or dx == -64:
            for row in range(rows):
                shifted[at + row] = source[side, first + row]
        elif dx > 0:
            for row in range(rows):
                shifted[at + row] = (source[column, first + row] >> right) | (
                    (source[side, first + row] << left) & full
                )
        else:
            for row in range(rows):
                shifted[at + row] = ((source[column, first + row] << left) & full) | (
                    source[side, first + row] >> right
                )


@cython.ccall
@cython.exceptval(check=False)
def gather_or_take(
    levels: cython.ulonglong[::1],
    seen_open: cython.ulonglong[::1],
    kind: cython.int,
    source: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    """Run a step of a plan that passes origins from one level to another.

    Origins are the cells that one looks from, a bit each. The function is callable from Python to
    keep C compilers from inlining it: the loop below needs all registers of the machine.

    Args:
        levels: uint64: the origins at each level of the plan, 8 words of bits each.
        seen_open: uint64: the open cells, shifted by the plan's offsets.
        kind: With bit 1 (`kind & 2`), add the source's origins whose tile is open, or with bit 0
            (`kind & 1`) is not open, to the target. Without bit 1, move all origins there, so that
            the source is empty.
        source: The index of the first word to read in `levels`.
        target: The index of the first word to write in `levels`.
        at: The index of the first word in `seen_open`, for the offset to the tile.
    """
    flip: cython.ulonglong = 0xFFFFFFFFFFFFFFFF if kind & 1 else 0
    word: cython.Py_ssize_t
    if kind & 2:
        for word in range(8):
            levels[target + word] |= levels[source + word] & (seen_open[at + word] ^ flip)
    else:
        for word in range(8):
            levels[target + word] = levels[source + word]
        for word in range(8):
            levels[source + word] = 0


@cython.ccall
@cython.exceptval(check=False)
def walk(
    instructions: cython.int[:, ::1],
    outputs: cython.int[::1],
    across_step: cython.Py_ssize_t,
    along_step: cython.Py_ssize_t,
    origin: cython.Py_ssize_t,
    seen_open: cython.ulonglong[::1],
    levels: cython.ulonglong[::1],
    slots: cython.ulonglong[::1],
) -> cython.void:
    """Run a plan for a block of 512 origins and one wedge of directions.

    A block is 8 words of 64 origins. The function is callable from Python only so that no C
    compiler inlines it: the loop needs all registers (see `gather_or_take`).

    Args:
        instructions: int32, the steps of the plan, as in `SightPlan` of `exporter.visibility.plan`.
        outputs: int32, the slots to which steps add origins, as in `SightPlan`.
        across_step: The distance in `seen_open` of offsets that differ by 1 across the wedge.
        along_step: The distance of offsets that differ by 1 along the wedge.
        origin: The index in `seen_open` of the block without an offset.
        seen_open: uint64: the open cells, shifted by the plan's offsets.
        levels: uint64, working space: 8 words of origins for each level of the plan.
        slots: uint64, receives which origins see a tile: 8 words for each slot.
    """
    count: cython.Py_ssize_t = instructions.shape[0]
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    index: cython.Py_ssize_t = 0
    item: cython.Py_ssize_t
    at: cython.Py_ssize_t
    while index < count:
        at = origin + instructions[index, 2] * across_step + instructions[index, 3] * along_step
        if instructions[index, 4] & 6:
            gather_or_take(
                levels,
                seen_open,
                instructions[index, 4],
                instructions[index, 0] * 8,
                instructions[index, 1] * 8,
                at,
            )
            index += 1
            continue
        flip: cython.ulonglong = full if instructions[index, 4] else 0
        w0: cython.ulonglong = seen_open[at] ^ flip
        w1: cython.ulonglong = seen_open[at + 1] ^ flip
        w2: cython.ulonglong = seen_open[at + 2] ^ flip
        w3: cython.ulonglong = seen_open[at + 3] ^ flip
        w4: cython.ulonglong = seen_open[at + 4] ^ flip
        w5: cython.ulonglong = seen_open[at + 5] ^ flip
        w6: cython.ulonglong = seen_open[at + 6] ^ flip
        w7: cython.ulonglong = seen_open[at + 7] ^ flip
        at = instructions[index, 0] * 8
        w0 &= levels[at]
        w1 &= levels[at + 1]
        w2 &= levels[at + 2]
        w3 &= levels[at + 3]
        w4 &= levels[at + 4]
        w5 &= levels[at + 5]
        w6 &= levels[at + 6]
        w7 &= levels[at + 7]
        # Guessing wrong whether anything is left costs more than a small subtree.
        if instructions[index, 7] > index + 2 and (w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7) == 0:
            index = instructions[index, 7]
            continue
        at = instructions[index, 1] * 8
        levels[at] = w0
        levels[at + 1] = w1
        levels[at + 2] = w2
        levels[at + 3] = w3
        levels[at + 4] = w4
        levels[at + 5] = w5
        levels[at + 6] = w6
        levels[at + 7] = w7
        for item in range(instructions[index, 5], instructions[index, 6]):
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
def _or_block(
    target: cython.ulonglong[::1],
    at: cython.Py_ssize_t,
    words: cython.ulonglong[::1],
    first: cython.int,
) -> cython.void:
    """OR 8 words of `words`, from `first` on, into `target`, from `at` on."""
    w0: cython.ulonglong = target[at] | words[first]
    w1: cython.ulonglong = target[at + 1] | words[first + 1]
    w2: cython.ulonglong = target[at + 2] | words[first + 2]
    w3: cython.ulonglong = target[at + 3] | words[first + 3]
    w4: cython.ulonglong = target[at + 4] | words[first + 4]
    w5: cython.ulonglong = target[at + 5] | words[first + 5]
    w6: cython.ulonglong = target[at + 6] | words[first + 6]
    w7: cython.ulonglong = target[at + 7] | words[first + 7]
    target[at] = w0
    target[at + 1] = w1
    target[at + 2] = w2
    target[at + 3] = w3
    target[at + 4] = w4
    target[at + 5] = w5
    target[at + 6] = w6
    target[at + 7] = w7


@cython.cfunc
@cython.exceptval(check=False)
def _store_mirrored(
    moved: cython.ulonglong[::1],
    dx: cython.int,
    line: cython.int,
    block: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    next_block: cython.Py_ssize_t,
    next_column: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
) -> cython.void:
    """Add 8 words to a plane, shifted `dx` cells to the right and in rows.

    Words of zero are not skipped: a branch that is guessed wrong costs more than all of it.

    Args:
        moved: The 8 words, then 32 words of scratch.
        dx: How many cells to the right.
        line: The line of the first word in its block.
        block: That block's number, which may lie above the map.
        target: The index of the block's words in `table`.
        next_block: How many words after a block the block below begins.
        next_column: How many words farther on the column begins into which bits are shifted; 0 if
            there is none.
        table: The visibility table; changed.
    """
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    item: cython.int
    right: cython.int
    for item in range(8, 40):
        moved[item] = 0
    if dx >= 64:
        for item in range(8):
            moved[24 + line + item] = moved[item]
    elif dx > 0:
        right = 64 - dx
        for item in range(8):
            moved[8 + line + item] = (moved[item] << dx) & full
        for item in range(8):
            moved[24 + line + item] = moved[item] >> right
    elif dx == 0:
        for item in range(8):
            moved[8 + line + item] = moved[item]
    elif dx > -64:
        right = -dx
        for item in range(8):
            moved[8 + line + item] = moved[item] >> right
        right = 64 + dx
        for item in range(8):
            moved[24 + line + item] = (moved[item] << right) & full
    else:
        for item in range(8):
            moved[24 + line + item] = moved[item]
    if block >= 0:
        _or_block(table, target, moved, 8)
        if next_column:
            _or_block(table, target + next_column, moved, 24)
    if line > 0 and block >= -1:
        _or_block(table, target + next_block, moved, 16)
        if next_column:
            _or_block(table, target + next_block + next_column, moved, 32)


@cython.cfunc
@cython.exceptval(check=False)
def _finish(
    finishes: cython.int[:, :, ::1],
    wedge: cython.Py_ssize_t,
    slots: cython.ulonglong[::1],
    seen_open: cython.ulonglong[::1],
    seen_opaque: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    origin: cython.Py_ssize_t,
    block: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    next_block: cython.Py_ssize_t,
    to_the_left: cython.Py_ssize_t,
    to_the_right: cython.Py_ssize_t,
    moved: cython.ulonglong[::1],
    table: cython.ulonglong[::1],
) -> cython.void:
    """Add what `walk` collected for `wedge` to `table`.

    The seen tile must be open, or opaque, as its entry in `finishes` requires.
    """
    index: cython.Py_ssize_t
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    for index in range(finishes.shape[1]):
        at: cython.Py_ssize_t = finishes[wedge, index, 0] * 8
        w0: cython.ulonglong = slots[at]
        w1: cython.ulonglong = slots[at + 1]
        w2: cython.ulonglong = slots[at + 2]
        w3: cython.ulonglong = slots[at + 3]
        w4: cython.ulonglong = slots[at + 4]
        w5: cython.ulonglong = slots[at + 5]
        w6: cython.ulonglong = slots[at + 6]
        w7: cython.ulonglong = slots[at + 7]
        if finishes[wedge, index, 6]:
            at = finishes[wedge, index, 1] * 8
            w0 |= slots[at]
            w1 |= slots[at + 1]
            w2 |= slots[at + 2]
            w3 |= slots[at + 3]
            w4 |= slots[at + 4]
            w5 |= slots[at + 5]
            w6 |= slots[at + 6]
            w7 |= slots[at + 7]
        if (w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7) == 0:
            continue
        dy: cython.Py_ssize_t = finishes[wedge, index, 3]
        at = origin + finishes[wedge, index, 2] * stride + dy
        condition: cython.int = finishes[wedge, index, 4]
        if condition < 0:
            continue
        if_open: cython.ulonglong = full if condition != 2 else 0
        if_opaque: cython.ulonglong = full if condition != 1 else 0
        w0 &= (seen_open[at] & if_open) | (seen_opaque[at] & if_opaque)
        w1 &= (seen_open[at + 1] & if_open) | (seen_opaque[at + 1] & if_opaque)
        w2 &= (seen_open[at + 2] & if_open) | (seen_opaque[at + 2] & if_opaque)
        w3 &= (seen_open[at + 3] & if_open) | (seen_opaque[at + 3] & if_opaque)
        w4 &= (seen_open[at + 4] & if_open) | (seen_opaque[at + 4] & if_opaque)
        w5 &= (seen_open[at + 5] & if_open) | (seen_opaque[at + 5] & if_opaque)
        w6 &= (seen_open[at + 6] & if_open) | (seen_opaque[at + 6] & if_opaque)
        w7 &= (seen_open[at + 7] & if_open) | (seen_opaque[at + 7] & if_opaque)
        at = target + finishes[wedge, index, 5] * 8
        if finishes[wedge, index, 6]:
            moved[0] = w0
            moved[1] = w1
            moved[2] = w2
            moved[3] = w3
            moved[4] = w4
            moved[5] = w5
            moved[6] = w6
            moved[7] = w7
            _store_mirrored(
                moved,
                finishes[wedge, index, 2],
                dy & 7,
                block + (dy >> 3),
                at + (dy >> 3) * next_block,
                next_block,
                to_the_left if finishes[wedge, index, 2] < 0 else to_the_right,
                table,
            )
        else:
            table[at] |= w0
            table[at + 1] |= w1
            table[at + 2] |= w2
            table[at + 3] |= w3
            table[at + 4] |= w4
            table[at + 5] |= w5
            table[at + 6] |= w6
            table[at + 7] |= w7


def run(
    open_words: cython.ulonglong[:, ::1],
    opaque_words: cython.ulonglong[:, ::1],
    instructions: cython.int[:, ::1],
    outputs: cython.int[::1],
    finishes: cython.int[:, :, ::1],
    wedges: cython.int[:, ::1],
    seen_open: cython.ulonglong[::1],
    seen_opaque: cython.ulonglong[::1],
    reach: cython.Py_ssize_t,
    levels: cython.ulonglong[::1],
    slots: cython.ulonglong[::1],
    table: cython.ulonglong[::1],
    blocks: cython.Py_ssize_t,
    planes: cython.Py_ssize_t,
) -> None:
    """Run a plan over a whole map; write the visibility table.

    Args:
        open_words: uint64 [columns + 2, blocks * 8 + 2 * reach]: a bit for each cell, 1 for open
            ones, column of words by column of words, in a frame of zeros.
        opaque_words: The same for the opaque cells inside the map.
        instructions: int32, the steps of the plan, as in `SightPlan` of `exporter.visibility.plan`.
        outputs: int32, the slots to which steps add origins, as in `SightPlan`.
        finishes: int32, how the slots of a wedge are added to planes, as in `SightPlan`.
        wedges: int32 [wedges, 4], how the wedge is laid onto the map, as in `SightPlan`.
        seen_open: uint64 [(2 * reach + 1) * (band + 2 * reach)], working space; `band` is a
            multiple of 8.
        seen_opaque: uint64 of the same size, working space.
        reach: The plan's radius.
        levels: uint64 [(levels + 5) * 8], zeros: working space.
        slots: uint64 [slots * 8], working space.
        table: uint64 [columns * blocks * planes * 8], zeros; receives the result.
        blocks: The number of blocks of 8 rows.
        planes: The number of planes of the table.
    """
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    stride: cython.Py_ssize_t = seen_open.shape[0] // (2 * reach + 1)
    band: cython.Py_ssize_t = stride - 2 * reach
    columns: cython.Py_ssize_t = open_words.shape[0] - 2
    next_block: cython.Py_ssize_t = planes * 8
    column: cython.Py_ssize_t
    top: cython.Py_ssize_t
    block: cython.Py_ssize_t
    item: cython.Py_ssize_t
    wedge: cython.Py_ssize_t
    for item in range(8):
        levels[item] = full
    moved: cython.ulonglong[::1] = levels[levels.shape[0] - 40 :]
    for column in range(columns):
        for top in range(0, blocks * 8, band):
            rows: cython.Py_ssize_t = min(band, blocks * 8 - top)
            _shift(open_words, column + 1, top, seen_open, reach, stride, rows + 2 * reach)
            _shift(opaque_words, column + 1, top, seen_opaque, reach, stride, rows + 2 * reach)
            for block in range(top // 8, (top + rows) // 8):
                origin: cython.Py_ssize_t = reach * stride + reach + block * 8 - top
                any_bits: cython.ulonglong = 0
                for item in range(8):
                    any_bits |= seen_open[origin + item]
                if any_bits == 0:
                    continue
                for wedge in range(wedges.shape[0]):
                    for item in range(slots.shape[0]):
                        slots[item] = 0
                    walk(
                        instructions,
                        outputs,
                        wedges[wedge, 0] * stride + wedges[wedge, 2],
                        wedges[wedge, 1] * stride + wedges[wedge, 3],
                        origin,
                        seen_open,
                        levels,
                        slots,
                    )
                    _finish(
                        finishes,
                        wedge,
                        slots,
                        seen_open,
                        seen_opaque,
                        stride,
                        origin,
                        block,
                        (column * blocks + block) * next_block,
                        next_block,
                        -blocks * next_block if column > 0 else 0,
                        blocks * next_block if column + 1 < columns else 0,
                        moved,
                        table,
                    )
