"""Fit a linear predictor to a grid with the same result on all platforms.

A sample is predicted from neighbours v_i as W + sum of f_i (v_i - W), where W is the neighbour to
the west; since the factors sum to one, flat ground is predicted exactly. Products are summed in
float64 matrices in which every partial sum is an integer below 2^53, hence exact in any order; the
equations are then solved in Python's integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SCALE = 1 << 18
# Samples of a fit: 2^20 products of two 16-bit differences stay below 2^53.
MOST = 1 << 20
# Products of pieces this long stay in one thread: BLAS would rather wait for a second one.
PIECE = 400
# A longer prediction must lower the squared error by one part in this many (0.014 bits a sample).
WORTH = 50
# A factor of 16: no terrain needs more, and sums stay far below 2^63.
LARGEST = 1 << 22


def fit(
    work: NDArray[np.int32], neighbours: tuple[tuple[int, int], ...], tap_counts: tuple[int, ...]
) -> tuple[int, ...]:
    """Fit a linear predictor to a grid; return its factors times 2^18.

    There is a factor for each of the neighbours used: of the allowed numbers of neighbours, the one
    that predicts best is taken.

    Args:
        work: int32 [height + 3, width + 6]: samples of 16 bits, from row 3 and column 3 on.
        neighbours: (dx, dy) of each neighbour, W (the one to the west) first.
        tap_counts: The allowed numbers of neighbours, ascending.
    """
    height, width = work.shape[0] - 3, work.shape[1] - 6
    if height < 8 or width < 8:
        # Nothing to learn from: the plane through W, N and NW, or W alone in a single row.
        return (SCALE,) if height == 1 else (SCALE, SCALE, -SCALE)
    table = _products(work, neighbours[: tap_counts[-1]])
    size = len(table) - 1
    ridge = (sum(table[index][index] for index in range(size)) >> 24) + 1
    for index in range(size):
        table[index][index] += ridge
    errors = _eliminate(table)
    best, best_scale = errors[tap_counts[-1] - 1]
    taps = next(
        count
        for count in tap_counts
        if errors[count - 1][0] * WORTH * best_scale <= best * (WORTH + 1) * errors[count - 1][1]
    )
    factors = _solve(table, taps - 1)
    return (SCALE - sum(factors), *factors)


def _products(work: NDArray[np.int32], neighbours: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """Return the sums, over all samples, of products of two differences to W.

    W is the neighbour to the west. The differences are those of the other neighbours, and last that
    of the sample itself.
    """
    height, width = work.shape[0] - 3, work.shape[1] - 6
    # Inner samples only: their neighbours are all real. Large grids are sampled in separate rows.
    rows = np.arange(6, height + 3, max(1, -(-height * width // MOST)))
    left = work[rows][:, 5 : width - 1]
    stack = np.empty((len(neighbours), *left.shape), np.float64)
    for index, (dx, dy) in enumerate(neighbours[1:]):
        stack[index] = work[rows + dy][:, 6 + dx : width + dx] - left
    stack[-1] = work[rows][:, 6:width] - left
    flat = stack.reshape(len(neighbours), -1)
    sums = np.zeros((len(neighbours), len(neighbours)))
    for first in range(0, flat.shape[1], PIECE):
        piece = flat[:, first : first + PIECE]
        sums += piece @ piece.T
    return [[int(value) for value in row] for row in sums]


def _eliminate(table: list[list[int]]) -> list[tuple[int, int]]:
    """Eliminate the unknowns in `table` in place, in integers (Bareiss, 1968).

    Entry k of the result is the squared error of a prediction from the first k + 1 neighbours, as
    numerator and (positive) denominator.
    """
    size = len(table) - 1
    errors = [(table[size][size], 1)]
    previous = 1
    for pivot in range(size):
        head = table[pivot]
        for row in range(pivot + 1, size + 1):
            line = table[row]
            factor = line[pivot]
            for column in range(pivot + 1, size + 1):
                line[column] = (line[column] * head[pivot] - factor * head[column]) // previous
            line[pivot] = 0
        previous = head[pivot]
        errors.append((table[size][size], previous))
    return errors


def _solve(table: list[list[int]], unknowns: int) -> list[int]:
    """Return the factors, times 2^18, of the first `unknowns` neighbours.

    W, the first neighbour of all, is not among them. All factors are fractions over the last pivot
    (Cramer), so the division by the row's own pivot is exact.
    """
    last = len(table) - 1
    if not unknowns:
        return []
    whole = table[unknowns - 1][unknowns - 1]
    parts = [0] * unknowns
    for row in range(unknowns - 1, -1, -1):
        rest = whole * table[row][last]
        for column in range(row + 1, unknowns):
            rest -= table[row][column] * parts[column]
        parts[row] = rest // table[row][row]
    rounded = ((2 * part * SCALE + whole) // (2 * whole) for part in parts)
    return [max(-LARGEST, min(LARGEST, value)) for value in rounded]
