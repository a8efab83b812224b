"""Read XML tables with a schema, from .NET's `DataTable` or the exporter.

The schema has the table's name, columns and types: text, whole numbers, numbers, booleans. Document
types and their entities are refused, so that no other file is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import Any
from xml.parsers import expat

from exporter.formats.tables.source import TableSource, source_of
from exporter.formats.tables.xml_names import decode_name, encode_name
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Table
from exporter.model.level_values import Scalar
from exporter.model.tables.table import ColumnType, TableParameters, build_table
from exporter.model.text_budget import XML

_SCHEMA = "http://www.w3.org/2001/XMLSchema "
_MAIN_TABLE = "urn:schemas-microsoft-com:xml-msdata MainDataTable"
_ELEMENT = f"{_SCHEMA}element"
_TYPES = {
    "text": ("string",),
    "integer": (
        *("long", "int", "short", "byte", "unsignedInt", "unsignedShort", "unsignedByte"),
        *("integer", "unsignedLong"),
    ),
    "number": ("double", "float", "decimal"),
    "boolean": ("boolean",),
}
_KINDS = {name: kind for kind, names in _TYPES.items() for name in names}
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_INTEGER = re.compile("[-+]?[0-9]{1,40}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def read_xml_table(content: bytes, file: str, schema: bytes, schema_file: str) -> Table:
    """Read a table from the contents of an XML file and of its schema.

    `content` and `schema` are the bytes of the two files; `file` and `schema_file` are their names,
    for messages.

    Raises:
        SpecError: A file is malformed; the error has the line and column of the fault.
    """
    declared = _SchemaReader(source_of(schema, schema_file, XML)).read()
    rows = _RowReader(source_of(content, file, XML), declared)
    rows.read()
    try:
        parameters = TableParameters(columns=declared.columns, rows=tuple(rows.rows))
        return build_table(declared.name, parameters)
    except ParameterError as error:
        position = rows.places[int(error.path[1])]
        raise rows.source.error_at(*position, error.message) from None


class _XmlReader:
    """Parses XML with expat, and knows the position of each item for errors."""

    def __init__(self, source: TableSource) -> None:
        self.source = source
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._refuse_document_type

    def parse(
        self,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None],
        text: Callable[[str], None],
    ) -> None:
        """Parse the whole text, calling a function for each item.

        `start` and `end` are called for the tags of elements, `text` for the text between them.

        Raises:
            SpecError: The text is not XML, or one of the functions refuses it.
        """
        self.parser.StartElementHandler = start
        self.parser.EndElementHandler = end
        self.parser.CharacterDataHandler = text
        try:
            # Text, not bytes: expat then takes it as UTF-8, whatever its first line says.
            self.parser.Parse(self.source.text, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise self.source.error_at(
                error.lineno, error.offset + 1, f"this is not XML: {what}"
            ) from None

    def current_position(self) -> tuple[int, int]:
        """Return line and column, from 1, of the item that is being parsed."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def error(self, message: str) -> Exception:
        return self.source.error_at(*self.current_position(), message)

    def _refuse_document_type(self, *_: Any) -> None:
        raise self.error("a document type is not supported (remove <!DOCTYPE ...>)")


@dataclass
class _Declared:
    """A table as its schema declares it.

    `places` has the line and column of each column's declaration.
    """

    name: str
    columns: dict[str, ColumnType] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)


class _SchemaReader(_XmlReader):
    """Reads an XML schema: a data set with one or more tables and columns."""

    def __init__(self, source: TableSource) -> None:
        super().__init__(source)
        self.tables: list[_Declared] = []
        self.main = ""
        self.depth = 0

    def read(self) -> _Declared:
        """Return the table that the schema calls its main one, or its only one.

        Raises:
            SpecError: There is no such table, or its columns are not valid.
        """
        self.parse(self._start, self._end, lambda text: None)
        chosen = [table for table in self.tables if table.name == self.main] or self.tables
        if len(chosen) != 1:
            names = ", ".join(item.name for item in chosen) or "none"
            raise self.source.error_at(1, 1, f"the schema must have one table (it has: {names})")
        (declared,) = chosen
        try:
            build_table(declared.name, TableParameters(columns=declared.columns))
        except ParameterError as error:
            position = declared.places.get(str(error.path[-1]), (1, 1))
            raise self.source.error_at(*position, error.message) from None
        return declared

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != _ELEMENT:
            if tag == f"{_SCHEMA}attribute" or tag == f"{_SCHEMA}simpleType":
                raise self.error(
                    f"columns with xs:{tag.removeprefix(_SCHEMA)} are not supported "
                    '(a column is <xs:element name="..." type="xs:..."/>)'
                )
            return
        self.depth += 1
        name = decode_name(attributes.get("name", ""))
        if self.depth == 1:
            self.main = decode_name(attributes.get(_MAIN_TABLE, ""))
        elif self.depth == 2:
            self.tables.append(_Declared(name))
        elif self.depth == 3:
            self._column(name, attributes)
        else:
            raise self.error(
                "a table inside a table is not supported (move it into a file of its own)"
            )

    def _column(self, name: str, attributes: dict[str, str]) -> None:
        kind = _KINDS.get(attributes.get("type", "").rpartition(":")[2])
        if kind is None:
            known = ", ".join(f"xs:{item}" for item in _KINDS)
            raise self.error(
                f"column {name!r} has the type {attributes.get('type', '')!r} (allowed: {known})"
            )
        columns = self.tables[-1].columns
        if name in columns:
            raise self.error(f"two columns have the name {name!r} (rename one)")
        self.tables[-1].places[name] = self.current_position()
        nullable = attributes.get("minOccurs") == "0"
        columns[name] = f"{kind}?" if nullable else kind  # type: ignore[assignment]

    def _end(self, tag: str) -> None:
        self.depth -= tag == _ELEMENT


class _RowReader(_XmlReader):
    """Reads rows: an element for each row, with an element for each cell."""

    def __init__(self, source: TableSource, declared: _Declared) -> None:
        super().__init__(source)
        self.row_tag = encode_name(declared.name)
        self.kinds = {
            encode_name(item): kind.removesuffix("?") for item, kind in declared.columns.items()
        }
        self.rows: list[tuple[Scalar, ...]] = []
        self.places: list[tuple[int, int]] = []
        self.depth = 0
        self.row: dict[str, Scalar] = {}
        self.text: list[str] = []

    def read(self) -> None:
        self.parse(self._start, self._end, self._characters)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 2:
            if tag != self.row_tag:
                raise self.error(f"the element <{tag}> is no row (write <{self.row_tag}>)")
            self.row = {}
            self.places.append(self.current_position())
        elif self.depth == 3:
            if tag not in self.kinds:
                known = ", ".join(self.kinds)
                raise self.error(f"the schema has no column <{tag}> (it has: {known})")
            if tag in self.row:
                raise self.error(f"the row has two cells <{tag}> (remove one)")
            self.text = []
        elif self.depth > 3:
            raise self.error(f"a cell contains the element <{tag}> (a cell must contain text only)")

    def _characters(self, text: str) -> None:
        if self.depth == 3:
            self.text.append(text)
        elif text.strip():
            raise self.error(f"the text {text.strip()[:40]!r} is outside a cell (remove it)")

    def _end(self, tag: str) -> None:
        if self.depth == 3:
            self.row[tag] = self._value("".join(self.text), self.kinds[tag])
        elif self.depth == 2:
            self.rows.append(tuple(self.row.get(kind) for kind in self.kinds))
        self.depth -= 1

    def _value(self, text: str, kind: str) -> Scalar:
        if kind == "text":
            return text
        words = text.strip()
        if kind == "boolean" and words in _BOOLEANS:
            return _BOOLEANS[words]
        if kind == "integer" and _INTEGER.fullmatch(words):
            return int(words)
        if kind == "number" and _NUMBER.fullmatch(words):
            return float(words)
        raise self.error(f"{text[:40]!r} is not a valid {kind}")
