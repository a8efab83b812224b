"""`exporter watch`: export again whenever files change."""

from __future__ import annotations

import argparse
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_amount,
    add_jobs,
    add_json,
    add_max_seconds,
    add_maximum_errors,
    add_project,
    add_timings,
    output_options,
    project_root,
)
from exporter.cli.serving import add_serving, print_address, server_options
from exporter.model.errors import ExporterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.studio.listening import Listening
    from exporter.studio.studio_process import StudioProcess


def add(commands: Commands) -> None:
    """Add `exporter watch` to the commands of the command line."""
    parser = commands.add_parser(
        "watch", examples=("exporter watch", "exporter watch my-game --serve")
    )
    add_project(parser)
    parser.add_argument(
        "--poll",
        action="store_true",
        help="check the files at intervals instead of using system events",
    )
    parser.add_argument(
        "--takeover", action="store_true", help="stop the daemon that already watches this project"
    )
    parser.add_argument(
        "--end-with-input",
        action="store_true",
        help="end when standard input ends or a line of it says `stop`, for programs that run this",
    )
    studio = parser.add_argument_group("studio")
    studio.add_argument("--serve", action="store_true", help="open the studio of the project, too")
    add_serving(studio)
    work = parser.add_argument_group("processes")
    add_jobs(work)
    add_max_seconds(work)
    add_amount(parser)
    add_timings(parser)
    add_maximum_errors(parser)
    add_json(parser, lines=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter watch` with parsed options; return the exit code."""
    from exporter.console.json_reports import JsonLines
    from exporter.console.text import TextReporter
    from exporter.watch.daemon import watch_project

    root = project_root(options.project)
    text = TextReporter(output_options(options), watching=True)
    studio = _studio(options, root)
    try:
        return watch_project(
            root,
            reporter=JsonLines(timings=options.timings) if options.json else text,
            jobs=options.jobs,
            poll=options.poll,
            takeover=options.takeover,
            timeout=options.max_seconds,
            beside=studio.beside() if studio is not None else None,
            input_descriptor=sys.stdin.fileno() if options.end_with_input else None,
        )
    except Exception as error:
        if studio is None or not studio.runs:
            raise
        _report_failure(error)
        return _serve_on(studio)
    finally:
        if studio is not None:
            studio.end()
        text.close()


def _studio(options: argparse.Namespace, root: Path) -> StudioProcess | None:
    """Return the studio to start beside the watch; None without `--serve`.

    Raises:
        UsageError: Options of the studio are given without `--serve`.
    """
    if not options.serve:
        if options.port is not None or options.host is not None or options.no_open:
            raise UsageError(
                "--port, --host and --no-open have no effect without --serve (add --serve)"
            )
        return None
    from exporter.studio.studio_process import StudioProcess

    def report_loss(code: int | None) -> None:
        text = f"exporter watch: the studio has ended (exit code {code}); the export goes on\n"
        print(text, end="", file=sys.stderr, flush=True)

    def print_address_of_studio(listening: Listening) -> None:
        print_address(options, listening, "exporter watch")

    return StudioProcess(root, server_options(options), print_address_of_studio, report_loss)


def _report_failure(error: Exception) -> None:
    if isinstance(error, ExporterError):
        print(f"exporter watch: error: {error}", file=sys.stderr)
    else:
        traceback.print_exception(error)
    text = "exporter watch: the export has ended; the studio goes on (Ctrl+C ends it)"
    print(text, file=sys.stderr, flush=True)


def _serve_on(studio: StudioProcess) -> int:
    try:
        studio.wait()
    except KeyboardInterrupt:
        studio.end()
        return ExitCode.INTERRUPTED
    return ExitCode.FAILED
