"""`exporter seeds`: find the best of many levels, or prove requirements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_jobs,
    add_json,
    add_max_seconds,
    add_overwrite,
    completes,
    positive,
    styles_of,
)
from exporter.cli.search_files import (
    check_heat,
    check_sheet,
    check_specs,
    write_output,
    write_sheet,
    write_specs,
)
from exporter.model.errors import FarmError, ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.explore.journal import Journal
    from exporter.explore.judging import Judging, MakeJudges, Plan
    from exporter.explore.ranges import Survey
    from exporter.explore.search import Search
    from exporter.explore.varying import VariedParameter
    from exporter.reading.level_spec import LevelSpec

DEFAULT_COUNT = 50
DEFAULT_BUDGET = 10_000
# What does not go with `--prove`, and what not with a heat map.
_NOT_PROVED = ("count", "budget", "vary", "spread", "sort", "output", "write", "compare", "heat")
_NOT_MAPPED = ("count", "sort", "output", "write", "where")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "seeds",
        examples=(
            'exporter seeds levels/cavern.level.yaml --where "farthest >= 80" -o sheet.png',
            "exporter seeds levels/cavern.level.yaml --sort -farthest --count 5 --write levels",
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
    """Run the command; return the exit code."""
    from exporter.cli.level_argument import load_named_level

    _check_options(options)
    for path in (options.spec, options.compare):
        if path is not None and not path.is_file():
            raise UsageError(f"there is no file {str(path)!r}")
    spec, root = load_named_level(str(options.spec))
    if options.prove is not None:
        return _prove(options, spec, root)
    if options.compare is not None or options.heat is not None:
        return _map(options, spec, root)
    return _find(options, spec, root)


def _judges_for(options: argparse.Namespace) -> MakeJudges | None:
    """Return what makes judges on a cluster, if one is named."""
    if options.cluster is None:
        return None
    from exporter.export.cluster_judges import ClusterJudges

    def judges_for(plan: Plan) -> Judging:
        return ClusterJudges(plan, options.cluster, lambda text: _say(text, error=True))

    return judges_for


# --- finding --------------------------------------------------------------------------------------


def _find(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.explore.search import Finding

    content = _content(options.spec)
    search = _search(options, spec, root)
    if options.write is not None:
        check_specs(options, search, content)
    if options.output is not None:
        check_sheet(options, search)
    journal = _journal(search, repr(_parts(search)), search.varied)
    with _progress(options) as progress:
        finding = Finding(search, journal, progress)
        try:
            result, ended = finding.run(options.jobs, _judges_for(options)), False
        except FarmError:
            journal.save()  # the same command continues from there
            raise
        except KeyboardInterrupt:
            journal.save()
            result, ended = finding.result(), True
    if options.json:
        searches.print_document(searches.search_document(result))
    else:
        for line in searches.search_lines(result):
            _say(line)
        summary = (
            searches.search_summary(result) if result.levels else searches.nothing_found(result)
        )
        _say(summary, error=not result.levels)
        if result.levels and result.first_failure:
            _say(f"the first that failed: {result.first_failure}", error=True)
    if result.levels and options.write is not None:
        write_specs(options, spec, content, result)
    if result.levels and options.output is not None:
        write_sheet(options, search, result)
    if ended:
        return _interrupted(result.tried, search.budget, journal)
    # Only now: if something cannot be written, the same command need not search again.
    journal.remove()
    return ExitCode.DONE if result.levels else ExitCode.FAILED


def _search(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> Search:
    """Return the search, after checking its most expensive level's cost."""
    from exporter.explore.cost_estimate import most_expensive_spec
    from exporter.explore.search import search_for
    from exporter.explore.varying import parse_varied
    from exporter.model.expressions import ExpressionError

    _check_texts(options)
    spread = [item.strip() for item in options.spread.split(",")] if options.spread else []
    try:
        varied = [parse_varied(text, spec) for text in options.vary or ()]
    except ParameterError as error:
        raise UsageError(f"--vary: {error.message}") from None
    try:
        search = search_for(
            spec,
            root=root,
            count=options.count or DEFAULT_COUNT,
            budget=options.budget or DEFAULT_BUDGET,
            where=options.where or "",
            varied=varied,
            spread=spread,
            sort=options.sort or "",
        )
    except ExpressionError as error:
        raise _pointed_out("--where", options.where, error) from None
    except ParameterError as error:
        raise UsageError(f"--{error.message}") from None
    most_expensive, parameters = most_expensive_spec(search)
    what = f"building a level with {parameters}" if parameters else "building this level"
    _tell_costs(options, most_expensive, what)
    return search


def _check_texts(options: argparse.Namespace) -> None:
    """Refuse options without effect."""
    example = {
        "where": "farthest >= 80",
        "spread": "floor,farthest",
        "sort": "-farthest",
    }
    for name, text in example.items():
        given = getattr(options, name)
        if given is not None and not given.strip():
            raise UsageError(f'--{name} is empty (for example --{name} "{text}")')


def _tell_costs(options: argparse.Namespace, spec: LevelSpec, what: str) -> None:
    from exporter.build.costs import check_costs
    from exporter.console.styles import styled_problem

    for warning in check_costs(spec, options.max_seconds, what):
        print(styled_problem(warning, styles_of(options).errors), file=sys.stderr)


def _parts(search: Search) -> list[Any]:
    """Return what a search is known by besides its spec."""
    where = search.where.text if search.where is not None else ""
    order = (search.sort, search.descending)
    return ["find", where, search.varied, search.spread, order, search.count, search.budget]


# --- proving --------------------------------------------------------------------------------------


def _prove(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.explore.proofs import Proving
    from exporter.model.expressions import ExpressionError

    _check_texts(options)
    _tell_costs(options, spec.with_seed(0), "building this level")
    try:
        proving = Proving(spec, options.prove, root, options.where or "")
    except ExpressionError as error:
        raise _pointed_out("--where", options.where, error) from None
    except ParameterError as error:
        raise UsageError(f"--prove: {error.message}") from None
    journal = _journal(proving.plan, repr(["prove", options.where or ""]))
    with _progress(options) as progress:
        proving.journal, proving.progress = journal, progress
        try:
            proof, ended = proving.run(options.jobs, _judges_for(options)), False
        except FarmError:
            journal.save()
            raise
        except KeyboardInterrupt:
            journal.save()
            proof, ended = proving.result(), True
    if options.json:
        searches.print_document(proof.document())
    else:
        for line in searches.proof_lines(proof):
            _say(line)
    if ended:
        return _interrupted(proof.tried, options.prove, journal)
    journal.remove()
    return ExitCode.DONE if proof.kept else ExitCode.FAILED


# --- heat maps ------------------------------------------------------------------------------------


def _map(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.explore.ranges import Survey, compared, heat_map
    from exporter.explore.survey_reports import survey_document

    if options.heat is not None:
        check_heat(options)
    search = _mapped(options, spec, root)
    other = None if options.compare is None else _compared_with(options, search)
    surveys: list[Survey] = []
    journals: list[Journal] = []
    for item, path in ((search, options.spec), (other, options.compare)):
        if isinstance(item, Survey):
            surveys.append(item)
        elif item is not None:
            journals.append(_journal(item, repr(["survey", *_parts(item)]), item.varied))
            surveyed = _surveyed(options, item, path, journals[-1])
            if surveyed is None:
                return ExitCode.INTERRUPTED
            surveys.append(surveyed)
    overlap = compared(*surveys) if len(surveys) == 2 else None
    if options.json:
        searches.print_document(survey_document(surveys, overlap), on_one_line=True)
    else:
        for line in searches.survey_lines(surveys, overlap):
            _say(line)
        for each in surveys:
            if each.first_failure:
                _say(f"{each.title}: the first that failed: {each.first_failure}", error=True)
    if options.heat is not None:
        write_output(options, options.heat, heat_map(surveys))
    for journal in journals:
        journal.remove()
    return ExitCode.DONE if all(len(each.places) for each in surveys) else ExitCode.FAILED


def _surveyed(
    options: argparse.Namespace, search: Search, path: Path, journal: Journal
) -> Survey | None:
    """Measure the levels of one spec; None if that was interrupted."""
    from exporter.explore.ranges import survey

    looked_at = 0
    try:
        with _progress(options) as progress:

            def count(done: int, total: int) -> None:
                nonlocal looked_at
                looked_at = done
                progress(done, total)

            judges_for = _judges_for(options)
            result = survey(search, _title(path), options.jobs, count, journal, judges_for)
    except FarmError:
        journal.save()
        raise
    except KeyboardInterrupt:
        journal.save()
        _interrupted(looked_at, search.budget, journal, f" of {path}")
        return None
    # A search of the other spec may be interrupted, too.
    journal.save()
    return result


def _mapped(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> Search:
    search = _search(options, spec, root)
    if len(search.spread) != 2:
        raise UsageError("--heat and --compare need two metrics (--spread floor,farthest)")
    return search


def _compared_with(options: argparse.Namespace, search: Search) -> Search | Survey:
    """Return the comparison of a search: another spec, or an earlier report."""
    from exporter.cli.level_argument import load_named_level
    from exporter.explore.survey_reports import reported_survey
    from exporter.model.limits import MAXIMUM_INPUT_BYTES

    path: Path = options.compare
    if path.stat().st_size > MAXIMUM_INPUT_BYTES:
        raise UsageError(f"{path}: too large for a spec or a report")
    try:
        report = reported_survey(_content(path), path.name, search.spread)
    except ParameterError as error:
        raise UsageError(f"{path}: {error.message}") from None
    if report is not None:
        return report
    try:
        return _mapped(options, *load_named_level(str(path)))
    except UsageError as error:
        raise UsageError(f"{path} (--compare): {error}") from None


def _title(path: Path) -> str:
    return path.name.removesuffix(".yaml").removesuffix(".level")


# --- inside ---------------------------------------------------------------------------------------


def _check_options(options: argparse.Namespace) -> None:
    """Refuse combinations of options without effect."""
    what = ""
    others: tuple[str, ...] = ()
    if options.prove is not None:
        what, others = "--prove", _NOT_PROVED
    elif options.compare is not None or options.heat is not None:
        what, others = "--compare" if options.compare is not None else "--heat", _NOT_MAPPED
    for name in others:
        if getattr(options, name) is not None:
            option = "-o" if name == "output" else f"--{name}"
            raise UsageError(f"{option} does not go with {what}")


def _pointed_out(option: str, text: str, error: Any) -> UsageError:
    """Return an error with a caret under the fault in an expression."""
    line = " ".join(text.split("\n"))
    caret = " " * error.start + "^" * min(error.length, max(1, len(line) - error.start))
    return UsageError(f"{option}: {error.message}\n    {line}\n    {caret}")


def _say(line: str, *, error: bool = False) -> None:
    """Print a line of which parts come from files, or from the code of others."""
    from exporter.model.excerpts import for_terminals

    print(for_terminals(line), file=sys.stderr if error else sys.stdout)


def _journal(thing: Any, parts: str, varied: Sequence[VariedParameter] = ()) -> Journal:
    """Return the journal of a search or a proof, in the user's folder."""
    from exporter.build.files import InputFiles
    from exporter.explore.journal import Journal
    from exporter.explore.writing import named_files
    from exporter.model.keys import stage_key
    from exporter.store.code_identity import code_identity
    from exporter.store.searches import SearchLines

    spec: LevelSpec = thing.spec
    files = InputFiles(thing.root if thing.root is not None else spec.folder, spec.folder)
    hashes = []
    for name in named_files(spec, varied):
        try:
            hashes.append(files.key(name))
        except ParameterError:
            hashes.append("")  # reported by the first level that is built
    key = stage_key(code_identity(), spec.level, spec.document.text, parts, *hashes)
    return Journal(SearchLines(key), len(thing.metrics))


@contextmanager
def _progress(options: argparse.Namespace) -> Iterator[Any]:
    """Show a progress bar during the search."""
    from exporter.console.progress import ProgressBar

    bar = ProgressBar(wanted=not options.json)
    try:
        yield bar.update
    finally:
        bar.close()


def _interrupted(attempted: int, of: int, journal: Journal, what: str = "") -> int:
    way = "from there"
    if journal.kept < attempted:
        way = f"after the first {journal.kept:,}: no more could be kept"
    print(
        f"interrupted after {attempted:,} of {of:,} levels{what} (the same command goes on {way})",
        file=sys.stderr,
    )
    return ExitCode.INTERRUPTED


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
