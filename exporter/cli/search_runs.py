"""Run the searches of `exporter seeds`, with progress and a journal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.cli.arguments import UsageError, styles_of
from exporter.model.errors import FarmError, ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.console.progress import ProgressBar
    from exporter.explore.journal import Journal
    from exporter.explore.judging import Judging, MakeJudges, SearchPlan
    from exporter.explore.search import Search
    from exporter.explore.varying import VariedParameter
    from exporter.reading.level_spec import LevelSpec

DEFAULT_COUNT = 50
DEFAULT_BUDGET = 10_000


def judges_on(options: argparse.Namespace, progress: ProgressBar) -> MakeJudges | None:
    """Return a function that makes the workers of a cluster for a search.

    They build and measure levels. None without `--cluster`: then processes of this machine do that.
    `progress` is the bar to hide while messages of the cluster are printed.
    """
    if options.cluster is None:
        return None
    from exporter.export.cluster_judges import ClusterJudges

    def remark(text: str) -> None:
        with progress.paused():
            say(text, error=True)

    def judges_for(plan: SearchPlan) -> Judging:
        return ClusterJudges(plan, options.cluster, remark)

    return judges_for


def planned_search(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> Search:
    """Return the search that `options` describe; warn if it takes long.

    Input files must lie in the folder `root`; None for the spec's own folder.

    Raises:
        UsageError: An option is wrong.
    """
    from exporter.explore.search import search_for

    with reported_options(options):
        search = search_for(
            spec,
            root=root,
            count=options.count or DEFAULT_COUNT,
            budget=options.budget or DEFAULT_BUDGET,
            **search_choices(options, spec),
        )
    warn_of_search_cost(options, search)
    return search


def search_choices(options: argparse.Namespace, spec: LevelSpec) -> dict[str, Any]:
    """Return the arguments that searches and packs share, by name.

    They come from `--where`, `--vary`, `--spread` and `--sort`.

    Raises:
        UsageError: A varied parameter does not exist in `spec`, or an option is empty.
    """
    from exporter.explore.varying import parse_varied

    check_texts(options)
    try:
        varied = [parse_varied(text, spec) for text in options.vary or ()]
    except ParameterError as error:
        raise UsageError(f"--vary: {error.message}") from None
    return {
        "where": options.where or "",
        "varied": varied,
        "spread": listed_names(options.spread),
        "sort": options.sort or "",
    }


def listed_names(text: str | None) -> list[str]:
    """Return the names in `text`, separated by commas.

    Empty if `text` is None or empty.
    """
    return [item.strip() for item in text.split(",")] if text else []


@contextmanager
def reported_options(options: argparse.Namespace) -> Iterator[None]:
    """Turn errors in the options of a search into a `UsageError`.

    An `ExpressionError` in a `with` block is shown below the text of `--where`, with a caret. The
    message of another `ParameterError` begins with the name of its option.
    """
    from exporter.model.expressions import ExpressionError

    try:
        yield
    except ExpressionError as error:
        raise pointed_out(options.where, error) from None
    except ParameterError as error:
        raise UsageError(f"--{error.message}") from None


def warn_of_search_cost(options: argparse.Namespace, search: Search) -> None:
    """Warn if the most expensive level of `search` takes long to build."""
    from exporter.explore.cost_estimate import most_expensive_spec

    most_expensive, parameters = most_expensive_spec(search)
    what = f"building a level with {parameters}" if parameters else "building this level"
    warn_of_cost(options, most_expensive, what)


def check_texts(options: argparse.Namespace) -> None:
    """Raise an error if an option such as `--where` is an empty text.

    Raises:
        UsageError: There is such an option.
    """
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


def warn_of_cost(options: argparse.Namespace, spec: LevelSpec, what: str) -> None:
    """Print a warning if the level of `spec` takes long to build.

    `what` is the beginning of the message, such as `building this level`. Above the limit
    `--max-seconds`, the estimate raises `SpecError`.
    """
    from exporter.build.costs import check_costs
    from exporter.console.styles import styled_problem

    for warning in check_costs(spec, options.max_seconds, what):
        print(styled_problem(warning, styles_of(options).errors), file=sys.stderr)


def search_parts(search: Search) -> list[Any]:
    """Return the values, besides the spec, on which a search's result depends.

    A changed value begins a new journal of results.
    """
    where = search.where.text if search.where is not None else ""
    order = (search.sort, search.descending)
    return ["find", where, search.varied, search.spread, order, search.count, search.budget]


def pointed_out(text: str, error: Any) -> UsageError:
    """Return an error that shows the expression `text` of `--where`.

    A caret below the text shows where the fault is that `error`, an `ExpressionError`, describes.
    """
    line = " ".join(text.split("\n"))
    caret = " " * error.start + "^" * min(error.length, max(1, len(line) - error.start))
    return UsageError(f"--where: {error.message}\n    {line}\n    {caret}")


def say(line: str, *, error: bool = False) -> None:
    """Print `line` without control characters; if `error` is true, on stderr."""
    from exporter.model.excerpts import for_terminals

    print(for_terminals(line), file=sys.stderr if error else sys.stdout)


def search_journal(thing: Any, parts: str, varied: Sequence[VariedParameter] = ()) -> Journal:
    """Return the journal of a search: its results so far.

    It lies in the user's folder, so that an interrupted search can continue.

    Args:
        thing: The search, or another object with `spec`, `root` and `metrics`, such as a prover.
        parts: A text of all other values on which the result depends.
        varied: The parameters that are varied.
    """
    from exporter.explore.journal import Journal
    from exporter.store.searches import SearchLines

    return Journal(SearchLines(journal_key(thing, parts, varied)), len(thing.metrics))


def journal_key(thing: Any, parts: str, varied: Sequence[VariedParameter]) -> str:
    """Return a hash of all that affects the results of a search.

    Args:
        thing: The search, or another object with `spec` and `root`, such as a prover.
        parts: A text of all other values on which the result depends.
        varied: The parameters that are varied.
    """
    from exporter.build.files import InputFiles
    from exporter.explore.writing import named_files
    from exporter.model.keys import stage_key
    from exporter.store.code_identity import code_identity

    spec: LevelSpec = thing.spec
    files = InputFiles(thing.root if thing.root is not None else spec.folder, spec.folder)
    hashes = []
    for name in named_files(spec, varied):
        try:
            hashes.append(files.digest(name))
        except ParameterError:
            hashes.append("")  # reported by the first level that is built
    return stage_key(code_identity(), spec.level, spec.document.text, parts, *hashes)


def run_resumable(
    work: Any, journal: Journal, options: argparse.Namespace, progress: ProgressBar
) -> tuple[Any, bool]:
    """Run `work`, a search or proof, until it ends or is interrupted.

    After Ctrl+C the results so far are in the `journal`, so that the same command continues.

    Returns:
        The result, and whether Ctrl+C stopped the work.
    """
    try:
        return work.run(options.jobs, judges_on(options, progress)), False
    except FarmError:
        journal.save()
        raise
    except KeyboardInterrupt:
        journal.save()
        return work.result(), True


@contextmanager
def progress_bar(options: argparse.Namespace) -> Iterator[ProgressBar]:
    """Show a progress bar in a `with` block; with `--json` a hidden one."""
    from exporter.console.progress import ProgressBar

    bar = ProgressBar(enabled=not options.json)
    try:
        yield bar
    finally:
        bar.close()


def interrupted(attempted: int, of: int, journal: Journal, what: str = "") -> int:
    """Print how to continue a search that Ctrl+C stopped.

    Args:
        attempted: How many levels were tried.
        of: How many levels were to be tried.
        journal: The journal, which has the results of the first of these levels.
        what: Text after the number of levels in the message.

    Returns:
        The exit code for interrupted commands, 130.
    """
    way = "from there"
    if journal.resumable < attempted:
        way = f"after the first {journal.resumable:,}: no more could be kept"
    print(
        f"interrupted after {attempted:,} of {of:,} levels{what} (the same command goes on {way})",
        file=sys.stderr,
    )
    return ExitCode.INTERRUPTED


def spec_content(path: Path) -> bytes:
    """Return the bytes of the spec at `path`.

    Raises:
        UsageError: The file cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
