"""Tables from files: they are read back as written, and faults have a position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.formats.table_csv import table_csv
from exporter.formats.table_json import table_json
from exporter.formats.table_xml import table_xml
from exporter.formats.table_xsd import table_schema
from exporter.formats.tables.csv_reader import read_csv_table
from exporter.formats.tables.json_reader import read_json_table
from exporter.formats.tables.xml_names import decode_name, encode_name
from exporter.formats.tables.xml_reader import read_xml_table
from exporter.model.errors import SpecError
from exporter.model.level import Table
from exporter.model.tables.table import TableParameters, build_table

KINDS: dict[str, Any] = {
    "t": "text",
    "u v": "text?",
    "1": "integer?",
    "n": "number?",
    "b": "boolean?",
}
TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r,\"'<& 0"),
    max_size=8,
)
ROWS = st.lists(
    st.tuples(
        TEXT,
        TEXT | st.none(),
        st.integers(-(2**63), 2**63 - 1) | st.none(),
        st.floats(allow_nan=False, allow_infinity=False) | st.none(),
        st.booleans() | st.none(),
    ),
    max_size=6,
)


def build(columns: dict[str, Any], *rows: Any) -> Table:
    return build_table("monsters", TableParameters(columns=columns, rows=rows))


@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_json_and_xml_give_the_same_table_back(rows: list[tuple[Any, ...]]) -> None:
    table = build(KINDS, *rows)
    assert read_json_table(table_json(table), "a.json", "other") == table
    assert read_xml_table(table_xml(table), "a.xml", table_schema(table), "a.xsd") == table


@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_csv_gives_the_same_table_back_with_its_types(rows: list[tuple[Any, ...]]) -> None:
    table = build(KINDS, *rows)
    assert read_csv_table(table_csv(table), "a.csv", "monsters", KINDS) == table


@settings(max_examples=80, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_names_of_elements_are_decoded(name: str) -> None:
    assert decode_name(encode_name(name)) == name


def test_a_code_beyond_unicode_stays_as_it_is() -> None:
    assert decode_name("_x00110000_") == "_x00110000_"
    assert decode_name("_x0041_b_x000041") == "Ab_x000041"


def test_one_nullable_column_keeps_its_empty_lines() -> None:
    table = build({"a": "integer?"}, (1,), (None,), (2,), (None,))
    assert read_csv_table(table_csv(table), "a.csv", "monsters") == table


@each_case(
    ("fields", "kind"),
    [
        (["1", "-20", "0"], "integer"),
        (["1", "2.5"], "number"),
        (["1e3", "-0.5E-2"], "number"),
        (["true", "false"], "boolean"),
        (["1", "true"], "text"),
        (["1", "x"], "text"),
        (["007"], "text"),
        (["+5"], "text"),
        (["9223372036854775807"], "integer"),
        (["9223372036854775808"], "text"),
        (["1e999"], "text"),
        (["nan"], "text"),
        (['"5"'], "text"),
        (["1", ""], "integer?"),
        (["", ""], "text?"),
        (['""', "x"], "text"),
        (["True"], "text"),
    ],
)
def test_the_values_of_a_csv_file_say_their_type(fields: list[str], kind: str) -> None:
    text = "a,z\n" + "".join(f"{field},1\n" for field in fields)
    (column, _) = read_csv_table(text.encode(), "a.csv", "t").columns
    assert column.type + "?" * column.nullable == kind


def test_csv_of_other_programs_is_read() -> None:
    text = '\ufeffname,"a ""b""",c\r\n"x, y",1,"two\nlines"\r\n\r\nz,,\n'
    table = read_csv_table(text.encode(), "a.csv", "t")
    assert [column.name for column in table.columns] == ["name", 'a "b"', "c"]
    assert table.rows == (("x, y", 1, "two\nlines"), ("z", None, None))


@each_case(
    ("text", "expected_position", "message"),
    [
        ("", (1, 1), "the file is empty"),
        ("a,b\n1\n", (2, 1), "the row has 1 fields, but the header has 2"),
        ("a,b\n1,2,3\n", (2, 1), "the row has 3 fields"),
        ("a,a\n", (1, 3), "two columns have the name 'a'"),
        ("a,A\n", (1, 3), "differ only in case"),
        ("a,\n1,2\n", (1, 3), "cannot name a column"),
        ('a\n"x\n', (2, 1), "not closed"),
        ('a\n"x"y\n', (2, 4), "after the closing quote"),
        ('a\nx"y"\n', (2, 2), "contains a quote but is not quoted"),
        ("a\nx\x01\n", (2, 1), "without the character"),
    ],
)
def test_a_broken_csv_file_is_reported_at_its_position(
    text: str, expected_position: tuple[int, int], message: str
) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        read_csv_table(text.encode(), "a.csv", "t")
    assert (caught.value.file, caught.value.line, caught.value.column) == (
        "a.csv",
        *expected_position,
    )


def test_a_cell_of_the_wrong_type_is_reported_at_its_position() -> None:
    with pytest.raises(SpecError, match="'b' is integer, not 'x'") as caught:
        read_csv_table(b"a,b\n1,2\n3,x\n", "a.csv", "t", {"b": "integer"})
    assert (caught.value.line, caught.value.column) == (3, 3)
    with pytest.raises(SpecError, match="did you mean 'hp'"):
        read_csv_table(b"hp\n1\n", "a.csv", "t", {"hpp": "integer"})
    with pytest.raises(SpecError, match=r"'hp' is number, not '1\.2\.3'"):
        read_csv_table(b"hp\n1.2.3\n", "a.csv", "t", {"hp": "number"})


def test_records_of_a_json_file_get_their_types_from_their_values() -> None:
    text = b'[{"a": 1, "b": "x"}, {"a": 2.5, "c": null}]'
    table = read_json_table(text, "a.json", "t")
    assert [(c.name, c.type, c.nullable) for c in table.columns] == [
        ("a", "number", False),
        ("b", "text", True),
        ("c", "text", True),
    ]
    retyped = read_json_table(text, "a.json", "t", {"c": "boolean?"})
    assert retyped.columns[2].type == "boolean"
    assert retyped.rows == table.rows


DOCUMENT = '{"table": "t", "columns": [{"name": "a", "type": "integer"}], "records": [%s]}'


@each_case(
    ("text", "expected_position", "message"),
    [
        ("", (1, 1), "not JSON"),
        ("{", (1, 2), "not JSON"),
        ("[1,\n 2]", (1, 2), "a record is no object"),
        ('[{"a": 1},\n {"a": "x"}]', (1, 1), "values of several types"),
        ('[{"a": 1},\n {"b": [2]}]', (2, 8), "a list is not a table value"),
        ('[{"a": 1},\n {"a": 1, "a": 2}]', (2, 2), "the key 'a' is given twice"),
        ('[{"a": NaN}]', (1, 8), "NaN is not JSON"),
        ("[" * 100_000, (1, 1), "nested too deeply"),
        ('"text"', (1, 1), "the file is not a table"),
        ("{}", (1, 1), "the file is not a table"),
        ("[]", (1, 1), "0 columns"),
        (
            '[{"a": 1' + "0" * 5000 + "}]",
            (1, 8),
            "'a' is integer, not a number of more than 40 digits",
        ),
        (DOCUMENT % '{"a": 1}, {"a": "x"}', (1, 91), "'a' is integer, not 'x'"),
        (DOCUMENT % '{"b": 1}', (1, 81), "unknown column 'b'"),
        (DOCUMENT % "{}", (1, 75), "row 1 has no value for 'a'"),
        (DOCUMENT.replace('"integer"', '"date"') % "", (1, 28), "a column is"),
        (DOCUMENT.replace('"t"', "5") % "", (1, 11), "'table' must be text"),
        ('{"records": []}', (1, 1), "'table' must be text"),
        ('{"records": [], "records": []}', (1, 1), "'records' is given twice"),
    ],
)
def test_a_broken_json_file_is_reported_at_its_position(
    text: str, expected_position: tuple[int, int], message: str
) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        read_json_table(text.encode(), "a.json", "t")
    assert (caught.value.line, caught.value.column) == expected_position


def test_a_document_with_types_takes_no_others() -> None:
    with pytest.raises(SpecError, match="already gives the column types"):
        read_json_table((DOCUMENT % "").encode(), "a.json", "t", {"a": "text"})


TABLE = build({"name": "text", "hp": "integer?"}, ("rat", 3), ("lich", None))
SCHEMA = table_schema(TABLE).decode()
ROWS_TEXT = table_xml(TABLE).decode()


@each_case(
    ("old", "new", "line", "message"),
    [
        ("<hp>3</hp>", "<hp>x</hp>", 5, "'x' is not a valid integer"),
        ("<hp>3</hp>", "<mp>3</mp>", 5, "the schema has no column <mp> .it has: name, hp"),
        ("<hp>3</hp>", "<hp>3</hp><hp>4</hp>", 5, "the row has two cells <hp>"),
        ("<hp>3</hp>", "<hp><b/></hp>", 5, "a cell contains the element <b>"),
        ("<hp>3</hp>", "loose", 5, "the text 'loose' is outside a cell"),
        ("<name>rat</name>", "", 3, "'name' is not nullable"),
        ("<monsters>", "<monster>", 3, "not XML|the element <monster> is no row"),
        ("<hp>3</hp>", "<hp>3</hp", 6, "not XML"),
        ("<hp>3</hp>", "<hp>&lol;</hp>", 5, "not XML"),
        ("<DocumentElement>", "<!DOCTYPE a [<!ENTITY b 'c'>]><DocumentElement>", 2,
         "document type"),
    ],
)  # fmt: skip
def test_broken_rows_are_reported_at_their_line(
    old: str, new: str, line: int, message: str
) -> None:
    text = ROWS_TEXT.replace(old, new, 1)
    with pytest.raises(SpecError, match=message) as caught:
        read_xml_table(text.encode(), "a.xml", SCHEMA.encode(), "a.xsd")
    assert (caught.value.file, caught.value.line) == ("a.xml", line)


@each_case(
    ("old", "new", "message"),
    [
        ('type="xs:long"', 'type="xs:dateTime"', "column 'hp' has the type 'xs:dateTime'"),
        ('type="xs:long"', "", "column 'hp' has the type ''"),
        ('name="hp"', 'name="name"', "two columns have the name 'name'"),
        ('name="hp"', 'name="NAME"', "differ only in case"),
        ("<xs:choice", "<xs:attribute name='a'/><xs:choice", "xs:attribute are not supported"),
        ("</xs:schema>", "", "not XML"),
        ('<xs:element name="monsters">', "<xs:annotation>", "not XML"),
    ],
)
def test_a_broken_schema_is_reported(old: str, new: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        read_xml_table(ROWS_TEXT.encode(), "a.xml", SCHEMA.replace(old, new).encode(), "a.xsd")
    assert caught.value.file == "a.xsd"


def test_a_schema_without_a_table_is_reported() -> None:
    schema = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>'
    with pytest.raises(SpecError, match=r"must have one table \(it has: none"):
        read_xml_table(ROWS_TEXT.encode(), "a.xml", schema.encode(), "a.xsd")


def test_other_types_of_numbers_are_read() -> None:
    schema = SCHEMA.replace("xs:long", "xs:int").replace("xs:string", "xs:float")
    rows = ROWS_TEXT.replace("rat", " 1.5 ").replace("lich", "2")
    table = read_xml_table(rows.encode(), "a.xml", schema.encode(), "a.xsd")
    assert table.rows == ((1.5, 3), (2.0, None))
    refused = rows.replace(" 1.5 ", "INF")
    with pytest.raises(SpecError, match="'INF' is not a valid number"):
        read_xml_table(refused.encode(), "a.xml", schema.encode(), "a.xsd")


@pytest.mark.parametrize("read", [read_csv_table, read_json_table])
def test_bytes_that_are_not_utf_8_are_reported_at_their_position(read: Any) -> None:
    with pytest.raises(SpecError, match="byte 0xFF is not UTF-8") as caught:
        read(b"a\nb\xff", "a", "t")
    assert (caught.value.line, caught.value.column) == (2, 2)


PIECES = st.sampled_from(
    [b'"', b"{", b"]", b",", b"\n", b"<", b"&#0;", b"NaN", b"1e999", b"\xff", b"\\ud800", b"/>"]
) | st.binary(max_size=3)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(["csv", "json", "xml", "xsd"]), st.floats(0, 1), st.integers(0, 5), PIECES)
def test_damaged_files_are_read_or_reported_never_crash(
    kind: str, where: float, removed: int, piece: bytes
) -> None:
    def damaged(content: bytes) -> bytes:
        position = int(where * len(content))
        return content[:position] + piece + content[position + removed :]

    rows, schema = ROWS_TEXT.encode(), SCHEMA.encode()
    try:
        if kind == "csv":
            read_csv_table(damaged(table_csv(TABLE)), "a.csv", "t")
        elif kind == "json":
            read_json_table(damaged(table_json(TABLE)), "a.json", "t")
        elif kind == "xml":
            read_xml_table(damaged(rows), "a.xml", schema, "a.xsd")
        else:
            read_xml_table(rows, "a.xml", damaged(schema), "a.xsd")
    except SpecError as error:
        assert error.line >= 1
        assert error.column >= 1
