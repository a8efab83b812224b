"""Plan an export: find the stale levels and other changes of a project.

Nothing is written or reported here. A `ProjectSnapshot` has what exporter.yaml and the specs
request, `ProjectChanges` the changes that need no build, and an `ExportPlan` the levels to build.
The module `commit` makes the changes, and `run` builds the levels.
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

# Seconds until outputs that another program holds open are to be removed again.
REMOVAL_PAUSE = 2.0


@dataclass(frozen=True, slots=True)
class StaleLevel:
    """A level that must be built again, and what made it stale.

    Attributes:
        task: The task to build the level; for a world, to plan its chunks.
        level: The level's name.
        causes: The paths of files whose change made the level stale.
        is_world: Whether the level is a world, which is exported in chunks.
    """

    task: Task
    level: str
    causes: tuple[str, ...]
    is_world: bool = False


@dataclass(frozen=True, slots=True)
class ProjectChanges:
    """The changes of a project that need no build of levels.

    Attributes:
        deleted: The specs that are missing now, by what happens to their outputs.
        retained_plugins: The paths of user-modified files of engine plugins; None if a file of a
            plugin must be written.
        unreadable: A failure for each spec that cannot be read.
    """

    deleted: DeletedSpecs
    retained_plugins: tuple[str, ...] | None
    unreadable: tuple[Failure, ...]


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """The levels that an export builds, and other findings.

    Attributes:
        snapshot: The project's specs as last read.
        levels: The stale levels, to be built.
        conflicts: Failures of levels that are not built: another level has the same name, or
            importing painted cells failed.
        comparison: What comparing the specs with the manifest and the outputs found.
    """

    snapshot: ProjectSnapshot
    levels: tuple[StaleLevel, ...]
    conflicts: tuple[Failure, ...]
    comparison: StalenessReport

    def without(self, faults: Mapping[str, Failure]) -> ExportPlan:
        """Return the plan without the levels of the specs in `faults`.

        The failures, by spec, are added to `conflicts`.
        """
        if not faults:
            return self
        levels = tuple(level for level in self.levels if level.task.spec not in faults)
        return replace(self, levels=levels, conflicts=(*self.conflicts, *faults.values()))


class ExportPlanner:
    """Plans the exports of one project.

    Args:
        root: The project's folder.
        store: The store with the manifest, which is only read.
        failures: Remembers levels whose last build failed.
        settings: The options of the export.

    Attributes:
        files: Reads the project's files.
        staleness: Finds stale levels, by comparing specs with the manifest and the outputs.
        deletions: Tracks how long specs have been missing.
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
        """Read exporter.yaml and the specs; return what they request now.

        Raises:
            SpecError: exporter.yaml is wrong.
        """
        return self.files.read()

    def changes(self, snapshot: ProjectSnapshot) -> ProjectChanges:
        """Return the changes of the project that need no build."""
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
        """Record that `changes` were made, so that they are not planned again.

        `snapshot` has the specs as they were when the changes were planned.
        """
        if self.settings.shard is None:
            left = [spec for spec in changes.deleted.deleted if spec in self.store.entries]
            self.deletions.put_off(left, REMOVAL_PAUSE)
            self._note_absent(snapshot)
        self.files.keep(self.inputs())

    def plan(
        self, snapshot: ProjectSnapshot, *, full: bool, only: Collection[str] = ()
    ) -> ExportPlan:
        """Compare the project with its outputs; return the levels to build.

        Args:
            snapshot: The project's specs as last read.
            full: Whether to check the output files, too: a missing one makes its level stale.
            only: The paths of specs to compare; empty for all.
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
                # Without content, the spec is being written just now; the next plan has it.
                levels.append(self._stale_level(spec, content, causes, snapshot))
        return ExportPlan(snapshot, tuple(levels), tuple(conflicts), comparison)

    def early_plan(self, only: Collection[str]) -> ExportPlan:
        """Return levels to build at once, while other files may still change.

        `only` are the paths known to have changed. If some of them are specs, only these specs are
        compared; else all. Output files are not checked.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: The project's state folder cannot be used.
        """
        self.store.peek()
        again = self.files.read_again(only)
        snapshot, specs = again if again is not None else (self.files.read(), ())
        return self.plan(snapshot, full=False, only=specs)

    def is_outdated(self, result: TaskResult) -> bool:
        """Return whether the spec or an input changed since `result` was built.

        A new file with hand edits counts as a change. In a dry run this is not checked: False.
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
        """Return `stale` with the present text of its spec; None if unreadable."""
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
        """Return the manifest entries of the chunks of the world `spec`.

        They are ordered row by row.
        """
        entries = self.store.entries
        return [entries[key] for key in parts_by_spec(entries).get(spec, ())]

    def retained_of_part(self, task: Task, column: int, row: int) -> tuple[str, ...] | None:
        """Return the user-modified files of a chunk that need not be built.

        None if the chunk must be built. `task` is any task of the world's present spec; `column`
        and `row` count from 0 at the upper left.
        """
        entry = self.store.entries.get(part_key(task.spec, column, row))
        if entry is None or entry.key != task.key or task.fresh:
            return None
        remaining = self.staleness.preserved(entry)
        is_overwritten = bool(remaining) and self.settings.overwrite
        return None if is_overwritten or self.files.changed(entry.inputs) else remaining

    def inputs(self) -> set[str]:
        """Return the paths of all files that builds read or looked for.

        These are the builds of the manifest's entries, and the failed ones.
        """
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
