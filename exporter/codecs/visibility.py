"""Code visibility, the cells that each cell sees, with its map as context.

For each offset, a plane says which viewers (transparent cells) see the cell at that offset. Any set
of offsets and any rule of sight can be coded; for rules that readers know, storing only the rule is
far smaller (see `exporter.blob`). The payload is

    base-128 number   bytes of the head
    head              range-coded numbers, see `_write_offsets`
    rest              range-coded decisions, plane by plane in the order of `coding_order`
"""

from __future__ import annotations

from itertools import pairwise
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._numbers import NumberModel, NumberReader, NumberWriter
from exporter.codecs._range import FRESH, Coder, Reader, Writer, number, rates, read_number, view
from exporter.codecs.codec import Array, Limits, Side, codec
from exporter.kernels import codec_visibility
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass

Offset = tuple[int, int]
# The farthest a cell of a table may lie, on either axis.
FARTHEST = 255
DISC, SQUARE, LISTED = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """Which cells each cell of a map sees: one plane for each offset.

    Attributes:
        offsets: (dx, dy) of each plane.
        planes: bool [offsets, height, width]: whether the viewer at that position sees the cell at
            the offset. False for opaque viewers.
    """

    offsets: tuple[Offset, ...]
    planes: NDArray[np.bool_]


def encode_visibility(planes: Array, offsets: Array | list[Offset], opaque: NDArray[Any]) -> bytes:
    """Encode a visibility table: which cells each cell sees.

    Args:
        planes: bool or 0/1 [offsets, height, width]: whether each cell sees the cell at the offset;
            or uint8 [offsets, bytes], the bits of the transparent cells in reading order, first in
            the high bit.
        offsets: (dx, dy) of each plane, without (0, 0).
        opaque: bool or 0/1 [height, width]: the opaque cells of the map, from which sight is
            predicted.

    Raises:
        ValueError: Offsets repeat or are too far, shapes disagree, an opaque cell sees others, or a
            cell outside the map is seen.
    """
    pairs = [(int(dx), int(dy)) for dx, dy in offsets]
    walls = np.ascontiguousarray(np.asarray(opaque) != 0, np.uint8)
    full = np.asarray(planes)
    if full.ndim == 2:
        full = unpack_planes(full, walls)
    if full.shape != (len(pairs), *walls.shape):
        raise ValueError(
            f"planes of shape {full.shape} do not fit {len(pairs)} offsets and the map"
        )
    order = sorted(range(len(pairs)), key=lambda index: _rank(pairs[index]))
    ordered = [pairs[index] for index in order]
    if len(set(pairs)) != len(pairs) or any(not _allowed(pair) for pair in pairs):
        raise ValueError(f"offsets must differ and reach 1 to {FARTHEST} cells")
    full = np.ascontiguousarray(full[order] != 0, np.uint8)
    if (full & _impossible(ordered, walls)).any():
        raise ValueError(
            "`planes` does not fit `opaque`: a wall cannot see, and a cell outside the map cannot "
            "be seen (set those values to False)"
        )
    head = NumberWriter()
    _write_offsets(head, ordered)
    first = head.finish()
    writer = Writer()
    _code_planes(writer, full, ordered, walls)
    return number(len(first)) + first + writer.finish()


def decode_visibility(
    payload: bytes,
    opaque: NDArray[Any],
    offsets: Array | list[Offset] | None = None,
) -> Planes:
    """Decode a visibility table: which cells each cell sees.

    Args:
        payload: The encoded bytes, from `encode_visibility`.
        opaque: bool [height, width]: the opaque cells, the same as when encoded.
        offsets: The order in which the planes are returned; None for the order of coding.

    Raises:
        BlobError: The payload is damaged, does not fit the map, or exceeds the limits.
    """
    walls = np.ascontiguousarray(np.asarray(opaque) != 0, np.uint8)
    try:
        length, at = read_number(payload, 0)
        ordered = _read_offsets(NumberReader(payload[at : at + length]))
        shape = (len(ordered), *walls.shape)
        Limits().check(shape, np.dtype(np.uint8))
        full = np.zeros(shape, np.uint8)
        _code_planes(Reader(payload[at + length :]), full, ordered, walls)
        if offsets is not None:
            places = {pair: index for index, pair in enumerate(ordered)}
            ordered = [(int(dx), int(dy)) for dx, dy in offsets]
            full = full[[places[pair] for pair in ordered]]
    except (ValueError, IndexError, KeyError) as error:
        raise BlobError(f"broken visibility data: {error!r}") from error
    return Planes(tuple(ordered), full.astype(np.bool_))


def unpack_planes(packed: Array, opaque: NDArray[Any]) -> NDArray[np.uint8]:
    """Unpack planes of bits to uint8 [offsets, height, width].

    A plane says which cells see the cell at one offset. `packed` has one bit for each transparent
    cell of `opaque`, offset by offset.

    Raises:
        ValueError: A plane has not one bit for each transparent cell.
    """
    viewers = np.asarray(opaque) == 0
    count = int(viewers.sum())
    if packed.dtype != np.uint8 or packed.shape[1] != (count + 7) // 8:
        raise ValueError("a packed plane must have one bit for each transparent cell")
    planes = np.zeros((len(packed), *viewers.shape), np.uint8)
    planes[:, viewers] = np.unpackbits(packed, axis=1, count=count)
    return planes


def coding_order(offsets: list[Offset]) -> list[Offset]:
    """Return `offsets` in the order of coding: from the nearest outwards.

    The larger of |dx| and |dy| is compared first, then the smaller one.
    """
    return sorted(offsets, key=_rank)


def _rank(pair: Offset) -> tuple[int, int, int, int]:
    dx, dy = pair
    return max(abs(dx), abs(dy)), min(abs(dx), abs(dy)), dy, dx


def _allowed(pair: Offset) -> bool:
    return 1 <= max(abs(pair[0]), abs(pair[1])) <= FARTHEST


def _impossible(offsets: list[Offset], walls: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mark for each offset the cells that cannot see along it.

    These are opaque cells, and cells from which the offset leads outside the map. The result is
    uint8 [offsets, height, width].
    """
    height, width = walls.shape
    result = np.broadcast_to(walls, (len(offsets), height, width)).copy()
    rows, columns = np.arange(height)[:, None], np.arange(width)
    for plane, (dx, dy) in zip(result, offsets, strict=True):
        outside = (rows + dy < 0) | (rows + dy >= height)
        plane |= outside | (columns + dx < 0) | (columns + dx >= width)
    return result


def _lines(offsets: list[Offset]) -> NDArray[np.int64]:
    """Return what predicts each offset: the cells before it on its line.

    The result is int64 [offsets, 10]. A row has dx and dy; then dx, dy and plane of each of the two
    cells before it on the line (plane -1: there is none); the plane of the opposite offset if that
    is earlier, else -1; and the class of the offset, equal for its mirror images.
    """
    index = {pair: position for position, pair in enumerate(offsets)}
    index[0, 0] = -2
    classes: dict[Offset, int] = {}
    lines = np.zeros((len(offsets), 10), np.int64)
    for position, (dx, dy) in enumerate(offsets):
        far, near = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
        # The line at one step less along the longer axis: between two cells, or on one.
        low = near * (far - 1) // far
        high = -(-near * (far - 1) // far)
        befores = [_oriented(far - 1, step, dx, dy) for step in (low, high)]
        opposite = index.get((-dx, -dy), -1)
        row = [dx, dy]
        for before in befores:
            row += [*before, index.get(before, -1)]
        row.append(opposite if opposite < position else -1)
        row.append(classes.setdefault((far, near), len(classes)))
        lines[position] = row
    return lines


def _oriented(far: int, near: int, dx: int, dy: int) -> Offset:
    """Return the offset of `far` cells along and `near` cells across.

    Along is the longer axis of (dx, dy), and the signs are those of (dx, dy).
    """
    across = (far, near) if abs(dx) >= abs(dy) else (near, far)
    return across[0] * (-1 if dx < 0 else 1), across[1] * (-1 if dy < 0 else 1)


def _states(lines: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    classes = int(lines[:, 9].max()) + 1
    return np.full(128, FRESH, np.uint32), np.zeros(128 * classes, np.uint32)


def _code_planes(
    coder: Coder, full: NDArray[np.uint8], offsets: list[Offset], walls: NDArray[np.uint8]
) -> None:
    """Decode all planes into `full`, or encode the planes in it.

    `coder` is a reader or a writer. `full` is [offsets, height, width]: whether each cell sees the
    cell at the offset; `walls` are the opaque cells.
    """
    if not full.size:
        return
    lines = _lines(offsets)
    shared, own = _states(lines)
    arrays = view(full), view(walls), view(lines)
    states = view(shared), view(own), view(rates())
    for plane in range(len(offsets)):
        coder.run(codec_visibility.run, walls.size, *arrays, plane, *states)


def _write_offsets(writer: NumberWriter, ordered: list[Offset]) -> None:
    """Code the offsets: as a disc or square by its radius, or one by one.

    Single offsets are coded relative to the one before (at first (0, 0)); a number n becomes 2 n,
    or -2 n - 1 below 0.
    """
    model = NumberModel()
    reach = max((_rank(pair)[0] for pair in ordered), default=0)
    squared = max((dx * dx + dy * dy for dx, dy in ordered), default=0)
    if ordered == _disc(squared):
        writer.number(model, DISC)
        writer.number(model, squared)
    elif ordered == _square(reach):
        writer.number(model, SQUARE)
        writer.number(model, reach)
    else:
        writer.number(model, LISTED)
        writer.number(model, len(ordered))
        before = (0, 0)
        for pair in ordered:
            for axis in (0, 1):
                step = pair[axis] - before[axis]
                writer.number(model, step << 1 if step >= 0 else (-step << 1) - 1)
            before = pair


def _read_offsets(reader: NumberReader) -> list[Offset]:
    model = NumberModel()
    kind, size = reader.number(model), reader.number(model)
    if kind == DISC and size <= 2 * FARTHEST * FARTHEST:
        ordered = _disc(size)
    elif kind == SQUARE and size <= FARTHEST:
        ordered = _square(size)
    elif kind == LISTED and size < (2 * FARTHEST + 1) ** 2:
        ordered, before = [], (0, 0)
        for _ in range(size):
            steps = [reader.number(model) for _axis in range(2)]
            dx, dy = (-(step >> 1) - 1 if step & 1 else step >> 1 for step in steps)
            before = (before[0] + dx, before[1] + dy)
            if reader.overrun or not _allowed(before):
                raise ValueError("an offset is out of range")
            ordered.append(before)
        if any(_rank(a) >= _rank(b) for a, b in pairwise(ordered)):
            raise ValueError("the offsets are not in order")
    else:
        raise ValueError("unknown set of offsets")
    return ordered


def _disc(squared: int) -> list[Offset]:
    """Return the offsets within a distance, in the order of coding.

    `squared` is the square of the distance.
    """
    reach = min(FARTHEST, isqrt(squared))
    axis = range(-reach, reach + 1)
    return coding_order(
        [(dx, dy) for dy in axis for dx in axis if 0 < dx * dx + dy * dy <= squared]
    )


def _square(reach: int) -> list[Offset]:
    axis = range(-reach, reach + 1)
    return coding_order([(dx, dy) for dy in axis for dx in axis if (dx, dy) != (0, 0)])


def _as_array_codec(array: Array, side: Side) -> bytes | None:
    """Encode the planes of all offsets in a square, given opaque cells.

    `array` is bool [offsets, height, width], and `side.cells` the opaque cells. Return None for any
    other array.
    """
    if side.cells is None or array.ndim != 3 or array.dtype != np.bool_:
        return None
    reach = (isqrt(len(array) + 1) - 1) // 2
    square = _square(reach)
    if len(square) != len(array) or side.cells.shape != array.shape[1:]:
        return None
    try:
        return encode_visibility(array, square, side.cells)
    except ValueError:
        return None


def _from_payload(
    payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side
) -> Array:
    """Decode planes from `payload`, given the opaque cells `side.cells`."""
    if side.cells is None or side.cells.shape != shape[1:]:
        raise ValueError("the opaque map that the visibility depends on is missing")
    return decode_visibility(payload, side.cells).planes.astype(dtype)


def _least(array: Array, distinct: int, side: Side) -> int | None:
    """Return 0 for planes with their opaque cells, so they are tried.

    Return None for other arrays.
    """
    return 0 if side.cells is not None and array.ndim == 3 else None


VISIBILITY = codec("visibility", 20, _as_array_codec, _from_payload, ("small",), _least)
