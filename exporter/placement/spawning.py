"""Draw objects from a table until the budget of each room is spent.

A room's budget is a number of points. Rows of a table are drawn by weight among those that cost no
more than the remaining points, and each drawn object gets a cell of the room that passes all
filters of the group. Random numbers depend on the room's name, so a change in one room moves
nothing in another, except for objects nearer than `spacing`. All decisions use integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.kernels.placement import clear_disc
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.placement.board import PlacementBoard, packing_orders
from exporter.placement.demands import Places
from exporter.placement.placed import PlacedGroup
from exporter.placement.spawn_areas import Areas, grouped, rooms, shares_of, squares, whole_map
from exporter.placement.spawn_parameters import MAXIMUM_SPAWNED, Spawn
from exporter.placement.spawn_rows import Share, SpawnDraws, SpawnRow, too_many

if TYPE_CHECKING:
    from exporter.kernels.random_draws import Draws

Cells = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SpawnArea:
    """The objects drawn for one area, and the cells they may have.

    Attributes:
        area: The number of the area, which is a room, a square or the whole map.
        points: The budget of the area.
        standing: How many of the area's cells objects can stand on, before filters.
        rows: The indices of the drawn table rows.
        cells: The cells that pass all filters but `spacing`: y * width + x.
    """

    area: int
    points: int
    standing: int
    rows: list[int]
    cells: Cells


def place_spawned(board: PlacementBoard, spawn: Spawn, rows: Sequence[SpawnRow]) -> PlacedGroup:
    """Draw objects from a spawn table, and choose their cells.

    Args:
        board: The map and the group's parameters.
        spawn: The options for table and budgets.
        rows: The rows of the table.

    Raises:
        ParameterError: There are too many objects; or, if all are required, an area has too few
            cells, or nothing is drawn.
    """
    item = board.spec
    places = board.demands.places()
    areas = _areas(board, spawn)
    if areas is None:
        message = (
            "there are no rooms (write `per: 250` for a budget of so many cells, or `per: map`; if "
            "another layer has rooms, name it with `layer`)"
        )
        return _none(board, message, ("spawn", "per"))
    expected, why_none = _requested(board, spawn, rows, areas, places)
    if not expected:
        return _none(board, why_none, ("spawn", "budget"))
    free = board.free_cells(places.mask)
    cells: list[int] = []
    chosen: list[int] = []
    short: list[str] = []
    for area, result in zip(expected, _drawn_rows(board, free, expected), strict=True):
        cells += result
        chosen += area.rows[: len(result)]
        if len(result) < len(area.rows):
            short.append(_shortfall_text(area, len(result), areas.names[area.area], rows))
    requested = sum(len(area.rows) for area in expected)
    shortfall = _shortfall(board, short, requested, len(cells))
    if shortfall and item.required:
        raise ParameterError(shortfall, ("spawn", "budget"))
    kinds = list(dict.fromkeys(chosen))
    number_of = {row: number for number, row in enumerate(kinds)}
    return PlacedGroup(
        cells=tuple((cell % board.width, cell // board.width) for cell in cells),
        requested=requested,
        kinds=tuple(rows[row].properties for row in kinds),
        kind_of=tuple(number_of[row] for row in chosen),
        shortfall=shortfall,
    )


def _areas(board: PlacementBoard, spawn: Spawn) -> Areas | None:
    """Return the areas with budgets; None if the ground has no rooms."""
    if spawn.per == "room":
        return rooms(board.ground)
    if spawn.per == "map":
        return whole_map(board.height, board.width)
    return squares(board.height, board.width, spawn.per)


def _requested(
    board: PlacementBoard, spawn: Spawn, rows: Sequence[SpawnRow], areas: Areas, places: Places
) -> tuple[list[SpawnArea], str]:
    """Draw the objects of every area, without choosing cells yet.

    If no objects are drawn, the text says why; else it is "".
    """
    numbers = areas.number.ravel()
    in_areas = numbers >= 0
    cells = np.flatnonzero(places.mask.ravel() & in_areas)
    if not cells.size:
        left = ", ".join(f"{count} {what}" for what, count, _ in places.steps)
        where = " in rooms" if spawn.per == "room" else ""
        return [], f"no cells are left{where}: {left}"
    shares: list[Share | None] | None = None
    if spawn.along is not None:
        first, last = spawn.along
        shares = shares_of(areas, board.demands.steps((first,)), board.demands.steps((last,)))
    standing = np.bincount(numbers[board.demands.standing().ravel() & in_areas]).tolist()
    budgets, per = spawn.budgets, spawn.per if isinstance(spawn.per, int) else 0
    limit = spawn.at_most or MAXIMUM_SPAWNED + 1
    order, begins, present = grouped(numbers[cells])
    cells = cells[order]
    bounds = [*begins.tolist(), cells.size]
    keys = [areas.keys[area] for area in present.tolist()]
    row_draws = board.stream.each_draws("rows", keys)
    point_draws: Iterable[Draws | None] = repeat(None)
    if per:
        point_draws = board.stream.each_draws("points", keys)
    everywhere = SpawnDraws(rows)
    varied = spawn.earliest is not None or spawn.latest is not None
    drawings: dict[tuple[int, int], SpawnDraws] = {}
    expected: list[SpawnArea] = []
    total = richest = 0
    reached = False
    for area, begin, end, draws, point_draw in zip(
        present.tolist(), bounds, bounds[1:], row_draws, point_draws, strict=False
    ):
        share = None
        if shares is not None:
            share = shares[area]
            if share is None:
                continue
        reached = True
        points = _points(budgets, per, share, standing[area], point_draw)
        richest = max(richest, points)
        drawing = everywhere
        if varied and share is not None:
            if share.percents not in drawings:
                drawings[share.percents] = SpawnDraws(rows, share)
            drawing = drawings[share.percents]
        drawn = drawing.draw(points, limit, draws)
        total += len(drawn)
        if total > MAXIMUM_SPAWNED:
            raise too_many()
        if drawn:
            expected.append(SpawnArea(area, points, standing[area], drawn, cells[begin:end]))
    if expected:
        return expected, ""
    if not reached and spawn.along is not None:
        first, last = spawn.along
        return [], f"none of the {_plural(spawn)} can be reached from both {first} and {last}"
    cheapest = f"the cheapest row costs {everywhere.cheapest}"
    if varied:
        cheapest += ", and not every row appears everywhere"
    return [], (
        f"the largest budget is {richest} {_points_word(richest)}, {cheapest} (raise `budget`)"
    )


def _points(
    budgets: tuple[int, int], per: int, share: Share | None, standing: int, draws: Draws | None
) -> int:
    """Return the budget of an area in points.

    Args:
        budgets: The points at the start and at the end of the level's path.
        per: The number of cells that these points are for; 0 for the whole area.
        share: How far along the path the area lies; None without a path.
        standing: On how many of the area's cells objects can stand, before filters.
        draws: Random numbers to round with; None if the budget does not depend on the area's size.
    """
    points = budgets[0] if share is None else share.between(*budgets)
    if draws is None:
        return points
    whole, rest = divmod(points * standing, per)
    # Rounding would leave out everything below half a point a square.
    return whole + (int(draws.next(0, per)) < rest)


def _drawn_rows(
    board: PlacementBoard, free: NDArray[np.uint8], expected: Sequence[SpawnArea]
) -> list[list[int]]:
    """Choose cells for the drawn objects of each area, as far as space allows.

    Return the cells of each area. In `free`, cells nearer than `spacing` to a chosen cell are
    cleared.
    """
    sizes = [area.cells.size for area in expected]
    counts = [len(area.rows) for area in expected]
    ends, places = np.cumsum(sizes), np.cumsum(counts)
    parts = np.stack((ends - sizes, ends, counts, places - counts), axis=1)
    chosen = np.empty(int(places[-1]), np.int64)
    others: dict[int, list[int]] = {}
    for part in board.take_few(
        free, np.concatenate([area.cells for area in expected]), parts, chosen
    ):
        others[part] = _take(board, free, expected[part])
    cells = chosen.tolist()
    return [
        others[part] if part in others else cells[position : position + count]
        for part, (position, count) in enumerate(parts[:, (3, 2)].tolist())
    ]


def _take(board: PlacementBoard, free: NDArray[np.uint8], area: SpawnArea) -> list[int]:
    """Choose cells for the objects of one area, as far as space allows.

    In `free`, cells nearer than `spacing` to a chosen cell are cleared.
    """
    expected = len(area.rows)
    offered = board.in_order(area.cells, expected)
    if board.spec.spacing <= 1 or expected == 1:
        return board.take(free, board.width, offered, expected)
    # Whether they fit is tried on the rectangle around the area.
    down, across = area.cells // board.width, area.cells % board.width
    top, left = int(down.min()), int(across.min())
    width = int(across.max()) - left + 1
    small = np.zeros((int(down.max()) - top + 1) * width, np.uint8)
    local = (down - top) * width + across - left
    small[local] = free[area.cells]
    best: list[int] = []
    preferred: Iterable[Cells] = (
        (part // board.width - top) * width + part % board.width - left for part in offered
    )
    packed = ((order,) for order in packing_orders(local, width))
    for order in chain((preferred,), packed):
        result = board.take(small.copy(), width, order, expected)
        if len(result) > len(best):
            best = result
        if len(best) == expected:
            break
    cells = [(cell // width + top) * board.width + cell % width + left for cell in best]
    for cell in cells:
        clear_disc(free.data, board.width, board.halves.data, cell)
    return cells


def _shortfall_text(area: SpawnArea, result: int, name: str, rows: Sequence[SpawnRow]) -> str:
    """Return a text on an area in which not all drawn objects found a cell.

    `result` is the number of objects with a cell, `name` that of the area.
    """
    spent = sum(rows[row].danger for row in area.rows[:result])
    text = (
        f"{name} has room for {result} of {len(area.rows)} objects, {spent} of {area.points} points"
    )
    if area.cells.size < area.standing:
        text += f" (the demands leave {area.cells.size} of its {area.standing} cells)"
    return text


def _shortfall(board: PlacementBoard, short: Sequence[str], requested: int, placed: int) -> str:
    """Return the message that drawn objects found no cell, or "".

    `short` has a text on each area with such objects. `requested` objects were drawn, `placed` of
    them found a cell.
    """
    if not short:
        return ""
    more = f", and {len(short) - 1} more have too little" if len(short) > 1 else ""
    return (
        f"{board.spec.name}: {placed} of {requested} could be placed: {short[0]}{more} (lower "
        f"`budget` or the demands, or limit them with `at_most`; {_severity(board)})"
    )


def _none(board: PlacementBoard, why: str, path: tuple[str, ...]) -> PlacedGroup:
    """Return an empty group for the reason `why`, or raise an error.

    The error is raised if the objects are required; its path is `path`.
    """
    message = f"{board.spec.name}: none appears: {why}"
    if board.spec.required:
        raise ParameterError(f"{message}; {_severity(board)}", path)
    return PlacedGroup((), shortfall=f"{message}; {_severity(board)}")


def _severity(board: PlacementBoard) -> str:
    if board.spec.required:
        return "`required: false` makes this a warning"
    return "`required: true` makes this an error"


def _plural(spawn: Spawn) -> str:
    return "rooms" if spawn.per == "room" else "squares"


def _points_word(points: int) -> str:
    return "point" if points == 1 else "points"
