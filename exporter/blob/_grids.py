"""Store the cells of a layer as one or more chunks of a blob.

A large grid is cut into parts, each a chunk that can be decoded alone, or with one other chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.blob._budget import price_of_part
from exporter.blob.container import NONE, VALUES, Chunk, Container
from exporter.codecs import (
    CODECS,
    Codec,
    EncodedArray,
    Limits,
    Side,
    choose,
    codec_by_number,
    decode_payload,
    on_a_scale,
)
from exporter.codecs.codec import (
    ELEMENTS,
    FIRST_OF_OTHERS,
    NO_SIDE,
    Array,
    Profile,
    canonical,
    element_code,
)
from exporter.codecs.tiles import CLOSE, encode_from_sides
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass

# The size of a part. Smaller parts cost more bytes: every part starts without statistics.
PART = 256
# Nothing can follow from another layer in fewer bytes than this.
SMALLEST_WITH_SIDE = 24


def parts(length: int, part: int = PART) -> list[tuple[int, int]]:
    """Divide a row or column of cells; return (start, length) of each part.

    `length` is the number of its cells. Every part has `part` cells, except the last: it has what
    is left, from half to one and a half times as many.
    """
    count = max(1, (length + part // 2) // part)
    starts = [index * part for index in range(count)]
    ends = [*starts[1:], length]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def write_grid(
    name: str,
    cells: Array,
    level: int,
    item: int,
    profile: Profile,
    earlier: Sequence[Array] = (),
    independent: bool = False,
    quick: bool = False,
) -> list[Chunk]:
    """Encode the cells of a layer; return its chunks row by row.

    One part may be the prior of others: these continue with the statistics learned from it. So all
    parts together are hardly larger than the whole, and a part needs at most one other. A grid that
    follows from an earlier layer (such as an autotile) uses that layer as side, an extra input of
    the codec. `independent` parts have neither prior nor side.

    Args:
        name: The type of the chunks.
        cells: The cells, [height, width].
        level: The index of the level in a pack, a blob with several levels.
        item: The index of the layer.
        profile: `small` (fewest bytes) or `fast` (fast to decode in scripts).
        earlier: The cells of the layers before this one.
        independent: Whether each part can be decoded alone.
        quick: Whether to save time: values like heights then use a side layer without a search, if
            that is about as short.
    """
    cells = canonical(cells)
    pieces = _pieces(cells)
    if profile == "small" and not independent:
        sides = _side_pieces(cells, earlier)
        coded = [
            _coded(piece, {number: side[index] for number, side in sides.items()}, quick)
            for index, piece in enumerate(pieces)
        ]
        coded = _with_prior(pieces, coded)
    else:
        coded = [_Coded(choose(piece, profile=profile)) for piece in pieces]
    return [
        Chunk(
            name,
            entry.encoded.codec.number,
            entry.encoded.payload,
            element_code(cells.dtype),
            level,
            item,
            index,
            piece.shape[1],
            piece.shape[0],
            entry.side,
            entry.prior,
        )
        for index, (piece, entry) in enumerate(zip(pieces, coded, strict=True))
    ]


@dataclass(frozen=True, slots=True)
class _Coded:
    """An encoded part of a grid, and what it needs to be decoded.

    `side` is the index of a layer that its codec also reads, and `prior` that of another part,
    which its codec continues; `NONE` without one.
    """

    encoded: EncodedArray
    side: int = NONE
    prior: int = NONE


def _pieces(cells: Array) -> list[Array]:
    return [
        np.ascontiguousarray(cells[top : top + height, left : left + width])
        for top, height in parts(cells.shape[0])
        for left, width in parts(cells.shape[1])
    ]


def _side_pieces(cells: Array, earlier: Sequence[Array]) -> dict[int, list[Array]]:
    """Return the parts of each layer in `earlier` that is as large as `cells`.

    The keys are indices of layers.
    """
    return {
        number: _pieces(canonical(other))
        for number, other in enumerate(earlier)
        if other.shape == cells.shape and number < NONE
    }


def _coded(piece: Array, sides: dict[int, Array], quick: bool) -> _Coded:
    """Encode a part, with another layer as extra input if that is shorter.

    `sides` has the same part of other layers, by index.
    """
    codec = CODECS.get("tiles")
    result = None
    if quick and on_a_scale(np.unique(piece)):
        result = encode_from_sides(piece, list(sides.values()))
        # A side with other contents can make it many times longer.
        plain = len(choose(piece, profile="fast").payload)
        if result is not None and len(result[1]) * 100 > plain * (100 + CLOSE):
            result = None
    if result is None:
        alone = choose(piece)
        if len(alone.payload) <= SMALLEST_WITH_SIDE:
            return _Coded(alone)
        rival = alone.payload if alone.codec is codec else None
        result = encode_from_sides(piece, list(sides.values()), rival)
        if result is None or len(result[1]) >= len(alone.payload):
            return _Coded(alone)
    number, payload = list(sides)[result[0]], result[1]
    side = Side(sides[number])
    again = decode_payload(codec.number, payload, piece.shape, piece.dtype, side)
    if not np.array_equal(again, piece):
        raise AssertionError("a layer does not follow from its side layer as it was coded")
    return _Coded(EncodedArray(codec, payload), side=number)


def _with_prior(pieces: list[Array], coded: list[_Coded]) -> list[_Coded]:
    """Return the encoded parts, with a common prior where that is shorter.

    The prior is the largest encoded part; others then continue with what the codec learned from it.
    """
    first = max(range(len(coded)), key=lambda index: len(coded[index].encoded.payload))
    teacher = coded[first]
    if len(coded) == 1 or not teacher.encoded.codec.continues or teacher.side != NONE:
        return coded
    side = Side(prior=teacher.encoded.payload, prior_shape=pieces[first].shape)
    return [
        item if index == first else _shorter(piece, item, teacher.encoded.codec, side, first)
        for index, (piece, item) in enumerate(zip(pieces, coded, strict=True))
    ]


def _shorter(piece: Array, alone: _Coded, codec: Codec, side: Side, prior: int) -> _Coded:
    """Encode a part as a continuation of another; keep `alone` if shorter.

    `alone` is the part encoded by itself. `side` has the payload to continue, that of part `prior`.
    """
    try:
        continued = choose(piece, codec.name, side=side)
    except ValueError:
        return alone
    if len(continued.payload) >= len(alone.encoded.payload):
        return alone
    return _Coded(continued, prior=prior)


class StoredGrid:
    """The cells of a layer in a blob, decoded part by part when needed."""

    def __init__(
        self,
        container: Container,
        name: str,
        level: int,
        item: int,
        size: tuple[int, int],
        limits: Limits,
    ) -> None:
        """Find the parts of a grid in a blob; decode none yet.

        `item` is the index of the layer, `level` that of the level in a pack; `size` is (width,
        height).
        """
        self.size = size
        self._container, self._limits = container, limits
        self._called = f"{name} {item}"
        self._columns, self._rows = parts(size[0]), parts(size[1])
        self._chunks = container.find(name, level, item)
        self._prior = Chunk("", 0, b"")
        if len(self._chunks) != len(self._columns) * len(self._rows):
            raise BlobError(f"chunks of {self._called} are missing")
        self.dtype = _element(container.entry(self._chunks[0]))
        limits.check((size[1], size[0]), self.dtype)
        for number, index in enumerate(self._chunks):
            self._check(number, container.entry(index))
            self._check_empty(container.entry(index), container.stored_length(index))

    def __len__(self) -> int:
        return len(self._chunks)

    def corner(self, number: int) -> tuple[int, int]:
        """Return the upper left cell (x, y) of part `number`."""
        row, column = divmod(number, len(self._columns))
        return self._columns[column][0], self._rows[row][0]

    def entry(self, number: int) -> Chunk:
        """Return the directory entry of part `number`."""
        return self._container.entry(self._chunks[number])

    def price(self, number: int) -> tuple[int, int]:
        """Return the bytes and steps that decoding part `number` takes.

        If the part depends on another one, decoding that is included.
        """
        size, steps = price_of_part(self.entry(number))
        prior = self.entry(number).prior
        if prior < len(self):
            steps += price_of_part(self.entry(prior))[1]
        return size, steps

    def part(self, number: int, side: Array | None) -> Array:
        """Decode the cells of part `number`; parts are numbered row by row.

        If the part depends on another one, that is decoded first. `side` are the cells of the same
        part in another layer, which the codec also reads; None if it reads none.

        Raises:
            BlobError: The chunk is damaged, or its dependencies are unusable.
        """
        chunk = self._container.load(self._chunks[number])
        shape = (chunk.height, chunk.width)
        needs = self._side_of(chunk, side)
        return decode_payload(chunk.codec, chunk.payload, shape, self.dtype, needs, self._limits)

    def _check(self, number: int, chunk: Chunk) -> None:
        row, column = divmod(number, len(self._columns))
        size = (self._columns[column][1], self._rows[row][1])
        fits = (chunk.cell, chunk.width, chunk.height) == (number, *size)
        if not fits or _element(chunk) != self.dtype:
            raise BlobError(f"the chunks of {self._called} do not fit together")
        if chunk.codec >= FIRST_OF_OTHERS:
            raise BlobError(
                f"codec {chunk.codec} is not allowed in blobs, because no engine could read it"
            )

    def _check_empty(self, chunk: Chunk, length: int) -> None:
        alone = chunk.side == NONE and chunk.prior == NONE
        if chunk.width * chunk.height == 0 and (chunk.codec or length or not alone):
            raise BlobError(f"a chunk of {self._called} has data but no cells")

    def _side_of(self, chunk: Chunk, cells: Array | None) -> Side:
        if (cells is None) != (chunk.side == NONE):
            raise BlobError(
                f"a chunk of {self._called} depends on a layer that it may not depend on"
            )
        cells = None if cells is None else canonical(cells)
        if chunk.prior == NONE:
            return NO_SIDE if cells is None else Side(cells)
        if chunk.prior >= len(self._chunks) or chunk.prior == chunk.cell:
            raise BlobError(f"a chunk of {self._called} continues a chunk that does not exist")
        # Most parts have the same, whose payload takes long to check.
        if self._prior.cell != chunk.prior or not self._prior.type:
            self._prior = self._container.load(self._chunks[chunk.prior])
        prior = self._prior
        if prior.prior != NONE or prior.side != NONE or prior.codec != chunk.codec:
            raise BlobError(f"a chunk of {self._called} continues a chunk that it may not continue")
        if not codec_by_number(chunk.codec).continues:
            raise BlobError(f"codec {chunk.codec} cannot continue another chunk")
        return Side(cells, prior.payload, (prior.height, prior.width))


def read_grid(
    container: Container,
    name: str,
    level: int,
    item: int,
    size: tuple[int, int],
    limits: Limits,
    earlier: Sequence[Array] = (),
) -> Array:
    """Decode all cells of a layer: an array [height, width].

    Args:
        container: The blob.
        name: The type of the layer's chunks.
        level: The index of the level in a pack.
        item: The index of the layer.
        size: The width and height of the layer.
        limits: The limits of decoding.
        earlier: The cells of the layers before this one, which parts may depend on.

    Raises:
        BlobError: Parts are missing or do not fit together.
    """
    grid = StoredGrid(container, name, level, item, size, limits)
    cells = np.zeros((size[1], size[0]), grid.dtype)
    for number in range(len(grid)):
        chunk = grid.entry(number)
        left, top = grid.corner(number)
        position = (slice(top, top + chunk.height), slice(left, left + chunk.width))
        side: Array | None = None
        if chunk.side != NONE:
            if chunk.side >= len(earlier) or earlier[chunk.side].shape != cells.shape:
                raise BlobError(f"chunk {name} depends on a layer that does not come before it")
            side = earlier[chunk.side][position]
        cells[position] = grid.part(number, side)
    return cells


def read_truth(
    container: Container, name: str, level: int, item: int, size: tuple[int, int], limits: Limits
) -> NDArray[np.bool_]:
    """Decode a mask, such as the walkable cells: bool [height, width].

    Args:
        container: The blob.
        name: The type of the mask's chunks.
        level: The index of the level in a pack.
        item: The index of the layer or mask.
        size: The width and height of the mask.
        limits: The limits of decoding.

    Raises:
        BlobError: Parts are missing or do not fit together, or the cells have another type.
    """
    cells = read_grid(container, name, level, item, size, limits)
    if cells.dtype != np.bool_:
        raise BlobError(f"the cells of chunk {name} do not have the declared type")
    return cells


def _element(chunk: Chunk) -> np.dtype[Any]:
    if chunk.element == VALUES or chunk.element >= len(ELEMENTS):
        raise BlobError(f"chunk {chunk.type} has no known element type")
    return ELEMENTS[chunk.element]
