"""`exporter migrate`: rewrite specs from former names to present ones, in place."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import Commands, UsageError, project_root, styles_of
from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.console.problems import ProblemPrinter


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("migrate", help="rewrite old names and limits in specs")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PROJECT or SPEC")
    parser.add_argument("--dry-run", action="store_true", help="print the changes, write nothing")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.problems import ProblemPrinter
    from exporter.console.wording import count
    from exporter.project.project import FILE_NAME

    printer = ProblemPrinter(styles_of(options), sys.maxsize)
    paths = options.paths or [project_root(None)]
    # Each spec with the folder it must really lie in; None for one that was named itself.
    specs: dict[Path, Path | None] = {}
    failed = False
    for path in paths:
        if path.is_dir() or (path.name == FILE_NAME and path.is_file()):
            root = project_root(path)
            try:
                specs |= dict.fromkeys(_specs_of(root), root)
            except SpecError as error:
                failed = _report(error, printer)
        elif path.is_file():
            specs[Path(os.path.abspath(path))] = None
        else:
            raise UsageError(f"there is no file or folder {str(path)!r}")
    changed = 0
    for spec, folder in specs.items():
        try:
            changed += _migrate_file(spec, folder, printer, write=not options.dry_run)
        except ExporterError as error:
            failed = _report(error, printer)
    verb = "would change" if options.dry_run else "changed"
    print(f"{changed} of {count(len(specs), 'spec')} {verb}")
    return ExitCode.FAILED if failed else ExitCode.DONE


def _specs_of(root: Path) -> list[Path]:
    """Return the specs of a project."""
    from exporter.project.settings_file import load_project

    return [root / spec for spec in load_project(root).specs()]


def _migrate_file(path: Path, folder: Path | None, printer: ProblemPrinter, *, write: bool) -> bool:
    """Migrate one spec, print its changes, and return whether there are any."""
    from exporter.project.project import shown
    from exporter.project.saving import save_spec
    from exporter.reading.migration import migrate

    file = shown(path)
    content = _content(path, file)
    migration = migrate(content, file)
    printer.tell(migration.warnings)
    if migration.changes and write:
        save_spec(path, content, migration.content, folder)
    for change in migration.changes:
        what = f"{change.old} -> {change.new}" if change.old else f"added {change.new}"
        print(f"{file}:{change.line}: {what}")
    return bool(migration.changes)


def _content(path: Path, file: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, file)]) from None


def _report(error: ExporterError, printer: ProblemPrinter) -> bool:
    """Print an error; return that something failed."""
    if isinstance(error, SpecError):
        printer.tell(error.problems)
    else:
        printer.error(str(error))
    return True
