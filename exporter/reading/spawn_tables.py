"""Checks of the tables that objects are drawn from: whether they are there, and have what it takes.

Tables that are at fault themselves are told elsewhere: nothing is said here of what depends on
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from exporter.model.suggestions import unknown_name
from exporter.reading.document import Path as ValuePath

if TYPE_CHECKING:
    from exporter.placement.parameters import ObjectParameters
    from exporter.tables.table import TableParameters


def spawn_table_problems(
    index: int,
    one: ObjectParameters,
    tables: Mapping[str, TableParameters],
    names: Sequence[str],
) -> Iterator[tuple[ValuePath, str]]:
    """Yield what is wrong with the table of a spawn: the path in the spec and the message.

    Args:
        index: The place of the entry in `objects`.
        one: The entry.
        tables: The tables that are as they should be, by name.
        names: The names of all tables.
    """
    spawn = one.spawn
    if spawn is None:
        return
    path: ValuePath = ("objects", index, "spawn")
    if spawn.table not in names:
        yield (*path, "table"), unknown_name("table", spawn.table, names)
        return
    parameters = tables.get(spawn.table)
    if parameters is None:
        return
    from exporter.placement.spawn_rows import table_faults
    from exporter.tables.table import build_table

    table = build_table(spawn.table, parameters)
    for fault in table_faults(spawn, table):
        if fault.cell is None:
            yield (*path, fault.parameter), fault.message
            continue
        row, column = fault.cell
        listed = not isinstance(parameters.rows[row], Mapping)
        inside = column if listed else table.columns[column].name
        yield ("tables", spawn.table, "rows", row, inside), fault.message
