"""`exporter table`: convert files of records to tables with typed columns."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.cli.arguments import Commands, UsageError, add_json, add_overwrite
from exporter.cli.output_files import refuse_existing, refuse_inputs
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.model.level import Table

FORMATS = ("json", "csv", "xml")
TYPES = ("text", "integer", "number", "boolean")


def add(commands: Commands) -> None:
    """Add `exporter table` to the commands of the command line."""
    parser = commands.add_parser(
        "table",
        examples=("exporter table monsters.csv -o data --format json",),
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a list of records (.json), rows below the columns' names (.csv), or XML with its "
        "schema beside it (.xml, .xsd)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, default=Path(), metavar="DIR", help="default: this folder"
    )
    parser.add_argument(
        "--format",
        type=_formats,
        default=FORMATS,
        metavar="LIST",
        help="some of json,csv,xml (xml comes with its schema); default: all",
    )
    parser.add_argument("--name", help="the table's name; default: the file's")
    parser.add_argument(
        "--type",
        action="append",
        type=_column_type,
        default=[],
        metavar="COLUMN=TYPE",
        help="text, integer, number or boolean, with ? if null is allowed; default: from the "
        "values are; repeatable",
    )
    add_overwrite(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter table` with parsed options; return the exit code."""
    from exporter.export.tables import read_table, write_files
    from exporter.formats.tables.files import table_files
    from exporter.model.parameters import NAME_PATTERN, NAME_RULE
    from exporter.model.texts import count

    if options.name is not None and len(options.files) > 1:
        raise UsageError("--name cannot name several tables (give one file)")
    if options.name is not None and not re.fullmatch(NAME_PATTERN, options.name):
        raise UsageError(f"{options.name!r} cannot name a table ({NAME_RULE})")
    for file in options.files:
        if not file.is_file():
            raise UsageError(f"there is no file {str(file)!r}")
    tables = [
        read_table(file, name=options.name, types=dict(options.type)) for file in options.files
    ]
    written: dict[Path, bytes] = {}
    names: set[str] = set()
    result = []
    for file, table in zip(options.files, tables, strict=True):
        files = {
            options.output / name: data for name, data in table_files(table, options.format).items()
        }
        # Some file systems ignore case.
        if table.name.casefold() in names:
            raise UsageError(f"{file} is another table called {table.name!r} (use --name)")
        names.add(table.name.casefold())
        written.update(files)
        result.append((table, files))
    refuse_inputs(written, _sources(options.files))
    refuse_existing(written, overwrite=options.overwrite)
    write_files(written, overwrite=options.overwrite)
    if options.json:
        reports = [_report(table, files) for table, files in result]
        print(json.dumps({"tables": reports}, indent=1))
        return ExitCode.DONE
    for table, files in result:
        columns = ", ".join(
            f"{column.name} {column.type}{'?' if column.nullable else ''}"
            for column in table.columns
        )
        print(f"{table.name}: {count(len(table.rows), 'row')} of {columns}")
        for path in files:
            print(f"  {path}")
    return ExitCode.DONE


def _sources(files: list[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files to read, each with a text for messages.

    These are `files`, and the schemas of XML files. The text says why a file must not be
    overwritten.
    """
    for file in files:
        schema = [file.with_suffix(".xsd")] if file.suffix.lower() == ".xml" else []
        for source in (file, *schema):
            yield source, "would be written over its own source (use -o or --name)"


def _report(table: Table, files: dict[Path, bytes]) -> dict[str, Any]:
    return {
        "table": table.name,
        "columns": [
            {"name": column.name, "type": column.type, "nullable": column.nullable}
            for column in table.columns
        ],
        "rows": len(table.rows),
        "outputs": [
            {"path": path.as_posix(), "kind": "table", "bytes": len(data)}
            for path, data in files.items()
        ],
    }


def _formats(text: str) -> tuple[str, ...]:
    """Parse a list of formats, such as `json,csv`.

    Raises:
        argparse.ArgumentTypeError: A format is unknown.
    """
    names = tuple(text.split(","))
    for name in names:
        if name not in FORMATS:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(FORMATS)}")
    return names


def _column_type(text: str) -> tuple[str, str]:
    """Parse the type of a column, such as `hp=integer`: (name, type).

    Raises:
        argparse.ArgumentTypeError: The text has another form, or the type is unknown.
    """
    name, result, kind = text.rpartition("=")
    if not result or kind.removesuffix("?") not in TYPES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not of the form COLUMN=TYPE (types: {', '.join(TYPES)}, each also with ?)"
        )
    return name, kind
