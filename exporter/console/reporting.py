"""How results look: calm lines and carets for people, JSON for programs.

Results go to standard output and talk to standard error; with `--json` standard output is one
document and nothing else.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from exporter.export.events import Event, LevelResult, Removal, problem_report
from exporter.model.errors import SpecError
from exporter.project.checking import Checked

# Shorter work shows no progress bar: it would only flicker.
PROGRESS_AFTER = 0.5
BAR_WIDTH = 24


class ProgressBar:
    """One rewritten line on a terminal; nothing at all elsewhere."""

    def __init__(self) -> None:
        self._started = monotonic()
        self._shown = False

    def update(self, done: int, total: int) -> None:
        """Draw the bar, once the work has taken a moment."""
        if not sys.stderr.isatty() or total < 2:
            return
        if not self._shown and monotonic() - self._started < PROGRESS_AFTER:
            return
        self._shown = True
        filled = BAR_WIDTH * done // total
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        sys.stderr.write(f"\r[{bar}] {done}/{total} levels\x1b[K")
        sys.stderr.flush()
        if done == total:
            self.clear()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


class ExportReporter:
    """For people: a line for every level that changed, the problems, and a closing line."""

    def __init__(self, dry_run: bool = False) -> None:
        self.dry_run = dry_run
        self.bar = ProgressBar()

    def event(self, event: Event) -> None:
        """Tell one finished level or removal."""
        if isinstance(event, LevelResult) and event.status == "unchanged":
            return
        self.bar.clear()
        if isinstance(event, Removal):
            verb = "would remove" if self.dry_run else "removed"
            print(f"{event.level}: {verb} {_files(len(event.paths))} (its spec is gone)")
            return
        for problem in event.problems:
            print(problem.render(), file=sys.stderr)
        if event.traceback:
            print(event.traceback, file=sys.stderr)
        for warning in event.warnings:
            print(f"{event.spec}: warning: {warning}", file=sys.stderr)
        if event.status == "built":
            print(f"{event.level}: {self._what(event)} in {milliseconds(event.seconds)}")

    def _what(self, event: LevelResult) -> str:
        if self.dry_run:
            return f"would write {_files(len(event.outputs))}"
        return f"{_files(len(event.outputs))}, {len(event.written)} written"

    def progress(self, done: int, total: int) -> None:
        """Tell how far the export is."""
        self.bar.update(done, total)

    def refused(self, error: SpecError) -> None:
        """Tell that the project file is wrong."""
        for problem in error.problems:
            print(problem.render(), file=sys.stderr)

    def finish(self, results: Sequence[LevelResult]) -> None:
        """Tell the end."""
        self.bar.clear()
        counts = dict.fromkeys(("built", "unchanged", "failed"), 0)
        for result in results:
            counts[result.status] += 1
        said = [f"{count} {status}" for status, count in counts.items() if count]
        print(f"{_count(len(results), 'level')}: {', '.join(said)}" if said else "no levels found")


class JsonReporter:
    """For programs: one document on standard output."""

    def event(self, event: Event) -> None:
        """Say nothing until the end, but for our own bugs."""
        if isinstance(event, LevelResult) and event.traceback:
            print(event.traceback, file=sys.stderr)

    def progress(self, done: int, total: int) -> None:
        """Say nothing until the end."""

    def refused(self, error: SpecError) -> None:
        """Tell that the project file is wrong, in the same document form."""
        errors = [problem_report(problem) for problem in error.problems]
        print(json.dumps({"levels": [], "errors": errors}, indent=1))

    def finish(self, results: Sequence[LevelResult]) -> None:
        """Print the document."""
        print(json.dumps({"levels": [result.report() for result in results]}, indent=1))


def milliseconds(seconds: float) -> str:
    """Word a duration."""
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _files(number: int) -> str:
    return _count(number, "file")


def report_checks(checked: Sequence[Checked], as_json: bool) -> bool:
    """Report validated files; return whether any has a problem."""
    problems = [problem for one in checked for problem in one.problems]
    if as_json:
        print(json.dumps(_check_document(checked), indent=1))
        return bool(problems)
    for problem in problems:
        print(problem.render(), file=sys.stderr)
    files = _count(len(checked), "file")
    if problems:
        wrong = sum(1 for one in checked if one.problems)
        print(f"{_count(len(problems), 'problem')} in {wrong} of {files}", file=sys.stderr)
    else:
        print(f"{files}: no problems")
    return bool(problems)


def _check_document(checked: Sequence[Checked]) -> dict[str, Any]:
    levels = []
    errors = []
    for one in checked:
        reports = [problem_report(problem) for problem in one.problems]
        if not one.level:
            errors += reports
            continue
        levels.append(
            {
                "level": one.level,
                "spec": one.file,
                "status": "failed" if reports else "unchanged",
                "seconds": 0.0,
                "outputs": [],
                "errors": reports,
            }
        )
    return {"levels": levels, "errors": errors} if errors else {"levels": levels}


def report_inspections(files: Sequence[Path], as_json: bool) -> int:
    """Report what is in files; return the exit code (1 when a blob is damaged)."""
    from exporter.inspection.blobs import inspect_bytes, inspection_text
    from exporter.model.errors import BlobError

    code = 0
    documents = []
    for file in files:
        try:
            inspection = inspect_bytes(file.read_bytes())
        except (BlobError, OSError) as error:
            print(f"{file}: error: {error}", file=sys.stderr)
            documents.append({"file": str(file), "error": str(error)})
            code = 1
            continue
        documents.append({"file": str(file), **inspection.report()})
        if not as_json:
            print(f"{file}\n{inspection_text(inspection)}")
    if as_json:
        print(json.dumps({"files": documents}, indent=1))
    return code
