"""Write the XML Schema of a table, in the dialect of .NET's `DataTable`.

`table.ReadXmlSchema(schema)` gives an empty table with the same names and types (String, Int64,
Double, Boolean); `table_xml` writes its rows.
"""

from __future__ import annotations

from exporter.formats import FormatOptions, format
from exporter.formats.tables.dotnet_xml import HEAD, ROOT
from exporter.formats.tables.xml_names import encode_name
from exporter.model.level import Column, Level, Table

_TYPES = {"text": "xs:string", "integer": "xs:long", "number": "xs:double", "boolean": "xs:boolean"}


@format("table_xsd", kind="table", suffix="xsd", each="table")
def write(level: Level, table: Table, options: FormatOptions) -> bytes:
    """Return the XML Schema of `table`: its name, columns and types."""
    return table_schema(table)


def table_schema(table: Table) -> bytes:
    """Return the XML Schema of `table`, in the dialect of .NET's `DataTable`.

    It has the table's name, columns and types, but no rows.
    """
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
    return (HEAD + "\n".join(lines) + "\n").encode()


def _column(column: Column) -> str:
    optional = ' minOccurs="0"' if column.nullable else ""
    return f'<xs:element name="{encode_name(column.name)}" type="{_TYPES[column.type]}"{optional}/>'
