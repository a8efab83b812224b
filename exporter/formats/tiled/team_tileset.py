"""Read a Tiled tileset (`.tsx`, `.tsj`) that a team made itself.

Files are untrusted: their size and nesting are limited as for maps made by hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_TEXT_BYTES
from exporter.tilesets.terrain_match import Matching, TerrainTile

LARGEST_TILE = 512
# Tiled marks turned tiles with the bits above these.
LARGEST_NUMBER = (1 << 28) - 1
# Errors that values which Tiled does not write can cause.
_BROKEN = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_MODES: Mapping[str, Matching] = {
    "mixed": "corners and sides",
    "corner": "corners",
    "edge": "sides",
}


class TiledTilesetError(ValueError):
    """Raised if a file is no usable tileset; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class WangSet:
    """A terrain set of Tiled (Wang set).

    Attributes:
        name: The set's name.
        mode: With which neighbours a tile is matched: those at sides, at corners, or both.
        colors: The names of the set's terrains, which Tiled calls colours.
        tiles: The set's tiles, each with the terrains around it.
    """

    name: str
    mode: Matching
    colors: tuple[str, ...]
    tiles: tuple[TerrainTile, ...]


@dataclass(frozen=True, slots=True)
class TiledTeamTileset:
    """A Tiled tileset that a team, not the exporter, made.

    Attributes:
        tile_size: Side of a tile in pixels.
        count: One more than the highest tile number.
        listed: The tile numbers that exist, if there are gaps; None if all below `count` exist.
        names: The name of each tile number: the tile's class, or else its property `name`.
        probabilities: The weight of a tile when one of several variants is drawn by chance, by tile
            number; 1 for tiles not in it.
        wang_sets: The terrain sets.
    """

    tile_size: int
    count: int
    listed: frozenset[int] | None
    names: Mapping[int, str]
    probabilities: Mapping[int, float]
    wang_sets: tuple[WangSet, ...]

    def has(self, number: int) -> bool:
        """Return whether the tileset has a tile with this `number`."""
        return 0 <= number < self.count and (self.listed is None or number in self.listed)

    def probability(self, number: int) -> float:
        """Return the weight of tile `number` when one of several is drawn."""
        return self.probabilities.get(number, 1.0)


def read_tiled_tileset(
    content: bytes, file: str, diamond: tuple[int, int] | None = None
) -> TiledTeamTileset:
    """Read a tileset file that a team made.

    `file` is the file's name, for messages. `diamond` is width and height of isometric cells in
    pixels, None for square cells. Isometric tiles may be higher than the cells.

    Raises:
        TiledTilesetError: The file is not a tileset, is broken, or has tiles of another shape.
    """
    if len(content) > MAXIMUM_TEXT_BYTES:
        raise TiledTilesetError(f"{file} has {len(content)} bytes (allowed: {MAXIMUM_TEXT_BYTES})")
    # Imported here: most levels draw their tiles themselves.
    from exporter.handmade.tiled.files import read_document
    from exporter.handmade.tiled.limits import TiledError

    try:
        return _tileset(read_document(content), diamond)
    except (TiledError, TiledTilesetError) as error:
        raise TiledTilesetError(f"{file} {error}") from None
    except _BROKEN:
        raise TiledTilesetError(f"{file} is not a Tiled tileset, or is broken") from None


def _tileset(document: Any, diamond: tuple[int, int] | None) -> TiledTeamTileset:
    if not isinstance(document, dict) or "tilewidth" not in document:
        raise TiledTilesetError("is not a Tiled tileset")
    width, height = int(document["tilewidth"]), int(document["tileheight"])
    if diamond is not None and (width != diamond[0] or height < diamond[1]):
        raise TiledTilesetError(
            f"has tiles of {width} x {height} pixels, which do not fit cells of {diamond[0]} x "
            f"{diamond[1]} (write `cell: [{width}, {width // 2}]` in `grid`)"
        )
    if diamond is None and width != height:
        raise TiledTilesetError(
            f"has tiles of {width} x {height} pixels, but levels have square ones (name another "
            "tileset)"
        )
    if not 1 <= width <= LARGEST_TILE:
        raise TiledTilesetError(f"has tiles of {width} pixels (allowed: 1 to {LARGEST_TILE})")
    grid = document.get("grid") or {}
    if diamond is None and grid.get("orientation", "orthogonal") != "orthogonal":
        cell = f"[{grid.get('width', width)}, {grid.get('height', height)}]"
        way_out = f"write `grid: {{shape: isometric, cell: {cell}}}`"
        raise TiledTilesetError(f"has isometric tiles, but levels have square ones ({way_out})")
    if isinstance(document.get("tiles"), Mapping):
        raise _too_old()
    tiles = list(document.get("tiles") or [])
    listed = None
    count = int(document.get("tilecount", 0))
    if not document.get("image"):
        # A collection of pictures, whose numbers may have gaps.
        listed = frozenset(int(tile["id"]) for tile in tiles)
        count = max(listed, default=-1) + 1
    if not 0 <= count <= LARGEST_NUMBER:
        raise TiledTilesetError(f"has {count} tiles (allowed: 0 to {LARGEST_NUMBER})")
    names = {int(tile["id"]): _name(tile) for tile in tiles}
    chances = {int(tile["id"]): _chance(tile) for tile in tiles if "probability" in tile}
    sets = tuple(_wang_set(item, chances) for item in document.get("wangsets") or [])
    return TiledTeamTileset(
        width,
        count,
        listed,
        {number: name for number, name in names.items() if name},
        chances,
        sets,
    )


def _name(tile: Mapping[str, Any]) -> str:
    # Tiled 1.9 wrote `class`, versions before and after it `type`.
    called = tile.get("type") or tile.get("class")
    if called:
        return str(called)
    return next(
        (
            str(item.get("value", ""))
            for item in tile.get("properties") or []
            if item["name"] == "name"
        ),
        "",
    )


def _chance(entry: Mapping[str, Any]) -> float:
    chance = float(entry.get("probability", 1))
    return max(chance, 0.0) if math.isfinite(chance) else 1.0


def _wang_set(document: Mapping[str, Any], chances: Mapping[int, float]) -> WangSet:
    name = str(document.get("name", ""))
    kind = document.get("type", "mixed")
    if kind not in _MODES:
        raise TiledTilesetError(f"has a terrain set of the unknown type {str(kind)[:40]!r}")
    colors = list(document.get("colors") or [])
    tiles = []
    for entry in document.get("wangtiles") or []:
        ids = _wang_id(entry["wangid"], len(colors))
        number = int(entry["tileid"])
        terrains = frozenset(item for item in ids if item >= 0)
        chance = chances.get(number, 1.0) * math.prod(
            _chance(colors[terrain]) for terrain in terrains
        )
        tiles.append(TerrainTile(number, terrains, ids, chance))
    tiles.sort(key=lambda tile: tile.number)
    return WangSet(
        name, _MODES[kind], tuple(str(color.get("name", "")) for color in colors), tuple(tiles)
    )


def _wang_id(value: Any, colors: int) -> tuple[int, ...]:
    """Return the terrain towards each neighbour, clockwise from the top.

    `value` is Tiled's `wangid` of a tile; `colors` is the number of terrains in the set. The result
    has indices of terrains, -1 for none.

    Raises:
        TiledTilesetError: The tileset is of a version before 1.5.
    """
    if isinstance(value, str) and value.startswith("0x"):
        raise _too_old()
    numbers = value.split(",") if isinstance(value, str) else list(value)
    ids = tuple(int(number) - 1 for number in numbers)
    if len(ids) != 8 or not all(-1 <= item < colors for item in ids):
        raise _too_old()
    return ids


def _too_old() -> TiledTilesetError:
    from exporter.handmade.tiled.limits import SAVE_AGAIN

    return TiledTilesetError(f"has tiles or terrains of Tiled before 1.5 ({SAVE_AGAIN})")
