"""Draw the tileset of a level without an image, in a style.

Each legend (the tiles of a layer) begins a row of the sheet, with one picture of each tile, in the
order of ids. The other pictures follow on further rows, tile by tile. Some rows are left free, so
that a tile added at the end of a legend moves no picture, and a layer added at the end of a level
moves none either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, Tile
from exporter.model.suggestions import unknown_name
from exporter.model.tileset import AutotileSet
from exporter.tilesets.drawing import Painter, Rule, TileAppearance
from exporter.tilesets.materials import color_of, material_of
from exporter.tilesets.shapes import SIZE
from exporter.tilesets.styles import Style, style_of
from exporter.tilesets.surroundings import grounds_around
from exporter.tilesets.tile_choice import Picks, PictureChoice
from exporter.tilesets.tileset import NeighbourhoodTile, Tileset, mask_terrain

COLUMNS = 16
# Legends with larger ids are numbered without gaps.
_LARGEST_ID = 1023
# A legend whose tiles have several pictures takes a multiple of so many rows.
_PAGE = 16
# Tiles after so many pictures get one picture only: engines limit the height of a sheet.
_MOST_PICTURES = 4096


def drawn_tileset(level: Level, frame: int = 0) -> Tileset:
    """Return a tileset drawn for the tile layers of `level`.

    The level's option `tileset` names the style; `frame` is which picture of animated tiles to
    draw.

    Raises:
        ParameterError: The option `autotile` names a tile that no layer has.
    """
    options = level.tileset.options if level.tileset else None
    chosen = options.autotile if options else {}
    # Corner sets were refused before (`open_tileset`): nothing is drawn between cells.
    autotile = {name: kind for name, kind in chosen.items() if kind != "corners"}
    check_names(level, autotile, "autotile")
    sheet = _SheetBuilder(style_of(level), autotile, frame)
    picks: dict[str, Picks] = {}
    legends: dict[tuple[tuple[Tile, ...], bool], list[Layer]] = {}
    for layer in level.tile_layers():
        legends.setdefault((layer.tiles, _has_values(layer)), []).append(layer)
    grounds = level.part.grounds if level.part is not None else {}
    for (_, values), layers in legends.items():
        around = grounds.get(layers[0].name)
        added = sheet.add(layers, values, around)
        picks.update(dict.fromkeys((layer.name for layer in layers), added))
    rows = max(1, -(-sheet.end // COLUMNS))
    pixels = np.zeros((rows * SIZE, COLUMNS * SIZE, 4), np.uint8)
    tileset = Tileset(
        SIZE, COLUMNS, rows, pixels, sheet.tiles, picks, terrains=tuple(sheet.terrains)
    )
    for number, picture in sheet.pictures.items():
        tileset.picture(number)[:] = picture
    return tileset


def check_names(level: Level, names: Iterable[str], key: str) -> None:
    """Check that the level has tiles with all `names`.

    The names are those in the option `key` of the tileset, which the error points to.

    Raises:
        ParameterError: No tile of the level has one of the names.
    """
    known = [tile.name for layer in level.tile_layers() for tile in layer.tiles]
    for name in names:
        if name not in known:
            position = ("tileset", key, name)
            raise ParameterError(unknown_name("tile", name, sorted(set(known))), position)


def _has_values(layer: Layer) -> bool:
    """Return whether a layer's tiles mean values to read, as in a heat map."""
    unknown = any(not tile.empty and not material_of(tile).words for tile in layer.tiles)
    return layer.role == "data" and unknown


@lru_cache(maxsize=32)
def _looks(
    tiles: tuple[Tile, ...],
    style: Style,
    autotile: tuple[AutotileSet | None, ...],
    around: tuple[tuple[int, int], ...],
    neighbourhoods: AutotileSet | None,
    flat: bool,
    frame: int,
) -> tuple[TileAppearance, ...]:
    """Return the appearances of a legend's tiles; cached across levels.

    `autotile` has, for each visible tile, the kind of neighbourhoods to draw it for, or None.
    `around` has pairs: a tile's id, and the id of the ground around it. `neighbourhoods` is the
    kind of neighbourhoods if each tile represents one itself, else None. With `flat`, tiles mean
    values to read, and are drawn in plain colours. `frame` is which picture of animated tiles is
    drawn.
    """
    painter = Painter(tiles, style, dict(around), frame)
    if neighbourhoods:
        return tuple(painter.neighbourhood(tile, neighbourhoods) for tile in painter.tiles)
    if flat:
        return tuple(map(painter.flat, painter.tiles))
    return tuple(map(painter.look, painter.tiles, autotile))


class _SheetBuilder:
    """Collects tiles and pictures of legends, and gives them numbers."""

    def __init__(self, style: Style, autotile: dict[str, AutotileSet], frame: int) -> None:
        self.style = style
        self.frame = frame
        self.autotile = autotile
        self.tiles: dict[int, Tile] = {}
        self.pictures: dict[int, np.ndarray] = {}
        self.terrains: list[NeighbourhoodTile] = []
        # The next free row's first number, and the end of all numbers in use.
        self.following = 0
        self.end = 0

    def add(
        self, layers: list[Layer], values: bool, around: Mapping[int, int] | None = None
    ) -> Picks:
        """Give numbers to a legend's tiles and pictures, from the next free row.

        `layers` are all layers that have the legend. `values` says whether the tiles mean values to
        read, as in a heat map. `around` has the id of the ground around each tile, by the tile's
        id; if it is None, the layers are searched for these grounds.
        """
        layer = layers[0]
        table = np.full(65536, -1, np.int32)
        first = self.following
        by_id = all(tile.id <= _LARGEST_ID for tile in layer.tiles)
        displayed = [tile for tile in layer.tiles if not tile.empty]
        for rank, tile in enumerate(displayed):
            table[tile.id] = first + (tile.id if by_id else rank)
            self.tiles[int(table[tile.id])] = tile
        self._next_row(max((int(table[tile.id]) for tile in displayed), default=first))
        terrain = mask_terrain(layer, table)
        if terrain:
            self.terrains.append(terrain)
        kinds = tuple(self.autotile.get(tile.name) for tile in displayed)
        kind = terrain.autotile if terrain else None
        flat = values and not any(kinds)
        if flat or kind:
            around = {}
        elif around is None:
            around = grounds_around(layers)
        looks = _looks(
            layer.tiles, self.style, kinds, tuple(around.items()), kind, flat, self.frame
        )
        choices = [
            choice
            for tile, look in zip(displayed, looks, strict=True)
            for choice in self._choices_at(tile, look, int(table[tile.id]))
        ]
        if choices:
            page = _PAGE * COLUMNS
            self.following = first + -(-(self.following - first) // page) * page
        return Picks(table, tuple(choices))

    def _choices_at(self, tile: Tile, look: TileAppearance, first: int) -> list[PictureChoice]:
        """Put the pictures of `tile` into the sheet; return how to choose them.

        The first picture gets the number `first`, the others the next free numbers. The result is
        empty if the tile has one picture, or too many for the sheet.
        """
        self.pictures[first] = look.pictures[0]
        self.end = max(self.end, first + 1)
        count = len(look.pictures)
        if count == 1 or self.following + count > _MOST_PICTURES:
            return []
        numbers = [first, *range(self.following, self.following + count - 1)]
        for number, picture in zip(numbers, look.pictures, strict=True):
            self.tiles[number] = tile
            self.pictures[number] = picture
        self._next_row(numbers[-1])
        self.end = max(self.end, numbers[-1] + 1)
        return [self._choice(tile, rule, numbers) for rule in look.rules]

    def _choice(self, tile: Tile, rule: Rule, numbers: list[int]) -> PictureChoice:
        """Return `rule` with numbers of the sheet in place of the tile's indices.

        `numbers` has the sheet's number of each of the tile's pictures. A rule that an engine can
        paint with is added to the terrains.
        """
        classes = tuple(tuple(numbers[index] for index in chosen) for chosen in rule.classes)
        if rule.terrain and rule.autotile:
            color = "#{:02x}{:02x}{:02x}".format(*color_of(tile, self.style).tolist())
            firsts = tuple(chosen[0] for chosen in classes)
            variants = tuple(
                (number, which)
                for which, chosen in enumerate(classes)
                for number in dict.fromkeys(chosen)
                if number != chosen[0]
            )
            self.terrains.append(
                NeighbourhoodTile(tile.name, color, rule.autotile, firsts, variants)
            )
        return PictureChoice(tile.id, classes, rule.autotile, rule.joins, rule.inner)

    def _next_row(self, last: int) -> None:
        self.following = max(self.following, (last // COLUMNS + 1) * COLUMNS)
