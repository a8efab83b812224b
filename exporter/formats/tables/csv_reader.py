"""Read a table from CSV (RFC 4180): column names, then rows.

CSV has no types, so a column's type follows from its values: whole numbers make it `integer`, other
numbers `number`, `true` and `false` make it `boolean`, and anything else `text`. An empty field is
null, and `""` is the empty text; a quoted field is always text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from exporter.formats.tables.source import TableSource, source_of
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Table
from exporter.model.level_values import Scalar
from exporter.model.suggestions import unknown_name
from exporter.model.tables.table import (
    INTEGER_MAXIMUM,
    INTEGER_MINIMUM,
    ColumnType,
    PlainType,
    TableParameters,
    build_table,
)
from exporter.model.text_budget import CSV

_FIELD = re.compile(r'"((?:[^"]++|"")*+)"|([^",\r\n]*)')
_END = re.compile(r"\r\n|\n|\r|\Z")
# Leading zeros belong to codes and telephone numbers, which are text.
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a CSV file: its text, and where it begins in the file.

    `text` has no quotes; `quoted` says whether the file has them.
    """

    text: str
    quoted: bool
    offset: int

    @property
    def is_null(self) -> bool:
        return not self.text and not self.quoted


def read_csv_table(
    content: bytes, file: str, name: str, types: Mapping[str, ColumnType] | None = None
) -> Table:
    """Read a table from the content of a CSV file, in UTF-8.

    `file` is the file's name, for messages; `name` becomes the table's. `types` has types by column
    name; other columns get their types from the values.

    Raises:
        SpecError: The file is malformed; the error has the line and column of the fault.
    """
    source = source_of(content, file, CSV)
    lines = list(_lines(source))
    if not lines:
        raise source.error(0, "the file is empty (its first line has the names of the columns)")
    header, *rows = lines
    names = [field.text for field in header]
    if len(header) == 1 and not header[0].quoted and (result := re.search("[;\t]", names[0])):
        separator = "semicolons" if result[0] == ";" else "tabs"
        message = f"fields are separated by {separator} here (allowed: commas)"
        raise source.error(header[0].offset + result.start(), message)
    known: set[str] = set()
    for item in header:
        if item.text in known:
            raise source.error(item.offset, f"two columns have the name {item.text!r} (rename one)")
        known.add(item.text)
    remaining = [row for row in rows if len(header) == 1 or not (len(row) == 1 and row[0].is_null)]
    for row in remaining:
        if len(row) != len(header):
            raise source.error(
                row[0].offset,
                f"the row has {len(row)} fields, but the header has {len(header)} (quote fields "
                "that contain commas)",
            )
    chosen = types or {}
    for column in chosen:
        if column not in names:
            raise source.error(0, unknown_name("column", column, names))
    columns: dict[str, ColumnType] = {
        column: chosen.get(column) or _detected_type([row[index] for row in remaining])
        for index, column in enumerate(names)
    }
    kinds = [kind.removesuffix("?") for kind in columns.values()]
    values = tuple(
        tuple(_value(field, kind) for field, kind in zip(row, kinds, strict=True))
        for row in remaining
    )
    try:
        return build_table(name, TableParameters(columns=columns, rows=values))
    except ParameterError as error:
        raise source.error(_offset(error, header, remaining), error.message) from None


def _lines(source: TableSource) -> Iterator[list[_Field]]:
    text, position = source.text, 0
    while position < len(text):
        fields: list[_Field] = []
        while True:
            result = _FIELD.match(text, position)
            assert result is not None, "it also matches nothing"
            quoted = result[1] is not None
            value = result[1].replace('""', '"') if quoted else result[2]
            fields.append(_Field(value, quoted, position))
            position = result.end()
            if text[position : position + 1] != ",":
                break
            position += 1
        end = _END.match(text, position)
        if end is None:
            raise _misplaced_quote_error(source, position, fields[-1])
        yield fields
        position = end.end()


def _misplaced_quote_error(source: TableSource, position: int, field: _Field) -> Exception:
    if field.quoted:
        return source.error(
            position, "there is text after the closing quote of a field (double the quotes inside)"
        )
    if not field.text:
        return source.error(position, "a quoted field is not closed (add a quote)")
    return source.error(
        position,
        "a field contains a quote but is not quoted (put the field in quotes, and double the "
        "quote)",
    )


def _detected_type(fields: list[_Field]) -> ColumnType:
    """Return the narrowest type that fits all `fields` of a column."""
    kinds = {_kind(field) for field in fields if not field.is_null}
    kind: PlainType = "text"
    if len(kinds) == 1:
        (kind,) = kinds
    elif kinds == {"integer", "number"}:
        kind = "number"
    nullable = any(field.is_null for field in fields)
    return f"{kind}?" if nullable else kind  # type: ignore[return-value]


def _kind(field: _Field) -> PlainType:
    if field.quoted:
        return "text"
    if field.text in _BOOLEANS:
        return "boolean"
    if _INTEGER.fullmatch(field.text):
        fits = INTEGER_MINIMUM <= int(field.text) <= INTEGER_MAXIMUM
        return "integer" if fits else "text"
    if _NUMBER.fullmatch(field.text) and _is_number(field.text):
        return "number"
    return "text"


def _is_number(text: str) -> bool:
    """Return whether a number has a point or an exponent, and is finite.

    `text` has the form of a number.
    """
    return ("." in text or "e" in text.lower()) and math.isfinite(float(text))


def _value(field: _Field, kind: str) -> Scalar:
    """Convert a field to the type `kind`; return its text if it does not fit.

    The check of the table then reports the text.
    """
    if field.is_null:
        return None
    if kind == "boolean":
        return _BOOLEANS.get(field.text, field.text)
    if kind == "integer" and re.fullmatch("[-+]?[0-9]{1,40}", field.text):
        return int(field.text)
    if kind == "number" and re.fullmatch(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?", field.text):
        try:
            return float(field.text)
        except ValueError:
            return field.text
    return field.text


def _offset(error: ParameterError, header: list[_Field], rows: list[list[_Field]]) -> int:
    """Return where in the file the row or column of `error` is, as an offset.

    `error` is about a table of `rows` below `header`. 0 if it names neither row nor column.
    """
    if error.path[:1] == ("rows",) and isinstance(error.path[1], int):
        row = rows[error.path[1]]
        column = error.path[2] if len(error.path) > 2 else 0
        return row[column if isinstance(column, int) else 0].offset
    if error.path[:1] == ("columns",) and len(error.path) > 1:
        return next((item.offset for item in header if item.text == error.path[1]), 0)
    return 0
