"""Read hand-made pieces of maps: drawings, Tiled maps or LDtk levels.

A piece is an array of tile ids, int32 [height, width]; -1 leaves the map unchanged. A file may
contain many pieces: every area of the class `room` in a Tiled map, every level of an LDtk project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Request
from exporter.generators._handmade import LayerId, TileNumber, layer_of
from exporter.generators._legend import (
    MAXIMUM_ART_SIDE,
    TRANSPARENT,
    AnyTile,
    Art,
    Legend,
    TileOptions,
    read_drawing,
)
from exporter.handmade.areas import mask_of
from exporter.handmade.ldtk.project import matching_levels, read_project
from exporter.handmade.ldtk.reading import level_map
from exporter.handmade.legend import EMPTY, USUAL_TILES
from exporter.handmade.maps import HandArea, HandLayer, HandMap, HandTile
from exporter.handmade.meaning import Meaning, layer_tiles, meaning_of, used_numbers
from exporter.handmade.tiled.maps import read_tiled_map
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_TEXT_BYTES
from exporter.model.parameters import About, FileName, Name, Parameters, Within

Ids = NDArray[np.int32]
Path = tuple[str | int, ...]

LDTK, TILED = (".ldtk",), (".tmx", ".tmj", ".json")
DOOR = "door"
ROOM = "room"
# Pieces of one file, and the cells of all of them: there are eight directions of each.
MAXIMUM_PIECES = 256
MAXIMUM_PIECE_CELLS = 1 << 21


@dataclass(frozen=True, kw_only=True)
class PieceSource(Parameters):
    """Parameters for where hand-made pieces come from."""

    art: Annotated[
        Art | None, About("Drawing, one character for each cell. Spaces leave the map unchanged.")
    ] = None
    file: Annotated[
        FileName | None,
        About(
            "File with such a drawing, a Tiled map (.tmx, .tmj) or an LDtk project (.ldtk), "
            "relative to the spec. Every area of the class `room` in a map, and every level of a "
            "project, is a piece of its own. An object of the class `door` makes its cell a door."
        ),
    ] = None
    layer: Annotated[
        Annotated[str, Within(1, 256, length=True)] | LayerId | None,
        About(
            "The layer of tiles of that map, by its name, `NAME#2` or `{id: 7}` (default: the "
            "lowest), or of IntGrid values or tiles "
            "of that project (default: the only one of IntGrid values)."
        ),
    ] = None
    level: Annotated[
        Annotated[str, Within(1, 128, length=True)] | None,
        About(
            "The levels of that project, by name or iid, or a pattern as `Room_*`; default: all."
        ),
    ] = None
    legend: Annotated[
        dict[TileNumber, Name | TileOptions],
        Within(0, 4096, length=True),
        About(
            "Tiles by their numbers in that map or project: the name of a known tile, or `{name, "
            "walkable, opaque, color}`."
        ),
    ] = field(default_factory=dict)
    fill: Annotated[
        Name | TileOptions | None,
        About(
            "Tile of cells in which that map or project has none; default: they leave the map "
            "unchanged."
        ),
    ] = None

    @property
    def source_key(self) -> str:
        """The name of the parameter that gives the source: `art` or `file`."""
        return "file" if self.art is None else "art"

    def names_a_map(self) -> bool:
        """Return whether `file` is a Tiled map or LDtk project."""
        return (self.file or "").lower().endswith(LDTK + TILED)

    def check_source(self, glyphs: Mapping[str, AnyTile], path: Path) -> None:
        """Refuse none or both of `art` and `file`, and options without effect.

        `glyphs` are the characters that the spec defines for drawings.

        Raises:
            ParameterError: A parameter is wrong; the error has its path, which begins with `path`.
        """
        if (self.art is None) == (self.file is None):
            raise ParameterError("give either `art` (a drawing) or `file`", path)
        if self.art is not None:
            read_drawing(self.art, glyphs, Legend(), (*path, "art"))
        for name in ("layer", "legend", "fill"):
            if getattr(self, name) and not self.names_a_map():
                what = "a map of Tiled (.tmx, .tmj) or a project of LDtk (.ldtk)"
                raise ParameterError(
                    f"`{name}` has no effect here: it is for {what} only (remove it)", (*path, name)
                )
        if self.level is not None and not (self.file or "").lower().endswith(LDTK):
            raise ParameterError(
                "`level` has no effect here: it is for an LDtk project (.ldtk) only (remove it)",
                (*path, "level"),
            )


def read_pieces(
    source: PieceSource, glyphs: Mapping[str, AnyTile], legend: Legend, request: Request, path: Path
) -> list[Ids]:
    """Return the pieces that `source` names, at least one.

    `glyphs` are the characters that the spec defines for drawings. Tiles that `legend` lacks are
    added to it; `request` reads files.

    Raises:
        ParameterError: The source is wrong; the error has the parameter's path, which begins with
            `path`.
    """
    if source.art is not None:
        return [read_drawing(source.art, glyphs, legend, (*path, "art"))]
    name = source.file or ""

    def read_file(expected: str) -> bytes:
        return request.read_project_file(expected, ("file",))

    try:
        content = read_file(name)
        if not source.names_a_map():
            text = _text(content, name)
            return [read_drawing(text, glyphs, legend, ("file",))]
        pieces: list[Ids] = []
        for drawn, layer in _maps(source, content, name, read_file):
            pieces += _pieces_of(drawn, layer, source, legend)
            _check_amount(pieces, name)
        if not pieces:
            raise ParameterError(f"the areas of the class `{ROOM}` in {name} have no cells")
        return pieces
    except ParameterError as error:
        raise ParameterError(error.message, (*path, *(error.path or ("file",)))) from None


def _text(content: bytes, name: str) -> str:
    """Return the text of the drawing in the file `name`.

    Raises:
        ParameterError: The file is too large, or not text.
    """
    if len(content) > MAXIMUM_TEXT_BYTES:
        raise ParameterError(f"{name} has {len(content)} bytes (allowed: {MAXIMUM_TEXT_BYTES})")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ParameterError(f"{name} is not UTF-8 text") from None


def _maps(
    source: PieceSource, content: bytes, name: str, read_file: Callable[[str], bytes]
) -> Iterator[tuple[HandMap, HandLayer]]:
    """Yield the maps in the file `name`, each with the layer to read.

    A Tiled file is one map; an LDtk project has one for each level that `source.level` matches.
    """
    if name.lower().endswith(LDTK):
        project = read_project(content, name, read_file)
        if isinstance(source.layer, LayerId):
            raise ParameterError(
                "`layer` must be the name of an LDtk layer (write `layer: NAME`)", ("layer",)
            )
        for level in matching_levels(project, source.level or "*"):
            drawn = level_map(project, level, source.layer)
            yield drawn, drawn.layers[0]
        return
    drawn = read_tiled_map(content, name, read_file)
    if source.layer is None and drawn.layers:
        yield drawn, drawn.layers[0]
    else:
        yield drawn, layer_of(drawn, source.layer, name)


def _check_amount(pieces: list[Ids], name: str) -> None:
    """Refuse too many pieces, or too large ones.

    Raises:
        ParameterError: The pieces of the file `name` exceed a limit.
    """
    if len(pieces) > MAXIMUM_PIECES:
        raise ParameterError(
            f"{name} has more than {MAXIMUM_PIECES} pieces (name some of them with `level`, or "
            "divide the file)"
        )
    for height, width in (piece.shape for piece in pieces):
        if width > MAXIMUM_ART_SIDE or height > MAXIMUM_ART_SIDE:
            raise ParameterError(
                f"{name} has a piece of {width} x {height} cells (allowed: 1 to "
                f"{MAXIMUM_ART_SIDE} each way)"
            )
    if sum(piece.size for piece in pieces) > MAXIMUM_PIECE_CELLS:
        raise ParameterError(
            f"the pieces of {name} have more than {MAXIMUM_PIECE_CELLS} cells in all (divide the "
            "file)"
        )


def _pieces_of(drawn: HandMap, layer: HandLayer, source: PieceSource, legend: Legend) -> list[Ids]:
    """Return the areas of the class `room` as pieces, else the whole layer.

    Doors that the map `drawn` has as objects become the tile `door`.
    """
    ids = _ids_of(layer, source, legend)
    for item in drawn.objects:
        inside = 0 <= item.x < drawn.width and 0 <= item.y < drawn.height
        if inside and DOOR in (item.kind.lower(), item.name.lower()):
            ids[item.y, item.x] = legend.add(USUAL_TILES[DOOR])
    marked = [area for area in drawn.areas if area.kind.lower() == ROOM]
    pieces = [piece for area in marked if (piece := _cut(ids, area)) is not None]
    return pieces if marked else [ids]


def _cut(ids: Ids, area: HandArea) -> Ids | None:
    """Return the cells of `area`, -1 around its shape; None if off the map."""
    inside = mask_of(area, ids.shape[1], ids.shape[0])
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not rows.size:
        return None
    part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    piece: Ids = np.where(inside[part], ids[part], np.int32(TRANSPARENT))
    return piece


def _ids_of(layer: HandLayer, source: PieceSource, legend: Legend) -> Ids:
    """Return `layer` as tile ids; empty cells are `source.fill`, or -1.

    What a tile means is defined in the spec, else in the file. Without either it is the tile of the
    same name in `legend`, else the one whose id is its number minus 1, as in maps exported for
    Tiled.
    """
    meanings: dict[int, Meaning] = dict(source.legend)
    by_id = {tile.id: tile for tile in legend.tiles}
    for number in used_numbers(layer.cells).tolist():
        tile = layer.tiles.get(number, HandTile())
        if not number or number in meanings or meaning_of(tile) is not None:
            continue
        known = legend.find(tile.name) or by_id.get(number - 1)
        if known is not None:
            meanings[number] = TileOptions(
                name=known.name, walkable=known.walkable, opaque=known.opaque, color=known.color
            )
    cells, tiles = layer_tiles(layer, meanings, EMPTY if source.fill is None else source.fill)
    ids = np.array([legend.add(tile) if tile.name != EMPTY.name else TRANSPARENT for tile in tiles])
    return ids[cells].astype(np.int32)


def directions(piece: Ids, turn: bool, mirror: bool) -> list[Ids]:
    """Return `piece` in all orientations that differ.

    It is rotated by quarter turns if `turn` is True, and mirrored if `mirror` is.
    """
    turned = [np.rot90(piece, quarter) for quarter in range(4 if turn else 1)]
    if mirror:
        turned += [np.fliplr(item) for item in turned]
    different: list[Ids] = []
    for item in turned:
        if not any(np.array_equal(item, other) for other in different):
            different.append(np.ascontiguousarray(item))
    return different
