"""Import cells painted in an engine before a build (`edits: auto`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.export.events import MAP_SUFFIXES, LevelResult, Remark, Reporter
from exporter.export.failures import Failure
from exporter.export.plan import ExportPlanner
from exporter.export.project_snapshot import ProjectSnapshot, waiting_files
from exporter.export.staleness import OutputState
from exporter.model.errors import SpecError, StoreError
from exporter.store.atomic_files import Signature
from exporter.store.entries import Output

if TYPE_CHECKING:
    from exporter.export.painted_files import DrawnLevel

AUTOMATIC = "auto"


class AutomaticImport:
    """Imports painted cells before a build, for targets with `edits: auto`.

    Users paint cells in an engine with the exporter's plugin, or on exported maps.

    Args:
        planner: Knows the project's files, and which outputs users have modified.
        reporter: Receives a remark about each import.
    """

    def __init__(self, planner: ExportPlanner, reporter: Reporter) -> None:
        self.planner = planner
        self.reporter = reporter
        # Painted maps that are kept, with their signatures at that time.
        self._left: dict[str, Signature | None] = {}
        # The levels whose maps could not be read because of a bug in the exporter.
        self.faults: dict[str, Failure] = {}

    def run(self, snapshot: ProjectSnapshot) -> bool:
        """Import painted cells; return whether edits files or maps changed.

        The caller must have locked the store. A dry run, or an export that overwrites outputs,
        imports nothing. `snapshot` has the project's specs as last read.
        """
        self.faults = {}
        if self.planner.settings.dry_run or self.planner.settings.overwrite:
            return False
        imported = self._import_waiting(snapshot)
        touched = {
            spec: maps
            for spec, level in snapshot.levels.items()
            if self.planner.settings.selects(level.name, spec)
            and (maps := self._possibly_painted_maps(spec))
        }
        if not touched:
            return imported
        targets = self._targets()
        for spec, maps in touched.items():
            painted = [
                output
                for output in maps
                if output.target in targets
                and self.planner.staleness.state(output) is OutputState.USER_MODIFIED
            ]
            if painted:
                imported = self._import(spec, snapshot, targets) or imported
                for output in painted:
                    self._left[output.path] = self.planner.store.signature(output.path)
        return imported

    def is_waiting(self) -> bool:
        """Return whether a file of cells painted in an engine is to be imported.

        Files that could not be imported, and have not changed since, do not count.
        """
        return bool(self._files_to_import())

    def _files_to_import(self) -> list[Path]:
        """Return the files of cells painted in engines that are to be imported.

        Files that could not be imported, and have not changed since, are left out.
        """
        result = []
        for file in waiting_files(self.planner.root):
            path = file.relative_to(self.planner.root).as_posix()
            signature = self.planner.store.signature(path)
            if signature is not None and signature != self._left.get(path):
                result.append(file)
        return result

    def _import_waiting(self, snapshot: ProjectSnapshot) -> bool:
        """Import the files in which engine plugins stored painted cells.

        Return whether edits files changed.
        """
        files = self._files_to_import()
        if not files:
            return False
        from exporter.export.import_edits import read_painted_files

        drawn, problems = read_painted_files(files, snapshot)
        for problem in problems:
            self.reporter.report(Remark(problem.headline()))
        imported = False
        for spec, level in snapshot.levels.items():
            if level.name in drawn and self.planner.settings.selects(level.name, spec):
                imported = self._import(spec, snapshot, frozenset(), drawn[level.name]) or imported
        for file in files:
            path = file.relative_to(self.planner.root).as_posix()
            self._left[path] = self.planner.store.signature(path)
        return imported

    def _possibly_painted_maps(self, spec: str) -> list[Output]:
        """Return exported maps of `spec` whose signature has changed.

        The signature (times and inode) shows that a user may have painted on the map. Maps that
        could not be imported, and have not changed since, are left out.
        """
        entry = self.planner.store.entries.get(spec)
        return [
            output
            for output in (entry.outputs if entry is not None else ())
            if output.kind == "tilemap"
            and output.path.endswith(MAP_SUFFIXES)
            and self.planner.store.signature(output.path)
            not in (output.signature, self._left.get(output.path), None)
        ]

    def _targets(self) -> frozenset[str]:
        targets = self.planner.files.project().targets
        return frozenset(
            target.name for target in targets if getattr(target.options, "edits", None) == AUTOMATIC
        )

    def _import(
        self,
        spec: str,
        snapshot: ProjectSnapshot,
        targets: frozenset[str],
        drawn: Sequence[DrawnLevel] = (),
    ) -> bool:
        from exporter.export.import_edits import EditImporter, ImportOptions

        importer = EditImporter(
            self.planner.root, self.planner.store, self.planner.files, ImportOptions(), targets
        )
        try:
            imported = importer.run(spec, snapshot, drawn)
        except (SpecError, StoreError) as error:
            self.reporter.report(Remark(str(error)))
            return False
        if imported is None:
            return False
        if imported.traceback:
            level = snapshot.levels[spec]
            result = LevelResult(
                level.name,
                spec,
                "failed",
                problems=imported.problems,
                traceback=imported.traceback,
            )
            self.faults[spec] = Failure(result, level.key)
            return False
        for problem in imported.problems:
            self.reporter.report(Remark(problem.headline()))
        for path, dropped in imported.preserved:
            self.reporter.report(
                Remark(
                    f"{path} stays as it is, because not all is a hand edit: {'; '.join(dropped)}"
                )
            )
        if imported.written:
            self.reporter.report(
                Remark(
                    f"{imported.level}: took {imported.cells} painted cells and "
                    f"{imported.objects} objects into {imported.file}"
                )
            )
        return imported.written or bool(imported.maps)
