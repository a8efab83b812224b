# cython: boundscheck=False, wraparound=False
"""Encode and decode grids of few tile ids, by those of adjacent cells.

A context is the ids of some neighbours (and, if another layer with two classes of tiles is known,
the classes of the 3 x 3 cells around). It keeps up to six ids, its candidates, in the order they
were first met, each with the learned probability of the decision "not this one". A context never
met copies the candidates of its coarser parent, and parents learn along until a context has been
met eight times. For a context that always has one id (an autotile's), the id is coded once.

Cells outside count as neighbour 0, so neighbours are ids + 1. Interpreted, the kernel gives the
same result, some hundred times slower.
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

COMPILED: bool = cython.compiled


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _context(
    work: cython.ushort[:, ::1],
    mask: cython.ulonglong,
    shape: cython.longlong[:, ::1],
    level: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the index of the context that the cell (x, y) has at `level`.

    Higher levels use more neighbours; `shape` has the factors of the hash for each level.
    """
    one: cython.ulonglong = 1
    key: cython.ulonglong = shape[level, 2] * mask
    # A level that ignores the western neighbour ignores all.
    if shape[level, 3] != 0:
        key += (
            shape[level, 3] * work[y + 2, x + 1]
            + shape[level, 4] * work[y + 1, x + 2]
            + shape[level, 5] * work[y + 1, x + 1]
            + shape[level, 6] * work[y + 1, x + 3]
            + shape[level, 7] * work[y + 2, x]
            + shape[level, 8] * work[y, x + 2]
        )
    return cython.cast(
        cython.Py_ssize_t, shape[level, 0] + ((key & ((one << 32) - one)) >> shape[level, 1])
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _inherit(
    child: cython.Py_ssize_t,
    parent: cython.Py_ssize_t,
    contexts: cython.uchar[:, ::1],
    states: cython.uint[:, ::1],
) -> cython.int:
    """Copy the candidate ids of `parent` to the new context `child`.

    What was learned about them is copied, too, with its count cut to 2, so that the child adapts
    quickly.
    """
    slot: cython.Py_ssize_t
    for slot in range(contexts[parent, 6]):
        contexts[child, slot] = contexts[parent, slot]
        states[child, slot] = unlearned(states[parent, slot], 2)
    contexts[child, 6] = contexts[parent, 6]
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _learn(
    context: cython.Py_ssize_t,
    tile: cython.uint,
    contexts: cython.uchar[:, ::1],
    states: cython.uint[:, ::1],
    rates: cython.uint[::1],
) -> cython.int:
    """Adapt `context` to the id `tile`; a new id is added if there is room."""
    slot: cython.Py_ssize_t
    fresh: cython.uint = 1
    length: cython.Py_ssize_t = contexts[context, 6]
    for slot in range(length):
        if contexts[context, slot] == tile:
            states[context, slot] = updated(states[context, slot], 0, rates, 255)
            return 0
        states[context, slot] = updated(states[context, slot], 1, rates, 255)
    if length < 6:
        contexts[context, length] = tile
        states[context, length] = updated(fresh << 31, 0, rates, 255)
        contexts[context, 6] = length + 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _run(
    reads: cython.bint,
    stream: cython.uchar[::1],
    probabilities: cython.ushort[::1],
    registers: cython.ulonglong[::1],
    work: cython.ushort[:, ::1],
    masks: cython.ushort[:, ::1],
    forever: cython.uchar[::1],
    top: cython.Py_ssize_t,
    bottom: cython.Py_ssize_t,
    shape: cython.longlong[:, ::1],
    contexts: cython.uchar[:, ::1],
    states: cython.uint[:, ::1],
    literals: cython.uint[:, ::1],
    rates: cython.uint[::1],
) -> cython.int:
    """Do what `run` does, in a copy compiled for one value of `reads`."""
    # Level 0 is then a context for each mask, which may have one id for good.
    masked: cython.bint = shape[0, 2] != 0
    depth: cython.int = shape[0, 9]
    span: cython.ulonglong = registers[0]
    code: cython.ulonglong = registers[1]
    position: cython.Py_ssize_t = registers[2]
    width: cython.Py_ssize_t = masks.shape[1]
    levels: cython.Py_ssize_t = shape.shape[0]
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    level: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    bit: cython.uint
    fresh: cython.uint = 1
    for y in range(top, bottom):
        for x in range(width):
            # A reader has no value yet: then no decision depends on it. A writer leaves it
            # unchanged, so that the processor can run ahead.
            tile: cython.uint = work[y + 2, x + 2] - 1
            mask: cython.uint = masks[y, x]
            own: cython.uint = mask >> 4 & 1
            parent: cython.Py_ssize_t = _context(work, mask, shape, 0, y, x)
            known: cython.int = 0
            if masked:
                if contexts[parent, 6] == 0 or contexts[parent, 6] == 254:
                    bit, span, code, position = coded(
                        reads,
                        forever[mask],
                        literals[own, 0],
                        span,
                        code,
                        position,
                        stream,
                        probabilities,
                    )
                    literals[own, 0] = updated(literals[own, 0], bit, rates, 255)
                    if contexts[parent, 6] == 0:
                        known = 2 if bit != 0 else 1
                    else:
                        contexts[parent, 6] = 255 if bit != 0 else 1
                        states[parent, 0] = updated(fresh << 31, 0, rates, 255)
                if contexts[parent, 6] == 255:
                    if reads:
                        work[y + 2, x + 2] = contexts[parent, 0] + 1
                    continue
            context: cython.Py_ssize_t = parent
            for level in range(1, levels):
                context = _context(work, mask, shape, level, y, x)
                if contexts[context, 6] == 0:
                    _inherit(context, parent, contexts, states)
                parent = context
            if known == 0:
                for slot in range(contexts[context, 6]):
                    bit, span, code, position = coded(
                        reads,
                        contexts[context, slot] != tile,
                        states[context, slot],
                        span,
                        code,
                        position,
                        stream,
                        probabilities,
                    )
                    if bit == 0:
                        if reads:
                            tile = contexts[context, slot]
                        known = 3
                        break
            if known != 3:
                node: cython.uint = 1
                for slot in range(depth):
                    bit, span, code, position = coded(
                        reads,
                        tile >> (depth - 1 - slot) & 1,
                        literals[own, node],
                        span,
                        code,
                        position,
                        stream,
                        probabilities,
                    )
                    literals[own, node] = updated(literals[own, node], bit, rates, 255)
                    node = node << 1 | bit
                if reads:
                    tile = node - (1 << depth)
            if reads:
                work[y + 2, x + 2] = tile + 1
            if known == 2:
                context = _context(work, mask, shape, 0, y, x)
                contexts[context, 0] = tile
                contexts[context, 6] = 255
                continue
            for level in range(levels - 1, -1, -1):
                context = _context(work, mask, shape, level, y, x)
                _learn(context, tile, contexts, states, rates)
                if contexts[context, 7] >= 8:
                    break
                contexts[context, 7] += 1
    registers[0] = span
    registers[1] = code
    registers[2] = position
    return 0


def run(
    reads: cython.bint,
    stream: cython.uchar[::1],
    probabilities: cython.ushort[::1],
    registers: cython.ulonglong[::1],
    work: cython.ushort[:, ::1],
    masks: cython.ushort[:, ::1],
    forever: cython.uchar[::1],
    top: cython.Py_ssize_t,
    bottom: cython.Py_ssize_t,
    shape: cython.longlong[:, ::1],
    contexts: cython.uchar[:, ::1],
    states: cython.uint[:, ::1],
    literals: cython.uint[:, ::1],
    rates: cython.uint[::1],
) -> cython.void:
    """Decode the ids of some rows, or list their decisions for encoding.

    Args:
        reads: Whether ids are decoded from `stream`; else decisions are listed for
            `codec_coder.write`.
        stream: uint8: the bytes to decode; or receives the decisions.
        probabilities: uint16: unused in decoding; or receives the probability of a 0 for each
            decision.
        registers: uint64 [3]: the range coder's span and code, and its position in `stream`;
            updated.
        work: uint16 [height + 2, width + 3], ids + 1 framed by zeros (2 above and left, 1 right).
        masks: uint16 [height, width]: a bit for the class of each of the 3 x 3 cells around a cell;
            zeros if no classes are known.
        forever: uint8 [512]: 1 for masks whose cells all have the same id; unused in decoding.
        top: The first row.
        bottom: The row after the last one.
        shape: int64 [levels, 10]: for each level of contexts: its first context; 32 - bits of its
            index; the factors of mask, W, N, NW, NE, WW and NN in the hash; and how many bits an id
            has.
        contexts: uint8 [contexts, 8]: six candidate ids; how many there are (255 if cells of this
            context always have the first one, 254 if that is only assumed at first); how often the
            context was met, up to 8.
        states: uint32 [contexts, 6], the learned probability that a cell has not this candidate.
        literals: uint32 [2, 256], for each class of the cell itself: the learned probability of
            "always this id", then those of the binary tree that codes a new id.
        rates: uint32 [1024], how far a probability moves, by how often its context was met.
    """
    if reads:
        _run(
            True,
            stream,
            probabilities,
            registers,
            work,
            masks,
            forever,
            top,
            bottom,
            shape,
            contexts,
            states,
            literals,
            rates,
        )
    else:
        _run(
            False,
            stream,
            probabilities,
            registers,
            work,
            masks,
            forever,
            top,
            bottom,
            shape,
            contexts,
            states,
            literals,
            rates,
        )
