"""`exporter schema`: the JSON Schema of level specs."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import Commands
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter schema` to the commands of the command line."""
    parser = commands.add_parser(
        "schema",
        examples=("exporter schema > level.schema.json",),
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Run `exporter schema` with parsed options; return the exit code."""
    from exporter.project.schema_file import schema_text

    print(schema_text().decode(), end="")
    return ExitCode.DONE
