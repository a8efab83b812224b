"""Read and write tables that belong to no level.

`read_table` and `write_table` are public; the command line uses them, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.model.errors import Problem, SpecError, StoreError
from exporter.model.input_files import read_input
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.model.parameters import NAME_PATTERN, NAME_RULE
from exporter.store.atomic_files import replace_file
from exporter.store.held_files import refused

if TYPE_CHECKING:
    from exporter.model.level import Table
    from exporter.model.tables.table import ColumnType

READABLE = (".json", ".csv", ".xml")


def read_table(
    path: str | Path, *, name: str | None = None, types: Mapping[str, ColumnType] | None = None
) -> Table:
    """Read a table of typed columns from a `.json`, `.csv` or `.xml` file.

    A `.json` file holds a list of records, or what `write_table` wrote; a `.csv` file a line with
    the names of the columns, then the rows; an `.xml` file rows as .NET's `DataTable` writes them,
    with the schema in the `.xsd` file of the same name beside it.

    Args:
        path: The file.
        name: The table's name; by default the name in the file, or else the file's own.
        types: Types by column (`text`, `integer`, `number`, `boolean`, each also with `?` where
            null is allowed) for files without types; by default derived from the values.

    Raises:
        SpecError: At the wrong line; also when the file cannot be read.
    """
    from exporter.formats.tables.csv_reader import read_csv_table
    from exporter.formats.tables.json_reader import read_json_table
    from exporter.formats.tables.xml_reader import read_xml_table

    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in READABLE:
        raise _error(
            path, f"the file type is not known (tables are read from {', '.join(READABLE)} files)"
        )
    default = name if name is not None else path.stem
    if suffix != ".xml" and not re.fullmatch(NAME_PATTERN, default):
        raise _error(path, f"{default!r} cannot name a table ({NAME_RULE}): give it another name")
    content = _content(path)
    if suffix == ".json":
        table = read_json_table(content, str(path), default, types)
    elif suffix == ".csv":
        table = read_csv_table(content, str(path), default, types)
    else:
        if types:
            raise _error(
                path,
                "the schema already gives the types of the columns (leave out the other types)",
            )
        schema = path.with_suffix(".xsd")
        table = read_xml_table(content, str(path), _content(schema), str(schema))
    return table if name is None else replace(table, name=name)


def write_table(
    table: Table,
    folder: str | Path,
    formats: Iterable[str] = ("json", "csv", "xml"),
    *,
    overwrite: bool = False,
) -> tuple[Path, ...]:
    """Write `table` into a folder, in several formats.

    Args:
        table: The table; its name is the stem of the files.
        folder: The folder to write into.
        formats: Some of `json`, `csv` and `xml`, which comes with its schema (`.xsd`).
        overwrite: Whether to overwrite files that exist with another content.

    Returns:
        The files, in the order of writing.

    Raises:
        ExporterError: A format is unknown, the name is no valid file name, a file with another
            content exists (then nothing is written), or the file system refuses.
    """
    from exporter.formats.tables.files import table_files

    files = {Path(folder) / name: data for name, data in table_files(table, formats).items()}
    write_files(files, overwrite=overwrite)
    return tuple(files)


def write_files(files: Mapping[Path, bytes], *, overwrite: bool) -> None:
    """Write `files` (contents by path) atomically; skip unchanged ones.

    Raises:
        StoreError: A file with another content exists and `overwrite` is false (then nothing is
            written), or the file system refuses.
    """
    changed = {path: data for path, data in files.items() if _present(path) != data}
    if not overwrite:
        for path in changed:
            if _present(path) is not None:
                raise StoreError(
                    f"{path} exists with different content (replace it with --overwrite, in "
                    "Python overwrite=True)"
                )
    for path, data in changed.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused(error, path.parent) from None
        replace_file(path, data)


def _present(path: Path) -> bytes | None:
    """Return the content of the file `path`; None if it is missing.

    Raises:
        StoreError: The path is no file, or the file cannot be read.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise refused(error, path) from None


def _content(path: Path) -> bytes:
    try:
        return read_input(path, MAXIMUM_INPUT_BYTES)
    except OSError as error:
        raise _error(path, f"cannot be read ({error.strerror or error})") from None


def _error(path: Path, message: str) -> SpecError:
    return SpecError([Problem(message, str(path))])
