"""`exporter stats`: print the metrics of a level."""

from __future__ import annotations

import argparse
import sys

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_json,
    add_max_seconds,
    completes,
    styles_of,
)
from exporter.model.errors import ParameterError
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter stats` to the commands of the command line."""
    parser = commands.add_parser(
        "stats", examples=("exporter stats levels/cavern.level.yaml@7 --metric farthest",)
    )
    parser.add_argument(
        "spec", metavar="SPEC", help="a level spec; SPEC@SEED is the same with another seed"
    )
    metric = parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="print only this metric, such as farthest or objects.chest; repeatable",
    )
    completes(metric, "metric")
    add_max_seconds(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter stats` with parsed options; return the exit code.

    Requirements of the spec are not checked: the metrics may show why the level does not meet them.
    """
    from exporter.build.build import Build, build_level
    from exporter.build.costs import check_costs
    from exporter.cli.level_argument import load_named_level
    from exporter.console.stats import report_metrics
    from exporter.console.styles import styled_problem
    from exporter.measures.measuring import measure
    from exporter.measures.names import named_metrics
    from exporter.reading.seed_search import measurable

    if options.metric is not None:
        try:
            named_metrics(options.metric)
        except ParameterError as error:
            raise UsageError(f"--metric: {error.message}") from None
    spec, root = load_named_level(options.spec)
    objects = [item.name for item in spec.objects]
    for name in options.metric or ():
        try:
            measurable(name, objects, sight=spec.visibility is not None)
        except ParameterError as error:
            raise UsageError(f"--metric: {error.message}") from None
    for warning in check_costs(spec, options.max_seconds):
        print(styled_problem(warning, styles_of(options).errors), file=sys.stderr)
    # Find the seed first: its search depends on the limits, which are then removed.
    level = build_level(Build(spec, root).find_seed().without_limits(), root)
    report_metrics(level, measure(level, options.metric), as_json=options.json)
    return ExitCode.DONE
