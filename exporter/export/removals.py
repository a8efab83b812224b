"""Find deleted specs, and remove their outputs.

User-modified outputs stay. Outputs are removed only if a spec is gone while its folder is still
there: if a glob no longer matches, or a folder is unmounted, moved or unreadable, nothing is
removed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import reduce
from pathlib import Path
from time import monotonic

from exporter.export.events import Reason, Removal
from exporter.export.project_snapshot import ProjectSnapshot
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import FILE_NAME
from exporter.project.spec_files import is_discoverable
from exporter.store.entries import (
    ManifestEntry,
    Output,
    is_part,
    part_key,
    parts_by_spec,
    position_of,
)
from exporter.store.ownership import THEIRS, FileState
from exporter.store.store import Removed, Store


@dataclass(frozen=True, slots=True)
class DeletedSpecs:
    """The specs of the manifest that are missing now, by what happens next.

    Attributes:
        renamed: Specs that have another path now: new paths by old path.
        deleted: Specs whose outputs are removed now.
        waiting: Specs whose outputs are removed later if the specs stay missing.
        hidden: Specs whose outputs stay, because the specs may still exist in a folder that is
            moved, unmounted or unreadable, or no longer match a glob.
    """

    renamed: dict[str, str] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


class DeletionTracker:
    """Tracks how long specs have been missing.

    Editors may remove a file for a moment while they save it; a deleted spec stays missing.

    Args:
        root: The project's folder.
        store: The store with the manifest.
        grace: After how many seconds a missing spec counts as deleted.
    """

    def __init__(self, root: Path, store: Store, grace: float) -> None:
        self.root = root
        self.store = store
        self.grace = grace
        self._since: dict[str, float] = {}

    def find(self, snapshot: ProjectSnapshot) -> DeletedSpecs:
        """Return the missing specs: the manifest has them, `snapshot` lacks them."""
        here = {*snapshot.specs, FILE_NAME}
        removed = sorted(spec for spec in self.store.entries.keys() - here if not is_part(spec))
        self._since = {spec: self._since.get(spec, monotonic()) for spec in removed}
        renamed = self._find_renamed(removed, snapshot)
        deleted, waiting, hidden = [], [], []
        for spec in removed:
            if spec in renamed:
                continue
            if not self._is_deleted(self.store.entries[spec], snapshot.mark.patterns):
                hidden.append(spec)
            elif monotonic() >= self._since[spec] + self.grace:
                deleted.append(spec)
            else:
                waiting.append(spec)
        self._since = {spec: self._since[spec] for spec in waiting}
        return DeletedSpecs(renamed, deleted, waiting, hidden)

    def put_off(self, specs: Iterable[str], seconds: float) -> None:
        """Let the missing `specs` count as deleted only after `seconds` more."""
        for spec in specs:
            self._since[spec] = monotonic() - self.grace + seconds

    def due(self) -> float | None:
        """Return when the next missing spec counts as deleted.

        The time is one of the monotonic clock; None if no spec is missing.
        """
        return min(self._since.values()) + self.grace if self._since else None

    def _find_renamed(self, missing: list[str], snapshot: ProjectSnapshot) -> dict[str, str]:
        """Return the new paths of `missing` specs, by old path.

        The new spec has the same level's name as the old one, or the same content.
        """
        entries = self.store.entries  # an interrupted export may have left an entry without files
        new = [
            level for level in snapshot.levels if level not in entries or not entries[level].files
        ]
        if not missing or not new:
            return {}
        by_name = {snapshot.levels[spec].name.casefold(): spec for spec in reversed(new)}
        renamed: dict[str, str] = {}
        for spec in missing:
            heir = by_name.get(self.store.entries[spec].level.casefold())
            if heir is not None and heir not in renamed.values():
                renamed[spec] = heir
        for spec in missing:
            digest = self.store.entries[spec].digest
            if spec in renamed or not digest or os.path.lexists(self.root / spec):
                continue
            for heir in new:
                if snapshot.levels[heir].digest == digest and heir not in renamed.values():
                    renamed[spec] = heir
                    break
        return renamed

    def _is_deleted(self, entry: ManifestEntry, patterns: tuple[str, ...]) -> bool:
        """Return whether the spec of `entry` was deleted, not merely hidden.

        It was if its path still matches one of the glob `patterns`, and its folder is still the
        same.
        """
        path = self.root / entry.spec
        try:
            os.lstat(path)
        except FileNotFoundError:
            number = folder_number(path.parent)
            return bool(number) and number == entry.folder and is_discoverable(entry.spec, patterns)
        except OSError:
            pass
        return False


def noted_folders(
    root: Path, entries: Mapping[str, ManifestEntry], snapshot: ProjectSnapshot
) -> Iterator[ManifestEntry]:
    """Yield new entries of specs whose folder got another inode number.

    That number shows later whether a missing spec was deleted or its whole folder replaced. `root`
    is the project's folder; `entries` are the manifest's entries, by spec.
    """
    numbers: dict[str, int] = {}
    for spec in snapshot.levels:
        entry = entries.get(spec)
        if entry is None:
            continue
        folder = spec.rpartition("/")[0]
        if folder not in numbers:
            numbers[folder] = folder_number(root / folder)
        if entry.folder != numbers[folder]:
            yield replace(entry, folder=numbers[folder])


def folder_number(folder: Path) -> int:
    """Return the inode number of `folder`; 0 if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
        status = os.stat(folder)
    except OSError:
        return 0
    return status.st_ino if stat.S_ISDIR(status.st_mode) else 0


def remove_outputs_of_deleted_specs(
    store: Store, deleted: DeletedSpecs, snapshot: ProjectSnapshot
) -> Iterator[Removal]:
    """Remove the outputs of deleted specs; keep those of renamed ones.

    Args:
        store: The store with the manifest, locked by the caller.
        deleted: The missing specs, by what happens to their outputs.
        snapshot: The project's specs as last read.

    Yields:
        The removals to report.
    """
    parts = parts_by_spec(store.entries)
    for old, new in deleted.renamed.items():
        store.move(old, new)
        for key in parts.get(old, ()):
            store.move(key, part_key(new, *position_of(key)))
    # After a change of branches, a level on disk may use a shared file of a deleted spec.
    current = _are_current(store, snapshot)
    for spec in deleted.deleted:
        before = {key: store.entries[key] for key in (spec, *parts.get(spec, ()))}
        first, *more = (remove_outputs(store, key, with_shared=current) for key in before)
        removal = reduce(Removal.joined, more, first)
        if removal.held or any(store.entries.get(key) != before[key] for key in before):
            yield removal


def _are_current(store: Store, snapshot: ProjectSnapshot) -> bool:
    """Return whether the manifest has a finished export of every spec.

    The export must be of the spec as it is in `snapshot`.
    """
    entries = store.entries
    return all(
        spec in entries
        and spec in snapshot.levels
        and entries[spec].key == snapshot.levels[spec].key
        for spec in snapshot.specs
    )


def remove_outputs(
    store: Store, spec: str, reason: Reason = "spec gone", *, with_shared: bool = True
) -> Removal:
    """Remove the unmodified outputs of `spec`, and its manifest entry.

    `reason` is for the report. If `with_shared` is false, files that specs may share stay, as stale
    ones, because entries of other specs may be outdated.

    Raises:
        StoreError: A file cannot be removed.
    """
    level = store.entries[spec].level
    return removal(level, spec, store.forget(spec, with_shared=with_shared), reason)


def removal(level: str, spec: str, done: Removed, reason: Reason) -> Removal:
    """Return the event that reports a removal of outputs of `spec`.

    `done` is what the store removed and what stays; `reason` is why, as a word for the report.
    """
    return Removal(level, spec, done.removed, done.preserved, reason, done.held)


def stale_outputs(store: Store, live: Collection[str], *, listed: bool) -> list[Output]:
    """Return the files that no spec or target writes any more, by path.

    Args:
        store: The store with the manifest.
        live: The paths of the specs whose outputs are needed.
        listed: Whether the manifest has all outputs of these specs. Then other files that an index
            lists are stale, too.
    """
    result = [output for entry in store.entries.values() for output in entry.stale]
    for spec, entry in store.entries.items():
        result += entry.outputs if spec not in live else ()
    if listed:
        result += store.listed_only()
    return sorted(
        (output for output in result if _may_be_removed(store, output)),
        key=lambda output: output.path,
    )


def _may_be_removed(store: Store, output: Output) -> bool:
    state = store.look(output).state
    return state not in THEIRS and state is not FileState.MISSING and not store.is_twin(output)
