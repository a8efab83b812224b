"""Check that spawn tables exist and have the needed columns.

A spawn table lists what an object group can be drawn from. Faulty tables are reported by other
checks and skipped here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from exporter.model.limits import MAXIMUM_PROBLEMS
from exporter.model.suggestions import unknown_name
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.model.tables.table import TableParameters
    from exporter.placement.parameters import ObjectParameters
    from exporter.placement.spawn_rows import TableFault


def spawn_table_problems(
    index: int,
    item: ObjectParameters,
    tables: Mapping[str, TableParameters],
    names: Sequence[str],
    result: MutableMapping[tuple[str | None, ...], tuple[TableFault, ...]],
) -> Iterator[tuple[ValuePath, str]]:
    """Yield path and message of each problem of a group's spawn table.

    Args:
        index: The index of the group in `objects`.
        item: The group's parameters.
        tables: The valid tables, by name.
        names: The names of all tables.
        result: The faults of tables that were checked before, extended here: thousands of groups
            may use the same table.
    """
    spawn = item.spawn
    if spawn is None:
        return
    path: ValuePath = ("objects", index, "spawn")
    if spawn.table not in names:
        yield (*path, "table"), unknown_name("table", spawn.table, names)
        return
    parameters = tables.get(spawn.table)
    if parameters is None:
        return
    key = (spawn.table, spawn.danger, spawn.weight, spawn.earliest, spawn.latest)
    if key not in result:
        from exporter.model.tables.table import build_table
        from exporter.placement.spawn_rows import table_faults

        # The most that are reported.
        faults = table_faults(spawn, build_table(spawn.table, parameters))
        result[key] = tuple(islice(faults, MAXIMUM_PROBLEMS))
    columns = list(parameters.columns)
    for fault in result[key]:
        if fault.cell is None:
            yield (*path, fault.parameter), fault.message
            continue
        row, column = fault.cell
        listed = not isinstance(parameters.rows[row], Mapping)
        inside = column if listed else columns[column]
        yield ("tables", spawn.table, "rows", row, inside), fault.message
