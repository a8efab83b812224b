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
        path: The parameter that costs most, as a path inside the step's part of the spec.
    """

    seconds: float
    path: tuple[str | int, ...] = ()


class Kernel(Protocol):
    """A module of `exporter.kernels`; `COMPILED` is False if interpreted."""

    COMPILED: bool


# From the parameters of a step, and the width and height of its grid in cells.
CostFunction = Callable[[Any, int, int], Cost]


def kernel_seconds(kernel: Kernel, steps: float, compiled: float, interpreted: float) -> float:
    """Return how many seconds `kernel` takes for `steps` steps.

    `compiled` and `interpreted` are the steps per second of its two forms.
    """
    return steps / (compiled if kernel.COMPILED else interpreted)


def cost_of_cells(parameters: Any, width: int, height: int) -> Cost:
    """Return the default cost of a step: a constant time for each cell.

    The `parameters` are ignored; the most expensive parameter is `size`.
    """
    return Cost(width * height * SECONDS_A_CELL, ("size",))


def most_expensive(width: int, height: int, *costs: Cost) -> Cost:
    """Return the sum of `costs` and the default cost of `width` x `height`.

    The result has the path of the largest of them.
    """
    parts = [cost_of_cells(None, width, height), *costs]
    return Cost(sum(part.seconds for part in parts), max(parts, key=lambda part: part.seconds).path)
