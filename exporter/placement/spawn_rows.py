"""Check the rows of a spawn table, and draw them until a budget is spent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Column, Table
from exporter.model.level_values import Scalar
from exporter.model.suggestions import did_you_mean, suggestions
from exporter.placement.spawn_parameters import MAXIMUM_SPAWNED, Spawn

if TYPE_CHECKING:
    from exporter.kernels.random_draws import Draws

# `Draws.next` has no larger range.
MAXIMUM_WEIGHTS = 2**31 - 1
# Rows of one table: every entry and every part of the path reads each of them.
MAXIMUM_ROWS = 4096
# Smallest and largest value of a column, by the parameter that names it.
_RANGES = {
    "danger": (1, 1_000_000_000),
    "weight": (0, MAXIMUM_WEIGHTS),
    "earliest": (0, 100),
    "latest": (0, 100),
}
# Without these every room has all rows.
_OPTIONAL = ("earliest", "latest")


@dataclass(frozen=True, slots=True)
class SpawnRow:
    """A row of a spawn table: something that can be drawn and placed.

    Attributes:
        danger: The points that an object of this row costs, at least 1.
        weight: How often it is drawn, in proportion to the other rows.
        earliest: Where along the level's path it begins to appear, in percent.
        latest: Where along the path it appears last, in percent.
        properties: The values of the row, without the columns that only control the drawing.
    """

    danger: int
    weight: int
    earliest: int
    latest: int
    properties: Mapping[str, Scalar]


class TableFault(NamedTuple):
    """A fault in a spawn table.

    Attributes:
        message: The text of the fault.
        parameter: The parameter of `spawn` that names the table or the column.
        cell: Row and column index of the wrong cell; None if the fault is not in a single cell.
    """

    message: str
    parameter: str
    cell: tuple[int, int] | None = None


class Share(NamedTuple):
    """How far along the level's path a room lies: `walked` of `total` steps.

    `total` is above 0.
    """

    walked: int
    total: int

    def between(self, first: int, last: int) -> int:
        """Return the number at this share of the way from `first` to `last`.

        Halves are rounded up.
        """
        points = first * (self.total - self.walked) + last * self.walked
        return (2 * points + self.total) // (2 * self.total)

    @property
    def percents(self) -> tuple[int, int]:
        """The share in percent, rounded down and rounded up."""
        return 100 * self.walked // self.total, -(-100 * self.walked // self.total)

    def within(self, earliest: int, latest: int) -> bool:
        """Return whether the share is from `earliest` to `latest` percent."""
        return earliest * self.total <= 100 * self.walked <= latest * self.total


def table_faults(spawn: Spawn, table: Table) -> Iterator[TableFault]:
    """Yield each fault of `table`, which the parameters `spawn` name."""
    if not 1 <= len(table.rows) <= MAXIMUM_ROWS:
        message = (
            f"the table {table.name!r} has {len(table.rows)} rows (allowed for a spawn: 1 to "
            f"{MAXIMUM_ROWS})"
        )
        yield TableFault(message, "table")
        return
    columns = _columns(spawn, table)
    sound = True
    for parameter, position in columns.items():
        if position is None:
            message = _no_column(parameter, getattr(spawn, parameter), table)
            yield TableFault(message, parameter)
            sound = False
            continue
        message = _type_problem(parameter, table.columns[position])
        if message:
            yield TableFault(message, parameter)
            sound = False
            continue
        for fault in _range_faults(parameter, position, table):
            yield fault
            sound = False
    weight = columns["weight"]
    if sound and weight is not None:
        total = sum(int(row[weight] or 0) for row in table.rows)
        if not 1 <= total <= MAXIMUM_WEIGHTS:
            message = (
                f"the weights of the table {table.name!r} add up to {total} "
                f"(allowed: 1 to {MAXIMUM_WEIGHTS})"
            )
            yield TableFault(message, "weight")


def spawn_rows(spawn: Spawn, table: Table) -> tuple[SpawnRow, ...]:
    """Return the rows of `table`, checked as a spawn table.

    Raises:
        ParameterError: The table has a fault; the error has the path ("spawn", parameter).
    """
    for fault in table_faults(spawn, table):
        raise ParameterError(fault.message, ("spawn", fault.parameter))
    columns = _columns(spawn, table)
    # `danger` is kept, for a game may show it.
    unused = {columns["weight"], columns.get("earliest"), columns.get("latest")}
    remaining = [
        (position, column.name)
        for position, column in enumerate(table.columns)
        if position not in unused
    ]
    rows = []
    for row in table.rows:
        earliest, latest = (_whole(row, columns.get(name)) for name in _OPTIONAL)
        rows.append(
            SpawnRow(
                danger=_whole(row, columns["danger"]) or 0,
                weight=_whole(row, columns["weight"]) or 0,
                earliest=0 if earliest is None else earliest,
                latest=100 if latest is None else latest,
                properties={
                    name: row[position] for position, name in remaining if row[position] is not None
                },
            )
        )
    return tuple(rows)


class SpawnDraws:
    """Draws rows of a spawn table by weight until a budget is spent.

    Args:
        rows: The rows of the table.
        share: How far along the spawn's path (`along`) the place is; only rows whose `earliest` and
            `latest` include it are drawn. None: all rows.
    """

    def __init__(self, rows: Sequence[SpawnRow], share: Share | None = None) -> None:
        numbers = [
            number
            for number, row in enumerate(rows)
            if row.weight and (share is None or share.within(row.earliest, row.latest))
        ]
        # Rows in the order of their danger: the affordable rows come first.
        self._numbers = sorted(numbers, key=lambda number: rows[number].danger)
        self._dangers = [rows[number].danger for number in self._numbers]
        self._weights = list(accumulate(rows[number].weight for number in self._numbers))

    @property
    def cheapest(self) -> int | None:
        """The cost in points of the cheapest row; None without rows."""
        return self._dangers[0] if self._dangers else None

    def draw(self, points: int, at_most: int, draws: Draws) -> list[int]:
        """Draw rows until a budget is spent; return their indices.

        Each row is drawn by weight among those that cost no more than the remaining points, until
        all cost more or `at_most` are drawn.

        Args:
            points: The budget in points.
            at_most: The largest number of rows.
            draws: Random numbers, one for each row.

        Raises:
            ParameterError: More rows are drawn than the limit of objects; the error has the path
                ("spawn", "budget").
        """
        drawn: list[int] = []
        affordable = bisect_right(self._dangers, points)
        while affordable and len(drawn) < at_most:
            if len(drawn) == MAXIMUM_SPAWNED:
                raise too_many()
            lot = int(draws.next(0, self._weights[affordable - 1]))
            position = bisect_right(self._weights, lot)
            drawn.append(self._numbers[position])
            points -= self._dangers[position]
            affordable = bisect_right(self._dangers, points, 0, affordable)
        return drawn


def too_many() -> ParameterError:
    """Return the error for more objects than a group may have."""
    return ParameterError(
        f"more than {MAXIMUM_SPAWNED} objects would be placed (lower the budget, or limit them "
        "with `at_most`)",
        ("spawn", "budget"),
    )


def _columns(spawn: Spawn, table: Table) -> dict[str, int | None]:
    """Return the index in `table` of the column that each parameter names.

    The parameters are those of `spawn` that are set. The index is None if the table lacks the
    column.
    """
    places = {column.name: position for position, column in enumerate(table.columns)}
    result: dict[str, int | None] = {}
    for parameter in _RANGES:
        name = getattr(spawn, parameter)
        if name is not None:
            result[parameter] = places.get(name)
    return result


def _no_column(parameter: str, name: str, table: Table) -> str:
    """Return the message that the column `name` is missing, with a suggestion."""
    known = [column.name for column in table.columns]
    meant = suggestions(name, known)
    way_out = f"known: {', '.join(known)}; name one with `{parameter}` in `spawn`"
    if meant:
        way_out = did_you_mean(meant)
    return f"the table {table.name!r} has no column {name!r} for this spawn ({way_out})"


def _type_problem(parameter: str, column: Column) -> str:
    """Return why the type of `column` does not suit `parameter`, or "".

    It is a parameter of `spawn`, such as `danger`.
    """
    if column.type != "integer":
        return f"column {column.name!r} is {column.type} (allowed for `{parameter}`: integer)"
    if column.nullable and parameter not in _OPTIONAL:
        return f"column {column.name!r} may be null (allowed for `{parameter}`: integer)"
    return ""


def _range_faults(parameter: str, position: int, table: Table) -> Iterator[TableFault]:
    """Yield a fault for each cell outside the range that `parameter` allows.

    `position` is the index of the column.
    """
    low, high = _RANGES[parameter]
    name = table.columns[position].name
    for number, row in enumerate(table.rows):
        value = _whole(row, position)
        if value is not None and not low <= value <= high:
            yield TableFault(
                f"column {name!r} is the {parameter} of a spawn, and {value} is out of range "
                f"(allowed: {low} to {high})",
                parameter,
                (number, position),
            )


def _whole(row: Sequence[Scalar], position: int | None) -> int | None:
    """Return the integer at index `position` of `row`.

    Return None if that is empty, or `position` is None.
    """
    value = None if position is None else row[position]
    return None if value is None else int(value)
