"""Erode heights: steep ground slides, running water digs.

A relief is an array of heights, int64 [height, width] of 0 to 2**28, as in `_relief`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from exporter.generators._noise import UNIT, Field
from exporter.generators.trace import Trace, portions
from exporter.kernels import erosion, view, warn_uncompiled
from exporter.streams import Draws

# Time of a droplet when interpreted.
DROPLET_STEPS_A_SECOND = 28_000


# Called with the current relief and the number of finished rounds or drops.
TellRelief = Callable[[Field, int], object]


def thermal(relief: Field, rounds: int, talus: int, tell: TellRelief | None = None) -> Field:
    """Move ground down slopes that are too steep; its total stays equal.

    After Musgrave, Kolb and Mace, "The synthesis and rendering of eroded fractal terrains" (1989),
    with all samples at once, so that no direction is preferred.

    Args:
        relief: The heights; not changed.
        rounds: The number of rounds.
        talus: The largest difference of two neighbours at which no ground slides.
        tell: Called after each round with the relief and the number of the round; None for no
            calls.
    """
    relief = relief.copy()
    # The distance to a diagonal neighbour is sqrt(2) = 92682 / 65536.
    diagonal = (talus * 92682) >> 16
    add = erosion.slide if erosion.COMPILED else slides
    change = np.empty_like(relief)
    for done in range(1, rounds + 1):
        change[:] = 0
        add(relief, change, talus, diagonal)
        relief += change
        if tell is not None:
            tell(relief, done)
    return relief


def slides(relief: Field, change: Field, talus: int, diagonal: int) -> None:
    """Add to `change` how much ground slides between the samples of `relief`.

    Ground slides where neighbours differ by more than `talus`, or diagonal ones by more than
    `diagonal`. This is the compiled `exporter.kernels.erosion.slide` in numpy, for installations
    without it.
    """
    pairs = [
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None)), talus),
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None)), talus),
        ((slice(None, -1), slice(None, -1)), (slice(1, None), slice(1, None)), diagonal),
        ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None)), diagonal),
    ]
    for first, second, stable in pairs:
        rise = relief[second] - relief[first]
        # A sixteenth of the excess: with eight neighbours no sample falls below them.
        amount = np.maximum(np.abs(rise) - stable, 0) >> 4
        moved = np.where(rise < 0, -amount, amount)
        change[first] += moved
        change[second] -= moved


def hydraulic(
    relief: Field,
    draws: Draws,
    droplets: int,
    steps: int,
    radius: int,
    strength: int,
    trace: Trace | None = None,
    tell: TellRelief | None = None,
) -> Field:
    """Erode a relief by drops of water that pick up ground and drop it.

    Args:
        relief: The heights; not changed.
        draws: The random numbers that decide where drops fall.
        droplets: The number of drops.
        steps: The largest distance that a drop runs, in samples.
        radius: The radius in which a drop digs, in samples.
        strength: How much ground a drop picks up, in percent.
        trace: Decides after how many drops `tell` is called; None for only once, at the end.
        tell: Called with the current relief and the number of drops so far; None for no calls.
    """
    if min(relief.shape) < 2:
        return relief
    warn_uncompiled(erosion.COMPILED, "erosion", droplets * steps, DROPLET_STEPS_A_SECOND)
    ground = relief / UNIT  # a power of two: nothing is rounded
    done = 0
    for count in portions(trace, droplets):
        erosion.erode(
            view(ground),
            view(brush(radius)),
            draws,
            count,
            steps,
            0.05,
            4.0,
            strength / 100,
            0.3,
            0.01,
        )
        done += count
        if tell is not None:
            tell(_field(ground), done)
    return _field(ground)


def _field(ground: NDArray[np.float64]) -> Field:
    return np.clip(ground * UNIT, 0, UNIT).astype(np.int64)


def brush(radius: int) -> NDArray[np.float64]:
    """Return the weights with which a drop digs: a cone whose sum is 1.

    The result is float64 [2 * radius - 1, 2 * radius - 1]; cells at `radius` and beyond would be 0.
    """
    side = range(-radius + 1, radius)
    cone = [[max(0.0, radius - sqrt(x * x + y * y)) for x in side] for y in side]
    total = 0.0
    for row in cone:
        for share in row:
            total += share
    return np.array([[share / total for share in row] for row in cone], np.float64)
