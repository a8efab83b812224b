"""Code grids of two values, each predicted from twelve neighbours.

    1 byte      bit 0: what cells outside the grid count as; bit 1: the two values follow
    0 or 2 n    the value of a 0 cell and of a 1 cell, each as wide as the element type
    rest        range-coded decisions, row by row

A payload that continues a prior, another payload, has only the rest; values and edge are those of
the prior.

A one-dimensional array is one row; the planes of a three-dimensional array are put below each
other.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._range import FRESH, Coder, Reader, Writer, rates, view
from exporter.codecs.codec import Array, Side, codec
from exporter.kernels import codec_bitmap

# Decisions modelled before they are coded: bounds the memory of large grids.
BATCH = 1 << 20


def as_grid(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the height and width of the grid as which `shape` is coded.

    `shape` has 1 to 3 dimensions: one row, a grid, or planes below each other.
    """
    return prod(shape[:-1]), shape[-1]


class States:
    """The adaptive probabilities of the bitmap codec.

    There is one for each context, the values of the cells around a cell; contexts are small or
    large.
    """

    __slots__ = ("large", "small")

    def __init__(self) -> None:
        self.small = np.full(16, FRESH, np.uint32)
        self.large = np.zeros(4096, np.uint32)


def encode(array: Array, side: Side) -> bytes | None:
    """Encode a grid of two values; None for a grid with more or fewer.

    With `side.prior`, an earlier payload, the new one continues it: it has the same two values, and
    probabilities start as they were learned there.
    """
    if array.size == 0:
        return None
    low, high = array.min(), array.max()
    ones = (array == high).astype(np.uint8)
    if low == high or not np.array_equal(array == low, ones == 0):
        return None
    cells = ones.reshape(as_grid(array.shape))
    writer, states = Writer(), States()
    if side.prior is not None:
        states, values, edge = _after(side.prior, side.prior_shape, array.dtype)
        if (values[0], values[1]) != (low, high):
            return None
        code_cells(writer, cells, edge, states)
        return writer.finish()
    edge = likely_edge(cells)
    head = b"" if (low, high) == (0, 1) else np.array([low, high], array.dtype).tobytes()
    code_cells(writer, cells, edge, states)
    return bytes((edge | (2 if head else 0),)) + head + writer.finish()


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Decode a payload of `encode` to a grid of two values.

    Raises:
        ValueError: The payload's start is damaged.
    """
    if side.prior is not None:
        states, values, edge = _after(side.prior, side.prior_shape, dtype)
        cells = np.zeros(as_grid(shape), np.uint8)
        code_cells(Reader(payload), cells, edge, states)
    else:
        cells, values, _ = _read(payload, shape, dtype, States())
    return values[cells].reshape(shape)


def _after(prior: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[States, Array, int]:
    """Return what decoding the payload `prior` leaves for the next payload.

    The result is the learned probabilities, the two values, and the value of cells outside the
    grid.
    """
    states, values, edge = _learned(prior, shape, dtype)
    return deepcopy(states), values, edge


# Parts that continue one prior are decoded one after another.
@lru_cache(maxsize=1)
def _learned(
    prior: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> tuple[States, Array, int]:
    states = States()
    _, values, edge = _read(prior, shape, dtype, states)
    return states, values, edge


def _read(
    payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], states: States
) -> tuple[NDArray[np.uint8], Array, int]:
    """Decode a payload; return its cells, its two values and its edge.

    The cells are 0 or 1, and so is the edge, what cells outside the grid count as. `states` learn
    from the cells.
    """
    flags, start = payload[0], 1
    values = np.array([0, 1], dtype)
    if flags > 3:
        raise ValueError("unknown flags")
    if flags & 2:
        start += 2 * dtype.itemsize
        values = np.frombuffer(payload[1:start], dtype)
        if values.size != 2 or dtype == np.bool_:
            raise ValueError("the two values of the bitmap are missing")
    cells = np.zeros(as_grid(shape), np.uint8)
    code_cells(Reader(payload[start:]), cells, flags & 1, states)
    return cells, values, flags & 1


def likely_edge(cells: NDArray[np.uint8]) -> int:
    """Return the most frequent value in the first row and the outer columns.

    Cells outside the grid are taken to have this value.
    """
    border = int(cells[0].sum()) + int(cells[:, 0].sum()) + int(cells[:, -1].sum())
    return int(2 * border >= cells.shape[1] + 2 * cells.shape[0])


def code_cells(coder: Coder, cells: NDArray[np.uint8], edge: int, states: States) -> None:
    """Encode a grid of 0 and 1 in `cells`, or decode into it.

    `coder` is a writer or a reader; `edge` is what cells outside the grid count as. `states` learn
    from the cells.
    """
    height, width = cells.shape
    rows = min(height, max(1, BATCH // max(1, width)))
    for top in range(0, height, max(1, rows)):
        coder.run(
            codec_bitmap.run,
            rows * width,
            view(cells),
            top,
            min(top + rows, height),
            edge,
            view(states.small),
            view(states.large),
            view(rates()),
        )


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Return 0 for arrays of two values, which are always tried; else None."""
    return 0 if distinct == 2 else None


BITMAP = codec("bitmap", 16, encode, decode, ("small",), least, continues=True)
