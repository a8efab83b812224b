"""Code heights as samples predicted from up to 24 neighbours.

The factors of the prediction are fitted to each grid by least squares, in integers (as for
elevation models by M. Inanc, "ODETCOM", 2008); the differences are coded by rANS, a range coder.
The payload is

    base-128 number   bytes of the head
    head              range-coded numbers, see `_write_head`
    base-128 number   bytes of the rANS stream
    rANS stream, then the raw low bits
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._least_squares import fit
from exporter.codecs._numbers import NumberModel, NumberReader, NumberWriter
from exporter.codecs._range import as_bytes, number, read_number, view
from exporter.codecs._symbols import MOST, dense_ids, on_a_scale
from exporter.codecs._token_tables import (
    TOKENS,
    best_classes,
    lookup,
    normalise,
    read_tables,
    starts_of,
    write_tables,
)
from exporter.codecs.bitmap import as_grid
from exporter.codecs.codec import Array, Side, codec
from exporter.codecs.entropy import order_zero_bits
from exporter.kernels import codec_heights
from exporter.model.lazy_dataclass import dataclass

# Neighbours (dx, dy) by distance; a prediction uses the first 1 to 24 of them.
NEIGHBOURS = (
    (-1, 0), (0, -1), (-1, -1), (1, -1), (-2, 0), (0, -2), (-2, -1), (2, -1),
    (-1, -2), (1, -2), (-2, -2), (2, -2), (-3, 0), (0, -3), (-3, -1), (3, -1),
    (-1, -3), (1, -3), (-3, -2), (3, -2), (-2, -3), (2, -3), (-3, -3), (3, -3),
)  # fmt: skip
SPAN = 1 << 16
# 24 factors of this size times 16-bit samples stay below 2^48.
LARGEST_FACTOR = 1 << 27
# Cells that are measured for an estimate.
SAMPLED = 1 << 13


@dataclass(frozen=True, slots=True)
class Prediction:
    """A linear predictor of heights from neighbouring samples.

    Attributes:
        lowest: The lowest sample.
        span: The highest sample minus the lowest.
        factors: The factor of each neighbour, times 2^18.
    """

    lowest: int
    span: int
    factors: tuple[int, ...]

    def taps(self) -> NDArray[np.int64]:
        """Return each neighbour (dx, dy) with its factor: int64 [taps, 3]."""
        rows = [
            (dx, dy, factor) for (dx, dy), factor in zip(NEIGHBOURS, self.factors, strict=False)
        ]
        return np.array(rows, np.int64).reshape(-1, 3)


def encode(array: Array, side: Side) -> bytes | None:
    """Encode a grid of heights; None for few cells or too wide a span.

    The span is the highest sample minus the lowest.
    """
    result = residuals(array, (1, 6, 10, 18, 24))
    if result is None:
        return None
    prediction, folded = result
    energies = np.zeros(folded.shape, np.uint8)
    tokens = np.zeros(folded.shape, np.uint8)
    codec_heights.classify(view(folded), view(energies), view(tokens))
    classes, counts = best_classes(energies, tokens)
    frequencies = normalise(counts)
    coded = np.empty(2 * folded.size + 8, np.uint8)
    raw = np.empty(2 * folded.size + 8, np.uint8)
    at, room = codec_heights.write(
        view(folded.reshape(-1)),
        view(tokens.reshape(-1)),
        view(np.ascontiguousarray(classes[energies.reshape(-1)])),
        view(frequencies),
        view(starts_of(frequencies)),
        view(coded),
        view(raw),
    )
    head = _write_head(prediction, classes, frequencies)
    body = coded[at:].tobytes()
    return number(len(head)) + head + number(len(body)) + body + raw[:room].tobytes()


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Decode a payload of `encode` to a grid of heights.

    Raises:
        ValueError: The head, a stream or a sample is damaged.
    """
    length, at = read_number(payload, 0)
    head = payload[at : at + length]
    prediction, classes, frequencies = _read_head(head)
    length, at = read_number(payload, at + length)
    if length > len(payload) - at:
        raise ValueError("the coded stream is incomplete")
    folded = np.zeros(as_grid(shape), np.uint32)
    wrong = codec_heights.read(
        view(as_bytes(payload[at : at + length])),
        view(as_bytes(payload[at + length :])),
        view(classes),
        view(frequencies),
        view(starts_of(frequencies)),
        view(lookup(frequencies)),
        view(folded),
    )
    if wrong:
        raise ValueError("the coded stream is longer than the declared samples")
    return samples(prediction, folded, dtype).reshape(shape)


def residuals(
    array: Array, tap_counts: tuple[int, ...]
) -> tuple[Prediction, NDArray[np.uint32]] | None:
    """Fit a predictor to `array`; return it with the residuals that it leaves.

    A residual is a sample minus its prediction, as an unsigned number. `tap_counts` are the numbers
    of neighbours to try. Return None for samples that do not suit a predictor.
    """
    if array.size < 2 or array.dtype == np.bool_:
        return None
    lowest, highest = int(array.min()), int(array.max())
    if not 0 < highest - lowest < SPAN:
        return None
    height, width = as_grid(array.shape)
    work = np.zeros((height + 3, width + 6), np.int32)
    work[3:, 3:-3] = array.reshape(height, width).astype(np.int64) - lowest
    factors = fit(work, NEIGHBOURS, tap_counts)
    prediction = Prediction(lowest, highest - lowest, factors)
    folded = np.zeros((height, width), np.uint32)
    codec_heights.predict(False, view(work), view(prediction.taps()), prediction.span, view(folded))
    return prediction, folded


def samples(prediction: Prediction, folded: NDArray[np.uint32], dtype: np.dtype[Any]) -> Array:
    """Return the samples [height, width] from a prediction and its residuals.

    `folded` are the residuals (sample minus prediction) as unsigned numbers.

    Raises:
        ValueError: A sample is out of range.
    """
    information = np.iinfo(dtype)
    lowest, span = prediction.lowest, prediction.span
    if lowest < information.min or lowest + span > information.max:
        raise ValueError("a sample is outside the range of the array's type")
    work = np.zeros((folded.shape[0] + 3, folded.shape[1] + 6), np.int32)
    wrong = folded.size and codec_heights.predict(
        True, view(work), view(prediction.taps()), span, view(folded)
    )
    if wrong:
        raise ValueError("a height sample is out of range")
    return (work[3:, 3:-3].astype(np.int64) + lowest).astype(dtype)


def write_prediction(writer: NumberWriter, model: NumberModel, prediction: Prediction) -> None:
    """Encode a linear predictor; a factor n as 2 n, or as -2 n - 1 below 0.

    `model` has the adaptive bit probabilities, which the coded numbers update.
    """
    writer.number(model, _fold(prediction.lowest))
    writer.number(model, prediction.span)
    writer.number(model, len(prediction.factors))
    for factor in prediction.factors:
        writer.number(model, _fold(factor))


def read_prediction(reader: NumberReader, model: NumberModel) -> Prediction:
    """Decode a linear predictor that `write_prediction` encoded.

    `model` has the adaptive bit probabilities, which the decoded numbers update.

    Raises:
        ValueError: A number is out of range.
    """
    lowest, span = _unfold(reader.number(model)), reader.number(model)
    count = reader.number(model)
    if not -(1 << 31) <= lowest < 1 << 31 or span >= SPAN or not 1 <= count <= len(NEIGHBOURS):
        raise ValueError("the lowest value, span or factor count of a prediction is out of range")
    factors = tuple(_unfold(reader.number(model)) for _ in range(count))
    if any(abs(factor) > LARGEST_FACTOR for factor in factors):
        raise ValueError("a factor of a prediction is out of range")
    return Prediction(lowest, span, factors)


def _write_head(
    prediction: Prediction, classes: NDArray[np.uint8], frequencies: NDArray[np.uint32]
) -> bytes:
    writer, model = NumberWriter(), NumberModel()
    write_prediction(writer, model, prediction)
    write_tables(writer, classes, frequencies)
    return writer.finish()


def _read_head(head: bytes) -> tuple[Prediction, NDArray[np.uint8], NDArray[np.uint32]]:
    reader, model = NumberReader(head), NumberModel()
    prediction = read_prediction(reader, model)
    classes, frequencies = read_tables(reader)
    assert frequencies.shape[1] == TOKENS
    return prediction, classes, frequencies


def _fold(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _unfold(value: int) -> int:
    return -(value >> 1) - 1 if value & 1 else value >> 1


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Estimate the bytes of a payload, so that the search can skip this codec.

    Not worth trying are arrays of at most 16 distinct values (256 in one dimension). The estimate
    is 0, so that the codec is always tried, for more than 256 values or values near each other. For
    others, which are rarely a smooth surface, some pairs of rows are measured.
    """
    if distinct <= (16 if array.ndim > 1 else 256):
        return None
    if distinct > MOST or not on_a_scale(dense_ids(array)[0]):
        return 0
    grid = array.reshape(as_grid(array.shape))
    if len(grid) < 2:
        return 0
    # Pairs of rows with about `SAMPLED` cells in all.
    step = 2 * max(1, grid.size // SAMPLED)
    rows = [grid[top : top + 2].astype(np.int64) for top in range(0, len(grid) - 1, step)]
    misses = np.concatenate([np.diff(np.diff(pair, axis=0)).reshape(-1) for pair in rows])
    folded = (misses << 1) ^ (misses >> 63)
    bits = sum(order_zero_bits(np.bincount(byte)) for byte in (folded & 255, folded >> 8))
    return int(bits / 8 * grid.size / max(1, misses.size))


HEIGHTS = codec("heights", 18, encode, decode, ("small",), least)
