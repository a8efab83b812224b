"""`exporter preview --watch`: draw again whenever files change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError
from exporter.model.errors import ExporterError, SpecError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.cli.previewed import Subject
    from exporter.console.problems import ProblemPrinter

# How often the files are checked.
SECONDS = 0.2
Signature = tuple[int, int, int] | None


def watch(
    subjects: Sequence[Subject],
    draw: Callable[[Subject], int],
    printer: Callable[[], ProblemPrinter],
) -> int:
    """Draw levels, and draw each again when its files change, until Ctrl+C.

    Errors are printed, and the last good picture stays.

    Args:
        subjects: The levels to draw.
        draw: Draws a level, records in it the files that were read, and returns the exit code.
        printer: Called for each drawing that fails; returns a new printer of errors.
    """
    drawn: dict[str, dict[Path, Signature]] = {}
    try:
        for subject in subjects:
            drawn[subject.text] = _drawn(subject, draw, printer)
        print("(waiting for changes; Ctrl+C ends it)", file=sys.stderr, flush=True)
        while True:
            time.sleep(SECONDS)
            for subject in subjects:
                known = drawn[subject.text]
                if any(_signature(path) != before for path, before in known.items()):
                    drawn[subject.text] = _drawn(subject, draw, printer)
    except KeyboardInterrupt:
        return ExitCode.DONE


def _drawn(
    subject: Subject, draw: Callable[[Subject], int], printer: Callable[[], ProblemPrinter]
) -> dict[Path, Signature]:
    """Draw a level; print errors.

    `draw` draws the level, `printer` returns a printer for errors. Return the signatures that the
    level's files had before: if one changes, the level must be drawn again.
    """
    before = {path: _signature(path) for path in (subject.path, *subject.files.values())}
    try:
        draw(subject)
    except SpecError as error:
        reported = printer()
        reported.print(error.problems)
        reported.print_omitted()
    except (ExporterError, UsageError) as error:
        printer().error(str(error))
    sys.stdout.flush()
    return {path: before.get(path, _signature(path)) for path in subject.files.values()}


def _signature(path: Path) -> Signature:
    """Return a file's time, size and inode; None if the file is missing."""
    try:
        result = path.stat()
    except OSError:
        return None
    return result.st_mtime_ns, result.st_size, result.st_ino
