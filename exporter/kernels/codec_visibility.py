# cython: boundscheck=False, wraparound=False
"""Encode and decode fields of view, one decision per viewer and offset.

The decision is whether the viewer sees the cell at the offset. Its probability is learned for each
combination of these facts: whether that cell is opaque; whether the one or two cells before it on
the line are opaque, and seen; and whether the cell, in turn, sees the viewer. Offsets that are
mirror images of each other learn together. Interpreted, the kernel gives the same result, some
hundred times slower.
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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _context(
    planes: cython.uchar[:, :, ::1],
    opaque: cython.uchar[:, ::1],
    lines: cython.longlong[:, ::1],
    k: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
) -> cython.uint:
    """Return what is known of the cell that (x, y) may see, as a number.

    The cell is at offset `k`; 128 if it is outside the map. The bits tell whether this cell is
    opaque, whether cells before it are opaque and seen, and whether it sees (x, y).
    """
    height: cython.Py_ssize_t = opaque.shape[0]
    width: cython.Py_ssize_t = opaque.shape[1]
    tx: cython.Py_ssize_t = x + lines[k, 0]
    ty: cython.Py_ssize_t = y + lines[k, 1]
    part: cython.Py_ssize_t
    plane: cython.Py_ssize_t
    if tx < 0 or ty < 0 or tx >= width or ty >= height:
        return 128
    context: cython.uint = opaque[ty, tx]
    for part in range(2):
        ox: cython.Py_ssize_t = x + lines[k, 2 + 3 * part]
        oy: cython.Py_ssize_t = y + lines[k, 3 + 3 * part]
        plane = lines[k, 4 + 3 * part]
        context |= opaque[oy, ox] << (2 + 2 * part)
        if plane == -2:
            context |= 2 << (2 * part)
        elif plane >= 0:
            context |= planes[plane, y, x] << (1 + 2 * part)
    plane = lines[k, 8]
    if plane >= 0 and opaque[ty, tx] == 0:
        context |= (1 + planes[plane, ty, tx]) << 5
    return context


def run(
    reads: cython.bint,
    stream: cython.uchar[::1],
    probabilities: cython.ushort[::1],
    registers: cython.ulonglong[::1],
    planes: cython.uchar[:, :, ::1],
    opaque: cython.uchar[:, ::1],
    lines: cython.longlong[:, ::1],
    k: cython.Py_ssize_t,
    shared: cython.uint[::1],
    own: cython.uint[::1],
    rates: cython.uint[::1],
) -> cython.void:
    """Decode which viewers see the cell at one offset, or list decisions.

    Args:
        reads: Whether plane `k` is decoded from `stream`; else its decisions, at most one for each
            cell, are listed for `codec_coder.write`.
        stream: uint8: the bytes to decode; or receives the decisions.
        probabilities: uint16: unused in decoding; or receives the probability of a 0 for each
            decision.
        registers: uint64 [3]: the range coder's span and code, and its position in `stream`;
            updated.
        planes: uint8 [offsets, height, width], 1 where the viewer (x, y) sees the cell at the
            offset.
        opaque: uint8 [height, width], 1 for cells that block sight.
        lines: int64 [offsets, 10]: dx, dy; then dx, dy and plane of the two cells before that cell
            on the line to it; the plane of the opposite offset; the number of the class of mirror
            images. A plane of -1 means none, -2 the viewer itself.
        k: The index of the plane (and its offset); those before it are complete.
        shared: uint32 [128], the probabilities learned for all offsets together; updated.
        own: uint32 [classes * 128], the probabilities learned for each class of offsets; updated.
        rates: uint32 [1024], how far a probability moves, by how often it was used.
    """
    first: cython.Py_ssize_t = lines[k, 9] * 128
    span: cython.ulonglong = registers[0]
    code: cython.ulonglong = registers[1]
    position: cython.Py_ssize_t = registers[2]
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    bit: cython.uint
    for y in range(opaque.shape[0]):
        for x in range(opaque.shape[1]):
            if opaque[y, x] != 0:
                continue
            context: cython.uint = _context(planes, opaque, lines, k, y, x)
            if context == 128:
                continue
            state: cython.uint = own[first + context]
            if state == 0:
                state = unlearned(shared[context], 2)
            bit, span, code, position = coded(
                reads, planes[k, y, x], state, span, code, position, stream, probabilities
            )
            planes[k, y, x] = bit
            own[first + context] = updated(state, bit, rates, 255)
            if (state & 1023) < 7:
                shared[context] = updated(shared[context], bit, rates, 255)
    registers[0] = span
    registers[1] = code
    registers[2] = position
