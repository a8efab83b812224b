"""`exporter check`: validate specs and projects without writing files."""

from __future__ import annotations

import argparse
from pathlib import Path

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_amount,
    add_annotations,
    add_jobs,
    add_json,
    add_max_seconds,
    add_maximum_errors,
    check_annotations,
    output_options,
    project_root,
)
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter check` to the commands of the command line."""
    parser = commands.add_parser(
        "check", examples=("exporter check", "exporter check levels/cavern.level.yaml")
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PROJECT or SPEC")
    parser.add_argument(
        "--prove",
        action="store_true",
        help="try as many seeds as `require: {seeds: ...}` asks for, too",
    )
    add_jobs(parser)
    add_amount(parser)
    add_maximum_errors(parser)
    add_json(parser)
    add_annotations(parser)
    add_max_seconds(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter check`; return exit code 1 if problems were found, else 0."""
    from exporter.console.checks import report_checks
    from exporter.export.checking import check_paths, proved

    check_annotations(options)
    if options.jobs is not None and not options.prove:
        raise UsageError("--jobs has no effect without --prove (add --prove, or leave out --jobs)")
    paths = options.paths or [project_root(None)]
    for path in paths:
        if path.is_dir():
            project_root(path)
        elif not path.is_file():
            raise UsageError(f"there is no file or folder {str(path)!r}")
    checked = check_paths(paths, options.max_seconds)
    if options.prove:
        checked = proved(checked, options.jobs)
    wrong = report_checks(checked, options.json, output_options(options))
    if options.annotations:
        from exporter.console.annotations import print_annotations, problems_of

        print_annotations(options.annotations, problems_of(checked))
    return ExitCode.FAILED if wrong else ExitCode.DONE
