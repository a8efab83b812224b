"""Estimate how long the steps of a build take, before they run.

An estimate is rough on purpose: it uses a few constants measured on one core, and is right within a
small factor. That is enough to tell a level of seconds from one of hours, and to name the parameter
that costs most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from exporter.model.lazy_dataclass import dataclass

# What a generator of array operations takes, with the certificate of its layer.
SECONDS_A_CELL = 0.2e-6


@dataclass(frozen=True, slots=True)
class Cost:
    """The estimated time of a build step, and its most expensive parameter.

    Attributes:
        seconds: The estimated time.
        path: Where the most expensive parameter is, inside the step's own part of the spec.
    """

    seconds: float
    path: tuple[str | int, ...] = ()


class Kernel(Protocol):
    """A module of `exporter.kernels`, whose loops are compiled if possible.

    `COMPILED` is False if they run as plain Python.
    """

    COMPILED: bool


# From the parameters of a step, and the width and height of its grid in cells.
CostFunction = Callable[[Any, int, int], Cost]


def kernel_seconds(kernel: Kernel, steps: float, compiled: float, interpreted: float) -> float:
    """Return how many seconds `kernel` takes for `steps` steps of its loops.

    `compiled` is the steps per second of compiled loops, `interpreted` that in plain Python.
    """
    return steps / (compiled if kernel.COMPILED else interpreted)


def cost_of_cells(parameters: Any, width: int, height: int) -> Cost:
    """Return the default cost of a step: a constant time for each cell.

    The most expensive parameter is then `size`. `parameters` are not used.
    """
    return Cost(width * height * SECONDS_A_CELL, ("size",))


def most_expensive(width: int, height: int, *costs: Cost) -> Cost:
    """Return the sum of `costs` and of the default cost for each cell.

    The level has `width` x `height` cells. The result names the parameter of the largest of these
    costs.
    """
    parts = [cost_of_cells(None, width, height), *costs]
    return Cost(sum(part.seconds for part in parts), max(parts, key=lambda part: part.seconds).path)
