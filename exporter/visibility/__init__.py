"""Compute visibility: the field of view of every cell of a map at once.

A rule of sight (in `algorithms`) is compiled to a plan of bit operations (`plan`). Running the plan
over a map (`runs`) gives a table with a bit for each pair of cells (`table`).
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

from exporter.model.limits import MAXIMUM_SIDE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.visibility.table import VisibilityTable

MAXIMUM_RADIUS = 64
MAXIMUM_TABLE_BYTES = 2 << 30


def compute_visibility(
    opaque: NDArray[np.bool_], radius: int, algorithm: str = "symmetric", *, see_walls: bool = False
) -> VisibilityTable:
    """Compute which cells every cell of a map sees.

    Args:
        opaque: bool [height, width], the cells that block sight; is copied. Each side is 1 to 8192
            cells. Cells outside the map are opaque.
        radius: How far sight goes, in cells, 1 to 64.
        algorithm: The name of the rule: `symmetric`, `shadowcast`, `raycast` or another one.
        see_walls: Whether `raycast` shows the opaque cell that ends a ray. The other rules always
            show opaque cells.

    Raises:
        ValueError: An argument is invalid, or the table would be larger than 2 GiB.
    """
    check_request(opaque, radius, algorithm, see_walls)
    from exporter.visibility.algorithms import ALGORITHMS, plan_for
    from exporter.visibility.runs import run
    from exporter.visibility.table import VisibilityTable

    walls = bool(see_walls) and ALGORITHMS.get(algorithm).optional_walls
    plan = plan_for(algorithm, int(radius), walls)
    remaining = opaque.copy(order="C")
    remaining.flags.writeable = False
    return VisibilityTable(
        opaque=remaining,
        radius=int(radius),
        algorithm=algorithm,
        see_walls=walls,
        mutual=plan.mutual,
        offsets=plan.offsets,
        blocks=run(plan, remaining),
    )


def check_request(
    opaque: NDArray[np.bool_], radius: int, algorithm: str, see_walls: bool = False
) -> None:
    """Refuse arguments that `compute_visibility` cannot accept.

    Raises:
        ValueError: An argument is invalid, or the table would be larger than 2 GiB.
    """
    import numpy as np

    from exporter.visibility.algorithms import ALGORITHMS

    if not isinstance(opaque, np.ndarray) or opaque.ndim != 2 or opaque.dtype != np.bool_:
        what = (
            f"an array of {opaque.ndim} dimensions and type {opaque.dtype}"
            if isinstance(opaque, np.ndarray)
            else type(opaque).__name__
        )
        raise ValueError(f"`opaque` is {what}, not a bool array [height, width]")
    if isinstance(radius, bool) or not isinstance(radius, int | np.integer):
        raise ValueError(f"the radius {radius!r} is not a whole number")
    if not 1 <= radius <= MAXIMUM_RADIUS:
        raise ValueError(f"radius {radius} is out of range (allowed: 1 to {MAXIMUM_RADIUS})")
    if not isinstance(see_walls, bool | np.bool_):
        raise ValueError(f"`see_walls` is {see_walls!r} (allowed: true or false)")
    height, width = opaque.shape
    if not (1 <= width <= MAXIMUM_SIDE and 1 <= height <= MAXIMUM_SIDE):
        raise ValueError(
            f"a map of {width} x {height} cells is out of range for visibility (allowed: 1 to "
            f"{MAXIMUM_SIDE} each way)"
        )
    try:
        rule = ALGORITHMS.get(algorithm) if isinstance(algorithm, str) else None
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if rule is None:
        raise ValueError(f"the algorithm {algorithm!r} is not a name")
    size = estimate_bytes(width, height, int(radius), rule.mutual)
    if size > MAXIMUM_TABLE_BYTES:
        raise ValueError(
            f"the visibility of {width} x {height} cells at radius {radius} needs {size >> 20} "
            f"MiB (allowed: {MAXIMUM_TABLE_BYTES >> 20}; use a smaller map or radius)"
        )


def table_bytes(width: int, height: int, radius: int, algorithm: str) -> int:
    """Return the size in bytes of the visibility table of a map.

    Raises:
        KeyError: No rule of sight is called `algorithm`.
    """
    from exporter.visibility.algorithms import ALGORITHMS

    return estimate_bytes(width, height, radius, ALGORITHMS.get(algorithm).mutual)


def estimate_bytes(width: int, height: int, radius: int, mutual: bool) -> int:
    """Return the size in bytes of a visibility table.

    `mutual` is whether, by its rule of sight, open cells see each other both ways: then half the
    size is enough.
    """
    offsets = sum(2 * isqrt(radius * radius - dx * dx) + 1 for dx in range(-radius, radius + 1))
    planes = (offsets - 1) // 2 if mutual else offsets - 1
    return planes * -(-width // 64) * 8 * -(-height // 8) * 8


def estimated_seconds(width: int, height: int, radius: int) -> float:
    """Estimate the seconds it takes to compute the visibility of a map."""
    from exporter.kernels.visibility_runner import COMPILED

    pairs = width * height * radius * radius
    return pairs * (3e-9 if COMPILED else 9e-9)
