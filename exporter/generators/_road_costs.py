"""Compute the cost of a road through each cell, and where bridges are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Tile
from exporter.model.suggestions import unknown_name

Mask = NDArray[np.bool_]
Path = tuple[str | int, ...]

# A cell that is road already costs half of the least cost of others: costs are doubled.
SCALE = 2
REUSED = 1
# Cost of an end's cell that no road can cross.
END = SCALE


@dataclass(frozen=True, slots=True, eq=False)
class RoadTerrain:
    """The cells where roads can be laid, and their costs.

    Attributes:
        costs: int32 [height, width]: the cost of a road in each cell, times `SCALE`; 0 where none
            can be laid.
        bridged: bool [height, width]: the cells where a road is a bridge.
        dug: bool [height, width]: the unwalkable cells that a road may dig through, like a tunnel.
        in_the_way: The names of the tiles that no road can cross.
    """

    costs: NDArray[np.int32]
    bridged: Mask
    dug: Mask
    in_the_way: tuple[str, ...]


def terrain_of(
    layer: Layer,
    costs: Mapping[str, int],
    over: tuple[str, ...],
    bridge_cost: int,
    through: Mapping[str, int],
) -> RoadTerrain:
    """Return where roads can be laid on `layer`, and what each cell costs.

    Args:
        layer: The layer of tiles.
        costs: Costs of tiles, by their names.
        over: The names of the tiles on which a road is a bridge.
        bridge_cost: The cost of bridged tiles that `costs` leaves out.
        through: Costs of the unwalkable tiles that a road may dig through, by their names.

    Raises:
        ParameterError: A parameter names a tile that the layer lacks, or an unwalkable tile where
            only walkable ones are allowed.
    """
    named = {tile.name: tile for tile in layer.tiles}
    for parameter, names in (("costs", costs), ("through", through)):
        for name in names:
            _check_name(layer, named, name, (parameter, name))
    for index, name in enumerate(over):
        _check_name(layer, named, name, ("over", index))
        if name in through:
            raise ParameterError(
                f"{name!r} is both in `over` and in `through` (remove it from one of them)",
                ("through", name),
            )
    for name in costs:
        if name in through:
            raise ParameterError(
                f"{name!r} has a second cost in `through` (keep only the one in `through`)",
                ("costs", name),
            )
        if not named[name].walkable and name not in over:
            raise ParameterError(
                f"a road cannot cross the tile {name!r}, which is not walkable (bridge it with "
                f"`over: [{name}]`, or dig through it with `through: {{{name}: {costs[name]}}}`)",
                ("costs", name),
            )
    prices = []
    for tile in layer.tiles:
        if tile.name in through:
            prices.append(through[tile.name])
        elif tile.name in over:
            prices.append(costs.get(tile.name, bridge_cost))
        else:
            prices.append(costs.get(tile.name, 1) if tile.walkable else 0)
    table = np.zeros(1 << 8 * layer.cells.itemsize, np.int32)
    for tile, price in zip(layer.tiles, prices, strict=True):
        table[tile.id] = price * SCALE
    return RoadTerrain(
        table[layer.cells],
        layer.lookup([tile.name in over for tile in layer.tiles]),
        layer.lookup([tile.name in through for tile in layer.tiles]),
        tuple(
            dict.fromkeys(
                tile.name
                for tile, price in zip(layer.tiles, prices, strict=True)
                if not price and (layer.cells == tile.id).any()
            )
        ),
    )


def _check_name(layer: Layer, named: Mapping[str, Tile], name: str, path: Path) -> None:
    if name not in named:
        raise ParameterError(
            f"the layer {layer.name!r}: {unknown_name('tile', name, list(named))}", path
        )


def widened(centre: Mask, width: int) -> Mask:
    """Widen cells marked in `centre` by a brush of `width` x `width` cells.

    A brush of an even width reaches one cell farther to the east and south.
    """
    wide = _spread(centre, width)
    return np.ascontiguousarray(_spread(wide.T, width).T)


def _spread(marked: Mask, width: int) -> Mask:
    """Widen the `marked` cells up and down only, to `width` cells."""
    before, after = (width - 1) // 2, width // 2
    spread = marked.copy()
    for step in range(1, after + 1):
        spread[step:] |= marked[:-step]
    for step in range(1, before + 1):
        spread[:-step] |= marked[step:]
    return spread
