"""Write tables as XML, in the dialect of .NET's `DataTable`.

With the schema that `table_xsd` writes, `table.ReadXmlSchema(schema); table.ReadXml(data);` gives
the same table: the same names, types (String, Int64, Double, Boolean), nulls and values. A null has
no element; the empty text has an empty one.
"""

from __future__ import annotations

import math
from fractions import Fraction

from exporter.formats import FormatOptions, format
from exporter.formats.tables.dotnet_xml import HEAD, ROOT
from exporter.formats.tables.xml_names import encode_name
from exporter.model.level import Level, Table
from exporter.model.level_values import Scalar


@format("table_xml", kind="table", suffix="xml", each="table")
def write(level: Level, table: Table, options: FormatOptions) -> bytes:
    """Return `table` as XML."""
    return table_xml(table)


def table_xml(table: Table) -> bytes:
    """Return `table` as XML, in the dialect of .NET's `DataTable`."""
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
    return (HEAD + "\n".join(lines) + "\n").encode()


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
    """Return the shortest decimal that Mono surely reads as `value`.

    Mono 6.8 rounds some decimals wrongly that are near the middle between two doubles (5.33548).
    Such numbers get 17 digits, which lie closer to the double.
    """
    shortest = repr(value)
    error = abs(Fraction(shortest) - Fraction(value)) / Fraction(math.ulp(value))
    # Found by trial: the least error it fails at is 0.454, and less below 1e-300.
    clear = error < Fraction(45, 100) and (abs(value) >= 1e-300 or value == 0)
    return shortest if clear else f"{value:.17g}"


def _space(value: Scalar) -> str:
    """Return ` xml:space="preserve"` for a text of white space only, else ""."""
    if isinstance(value, str) and value and not value.strip(" \t\r\n"):
        return ' xml:space="preserve"'
    return ""
