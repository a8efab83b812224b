"""Choose a pattern for each cell, so that adjacent ones agree.

This is wave function collapse; see `exporter.kernels.wave_function`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exporter.generators._legend import TRANSPARENT, Legend
from exporter.generators._patterns import SIDES, Ids, Patterns
from exporter.generators.fixed import given_ids
from exporter.generators.given import FixedCells
from exporter.kernels import view, warn_uncompiled, wave_function
from exporter.model.lazy_dataclass import dataclass
from exporter.streams import Draws, PortableStream


def possible_patterns(
    patterns: Patterns, legend: Legend, fixed: FixedCells, periodic: bool
) -> NDArray[np.bool_]:
    """Return which patterns each cell may have beside the fixed cells.

    The result is bool [rows, columns, patterns]. Two things restrict nothing: a fixed tile that is
    in no pattern, and a cell that must not be walkable if all tiles of patterns are. With
    `periodic` the map continues at its opposite side.
    """
    given = given_ids(fixed, Legend(legend.tiles))
    given[~np.isin(given, patterns.tiles)] = TRANSPARENT
    walkable = np.zeros(int(patterns.tiles.max()) + 1, bool)
    for tile in legend.tiles:
        if tile.id < len(walkable):
            walkable[tile.id] = tile.walkable
    closed = fixed.closed & (not walkable[patterns.tiles].all())
    height, width = given.shape
    size = patterns.size
    margin = 0 if periodic else size - 1
    rows, columns = max(height - margin, 1), max(width - margin, 1)
    possible = np.ones((rows, columns, len(patterns.weights)), bool)
    for down in range(size):
        for across in range(size):
            tiles = patterns.tiles[:, down, across]
            y, x = np.arange(rows) + down, np.arange(columns) + across
            if periodic:
                y, x = y % height, x % width
            # A map smaller than a pattern shows only a part of it.
            y, x = y[y < height], x[x < width]
            expected = given[np.ix_(y, x)][:, :, None]
            shut = closed[np.ix_(y, x)][:, :, None]
            part = possible[: len(y), : len(x)]
            part &= (expected == TRANSPARENT) | (expected == tiles)
            part &= ~(shut & walkable[tiles])
    return possible


def contradiction(
    patterns: Patterns, possible: NDArray[np.bool_], periodic: bool
) -> tuple[int, int] | None:
    """Return a cell (x, y) that no pattern fits before any choice, or None.

    `possible`, bool [rows, columns, patterns], has the patterns that agree with the fixed cells.
    With `periodic` the map continues at its opposite side.
    """
    rows, columns, _ = possible.shape
    wave = _Wave.start(patterns, columns, rows, periodic, None, possible)
    if wave.settle():
        return None
    y, x = divmod(int((~wave.options.any(axis=1)).argmax()), columns)
    return x, y


@dataclass(frozen=True, slots=True, eq=False)
class _Wave:
    """The arrays that `wave_function.collapse` describes and changes."""

    options: NDArray[np.uint8]
    support: NDArray[np.int16]
    neighbours: NDArray[np.int32]
    starts: NDArray[np.int32]
    allowed: NDArray[np.int32]
    keys: NDArray[np.int64]
    heap: NDArray[np.int32]
    places: NDArray[np.int32]
    banned: NDArray[np.int32]
    banned_count: int

    @classmethod
    def start(
        cls,
        patterns: Patterns,
        width: int,
        height: int,
        periodic: bool,
        stream: PortableStream | None,
        possible: NDArray[np.bool_] | None,
    ) -> _Wave:
        """Return a state in which no cell is decided.

        `possible`, bool [rows, columns, patterns], are the patterns that cells may have; None for
        all. `stream` decides the order of cells with equally many patterns; without it nothing can
        be chosen.
        """
        cells, count = width * height, len(patterns.weights)
        neighbours = _neighbours(width, height, periodic)
        starts = np.zeros((4, count + 1), np.int32)
        flat: list[int] = []
        for side, lists in enumerate(patterns.allowed):
            for number, others in enumerate(lists):
                starts[side, number] = len(flat)
                flat += others
            starts[side, count] = len(flat)
        sizes = np.array(
            [[len(others) for others in lists] for lists in patterns.allowed], np.int16
        )
        # Nothing is ever withdrawn beyond the edge: there, any support will do.
        inside = (neighbours >= 0).T[:, None, :]
        support = np.ascontiguousarray(np.where(inside, sizes.T[None, :, :], np.int16(1)))
        options: NDArray[np.uint8] = np.all(support > 0, axis=2).astype(np.uint8)
        if possible is not None:
            options &= possible.reshape(cells, count)
        impossible = np.flatnonzero(options == 0)
        banned = np.empty(cells * count, np.int32)
        banned[: len(impossible)] = impossible
        lots = np.zeros(cells, np.int64)
        if stream is not None:
            lots = (stream.words("order", cells, 1)[0] >> np.uint64(32)).astype(np.int64)
        keys = (np.int64(count) << np.int64(32)) + lots
        # A sorted list is a heap.
        heap = np.argsort(keys, kind="stable").astype(np.int32)
        places = np.empty(cells, np.int32)
        places[heap] = np.arange(cells, dtype=np.int32)
        warn_uncompiled(wave_function.COMPILED, "wave_function", cells * len(flat), 1_000_000)
        allowed = np.array(flat or [0], np.int32)
        return cls(
            options,
            support,
            neighbours,
            starts,
            allowed,
            keys,
            heap,
            places,
            banned,
            len(impossible),
        )

    def settle(self) -> bool:
        """Exclude impossible patterns; return whether each cell has one left."""
        return bool(
            wave_function.settle(
                view(self.options),
                view(self.support),
                view(self.neighbours),
                view(self.starts),
                view(self.allowed),
                view(self.keys),
                view(self.heap),
                view(self.places),
                view(self.banned),
                self.banned_count,
            )
        )

    def collapse(
        self, weights: Ids, draws: Draws, tell: Callable[[int], None] | None, every: int
    ) -> bool:
        """Choose a pattern for each cell; return whether all cells got one.

        `weights` has how often each pattern is chosen, relative to others. `tell`, if given, is
        called after every `every` choices, with the number of choices so far.
        """
        return bool(
            wave_function.collapse(
                view(self.options),
                view(self.support),
                view(self.neighbours),
                view(self.starts),
                view(self.allowed),
                view(weights),
                view(self.keys),
                view(self.heap),
                view(self.places),
                view(self.banned),
                self.banned_count,
                draws,
                tell,
                every,
            )
        )


# Is called with the number of choices, the likeliest pattern of every cell (int32 [cells]), and
# which cells are decided (bool [cells]).
TellChoices = Callable[[int, Ids, NDArray[np.bool_]], None]


def try_once(
    patterns: Patterns,
    width: int,
    height: int,
    periodic: bool,
    stream: PortableStream,
    possible: NDArray[np.bool_] | None = None,
    tell: TellChoices | None = None,
    every: int = 1,
) -> tuple[Ids, int]:
    """Make one attempt to choose a pattern for each cell.

    Args:
        patterns: The patterns to choose from, and which may be adjacent.
        width: The number of columns.
        height: The number of rows.
        periodic: Whether the map continues at its opposite side.
        stream: The random numbers of this attempt.
        possible: bool [height, width, patterns]: the patterns possible at first; None for all.
        tell: Called with the number of choices so far, the pattern of each cell, and which cells
            are decided; None for no calls.
        every: The number of choices between two calls of `tell`.

    Returns:
        int32 [cells], the pattern of each cell (the likeliest if undecided), and the number of
        undecided cells: 0 for success.
    """
    wave = _Wave.start(patterns, width, height, periodic, stream, possible)

    def tell_choices(number: int) -> None:
        assert tell is not None
        chosen, left = _likeliest(wave.options, patterns.weights)
        tell(number, chosen, left == 1)

    draws = stream.draws("choices")
    done = wave.collapse(patterns.weights, draws, None if tell is None else tell_choices, every)
    chosen, left = _likeliest(wave.options, patterns.weights)
    return chosen, 0 if done else int((left != 1).sum())


def _likeliest(options: NDArray[np.uint8], weights: Ids) -> tuple[Ids, Ids]:
    """Return each cell's likeliest pattern, and how many patterns it has left.

    `options` is uint8 [cells, patterns]. A cell with none left gets the likeliest of all patterns.
    """
    left = options.sum(axis=1, dtype=np.int32)
    likely = np.where(options > 0, weights, 0)
    # Where nothing is possible any more this is the commonest pattern of all.
    likely[left == 0] = weights
    return likely.argmax(axis=1).astype(np.int32), left


def _neighbours(width: int, height: int, periodic: bool) -> NDArray[np.int32]:
    """Return the number of every cell's neighbour on each of the four sides.

    The result is int32 [4, cells], -1 beyond the edge; with `periodic` the map continues at its
    opposite side.
    """
    numbers = np.arange(width * height, dtype=np.int32).reshape(height, width)
    result = np.empty((4, height, width), np.int32)
    for side, (x, y) in enumerate(SIDES):
        result[side] = np.roll(numbers, (-y, -x), (0, 1))
    if not periodic:
        result[0, 0] = result[1, -1] = -1
        result[2, :, -1] = result[3, :, 0] = -1
    return result.reshape(4, -1)
