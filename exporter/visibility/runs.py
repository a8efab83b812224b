"""Run a plan of visibility over a map; return the table as packed bits.

The map becomes bit rows. A compiled loop runs the plan over them block by block; without a
compiler, numpy does so for whole bands of the map at once. Both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.grids.bits import pack_rows, words_for
from exporter.kernels import REINSTALL, warn_uncompiled
from exporter.kernels.visibility_runner import COMPILED
from exporter.kernels.visibility_runner import run as run_compiled
from exporter.visibility.plan import (
    ACROSS,
    ALONG,
    ALWAYS,
    CONDITION,
    FIRST_SLOT,
    GATHERS,
    KIND,
    MIRRORED,
    OFFSET_X,
    OFFSET_Y,
    OPAQUE,
    OPEN,
    OUTPUTS_BEGIN,
    OUTPUTS_END,
    PLANE,
    SECOND_SLOT,
    SKIP,
    SOURCE,
    TAKES,
    TARGET,
    WANTS_OPAQUE,
    SightPlan,
)

Words: TypeAlias = NDArray[np.uint64]

# Rows of a block, see the kernel; and the most rows shifted copies are made of at a time.
BLOCK = 8
BAND = 128
# About how many bytes of slots `run_arrays` keeps at a time.
SLOT_BYTES = 8 << 20


def run(plan: SightPlan, opaque: NDArray[np.bool_]) -> Words:
    """Run `plan` over a map, compiled if possible; return the table's bits.

    `opaque` is bool [height, width], the cells that block sight. The result, uint64 [word columns,
    blocks of rows, planes, 8], is `VisibilityTable.blocks`.
    """
    return run_kernel(plan, opaque) if COMPILED else run_arrays(plan, opaque)


def run_kernel(
    plan: SightPlan, opaque: NDArray[np.bool_], loop: Callable[..., None] = run_compiled
) -> Words:
    """Run `plan` over a map in the kernel `loop`; return the table's bits.

    `opaque` is bool [height, width]. `loop` is the compiled function; tests pass another build of
    it.
    """
    table = _empty_table(plan, opaque.shape)
    if plan.offsets.size == 0:
        return table
    reach = plan.radius
    band = min(BAND, table.shape[1] * BLOCK)
    copies = (2 * reach + 1) * (band + 2 * reach)
    # In one piece, which costs less; whole cache lines come first.
    slots = (plan.levels + 5) * BLOCK
    shifted = slots + plan.slots * BLOCK
    scratch = _zeros(shifted + 2 * copies)
    # Interpreted, memory views give whole numbers, which numpy's own items are not.
    loop(
        _columns(~opaque, reach).data,
        _columns(opaque, reach).data,
        plan.instructions.data,
        plan.outputs.data,
        plan.finishes.data,
        np.array(plan.wedges, np.int32).data,
        scratch[shifted : shifted + copies].data,
        scratch[shifted + copies :].data,
        reach,
        scratch[:slots].data,
        scratch[slots:shifted].data,
        table.reshape(-1).data,
        table.shape[1],
        table.shape[2],
    )
    return table


def _empty_table(plan: SightPlan, shape: tuple[int, ...]) -> Words:
    height, width = shape
    dimensions = words_for(width), -(-height // BLOCK), len(plan.offsets), BLOCK
    return _zeros(prod(dimensions)).reshape(dimensions)


def _zeros(words: int) -> Words:
    """Return `words` zeros; each block of 8 words lies in one cache line."""
    line = 64
    words_and_room = np.zeros(words + line // 8, np.uint64)
    first = -words_and_room.ctypes.data % line // 8
    return words_and_room[first : first + words]


def _columns(mask: NDArray[np.bool_], reach: int) -> Words:
    """Return `mask` as words of 64 cells of a row, in a frame of zeros.

    The result is uint64 [word columns + 2, rows + 2 * `reach`], rows rounded up to whole blocks.
    """
    height, width = mask.shape
    rows = -(-height // BLOCK) * BLOCK
    framed = np.zeros((words_for(width) + 2, rows + 2 * reach), np.uint64)
    framed[1:-1, reach : reach + height] = pack_rows(mask).T
    return framed


def run_arrays(plan: SightPlan, opaque: NDArray[np.bool_], slot_bytes: int = SLOT_BYTES) -> Words:
    """Run `plan` over a map with numpy, a band of rows at a time.

    `opaque` is bool [height, width]; returns the table's bits. `slot_bytes` limits the memory of a
    band.
    """
    table = _empty_table(plan, opaque.shape)
    columns, blocks = table.shape[:2]
    if plan.offsets.size == 0:
        return table
    fitting = slot_bytes // (plan.slots * columns * BLOCK * 8)
    step = min(max(fitting, 1), blocks) * BLOCK
    _announce(plan, columns * step, -(-blocks * BLOCK // step))
    frames = _columns(~opaque, plan.radius), _columns(opaque, plan.radius)
    for top in range(0, blocks * BLOCK, step):
        rows = min(step, blocks * BLOCK - top)
        _Band(plan, frames, top, rows).into(table)
    return table


def _announce(plan: SightPlan, words: int, bands: int) -> None:
    """Warn that a run without compiled code takes long, if it does."""
    instructions = len(plan.instructions) + 3 * plan.finishes.shape[1]
    steps = bands * len(plan.wedges) * instructions * (1600 + words)
    way_out = f"{REINSTALL}, or set a smaller visibility radius"
    warn_uncompiled(COMPILED, "visibility_runner", steps, 200_000_000, way_out)


class _Band:
    """The rows `top` to `top + rows` of a map, over which the plan runs."""

    def __init__(self, plan: SightPlan, frames: tuple[Words, Words], top: int, rows: int) -> None:
        self.plan = plan
        self.top = top
        self.rows = rows
        halo = rows + 2 * plan.radius
        self.seen_open, self.seen_opaque = (
            _seen(frame[:, top : top + halo], plan.radius) for frame in frames
        )

    def into(self, table: Words) -> None:
        """Run the plan over the band; add what its cells see to `table`."""
        shape = (table.shape[0], self.rows)
        levels = np.zeros((self.plan.levels, *shape), np.uint64)
        levels[0] = ~np.uint64(0)
        slots = np.empty((self.plan.slots, *shape), np.uint64)
        for number in range(len(self.plan.wedges)):
            slots[:] = 0
            self._walk(number, levels, slots)
            self._finish(number, slots, table)

    def _walk(self, number: int, levels: Words, slots: Words) -> None:
        xx, xy, yx, yy = self.plan.wedges[number]
        outputs = self.plan.outputs.tolist()
        instructions = self.plan.instructions.tolist()
        index = 0
        while index < len(instructions):
            step = instructions[index]
            across, along, kind = step[ACROSS], step[ALONG], step[KIND]
            seen = self._through(self.seen_open, xx * across + xy * along, yx * across + yy * along)
            source, target = levels[step[SOURCE]], levels[step[TARGET]]
            index += 1
            if kind & GATHERS:
                target |= source & (~seen if kind & WANTS_OPAQUE else seen)
                continue
            if kind & TAKES:
                target[:] = source
                source[:] = 0
                continue
            np.bitwise_and(source, ~seen if kind & WANTS_OPAQUE else seen, out=target)
            # Looking whether anything is left costs as much as an instruction.
            if step[SKIP] - index > 3 and not target.any():
                index = step[SKIP]
                continue
            for slot in outputs[step[OUTPUTS_BEGIN] : step[OUTPUTS_END]]:
                np.bitwise_or(slots[slot], target, out=slots[slot])

    def _finish(self, number: int, slots: Words, table: Words) -> None:
        for step in self.plan.finishes[number].tolist():
            dx, dy, condition = step[OFFSET_X], step[OFFSET_Y], step[CONDITION]
            bits = slots[step[FIRST_SLOT]] | slots[step[SECOND_SLOT]]
            if condition not in (ALWAYS, OPEN, OPAQUE) or not bits.any():
                continue
            allowed = np.zeros_like(bits)
            if condition != OPAQUE:
                allowed |= self._through(self.seen_open, dx, dy)
            if condition != OPEN:
                allowed |= self._through(self.seen_opaque, dx, dy)
            bits &= allowed
            if step[MIRRORED]:
                self._add_mirrored(table[:, :, step[PLANE]], bits, dx, dy)
            else:
                self._add(table[:, :, step[PLANE]], bits, self.top)

    def _add(self, plane: Words, bits: Words, top: int) -> None:
        """Add `bits` to `plane`, [word columns, blocks, 8], from the row `top` on."""
        first = max(top, 0)
        bits = bits[:, first - top :]
        if bits.shape[1] == 0:
            return
        block, before = divmod(first, BLOCK)
        blocks = -(-(before + bits.shape[1]) // BLOCK)
        # np.pad takes twenty times as long.
        padded = np.zeros((len(bits), blocks * BLOCK), np.uint64)
        padded[:, before : before + bits.shape[1]] = bits
        part = padded.reshape(len(bits), blocks, BLOCK)
        plane[:, block : block + blocks] |= part

    def _add_mirrored(self, plane: Words, bits: Words, dx: int, dy: int) -> None:
        """Add `bits` to `plane` at the seen cells, (dx, dy) from the origins."""
        whole, part = divmod(dx, 64)
        moved = np.zeros_like(bits)
        _add_columns(moved, bits << np.uint64(part), whole)
        if part:
            _add_columns(moved, bits >> np.uint64(64 - part), whole + 1)
        self._add(plane, moved, self.top + dy)

    def _through(self, seen: Words, dx: int, dy: int) -> Words:
        first = self.plan.radius + dy
        return seen[dx + self.plan.radius, :, first : first + self.rows]


def _add_columns(target: Words, source: Words, by: int) -> None:
    """Add the words of `source` to `target`, moved right by `by` columns."""
    if by > 0:
        target[by:] |= source[:-by]
    elif by < 0:
        target[:by] |= source[-by:]
    else:
        target |= source


def _seen(frame: Words, reach: int) -> Words:
    """Return the bits of `frame` shifted by each dx from -`reach` to `reach`.

    The result is uint64 [2 * reach + 1, columns, rows].
    """
    columns = len(frame) - 2
    seen = np.empty((2 * reach + 1, columns, frame.shape[1]), np.uint64)
    for dx in range(-reach, reach + 1):
        whole, part = divmod(dx, 64)
        here = frame[1 + whole : 1 + whole + columns]
        if part:
            beside = frame[2 + whole : 2 + whole + columns]
            seen[dx + reach] = (here >> np.uint64(part)) | (beside << np.uint64(64 - part))
        else:
            seen[dx + reach] = here
    return seen
