"""Read JSON tables: a list of records, or `table_json`'s document.

A document has the types of its columns; for a list of records they follow from the values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from exporter.formats.tables.source import TableSource, source_of
from exporter.model.errors import ParameterError
from exporter.model.level import Table
from exporter.model.suggestions import unknown_name
from exporter.model.tables.records import table_from_records
from exporter.model.tables.table import ColumnType, TableParameters, build_table
from exporter.model.text_budget import JSON_TABLE

Path = tuple[str | int, ...]

_SPACE = re.compile("[ \t\n\r]*")
_PLAIN_TYPES = ("text", "integer", "number", "boolean")
_KEYS: tuple[tuple[str, type, str], ...] = (
    ("table", str, "text"),
    ("columns", list, "a list"),
    ("records", list, "a list"),
)
# Longer whole numbers fit no column; reading them would take time by the square of their length.
_LONGEST_NUMBER = 40


class _Repeated(dict[str, Any]):
    """A JSON object of the file in which the key `key` occurs twice."""

    key = ""


def read_json_table(
    content: bytes, file: str, name: str, types: Mapping[str, ColumnType] | None = None
) -> Table:
    """Read a table from the content of a JSON file.

    `file` is the file's name, for messages; `name` becomes the table's, if the file does not name
    it. `types` has types by column name, if the file is a list of records; other columns get their
    types from the values.

    Raises:
        SpecError: The file is malformed; the error has the line and column of the fault.
    """
    source = source_of(content, file, JSON_TABLE)
    data = _parse(source)
    if isinstance(data, dict) and "records" in data:
        return _document(source, data, types)
    if not isinstance(data, list):
        raise source.error(
            _position(source, ()),
            'the file is not a table (write a list of records, or {"table": ..., "columns": '
            '[...], "records": [...]})',
        )
    records = _records(source, data, ())
    try:
        table = table_from_records(name, records)
        return table if not types else retyped(table, types)
    except ParameterError as error:
        raise source.error(_position(source, _path_of(error, ())), error.message) from None


def retyped(table: Table, types: Mapping[str, ColumnType]) -> Table:
    """Convert columns of `table` to the types that `types` has by their names.

    Raises:
        ParameterError: A column is unknown, or a value does not fit its type.
    """
    columns: dict[str, ColumnType] = {
        column.name: f"{column.type}?" if column.nullable else column.type  # type: ignore[misc]
        for column in table.columns
    }
    for column in types:
        if column not in columns:
            raise ParameterError(unknown_name("column", column, list(columns)))
    return build_table(table.name, TableParameters(columns={**columns, **types}, rows=table.rows))


def _parse(source: TableSource) -> Any:
    try:
        return json.loads(
            source.text, object_pairs_hook=_object, parse_int=_integer, parse_constant=_refuse
        )
    except json.JSONDecodeError as error:
        raise source.error(error.pos, f"this is not JSON: {error.msg}") from None
    except RecursionError:
        raise source.error(0, "the file is nested too deeply for a table") from None
    except _NotFinite as error:
        word = str(error)
        raise source.error(source.text.find(word), f"{word} is not JSON (use null)") from None


class _NotFinite(Exception):  # noqa: N818 - becomes an error with a place
    """Raised if the file has Infinity or NaN, which JSON does not allow."""


def _refuse(word: str) -> Any:
    raise _NotFinite(word)


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else int(10**_LONGEST_NUMBER)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    repeated = _Repeated(result)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            repeated.key = key
            break
        seen.add(key)
    return repeated


def _document(
    source: TableSource, data: dict[str, Any], types: Mapping[str, ColumnType] | None
) -> Table:
    """Return the table of a document, which has `columns` and `records`.

    Raises:
        SpecError: The document is malformed, or `types` are given though it has its own.
    """
    if types:
        raise source.error(0, "the file already gives the column types (leave out the other types)")
    _check_repeated(source, data, ())
    for key, expected, word in _KEYS:
        if not isinstance(data.get(key), expected):
            raise source.error(_position(source, (key,)), f"{key!r} must be {word}")
    columns = _declared_columns(source, data["columns"])
    records = tuple(_records(source, data["records"], ("records",)))
    try:
        return build_table(data["table"], TableParameters(columns=columns, rows=records))
    except ParameterError as error:
        path = _path_of(error, ("records",))
        raise source.error(_position(source, path), error.message) from None


def _declared_columns(source: TableSource, items: list[Any]) -> dict[str, ColumnType]:
    """Return the types of a document's columns, `items`, by column name.

    Raises:
        SpecError: A column is malformed, or two have the same name.
    """
    columns: dict[str, ColumnType] = {}
    for index, column in enumerate(_records(source, items, ("columns",))):
        name, kind, nullable = column.get("name"), column.get("type"), column.get("nullable", False)
        if not isinstance(name, str) or kind not in _PLAIN_TYPES or not isinstance(nullable, bool):
            raise source.error(
                _position(source, ("columns", index)),
                'a column is malformed (write {"name": text, "type": one of text, integer, number, '
                'boolean, "nullable": true or false})',
            )
        if name in columns:
            raise source.error(
                _position(source, ("columns", index)),
                f"two columns have the name {name!r} (rename one)",
            )
        columns[name] = f"{kind}?" if nullable else kind  # type: ignore[assignment]
    return columns


def _records(source: TableSource, items: list[Any], path: Path) -> list[dict[str, Any]]:
    """Return `items`, checked to be JSON objects without repeated keys.

    `path` is the list's path in the file, for errors.

    Raises:
        SpecError: An item is no object, or has a key twice.
    """
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise source.error(
                _position(source, (*path, index)), 'a record is no object (write {"COLUMN": VALUE})'
            )
        _check_repeated(source, item, (*path, index))
    return items


def _check_repeated(source: TableSource, item: dict[str, Any], path: Path) -> None:
    if isinstance(item, _Repeated):
        raise source.error(
            _position(source, path), f"the key {item.key!r} is given twice (remove one)"
        )


def _path_of(error: ParameterError, records: Path) -> Path:
    """Convert the path of `error` in a table to the path in the JSON file.

    `records` is the path of the list of records in the file.
    """
    if error.path[:1] == ("rows",):
        return (*records, *error.path[1:])
    return records


def _position(source: TableSource, path: Path) -> int:
    """Return the offset of the value at `path`, or of its parent if missing.

    Only errors need offsets, so the text is parsed again instead of storing all offsets.
    """
    text, decoder = source.text, json.JSONDecoder()
    position = _after_space(text, 0)
    for step in path:
        at = _after_space(text, position + 1)
        index = 0
        while text[at] not in "]}":
            key: Any = index
            if text[position] == "{":
                key, at = decoder.raw_decode(text, at)
                at = _after_space(text, _after_space(text, at) + 1)  # over the colon
            if key == step:
                break
            _, at = decoder.raw_decode(text, at)
            at = _after_space(text, at)
            if text[at] == ",":
                at = _after_space(text, at + 1)
            index += 1
        else:
            return position
        position = at
    return position


def _after_space(text: str, position: int) -> int:
    result = _SPACE.match(text, position)
    assert result is not None, "it also matches nothing"
    return result.end()
