"""Copy one layer's tiles, or a drawing, onto another layer at some cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Parts, Request, generator
from exporter.generators._combining import aligned_tiles
from exporter.generators._legend import (
    TRANSPARENT,
    AnyTile,
    Art,
    Glyph,
    Legend,
    TileName,
    cells_of,
    read_drawing,
)
from exporter.model.costs import Cost, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Room
from exporter.model.parameters import (
    About,
    CopiedLayerName,
    Parameters,
    ReplacedLayerName,
    Within,
)

Offset = Annotated[int, Within(-65_536, 65_536)]
Corner = tuple[Offset, Offset]
Cells = TypeVar("Cells", bound=NDArray[Any])


@dataclass(frozen=True, kw_only=True)
class StampPlace(Parameters):
    """A place of a stamp that is turned or flipped there."""

    at: Annotated[Corner, About("Place of its top left corner, x and y.", "cells")]
    turn: Annotated[
        Literal[0, 90, 180, 270], About("Quarter turns, clockwise.", "degrees", also=("rotate",))
    ] = 0
    flip: Annotated[
        bool, About("Whether left and right are exchanged, before it is turned.", also=("mirror",))
    ] = False


@dataclass(frozen=True, kw_only=True)
class Stamp(MapParameters):
    """A layer with a stamp on it: another layer, or a drawing.

    Parts of the stamp beyond the edge of the map are cut off. The rooms, named areas and objects of
    a layer come with it, to every place.
    """

    of: Annotated[ReplacedLayerName, About("Layer to stamp on.")]
    from_layer: Annotated[
        CopiedLayerName | None, About("Layer that is the stamp, of any size.")
    ] = None
    art: Annotated[
        Art | None,
        About(
            "Drawing that is the stamp, one character for each cell: `.` floor, `#` wall, `+` "
            "door, `~` water, others in `glyphs`. Spaces leave the map unchanged."
        ),
    ] = None
    glyphs: Annotated[
        dict[Glyph, AnyTile],
        Within(0, 256, length=True),
        About("Further characters of `art`, and the tiles they stand for."),
    ] = field(default_factory=dict)
    at: Annotated[
        tuple[Corner | StampPlace, ...],
        Within(1, 4096, length=True),
        About(
            "Places of the stamp's top left corner, x and y, or `{at: [x, y], turn: 90, flip: "
            "true}`.",
            "cells",
        ),
    ] = ((0, 0),)
    transparent: Annotated[
        tuple[TileName, ...],
        Within(0, 64, length=True),
        About("Names of tiles of `from_layer` that leave the map unchanged."),
    ] = ()

    def check(self, width: int, height: int) -> None:
        """Refuse none or two sources of the stamp, and unreadable drawings."""
        if (self.from_layer is None) == (self.art is None):
            raise ParameterError("give either `from_layer` or `art` (a drawing)", ("from_layer",))
        if self.art is not None:
            read_drawing(self.art, self.glyphs, Legend(), ("art",))

    @property
    def places(self) -> tuple[StampPlace, ...]:
        """The entries of the parameter `at`, all as `StampPlace`."""
        return tuple(
            item if isinstance(item, StampPlace) else StampPlace(at=item) for item in self.at
        )


def cost(parameters: Stamp, width: int, height: int) -> Cost:
    """Estimate the time of copying the stamp to every place."""
    cells = width * height if parameters.art is None else len(parameters.art)
    seconds = len(parameters.at) * min(cells, width * height) * 4e-9
    return most_expensive(width, height, Cost(seconds, ("at",)))


def _halo(parameters: Stamp, _radius: int) -> int:
    """Return the halo 0; refuse stamps that are copied from a layer.

    Raises:
        ParameterError: The stamp is a layer, which is needed whole, while a world is built in
            chunks.
    """
    if parameters.from_layer is not None:
        raise ParameterError(
            "a stamp `from_layer` needs the whole layer, and a world is built in chunks (draw the "
            "stamp with `art`, or remove `chunk`)",
            ("from_layer",),
        )
    return 0


@generator("stamp", version=1, cost=cost, parts=Parts(_halo), also=("paste", "overlay"))
def generate(parameters: Stamp, request: Request) -> Generated:
    """Copy the stamp onto the layer at each requested place."""
    parameters.check(request.width, request.height)
    layer = aligned_tiles(request, parameters.of, ("of",))
    legend = Legend(layer.tiles)
    stamp = stamp_cells(parameters, request, legend)
    ids = layer.cells.astype(np.int32)
    if request.trace is not None:
        request.trace.frame("start", ids, legend.tiles)
    for number, place in enumerate(parameters.places, 1):
        x, y = place.at
        lay(ids, turned(stamp, place), x - request.window.x, y - request.window.y)
        if request.trace is not None:
            request.trace.frame("place", ids, legend.tiles, number=number, of=len(parameters.at))
    result = Generated(cells_of(ids), legend.tiles, rooms=layer.rooms, masks=layer.masks)
    if parameters.from_layer is None:
        return result
    source = request.layers[parameters.from_layer]
    turns = {(place.turn, place.flip) for place in parameters.places}
    layers = {(turn, flip): _turned_layer(source, turn, flip) for turn, flip in turns}
    copies = [(layers[place.turn, place.flip], place.at) for place in parameters.places]
    return _with_contents(result, copies)


def turned(cells: Cells, place: StampPlace) -> Cells:
    """Return the stamp's `cells`, rotated and flipped as `place` requires."""
    return _turned(cells, place.turn, place.flip)


def _turned(cells: Cells, turn: int, flip: bool) -> Cells:
    flipped: Any = np.fliplr(cells) if flip else cells
    result: Cells = np.rot90(flipped, -turn // 90)
    return result


def _turned_layer(source: Layer, turn: int, flip: bool) -> Layer:
    """Return `source` with its rooms, areas and objects turned, not its cells."""
    if not turn and not flip:
        return source
    height, width = source.cells.shape

    def moved(x: int, y: int) -> tuple[int, int]:
        column, row, across, down = width - 1 - x if flip else x, y, width, height
        for _ in range(turn // 90):
            column, row, across, down = down - 1 - row, column, down, across
        return column, row

    def moved_room(room: Room) -> Room:
        ends = [
            moved(x, y)
            for x, y in ((room.x, room.y), (room.x + room.width - 1, room.y + room.height - 1))
        ]
        (left, right), (top, bottom) = map(sorted, zip(*ends, strict=True))
        size = right - left + 1, bottom - top + 1
        return replace(
            room, x=left, y=top, width=size[0], height=size[1], center=moved(*room.center)
        )

    objects = []
    for item in source.objects:
        x, y = moved(item.x, item.y)
        objects.append(replace(item, x=x, y=y))
    return replace(
        source,
        rooms=tuple(map(moved_room, source.rooms)),
        masks={name: _turned(mask, turn, flip) for name, mask in source.masks.items()},
        objects=tuple(objects),
    )


def _with_contents(
    generated: Generated, copies: Sequence[tuple[Layer, tuple[int, int]]]
) -> Generated:
    """Add the rooms, areas and objects of each copy of a layer.

    `copies` has for each copy the layer with these turned, and the position (x, y) of its first
    cell.
    """
    height, width = generated.cells.shape
    rooms, objects = list(generated.rooms), list(generated.objects)
    masks = dict(generated.masks)
    for source, (x, y) in copies:
        moved = (_moved(room, x, y, width, height) for room in source.rooms)
        # A stamp may be made from the same layer as the map, and have its rooms.
        rooms += [room for room in moved if room is not None and room not in generated.rooms]
        for name, mask in source.masks.items():
            ids = masks.get(name, np.zeros((height, width), bool)).astype(np.int32)
            lay(ids, np.where(mask, 1, TRANSPARENT), x, y)
            masks[name] = ids.astype(bool)
        objects += [
            replace(item, x=item.x + x, y=item.y + y)
            for item in source.objects
            if 0 <= item.x + x < width and 0 <= item.y + y < height
        ]
    numbered = (replace(item, id=number) for number, item in enumerate(objects, 1))
    return replace(generated, rooms=tuple(rooms), masks=masks, objects=tuple(numbered))


def _moved(room: Room, x: int, y: int, width: int, height: int) -> Room | None:
    """Return `room` moved by (x, y), cut off at the edge; None if outside."""
    left, right = max(room.x + x, 0), min(room.x + x + room.width, width)
    top, bottom = max(room.y + y, 0), min(room.y + y + room.height, height)
    if left >= right or top >= bottom:
        return None
    column, row = room.center[0] + x, room.center[1] + y
    middle = min(max(column, left), right - 1), min(max(row, top), bottom - 1)
    return Room(room.name, left, top, right - left, bottom - top, middle)


def lay(ids: NDArray[np.int32], stamp: NDArray[np.int32], x: int, y: int) -> None:
    """Copy `stamp` onto the map `ids`, in place, its first cell at (x, y).

    Cells of the stamp that are transparent (-1) or outside the map are left out.
    """
    left, top = max(-x, 0), max(-y, 0)
    part = stamp[top : max(ids.shape[0] - y, 0), left : max(ids.shape[1] - x, 0)]
    target = ids[y + top : y + top + part.shape[0], x + left : x + left + part.shape[1]]
    np.copyto(target, part, where=part != TRANSPARENT)


def stamp_cells(parameters: Stamp, request: Request, legend: Legend) -> NDArray[np.int32]:
    """Return the stamp as tile ids of `legend`, to which new tiles are added.

    The stamp is a drawing or a layer; cells that leave the map unchanged are -1.

    Raises:
        ParameterError: The drawing is wrong, or the layer is missing, has heights, or lacks a tile
            that `transparent` names.
    """
    if parameters.art is not None:
        return read_drawing(parameters.art, parameters.glyphs, legend, ("art",))
    name = parameters.from_layer or ""
    source = request.finished_layer(name, ("from_layer",))
    if source.kind != "tiles":
        raise ParameterError(f"the layer {name!r} holds heights, not tiles", ("from_layer",))
    names = [tile.name for tile in source.tiles]
    for index, expected in enumerate(parameters.transparent):
        if expected not in names:
            raise ParameterError(
                f"the layer {name!r} has no tile {expected!r} (known: {', '.join(names)})",
                ("transparent", index),
            )
    table = np.full(65536, TRANSPARENT, np.int32)
    for tile in source.tiles:
        if tile.name not in parameters.transparent:
            table[tile.id] = legend.add(tile)
    return table[source.cells]
