"""Write tables as comma-separated values (RFC 4180) in UTF-8.

The first line has the names of the columns. Null is an empty field and the empty text is `""`, as
in PostgreSQL. Booleans are `true` and `false`; a number is the shortest text that reads back to the
same double. The file does not say the types of columns; the formats JSON and XML schema do.
"""

from __future__ import annotations

import re

from exporter.formats import FormatOptions, format
from exporter.model.level import Level, Table
from exporter.model.level_values import Scalar

_NEEDS_QUOTES = re.compile('[",\r\n]')


@format("table_csv", kind="table", suffix="csv", each="table")
def write(level: Level, table: Table, options: FormatOptions) -> bytes:
    """Return `table` as CSV."""
    return table_csv(table)


def table_csv(table: Table) -> bytes:
    """Return `table` as CSV: a header, then a line for each row."""
    lines = [",".join(_field(column.name) for column in table.columns)]
    lines += [",".join(_field(value) for value in row) for row in table.rows]
    return "".join(line + "\r\n" for line in lines).encode()


def _field(value: Scalar) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    if not value or _NEEDS_QUOTES.search(value):
        doubled = value.replace('"', '""')
        return f'"{doubled}"'
    return value
