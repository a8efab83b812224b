"""Order a layer's tiles where one overlaps the edge of another.

The option `transitions` has lists of tiles, each from the bottom to the top. A tile is drawn under
all tiles above it, too, so its cells join with theirs. Tiles with pictures between the cells, and
tiles on top of these, are drawn above the cells; all others in the cells and below the cells.
"""

from __future__ import annotations

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, Tile
from exporter.model.suggestions import unknown_name
from exporter.model.tileset import TilesetOptions

_Part = tuple[tuple[Tile, tuple[Tile, ...]], ...]


@dataclass(frozen=True, slots=True)
class Stacking:
    """Which tiles of a layer are drawn below and above the cells, in order.

    Attributes:
        chains: The layer's tiles of each transition, from the bottom to the top. A tile with
            pictures between the cells and without a transition is a chain by itself.
        below: The tiles drawn below the cells, from the bottom to the top, each with the tiles in
            whose cells it shows.
        above: The tiles drawn above the cells, in the same form.
    """

    chains: tuple[tuple[Tile, ...], ...]
    below: _Part
    above: _Part

    @classmethod
    def of(cls, layer: Layer, options: TilesetOptions) -> Stacking:
        """Return the order of the tiles of `layer` according to `options`."""
        by_name = {tile.name: tile for tile in layer.tiles}
        chains = [
            tuple(by_name[name] for name in names if name in by_name)
            for names in options.transitions
        ]
        listed = {tile.name for chain in chains for tile in chain}
        corners = {name for name, kind in options.autotile.items() if kind == "corners"}
        chains += [
            (tile,) for tile in layer.tiles if tile.name in corners and tile.name not in listed
        ]
        below: list[tuple[Tile, tuple[Tile, ...]]] = []
        above: list[tuple[Tile, tuple[Tile, ...]]] = []
        for chain in chains:
            names = [tile.name in corners for tile in chain]
            in_cells = names.index(True) if True in names else len(chain)
            for position, tile in enumerate(chain):
                if position < in_cells:
                    below.append((tile, chain[position + 1 :]))
                else:
                    above.append((tile, chain[position:]))
        return cls(tuple(chains), tuple(below), tuple(above))

    @property
    def has_grids(self) -> bool:
        """Whether some tiles are drawn above or below the cells."""
        return bool(self.above) or any(covered for _, covered in self.below)

    def apart(self, tile: Tile) -> bool:
        """Return whether the pictures of `tile` are drawn above the cells."""
        return any(tile is item for item, _ in self.above)

    def joins(self, tile: Tile) -> frozenset[int]:
        """Return the ids that join with `tile`: its own, and those of tiles above.

        Tiles above it in its transition are drawn over it.
        """
        for chain in self.chains:
            if tile in chain:
                return frozenset(item.id for item in chain[chain.index(tile) :])
        return frozenset({tile.id})

    def bare(self, tile: Tile) -> frozenset[int] | None:
        """Return the tile between whose cells `tile` has a picture without edges.

        The result is the id of the tile right below: where four cells of that tile meet, the
        picture shows. None means between any cells, since no tile lies below.
        """
        for chain in self.chains:
            if tile in chain[1:]:
                return frozenset({chain[chain.index(tile) - 1].id})
        return None


def check_transitions(level: Level, options: TilesetOptions) -> None:
    """Check that the option `transitions` is valid for the level's tiles.

    Raises:
        ParameterError: A tile is unknown, is in two transitions, or lies on another but has no
            pictures for its edges. The error points to the tile's name.
    """
    known = {tile.name for layer in level.tile_layers() for tile in layer.tiles}
    seen: set[str] = set()
    for row, names in enumerate(options.transitions):
        for column, name in enumerate(names):
            position = ("tileset", "transitions", row, column)
            if name not in known:
                raise ParameterError(unknown_name("tile", name, sorted(known)), position)
            if name in seen:
                raise ParameterError(
                    f"tile {name!r} is in `transitions` twice (write all tiles that overlap each "
                    "other in one list)",
                    position,
                )
            if column and name not in options.autotile:
                raise ParameterError(
                    f"tile {name!r} lies on {names[column - 1]!r}, but it has no pictures for its "
                    f"edges (add `{name}: blob`, `edges` or `corners` to `autotile`)",
                    position,
                )
            seen.add(name)
