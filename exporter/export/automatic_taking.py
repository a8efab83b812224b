"""Takes painted maps before levels are built, for targets with `edits: auto`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exporter.export.events import MAP_SUFFIXES, Remark, Reporter
from exporter.export.painted_files import DrawnLevel, waiting_files
from exporter.export.settings import Settings
from exporter.export.staleness import Staleness, Standing
from exporter.export.wanted import ProjectFiles, Wanted
from exporter.model.errors import SpecError, StoreError
from exporter.store.atomic_files import Signature
from exporter.store.entries import Output
from exporter.store.store import Store

AUTOMATIC = "auto"


class AutomaticTaking:
    """Takes the painted maps of one project as they turn up.

    Args:
        root: The project's folder.
        store: What is remembered.
        files: The project's files.
        staleness: Tells how outputs stand.
        settings: How the project is exported.
        reporter: Is told what was taken.
    """

    def __init__(
        self,
        root: Path,
        store: Store,
        files: ProjectFiles,
        staleness: Staleness,
        settings: Settings,
        reporter: Reporter,
    ) -> None:
        self.root = root
        self.store = store
        self.files = files
        self.staleness = staleness
        self.settings = settings
        self.reporter = reporter
        # Painted maps that stay as they are, with the signatures they had when that was found.
        self._left: dict[str, Signature | None] = {}

    def take(self, wanted: Wanted) -> bool:
        """Take what was painted; return whether hand edits were written, or a map is ours again.

        The store must be locked. Nothing is taken where outputs are written over, or in a dry run.

        Args:
            wanted: What the project's files ask for.
        """
        if self.settings.dry_run or self.settings.overwrite:
            return False
        taken = self._take_waiting(wanted)
        touched = {
            spec: maps
            for spec, level in wanted.levels.items()
            if self.settings.selects(level.name, spec) and (maps := self._touched(spec))
        }
        if not touched:
            return taken
        targets = self._targets()
        for spec, maps in touched.items():
            painted = [
                output
                for output in maps
                if output.target in targets and self.staleness.standing(output) is Standing.KEPT
            ]
            if painted:
                taken = self._take(spec, wanted, targets) or taken
                for output in painted:
                    self._left[output.path] = self.store.signature(output.path)
        return taken

    def waits(self) -> bool:
        """Whether a file with painted cells waits that was not looked at."""
        return bool(self._waiting())

    def _waiting(self) -> list[Path]:
        """Return the files with painted cells that are not known to be no good."""
        found = []
        for file in waiting_files(self.root):
            path = file.relative_to(self.root).as_posix()
            signature = self.store.signature(path)
            if signature is not None and signature != self._left.get(path):
                found.append(file)
        return found

    def _take_waiting(self, wanted: Wanted) -> bool:
        """Take the cells that were painted in engines, as somebody asked for there."""
        files = self._waiting()
        if not files:
            return False
        from exporter.export.taking import read_all_drawn

        drawn, problems = read_all_drawn(files, wanted)
        for problem in problems:
            self.reporter.report(Remark(problem.headline()))
        taken = False
        for spec, level in wanted.levels.items():
            if level.name in drawn and self.settings.selects(level.name, spec):
                taken = self._take(spec, wanted, frozenset(), drawn[level.name]) or taken
        for file in files:
            path = file.relative_to(self.root).as_posix()
            self._left[path] = self.store.signature(path)
        return taken

    def _touched(self, spec: str) -> list[Output]:
        """Return the maps of a level that are not known to be as they were written.

        Of painted maps that stay as they are only those that somebody has saved again.
        """
        entry = self.store.entries.get(spec)
        return [
            output
            for output in (entry.outputs if entry is not None else ())
            if output.kind == "tilemap"
            and output.path.endswith(MAP_SUFFIXES)
            and self.store.signature(output.path)
            not in (output.signature, self._left.get(output.path), None)
        ]

    def _targets(self) -> frozenset[str]:
        """Return the names of the targets whose maps are taken by themselves."""
        targets = self.files.project().targets
        return frozenset(
            one.name for one in targets if getattr(one.options, "edits", None) == AUTOMATIC
        )

    def _take(
        self,
        spec: str,
        wanted: Wanted,
        targets: frozenset[str],
        drawn: Sequence[DrawnLevel] = (),
    ) -> bool:
        from exporter.export.taking import Taker, Taking

        taker = Taker(self.root, self.store, self.files, Taking(), targets)
        try:
            taken = taker.take(spec, wanted, drawn)
        except (SpecError, StoreError) as error:
            self.reporter.report(Remark(str(error)))
            return False
        if taken is None:
            return False
        for problem in taken.problems:
            self.reporter.report(Remark(problem.headline()))
        for path, lost in taken.kept:
            self.reporter.report(
                Remark(f"{path} stays as it is, because not all is a hand edit: {'; '.join(lost)}")
            )
        if taken.written:
            self.reporter.report(
                Remark(
                    f"{taken.level}: took {taken.cells} painted cells and {taken.objects} objects "
                    f"into {taken.file}"
                )
            )
        return taken.written or bool(taken.maps)
