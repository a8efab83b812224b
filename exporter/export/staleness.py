"""Find stale levels by comparing specs with the manifest and the outputs.

The hash of a spec's bytes and of all other inputs shows that a level is unchanged, without parsing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import Enum

from exporter.export.failures import Failures
from exporter.export.project_snapshot import ProjectFiles, ProjectSnapshot
from exporter.export.settings import Settings
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import FILE_NAME
from exporter.store.atomic_files import Signature
from exporter.store.entries import ManifestEntry, Output, is_part, parts_by_spec
from exporter.store.ownership import FileState
from exporter.store.store import Store

# The most files whose verified state is kept in memory.
MAXIMUM_VERIFIED = 10_000
# The cause of a rebuild after an update of the exporter, or of a package that adds to it.
EXPORTER = "exporter"


class OutputState(Enum):
    """Whether an output is up to date, user-modified, or to be written.

    The values are texts in which "we" is the exporter.
    """

    UP_TO_DATE = "as we left it"
    USER_MODIFIED = "changed by a user: it stays"
    STALE = "to be written"


@dataclass(frozen=True, slots=True)
class StalenessReport:
    """The stale levels of a project, and other findings.

    Attributes:
        stale: For each stale level, by its spec: the paths whose change made it stale.
        recovered: Specs whose last build failed, but which are again as they were last exported.
        preserved: The user-modified outputs of each spec whose outputs were checked.
        touched: New signatures (times, inode) of outputs whose content is unchanged, by spec and
            path.
    """

    stale: dict[str, tuple[str, ...]]
    recovered: list[str]
    preserved: dict[str, tuple[str, ...]]
    touched: dict[str, dict[str, Signature]]


class Staleness:
    """Compares the specs of a project with the manifest and the outputs."""

    def __init__(
        self, files: ProjectFiles, store: Store, failures: Failures, settings: Settings
    ) -> None:
        self.files = files
        self.store = store
        self.failures = failures
        self.settings = settings
        # The state of outputs whose content was read, valid while the signature stays.
        self._verified: dict[str, tuple[Signature, OutputState]] = {}
        # The manifest keys of chunks at the last comparison, by the spec of their world.
        self._parts: dict[str, list[str]] = {}

    def compare(
        self, snapshot: ProjectSnapshot, *, full: bool, only: Collection[str] = ()
    ) -> StalenessReport:
        """Find the levels that are stale, and what made them stale.

        Args:
            snapshot: The project's specs as last read.
            full: Whether to check the output files, too: a missing one makes its level stale.
            only: The paths of specs to compare; empty for all.
        """
        comparison = StalenessReport({}, [], {}, {})
        self._parts = parts_by_spec(self.store.entries)
        for spec in only or snapshot.levels:
            level = snapshot.levels[spec]
            if not self.settings.selects(level.name, spec, is_world=level.is_world):
                continue
            failure = self.failures.get(spec)
            if (
                failure is not None
                and failure.key == level.key
                and not self.files.changed(failure.inputs)
                and not snapshot.new_edits(spec, failure.inputs)
            ):
                if failure.is_due():
                    comparison.stale[spec] = failure.result.causes
                continue
            causes = self._causes(spec, level.key, snapshot, full, comparison)
            if causes:
                comparison.stale[spec] = causes
            elif failure is not None:
                comparison.recovered.append(spec)
        return comparison

    def outputs_differ(self, reported: Mapping[str, tuple[str, ...]]) -> bool:
        """Return whether an export would find something to do or to report.

        Only outputs, indexes and the manifest are checked, and failed levels that are to be
        retried. `reported` are the user-modified outputs reported so far, by spec.
        """
        if self.store.manifest.is_other_on_disk() or self.failures.any_due():
            return True
        if self.store.indexes_changed():
            return True
        parts = parts_by_spec(self.store.entries)
        for spec, entry in self.store.entries.items():
            if spec in self.failures or spec in self.files.known_absent or is_part(spec):
                continue
            remaining = self.preserved(self._with_parts(entry, parts))
            if remaining is None or remaining != reported.get(spec, ()):
                return True
        return False

    def preserved(self, entry: ManifestEntry) -> tuple[str, ...] | None:
        """Return the user-modified outputs of `entry`.

        None if an output must be written, because it is missing or outdated.
        """
        remaining = []
        for output in entry.outputs:
            state = self.state(output)
            if state is OutputState.STALE:
                return None
            if state is OutputState.USER_MODIFIED:
                remaining.append(output.path)
        return tuple(remaining)

    def _causes(
        self,
        spec: str,
        key: str,
        snapshot: ProjectSnapshot,
        full: bool,
        comparison: StalenessReport,
    ) -> tuple[str, ...]:
        """Return the paths whose change made the level of `spec` stale, if any.

        `key` is the hash of the level's spec, settings and code now. If `full` is true, outputs are
        checked, too; what they show is added to `comparison`.
        """
        entry = self.store.entries.get(spec)
        if self.settings.force or entry is None:
            return (spec,)
        entry = self._with_parts(entry, self._parts)
        changed = self.files.changed(entry.inputs) + snapshot.new_edits(spec, entry.inputs)
        if entry.key != key:
            return (self._cause(spec, snapshot), *changed)
        if changed or not full:
            return changed
        state = {output.path: self.state(output) for output in entry.outputs}
        remaining = tuple(path for path, how in state.items() if how is OutputState.USER_MODIFIED)
        dropped = tuple(path for path, how in state.items() if how is OutputState.STALE)
        if remaining and self.settings.overwrite:
            return (*dropped, *remaining)  # they are overwritten, so there is nothing to report
        comparison.preserved[spec] = remaining
        if not dropped:
            comparison.touched[spec] = self._changed_signatures(entry)
        return dropped

    def _cause(self, spec: str, snapshot: ProjectSnapshot) -> str:
        """Return the path of what changed: `spec`, exporter.yaml or the exporter.

        The hash of all three is known to differ from the manifest's.
        """
        project = self.store.project
        if project is None or project == snapshot.mark:
            return spec
        return FILE_NAME if project.identity == snapshot.mark.identity else EXPORTER

    def _with_parts(self, entry: ManifestEntry, parts: Mapping[str, list[str]]) -> ManifestEntry:
        """Return `entry`; if it is a world's, with the outputs of its chunks.

        `parts` has the manifest keys of chunks, by the spec of their world.
        """
        keys = parts.get(entry.spec, ())
        if not keys:
            return entry
        entries = self.store.entries
        outputs = (output for key in keys for output in entries[key].outputs)
        return replace(entry, outputs=(*entry.outputs, *outputs))

    def _changed_signatures(self, entry: ManifestEntry) -> dict[str, Signature]:
        """Return outputs of `entry` whose signature changed, but not the content.

        The result has their new signatures (times and inode), by path.
        """
        touched = {}
        for output in entry.outputs:
            seen = self._verified.get(output.path)
            if seen and seen[1] is OutputState.UP_TO_DATE and seen[0] != output.signature:
                touched[output.path] = seen[0]
        return touched

    def state(self, output: Output) -> OutputState:
        """Return whether `output` is up to date, user-modified, or to be written.

        Its file is read only if its signature (times and inode) is new.
        """
        signature = self.store.signature(output.path)
        if signature is None:
            return OutputState.STALE
        if signature == output.signature:
            is_current = output.written == output.sha256
            return OutputState.UP_TO_DATE if is_current else OutputState.STALE
        seen = self._verified.get(output.path)
        if seen is not None and seen[0] == signature:
            return seen[1]
        look = self.store.look(output)
        if look.state is FileState.UP_TO_DATE:
            state = OutputState.UP_TO_DATE
        elif look.state is FileState.USER_MODIFIED or (
            look.state is FileState.UNTRACKED and output.once
        ):
            state = OutputState.USER_MODIFIED
        else:
            return OutputState.STALE
        if look.signature is not None:
            if len(self._verified) >= MAXIMUM_VERIFIED:
                self._verified.clear()
            self._verified[output.path] = (look.signature, state)
        return state
