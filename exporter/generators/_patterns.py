"""Find the patterns for wave function collapse.

The algorithm is in `_wave`. A pattern is a small square of tiles. Patterns are cut from a sample,
or are single tiles with rules on which may be adjacent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass

Path = tuple[str | int, ...]
Ids = NDArray[np.int32]

MAXIMUM_PATTERNS = 1024
# Steps (x, y) to the four sides: north, south, east, west.
SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """The patterns of wave function collapse, and which may be adjacent.

    Attributes:
        tiles: int32 [patterns, size, size]: the tile ids of each pattern.
        weights: int32 [patterns]: how often each pattern is chosen, relative to others.
        allowed: `allowed[side][pattern]` lists the patterns that may be adjacent on this side.
    """

    tiles: Ids
    weights: Ids
    allowed: tuple[list[list[int]], ...]

    @property
    def size(self) -> int:
        """The number of cells along a side of a pattern."""
        return int(self.tiles.shape[1])


def check_sample(sample: Ids, size: int, path: Path) -> None:
    """Refuse a sample that is smaller than a pattern of `size` x `size` cells.

    Raises:
        ParameterError: The sample is smaller; the error has `path`.
    """
    height, width = sample.shape
    if height < size or width < size:
        raise ParameterError(
            f"the sample has {width} x {height} cells, but patterns need at least {size} x {size}",
            path,
        )


def patterns_of_sample(
    sample: Ids, size: int, symmetry: bool, periodic: bool, path: Path
) -> Patterns:
    """Return all patterns of a sample, weighted by how often they occur.

    Two patterns may be adjacent if they agree where they overlap.

    Args:
        sample: int32 [height, width] of tile ids.
        size: The number of cells along a side of a pattern.
        symmetry: Whether rotated and mirrored squares are included.
        periodic: Whether the sample continues at its opposite side.
        path: The path of the parameter that gives the sample, for errors.

    Raises:
        ParameterError: The sample is smaller than a pattern, or has too many different ones.
    """
    check_sample(sample, size, path)
    if periodic:
        sample = np.pad(sample, ((0, size - 1), (0, size - 1)), mode="wrap")
    result: dict[bytes, int] = {}
    tiles: list[Ids] = []
    weights: list[int] = []
    windows = np.lib.stride_tricks.sliding_window_view(sample, (size, size))
    for square in windows.reshape(-1, size, size):
        for variant in _variants(square) if symmetry else [square]:
            key = variant.tobytes()
            if key not in result:
                result[key] = len(tiles)
                tiles.append(variant)
                weights.append(0)
                if len(tiles) > MAXIMUM_PATTERNS:
                    raise ParameterError(
                        f"the sample has more than {MAXIMUM_PATTERNS} different patterns (use a "
                        "smaller sample, smaller patterns or `symmetry: false`)",
                        path,
                    )
            weights[result[key]] += 1
    stack = np.stack(tiles).astype(np.int32)
    return Patterns(stack, np.array(weights, np.int32), _overlaps(stack))


def _variants(square: Ids) -> list[Ids]:
    turned = [np.rot90(square, quarter) for quarter in range(4)]
    return turned + [np.fliplr(variant) for variant in turned]


def _overlaps(tiles: Ids) -> tuple[list[list[int]], ...]:
    """Return which patterns may be adjacent: a list for each side and pattern.

    Two may be adjacent if they agree where they overlap, shifted by one cell to that side.
    """
    parts = {
        (0, -1): (tiles[:, :-1], tiles[:, 1:]),
        (0, 1): (tiles[:, 1:], tiles[:, :-1]),
        (1, 0): (tiles[:, :, 1:], tiles[:, :, :-1]),
        (-1, 0): (tiles[:, :, :-1], tiles[:, :, 1:]),
    }
    sides = []
    for side in SIDES:
        own, others = parts[side]
        groups: dict[bytes, list[int]] = {}
        for number, part in enumerate(others):
            groups.setdefault(part.tobytes(), []).append(number)
        sides.append([groups.get(part.tobytes(), []) for part in own])
    return tuple(sides)


def patterns_of_pairs(
    weights: list[int], beside: set[tuple[int, int]], above: set[tuple[int, int]]
) -> Patterns:
    """Make patterns that are single tiles, from pairs of allowed neighbours.

    `weights` has the weight of each tile, by id. `beside` has the allowed pairs of ids (left,
    right), `above` those of (upper, lower).
    """
    count = len(weights)
    numbers = range(count)
    allowed = (
        [[other for other in numbers if (other, tile) in above] for tile in numbers],
        [[other for other in numbers if (tile, other) in above] for tile in numbers],
        [[other for other in numbers if (tile, other) in beside] for tile in numbers],
        [[other for other in numbers if (other, tile) in beside] for tile in numbers],
    )
    tiles = np.arange(count, dtype=np.int32).reshape(count, 1, 1)
    return Patterns(tiles, np.array(weights, np.int32), allowed)
