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
    """Reports about a project as a whole; repeats no report.

    Args:
        reporter: Receives the events.
        status: Receives the project's problems, which engine plugins show.

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
        # The files that no glob matches, and whether there are any specs.
        self._unmatched: tuple[tuple[str, ...], bool] = ((), True)

    def keep(self, specs: Collection[str]) -> None:
        """Forget the reports about specs that are not in `specs`."""
        self.preserved = {
            spec: remaining for spec, remaining in self.preserved.items() if spec in specs
        }

    def report_retained(self, entry: ManifestEntry, preserved: tuple[str, ...]) -> None:
        """Report a level's user-modified outputs unless they were reported last.

        `entry` is the manifest entry of the level, or of the project's plugins; `preserved` are the
        paths of the outputs.
        """
        if preserved == self.preserved.get(entry.spec, ()):
            return
        self.preserved[entry.spec] = preserved
        if entry.spec != FILE_NAME:
            self.reporter.report(PreservedOutputs(entry.level, entry.spec, preserved))
        elif preserved:
            self.reporter.report(Upkeep((), preserved))

    def report_problems(self, problems: tuple[Problem, ...]) -> bool:
        """Report the project's problems unless the same were reported last.

        Return whether they were reported.
        """
        if problems == self.problems:
            return False
        self.problems = problems
        self.status.project_problems = tuple(
            problem for problem in problems if problem.severity == "error"
        )
        self.reporter.report(ProjectProblems(problems))
        return True

    def report_unmatched(self, root: Path, snapshot: ProjectSnapshot) -> bool:
        """Report files that look like specs but match no pattern of exporter.yaml.

        `root` is the project's folder; `snapshot` lists the files. Nothing is reported if the files
        are those that were reported last.

        Returns:
            Whether they were reported.
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
        """Report outputs that no spec or target writes, unless reported last.

        `paths` are the paths of these outputs.
        """
        if paths != self._stale:
            self._stale = paths
            self.reporter.report(Stale(paths))
