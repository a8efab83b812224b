"""`exporter export`: export all stale levels once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_amount,
    add_annotations,
    add_jobs,
    add_json,
    add_max_seconds,
    add_maximum_errors,
    add_overwrite,
    add_project,
    add_timings,
    check_annotations,
    output_options,
    project_root,
)
from exporter.model.errors import Problem, SpecError, StoreError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.console.json_reports import JsonDocument
    from exporter.export.events import Reporter
    from exporter.export.shards import Shard


def add(commands: Commands) -> None:
    """Add `exporter export` to the commands of the command line."""
    parser = commands.add_parser(
        "export",
        examples=(
            "exporter export",
            "exporter export my-game --level 'crypt*'",
            "exporter export --check --json",
        ),
    )
    add_project(parser)
    parser.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="GLOB",
        help="export only levels whose name matches",
    )
    written = parser.add_argument_group("writing")
    written.add_argument(
        "--force", action="store_true", help="build every level, even if nothing changed"
    )
    add_overwrite(written)
    written.add_argument(
        "--dry-run", action="store_true", help="print the files to write and remove; write nothing"
    )
    written.add_argument(
        "--check", action="store_true", help="like --dry-run; exit code 1 if any output is stale"
    )
    work = parser.add_argument_group("processes and machines")
    add_jobs(work)
    add_max_seconds(work)
    work.add_argument(
        "--shard",
        type=shard,
        metavar="I/N",
        help="export only the I-th of N shares of the levels, and remove nothing; a run without "
        "--shard removes old outputs",
    )
    work.add_argument(
        "--store",
        metavar="URL",
        help="share built levels with other machines: a folder, s3://BUCKET/PATH or another "
        "address of fsspec",
    )
    work.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="build on the workers of the Dask scheduler at this address; needs a --store that "
        "they reach",
    )
    add_amount(parser)
    add_timings(parser)
    add_maximum_errors(parser)
    add_json(parser)
    add_annotations(parser)
    parser.set_defaults(run=run)


def shard(text: str) -> Shard:
    """Parse `text`, the value `I/N` of `--shard`: which share to export."""
    from exporter.export.shards import parse_shard

    try:
        return parse_shard(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(options: argparse.Namespace) -> int:
    """Run `exporter export` with parsed options; return the exit code."""
    from exporter.console.text import TextReporter
    from exporter.export.events import Changes, Refusal
    from exporter.export.export import export_project, failed
    from exporter.export.settings import Settings
    from exporter.project.project import display_path

    check_annotations(options)
    if options.cluster and not options.store:
        raise UsageError(
            "--cluster has no store to send levels through (add --store FOLDER or --store URL)"
        )
    if options.cluster and (options.check or options.dry_run):
        raise UsageError("--cluster cannot be used with --dry-run or --check (leave one out)")
    for name in ("store", "cluster"):
        if getattr(options, name) == "":
            raise UsageError(f"--{name} is empty (give a value, or leave it out)")
    store = None
    if options.store:
        from exporter.export.places import absolute

        store = absolute(options.store)
    root = project_root(options.project)
    dry_run = options.dry_run or options.check
    settings = Settings(
        tuple(options.level),
        options.jobs,
        options.force,
        dry_run,
        options.overwrite,
        max_seconds=options.max_seconds,
        shard=options.shard,
        store=store,
        cluster=options.cluster,
    )
    text = TextReporter(output_options(options), dry_run=dry_run, forced=options.force)
    reported: JsonDocument | TextReporter = text
    if options.json:
        from exporter.console.json_reports import JsonDocument

        reported = JsonDocument(timings=options.timings)
    annotations = _Annotations(options, reported, root)
    changes = Changes(annotations.reporter)
    try:
        results = export_project(root, settings, changes)
    except SpecError:
        return ExitCode.FAILED  # the reporter has shown it
    except StoreError as error:
        if getattr(error, "is_reported", False):
            return ExitCode.FAILED
        if not (options.json or options.annotations):
            raise
        changes.report(Refusal((Problem(str(error), display_path(root)),)))
        return ExitCode.FAILED
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED  # the reporter has shown the results so far
    finally:
        text.close()
        annotations.print()
    if options.shard and not results:
        return ExitCode.DONE  # a small share may have no levels
    if options.level and not results:
        raise UsageError(f"no level is called {' or '.join(options.level)}")
    if not results and not options.level:
        return ExitCode.FAILED  # there is no spec at all, which was reported
    stale = options.check and changes.any
    return ExitCode.FAILED if failed(results) or stale else ExitCode.DONE


class _Annotations:
    """Collects the problems of an export, and prints them for `--annotations`.

    Without this option, `reporter` is the given reporter `inner`, and nothing is printed.
    """

    def __init__(self, options: argparse.Namespace, inner: Reporter, root: Path) -> None:
        self.reporter = inner
        self._print: Callable[[], None] | None = None
        if options.annotations:
            from exporter.console.annotations import AnnotatingReporter, print_annotations

            reporter = AnnotatingReporter(inner, root, stale=options.check)
            self.reporter = reporter
            self._print = lambda: print_annotations(options.annotations, reporter.problems)

    def print(self) -> None:
        if self._print is not None:
            self._print()
