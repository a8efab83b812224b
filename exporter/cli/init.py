"""`exporter init`: a new project, or the exporter in an existing game."""

from __future__ import annotations

import argparse
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("init", help="a new project, or the exporter for an existing game")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR")
    parser.add_argument(
        "--engine",
        action="append",
        choices=("godot", "unity", "tiled"),
        default=[],
        help="engines to export to (default: what the folder is a project of)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.project.starting import initialise

    if options.folder.exists() and not options.folder.is_dir():
        raise UsageError(f"{options.folder} is not a folder")
    for line in initialise(options.folder, tuple(dict.fromkeys(options.engine))):
        print(line)
    return ExitCode.DONE
