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
    check_output,
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
_NOT_PROVED = (
    "count", "budget", "vary", "spread", "sort", "output", "write", "compare", "heat", "pack",
)  # fmt: skip
_NOT_MAPPED = ("count", "sort", "output", "write", "where", "pack")
_NOT_PACKED = ("output", "write")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
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
    if options.pack is not None:
        return _pack(options, spec, root)
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
    from exporter.explore.search import search_for

    with _reported_options(options):
        search = search_for(
            spec,
            root=root,
            count=options.count or DEFAULT_COUNT,
            budget=options.budget or DEFAULT_BUDGET,
            **_choices(options, spec),
        )
    _tell_costs_of(options, search)
    return search


def _choices(options: argparse.Namespace, spec: LevelSpec) -> dict[str, Any]:
    """Return what a search and a pack are both asked for.

    Raises:
        UsageError: A varied parameter does not exist, or an option is empty.
    """
    from exporter.explore.varying import parse_varied

    _check_texts(options)
    try:
        varied = [parse_varied(text, spec) for text in options.vary or ()]
    except ParameterError as error:
        raise UsageError(f"--vary: {error.message}") from None
    return {
        "where": options.where or "",
        "varied": varied,
        "spread": _names(options.spread),
        "sort": options.sort or "",
    }


def _names(text: str | None) -> list[str]:
    return [item.strip() for item in text.split(",")] if text else []


@contextmanager
def _reported_options(options: argparse.Namespace) -> Iterator[None]:
    """Report faults of a search at the option that has them."""
    from exporter.model.expressions import ExpressionError

    try:
        yield
    except ExpressionError as error:
        raise _pointed_out("--where", options.where, error) from None
    except ParameterError as error:
        raise UsageError(f"--{error.message}") from None


def _tell_costs_of(options: argparse.Namespace, search: Search) -> None:
    """Warn of a search whose most expensive level takes too long."""
    from exporter.explore.cost_estimate import most_expensive_spec

    most_expensive, parameters = most_expensive_spec(search)
    what = f"building a level with {parameters}" if parameters else "building this level"
    _tell_costs(options, most_expensive, what)


def _check_texts(options: argparse.Namespace) -> None:
    """Refuse options without effect."""
    example = {
        "where": "farthest >= 80",
        "spread": "floor,farthest",
        "sort": "-farthest",
        "measures": "dead_ends,loops",
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


# --- packs ----------------------------------------------------------------------------------------


def _pack(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    """Choose levels and write them into one file."""
    from exporter.console import searches
    from exporter.packs.making import make_pack, plan_pack
    from exporter.store.searches import SearchLines

    if options.pack.suffix != ".lvp":
        raise UsageError(f"--pack {options.pack}: a pack is a .lvp file")
    check_output(options, options.pack)
    with _reported_options(options):
        plan = plan_pack(
            spec,
            root=root,
            count=options.count or 1000,
            budget=options.budget,
            measures=_names(options.measures),
            sight=options.sight or "none",
            **_choices(options, spec),
        )
    search = plan.search
    _tell_costs_of(options, search)
    key = _journal_key(
        search, repr(["pack", *_parts(search), search.metrics, plan.sight]), search.varied
    )
    judged, built = SearchLines(key), SearchLines(f"{key}-levels")
    with _progress(options) as progress:

        def report(judged: int, budget: int, levels: int, count: int) -> None:
            progress(*((levels, count) if levels else (judged, budget)))

        try:
            made = make_pack(
                plan,
                options.jobs,
                judged=judged,
                built=built,
                progress=report,
                judges_for=_judges_for(options),
            )
        except KeyboardInterrupt:
            print("interrupted (the same command goes on from there)", file=sys.stderr)
            return ExitCode.INTERRUPTED
    if options.json:
        searches.print_document(made.document())
    else:
        _say(searches.pack_summary(made))
    missing = made.missing()
    if missing:
        _say(missing, error=True)
    if not made.count:
        return ExitCode.FAILED
    write_output(options, options.pack, made.data)
    judged.remove()
    built.remove()
    return ExitCode.DONE


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
    if options.pack is not None and not what:
        what, others = "--pack", _NOT_PACKED
    for name in others:
        if getattr(options, name) is not None:
            option = "-o" if name == "output" else f"--{name}"
            raise UsageError(f"{option} does not go with {what}")
    for name in ("measures", "sight"):
        if getattr(options, name) is not None and options.pack is None:
            raise UsageError(f"--{name} needs --pack FILE.lvp")


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
    from exporter.explore.journal import Journal
    from exporter.store.searches import SearchLines

    return Journal(SearchLines(_journal_key(thing, parts, varied)), len(thing.metrics))


def _journal_key(thing: Any, parts: str, varied: Sequence[VariedParameter] = ()) -> str:
    """Return the key of a search: all that its results follow from."""
    from exporter.build.files import InputFiles
    from exporter.explore.writing import named_files
    from exporter.model.keys import stage_key
    from exporter.store.code_identity import code_identity

    spec: LevelSpec = thing.spec
    files = InputFiles(thing.root if thing.root is not None else spec.folder, spec.folder)
    hashes = []
    for name in named_files(spec, varied):
        try:
            hashes.append(files.key(name))
        except ParameterError:
            hashes.append("")  # reported by the first level that is built
    return stage_key(code_identity(), spec.level, spec.document.text, parts, *hashes)


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
