"""Find the ground that lies around each tile, as at a shore or doorway.

A ground is a tile to walk on, by its material.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import Layer
from exporter.tilesets.materials import material_of


def grounds_around(layers: Sequence[Layer]) -> dict[int, int]:
    """Return, for each tile id, the id of the ground that lies around it.

    It is the ground that is most often adjacent; for a tile without adjacent ground, the most
    frequent ground of the layers, or else the first of the legend. Grounds themselves are left out.
    `layers` are all layers with the same legend, at least one.
    """
    tiles = [tile for tile in layers[0].tiles if not tile.empty]
    is_ground = [material_of(tile).family == "ground" for tile in tiles]
    if not any(is_ground):
        return {}
    count = len(tiles) + 1  # the last one replaces every tile that is not shown
    ranks = np.full(65536, len(tiles), np.int64)
    ranks[[tile.id for tile in tiles]] = np.arange(len(tiles))
    beside = np.zeros((count, count), np.int64)
    cells = np.zeros(count, np.int64)
    for layer in layers:
        places = ranks[layer.cells]
        cells += np.bincount(places.ravel(), minlength=count)
        beside += _contacts(places, count)
    # Of equally frequent grounds, the first one in the legend wins.
    grounds = np.flatnonzero(is_ground)
    around: dict[int, int] = {}
    for rank, tile in enumerate(tiles):
        contacts = beside[rank, grounds]
        frequent = contacts if contacts.any() else cells[grounds]
        if not is_ground[rank]:
            around[tile.id] = tiles[int(grounds[np.argmax(frequent)])].id
    return around


def _contacts(places: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return how often cells of any two kinds are adjacent: [count, count].

    `places` has the kind of each cell, a number below `count`.
    """
    pairs = np.zeros(count * count, np.int64)
    for item, other in ((places[:, 1:], places[:, :-1]), (places[1:], places[:-1])):
        pairs += np.bincount((item * count + other).ravel(), minlength=count * count)
    table = pairs.reshape(count, count)
    both: NDArray[np.int64] = table + table.T
    return both
