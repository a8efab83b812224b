"""Check tables of game data: monsters, loot, spawn lists.

Columns and rows of a spec become a checked `Table`, in which every value has the Python type of its
column: str, int, float, bool, or None if the column is nullable. The limits of types fit all output
formats. `records` makes tables from data of programs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Column, Table
from exporter.model.level_values import Scalar
from exporter.model.parameters import About, Matches, Parameters, Within
from exporter.model.suggestions import unknown_name
from exporter.model.texts import NOT_TEXT

ColumnType = Literal[
    "text", "integer", "number", "boolean", "text?", "integer?", "number?", "boolean?"
]
PlainType = Literal["text", "integer", "number", "boolean"]

COLUMN_NAME_PATTERN = "(?! )[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]{1,64}(?<! )"
COLUMN_NAME_RULE = "1 to 64 characters, no line breaks, no space at either end"
INTEGER_MINIMUM, INTEGER_MAXIMUM = -(2**63), 2**63 - 1
MAXIMUM_COLUMNS = 256

_ALLOWED: dict[str, str] = {
    "text": "text",
    "integer": f"a whole number of {INTEGER_MINIMUM} to {INTEGER_MAXIMUM}",
    "number": "a finite number",
    "boolean": "true or false",
}
TYPES: dict[type, PlainType] = {bool: "boolean", int: "integer", float: "number", str: "text"}


@dataclass(frozen=True, kw_only=True)
class TableParameters(Parameters):
    """A table of game data with typed columns."""

    columns: Annotated[
        Mapping[Annotated[str, Matches(COLUMN_NAME_PATTERN, COLUMN_NAME_RULE)], ColumnType],
        Within(1, MAXIMUM_COLUMNS, length=True),
        About(
            "Type of every column by name: text, integer (64 bits), number (double precision) or "
            'boolean; in quotes with a question mark ("integer?") where null is allowed.'
        ),
    ]
    rows: Annotated[
        tuple[tuple[Scalar, ...] | Mapping[str, Scalar], ...],
        Within(0, 1_000_000, length=True),
        About(
            "The rows: lists with a value for every column, or mappings by column name, in which "
            "a nullable column may be left out."
        ),
    ] = ()


def build_table(name: str, parameters: TableParameters) -> Table:
    """Make the table `name` of a spec; check each value against its column.

    A whole number in a `number` column becomes a float, and -0.0 becomes 0.0.

    Raises:
        ParameterError: A cell is invalid; the error has its path: ("rows", row, column number or
            name).
    """
    columns = tuple(
        Column(column, _plain(kind), kind.endswith("?"))
        for column, kind in parameters.columns.items()
    )
    check_columns(columns)
    rows = tuple(checked_row(columns, row, index) for index, row in enumerate(parameters.rows))
    return Table(name, columns, rows)


def _plain(kind: ColumnType) -> PlainType:
    plain: PlainType = kind.removesuffix("?")  # type: ignore[assignment]
    return plain


def check_columns(columns: tuple[Column, ...]) -> None:
    """Refuse column names that an output format cannot hold or that clash.

    Names clash if they differ only in case.

    Raises:
        ParameterError: A name is refused; the error has the path ("columns", name).
    """
    if not 1 <= len(columns) <= MAXIMUM_COLUMNS:
        raise ParameterError(
            f"the table has {len(columns)} columns (allowed: 1 to {MAXIMUM_COLUMNS})", ("columns",)
        )
    folded: dict[str, str] = {}
    for column in columns:
        path = ("columns", column.name)
        if not re.fullmatch(COLUMN_NAME_PATTERN, column.name):
            raise ParameterError(f"{column.name!r} cannot name a column ({COLUMN_NAME_RULE})", path)
        other = folded.setdefault(column.name.casefold(), column.name)
        if other != column.name:
            # Lookups in .NET's DataTable ignore the difference.
            raise ParameterError(f"columns {other!r} and {column.name!r} differ only in case", path)


def checked_row(
    columns: tuple[Column, ...], row: Sequence[Scalar] | Mapping[str, Scalar], index: int
) -> tuple[Scalar, ...]:
    """Return `row` with every value converted to its column's type.

    A row may be a list in the order of `columns`, or a mapping by their names. `index` is its
    number in the table, for errors.

    Raises:
        ParameterError: A cell is invalid; the error has its path: ("rows", index, column number or
            name).
    """
    if isinstance(row, Mapping):
        known = [column.name for column in columns]
        for key in row:
            if key not in known:
                raise ParameterError(unknown_name("column", key, known), ("rows", index, key))
        for column in columns:
            if column.name not in row and not column.nullable:
                raise ParameterError(
                    f"row {index + 1} has no value for {column.name!r}, which is not nullable",
                    ("rows", index),
                )
        return tuple(
            _cell(column, row.get(column.name), ("rows", index, column.name)) for column in columns
        )
    if len(row) != len(columns):
        names = ", ".join(column.name for column in columns)
        raise ParameterError(
            f"row {index + 1} has {len(row)} values, but the table has {len(columns)} columns "
            f"({names})",
            ("rows", index),
        )
    return tuple(
        _cell(column, value, ("rows", index, number))
        for number, (column, value) in enumerate(zip(columns, row, strict=True))
    )


def _cell(column: Column, value: Scalar, path: tuple[str | int, ...]) -> Scalar:
    if value is None:
        if column.nullable:
            return None
        raise ParameterError(
            f"column {column.name!r} is not nullable (allowed: {_ALLOWED[column.type]}; "
            f'or make the column "{column.type}?")',
            path,
        )
    if type(value) is int and column.type == "number":
        value = _as_float(column, value, path)
    kind = TYPES.get(type(value))
    if kind != column.type or not _fits(value):
        hint = ""
        if column.type == "text" and isinstance(value, str):
            result = NOT_TEXT.search(value)
            hint = f" without the character {result.group()!r}" if result else ""
        elif column.type == "text":
            hint = " (put it in quotes)"
        raise ParameterError(
            f"column {column.name!r} is {column.type}, not {cell_text(value)} "
            f"(allowed: {_ALLOWED[column.type]}{hint})",
            path,
        )
    # Some readers of XML lose the sign of zero, so no table has one.
    return 0.0 if value == 0 and isinstance(value, float) else value


def _as_float(column: Column, value: int, path: tuple[str | int, ...]) -> float:
    try:
        return float(value)
    except OverflowError:
        raise ParameterError(
            f"column {column.name!r} is number, and {cell_text(value)} is too large for it", path
        ) from None


def _fits(value: Scalar) -> bool:
    if isinstance(value, str):
        return not NOT_TEXT.search(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or INTEGER_MINIMUM <= value <= INTEGER_MAXIMUM


def cell_text(value: object) -> str:
    """Format a table cell's `value` for a message, shortened if long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a number of more than 40 digits"
    text = repr(value) if isinstance(value, str | float | int) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
