"""`exporter watch`: export, then again whatever changes."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import (
    Commands,
    add_amount,
    add_jobs,
    add_json,
    add_max_seconds,
    add_maximum_errors,
    add_project,
    add_timings,
    manner_of,
    project_root,
)


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("watch", help="export, then export again what changes")
    add_project(parser)
    add_jobs(parser)
    parser.add_argument(
        "--poll",
        action="store_true",
        help="check the files at intervals instead of using system events",
    )
    parser.add_argument(
        "--takeover", action="store_true", help="stop the daemon that already watches this project"
    )
    add_max_seconds(parser)
    add_amount(parser)
    add_timings(parser)
    add_maximum_errors(parser)
    add_json(parser, lines=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.json_reports import JsonLines
    from exporter.console.text import TextReporter
    from exporter.watch.daemon import watch_project

    root = project_root(options.project)
    text = TextReporter(manner_of(options), watching=True)
    try:
        return watch_project(
            root,
            reporter=JsonLines(timings=options.timings) if options.json else text,
            jobs=options.jobs,
            poll=options.poll,
            takeover=options.takeover,
            timeout=options.max_seconds,
        )
    finally:
        text.close()
