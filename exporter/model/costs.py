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
    """The estimated seconds of a step, and its most expensive parameter."""

    seconds: float
    path: tuple[str | int, ...] = ()


class Kernel(Protocol):
    """A module of `exporter.kernels`; `compiled` says whether it is compiled."""

    COMPILED: bool


# From the parameters of a step, and the width and height of its grid in cells.
CostFunction = Callable[[Any, int, int], Cost]


def kernel_seconds(kernel: Kernel, steps: float, compiled: float, interpreted: float) -> float:
    """Return how many seconds a kernel takes for some steps.

    Args:
        kernel: The kernel's module.
        steps: The number of steps.
        compiled: The steps per second of the compiled kernel.
        interpreted: The steps per second of the interpreted kernel.
    """
    return steps / (compiled if kernel.COMPILED else interpreted)


def cost_of_cells(parameters: Any, width: int, height: int) -> Cost:
    """Return the default cost of a step that passes the grid a few times."""
    return Cost(width * height * SECONDS_A_CELL, ("size",))


def most_expensive(width: int, height: int, *costs: Cost) -> Cost:
    """Add up the costs of a step; keep the path of the largest one."""
    parts = [cost_of_cells(None, width, height), *costs]
    return Cost(sum(part.seconds for part in parts), max(parts, key=lambda part: part.seconds).path)
