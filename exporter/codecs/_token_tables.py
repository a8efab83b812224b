"""Build the frequency tables of the height codec.

A residual is the difference between sample and prediction, a token its rough size, and the energy
of a cell the sum of tokens around it. Energies are divided into up to eight classes of about equal
weight; each class has a table of token frequencies that sum to 4096.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._numbers import NumberModel, NumberReader, NumberWriter
from exporter.codecs.entropy import order_zero_bits

TOKENS = 80
# Residuals of 16-bit samples have 17 bits at most.
LARGEST_TOKEN = 63
TOTAL = 4096
MOST_CLASSES = 8


def best_classes(
    energies: NDArray[np.uint8], tokens: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Divide energies into classes that give the smallest code.

    An energy sums up how rough the cells around a cell are, a token how large the cell's own
    difference from its prediction is.

    Args:
        energies: The energy of each cell.
        tokens: The token of each cell.

    Returns:
        The class of each energy, uint8 [80], and the counts of tokens in each class, int64
        [classes, 80].
    """
    pairs = energies.reshape(-1).astype(np.int64) * TOKENS + tokens.reshape(-1)
    counts = np.bincount(pairs, minlength=TOKENS * TOKENS).reshape(TOKENS, TOKENS)
    best: tuple[int, NDArray[np.uint8], NDArray[np.int64]] | None = None
    for expected in (1, 2, 4, MOST_CLASSES):
        classes = _cut(counts.sum(axis=1), expected)
        merged = np.zeros((int(classes.max()) + 1, TOKENS), np.int64)
        np.add.at(merged, classes, counts)
        # About five bits for each coded frequency.
        cost = sum(int(order_zero_bits(row)) for row in merged) + 5 * int((merged > 0).sum())
        if best is None or cost < best[0]:
            best = cost, classes, merged
    assert best is not None
    return best[1], best[2]


def _cut(weights: NDArray[np.int64], expected: int) -> NDArray[np.uint8]:
    """Divide the energies into at most `expected` runs of about equal weight."""
    below = np.cumsum(weights) - weights
    total = max(1, int(weights.sum()))
    classes = np.minimum(below * expected // total, expected - 1)
    occupied = np.unique(classes[weights > 0])
    places = np.searchsorted(occupied, classes, side="right").clip(1) - 1
    return np.asarray(places, np.uint8)


def normalise(counts: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Scale each row of `counts` to the sum 4096.

    Only counts of 0 become 0.
    """
    rows = []
    for row in counts:
        total = max(1, int(row.sum()))
        scaled = [max(1, int(count) * TOTAL // total) if count else 0 for count in row]
        order = sorted(range(TOKENS), key=lambda token: (-scaled[token], token))
        excess = sum(scaled) - TOTAL
        if not any(scaled):
            scaled[0], excess = TOTAL, 0
        # The commonest tokens can best do with a little more or less.
        for token in order * TOTAL:
            if excess == 0:
                break
            if excess < 0:
                scaled[token] -= excess
                excess = 0
            elif scaled[token] > 1:
                used = min(excess, max(1, scaled[token] // 16), scaled[token] - 1)
                scaled[token] -= used
                excess -= used
        rows.append(scaled)
    return np.array(rows, np.uint32)


def starts_of(frequencies: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return for each token the sum of the frequencies before it."""
    return np.asarray(np.cumsum(frequencies, axis=1) - frequencies, np.uint32)


def lookup(frequencies: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return tables to find a token by a number from 0 to 4095.

    The result is uint8 [tables, 4096]; each token occurs as often as its frequency says.
    """
    tokens = np.arange(TOKENS, dtype=np.uint8)
    return np.stack([np.repeat(tokens, row) for row in frequencies.astype(np.int64)])


def write_tables(
    writer: NumberWriter, classes: NDArray[np.uint8], frequencies: NDArray[np.uint32]
) -> None:
    """Encode the class of each energy, and the table of each class.

    A frequency is coded with one of several models, chosen by the bit length of the frequency
    before (0 at first).
    """
    runs = np.bincount(classes, minlength=len(frequencies))
    head = NumberModel()
    writer.number(head, len(frequencies) - 1)
    for run in runs[:-1]:
        writer.number(head, int(run))
    models = [NumberModel() for _ in range(14)]
    for row in frequencies:
        last = int(np.flatnonzero(row)[-1])
        writer.number(head, last)
        previous = 0
        for frequency in row[: last + 1]:
            writer.number(models[previous.bit_length()], int(frequency))
            previous = int(frequency)


def read_tables(reader: NumberReader) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Decode the classes and tables that `write_tables` has encoded.

    Raises:
        ValueError: The tables are incomplete.
    """
    head = NumberModel()
    tables = reader.number(head) + 1
    if tables > MOST_CLASSES:
        raise ValueError("there are more frequency tables than allowed")
    runs = [reader.number(head) for _ in range(tables - 1)]
    if sum(runs) > TOKENS:
        raise ValueError("an energy class is out of range")
    runs.append(TOKENS - sum(runs))
    classes = np.repeat(np.arange(tables, dtype=np.uint8), runs)
    models = [NumberModel() for _ in range(14)]
    frequencies = np.zeros((tables, TOKENS), np.uint32)
    for row in frequencies:
        last = reader.number(head)
        if last > LARGEST_TOKEN:
            raise ValueError("a frequency table has too many entries")
        previous = 0
        for token in range(last + 1):
            previous = reader.number(models[previous.bit_length()])
            if previous > TOTAL:
                raise ValueError("a frequency is out of range")
            row[token] = previous
        if int(row.sum()) != TOTAL:
            raise ValueError("the frequencies do not sum to 4096")
    return classes, frequencies
