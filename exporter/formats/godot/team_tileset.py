"""Represent a TileSet that a team, not the exporter, made in Godot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from exporter.model.lazy_dataclass import dataclass
from exporter.tilesets.terrain_match import Matching

# Sources, columns, rows and alternatives have 16 bits in a TileMapLayer.
LARGEST_POSITION = 65535
# Alternatives may have these bits beside their number: the tile is turned or mirrored.
FLIP_H, FLIP_V, TRANSPOSE = 1 << 12, 1 << 13, 1 << 14
FLIPS = FLIP_H | FLIP_V | TRANSPOSE

Location = tuple[int, int, int, int]  # source, column, row, alternative


class TilesetError(ValueError):
    """Raised if a file is no usable TileSet; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class TileFacts:
    """The properties of a tile in a TileSet.

    Attributes:
        probability: The tile's weight when one of several variants is drawn by chance.
        name: The custom data `name`; empty if unset.
        terrain_set: The number of the tile's terrain set; -1 for none.
        terrain: The number of the tile's terrain in the set; -1 for none.
        bits: The terrain towards each neighbour, in the order of `PEERING_BITS`; -1 for none.
        solid: Whether the tile has a collision polygon in some physics layer.
        flips: How the picture is flipped: `FLIP_H`, `FLIP_V` and `TRANSPOSE`, combined.
    """

    probability: float = 1.0
    name: str = ""
    terrain_set: int = -1
    terrain: int = -1
    bits: tuple[int, ...] = (-1,) * 8
    solid: bool = False
    flips: int = 0


@dataclass(frozen=True, slots=True)
class AtlasSource:
    """A picture of a TileSet, divided into tiles.

    Attributes:
        texture: The picture's file, relative to the game; None if it cannot be read.
        margins: Pixels left of and above the first tile.
        separation: Pixels between tiles.
        region: Width and height of a tile in pixels.
        tiles: By a tile's column and row, its alternatives by number.
        sizes: By the column and row of a tile larger than one cell, its size in columns and rows.
    """

    texture: str | None
    margins: tuple[int, int] = (0, 0)
    separation: tuple[int, int] = (0, 0)
    region: tuple[int, int] = (16, 16)
    tiles: Mapping[tuple[int, int], Mapping[int, TileFacts]] = field(default_factory=dict)
    sizes: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def tile_over(self, column: int, row: int) -> tuple[int, int] | None:
        """Return the large tile that covers (`column`, `row`), or None.

        The result is the column and row of the tile's upper left cell.
        """
        for (left, top), (columns, rows) in self.sizes.items():
            if left <= column < left + columns and top <= row < top + rows:
                return left, top
        return None

    def box(self, column: int, row: int) -> tuple[int, int, int, int]:
        """Return where the tile at (`column`, `row`) is in the picture.

        The result is left, top, right and bottom in pixels.
        """
        columns, rows = self.sizes.get((column, row), (1, 1))
        left = self.margins[0] + column * (self.region[0] + self.separation[0])
        top = self.margins[1] + row * (self.region[1] + self.separation[1])
        width = columns * (self.region[0] + self.separation[0]) - self.separation[0]
        height = rows * (self.region[1] + self.separation[1]) - self.separation[1]
        return left, top, left + width, top + height


@dataclass(frozen=True, slots=True)
class TerrainSet:
    """A terrain set of a TileSet: terrains that are matched in the same way.

    Attributes:
        mode: With which neighbours a tile is matched: those at sides, at corners, or both.
        names: The names of its terrains, by number.
    """

    mode: Matching
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GodotTeamTileset:
    """A TileSet that a team, not the exporter, made in Godot.

    Attributes:
        path: The file, as `res://...`.
        uid: The file's uid; empty if it has none.
        tile_size: Side of a cell in pixels; the width of an isometric cell.
        sources: The sources by number: a picture with tiles, or None for scenes.
        terrain_sets: The terrain sets.
        physics_layers: The collision layer and mask of every physics layer.
        navigation_layers: The bit mask of every navigation layer.
        light_masks: The light mask of every occlusion layer.
    """

    path: str
    uid: str
    tile_size: int
    sources: Mapping[int, AtlasSource | None]
    terrain_sets: tuple[TerrainSet, ...] = ()
    physics_layers: tuple[tuple[int, int], ...] = ()
    navigation_layers: tuple[int, ...] = ()
    light_masks: tuple[int, ...] = ()

    def facts(self, location: Location) -> TileFacts:
        """Return the properties of the tile at `location`.

        The alternative can also have the bits that flip a tile.

        Raises:
            KeyError: There is no such tile.
        """
        source, column, row, alternative = location
        atlas = self.sources[source]
        if atlas is None:
            raise KeyError(location)
        result = atlas.tiles[column, row][alternative & ~FLIPS]
        turned = alternative & FLIPS
        if not turned:
            return result
        return TileFacts(
            result.probability, result.name, solid=result.solid, flips=result.flips ^ turned
        )

    def every_tile(self) -> Iterable[tuple[Location, TileFacts]]:
        """Yield location and properties of all tiles.

        Sources come in the order of their numbers, the tiles of each row by row.
        """
        for number, atlas in sorted(self.sources.items()):
            if atlas is None:
                continue
            for column, row in sorted(atlas.tiles, key=lambda tile: (tile[1], tile[0])):
                for alternative, facts in sorted(atlas.tiles[column, row].items()):
                    yield (number, column, row, alternative), facts

    def problem(self, location: Location) -> str:
        """Return why there is no tile at `location`; "" if there is one.

        The text is a predicate, such as `has no source 3`.
        """
        number, column, row, alternative = location
        if number not in self.sources:
            return f"has no source {number} (it has {_list_tiles(self.sources)})"
        atlas = self.sources[number]
        if atlas is None:
            return f"has scenes, not tiles, in source {number}"
        alternatives = atlas.tiles.get((column, row))
        if alternatives is None:
            over = atlas.tile_over(column, row)
            if over is not None:
                return f"has the tile [{over[0]}, {over[1]}] at [{column}, {row}]: name that one"
            others = [
                other
                for other, result in sorted(self.sources.items())
                if result is not None and (column, row) in result.tiles
            ]
            hint = (
                f" (source {others[0]} has one: {{at: [{column}, {row}], source: {others[0]}}})"
                if others
                else f" ({_extent(atlas)})"
            )
            return f"has no tile at [{column}, {row}] of source {number}{hint}"
        base = alternative & ~FLIPS
        if base not in alternatives:
            return (
                f"has no alternative {base} of the tile [{column}, {row}] "
                f"(it has {_list_tiles(alternatives)})"
            )
        return ""


def _list_tiles(numbers: Iterable[int]) -> str:
    listed = sorted(numbers)
    words = ", ".join(map(str, listed[:8]))
    return f"{words}, ..." if len(listed) > 8 else words or "none"


def _extent(atlas: AtlasSource) -> str:
    if not atlas.tiles:
        return "it has no tiles"
    columns = [column for column, _ in atlas.tiles]
    rows = [row for _, row in atlas.tiles]
    return (
        f"it has tiles in the columns {min(columns)} to {max(columns)} "
        f"and the rows {min(rows)} to {max(rows)}"
    )
