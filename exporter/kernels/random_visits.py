# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Visit random cells to turn noise into caves, islands and labyrinths.

Random cells are visited one after the other, and each is set to one or zero by how many ones lie in
the 3 x 3 block around it, so every visit sees the work of the earlier ones: truly sequential, hence
compiled. Uncompiled it takes about 5 microseconds a visit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

COMPILED = cython.compiled


def visit(
    padded: cython.uchar[:, ::1],
    draws: Draws,
    visits: cython.longlong,
    neighbours: cython.int,
    above: cython.uchar,
    given: cython.uchar[:, ::1] = None,
) -> None:
    """Visit random cells of the grid `padded` and change them in place.

    Args:
        padded: uint8 [height + 2, width + 2] of zeros and ones, with a frame of zeros: cells
            outside the map are not counted.
        draws: The random numbers: x, then y, of every visit.
        visits: The number of visits.
        neighbours: A visited cell is set to `above` if there are more ones than this in its 3 x 3
            block (itself included), else to the other value.
        above: 0 or 1: the value of cells with many ones around.
        given: uint8 [height + 2, width + 2], 1 for cells that stay as they are; None for none.
    """
    width: cython.longlong = padded.shape[1] - 2
    height: cython.longlong = padded.shape[0] - 2
    _i: cython.longlong
    some_given: cython.bint = given is not None
    for _i in range(visits):
        x: cython.longlong = draws.next(0, width)
        y: cython.longlong = draws.next(0, height)
        if some_given and given[y + 1, x + 1] != 0:
            continue
        count: cython.int = (
            padded[y, x]
            + padded[y, x + 1]
            + padded[y, x + 2]
            + padded[y + 1, x]
            + padded[y + 1, x + 1]
            + padded[y + 1, x + 2]
            + padded[y + 2, x]
            + padded[y + 2, x + 1]
            + padded[y + 2, x + 2]
        )
        padded[y + 1, x + 1] = above if count > neighbours else 1 - above
