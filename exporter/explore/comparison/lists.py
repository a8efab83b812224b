"""Compare values, lists, tables and puzzles, as values of JSON.

The numbers 1 and 1.0 and the value true all differ.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exporter.explore.comparison.differences import (
    ListChange,
    NamedChange,
    PartChange,
    TableDifference,
)
from exporter.model.level import Puzzle, Table
from exporter.model.level_values import Scalar


def compare_values(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[NamedChange, ...]:
    """Return the values that differ between two mappings, by key.

    Keys of the second mapping come first.
    """
    result = []
    for name, value in now.items():
        if name not in was:
            result.append(NamedChange(name, "added", None, value))
        elif not same(was[name], value):
            result.append(NamedChange(name, "changed", was[name], value))
    result += [NamedChange(name, "removed", was[name]) for name in was if name not in now]
    return tuple(result)


def same(item: Any, other: Any) -> bool:
    """Return whether `item` and `other` are equal as JSON.

    A tuple equals a list.
    """
    if isinstance(item, dict | list | tuple) or isinstance(other, dict | list | tuple):
        return json.dumps(item, sort_keys=True) == json.dumps(other, sort_keys=True)
    return type(item) is type(other) and bool(item == other)


def compare_lists(was: Sequence[Any], now: Sequence[Any]) -> ListChange | None:
    """Return how two lists differ, in any order; None if they are equal."""
    if tuple(was) == tuple(now):
        return None
    return ListChange(len(was), len(now), (Counter(was) & Counter(now)).total())


def compare_puzzles(was: Mapping[str, Puzzle], now: Mapping[str, Puzzle]) -> Iterator[PartChange]:
    """Yield the puzzles that differ, with their differing values."""
    for name, puzzle in now.items():
        if name not in was:
            yield PartChange(name, "added")
            continue
        before = was[name]
        values = compare_values(
            {"kind": before.kind, **before.data}, {"kind": puzzle.kind, **puzzle.data}
        )
        if values:
            yield PartChange(name, "changed", values)
    yield from (PartChange(name, "removed") for name in was if name not in now)


def compare_tables(was: Mapping[str, Table], now: Mapping[str, Table]) -> Iterator[TableDifference]:
    """Yield the tables that differ, with their differing columns and rows."""
    for name, table in now.items():
        if name not in was:
            yield TableDifference(name, "added")
            continue
        result = _compare_table(name, was[name], table)
        if result is not None:
            yield result
    yield from (TableDifference(name, "removed") for name in was if name not in now)


def _compare_table(name: str, was: Table, now: Table) -> TableDifference | None:
    """Compare two tables by their common columns; None if they are equal."""
    types = [
        {column.name: column.type + "?" * column.nullable for column in table.columns}
        for table in (was, now)
    ]
    columns = compare_values(*types)
    common = [column for column in types[1] if column in types[0]]
    before, after = _rows(was, common), _rows(now, common)
    added, removed = _without(after, before), _without(before, after)
    same_order = before == after and [item for item in types[0] if item in types[1]] == common
    if not columns and not added and not removed and same_order:
        return None
    reordered = not added and not removed and not same_order
    return TableDifference(name, "changed", columns, added, removed, reordered)


# A value with its type, so that 1 and true differ.
_Row = tuple[tuple[type, Scalar], ...]


def _rows(table: Table, columns: Sequence[str]) -> list[_Row]:
    places = {column.name: position for position, column in enumerate(table.columns)}
    expected = [places[column] for column in columns]
    return [
        tuple((type(row[position]), row[position]) for position in expected) for row in table.rows
    ]


def _without(rows: Sequence[_Row], others: Sequence[_Row]) -> tuple[tuple[Scalar, ...], ...]:
    """Return the rows that `others` lacks, or has less often than `rows`."""
    left = Counter(others)
    result = []
    for row in rows:
        if left[row]:
            left[row] -= 1
        else:
            result.append(tuple(value for _, value in row))
    return tuple(result)
