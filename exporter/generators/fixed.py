"""Apply the parameters `fixed`, `only_in` and `never_in` to a map.

These parameters set cells before generation; no other module reads them. A generator gets the fixed
cells as `request.fixed` and fits the rest around them; `restored` then puts them back into the
result, and joining regions never opens them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, GivenCells, JoiningParameters, Request
from exporter.generators._combining import aligned_tiles
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, TRANSPARENT, WALL, Legend, cells_of
from exporter.generators._pictures import color_number, color_text, is_dark, read_colors
from exporter.generators._tile_options import PaintedCells
from exporter.generators.given import FixedCells, Ids, Mask
from exporter.model.errors import ParameterError
from exporter.model.level import Room, Tile

Path = tuple[str | int, ...]

# Names for walkable or not: a generator with one tile of each kind uses its own tiles for them.
PLAIN_NAMES = {"floor": True, "cave": True, "wall": False, "rock": False}


def given_ids(fixed: FixedCells, legend: Legend) -> Ids:
    """Return the tile ids of fixed cells in `legend`; -1 elsewhere.

    `legend` has the tiles of the generator. A fixed tile becomes its tile of the same name. `floor`
    and `wall` (also `cave` and `rock`) become the legend's only walkable and only unwalkable tile,
    if it has just one of each. Any other tile is added to the legend.

    Raises:
        ParameterError: The fixed tile and the legend's tile of that name differ in being walkable.
    """
    own = legend.tiles
    ids = np.full(fixed.cells.shape, TRANSPARENT, np.int32)
    for tile in fixed.tiles:
        match = _same_tile(tile, own)
        ids[fixed.cells == tile.id] = legend.add(tile) if match is None else match.id
    return ids


def restored(fixed: FixedCells, generated: Generated) -> Generated:
    """Return the result `generated` with the `fixed` cells put back.

    A room whose middle is now blocked gets its nearest walkable cell as the middle; a room without
    a walkable cell is removed.

    Raises:
        ParameterError: The generator made heights, or a fixed tile and the generator's tile of that
            name differ in being walkable.
    """
    if generated.kind != "tiles":
        raise ParameterError(
            "`fixed` works only for tile layers, and this layer has heights (remove `fixed`)",
            ("fixed",),
        )
    legend = Legend(generated.tiles)
    ids = given_ids(fixed, legend)
    cells = np.where(ids >= 0, ids, generated.cells.astype(np.int32))
    walkable = _walkable(legend.tiles, cells)
    opened = fixed.closed & walkable
    if opened.any():
        wall = next((tile.id for tile in generated.tiles if tile.blocking), None)
        cells[opened] = legend.add(WALL) if wall is None else wall
        walkable &= ~opened
    rooms = (
        with_open_middle(room, walkable) if _is_set(fixed.blocked, *room.center) else room
        for room in generated.rooms
    )
    return replace(
        generated,
        cells=cells_of(cells),
        tiles=legend.tiles,
        rooms=tuple(dict.fromkeys((*(room for room in rooms if room is not None), *fixed.rooms))),
        masks={**generated.masks, **fixed.masks},
    )


def _is_set(mask: Mask, x: int, y: int) -> bool:
    """Return whether the cell (x, y) of `mask` is set; False outside the mask."""
    height, width = mask.shape
    return 0 <= x < width and 0 <= y < height and bool(mask[y, x])


def fixed_cells(parameters: JoiningParameters, request: Request) -> FixedCells:
    """Return the cells that `fixed`, `only_in` and `never_in` fix.

    Raises:
        ParameterError: A layer or picture is missing, has another size, or has no tiles.
    """
    shape = (request.height, request.width)
    tiles: tuple[Tile, ...] = ()
    cells = np.full(shape, TRANSPARENT, np.int32)
    closed = np.zeros(shape, bool)
    if parameters.fixed is not None:
        tiles, cells = _given(parameters.fixed, request, ("fixed",))
    if parameters.only_in is not None:
        closed |= ~_walkable(*_given(parameters.only_in, request, ("only_in",)))
    if parameters.never_in is not None:
        closed |= _walkable(*_given(parameters.never_in, request, ("never_in",)))
    given = cells != TRANSPARENT
    closed &= ~given
    walkable = _walkable(tiles, cells)
    blocked = closed | (given & ~walkable)
    if not isinstance(parameters.fixed, str):
        return FixedCells(tiles, cells, closed, walkable, blocked)
    layer = request.layers[parameters.fixed]
    return FixedCells(tiles, cells, closed, walkable, blocked, layer.rooms, layer.masks)


def _given(source: GivenCells, request: Request, path: Path) -> tuple[tuple[Tile, ...], Ids]:
    """Return the tiles and cells that a layer or picture fixes, -1 for none."""
    if isinstance(source, PaintedCells):
        return _painted(source, request, path)
    layer = aligned_tiles(request, source, path)
    cells = layer.cells.astype(np.int32)
    cells[~layer.lookup([not tile.empty for tile in layer.tiles])] = TRANSPARENT
    # A chunk may lack tiles that the whole layer has, but not in its legend.
    whole = request.given if path == ("fixed",) else None
    present = set(np.unique(cells).tolist()) if whole is None else whole
    return tuple(tile for tile in layer.tiles if tile.id in present), cells


def given_tiles(parameters: JoiningParameters, request: Request) -> list[int]:
    """Return the ids of the tiles in the layer that `fixed` names."""
    assert isinstance(parameters.fixed, str)
    return [tile.id for tile in _given(parameters.fixed, request, ("fixed",))[0]]


def _painted(source: PaintedCells, request: Request, path: Path) -> tuple[tuple[Tile, ...], Ids]:
    """Return the tiles and cells that a picture fixes, -1 where transparent.

    Raises:
        ParameterError: The picture is missing or has another size, or a colour means no tile.
    """
    name = source.file
    pixels = read_colors(request.read_project_file(name, (*path, "file")), name, (*path, "file"))
    window = request.window
    width, height = window.whole
    if pixels.shape != (height, width):
        rows, columns = pixels.shape
        raise ParameterError(
            f"{name} has {columns} x {rows} pixels, but the layer has {width} x {height} cells",
            (*path, "file"),
        )
    pixels = pixels[window.y : window.bottom, window.x : window.right]
    clear = (pixels & np.uint32(255)) == 0
    if not source.legend:
        cells = np.where(is_dark(pixels, 50), WALL.id, FLOOR.id).astype(np.int32)
        cells[clear] = TRANSPARENT
        return FLOOR_AND_WALL, cells
    legend = Legend()
    cells = np.full(pixels.shape, TRANSPARENT, np.int32)
    known = clear.copy()
    for color, tile in source.legend.items():
        painted = pixels == color_number(color)
        number = legend.add(tile)
        cells[painted] = number
        known |= painted
    if not known.all():
        y, x = divmod(int((~known).argmax()), request.width)
        raise ParameterError(
            f"{name} has the colour {color_text(int(pixels[y, x]))} at pixel ({x + window.x}, "
            f"{y + window.y}), which stands for no tile (known: {', '.join(source.legend)}; "
            "transparent pixels are free)",
            (*path, "legend"),
        )
    cells[~_lookup(legend.tiles, cells, [not tile.empty for tile in legend.tiles])] = TRANSPARENT
    return legend.tiles, cells


def _same_tile(tile: Tile, own: tuple[Tile, ...]) -> Tile | None:
    """Return which of the generator's tiles, `own`, the fixed `tile` becomes.

    None if the generator has no such tile, so that it is added.

    Raises:
        ParameterError: The two tiles of one name differ in being walkable.
    """
    same = next((item for item in own if item.name == tile.name), None)
    if same is None:
        plain = PLAIN_NAMES.get(tile.name) == tile.walkable
        if not plain or sorted(item.walkable for item in own) != [False, True]:
            return None
        return next(item for item in own if item.walkable == tile.walkable)
    if same.walkable != tile.walkable:
        words = ("can be walked on", "cannot be walked on")
        given, result = words if tile.walkable else words[::-1]
        raise ParameterError(
            f"the given tile {tile.name!r} {given}, but the generator's tile of that name "
            f"{result} (give one of them another name)",
            ("fixed",),
        )
    return same


def _walkable(tiles: tuple[Tile, ...], cells: Ids) -> Mask:
    return _lookup(tiles, cells, [tile.walkable for tile in tiles])


def _lookup(tiles: tuple[Tile, ...], cells: Ids, values: list[bool]) -> Mask:
    """Return the value, one of `values`, of each cell's tile; False for -1."""
    table = np.zeros(65537, bool)
    for tile, value in zip(tiles, values, strict=True):
        table[tile.id] = value
    # The last entry is for -1.
    result: Mask = table[cells]
    return result


def put_fixed(framed: NDArray[np.uint8], fixed: FixedCells) -> NDArray[np.uint8]:
    """Write fixed cells into `framed`: 1 for open cells, 0 for blocked ones.

    `framed` is uint8 [height + 2, width + 2], the grid with a frame of one cell. The result, of the
    same shape, marks which cells are fixed, with 1.
    """
    inner = framed[1:-1, 1:-1]
    inner[fixed.open] = 1
    inner[fixed.blocked] = 0
    return np.pad(fixed.kept.astype(np.uint8), 1)


def with_open_middle(room: Room, open_cells: Mask) -> Room | None:
    """Return `room` with its middle moved to the nearest of `open_cells`.

    None if the room has no open cell. `open_cells` is bool [height, width].
    """
    x, y = room.center
    top, left = max(room.y, 0), max(room.x, 0)
    inside = open_cells[top : max(room.y + room.height, 0), left : max(room.x + room.width, 0)]
    if not inside.any():
        return None
    rows, columns = np.nonzero(inside)
    nearest = int((np.square(rows + top - y) + np.square(columns + left - x)).argmin())
    return replace(room, center=(int(columns[nearest]) + left, int(rows[nearest]) + top))
