"""Run `exporter edits`: import, list or drop the hand edits of levels.

Hand edits are changed cells and objects, kept in a file beside the spec.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_json,
    add_project,
    output_options,
    point,
    project_root,
    styles_of,
)
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exporter.export.import_edits import ImportedEdits
    from exporter.model.errors import Problem


def add(commands: Commands) -> None:
    """Add `exporter edits` to the commands of the command line."""
    parser = commands.add_parser("edits", examples=("exporter edits take", "exporter edits show"))
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    take = actions.add_parser(
        "take",
        help="import edits from exported Tiled maps, and export",
        examples=("exporter edits take --level village",),
    )
    _add_levels(take)
    take.add_argument(
        "--accept",
        action="store_true",
        help="settle conflicts: keep edits where the generated level has changed",
    )
    take.add_argument(
        "--whole",
        action="store_true",
        help="take every cell that differs from the level as it is generated now",
    )
    take.add_argument(
        "--from",
        dest="files",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="take the cells in this file, too, as the Godot addon writes it",
    )
    take.add_argument("--dry-run", action="store_true", help="write nothing")
    add_json(take)
    take.set_defaults(run=run_take)
    show = actions.add_parser(
        "show",
        help="list hand edits and their conflicts",
        examples=("exporter edits show --level village",),
    )
    _add_levels(show)
    add_json(show)
    show.set_defaults(run=run_show)
    drop = actions.add_parser(
        "drop",
        help="remove hand edits; a copy of the file is kept as .bak",
        examples=("exporter edits drop --level village --layer ground",),
    )
    _add_levels(drop)
    drop.add_argument(
        "--layer", action="append", default=[], metavar="NAME", help="only edits of this layer"
    )
    drop.add_argument(
        "--cell",
        action="append",
        type=point,
        default=[],
        metavar="X,Y",
        help="only edits of this cell",
    )
    drop.add_argument(
        "--conflicts",
        action="store_true",
        help="only edits of which the generated level has changed below",
    )
    drop.add_argument("--dry-run", action="store_true", help="print the edits, remove nothing")
    add_json(drop)
    drop.set_defaults(run=run_drop)


def _add_levels(parser: argparse.ArgumentParser) -> None:
    add_project(parser)
    parser.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="GLOB",
        help="only levels whose name matches",
    )


def run_take(options: argparse.Namespace) -> int:
    """Run `exporter edits take`: import painted cells, export their levels.

    Return the exit code: 1 if a level had problems, else 0.
    """
    from exporter.console.hand_edits import used_document, used_lines
    from exporter.export.import_edits import ImportOptions, import_painted

    root = project_root(options.project)
    for file in options.files:
        if not file.is_file():
            raise UsageError(f"there is no file {str(file)!r}")
    settings = ImportOptions(
        tuple(options.level),
        options.whole,
        options.accept,
        options.dry_run,
        tuple(file.absolute() for file in options.files),
    )
    used = import_painted(root, settings)
    for imported in used:
        print(imported.traceback, end="", file=sys.stderr)
    failed = _report_problems(options, [problem for item in used for problem in item.problems])
    if options.json:
        print(json.dumps(used_document(used), indent=1))
    else:
        for imported in filter(lambda item: item.level, used):
            print("\n".join(used_lines(imported, dry_run=options.dry_run)))
        if not used:
            print("no exported map was painted on")
    if not options.dry_run:
        failed = not _export_levels(root, used, options) or failed
    return ExitCode.FAILED if failed else ExitCode.DONE


def _export_levels(root: Path, used: Iterable[ImportedEdits], options: argparse.Namespace) -> bool:
    """Export the levels whose hand edits were imported.

    `used` are the results of the import. Return whether no level failed.
    """
    from exporter.console.hand_edits import FailuresOnly
    from exporter.console.text import TextReporter
    from exporter.export.export import export_project, failed
    from exporter.export.settings import Settings

    levels = tuple(item.level for item in used if item.maps or item.written)
    if not levels:
        return True
    text = TextReporter(output_options(options))
    try:
        reporter = FailuresOnly() if options.json else text
        return not failed(export_project(root, Settings(levels), reporter))
    finally:
        text.close()


def run_show(options: argparse.Namespace) -> int:
    """Run `exporter edits show`: list hand edits; return the exit code.

    The code is 1 if a level had problems, else 0.
    """
    from exporter.console.hand_edits import listed_document, listed_lines
    from exporter.export.edit_lists import list_edits

    levels = list_edits(project_root(options.project), tuple(options.level))
    failed = _report_problems(options, [problem for level in levels for problem in level.problems])
    if options.json:
        print(json.dumps(listed_document(levels), indent=1))
    else:
        for level in levels:
            print("\n".join(listed_lines(level)))
        if not levels:
            print("there are no hand edits")
    return ExitCode.FAILED if failed else ExitCode.DONE


def run_drop(options: argparse.Namespace) -> int:
    """Run `exporter edits drop`: remove hand edits; return the exit code.

    The code is 1 if a level had problems, else 0.
    """
    from exporter.console.hand_edits import dropped_lines, listed_document
    from exporter.export.edit_lists import EditChoice, drop_edits

    root = project_root(options.project)
    if not options.level:
        raise UsageError("no level is named (write --level NAME, or --level '*' for all levels)")
    choice = EditChoice(
        tuple(options.level), tuple(options.layer), tuple(options.cell), options.conflicts
    )
    levels = drop_edits(root, choice, dry_run=options.dry_run)
    failed = _report_problems(options, [problem for level in levels for problem in level.problems])
    lines = [line for level in levels for line in dropped_lines(level, dry_run=options.dry_run)]
    if options.json:
        print(json.dumps(listed_document(levels), indent=1))
    else:
        print("\n".join(lines) if lines else "no such hand edit")
    return ExitCode.FAILED if failed else ExitCode.DONE


def _report_problems(options: argparse.Namespace, problems: Iterable[Problem]) -> bool:
    """Print `problems`; return whether there are any."""
    from exporter.console.problems import ProblemPrinter

    problems = list(problems)
    ProblemPrinter(styles_of(options), sys.maxsize).print(problems)
    return bool(problems)
