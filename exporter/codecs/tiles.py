"""Code grids of up to 256 ids, each predicted from its neighbours.

Many tile layers show two classes (wall and floor), and the id of a cell follows from the classes of
the nine cells around it. So a layer of classes may be coded first, as a bitmap, or be taken from
another layer (the side layer); the ids are then coded in the context of the nine classes, and a
context that always has one id takes no bits.

    1 byte      bits 0-1: menu of contexts; bit 2: a class layer of its own; bit 3: the class
                layer comes from the side layer; bit 4: class of cells outside
    1 byte      number of ids - 1
    ids         first id, then (gap - 1, ids - 1) pairs of runs with equal gaps (base-128 numbers)
    classes     one bit for each id (own) or each distinct value of the side layer, ascending,
                first in the high bit, zeros up to a byte
    rest        range-coded decisions: of the class layer, then of the ids

A payload that continues a prior, another payload, has only the rest; everything before, and the
size of the tables, is that of the prior.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._range import Coder, Reader, Writer, view
from exporter.codecs._symbols import MOST as MOST_IDS
from exporter.codecs._symbols import dense_ids, on_a_scale
from exporter.codecs._tile_contexts import MASKED_MENUS, MENUS, Tables, nine_classes
from exporter.codecs._tile_head import ids_head, read_classes, read_ids
from exporter.codecs._tile_search import (
    SCALE_PIECE,
    busiest_piece,
    busiest_position,
    scale_cut,
    search_classes,
)
from exporter.codecs.bitmap import States, as_grid, code_cells, likely_edge
from exporter.codecs.codec import Array, Side, codec
from exporter.kernels import codec_tiles
from exporter.model.lazy_dataclass import dataclass

OWN, FROM_SIDE = 4, 8
# Decisions a cell can need: one flag, six candidates, eight bits of a new id.
DECISIONS = 15
# The length that marks a context with one id for good.
FOREVER = 255
# The same, if only the prior has shown it, and not yet the grid that continues the prior.
ONCE = 254
BATCH = 1 << 16
# Cells above which plans are compared on a piece.
LARGE = 1 << 14
# Values on a scale above which no single value is tried on the other side of the classes: that
# saves less than a byte in a hundred, and costs more than everything else.
MANY = 64
# Sizes on a piece that differ by fewer per cent may compare differently on the whole.
CLOSE = 12


@dataclass(frozen=True, slots=True)
class CodingPlan:
    """One way to code a grid of tile ids.

    Attributes:
        menu: The number of a set of contexts: which neighbours predict a cell.
        classes: The class, 0 or 1, of each id, or of each value of the side layer; None without
            classes.
        from_side: Whether the classes come from the side layer, another layer of the level.
    """

    menu: int
    classes: NDArray[np.uint8] | None = None
    from_side: bool = False


class Model:
    """What is known to code a grid: ids, classes and adaptive probabilities.

    The ids and classes come from the head of the payload.
    """

    def __init__(
        self, flags: int, ids: Array, classes: NDArray[np.uint8], size: tuple[int, int]
    ) -> None:
        self.flags = flags
        self.ids = ids
        self.classes = classes
        self.layer = States()
        self.tables = Tables(self.masked, flags & 3, size, ids.size)

    @property
    def masked(self) -> bool:
        """Whether ids are predicted from the classes of the nine cells around."""
        return bool(self.flags & (OWN | FROM_SIDE))

    @property
    def edge(self) -> int:
        """The class of cells outside the grid."""
        return self.flags >> 4 & 1


def encode(array: Array, side: Side) -> bytes | None:
    """Encode a grid of 2 to 256 ids in the fewest bytes; None for others.

    `side` may have another layer that predicts this one, or an earlier payload to continue.
    """
    if array.size == 0 or array.dtype == np.bool_:
        return None
    ids, dense = dense_ids(array)
    if not 2 <= ids.size <= MOST_IDS:
        return None
    grid = dense.reshape(as_grid(array.shape))
    if side.prior is not None:
        return _encode_on(array, ids, side)
    if on_a_scale(ids) and (grid.size > LARGE or ids.size > MANY):
        plans = _scale_plans(grid, ids)
    else:
        plans = _tile_plans(grid, ids)
    # Of equals the one with fewer contexts, which decodes quicker.
    best = min(
        (_with_plan(grid, ids, plan, None) for plan in plans),
        key=lambda payload: (len(payload), payload[0] & 3),
    )
    following = encode_from_sides(array, [side.cells] if side.cells is not None else [])
    return best if following is None else min(best, following[1], key=len)


def _tile_plans(grid: NDArray[Any], ids: Array) -> list[CodingPlan]:
    """Return the plans by which to encode the whole grid.

    For a small grid all plans; for a large one the two that code its busiest piece best, with a
    handicap for slow ones.
    """
    plans = [CodingPlan(menu) for menu in range(len(MENUS))]
    if min(grid.shape) > 1:
        classes = search_classes(grid, ids.size, _size_with_classes)
        plans += [CodingPlan(menu, classes) for menu in range(len(MASKED_MENUS))]
    if grid.size <= LARGE:
        return plans
    # Too many passes over all of it: a busy piece shows which plans are worth one. More levels of
    # contexts decode slower and must be worth two bytes in a hundred.
    piece = busiest_piece(grid)
    cost = {
        index: len(_with_plan(piece, ids, plan, None)) * (50 + plan.menu)
        for index, plan in enumerate(plans)
    }
    return [plans[index] for index in sorted(cost, key=cost.__getitem__)[:2]]


def _scale_plans(grid: NDArray[Any], ids: Array) -> list[CodingPlan]:
    """Return one or two plans worth trying for a grid of many values.

    Many values make coding slow, so a small piece of the grid decides. If two plans are close, both
    are returned, since contexts that learn slowly look worse on a small piece than they are.
    """
    plans = [CodingPlan(menu) for menu in range(len(MENUS))]
    if min(grid.shape) > 1:
        classes = scale_cut(grid, ids.size, _size_with_classes)
        plans += [CodingPlan(menu, classes) for menu in range(len(MASKED_MENUS))]
    piece = busiest_piece(grid, SCALE_PIECE)
    cost = [len(_with_plan(piece, ids, plan, None)) for plan in plans]
    first, second = sorted(range(len(plans)), key=cost.__getitem__)[:2]
    close = cost[second] * 100 < cost[first] * (100 + CLOSE)
    return [plans[first], plans[second]] if close else [plans[first]]


def encode_with_plan(array: Array, plan: CodingPlan) -> bytes:
    """Encode a grid of 2 to 256 ids by `plan`."""
    ids, dense = dense_ids(array)
    return _with_plan(dense.reshape(as_grid(array.shape)), ids, plan, None)


def encode_from_sides(
    array: Array, sides: Sequence[Array], rival: bytes | None = None
) -> tuple[int, bytes] | None:
    """Encode a layer with one of the layers `sides` as context.

    The layer that helps most is taken.

    Args:
        array: The cells.
        sides: The cells of other layers, of any type; only those of the same shape are used.
        rival: A payload of the same cells without a side layer, which the result must beat. If a
            piece of a large grid shows that it will not, the whole is not encoded.

    Returns:
        The index in `sides` and the payload; None if no layer helps.
    """
    if array.size == 0 or array.dtype == np.bool_:
        return None
    ids, dense = dense_ids(array)
    if not 2 <= ids.size <= MOST_IDS:
        return None
    grid = dense.reshape(as_grid(array.shape))
    position = busiest_position(grid) if grid.size > LARGE else (slice(None), slice(None))
    attempted: list[tuple[bytes, int, CodingPlan]] = []
    for index, cells in enumerate(sides):
        side_grid = _side_grid(Side(cells), array.shape)
        if side_grid is not None:
            piece = (side_grid[0], side_grid[1][position])
            for classes in _side_classes(side_grid[0].size):
                plan = CodingPlan(0, classes, True)
                attempted.append((_with_plan(grid[position], ids, plan, piece), index, plan))
    if not attempted:
        return None
    payload, best, plan = min(attempted, key=lambda entry: (len(entry[0]), entry[1]))
    if grid[position].shape == grid.shape:
        return best, payload
    if rival is not None:
        to_beat = len(_with_plan(grid[position], ids, _plan_of(rival, array), None))
        if len(payload) * 100 > to_beat * (100 + CLOSE):
            return None
    return best, _with_plan(grid, ids, plan, _side_grid(Side(sides[best]), array.shape))


def _plan_of(payload: bytes, array: Array) -> CodingPlan:
    """Return the plan by which `payload`, without a side layer, was coded."""
    model, _ = _read_head(payload, as_grid(array.shape), array.dtype, None)
    return CodingPlan(model.flags & 3, model.classes if model.flags & OWN else None)


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Decode a payload of `encode` to a grid of tile ids.

    `side` has what the encoder used besides the array: a second layer, or an earlier payload.

    Raises:
        ValueError: The payload is damaged, or the side layer that it needs is missing.
    """
    size = as_grid(shape)
    if side.prior is not None:
        model, stream = _model_after(side.prior, side.prior_shape, dtype), payload
        classes = None
    else:
        side_grid = _side_grid(side, shape)
        model, stream = _read_head(payload, size, dtype, side_grid)
        classes = model.classes[side_grid[1]] if side_grid and model.flags & FROM_SIDE else None
    dense = _read_stream(stream, model, size, classes)
    if dense.size and int(dense.max()) >= model.ids.size:
        raise ValueError("a tile id is out of range")
    return model.ids[dense].reshape(shape)


def _encode_on(array: Array, ids: Array, side: Side) -> bytes | None:
    """Encode as a continuation of the payload `side.prior`.

    Return None if one of `ids` does not occur there.
    """
    assert side.prior is not None
    model = _model_after(side.prior, side.prior_shape, array.dtype)
    places = np.searchsorted(model.ids, ids)
    if not np.array_equal(model.ids[np.minimum(places, model.ids.size - 1)], ids):
        return None
    grid = np.searchsorted(model.ids, array).reshape(as_grid(array.shape))
    writer = Writer()
    classes = None
    if model.flags & OWN:
        classes = model.classes[grid]
        code_cells(writer, classes, model.edge, model.layer)
    _write_ids(grid, classes, model, writer)
    return writer.finish()


def _model_after(prior: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Model:
    """Return the model as it is after decoding the payload `prior`.

    The next payload continues with its ids and learned probabilities. `shape` is that of the array
    in `prior`.
    """
    return deepcopy(_learned(prior, shape, dtype))


# Parts that continue one prior are decoded one after another; a model takes megabytes.
@lru_cache(maxsize=1)
def _learned(prior: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Model:
    model, stream = _read_head(prior, as_grid(shape), dtype, None)
    _read_stream(stream, model, as_grid(shape), None)
    lengths = model.tables.lengths
    lengths[lengths == FOREVER] = ONCE
    return model


def _read_head(
    payload: bytes,
    size: tuple[int, int],
    dtype: np.dtype[Any],
    side_grid: tuple[Array, NDArray[Any]] | None,
) -> tuple[Model, bytes]:
    """Return a fresh model from a payload's head, and the stream after it.

    `side_grid` has the values of the side layer and its cells as indices of these; None without it.
    """
    flags, count = payload[0], payload[1] + 1
    masked = flags & (OWN | FROM_SIDE)
    if flags > 31 or masked == OWN | FROM_SIDE or (masked and flags & 3 >= len(MASKED_MENUS)):
        raise ValueError("unknown flags")
    ids, start = read_ids(payload, 2, count, dtype)
    classes = np.zeros(count, np.uint8)
    if masked == FROM_SIDE:
        if side_grid is None:
            raise ValueError("the layer that these tiles depend on is missing")
        classes, start = read_classes(payload, start, side_grid[0].size)
    elif masked == OWN:
        classes, start = read_classes(payload, start, count)
    return Model(flags, ids, classes, size), payload[start:]


def _read_stream(
    stream: bytes, model: Model, size: tuple[int, int], classes: NDArray[np.uint8] | None
) -> NDArray[np.int64]:
    """Decode the grid of indices into `model.ids`, adapting `model` to it.

    `classes` has each cell's class if it comes from the side layer, else None. The result is
    [height, width].
    """
    reader = Reader(stream)
    if model.flags & OWN:
        classes = np.zeros(size, np.uint8)
        code_cells(reader, classes, model.edge, model.layer)
    masks = np.zeros(size, np.uint16) if classes is None else nine_classes(classes, model.edge)
    work = _framed(size)
    _code_ids(reader, work, masks, np.zeros(512, np.uint8), model)
    return work[2:, 2:-1].astype(np.int64) - 1


def _with_plan(
    grid: NDArray[Any], ids: Array, plan: CodingPlan, side_grid: tuple[Array, NDArray[Any]] | None
) -> bytes:
    writer = Writer()
    if plan.classes is None:
        model = Model(plan.menu, ids, np.zeros(ids.size, np.uint8), grid.shape)
        _write_ids(grid, None, model, writer)
        return bytes((plan.menu, ids.size - 1)) + ids_head(ids) + writer.finish()
    layer = plan.classes[grid if side_grid is None or not plan.from_side else side_grid[1]]
    edge = likely_edge(layer)
    flags = plan.menu | (FROM_SIDE if plan.from_side else OWN) | edge << 4
    model = Model(flags, ids, plan.classes, grid.shape)
    if not plan.from_side:
        code_cells(writer, layer, edge, model.layer)
    _write_ids(grid, layer, model, writer)
    head = bytes((flags, ids.size - 1)) + ids_head(ids)
    return head + np.packbits(plan.classes).tobytes() + writer.finish()


def _write_ids(
    grid: NDArray[Any], classes: NDArray[np.uint8] | None, model: Model, writer: Writer
) -> None:
    work = _framed(grid.shape)
    work[2:, 2:-1] = grid
    work[2:, 2:-1] += 1
    forever = np.zeros(512, np.uint8)
    masks = np.zeros(grid.shape, np.uint16)
    if classes is not None:
        masks = nine_classes(classes, model.edge)
        forever = _masks_with_one_id(grid, masks)
        # If a context had only one id in the prior, no other id may go uncoded there.
        other = (model.tables.lengths[masks] == ONCE) & (
            model.tables.first_candidates[masks] != grid
        )
        forever[masks[other]] = 0
    _code_ids(writer, work, masks, forever, model)


def _framed(size: tuple[int, ...]) -> NDArray[np.uint16]:
    """Return an empty grid of `size` with a frame for the compiled kernel.

    A cell will have the index of its id plus 1; 0 is outside the grid.
    """
    return np.zeros((size[0] + 2, size[1] + 3), np.uint16)


def _code_ids(
    coder: Coder,
    work: NDArray[np.uint16],
    masks: NDArray[np.uint16],
    forever: NDArray[np.uint8],
    model: Model,
) -> None:
    """Decode a grid of indices into `work`, or encode the indices in it.

    `coder` is a reader or a writer. `masks` has the classes around each cell as 9 bits, and
    `forever` marks the masks with which only one id occurs.
    """
    height, width = masks.shape
    rows = min(height, max(1, BATCH // max(1, width)))
    tables = model.tables.views()
    for top in range(0, height, max(1, rows)):
        coder.run(
            codec_tiles.run,
            rows * width * DECISIONS,
            view(work),
            view(masks),
            view(forever),
            top,
            min(top + rows, height),
            *tables,
        )


def _masks_with_one_id(grid: NDArray[Any], masks: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Mark the masks with which only one id occurs: uint8 [512].

    `masks` has the classes of nine cells around each cell, as 9 bits.
    """
    last = np.zeros(512, np.int64)
    last[masks.reshape(-1)] = grid.reshape(-1)
    differs = np.zeros(512, np.uint8)
    differs[masks[last[masks] != grid]] = 1
    return np.asarray(1 - differs, np.uint8)


def _size_with_classes(grid: NDArray[Any], ids: int, classes: NDArray[np.uint8]) -> int:
    return len(_with_plan(grid, np.arange(ids), CodingPlan(0, classes), None))


def _side_grid(side: Side, shape: tuple[int, ...]) -> tuple[Array, NDArray[Any]] | None:
    """Return the side layer's values, and its cells as indices of these.

    Return None if the layer cannot be used for an array of `shape`.
    """
    if side.cells is None or side.cells.shape != shape or len(shape) < 2:
        return None
    values, dense = dense_ids(side.cells)
    if not 2 <= values.size <= MOST_IDS:
        return None
    return values, dense.reshape(as_grid(shape))


def _side_classes(count: int) -> list[NDArray[np.uint8]]:
    """Return ways to split `count` ascending values into low and high ones.

    Each has the class, 0 or 1, of every value.
    """
    index = np.arange(count)
    return [(index >= first).astype(np.uint8) for first in range(1, min(count, 9))]


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Return 0 for arrays of 3 to 256 values, so they are tried; else None.

    With a side layer, 2 values are tried, too; without one `bitmap` is better.
    """
    return 0 if 3 <= distinct <= MOST_IDS or (distinct == 2 and side.cells is not None) else None


TILES = codec("tiles", 17, encode, decode, ("small",), least, continues=True)
