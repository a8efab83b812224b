"""`exporter inspect`: what is in a blob or any file."""

from __future__ import annotations

import argparse
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("inspect", help="what is in a blob, or any file's byte entropy")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.inspections import report_inspections

    for file in options.files:
        if not file.is_file():
            raise UsageError(f"there is no file {str(file)!r}")
    return report_inspections(options.files, options.json)
