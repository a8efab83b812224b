"""`exporter watch`: export, then again whatever changes."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import Commands, add_project, positive, project_root


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("watch", help="export, then export again what changes")
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument("--jobs", type=positive, metavar="N", help="number of build processes")
    parser.add_argument(
        "--poll",
        action="store_true",
        help="check the files at intervals instead of using system events",
    )
    parser.add_argument(
        "--takeover", action="store_true", help="stop the daemon that already watches this project"
    )
    parser.add_argument(
        "--max-seconds",
        type=positive,
        default=300,
        metavar="SECONDS",
        help="stop a level's build after N seconds (default: 300)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.json_reports import JsonLines
    from exporter.console.text import TextReporter
    from exporter.watch.daemon import watch_project

    root = project_root(options.project)
    return watch_project(
        root,
        reporter=JsonLines() if options.json else TextReporter(watching=True),
        jobs=options.jobs,
        poll=options.poll,
        takeover=options.takeover,
        timeout=options.max_seconds,
    )
