"""Limit the cells of objects by the values of another layer."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from exporter.grids.walking import move_aside
from exporter.model.level import NO_STEPS, STEPS, HeightRange, Layer

Mask = NDArray[np.bool_]

FULL = 65535


def limited(layer: Layer, least: int | None, most: int | None, backup: bool) -> tuple[Mask, str]:
    """Return the cells with values from `least` to `most`, and a text on this.

    In a layer of walking steps, 65535 marks unreachable cells; they are left out.

    Args:
        layer: A layer of heights of the level's size.
        least: The smallest value, in the units of the layer; None for no limit.
        most: The largest value; None for no limit.
        backup: In a layer of steps, whether unwalkable cells get the steps of their nearest
            neighbour plus 1, so that an object in a wall counts as reachable.
    """
    heights = layer.heights or HeightRange()
    samples = layer.cells.astype(np.int32)
    counts = heights.units == STEPS
    if counts:
        samples[samples == NO_STEPS] = -1
        if backup:
            samples = np.where(samples < 0, move_aside(samples), samples)
    within = samples >= 0
    # Both ends exactly: a sample is `minimum + sample * span / 65535`.
    lowest = Fraction(heights.minimum)
    span = Fraction(heights.maximum) - lowest
    limits = [None if item is None else (item - lowest) * FULL for item in (least, most)]
    if span < 0:
        span, limits = -span, [None if limit is None else -limit for limit in reversed(limits)]
    first, last = limits
    if not span:
        inside = (least is None or lowest >= least) and (most is None or lowest <= most)
        within &= inside
    else:
        if first is not None:
            within &= samples >= _clipped(ceil(first / span))
        if last is not None:
            within &= samples <= _clipped(floor(last / span))
    what = f"with {layer.name}"
    if least is not None and most is not None:
        return within, f"{what} {least} to {most}"
    if least is not None:
        return within, f"{what} at least {least}"
    if most is not None:
        return within, f"{what} at most {most}"
    return within, f"reachable in {layer.name}" if counts else f"in {layer.name}"


def _clipped(sample: int) -> int:
    return max(-1, min(sample, 65536))
