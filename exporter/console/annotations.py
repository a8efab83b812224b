"""Print problems for CI: GitHub workflow commands, or SARIF documents.

Both name files relative to the repository, so that CI shows a problem at its line. The repository
is the folder in `GITHUB_WORKSPACE`, or else the working folder. With `--check`, stale outputs are
problems of their spec, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from exporter.export import events
from exporter.model.errors import Problem
from exporter.model.excerpts import for_terminals
from exporter.model.texts import count
from exporter.project.project import FILE_NAME, display_path

if TYPE_CHECKING:
    from exporter.export.checking import Checked

AnnotationFormat = Literal["github", "sarif"]

# Limit of files named in the annotation of a spec whose outputs are stale.
NAMED_FILES = 3
_WAY_OUT = "run `exporter export` and commit the files"


class AnnotatingReporter:
    """A reporter that forwards events, and collects their problems.

    Args:
        reporter: Receives every event.
        root: The project's folder.
        stale: Whether outputs that would change count as problems, as with `--check`.
    """

    def __init__(self, reporter: events.Reporter, root: Path, *, stale: bool = False) -> None:
        self.reporter = reporter
        self.problems: list[Problem] = []
        self._root = root
        self._stale = stale

    def report(self, event: events.Event) -> None:
        """Forward an event, and add its problems to `problems`."""
        self.reporter.report(event)
        match event:
            case events.LevelResult():
                self._add((*event.problems, *event.warnings))
                self._warn_of_retained(event.spec, event.preserved)
                if event.status == "built":
                    self._stale_problem(event.spec, event.written, "not up to date")
            case events.ProjectProblems() | events.Refusal():
                self._add(event.problems)
            case events.Removal():
                self._stale_problem(FILE_NAME, event.paths, "to be removed")
                self._warn_of_retained(FILE_NAME, event.preserved)
            case events.PreservedOutputs():
                self._warn_of_retained(event.spec, event.paths)
            case events.Stale():
                self._stale_problem(
                    FILE_NAME,
                    event.paths,
                    "stale: no spec and target writes any of them",
                    "`exporter clean --stale` removes them",
                )
            case events.Upkeep():
                self._stale_problem(FILE_NAME, event.paths, "not up to date")
                self._warn_of_retained(FILE_NAME, event.preserved)
            case _:
                pass  # no problem of a file

    def _add(self, problems: Iterable[Problem]) -> None:
        self.problems += (problem for problem in problems if problem not in self.problems)

    def _stale_problem(
        self, file: str, paths: Sequence[str], what: str, way_out: str = _WAY_OUT
    ) -> None:
        if self._stale and paths:
            verb = "is" if len(paths) == 1 else "are"
            message = f"{count(len(paths), 'file')} {verb} {what}: {_names(paths)} ({way_out})"
            self._add((Problem(message, self._relative(file)),))

    def _warn_of_retained(self, file: str, paths: Sequence[str]) -> None:
        for path in paths:
            message = f"{path}: {events.preserved_message(path)}"
            self._add((Problem(message, self._relative(file), severity="warning"),))

    def _relative(self, path: str) -> str:
        """Return `path`, relative to the project, as problems show it."""
        return display_path(self._root / path)


def problems_of(checked: Iterable[Checked]) -> list[Problem]:
    """Return the errors and warnings of checked files."""
    return [problem for item in checked for problem in (*item.problems, *item.warnings)]


def print_annotations(kind: AnnotationFormat, problems: Iterable[Problem]) -> None:
    """Print problems as workflow commands (stderr) or as SARIF (stdout).

    `kind` is `github` for workflow commands, or `sarif`. CI reads workflow commands from both
    streams; on stderr they do not mix with other output.
    """
    placed = [replace(problem, file=_in_repository(problem.file)) for problem in problems]
    if kind == "sarif":
        from exporter.console.sarif import sarif_text

        print(sarif_text(placed), end="", flush=True)
        return
    for problem in placed:
        print(workflow_command(problem), file=sys.stderr, flush=True)


def workflow_command(problem: Problem) -> str:
    """Return the line by which GitHub shows a problem at its file and line."""
    properties: dict[str, object] = {"file": problem.file, "line": problem.line}
    properties["col"] = problem.column
    if problem.source:
        # Columns count from 1, and the last one is part of the range.
        properties["endColumn"] = problem.column + max(problem.length, 1) - 1
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{problem.severity} {listed}::{_data(problem.message)}"


def _names(paths: Sequence[str]) -> str:
    more = [f"and {len(paths) - NAMED_FILES} more"] if len(paths) > NAMED_FILES else []
    return ", ".join([*paths[:NAMED_FILES], *more])


def _in_repository(file: str) -> str:
    """Return `file` relative to the repository; unchanged if it is outside.

    Links in the repository's own path are resolved; a spec that is a link keeps its name.
    """
    path = os.path.abspath(file)
    base = os.path.abspath(os.environ.get("GITHUB_WORKSPACE") or ".")
    for folder in (Path(base), Path(os.path.realpath(base))):
        if Path(path).is_relative_to(folder):
            return Path(path).relative_to(folder).as_posix()
    return file


def _data(text: str) -> str:
    """Escape the text of a workflow command, which is a single line."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return for_terminals(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
