"""Plan an export: find the stale levels and other changes of a project.

Nothing is written or reported here. A `ProjectSnapshot` has the requests of exporter.yaml and the
specs, `ProjectChanges` the changes that need no build, and an `ExportPlan` the levels to build.
`commit` applies the changes and `run` builds the levels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from exporter.export.events import LevelResult
from exporter.export.failures import Failure, Failures
from exporter.export.project_snapshot import ProjectFiles, ProjectSnapshot
from exporter.export.removals import DeletedSpecs, DeletionTracker
from exporter.export.settings import Settings
from exporter.export.staleness import Staleness, StalenessReport
from exporter.export.tasks import Task, TaskResult, level_key, peek_chunk
from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import FILE_NAME, display_path
from exporter.reading.names import edits_file
from exporter.store.code_identity import code_identity
from exporter.store.entries import ManifestEntry, part_key, parts_by_spec, spec_of
from exporter.store.store import Store

# How long to wait before outputs that another program holds open are removed again.
REMOVAL_PAUSE = 2.0


@dataclass(frozen=True, slots=True)
class StaleLevel:
    """A level to build, and what made it stale."""

    task: Task
    level: str
    causes: tuple[str, ...]
    is_world: bool = False


@dataclass(frozen=True, slots=True)
class ProjectChanges:
    """The changes to make before levels are built.

    Attributes:
        deleted: The specs that disappeared.
        retained_plugins: User-modified files of engine plugins; None if some must be written.
        unreadable: The specs that cannot be read.
    """

    deleted: DeletedSpecs
    retained_plugins: tuple[str, ...] | None
    unreadable: tuple[Failure, ...]


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """The levels that an export builds.

    Attributes:
        snapshot: The requests of the project's files.
        levels: The levels to build.
        conflicts: Levels that fail without a build: their name is used twice, or planning failed.
        comparison: Other findings from the comparison with the outputs.
    """

    snapshot: ProjectSnapshot
    levels: tuple[StaleLevel, ...]
    conflicts: tuple[Failure, ...]
    comparison: StalenessReport

    def without(self, faults: Mapping[str, Failure]) -> ExportPlan:
        """Return the plan without the specs that failed."""
        if not faults:
            return self
        levels = tuple(level for level in self.levels if level.task.spec not in faults)
        return replace(self, levels=levels, conflicts=(*self.conflicts, *faults.values()))


class ExportPlanner:
    """Plans the exports of one project.

    Args:
        root: The project's folder.
        store: The manifest, only read.
        failures: The levels that failed.
        settings: How to export.

    Attributes:
        files: The project's files.
        staleness: Compares the files with the outputs.
        deletions: Tracks how long deleted specs have been missing.
    """

    def __init__(self, root: Path, store: Store, failures: Failures, settings: Settings) -> None:
        self.root = root
        self.store = store
        self.failures = failures
        self.settings = settings
        self.files = ProjectFiles(root, store, code_identity())
        self.staleness = Staleness(self.files, store, failures, settings)
        self.deletions = DeletionTracker(root, store, settings.grace)

    def read(self) -> ProjectSnapshot:
        """Return what the project's files request now.

        Raises:
            SpecError: exporter.yaml is wrong.
        """
        return self.files.read()

    def changes(self, snapshot: ProjectSnapshot) -> ProjectChanges:
        """Return the changes to make before levels are built."""
        self._note_absent(snapshot)
        plugins = self.store.entries.get(FILE_NAME)
        unreadable = [
            Failure(LevelResult(name, spec, "failed", problems=(problem,)))
            for spec, problem in snapshot.unreadable.items()
            if self.settings.selects(name := Path(spec).name.split(".")[0], spec)
        ]
        return ProjectChanges(
            self.deletions.find(snapshot) if self.settings.shard is None else DeletedSpecs(),
            self.staleness.preserved(plugins) if plugins is not None else None,
            tuple(unreadable),
        )

    def note_changes(self, snapshot: ProjectSnapshot, changes: ProjectChanges) -> None:
        """Record that the changes of a plan were made."""
        if self.settings.shard is None:
            left = [spec for spec in changes.deleted.deleted if spec in self.store.entries]
            self.deletions.put_off(left, REMOVAL_PAUSE)
            self._note_absent(snapshot)
        self.files.keep(self.inputs())

    def plan(
        self, snapshot: ProjectSnapshot, *, full: bool, only: Collection[str] = ()
    ) -> ExportPlan:
        """Return which levels must be built.

        Args:
            snapshot: The requested levels.
            full: Check the outputs, too: a removed output makes its level stale.
            only: Compare only these specs; all if empty.
        """
        comparison = self.staleness.compare(snapshot, full=full, only=only)
        named: dict[str, list[str]] = {}
        for spec, level in snapshot.levels.items():
            named.setdefault(level.name.casefold(), []).append(spec)
        levels, conflicts = [], []
        for spec, causes in comparison.stale.items():
            # Outputs are named after levels, and some file systems do not distinguish cases.
            namesakes = [
                other for other in named[snapshot.levels[spec].name.casefold()] if other != spec
            ]
            if namesakes:
                conflicts.append(self._conflict(spec, causes, namesakes, snapshot))
            elif (content := self.files.content(spec)) is not None:
                # Otherwise it is being written just now: the next look sees what became of it.
                levels.append(self._stale_level(spec, content, causes, snapshot))
        return ExportPlan(snapshot, tuple(levels), tuple(conflicts), comparison)

    def early_plan(self, only: Collection[str]) -> ExportPlan:
        """Return levels to build early, while files may still change.

        Args:
            only: Paths that changed. If some are specs, only these specs are checked.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: The project's state folder cannot be used.
        """
        self.store.peek()
        again = self.files.read_again(only)
        snapshot, specs = again if again is not None else (self.files.read(), ())
        return self.plan(snapshot, full=False, only=specs)

    def is_outdated(self, result: TaskResult) -> bool:
        """Return whether a level's inputs have changed since its build.

        A new file with hand edits counts as a change. A dry run does not check.
        """
        if self.settings.dry_run:
            return False
        edits = edits_file(result.task.spec)
        if edits not in result.inputs and (self.root / edits).exists():
            return True
        try:
            if (self.root / result.task.spec).read_bytes() != result.task.content:
                return True
        except OSError:
            return True
        return bool(self.files.changed(result.inputs))

    def renewed(self, stale: StaleLevel) -> StaleLevel | None:
        """Return a stale level with its current spec; None if unreadable."""
        spec = stale.task.spec
        try:
            content = (self.root / spec).read_bytes()
        except OSError:
            return None
        digest = hashlib.sha256(content).hexdigest()
        key = level_key(self.files.identity, self.files.fingerprint, spec, digest)
        task = replace(stale.task, content=content, key=key)
        return replace(stale, task=task, is_world=peek_chunk(content, spec))

    def part_entries(self, spec: str) -> list[ManifestEntry]:
        """Return the manifest entries of a world's parts, row by row."""
        entries = self.store.entries
        return [entries[key] for key in parts_by_spec(entries).get(spec, ())]

    def retained_of_part(self, task: Task, column: int, row: int) -> tuple[str, ...] | None:
        """Return a part's user-modified files; None if the part is stale.

        Args:
            task: A task of the world.
            column: The part's column, from 0 at the left.
            row: The part's row, from 0 at the top.
        """
        entry = self.store.entries.get(part_key(task.spec, column, row))
        if entry is None or entry.key != task.key or task.fresh:
            return None
        remaining = self.staleness.preserved(entry)
        is_overwritten = bool(remaining) and self.settings.overwrite
        return None if is_overwritten or self.files.changed(entry.inputs) else remaining

    def inputs(self) -> set[str]:
        """Return all files that specs have read, or tried to read."""
        paths = {path for entry in self.store.entries.values() for path in entry.inputs}
        return paths | self.failures.inputs()

    # --- inside -------------------------------------------------------------------------------

    def _note_absent(self, snapshot: ProjectSnapshot) -> None:
        known = {spec_of(key) for key in self.store.entries}
        self.files.known_absent = known - set(snapshot.specs) - {FILE_NAME}

    def _stale_level(
        self, spec: str, content: bytes, causes: tuple[str, ...], snapshot: ProjectSnapshot
    ) -> StaleLevel:
        level = snapshot.levels[spec]
        task = Task(
            self.files.project(),
            spec,
            content,
            level.key,
            self.files.identity,
            self.settings.force,
            self.settings.dry_run,
            jobs=self.settings.jobs,
        )
        return StaleLevel(task, level.name, causes, level.is_world)

    def _conflict(
        self,
        spec: str,
        causes: tuple[str, ...],
        namesakes: list[str],
        snapshot: ProjectSnapshot,
    ) -> Failure:
        level = snapshot.levels[spec]
        message = (
            f"the name {level.name!r} is also that of {', '.join(namesakes)} (write "
            "another `level` in one of the files, or rename it if it has none)"
        )
        problem = Problem(message, display_path(self.root / spec))
        # A change of one of the others makes this level be checked again.
        inputs = {other: snapshot.levels[other].digest for other in namesakes}
        result = LevelResult(level.name, spec, "failed", problems=(problem,), causes=causes)
        return Failure(result, level.key, inputs)
