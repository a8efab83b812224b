"""Read a Tiled map as a `HandMap`."""

from __future__ import annotations

from collections.abc import Callable

from exporter.handmade.maps import HandLayer, HandMap, HandTile
from exporter.handmade.meaning import used_numbers
from exporter.handmade.tiled.cells import Cells
from exporter.handmade.tiled.files import BesideFiles, read_document
from exporter.handmade.tiled.layers import (
    Bounds,
    LayerMatch,
    all_layers,
    bounds_of,
    joined,
    read_parts,
)
from exporter.handmade.tiled.limits import SAVE_AGAIN, TiledError
from exporter.handmade.tiled.objects import ObjectReader
from exporter.handmade.tiled.tilesets import Tilesets, read_tilesets
from exporter.handmade.tiled.values import Document, between, integer, text
from exporter.model.errors import ParameterError

# Orientations whose cells are squares of a grid, each with four neighbours.
_SQUARE = ("orthogonal", "isometric")


def read_tiled_map(content: bytes, file: str, read: Callable[[str], bytes]) -> HandMap:
    """Read a Tiled map, and the tilesets and templates it names.

    Args:
        content: The bytes of the map, XML or JSON.
        file: The map's path, relative to the spec.
        read: Reads another file by its path relative to the spec.

    Raises:
        ParameterError: A file cannot be read; the message names it.
    """
    try:
        return _map(read_document(content), file, BesideFiles(read))
    except TiledError as error:
        fix = "" if str(error).endswith(")") else f" ({SAVE_AGAIN})"
        raise ParameterError(f"{file} {error}{fix}") from None


def _map(drawn: Document, file: str, files: BesideFiles) -> HandMap:
    if text(drawn, "type") != "map":
        raise TiledError("is not a Tiled map (name a map, .tmx or .tmj)")
    orientation = text(drawn, "orientation")
    if orientation not in _SQUARE:
        raise TiledError(
            f"has the orientation {orientation[:40]!r}, but levels have square cells (choose "
            f"{' or '.join(_SQUARE)} in the map's properties in Tiled)"
        )
    layers = all_layers(drawn)
    with_tiles = [layer for layer in layers if layer.kind == "tilelayer"]
    parts = read_parts(drawn, with_tiles)
    bounds = bounds_of(drawn, parts)
    tilesets = read_tilesets(drawn, file, files)
    grids = [
        _hand_layer(layer, joined(part, bounds), bounds, tilesets)
        for layer, part in zip(with_tiles, parts, strict=True)
    ]
    isometric = orientation == "isometric"
    down = between(drawn, "tileheight", 1, 1 << 16)
    # In isometric maps both axes are measured in heights of a tile.
    cell = down if isometric else between(drawn, "tilewidth", 1, 1 << 16), down
    reader = ObjectReader(file, tilesets, files, bounds, cell, isometric=isometric)
    for layer in layers:
        if layer.kind == "objectgroup":
            reader.read(layer)
    pictures = [f"picture {layer.name!r}" for layer in layers if layer.kind == "imagelayer"]
    result = reader.matches
    return HandMap(
        bounds.width,
        bounds.height,
        tuple(grids),
        tuple(result.objects),
        tuple(result.areas),
        (*pictures, *result.not_read),
    )


def _hand_layer(layer: LayerMatch, numbers: Cells, bounds: Bounds, tilesets: Tilesets) -> HandLayer:
    """Return `layer` with its tile numbers and what the tilesets say of each."""
    tiles: dict[int, HandTile] = {}
    for number in used_numbers(numbers).tolist():
        if number:
            # The legend of a spec may name tiles behind the end of a sheet.
            tiles[number] = tilesets.tile(number) or HandTile(source="in no tileset")
    number = integer(layer.document, "id", 0)
    return HandLayer(layer.name, numbers, tiles, (bounds.x, bounds.y), number)
