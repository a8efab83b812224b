"""`exporter schema`: the JSON Schema of level specs."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import Commands
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "schema",
        examples=("exporter schema > level.schema.json",),
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    import json

    from exporter.project.schema_file import marked_schema

    print(json.dumps(marked_schema(), indent=2))
    return ExitCode.DONE
