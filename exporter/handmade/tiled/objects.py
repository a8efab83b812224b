"""Read a Tiled map's objects: points, tiles, rectangles and polygons.

A rectangle or ellipse of at most one cell becomes an object, a larger one an area. Lines and texts
are not read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from exporter.handmade.maps import AreaShape, HandArea, HandObject
from exporter.handmade.meaning import MEANING
from exporter.handmade.tiled.files import BesideFiles
from exporter.handmade.tiled.layers import Bounds, LayerMatch
from exporter.handmade.tiled.limits import MAXIMUM_CORNERS, MAXIMUM_OBJECTS, TiledError
from exporter.handmade.tiled.tilesets import HandTileset, Tilesets, read_tileset
from exporter.handmade.tiled.values import (
    Document,
    class_of,
    coordinate,
    entries,
    integer,
    properties,
)
from exporter.handmade.tiled.values import text as text_of
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import Scalar

Point = tuple[float, float]

# Shapes that levels do not have.
_NOT_READ = {"polyline": "line", "text": "text", "capsule": "capsule"}
_NUMBER_BITS = 0x0FFFFFFF
# Sine and cosine differ in their last bits from machine to machine: these are kept.
_RETAINED = 1 << 30


@dataclass(frozen=True, slots=True)
class _Figure:
    """An object in the file of a map, with what its template adds."""

    document: Document
    name: str
    kind: str
    properties: Mapping[str, Scalar]
    left_out: tuple[str, ...]
    tileset: HandTileset | None


@dataclass(slots=True)
class ObjectMatches:
    """The objects and areas of a map, collected while its layers are read."""

    objects: list[HandObject] = field(default_factory=list)
    areas: list[HandArea] = field(default_factory=list)
    not_read: list[str] = field(default_factory=list)


class ObjectReader:
    """Reads the objects of one map.

    Args:
        file: The map's path, relative to the spec.
        tilesets: The map's tilesets.
        files: Opens templates, files of objects that others are copies of.
        bounds: The map's cells.
        cell: Width and height of a cell in the units of objects.
        isometric: Whether the map is isometric.
    """

    def __init__(
        self,
        file: str,
        tilesets: Tilesets,
        files: BesideFiles,
        bounds: Bounds,
        cell: tuple[int, int],
        *,
        isometric: bool,
    ) -> None:
        self._file = file
        self._tilesets = tilesets
        self._files = files
        self._bounds = bounds
        self._cell = cell
        self._isometric = isometric
        self._corners = 0
        self.matches = ObjectMatches()

    def read(self, layer: LayerMatch) -> None:
        """Read the objects of one object layer, and add them to `matches`.

        Raises:
            TiledError: An object is broken, or there are too many.
            ParameterError: A template cannot be read.
        """
        listed = entries(layer.document, "objects")
        count = len(self.matches.objects) + len(self.matches.areas) + len(listed)
        if count > MAXIMUM_OBJECTS:
            raise TiledError(f"has too many objects (allowed: {MAXIMUM_OBJECTS})")
        for number, item in enumerate(listed, 1):
            try:
                self._add(self._figure(item), layer.name)
            except TiledError as error:
                called = text_of(item, "name")[:80] or f"number {number}"
                what = f"the object {called!r} of {layer.name!r}"
                raise TiledError(f"is broken: {what} {error}") from None

    def _figure(self, own: Document) -> _Figure:
        """Merge the object `own` with its template and its tile."""
        document, owner = own, None
        values, left_out = properties(own)
        if "template" in own:
            path, template = self._files.open(own["template"], self._file, "template")
            inherited = template.get("object")
            if not isinstance(inherited, Mapping) or "template" in inherited:
                raise TiledError(f"has the template {path!r}, which contains no object")
            document = {**inherited, **own}
            more, others = properties(inherited)
            values = {**more, **values}
            left_out = tuple(dict.fromkeys((*others, *left_out)))
            if "gid" in inherited and "gid" not in own:
                entry = template.get("tileset")
                if not isinstance(entry, Mapping):
                    raise TiledError(f"has the template {path!r}, which has a tile but no tileset")
                owner = read_tileset(entry, path, self._files)
        kind = class_of(document)
        tileset = owner
        if "gid" in document:
            number = integer(document, "gid") & _NUMBER_BITS
            if not number:
                raise TiledError("has the tile number 0 (0 means no tile)")
            tileset = owner or self._tilesets.of(number)
            tile = tileset.tile(number) if tileset is not None else None
            if tile is not None:
                kind = kind or tile.name
                shared = {k: v for k, v in tile.properties.items() if k not in MEANING}
                values = {**shared, **values}
        return _Figure(document, text_of(document, "name"), kind, values, left_out, tileset)

    def _add(self, figure: _Figure, group: str) -> None:
        document = figure.document
        for key, what in _NOT_READ.items():
            if document.get(key):
                called = figure.name or figure.kind
                self.matches.not_read.append(f"{what} {called!r} of {group!r}")
                return
        start = coordinate(document, "x"), coordinate(document, "y")
        size = coordinate(document, "width"), coordinate(document, "height")
        if "gid" in document:
            middle = self._middle_of_tile(figure, start, size)
            self._add_object(figure, middle, self._picture(figure, start, size), group)
        elif document.get("polygon"):
            self._add_area(figure, self._polygon(document, start), "polygon", group)
        elif document.get("point"):
            self._add_object(
                figure, _rotated_point(start, document, size[0] / 2, size[1] / 2), (), group
            )
        else:
            corners = _corners(start, document, (0.0, 0.0), size)
            if self._fits_a_cell(size):
                middle = _rotated_point(start, document, size[0] / 2, size[1] / 2)
                self._add_object(figure, middle, corners, group)
                return
            shape: AreaShape = "ellipse" if document.get("ellipse") else "polygon"
            self._add_area(figure, corners, shape, group)

    def _fits_a_cell(self, size: Point) -> bool:
        return abs(size[0]) <= self._cell[0] and abs(size[1]) <= self._cell[1]

    def _middle_of_tile(self, figure: _Figure, start: Point, size: Point) -> Point:
        """Return the middle of an object that shows a tile, in pixels.

        `start` is the object's position, `size` the size of its picture.
        """
        if self._isometric:
            # Its picture is drawn on the lowest corner of a cell.
            return start[0] - self._cell[0] / 2, start[1] - self._cell[1] / 2
        across, down = figure.tileset.alignment if figure.tileset is not None else (0.0, 1.0)
        return _rotated_point(
            start, figure.document, size[0] * (0.5 - across), size[1] * (0.5 - down)
        )

    def _picture(self, figure: _Figure, start: Point, size: Point) -> tuple[Point, ...]:
        """Return the corners, in pixels, of an object that shows a tile.

        `start` is the object's position. Empty for isometric maps.
        """
        if self._isometric:
            return ()
        across, down = figure.tileset.alignment if figure.tileset is not None else (0.0, 1.0)
        return _corners(start, figure.document, (-size[0] * across, -size[1] * down), size)

    def _polygon(self, document: Document, start: Point) -> tuple[Point, ...]:
        given = document["polygon"]  # a text in XML
        listed = entries(document, "polygon") if not isinstance(given, str) else []
        self._corners += given.count(",") if isinstance(given, str) else len(listed)
        if self._corners > MAXIMUM_CORNERS:
            raise TiledError(
                f"raises the map above the allowed number of corners (allowed: {MAXIMUM_CORNERS})"
            )
        points = _corners_of(given) if isinstance(given, str) else listed
        return tuple(
            _rotated_point(start, document, coordinate(point, "x"), coordinate(point, "y"))
            for point in points
        )

    def _cells(self, point: Point) -> Point:
        return (
            point[0] / self._cell[0] - self._bounds.x,
            point[1] / self._cell[1] - self._bounds.y,
        )

    def _add_object(
        self, figure: _Figure, middle: Point, corners: tuple[Point, ...], group: str
    ) -> None:
        x, y = self._cells(middle)
        self.matches.objects.append(
            HandObject(
                figure.name,
                figure.kind,
                math.floor(x),
                math.floor(y),
                (x, y),
                figure.properties,
                figure.left_out,
                group,
                tuple(self._cells(corner) for corner in corners),
            )
        )

    def _add_area(
        self, figure: _Figure, corners: tuple[Point, ...], shape: AreaShape, group: str
    ) -> None:
        self.matches.areas.append(
            HandArea(
                figure.name,
                figure.kind,
                tuple(self._cells(corner) for corner in corners),
                shape,
                figure.properties,
                figure.left_out,
                group,
            )
        )


def _corners_of(points: str) -> list[Document]:
    """Parse the points of a polygon in XML, to the form they have in JSON."""
    pairs = [pair.split(",") for pair in points.split()]
    if any(len(pair) != 2 for pair in pairs):
        raise TiledError("has a polygon with broken points")
    return [{"x": x, "y": y} for x, y in pairs]


def _corners(
    start: Point, document: Document, first: Point, size: Point
) -> tuple[Point, Point, Point, Point]:
    """Return the corners of a rectangle that is rotated about `start`.

    `first` is its upper left corner before that, relative to `start`. The angle is the `rotation`
    of the object `document`.
    """
    (x, y), (width, height) = first, size
    ends = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    item, two, three, four = (_rotated_point(start, document, *end) for end in ends)
    return item, two, three, four


def _rotated_point(start: Point, document: Document, across: float, down: float) -> Point:
    """Return `start` plus (`across`, `down`), rotated about `start`.

    The angle is the `rotation` of the object `document`, in degrees clockwise.
    """
    turned = coordinate(document, "rotation") % 360.0
    if turned == 0.0:
        return start[0] + across, start[1] + down
    sine, cosine = _sine_and_cosine(turned)
    return (start[0] + across * cosine - down * sine, start[1] + across * sine + down * cosine)


def _sine_and_cosine(degrees: float) -> Point:
    quarter: dict[float, Point] = {90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}
    if degrees in quarter:
        return quarter[degrees]
    angle: Any = math.radians(degrees)
    return round(math.sin(angle) * _RETAINED) / _RETAINED, round(
        math.cos(angle) * _RETAINED
    ) / _RETAINED
