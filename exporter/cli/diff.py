"""`exporter diff`: report the differences between two levels."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_json,
    add_max_seconds,
    add_overwrite,
    add_silently,
    completes,
    positive,
    report_options,
    styles_of,
)
from exporter.cli.output_files import (
    check_can_be_written,
    refuse_existing,
    refuse_inputs,
    write_file,
)
from exporter.model.errors import ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.cli.compared_levels import ComparedSide
    from exporter.explore.comparison import LevelDifference

_EPILOG = """\
A and B are level specs (SPEC, or SPEC@SEED for another seed) or blobs (.lvb; PACK@2 for
the level 2 of a pack).
With A alone, the committed version is compared with the present file: its spec, its hand
edits and the files it reads.
Exit codes: 0 equal, 1 different, 2 trouble.
"""


def add(commands: Commands) -> None:
    """Add `exporter diff` to the commands of the command line."""
    parser = commands.add_parser(
        "diff",
        examples=(
            "exporter diff levels/cavern.level.yaml",
            "exporter diff levels/cavern.level.yaml levels/cavern.level.yaml@7 -o changes.png",
        ),
        epilog=_EPILOG,
    )
    parser.add_argument("was", metavar="A", help="the level to compare with")
    parser.add_argument(
        "now", nargs="?", metavar="B", help="the other one (default: A, with its committed version)"
    )
    parser.add_argument(
        "--revision",
        metavar="REV",
        help="with A alone: the commit to compare with, such as HEAD~3 or main (default: HEAD)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="also draw a picture (PNG) of B with marked differences",
    )
    parser.add_argument("--scale", type=positive, metavar="N", help="pixels per cell side")
    metric = parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="compare only this metric, such as farthest or objects.chest; repeatable",
    )
    completes(metric, "metric")
    parser.add_argument("--all", action="store_true", help="list every difference")
    add_silently(report_options(parser))
    add_overwrite(parser)
    add_max_seconds(parser)
    add_json(parser)
    # Exit code 1 means that the levels differ, so failures have another.
    parser.set_defaults(run=run, failure=ExitCode.USAGE)


def run(options: argparse.Namespace) -> int:
    """Run `exporter diff` with parsed options; return the exit code."""
    from exporter.cli.compared_levels import check_sides, levels_of, outputs_of
    from exporter.console.differences import ComparedLevels, report_difference
    from exporter.explore.comparison import compare_levels
    from exporter.measures.names import named_metrics

    if options.scale is not None and options.output is None:
        raise UsageError("--scale has no effect without a picture (add -o FILE.png)")
    if options.output is not None:
        check_can_be_written(options.output)
    try:
        named_metrics(options.metric or [])
    except ParameterError as error:
        raise UsageError(f"--metric: {error.message}") from None
    sides = _sides(options)
    check_sides(sides, options)
    was, now = levels_of(sides)
    difference = compare_levels(was, now, options.metric)
    if options.output is not None:
        _draw(difference, sides, options)
    # Set before printing, since the reader (`| head`) may end the process.
    options.outcome = ExitCode.DONE if difference.equal else ExitCode.FAILED
    if options.json or not options.quiet:
        commits = tuple("" if side.revision is None else side.revision.commit for side in sides)
        report_difference(
            difference,
            ComparedLevels(sides[0].label, sides[1].label, commits[0], commits[1], options.output),
            outputs_of(sides, options.max_seconds),
            as_json=options.json,
            everything=options.all,
            styles=styles_of(options),
        )
    return int(options.outcome)


def _sides(options: argparse.Namespace) -> list[ComparedSide]:
    from exporter.cli.compared_levels import open_side

    if options.now is not None:
        if options.revision is not None:
            raise UsageError("--revision compares one level with a commit (leave out B)")
        return [open_side(options.was), open_side(options.now)]
    from exporter.cli.level_argument import split_argument
    from exporter.project.revisions import find_revision

    path, _ = split_argument(options.was)
    name = "HEAD" if options.revision is None else options.revision
    revision = find_revision(path.resolve().parent, name)
    return [open_side(options.was, revision), open_side(options.was)]


def _draw(
    difference: LevelDifference, sides: list[ComparedSide], options: argparse.Namespace
) -> None:
    """Write a picture of the `difference` to the file in `-o`.

    An existing file is replaced only if it is a picture of the exporter, or with `--overwrite`.

    Raises:
        UsageError: The picture cannot be drawn, or the file must not be replaced.
    """
    from exporter.explore.comparison.picture import difference_picture
    from exporter.formats.images.png_mark import is_marked_png

    try:
        data = difference_picture(difference, options.scale)
    except ValueError as error:
        raise UsageError(f"the picture cannot be drawn: {error}") from None
    refuse_inputs({options.output: data}, [item for side in sides for item in side.inputs])
    refuse_existing({options.output: data}, overwrite=options.overwrite, is_ours=is_marked_png)
    write_file(options.output, data)
