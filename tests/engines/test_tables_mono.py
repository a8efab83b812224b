"""Mono's DataTable, the same code as .NET's, reads our XML and schema back to the same table."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine_harness import Mono
from exporter.formats.table_xml import table_xml
from exporter.formats.table_xsd import table_schema
from exporter.formats.tables.xml_names import encode_name
from exporter.formats.tables.xml_reader import read_xml_table
from exporter.model.level import Table
from exporter.model.tables.table import COLUMN_NAME_PATTERN, TableParameters, build_table
from exporter.streams import open_stream

# Prints a DataTable, texts as the hexadecimal of their UTF-16, doubles as their bits.
READER = r"""
using System;
using System.Data;
using System.IO;
using System.Text;
using System.Xml;

public static class ReadTables
{
    static string Hex(string text)
    {
        return BitConverter.ToString(Encoding.BigEndianUnicode.GetBytes(text)).Replace("-", "");
    }

    static string Show(object value)
    {
        if (value is DBNull) return "null";
        if (value is string) return "text " + Hex((string)value);
        if (value is long) return "integer " + (long)value;
        if (value is double)
            return "number " + BitConverter.DoubleToInt64Bits((double)value).ToString("x16");
        if (value is bool) return "boolean " + ((bool)value ? "1" : "0");
        return "unknown " + value.GetType();
    }

    public static void Main(string[] arguments)
    {
        // A locale in which numbers have decimal commas must make no difference.
        System.Threading.Thread.CurrentThread.CurrentCulture =
            System.Globalization.CultureInfo.GetCultureInfo("de-DE");
        if (arguments[0] == "names")
        {
            string line;
            while ((line = Console.In.ReadLine()) != null)
            {
                var bytes = new byte[line.Length / 2];
                for (int i = 0; i < bytes.Length; i++)
                    bytes[i] = Convert.ToByte(line.Substring(2 * i, 2), 16);
                string name = Encoding.BigEndianUnicode.GetString(bytes);
                Console.WriteLine(Hex(XmlConvert.EncodeLocalName(name)));
            }
            return;
        }
        for (int i = 0; i < arguments.Length; i += 2)
        {
            var table = new DataTable();
            table.ReadXmlSchema(arguments[i]);
            table.ReadXml(arguments[i + 1]);
            // What DataTable itself writes lies beside what it read.
            table.WriteXmlSchema(arguments[i] + ".written.xsd");
            table.WriteXml(arguments[i] + ".written.xml");
            Console.WriteLine("table " + Hex(table.TableName));
            foreach (DataColumn column in table.Columns)
                Console.WriteLine("column " + Hex(column.ColumnName) + " "
                    + column.DataType.Name + " " + column.AllowDBNull);
            foreach (DataRow row in table.Rows)
            {
                Console.WriteLine("row");
                foreach (DataColumn column in table.Columns)
                    Console.WriteLine(Show(row[column]));
            }
        }
    }
}
"""

TYPES = {"text": "String", "integer": "Int64", "number": "Double", "boolean": "Boolean"}


@pytest.fixture(scope="module")
def reader(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    source = folder / "ReadTables.cs"
    source.write_text(READER)
    return mono.compile(
        [source], folder / "ReadTables.exe", references=["System.Data", "System.Xml"]
    )


def hexadecimal(text: str) -> str:
    return text.encode("utf-16-be").hex().upper()


def csharp_text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean {int(value)}"
    if isinstance(value, str):
        return f"text {hexadecimal(value)}"
    if isinstance(value, int):
        return f"integer {value}"
    return "number " + struct.pack(">d", value).hex()


def expected(table: Table) -> list[str]:
    lines = [f"table {hexadecimal(table.name)}"]
    lines += [
        f"column {hexadecimal(column.name)} {TYPES[column.type]} {column.nullable}"
        for column in table.columns
    ]
    for row in table.rows:
        lines += ["row", *map(csharp_text, row)]
    return lines


def read_back(mono: Mono, reader: Path, folder: Path, *tables: Table) -> list[str]:
    files = []
    for index, table in enumerate(tables):
        files += [folder / f"{index}.xsd", folder / f"{index}.xml"]
        files[-2].write_bytes(table_schema(table))
        files[-1].write_bytes(table_xml(table))
    return mono.run(reader, *files).splitlines()


def table_of(name: str, columns: dict[str, Any], rows: Any) -> Table:
    return build_table(name, TableParameters(columns=columns, rows=tuple(map(tuple, rows))))


TEXTS = [
    "rat",
    "",
    " ",
    "\n",
    "\t \n",
    " lead and trail ",
    "two\nlines",
    "carriage\rreturn\r\nboth\r",
    "a\tb",
    "<tag> & \"quotes\" 'single' ]]> &amp;",
    "Größe 竜 😀 \u202e \u00a0 \u3000",
    "\u00a0",
    "\u2028\u0085",
    "_x0020_",
    "\x7f\x80",
]
INTEGERS = [0, -1, 2**63 - 1, -(2**63), 2**53 + 1, 42]
NUMBERS = [
    0.0,
    0.1,
    -1.5,
    1e308,
    1.7976931348623157e308,
    5e-324,
    2.2250738585072014e-308,
    1 / 3,
    123456789012345680.0,
    1e22,
    1e21,
    9007199254740993.0,
    3.0,
    5.33548,
    0.0071479,
    1.1701659973527741e-70,
    -2.571593807108438e-232,
    -1.806989364972025e-308,
]
NAMES = [
    "hp",
    "hit points",
    "1st",
    "a:b",
    "<&>\"'",
    "Größe",
    "名前",
    "😀",
    "_x0020_",
    "a_x0041_x0042_",
    "_x0001F600_",
    "-",
    ".x",
    "xmlns",
    "xml:id",
    "a\u0301",
    "\u0301a",
    "\u0e33",
    "\u1c80",
    "Id",
    "$%[]",
    "ends_",
    "monsters",
    "DocumentElement",
]


def test_every_kind_of_value_comes_back(mono: Mono, reader: Path, tmp_path: Path) -> None:
    tables = [
        table_of(
            "monsters",
            {"name": "text", "hp": "integer", "speed": "number", "boss": "boolean?"},
            [["rat", 3, 0.5, False], ["dragon", 300, 2, True], ["ghost", 1, 1e3, None]],
        ),
        table_of("texts", {"value": "text", "maybe": "text?"}, [[t, t] for t in TEXTS]),
        table_of("integers", {"value": "integer?"}, [*[[i] for i in INTEGERS], [None]]),
        table_of("numbers", {"value": "number"}, [[n] for n in NUMBERS]),
        table_of("booleans", {"value": "boolean?"}, [[True], [False], [None]]),
        table_of("empty", {"a": "text", "b": "integer?"}, []),
        table_of("1st-table", dict.fromkeys(NAMES, "text?"), [NAMES, [None] * len(NAMES)]),
        table_of("monsters", {"monsters": "integer", "x": "text?"}, [[1, None], [2, ""]]),
        table_of("DocumentElement", {"a": "integer"}, [[1], [2]]),
        table_of("xs", {"a": "text?", "b": "text?"}, [[None, None], [None, ""], ["", None]]),
    ]
    for table in tables:
        assert read_back(mono, reader, tmp_path, table) == expected(table)


TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r <&>\"'_x0"),
    max_size=12,
)
CELLS = {
    "text": TEXT,
    "integer": st.integers(-(2**63), 2**63 - 1),
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(
        st.lists(
            st.from_regex(COLUMN_NAME_PATTERN, fullmatch=True),
            min_size=1,
            max_size=6,
            unique_by=str.casefold,
        )
    )
    kinds = {name: draw(st.sampled_from(sorted(CELLS))) for name in names}
    nullable = {name: draw(st.booleans()) for name in names}
    row = st.tuples(
        *(
            CELLS[kinds[name]] | st.none() if nullable[name] else CELLS[kinds[name]]
            for name in names
        )
    )
    columns = {name: kinds[name] + "?" * nullable[name] for name in names}
    table_name = draw(st.from_regex("[A-Za-z0-9][A-Za-z0-9_-]{0,9}", fullmatch=True))
    return table_of(table_name, columns, draw(st.lists(row, max_size=6)))


# Not shrunk: that would start Mono hundreds of times.
@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(some=st.lists(tables(), min_size=40, max_size=40))
def test_any_table_comes_back(mono: Mono, reader: Path, tmp_path: Path, some: list[Table]) -> None:
    printed = read_back(mono, reader, tmp_path, *some)
    for table in some:
        lines = expected(table)
        assert printed[: len(lines)] == lines, table
        del printed[: len(lines)]


def test_doubles_come_back_to_the_last_bit(mono: Mono, reader: Path, tmp_path: Path) -> None:
    draws = open_stream("portable", 1, "doubles").draws("bits")
    patterns = [draws.raw() for _ in range(20_000)]
    numbers = [struct.unpack(">d", pattern.to_bytes(8, "big"))[0] for pattern in patterns]
    numbers += [pattern % 10**6 / 10 ** (pattern % 13) for pattern in patterns]
    rows = [[number] for number in numbers if math.isfinite(number)]
    table = table_of("numbers", {"value": "number"}, rows)
    assert read_back(mono, reader, tmp_path, table) == expected(table)


def test_names_are_encoded_as_dotnet_encodes_them(mono: Mono, reader: Path) -> None:
    every = [chr(code) for code in range(0x20, 0x10000) if not 0xD800 <= code < 0xE000]
    names = [*every[:-2], *("a" + character for character in every[:-2])]
    names += [chr(0x10000), "a" + chr(0x10FFFF), *NAMES]
    parts = ["_", "x", "X", "0041", "0001F600", "a", "_x0041_", "0", "F"]
    names += [a + b + c + d for a in parts for b in parts for c in parts for d in parts]
    lines = "".join(hexadecimal(name) + "\n" for name in names)
    printed = mono.run(reader, "names", stdin=lines).splitlines()
    wrong = [
        (name, encoded)
        for name, encoded in zip(names, printed, strict=True)
        if hexadecimal(encode_name(name)) != encoded
    ]
    assert wrong == []


def test_what_datatable_writes_is_read_back_to_the_same_table(
    mono: Mono, reader: Path, tmp_path: Path
) -> None:
    columns = {"a name": "text", "1st": "text?", "i": "integer?", "n": "number", "b": "boolean?"}
    rows = [
        ["rat", None, -(2**63), 0.1, True],
        ["Größe <&> \u4e16", "two\nlines", None, 1e300, False],
        ["", "", 2**63 - 1, -2.5, None],
        # No carriage return: Mono writes it bare, and XML reads that as a line feed.
        [" x ", "\t", 0, 0.0, None],
    ]
    table = table_of("odd-table", columns, rows)
    read_back(mono, reader, tmp_path, table)
    schema, data = tmp_path / "0.xsd.written.xsd", tmp_path / "0.xsd.written.xml"
    assert read_xml_table(data.read_bytes(), "a.xml", schema.read_bytes(), "a.xsd") == table
