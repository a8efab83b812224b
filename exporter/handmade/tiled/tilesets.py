"""Read the tilesets of a Tiled map: the meaning of its tile numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from exporter.handmade.maps import HandTile
from exporter.handmade.tiled.files import BesideFiles
from exporter.handmade.tiled.limits import MAXIMUM_TILESETS, SAVE_AGAIN, TiledError
from exporter.handmade.tiled.values import Document, between, class_of, entries, properties, text
from exporter.model.lazy_dataclass import dataclass

_LARGEST_NUMBER = (1 << 28) - 1
# The point of a tile's picture that lies at the object's position, as shares of its size.
_ALIGNMENTS: Mapping[str, tuple[float, float]] = {
    "topleft": (0.0, 0.0),
    "top": (0.5, 0.0),
    "topright": (1.0, 0.0),
    "left": (0.0, 0.5),
    "center": (0.5, 0.5),
    "right": (1.0, 0.5),
    "bottomleft": (0.0, 1.0),
    "bottom": (0.5, 1.0),
    "bottomright": (1.0, 1.0),
    "unspecified": (0.0, 1.0),
    "": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class HandTileset:
    """A tileset that a Tiled map uses.

    Attributes:
        first: The number of the tileset's first tile in the map.
        name: The tileset's name in messages.
        count: How many numbers the tileset has; None if unknown.
        tiles: Descriptions of tiles, by their numbers in the tileset.
        alignment: Which point of a tile's picture lies at an object's position: across and down, 0
            to 1.
    """

    first: int
    name: str
    count: int | None
    tiles: Mapping[int, HandTile]
    alignment: tuple[float, float]

    def tile(self, number: int) -> HandTile | None:
        """Return the tile with this `number` in the map.

        Return None if the number is not in the tileset.
        """
        own = number - self.first
        if own < 0 or (self.count is not None and own >= self.count and own not in self.tiles):
            return None
        return self.tiles.get(own) or HandTile(source=_source(own, self.name))


class Tilesets:
    """All tilesets of a map, searched by the numbers of their tiles."""

    def __init__(self, tilesets: list[HandTileset]) -> None:
        self._tilesets = sorted(tilesets, key=lambda tileset: tileset.first)
        self._firsts = [tileset.first for tileset in self._tilesets]

    def of(self, number: int) -> HandTileset | None:
        """Return the tileset to which tile `number` of the map belongs, or None."""
        position = bisect_right(self._firsts, number) - 1
        return self._tilesets[position] if position >= 0 else None

    def tile(self, number: int) -> HandTile | None:
        """Return the description of tile `number` of the map.

        Return None if no tileset has the number.
        """
        tileset = self.of(number)
        return tileset.tile(number) if tileset is not None else None


def read_tilesets(drawn: Document, file: str, files: BesideFiles) -> Tilesets:
    """Read all tilesets of the map `drawn`, also those in separate files.

    `file` is the map's path, relative to the spec; `files` opens the separate files.

    Raises:
        TiledError: A tileset is broken.
        ParameterError: A file cannot be read.
    """
    listed = entries(drawn, "tilesets")
    if len(listed) > MAXIMUM_TILESETS:
        raise TiledError(f"has {len(listed)} tilesets (allowed: {MAXIMUM_TILESETS})")
    return Tilesets([read_tileset(item, file, files) for item in listed])


def read_tileset(entry: Document, file: str, files: BesideFiles) -> HandTileset:
    """Read one entry of the list of tilesets of a map or template.

    `file` is the path of that map or template, relative to the spec; `files` opens a separate file.

    Raises:
        TiledError: The tileset is broken.
        ParameterError: The file cannot be read.
    """
    first = between(entry, "firstgid", 1, _LARGEST_NUMBER)
    document, name = entry, text(entry, "name")
    if "source" in entry:
        path, document = files.open(entry["source"], file, "tileset")
        if "source" in document:
            raise TiledError(f"needs {path!r}, which refers to another tileset")
        name = path
    try:
        return _tileset(document, first, name)
    except TiledError as error:
        raise TiledError(f"is broken: the tileset {name!r} {error}") from None


def _tileset(document: Document, first: int, name: str) -> HandTileset:
    tiles = {}
    for tile in _reported_tiles(document):
        number = between(tile, "id", 0, _LARGEST_NUMBER)
        tiles[number] = HandTile(class_of(tile), properties(tile)[0], _source(number, name))
    count = None
    if "tilecount" in document:
        count = between(document, "tilecount", 0, _LARGEST_NUMBER)
    alignment = text(document, "objectalignment")
    if alignment not in _ALIGNMENTS:
        raise TiledError(f"has the unknown objectalignment {alignment[:40]!r}")
    return HandTileset(first, name, count, tiles, _ALIGNMENTS[alignment])


def _reported_tiles(document: Document) -> list[Document]:
    """Return the tiles that a tileset describes, as a list.

    JSON of Tiled before 1.2 has a mapping by id instead.
    """
    if not any(isinstance(document.get(key), Mapping) for key in ("tiles", "tileproperties")):
        return entries(document, "tiles")
    by_id: dict[str, dict[str, Any]] = {}
    for key, name in (("tiles", ""), ("tileproperties", "properties")):
        given = document.get(key, {})
        if not isinstance(given, Mapping) or not all(
            isinstance(v, Mapping) for v in given.values()
        ):
            raise TiledError(f"has `{key}`, which is not a mapping of objects ({SAVE_AGAIN})")
        for number, value in given.items():
            by_id.setdefault(number, {"id": number}).update({name: value} if name else value)
    return list(by_id.values())


def _source(number: int, name: str) -> str:
    return f"tile {number} of {name or 'its tileset'}"
