"""Write the files of a table: JSON, CSV, XML and its schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from exporter.formats.table_csv import table_csv
from exporter.formats.table_json import table_json
from exporter.formats.table_xml import table_xml
from exporter.formats.table_xsd import table_schema
from exporter.model.errors import ParameterError
from exporter.model.level import Table
from exporter.model.parameters import DEVICE_NAMES, NAME_PATTERN, NAME_RULE
from exporter.model.suggestions import unknown_name

# The schema comes first: readers of the data look for it.
_WRITERS: dict[str, tuple[tuple[str, Callable[[Table], bytes]], ...]] = {
    "json": (("json", table_json),),
    "csv": (("csv", table_csv),),
    "xml": (("xsd", table_schema), ("xml", table_xml)),
}
TABLE_FORMATS = tuple(_WRITERS)


def table_files(table: Table, formats: Iterable[str] = TABLE_FORMATS) -> dict[str, bytes]:
    """Return the files of `table`: content by name, in the order of writing.

    A file's name is the table's with the format's suffix. `formats` are some of `json`, `csv` and
    `xml`, which comes with its schema.

    Raises:
        ParameterError: A format is unknown, or the table's name is not a valid file name.
    """
    if not re.fullmatch(NAME_PATTERN, table.name):
        raise ParameterError(f"the table's name {table.name!r} cannot name a file ({NAME_RULE})")
    if DEVICE_NAMES.fullmatch(table.name):
        raise ParameterError(
            f"the table's name {table.name!r} is a device name on Windows (rename the table)"
        )
    files = {}
    for name in dict.fromkeys(formats):
        if name not in _WRITERS:
            raise ParameterError(unknown_name("table format", name, list(_WRITERS)), ("formats",))
        for suffix, write in _WRITERS[name]:
            files[f"{table.name}.{suffix}"] = write(table)
    return files
