"""Report the state of a whole project, but nothing twice."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from exporter.export.events import PreservedOutputs, ProjectProblems, Reporter, Stale, Upkeep
from exporter.export.project_snapshot import ProjectSnapshot
from exporter.export.status import Status
from exporter.model.errors import Problem
from exporter.project.project import FILE_NAME
from exporter.store.entries import ManifestEntry


class ProjectReports:
    """Reports about a project as a whole, unless they were made already.

    Args:
        reporter: Receives the events.
        status: Receives the problems for engine plugins.

    Attributes:
        preserved: The user-modified outputs that were reported, by spec.
        problems: The project's problems that were reported.
    """

    def __init__(self, reporter: Reporter, status: Status) -> None:
        self.reporter = reporter
        self.status = status
        self.preserved: dict[str, tuple[str, ...]] = {}
        self.problems: tuple[Problem, ...] = ()
        self._stale: tuple[str, ...] = ()
        # Files that no glob matches, and whether there are specs at all.
        self._unmatched: tuple[tuple[str, ...], bool] = ((), True)

    def keep(self, specs: Collection[str]) -> None:
        """Forget the reports about all but these specs."""
        self.preserved = {
            spec: remaining for spec, remaining in self.preserved.items() if spec in specs
        }

    def report_retained(self, entry: ManifestEntry, preserved: tuple[str, ...]) -> None:
        """Report a level's user-modified outputs, unless that was done already.

        Args:
            entry: The manifest entry of the level, or of the project's plugins.
            preserved: The paths of these outputs.
        """
        if preserved == self.preserved.get(entry.spec, ()):
            return
        self.preserved[entry.spec] = preserved
        if entry.spec != FILE_NAME:
            self.reporter.report(PreservedOutputs(entry.level, entry.spec, preserved))
        elif preserved:
            self.reporter.report(Upkeep((), preserved))

    def report_problems(self, problems: tuple[Problem, ...]) -> bool:
        """Report the project's problems; return whether they have changed."""
        if problems == self.problems:
            return False
        self.problems = problems
        self.status.project_problems = tuple(
            problem for problem in problems if problem.severity == "error"
        )
        self.reporter.report(ProjectProblems(problems))
        return True

    def report_unmatched(self, root: Path, snapshot: ProjectSnapshot) -> bool:
        """Report files that look like specs, but match no pattern for specs.

        Args:
            root: The project's folder.
            snapshot: The project's specs as last read, and these files.

        Returns:
            Whether the files differ from those reported last.
        """
        unmatched = (snapshot.others, bool(snapshot.specs or snapshot.unreadable))
        if unmatched == self._unmatched:
            return False
        from exporter.project.unmatched_files import no_specs, warn_of_unmatched_files

        self._unmatched = unmatched
        patterns = snapshot.mark.patterns
        problems = warn_of_unmatched_files(root, patterns, snapshot.others)
        if not (snapshot.specs or snapshot.unreadable):
            problems.append(no_specs(root, patterns))
        return self.report_problems(tuple(problems))

    def report_stale(self, paths: tuple[str, ...]) -> None:
        """Report the outputs that no spec or target writes any more."""
        if paths != self._stale:
            self._stale = paths
            self.reporter.report(Stale(paths))
