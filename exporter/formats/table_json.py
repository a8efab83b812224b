"""Write tables as JSON: columns with their types, a record for each row.

Integers are written with all their digits; readers that know only doubles (Godot, JavaScript)
round those beyond 2^53. Null is `null`, and differs from the empty text `""`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from exporter.formats import FormatOptions, format
from exporter.model.level import Level, Table


@format("table_json", kind="table", suffix="json", each="table")
def write(level: Level, table: Table, options: FormatOptions) -> bytes:
    """Return `table` as JSON."""
    return table_json(table)


def table_json(table: Table) -> bytes:
    """Return `table` as JSON in UTF-8, with types of columns.

    The form is `{"table": name, "columns": [{"name", "type", "nullable"}, ...], "records":
    [{column: value}, ...]}`.
    """
    names = [column.name for column in table.columns]
    columns = [
        {"name": column.name, "type": column.type, "nullable": column.nullable}
        for column in table.columns
    ]
    records = [dict(zip(names, row, strict=True)) for row in table.rows]
    text = (
        "{\n"
        f'"table": {_json(table.name)},\n'
        f'"columns": {_lines(columns)},\n'
        f'"records": {_lines(records)}\n'
        "}\n"
    )
    return text.encode()


def _lines(items: Sequence[object]) -> str:
    if not items:
        return "[]"
    return "[\n" + ",\n".join(_json(item) for item in items) + "\n]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
