"""`exporter clean`: remove the files that the exporter wrote."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import Commands, UsageError, add_project, output_options, project_root
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter clean` to the commands of the command line."""
    parser = commands.add_parser(
        "clean",
        examples=("exporter clean --stale --dry-run",),
    )
    add_project(parser)
    parser.add_argument(
        "--stale",
        action="store_true",
        help="remove only files that no present spec and target would write",
    )
    parser.add_argument("--dry-run", action="store_true", help="print the files, remove nothing")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter clean` with parsed options; return the exit code."""
    from exporter.console.text import TextReporter
    from exporter.export.clean import clean_project, clean_stale
    from exporter.model.texts import count
    from exporter.watch.lock import watched_by

    root = project_root(options.project)
    owner = watched_by(root)
    if owner is not None and not options.dry_run:
        raise UsageError(
            f"`exporter watch` runs for this project ({owner}) and would write the files again "
            "(stop it first)"
        )
    clean = clean_stale if options.stale else clean_project
    reporter = TextReporter(output_options(options), dry_run=options.dry_run)
    removed = clean(root, reporter, dry_run=options.dry_run)
    print(f"{'would remove' if options.dry_run else 'removed'} {count(removed, 'file')}")
    return ExitCode.DONE
