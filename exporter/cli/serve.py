"""`exporter serve`: open the studio in a browser."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError, add_json, add_max_seconds
from exporter.cli.serving import add_serving, print_address, server_options
from exporter.model.errors import SpecError
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter serve` to the commands of the command line."""
    parser = commands.add_parser(
        "serve", examples=("exporter serve", "exporter serve levels/cavern.level.yaml --no-open")
    )
    parser.add_argument(
        "path",
        nargs="?",
        type=Path,
        metavar="PROJECT or SPEC",
        help="folder with exporter.yaml, or one spec (default: the nearest project)",
    )
    add_serving(parser)
    add_max_seconds(parser)
    add_json(parser, lines=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter serve` until Ctrl+C; return the exit code."""
    from exporter.project.level_files import LevelFiles
    from exporter.project.project import find_project
    from exporter.studio.builder_process import prepare_processes
    from exporter.studio.listening import listen

    position: Path = options.path if options.path is not None else Path()
    if options.path is not None and not position.exists():
        raise UsageError(f"there is no file or folder {str(position)!r}")
    if options.path is None:
        try:
            position = find_project(position)
        except SpecError as error:
            raise UsageError(f"{error.problems[0].message}, or name a spec") from None
    where = server_options(options)
    try:
        files = LevelFiles(position)
        listening = listen(where, files.project_or_spec)
        prepare_processes()
        print_address(options, listening, "exporter serve")
        # The browser starts while the server is imported.
        from exporter.studio.serving import serve

        serve(files, listening)
    except KeyboardInterrupt:
        print("interrupted: the studio has ended", file=sys.stderr)
        return ExitCode.INTERRUPTED
    return ExitCode.DONE
