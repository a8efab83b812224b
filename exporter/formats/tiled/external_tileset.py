"""A tileset that a team keeps by hand in Tiled (`.tsx`, `.tsj`): names, chances and Wang sets.

A file may come from anywhere: XML with a document type is refused, and there are limits.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from exporter.model.limits import MAXIMUM_TEXT_BYTES
from exporter.tilesets.terrain_match import Matching, TerrainTile

LARGEST_TILE = 512
# Tiled marks turned tiles with the bits above these.
LARGEST_NUMBER = (1 << 28) - 1
_MOST_ELEMENTS = 500_000
_MAXIMUM_DEPTH = 32
# What reading a document raises that has other values than Tiled writes.
_BROKEN = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_MODES: Mapping[str, Matching] = {
    "mixed": "corners and sides",
    "corner": "corners",
    "edge": "sides",
}


class TiledTilesetError(ValueError):
    """The file is no tileset that a level can use; the message says why."""


@dataclass(frozen=True, slots=True)
class WangSet:
    """A Wang set: its name, what of the neighbourhood counts, its colours, and its tiles."""

    name: str
    mode: Matching
    colors: tuple[str, ...]
    tiles: tuple[TerrainTile, ...]


@dataclass(frozen=True, slots=True)
class ExternalTiledTileset:
    """A tileset of the team.

    Attributes:
        tile_size: Side of a tile in pixels.
        count: How many numbers there are: one more than the last.
        listed: The numbers that exist, if there are gaps; None where all do.
        names: What tiles are called: their class, or else their property `name`.
        probabilities: How often tiles come among several, where that is not 1.
        wang_sets: Terrains.
    """

    tile_size: int
    count: int
    listed: frozenset[int] | None
    names: Mapping[int, str]
    probabilities: Mapping[int, float]
    wang_sets: tuple[WangSet, ...]

    def has(self, number: int) -> bool:
        """Return whether there is a tile with a number."""
        return 0 <= number < self.count and (self.listed is None or number in self.listed)

    def probability(self, number: int) -> float:
        """Return how often a tile is to come among several."""
        return self.probabilities.get(number, 1.0)


def read_tiled_tileset(content: bytes, file: str) -> ExternalTiledTileset:
    """Read a tileset.

    Args:
        content: Its file.
        file: The file's name, which tells XML from JSON by its suffix.

    Raises:
        TiledTilesetError: It is no tileset, broken, or has tiles that are no squares.
    """
    if len(content) > MAXIMUM_TEXT_BYTES:
        raise TiledTilesetError(f"{file} has {len(content)} bytes (allowed: {MAXIMUM_TEXT_BYTES})")
    try:
        json_like = file.casefold().endswith((".tsj", ".json"))
        document = json.loads(content) if json_like else _document_of_xml(content)
        return _tileset(document)
    except _BROKEN as error:
        if isinstance(error, TiledTilesetError):
            raise TiledTilesetError(f"{file} {error}") from None
        raise TiledTilesetError(f"{file} is no tileset of Tiled, or broken") from None


def _tileset(document: Any) -> ExternalTiledTileset:
    if not isinstance(document, dict) or "tilewidth" not in document:
        raise TiledTilesetError("is no tileset of Tiled")
    width, height = int(document["tilewidth"]), int(document["tileheight"])
    if width != height:
        raise TiledTilesetError(f"has tiles of {width} x {height} pixels: levels have squares")
    if not 1 <= width <= LARGEST_TILE:
        raise TiledTilesetError(f"has tiles of {width} pixels (allowed: 1 to {LARGEST_TILE})")
    grid = document.get("grid") or {}
    if grid.get("orientation", "orthogonal") != "orthogonal":
        raise TiledTilesetError("has isometric tiles: levels have squares")
    tiles = list(document.get("tiles") or [])
    listed = None
    count = int(document.get("tilecount", 0))
    if not document.get("image"):
        # A collection of pictures, whose numbers may have gaps.
        listed = frozenset(int(tile["id"]) for tile in tiles)
        count = max(listed, default=-1) + 1
    if not 0 <= count <= LARGEST_NUMBER:
        raise TiledTilesetError(f"has {count} tiles")
    names = {int(tile["id"]): _name(tile) for tile in tiles}
    chances = {int(tile["id"]): _chance(tile) for tile in tiles if "probability" in tile}
    sets = tuple(_wang_set(one, chances) for one in document.get("wangsets") or [])
    return ExternalTiledTileset(
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
            str(one.get("value", ""))
            for one in tile.get("properties") or []
            if one["name"] == "name"
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
        terrains = frozenset(one for one in ids if one >= 0)
        chance = chances.get(number, 1.0) * math.prod(_chance(colors[one]) for one in terrains)
        tiles.append(TerrainTile(number, terrains, ids, chance))
    tiles.sort(key=lambda tile: tile.number)
    return WangSet(
        name, _MODES[kind], tuple(str(one.get("name", "")) for one in colors), tuple(tiles)
    )


def _wang_id(value: Any, colors: int) -> tuple[int, ...]:
    """Return the colours towards the neighbours, clockwise from the top; -1 for none."""
    numbers = value.split(",") if isinstance(value, str) else list(value)
    ids = tuple(int(number) - 1 for number in numbers)
    if len(ids) != 8 or not all(-1 <= one < colors for one in ids):
        raise TiledTilesetError("has terrains of an old version: save it with a newer Tiled")
    return ids


def _document_of_xml(content: bytes) -> dict[str, Any]:
    """Return XML as the JSON of the same tileset, as far as it is read here."""
    root = _Element("", {}, [])
    open_elements = [root]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MOST_ELEMENTS or len(open_elements) > _MAXIMUM_DEPTH:
            raise TiledTilesetError("is too large, or too deep")
        element = _Element(name, attributes, [])
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def refuse(*_: Any) -> None:
        raise TiledTilesetError("has a document type, which is not allowed")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: open_elements.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise TiledTilesetError(f"is broken ({error})") from None
    if not root.children or root.children[0].name != "tileset":
        raise TiledTilesetError("is no tileset of Tiled")
    return _tileset_of_xml(root.children[0])


@dataclass(frozen=True, slots=True)
class _Element:
    name: str
    attributes: dict[str, str]
    children: list[_Element]

    def named(self, name: str) -> list[_Element]:
        """Return the children of a name."""
        return [child for child in self.children if child.name == name]


def _tileset_of_xml(tileset: _Element) -> dict[str, Any]:
    tiles = [
        {
            **tile.attributes,
            "properties": [
                one.attributes
                for block in tile.named("properties")
                for one in block.named("property")
            ],
        }
        for tile in tileset.named("tile")
    ]
    sets = [
        {
            **one.attributes,
            "colors": [color.attributes for color in one.named("wangcolor")],
            "wangtiles": [tile.attributes for tile in one.named("wangtile")],
        }
        for block in tileset.named("wangsets")
        for one in block.named("wangset")
    ]
    image = next((one.attributes.get("source") for one in tileset.named("image")), None)
    grid = next((one.attributes for one in tileset.named("grid")), {})
    return {**tileset.attributes, "image": image, "grid": grid, "tiles": tiles, "wangsets": sets}
