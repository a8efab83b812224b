"""`exporter export`: every level once."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_max_seconds,
    add_project,
    positive,
    project_root,
)
from exporter.model.errors import SpecError
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("export", help="export every level once")
    add_project(parser)
    parser.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="GLOB",
        help="export only levels whose name matches",
    )
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="number of build processes (default: automatic)"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="build every level; overwrite files that the exporter did not write",
    )
    add_max_seconds(parser)
    parser.add_argument("--dry-run", action="store_true", help="print the changes, write nothing")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.json_reports import JsonDocument
    from exporter.console.text import TextReporter
    from exporter.export.export import export_project, failed
    from exporter.export.settings import Settings

    root = project_root(options.project)
    settings = Settings(
        tuple(options.level), options.jobs, options.force, options.dry_run, options.max_seconds
    )
    reporter = JsonDocument() if options.json else TextReporter(dry_run=options.dry_run)
    try:
        results = export_project(root, settings, reporter)
    except SpecError:
        return ExitCode.FAILED  # the reporter has shown it
    if options.level and not results:
        raise UsageError(f"no level is called {' or '.join(options.level)}")
    return ExitCode.FAILED if failed(results) else ExitCode.DONE
