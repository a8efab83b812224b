# cython: boundscheck=False, wraparound=False
"""Grids of few tile ids: each context keeps its candidates, and a cell says which one it is.

A context is a set of neighbours (and, where a two-class layer is known, the class of all nine
cells around). It keeps up to six ids in the order they were first met, each with the state of
one decision "not this one". A context never met copies the candidates of its coarser parent, and
parents learn along until a context has been met eight times. Of a context that always has one id
(an autotile's) the id is told once and nothing after.

Cells outside count as neighbour 0, so neighbours are ids + 1. Runs interpreted with the same
result, some hundred times slower.
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


@cython.final
@cython.cclass
class Tables:
    """What is known of all contexts, for both directions.

    Attributes:
        masked: Whether level 0 is a context for each mask, which may have one id for good.
        depth: How many bits an id has.
        shape: int64 [levels, 10]: for each context level its first context, 32 - bits of its
            index, and the factors of mask, W, N, NW, NE, WW, NN.
        candidates: uint8 [contexts, 6], the ids that were met.
        states: uint32 [contexts, 6], those of "not this one".
        lengths: uint8 [contexts], candidates known; 255 for one id forever, 254 where a prior said
            so and this grid has not yet.
        seen: uint8 [contexts], how often it was met, at most 8.
        literals: uint32 [2, 256], states of the tree that tells a new id, by own class.
        flags: uint32 [2], states of "always this id".
        rates: uint32 [1024], adaptation rate by count.
    """

    masked: cython.bint
    depth: cython.int
    shape: cython.longlong[:, ::1]
    candidates: cython.uchar[:, ::1]
    states: cython.uint[:, ::1]
    lengths: cython.uchar[::1]
    seen: cython.uchar[::1]
    literals: cython.uint[:, ::1]
    flags: cython.uint[::1]
    rates: cython.uint[::1]

    def __init__(self, masked: bool, depth: int, *arrays: memoryview) -> None:
        self.masked = masked
        self.depth = depth
        self.shape, self.candidates, self.states, self.lengths = arrays[:4]
        self.seen, self.literals, self.flags, self.rates = arrays[4:]


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
    """Return the index of the cell's context at a level."""
    one: cython.ulonglong = 1
    key: cython.ulonglong = shape[level, 2] * mask
    # A level that does not look at the western neighbour looks at none.
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
    candidates: cython.uchar[:, ::1],
    states: cython.uint[:, ::1],
    lengths: cython.uchar[::1],
) -> cython.int:
    """Give a context never met the candidates of its parent, as if each was met at most twice."""
    slot: cython.Py_ssize_t
    for slot in range(lengths[parent]):
        candidates[child, slot] = candidates[parent, slot]
        states[child, slot] = unlearned(states[parent, slot], 2)
    lengths[child] = lengths[parent]
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _learn(
    context: cython.Py_ssize_t,
    tile: cython.uint,
    candidates: cython.uchar[:, ::1],
    states: cython.uint[:, ::1],
    lengths: cython.uchar[::1],
    rates: cython.uint[::1],
) -> cython.int:
    """Move a context's states towards the id that came; a new id takes a free place."""
    slot: cython.Py_ssize_t
    fresh: cython.uint = 1
    length: cython.Py_ssize_t = lengths[context]
    for slot in range(length):
        if candidates[context, slot] == tile:
            states[context, slot] = updated(states[context, slot], 0, rates, 255)
            return 0
        states[context, slot] = updated(states[context, slot], 1, rates, 255)
    if length < 6:
        candidates[context, length] = tile
        states[context, length] = updated(fresh << 31, 0, rates, 255)
        lengths[context] = length + 1
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
    tables: Tables,
) -> cython.void:
    """Read the ids of rows `top` to `bottom` - 1, or list their decisions (at most 15 a cell).

    Args:
        reads: Whether ids are read.
        stream: uint8, see `_decisions.coded`.
        probabilities: uint16, likewise.
        registers: uint64 [3], span, code and position of the coder; updated.
        work: uint16 [height + 2, width + 3], ids + 1 framed by zeros (2 above and left, 1 right).
        masks: uint16 [height, width], classes of the nine cells, or zeros.
        forever: uint8 [512], which masks have one id only; of no use to a reader.
        top: First row.
        bottom: Row after the last.
        tables: What is known of the contexts; updated.
    """
    shape: cython.longlong[:, ::1] = tables.shape
    candidates: cython.uchar[:, ::1] = tables.candidates
    states: cython.uint[:, ::1] = tables.states
    lengths: cython.uchar[::1] = tables.lengths
    seen: cython.uchar[::1] = tables.seen
    literals: cython.uint[:, ::1] = tables.literals
    flags: cython.uint[::1] = tables.flags
    rates: cython.uint[::1] = tables.rates
    masked: cython.bint = tables.masked
    depth: cython.int = tables.depth
    span: cython.ulonglong = registers[0]
    code: cython.ulonglong = registers[1]
    position: cython.Py_ssize_t = registers[2]
    width: cython.Py_ssize_t = masks.shape[1]
    levels: cython.Py_ssize_t = shape.shape[0]
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    level: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    context: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    tile: cython.uint
    mask: cython.uint
    own: cython.uint
    node: cython.uint
    bit: cython.uint
    known: cython.int
    fresh: cython.uint = 1
    for y in range(top, bottom):
        for x in range(width):
            # A reader knows nothing of it yet: then no decision depends on it.
            tile = work[y + 2, x + 2] - 1
            mask = masks[y, x]
            own = mask >> 4 & 1
            parent = _context(work, mask, shape, 0, y, x)
            known = 0
            if masked:
                if lengths[parent] == 0 or lengths[parent] == 254:
                    bit, span, code, position = coded(
                        reads,
                        forever[mask],
                        flags[own],
                        span,
                        code,
                        position,
                        stream,
                        probabilities,
                    )
                    flags[own] = updated(flags[own], bit, rates, 255)
                    if lengths[parent] == 0:
                        known = 2 if bit != 0 else 1
                    else:
                        lengths[parent] = 255 if bit != 0 else 1
                        states[parent, 0] = updated(fresh << 31, 0, rates, 255)
                if lengths[parent] == 255:
                    work[y + 2, x + 2] = candidates[parent, 0] + 1
                    continue
            context = parent
            for level in range(1, levels):
                context = _context(work, mask, shape, level, y, x)
                if lengths[context] == 0:
                    _inherit(context, parent, candidates, states, lengths)
                parent = context
            if known == 0:
                for slot in range(lengths[context]):
                    bit, span, code, position = coded(
                        reads,
                        candidates[context, slot] != tile,
                        states[context, slot],
                        span,
                        code,
                        position,
                        stream,
                        probabilities,
                    )
                    if bit == 0:
                        tile = candidates[context, slot]
                        known = 3
                        break
            if known != 3:
                node = 1
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
                tile = node - (1 << depth)
            work[y + 2, x + 2] = tile + 1
            if known == 2:
                context = _context(work, mask, shape, 0, y, x)
                candidates[context, 0] = tile
                lengths[context] = 255
                continue
            for level in range(levels - 1, -1, -1):
                context = _context(work, mask, shape, level, y, x)
                _learn(context, tile, candidates, states, lengths, rates)
                if seen[context] >= 8:
                    break
                seen[context] += 1
    registers[0] = span
    registers[1] = code
    registers[2] = position
