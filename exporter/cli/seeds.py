"""`exporter seeds`: find the best of many levels, or prove requirements."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_jobs,
    add_json,
    add_max_seconds,
    add_overwrite,
    completes,
    positive,
)
from exporter.cli.search_files import check_sheet, check_specs, write_sheet, write_specs
from exporter.cli.search_packs import write_pack
from exporter.cli.search_runs import (
    DEFAULT_BUDGET,
    DEFAULT_COUNT,
    check_texts,
    interrupted,
    planned_search,
    pointed_out,
    progress_bar,
    run_resumable,
    say,
    search_journal,
    search_parts,
    spec_content,
    warn_of_cost,
)
from exporter.cli.search_surveys import map_levels
from exporter.model.errors import ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.reading.level_spec import LevelSpec

# Options that cannot be combined with `--prove`, and with a heat map.
_NOT_PROVED = (
    "count", "budget", "vary", "spread", "sort", "output", "write", "compare", "heat", "pack",
)  # fmt: skip
_NOT_MAPPED = ("count", "sort", "output", "write", "where", "pack")
_NOT_PACKED = ("output", "write")


def add(commands: Commands) -> None:
    """Add `exporter seeds` to the commands of the command line."""
    parser = commands.add_parser(
        "seeds",
        examples=(
            'exporter seeds levels/cavern.level.yaml --where "farthest >= 80" -o sheet.png',
            "exporter seeds levels/cavern.level.yaml --sort -farthest --count 5 --write levels",
            "exporter seeds levels/cavern.level.yaml --count 1000 --pack cavern.lvp",
        ),
    )
    parser.add_argument("spec", type=Path, metavar="SPEC")
    choice = parser.add_argument_group("selection")
    choice.add_argument(
        "--count",
        type=positive,
        metavar="N",
        help=f"number of levels to find (default: {DEFAULT_COUNT})",
    )
    choice.add_argument(
        "--budget",
        type=positive,
        metavar="N",
        help=f"number of levels to try (default: {DEFAULT_BUDGET})",
    )
    choice.add_argument(
        "--where",
        metavar="EXPRESSION",
        help='condition for a level, such as "farthest >= 80 and dead_ends <= 6"',
    )
    choice.add_argument(
        "--vary",
        action="append",
        metavar="LAYER.PARAMETER=LOW..HIGH",
        help="vary a parameter over a range, or among values (=A,B,C); repeatable",
    )
    choice.add_argument(
        "--spread",
        metavar="METRIC,METRIC",
        help="find levels that differ in these metrics as much as possible (1 to 3)",
    )
    sort = choice.add_argument(
        "--sort",
        metavar="METRIC",
        help="sort by a metric, the least first; -METRIC puts the greatest first",
    )
    completes(sort, "metric")
    choice.add_argument(
        "--prove",
        type=positive,
        metavar="N",
        help="count how many of N seeds meet `require`; exit with 1 if too few do",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--compare",
        type=Path,
        metavar="SPEC",
        help="compare with another spec, or with an earlier report of --heat --json",
    )
    output.add_argument(
        "--heat",
        type=Path,
        metavar="FILE.png",
        help="draw the distribution of all levels over the two metrics of --spread",
    )
    output.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="a sheet with small pictures of the levels: .png or .html",
    )
    output.add_argument(
        "--write", type=Path, metavar="DIR", help="write a spec for each level into this folder"
    )
    output.add_argument(
        "--pack", type=Path, metavar="FILE.lvp", help="write all levels into one file for games"
    )
    output.add_argument(
        "--measures", metavar="METRIC,METRIC", help="further metrics that the pack holds"
    )
    output.add_argument(
        "--sight",
        choices=("none", "exposure", "full"),
        help="visibility of the levels in the pack (default: none)",
    )
    add_overwrite(output)
    work = parser.add_argument_group("processes and machines")
    add_jobs(work)
    work.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="build on the workers of the Dask scheduler at this address",
    )
    add_max_seconds(work)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter seeds` with parsed options; return the exit code."""
    from exporter.cli.level_argument import load_named_level

    _check_options(options)
    for path in (options.spec, options.compare):
        if path is not None and not path.is_file():
            raise UsageError(f"there is no file {str(path)!r}")
    spec, root = load_named_level(str(options.spec))
    if options.prove is not None:
        return _prove(options, spec, root)
    if options.compare is not None or options.heat is not None:
        return map_levels(options, spec, root)
    if options.pack is not None:
        return write_pack(options, spec, root)
    return _find(options, spec, root)


def _find(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.explore.finding import RunningSearch

    content = spec_content(options.spec)
    search = planned_search(options, spec, root)
    if options.write is not None:
        check_specs(options, search, content)
    if options.output is not None:
        check_sheet(options, search)
    journal = search_journal(search, repr(search_parts(search)), search.varied)
    with progress_bar(options) as progress:
        finding = RunningSearch(search, journal, progress.search)
        result, ended = run_resumable(finding, journal, options, progress)
    if options.json:
        searches.print_document(searches.search_document(result))
    else:
        for line in searches.search_lines(result):
            say(line)
        summary = (
            searches.search_summary(result) if result.levels else searches.nothing_found(result)
        )
        say(summary, error=not result.levels)
        if result.levels and result.first_failure:
            say(f"the first that failed: {result.first_failure}", error=True)
    if result.levels and options.write is not None:
        write_specs(options, spec, content, result)
    if result.levels and options.output is not None:
        write_sheet(options, search, result)
    if ended:
        return interrupted(result.tried, search.budget, journal)
    # Only now: if something cannot be written, the same command need not search again.
    journal.remove()
    return ExitCode.DONE if result.levels else ExitCode.FAILED


def _prove(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.explore.proofs import SeedProver
    from exporter.model.expressions import ExpressionError

    check_texts(options)
    warn_of_cost(options, spec.with_seed(0), "building this level")
    try:
        proving = SeedProver(spec, options.prove, root, options.where or "")
    except ExpressionError as error:
        raise pointed_out(options.where, error) from None
    except ParameterError as error:
        raise UsageError(f"--prove: {error.message}") from None
    journal = search_journal(proving.plan, repr(["prove", options.where or ""]))
    with progress_bar(options) as progress:
        proving.journal, proving.progress = journal, progress.search
        proof, ended = run_resumable(proving, journal, options, progress)
    if options.json:
        searches.print_document(proof.document())
    else:
        for line in searches.proof_lines(proof):
            say(line)
    if ended:
        return interrupted(proof.tried, options.prove, journal)
    journal.remove()
    return ExitCode.DONE if proof.holds else ExitCode.FAILED


def _check_options(options: argparse.Namespace) -> None:
    what = ""
    others: tuple[str, ...] = ()
    if options.prove is not None:
        what, others = "--prove", _NOT_PROVED
    elif options.compare is not None or options.heat is not None:
        what, others = "--compare" if options.compare is not None else "--heat", _NOT_MAPPED
    if options.pack is not None and not what:
        what, others = "--pack", _NOT_PACKED
    for name in others:
        if getattr(options, name) is not None:
            option = "-o" if name == "output" else f"--{name}"
            raise UsageError(f"{option} cannot be used with {what} (leave one out)")
    for name in ("measures", "sight"):
        if getattr(options, name) is not None and options.pack is None:
            raise UsageError(f"--{name} has no effect without --pack (add --pack FILE.lvp)")
