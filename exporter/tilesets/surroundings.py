"""Which ground lies around a tile: what a shore, the foot of a rock or a doorway shows of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import Layer, Tile
from exporter.tilesets.materials import material_of


def grounds_around(layers: Sequence[Layer], tiles: tuple[Tile, ...]) -> tuple[int | None, ...]:
    """Return for every tile the id of the ground that is beside it most often.

    A tile that touches none gets the ground that the layers have most of, and where there is no
    cell of any, the first of the legend. A ground has none around it.

    Args:
        layers: The layers that have the legend.
        tiles: The legend, without the tiles that are not shown.
    """
    is_ground = [material_of(tile).family == "ground" for tile in tiles]
    if not any(is_ground):
        return (None,) * len(tiles)
    ranks = np.full(65536, len(tiles), np.int64)
    ranks[[tile.id for tile in tiles]] = np.arange(len(tiles))
    beside = np.zeros((len(tiles) + 1, len(tiles) + 1), np.int64)
    cells = np.zeros(len(tiles) + 1, np.int64)
    for layer in layers:
        places = ranks[layer.cells]
        cells += np.bincount(places.ravel(), minlength=cells.size)
        beside += _contacts(places, cells.size)
    # Of equally many, the first one in the legend.
    order = np.array([rank for rank, ground in enumerate(is_ground) if ground])
    most = order[np.argmax(cells[order])]
    around: list[int | None] = []
    for rank, ground in enumerate(is_ground):
        contacts = beside[rank, order]
        nearest = order[np.argmax(contacts)] if contacts.any() else most
        around.append(None if ground else tiles[int(nearest)].id)
    return tuple(around)


def _contacts(places: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return how often cells of two kinds lie side by side, or one above the other."""
    pairs = np.zeros(count * count, np.int64)
    for one, other in ((places[:, 1:], places[:, :-1]), (places[1:], places[:-1])):
        pairs += np.bincount((one * count + other).ravel(), minlength=count * count)
    table = pairs.reshape(count, count)
    both: NDArray[np.int64] = table + table.T
    return both
