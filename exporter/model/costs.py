"""Estimate the cost of a build's steps before they run.

An estimate is rough on purpose: a few constants measured once on one core, right within a small
factor. It distinguishes a level of seconds from one of hours, and names the parameter responsible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from exporter.model.lazy_dataclass import dataclass

# What a generator of array operations takes, with the certificate of its layer.
SECONDS_A_CELL = 0.2e-6


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a step, and the path of its most expensive parameter."""

    seconds: float
    path: tuple[str | int, ...] = ()


class Kernel(Protocol):
    """A module of `exporter.kernels`, with a flag for compiled code."""

    COMPILED: bool


# From the parameters of a step, and the width and height of its grid in cells.
CostFunction = Callable[[Any, int, int], Cost]


def kernel_seconds(kernel: Kernel, steps: float, compiled: float, interpreted: float) -> float:
    """Return the seconds of a kernel for some steps.

    Args:
        kernel: The kernel's module.
        steps: The number of steps.
        compiled: Steps in a second where it is compiled.
        interpreted: Steps in a second where it runs interpreted.
    """
    return steps / (compiled if kernel.COMPILED else interpreted)


def cost_of_cells(parameters: Any, width: int, height: int) -> Cost:
    """Return the default cost of a step, which goes over the grid a few times."""
    return Cost(width * height * SECONDS_A_CELL, ("size",))


def most_expensive(width: int, height: int, *costs: Cost) -> Cost:
    """Return the cost of a step with its cells, caused by the largest."""
    parts = [cost_of_cells(None, width, height), *costs]
    return Cost(sum(part.seconds for part in parts), max(parts, key=lambda part: part.seconds).path)
