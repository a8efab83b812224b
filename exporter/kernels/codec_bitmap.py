# cython: boundscheck=False, wraparound=False
"""Encode and decode grids of two values, each cell by twelve others.

The values of twelve cells that are already coded are the context, for which the probability of a
cell's value is learned. The cells are those of JBIG2 (ITU-T T.88) made symmetric: five cells of
each of the two rows above and the two cells to the left. A new context starts from a smaller
context of four neighbours, so that small maps do not pay for 4096 contexts.

A state is what a context has learned: `probability of 0 (22 bits) << 10 | count`, or 0 for a
context never met. Interpreted, the kernel gives the same result, about a hundred times slower.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels._decisions import coded, unlearned, updated
else:
    from exporter.kernels._decisions import coded, unlearned, updated


def run(
    reads: cython.bint,
    stream: cython.uchar[::1],
    probabilities: cython.ushort[::1],
    registers: cython.ulonglong[::1],
    cells: cython.uchar[:, ::1],
    top: cython.Py_ssize_t,
    bottom: cython.Py_ssize_t,
    edge: cython.int,
    small: cython.uint[::1],
    large: cython.uint[::1],
    rates: cython.uint[::1],
) -> cython.void:
    """Decode the cells of some rows, or list them as decisions for encoding.

    Args:
        reads: Whether cells are decoded from `stream`; else they are listed for
            `codec_coder.write`.
        stream: uint8: the bytes to decode; or receives the decisions (the values of the cells).
        probabilities: uint16: unused in decoding; or receives the probability of a 0 for each
            decision.
        registers: uint64 [3]: the range coder's span and code, and its position in `stream`;
            updated.
        cells: uint8 [height, width] of 0 and 1; receives the decoded cells.
        top: The first row.
        bottom: The row after the last one.
        edge: The value of cells outside the grid, 0 or 1.
        small: uint32 [16], what the contexts of four neighbours have learned; updated.
        large: uint32 [4096], what the contexts of twelve neighbours have learned; updated.
        rates: uint32 [1024], how far a probability moves, by how often its context was met.
    """
    width: cython.Py_ssize_t = cells.shape[1]
    span: cython.ulonglong = registers[0]
    code: cython.ulonglong = registers[1]
    position: cython.Py_ssize_t = registers[2]
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    outside: cython.uint = edge
    bit: cython.uint
    for y in range(top, bottom):
        above: cython.uint = 31 * outside
        above2: cython.uint = 31 * outside
        left: cython.uint = 3 * outside
        # Two cells of each row above are in the window before the first cell is reached.
        for x in range(2):
            above = (above << 1 | (cells[y - 1, x] if y > 0 and x < width else outside)) & 31
            above2 = (above2 << 1 | (cells[y - 2, x] if y > 1 and x < width else outside)) & 31
        for x in range(width):
            if x + 2 < width:
                above = (above << 1 | (cells[y - 1, x + 2] if y > 0 else outside)) & 31
                above2 = (above2 << 1 | (cells[y - 2, x + 2] if y > 1 else outside)) & 31
            else:
                above = (above << 1 | outside) & 31
                above2 = (above2 << 1 | outside) & 31
            context: cython.uint = above2 << 7 | above << 2 | left
            parent: cython.uint = (above & 14) | (left & 1)
            state: cython.uint = large[context]
            if state == 0:
                state = unlearned(small[parent], 1)
            bit, span, code, position = coded(
                reads, cells[y, x], state, span, code, position, stream, probabilities
            )
            cells[y, x] = bit
            large[context] = updated(state, bit, rates, 1023)
            if (state & 1023) < 7:
                small[parent] = updated(small[parent], bit, rates, 1023)
            left = (left << 1 | bit) & 3
    registers[0] = span
    registers[1] = code
    registers[2] = position
