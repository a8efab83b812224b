"""Compare how levels of two specs are distributed, or draw heat maps.

The distribution of a spec's levels over two metrics is called its expressive range.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError
from exporter.cli.search_files import check_heat, write_output
from exporter.cli.search_runs import (
    interrupted,
    judges_on,
    planned_search,
    progress_bar,
    say,
    search_journal,
    search_parts,
    spec_content,
)
from exporter.model.errors import FarmError, ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.explore.journal import Journal
    from exporter.explore.ranges import Survey
    from exporter.explore.search import Search
    from exporter.reading.level_spec import LevelSpec


def map_levels(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    """Measure levels of one or two specs, and print their distribution.

    `spec` is the first one; `--compare` may name the second. Input files of the first must lie in
    the folder `root`; None for the spec's own folder. Return the exit code.

    Raises:
        UsageError: An option is wrong.
    """
    from exporter.console import searches
    from exporter.explore.ranges import Survey, compared, heat_map
    from exporter.explore.survey_reports import survey_document

    if options.heat is not None:
        check_heat(options)
    search = _search_of_two_metrics(options, spec, root)
    other = None if options.compare is None else _compared_with(options, search)
    surveys: list[Survey] = []
    journals: list[Journal] = []
    for item, path in ((search, options.spec), (other, options.compare)):
        if isinstance(item, Survey):
            surveys.append(item)
        elif item is not None:
            journals.append(
                search_journal(item, repr(["survey", *search_parts(item)]), item.varied)
            )
            surveyed = _survey_levels(options, item, path, journals[-1])
            if surveyed is None:
                return ExitCode.INTERRUPTED
            surveys.append(surveyed)
    overlap = compared(*surveys) if len(surveys) == 2 else None
    if options.json:
        searches.print_document(survey_document(surveys, overlap), on_one_line=True)
    else:
        for line in searches.survey_lines(surveys, overlap):
            say(line)
        for each in surveys:
            if each.first_failure:
                say(f"{each.title}: the first that failed: {each.first_failure}", error=True)
    if options.heat is not None:
        write_output(options, options.heat, heat_map(surveys))
    for journal in journals:
        journal.remove()
    return ExitCode.DONE if all(len(each.places) for each in surveys) else ExitCode.FAILED


def _survey_levels(
    options: argparse.Namespace, search: Search, path: Path, journal: Journal
) -> Survey | None:
    """Measure the levels of `search`; return where they lie.

    None if Ctrl+C interrupts this; then the way to continue is printed. `path` is the spec's file,
    `journal` stores the results so far.
    """
    from exporter.explore.ranges import survey

    looked_at = 0
    try:
        with progress_bar(options) as progress:

            def count(done: int, total: int) -> None:
                nonlocal looked_at
                looked_at = done
                progress.search(done, total)

            judges_for = judges_on(options, progress)
            result = survey(search, _title(path), options.jobs, count, journal, judges_for)
    except FarmError:
        journal.save()
        raise
    except KeyboardInterrupt:
        journal.save()
        interrupted(looked_at, search.budget, journal, f" of {path}")
        return None
    # A search of the other spec may be interrupted, too.
    journal.save()
    return result


def _search_of_two_metrics(
    options: argparse.Namespace, spec: LevelSpec, root: Path | None
) -> Search:
    search = planned_search(options, spec, root)
    if len(search.spread) != 2:
        raise UsageError(
            "--heat and --compare plot two metrics, and --spread does not name two (write "
            "--spread floor,farthest)"
        )
    return search


def _compared_with(options: argparse.Namespace, search: Search) -> Search | Survey:
    """Return what `--compare` names: levels to measure, or a saved report.

    `search` is that of the first spec; a report must have the same metrics.

    Raises:
        UsageError: The file is neither a spec nor such a report.
    """
    from exporter.cli.level_argument import load_named_level
    from exporter.explore.survey_reports import reported_survey
    from exporter.model.limits import MAXIMUM_INPUT_BYTES

    path: Path = options.compare
    if path.stat().st_size > MAXIMUM_INPUT_BYTES:
        raise UsageError(f"{path}: the file is too large for a spec or a report")
    try:
        report = reported_survey(spec_content(path), path.name, search.spread)
    except ParameterError as error:
        raise UsageError(f"{path}: {error.message}") from None
    if report is not None:
        return report
    try:
        return _search_of_two_metrics(options, *load_named_level(str(path)))
    except UsageError as error:
        raise UsageError(f"{path} (--compare): {error}") from None


def _title(path: Path) -> str:
    return path.name.removesuffix(".yaml").removesuffix(".level")
