"""`exporter seeds`: levels worth having, out of many; or how many seeds keep what is required."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
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
    positive,
    styles_of,
)
from exporter.cli.output_files import refuse_existing, refuse_inputs, write_file
from exporter.model.errors import ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.model.level import Level
    from exporter.reading.level_spec import LevelSpec
    from exporter.search.finding import FoundLevel, FoundLevels, Search
    from exporter.search.journal import Journal
    from exporter.search.ranges import Survey

DEFAULT_COUNT = 50
DEFAULT_BUDGET = 10_000
# What does not go with `--prove`, and what not with a heat map.
_NOT_PROVED = ("count", "budget", "vary", "spread", "sort", "output", "write", "compare", "heat")
_NOT_MAPPED = ("count", "sort", "output", "write", "where")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "seeds", help="look at thousands of levels of one spec, keep those worth having"
    )
    parser.add_argument("spec", type=Path, metavar="SPEC")
    parser.add_argument(
        "--count",
        type=positive,
        metavar="N",
        help=f"how many levels are wanted (default: {DEFAULT_COUNT})",
    )
    parser.add_argument(
        "--budget",
        type=positive,
        metavar="N",
        help=f"how many levels are looked at, at most (default: {DEFAULT_BUDGET})",
    )
    parser.add_argument(
        "--where",
        metavar="EXPRESSION",
        help='what a level must be like, such as "farthest >= 80 and dead_ends <= 6"',
    )
    parser.add_argument(
        "--vary",
        action="append",
        metavar="LAYER.PARAMETER=LOW..HIGH",
        help="vary a parameter over a range, or among values (=A,B,C); repeatable",
    )
    parser.add_argument(
        "--spread",
        metavar="METRIC,METRIC",
        help="find levels that differ in these metrics as much as possible (1 to 3)",
    )
    parser.add_argument(
        "--sort",
        metavar="METRIC",
        help="sort by a metric, the least first; -METRIC puts the greatest first",
    )
    parser.add_argument(
        "--prove",
        type=positive,
        metavar="N",
        help="try N seeds and tell how many keep what `require` says; exit code 1 if too few do",
    )
    parser.add_argument(
        "--compare",
        type=Path,
        metavar="SPEC",
        help="compare with the levels of another spec, or with an earlier report of --heat --json",
    )
    parser.add_argument(
        "--heat",
        type=Path,
        metavar="FILE.png",
        help="draw where all levels fall between the two metrics of --spread",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="a sheet with small pictures of the levels: .png or .html",
    )
    parser.add_argument(
        "--write", type=Path, metavar="DIR", help="write a spec for each level into this folder"
    )
    add_overwrite(parser)
    add_jobs(parser)
    add_max_seconds(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.cli.level_argument import load_named_level
    from exporter.console.styles import styled_problem
    from exporter.pipeline.costs import check_costs

    _check_options(options)
    for path in (options.spec, options.compare):
        if path is not None and not path.is_file():
            raise UsageError(f"there is no file {str(path)!r}")
    spec, root = load_named_level(str(options.spec))
    for warning in check_costs(spec.with_seed(0), options.max_seconds):
        print(styled_problem(warning, styles_of(options).errors), file=sys.stderr)
    if options.prove is not None:
        return _prove(options, spec, root)
    if options.compare is not None or options.heat is not None:
        return _map(options, spec, root)
    return _find(options, spec, root)


# --- finding --------------------------------------------------------------------------------------


def _find(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.search.finding import Finding

    content = _content(options.spec)
    if options.write is not None:
        _check_folder(options, spec)
    search = _search(options, spec, root)
    _check_sheet(options, search)
    journal = _journal(search, repr(_parts(search)))
    with _progress(options) as progress:
        finding = Finding(search, journal, progress)
        try:
            found, ended = finding.run(options.jobs), False
        except KeyboardInterrupt:
            journal.save()
            found, ended = finding.result(), True
    if not ended:
        journal.remove()
    if found.levels and options.write is not None:
        _write_specs(options, spec, content, found)
    if found.levels and options.output is not None:
        _write_sheet(options, search, found)
    if options.json:
        searches.print_document(searches.found_document(found))
    else:
        for line in searches.found_lines(found):
            print(line)
        summary = searches.found_summary(found) if found.levels else searches.nothing_found(found)
        print(summary, file=sys.stdout if found.levels else sys.stderr)
        if found.levels and found.first_failure:
            print(f"the first that failed: {found.first_failure}", file=sys.stderr)
    if ended:
        return _interrupted(found.tried, search.budget)
    return ExitCode.DONE if found.levels else ExitCode.FAILED


def _search(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> Search:
    from exporter.model.expressions import ExpressionError
    from exporter.search.finding import search_for
    from exporter.search.varying import parse_varied

    spread = [one.strip() for one in options.spread.split(",")] if options.spread else []
    try:
        varied = [parse_varied(text, spec) for text in options.vary or ()]
        return search_for(
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
        raise UsageError(error.message) from None


def _parts(search: Search) -> list[Any]:
    """Return what a search is known by besides its spec."""
    where = search.where.text if search.where is not None else ""
    order = (search.sort, search.descending)
    return ["find", where, search.varied, search.spread, order, search.count, search.budget]


# --- proving --------------------------------------------------------------------------------------


def _prove(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.model.expressions import ExpressionError
    from exporter.search.proofs import Proving

    try:
        proving = Proving(spec, options.prove, root, options.where or "")
    except ExpressionError as error:
        raise _pointed_out("--where", options.where, error) from None
    journal = _journal(proving.plan, repr(["prove", options.where or ""]))
    with _progress(options) as progress:
        proving.journal, proving.progress = journal, progress
        try:
            proof, ended = proving.run(options.jobs), False
        except KeyboardInterrupt:
            journal.save()
            proof, ended = proving.result(), True
    if not ended:
        journal.remove()
    if options.json:
        searches.print_document(proof.document())
    else:
        for line in searches.proof_lines(proof):
            print(line)
    if ended:
        return _interrupted(proof.tried, options.prove)
    return ExitCode.DONE if proof.kept else ExitCode.FAILED


# --- heat maps ------------------------------------------------------------------------------------


def _map(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    from exporter.console import searches
    from exporter.search.ranges import Survey, compared, heat_map, survey
    from exporter.search.survey_reports import survey_document

    if options.heat is not None:
        _check_output(options, options.heat)
    search = _mapped(options, spec, root)
    other = None if options.compare is None else _compared_with(options, search)
    with _progress(options) as progress:
        surveys = [survey(search, _title(options.spec), options.jobs, progress)]
        if other is not None:
            surveys.append(
                other
                if isinstance(other, Survey)
                else survey(other, _title(options.compare), options.jobs, progress)
            )
    overlap = compared(*surveys) if len(surveys) == 2 else None
    if options.heat is not None:
        _write_output(options, options.heat, heat_map(surveys))
    if options.json:
        searches.print_document(survey_document(surveys, overlap), on_one_line=True)
    else:
        for line in searches.survey_lines(surveys, overlap):
            print(line)
        for each in surveys:
            if each.first_failure:
                print(f"{each.title}: the first that failed: {each.first_failure}", file=sys.stderr)
    return ExitCode.DONE if all(len(each.places) for each in surveys) else ExitCode.FAILED


def _mapped(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> Search:
    search = _search(options, spec, root)
    if len(search.spread) != 2:
        raise UsageError("--heat and --compare need two metrics (--spread floor,farthest)")
    return search


def _compared_with(options: argparse.Namespace, search: Search) -> Search | Survey:
    """Return what the levels of a search are compared with: another spec, or an earlier report."""
    from exporter.cli.level_argument import load_named_level
    from exporter.model.limits import MAXIMUM_INPUT_BYTES
    from exporter.search.survey_reports import reported_survey

    path: Path = options.compare
    if path.stat().st_size > MAXIMUM_INPUT_BYTES:
        raise UsageError(f"{path}: too large for a spec or a report")
    try:
        report = reported_survey(_content(path), path.name, search.spread)
    except ParameterError as error:
        raise UsageError(f"{path}: {error.message}") from None
    if report is not None:
        return report
    return _mapped(options, *load_named_level(str(path)))


def _title(path: Path) -> str:
    return path.name.removesuffix(".yaml").removesuffix(".level")


# --- what is written ------------------------------------------------------------------------------


def _check_sheet(options: argparse.Namespace, search: Search) -> None:
    from exporter.search.sheets import MAXIMUM_LEVELS

    if options.output is None:
        return
    _check_output(options, options.output)
    if options.output.suffix.lower() not in (".png", ".html"):
        raise UsageError(f"{options.output}: a sheet is a .png or a .html file")
    if search.count > MAXIMUM_LEVELS:
        raise UsageError(
            f"a sheet shows at most {MAXIMUM_LEVELS} levels (--count {MAXIMUM_LEVELS})"
        )


def _write_sheet(options: argparse.Namespace, search: Search, found: FoundLevels) -> None:
    from exporter.pipeline.build import Build
    from exporter.search.sheets import sheet_html, sheet_png, shown_levels

    def build(one: FoundLevel) -> Level:
        level, _ = Build(search.spec_of(one), search.root).level()
        return level

    shown = shown_levels(found.levels, build)
    if options.output.suffix.lower() == ".png":
        data = sheet_png(shown)
    else:
        title = f"{search.spec.level}: {len(shown)} of {found.tried:,} levels"
        data = sheet_html(title, shown)
    _write_output(options, options.output, data)


def _check_output(options: argparse.Namespace, path: Path) -> None:
    """Refuse a file that is not to be written over, before anything is looked at."""
    from exporter.search.sheets import is_our_sheet

    specs = [one for one in (options.spec, options.compare) if one is not None]
    refuse_inputs({path: b""}, [(one, "is a spec itself (name another file)") for one in specs])
    refuse_existing({path: b""}, overwrite=options.overwrite, is_ours=is_our_sheet)


def _write_output(options: argparse.Namespace, path: Path, data: bytes) -> None:
    _check_output(options, path)
    write_file(path, data)
    if not options.json:
        print(path)


def _check_folder(options: argparse.Namespace, spec: LevelSpec) -> None:
    from exporter.search.writing import names_files

    named = names_files(spec)
    here = options.spec.resolve().parent
    if named and options.write.resolve() != here:
        raise UsageError(
            f"the spec names {named!r}, which lies beside it (write the copies there: "
            f"--write {options.spec.parent})"
        )


def _write_specs(
    options: argparse.Namespace, spec: LevelSpec, content: bytes, found: FoundLevels
) -> None:
    """Write a spec for each level; files that are there stay, whatever is in them."""
    from exporter.reading.names import edits_file
    from exporter.reading.reader import read_edits
    from exporter.search.writing import spec_name, spec_text

    try:
        texts = {spec_name(spec, one): spec_text(spec, content, one) for one in found}
    except ParameterError as error:
        raise UsageError(f"{options.spec}: {error.message}") from None
    files = {options.write / name: text for name, text in texts.items()}
    edits = read_edits(options.spec)
    if edits is not None:  # the levels that were looked at have them, so the copies have them
        files |= {options.write / edits_file(name): edits for name in texts}
    refuse_existing(files, overwrite=False)
    try:
        options.write.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{options.write}: {error.strerror or error}") from None
    for path, data in files.items():
        write_file(path, data)
        if not options.json:
            print(path)


# --- inside ---------------------------------------------------------------------------------------


def _check_options(options: argparse.Namespace) -> None:
    """Refuse options that say nothing together."""
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


def _journal(thing: Any, parts: str) -> Journal:
    """Return the journal of a search or a proof; the user's own folder holds it."""
    from exporter.model.keys import stage_key
    from exporter.model.parameters import file_names
    from exporter.pipeline.files import InputFiles
    from exporter.pipeline.foreseen import parts_with_files
    from exporter.search.journal import Journal
    from exporter.store.code_identity import code_identity
    from exporter.store.searches import SearchLines

    spec: LevelSpec = thing.spec
    files = InputFiles(thing.root if thing.root is not None else spec.folder, spec.folder)
    hashes = []
    for _, parameters in parts_with_files(spec):
        for name, _ in file_names(parameters):
            try:
                hashes.append(files.key(name))
            except ParameterError:
                hashes.append("")  # told by the first level that is built
    key = stage_key(code_identity(), spec.level, spec.document.text, parts, *hashes)
    return Journal(SearchLines(key), len(thing.metrics))


@contextmanager
def _progress(options: argparse.Namespace) -> Iterator[Any]:
    """Show a bar while levels are looked at."""
    from exporter.console.progress import ProgressBar

    bar = ProgressBar(wanted=not options.json)
    try:
        yield bar.update
    finally:
        bar.close()


def _interrupted(tried: int, of: int) -> int:
    print(
        f"interrupted after {tried:,} of {of:,} levels (the same command goes on from there)",
        file=sys.stderr,
    )
    return ExitCode.INTERRUPTED


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
