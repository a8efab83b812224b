"""Tables: refusals, derived values, and a round trip through every format."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.formats.table_csv import table_csv
from exporter.formats.table_json import table_json
from exporter.formats.table_xml import table_xml
from exporter.formats.table_xsd import table_schema
from exporter.model.errors import ParameterError
from exporter.model.level import Column, Table
from exporter.model.tables.records import table_from_records
from exporter.model.tables.table import TableParameters, build_table
from exporter.reading.adapters import adapter

COLUMNS: dict[str, Any] = {"name": "text", "hp": "integer", "speed": "number?", "boss": "boolean?"}


def build(columns: dict[str, Any], *rows: Any) -> Table:
    return build_table("monsters", TableParameters(columns=columns, rows=rows))


def test_rows_may_be_lists_or_mappings() -> None:
    table = build(COLUMNS, ("rat", 3, 2, False), {"hp": 9, "name": "ghost", "boss": True})
    assert table.name == "monsters"
    assert table.columns == (
        Column("name", "text"),
        Column("hp", "integer"),
        Column("speed", "number", nullable=True),
        Column("boss", "boolean", nullable=True),
    )
    assert table.rows == (("rat", 3, 2.0, False), ("ghost", 9, None, True))
    assert type(table.rows[0][2]) is float


def test_a_table_of_a_spec_is_read_with_its_types() -> None:
    text = {"columns": {"a": "text", "b": "number?"}, "rows": [["x", 1], {"a": "y", "b": None}]}
    parameters = adapter(TableParameters).validate_json(json.dumps(text))
    assert build_table("t", parameters).rows == (("x", 1.0), ("y", None))
    whole = adapter(TableParameters).validate_json(
        json.dumps({"columns": {"a": "integer"}, "rows": [[2**62], [3]]})
    )
    assert [type(row[0]) for row in build_table("t", whole).rows] == [int, int]


def test_an_unknown_type_and_a_bad_name_are_refused_by_the_schema() -> None:
    for columns in ({"a": "string"}, {"a": "date"}, {"": "text"}, {" a": "text"}, {"a\n": "text"}):
        with pytest.raises(ValueError, match="columns"):
            adapter(TableParameters).validate_json(json.dumps({"columns": columns}))


@each_case(
    ("columns", "row", "reason", "path"),
    [
        ({"a": "text"}, (3,), "'a' is text, not 3 .allowed: text .put it in quotes", (0,)),
        ({"a": "text"}, (True,), "'a' is text, not true", (0,)),
        ({"a": "text"}, ("\x01",), r"without the character '\\x01'", (0,)),
        ({"a": "text"}, ("\ud800",), "without the character", (0,)),
        ({"a": "integer"}, ("3",), "'a' is integer, not '3'", (0,)),
        ({"a": "integer"}, (3.0,), "'a' is integer, not 3.0", (0,)),
        ({"a": "integer"}, (False,), "'a' is integer, not false", (0,)),
        ({"a": "integer"}, (2**63,), "a whole number of -9223372036854775808 to", (0,)),
        ({"a": "integer"}, (10**5000,), "a number of more than 40 digits", (0,)),
        ({"a": "number"}, (10**400,), "too large for it", (0,)),
        ({"a": "number"}, (float("inf"),), "not inf .allowed: a finite number", (0,)),
        ({"a": "number"}, (float("nan"),), "not nan", (0,)),
        ({"a": "boolean"}, (1,), "'a' is boolean, not 1 .allowed: true or false", (0,)),
        ({"a": "text"}, (None,), "'a' is not nullable .* \"text.\"", (0,)),
        ({"a": "text", "b": "integer"}, ("x", "y"), "'b' is integer", (1,)),
        ({"a": "text", "b": "integer"}, ("x",), r"row 1 has 1 values, .* 2 columns \(a, b\)", ()),
        ({"a": "text"}, {"a": 1}, "'a' is text, not 1", ("a",)),
        ({"name": "text"}, {"nam": "x"}, "unknown column 'nam' .did you mean 'name'", ("nam",)),
        ({"a": "text"}, {}, "row 1 has no value for 'a'", ()),
    ],
)
def test_a_cell_that_does_not_fit_is_named(
    columns: dict[str, Any], row: Any, reason: str, path: tuple[Any, ...]
) -> None:
    with pytest.raises(ParameterError, match=reason) as caught:
        build(columns, row)
    assert caught.value.path == ("rows", 0, *path)


def test_columns_that_differ_only_in_case_are_refused() -> None:
    with pytest.raises(ParameterError, match="'hp' and 'HP' differ only in case") as caught:
        build({"hp": "text", "HP": "text"})
    assert caught.value.path == ("columns", "HP")


def test_the_sign_of_zero_is_dropped() -> None:
    assert repr(build({"a": "number"}, (-0.0,)).rows[0][0]) == "0.0"


@dataclass
class Monster:
    name: str
    hp: int
    speed: float = 1.0
    boss: bool | None = None


def test_a_class_becomes_a_table() -> None:
    table = table_from_records("monsters", [Monster("rat", 3), Monster("lich", 90, 2, True)])
    assert table.columns == (
        Column("name", "text"),
        Column("hp", "integer"),
        Column("speed", "number"),
        Column("boss", "boolean", nullable=True),
    )
    assert table.rows == (("rat", 3, 1.0, None), ("lich", 90, 2.0, True))
    assert table_from_records("none", [], Monster).columns == table.columns


def test_mappings_become_a_table() -> None:
    records = [{"a": 1, "b": "x"}, {"a": 2.5, "c": True}, {"a": 3, "b": None, "d": None}]
    table = table_from_records("t", records)
    assert table.columns == (
        Column("a", "number"),
        Column("b", "text", nullable=True),
        Column("c", "boolean", nullable=True),
        Column("d", "text", nullable=True),
    )
    assert table.rows == ((1.0, "x", None, None), (2.5, None, True, None), (3.0, None, None, None))


@dataclass
class Nested:
    parts: list[int]


@each_case(
    ("records", "reason"),
    [
        ([Nested([1])], "Nested.parts is .*list.*, which is not a column type"),
        ([Monster("rat", 3), {"name": "x"}], "record 1 is not of type Monster"),
        ([3], "record 0 is neither"),
        ([{"a": 1}, {"a": "x"}], "'a' has values of several types .integer, text"),
        ([{"a": [1]}], "a list is not a table value"),
        ([Monster("rat", "three")], "'hp' is integer, not 'three'"),  # type: ignore[arg-type]
        ([], "0 columns"),
        ([{"a\n": 1}], "cannot name a column"),
    ],
)
def test_records_that_make_no_table_are_refused(records: list[Any], reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        table_from_records("t", records)


def test_json_holds_the_columns_and_a_record_for_every_row() -> None:
    table = build(COLUMNS, ("Größe", 2**63 - 1, None, True))
    text = table_json(table).decode()
    assert json.loads(text) == {
        "table": "monsters",
        "columns": [
            {"name": column.name, "type": column.type, "nullable": column.nullable}
            for column in table.columns
        ],
        "records": [{"name": "Größe", "hp": 2**63 - 1, "speed": None, "boss": True}],
    }
    assert json.loads(table_json(build(COLUMNS)))["records"] == []


def test_csv_tells_null_from_the_empty_text() -> None:
    table = build(
        {"a,b": "text?", "n": "number?", "ok": "boolean"},
        (None, None, True),
        ("", 0.1, False),
        ('say "hi"', 1e22, True),
        ("two\r\nlines", 2, True),
        (" x ", 3, True),
    )
    assert table_csv(table).decode() == (
        '"a,b",n,ok\r\n'
        ",,true\r\n"
        '"",0.1,false\r\n'
        '"say ""hi""",1e+22,true\r\n'
        '"two\r\nlines",2.0,true\r\n'
        " x ,3.0,true\r\n"
    )


def test_xml_leaves_out_null_and_encodes_names() -> None:
    table = build({"hit points": "integer?", "1st": "text"}, (None, "a<b\r"), (3, " "))
    assert table_xml(table).decode() == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        "<DocumentElement>\n"
        "  <monsters>\n"
        "    <_x0031_st>a&lt;b&#xD;</_x0031_st>\n"
        "  </monsters>\n"
        "  <monsters>\n"
        "    <hit_x0020_points>3</hit_x0020_points>\n"
        '    <_x0031_st xml:space="preserve"> </_x0031_st>\n'
        "  </monsters>\n"
        "</DocumentElement>\n"
    )
    schema = table_schema(table).decode()
    assert '<xs:element name="hit_x0020_points" type="xs:long" minOccurs="0"/>' in schema
    assert '<xs:element name="_x0031_st" type="xs:string"/>' in schema


TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r,\"'<& "),
    max_size=10,
)
ROWS = st.lists(
    st.tuples(
        TEXT,
        TEXT | st.none(),
        st.integers(-(2**63), 2**63 - 1) | st.none(),
        st.floats(allow_nan=False, allow_infinity=False) | st.none(),
        st.booleans() | st.none(),
    ),
    max_size=8,
)


@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_every_format_gives_the_rows_back(rows: list[tuple[Any, ...]]) -> None:
    columns = {"t": "text", "u": "text?", "i": "integer?", "n": "number?", "b": "boolean?"}
    table = build(columns, *rows)
    document = json.loads(table_json(table))
    assert tuple(tuple(record.values()) for record in document["records"]) == table.rows
    text = table_csv(table).decode()
    # The csv module reads null as the empty text; the test above distinguishes them.
    lines = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert lines == [["" if cell is None else plain(cell) for cell in row] for row in table.rows]
    tree = ElementTree.fromstring(table_xml(table))
    read = {"t": str, "u": str, "i": int, "n": float, "b": "true".__eq__}
    records = [{cell.tag: read[cell.tag](cell.text or "") for cell in row} for row in tree]
    assert tuple(tuple(record.get(name) for name in columns) for record in records) == table.rows


def plain(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(cell).lower()
    return cell if isinstance(cell, str) else repr(cell)
