"""`exporter clean`: remove what the exporter wrote."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import Commands, add_project, project_root
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("clean", help="remove only files that the exporter wrote")
    add_project(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.text import TextReporter
    from exporter.export.clean import clean_project

    removed = clean_project(project_root(options.project), TextReporter())
    print(f"removed {removed} files")
    return ExitCode.DONE
