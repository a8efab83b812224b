"""Tables as XML with an XML Schema, in the dialect of .NET's `DataTable`.

`table.ReadXmlSchema(schema); table.ReadXml(data);` gives the same table: the same names, types
(String, Int64, Double, Boolean), nulls and values. Null is an element that is not there, the
empty text an element with nothing in it.
"""

from __future__ import annotations

import math
from fractions import Fraction

from exporter.formats._xml_names import encode_name
from exporter.model.level import Column, Scalar, Table

_TYPES = {
    "text": "xs:string",
    "integer": "xs:long",
    "number": "xs:double",
    "boolean": "xs:boolean",
}
# What DataTable.WriteXml names the root of a table that belongs to no data set.
ROOT = "DocumentElement"
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def table_schema(table: Table) -> bytes:
    """Return the XML Schema of a table's XML."""
    name = encode_name(table.name)
    lines = [
        f'<xs:schema id="{ROOT}" xmlns="" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
        ' xmlns:msdata="urn:schemas-microsoft-com:xml-msdata">',
        # The empty locale is the invariant culture: comparisons do not depend on the machine's.
        f'  <xs:element name="{ROOT}" msdata:IsDataSet="true" msdata:MainDataTable="{name}"'
        ' msdata:Locale="">',
        "    <xs:complexType>",
        '      <xs:choice minOccurs="0" maxOccurs="unbounded">',
        f'        <xs:element name="{name}">',
        "          <xs:complexType>",
        "            <xs:sequence>",
        *(f"              {_column(column)}" for column in table.columns),
        "            </xs:sequence>",
        "          </xs:complexType>",
        "        </xs:element>",
        "      </xs:choice>",
        "    </xs:complexType>",
        "  </xs:element>",
        "</xs:schema>",
    ]
    return (_HEAD + "\n".join(lines) + "\n").encode()


def table_xml(table: Table) -> bytes:
    """Return the rows of a table as XML."""
    row_name = encode_name(table.name)
    names = [encode_name(column.name) for column in table.columns]
    lines = [f"<{ROOT}>"]
    for row in table.rows:
        lines.append(f"  <{row_name}>")
        lines += [
            f"    <{name}{_space(value)}>{_value(value)}</{name}>"
            for name, value in zip(names, row, strict=True)
            if value is not None
        ]
        lines.append(f"  </{row_name}>")
    lines.append(f"</{ROOT}>")
    return (_HEAD + "\n".join(lines) + "\n").encode()


def _column(column: Column) -> str:
    optional = ' minOccurs="0"' if column.nullable else ""
    return f'<xs:element name="{encode_name(column.name)}" type="{_TYPES[column.type]}"{optional}/>'


def _value(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number(value)
    if not isinstance(value, str):
        return repr(value)
    text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A bare carriage return would be read as a line feed.
    return text.replace("\r", "&#xD;")


def _number(value: float) -> str:
    """Return the shortest decimal that Mono reads as the same double.

    Mono 6.8 takes the wrong neighbour for decimals close to the middle between two doubles
    (5.33548): those are written with 17 digits, which lie closer.
    """
    shortest = repr(value)
    error = abs(Fraction(shortest) - Fraction(value)) / Fraction(math.ulp(value))
    # Found by trial: the least error it fails at is 0.454, and less below 1e-300.
    clear = error < Fraction(45, 100) and (abs(value) >= 1e-300 or value == 0)
    return shortest if clear else f"{value:.17g}"


def _space(value: Scalar) -> str:
    """Return the attribute without which white space alone is read as nothing."""
    if isinstance(value, str) and value and not value.strip(" \t\r\n"):
        return ' xml:space="preserve"'
    return ""
