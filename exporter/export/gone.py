"""Specs that were exported and are not wanted any more: renamed, deleted, or only out of sight.

Only a spec that was deleted while its folder stands takes its outputs along. A glob that matches
no more, a folder that is unmounted, moved or cannot be read: they remove nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from exporter.export.wanted import Wanted
from exporter.project.project import FILE_NAME
from exporter.project.spec_files import would_be_found
from exporter.store.entries import Entry
from exporter.store.parts import is_part
from exporter.store.store import Store


@dataclass(frozen=True, slots=True)
class GoneSpecs:
    """What became of specs that are not there any more.

    Attributes:
        renamed: Old paths with the new ones.
        deleted: Those whose outputs are to be removed now.
        waiting: Those whose outputs are removed if they stay away.
        hidden: Those whose outputs stay.
    """

    renamed: dict[str, str]
    deleted: list[str]
    waiting: list[str]
    hidden: list[str]


class Gone:
    """Tells what became of specs, and for how long they have been away.

    Args:
        root: The project's folder.
        store: What is remembered.
        grace: Seconds for which a spec must be gone until it counts as deleted.
    """

    def __init__(self, root: Path, store: Store, grace: float) -> None:
        self.root = root
        self.store = store
        self.grace = grace
        self._since: dict[str, float] = {}

    def look(self, wanted: Wanted) -> GoneSpecs:
        """Sort the specs that are remembered and not wanted."""
        here = {*wanted.specs, FILE_NAME}
        gone = sorted(spec for spec in self.store.entries.keys() - here if not is_part(spec))
        self._since = {spec: self._since.get(spec, monotonic()) for spec in gone}
        renamed = self._renamed(gone, wanted)
        deleted, waiting, hidden = [], [], []
        for spec in gone:
            if spec in renamed:
                continue
            if not self._is_deleted(self.store.entries[spec], wanted.mark.patterns):
                hidden.append(spec)
            elif monotonic() >= self._since[spec] + self.grace:
                deleted.append(spec)
            else:
                waiting.append(spec)
        self._since = {spec: self._since[spec] for spec in waiting}
        return GoneSpecs(renamed, deleted, waiting, hidden)

    def put_off(self, specs: Iterable[str], seconds: float) -> None:
        """Count specs as deleted only after some seconds: their outputs could not be removed."""
        for spec in specs:
            self._since[spec] = monotonic() - self.grace + seconds

    def waits(self, spec: str) -> bool:
        """Whether a spec is away, but not for long enough to count as deleted."""
        return spec in self._since

    def due(self) -> float | None:
        """Return when the next spec that is away counts as deleted, on the monotonic clock."""
        return min(self._since.values()) + self.grace if self._since else None

    def note_folders(self, wanted: Wanted) -> None:
        """Remember what the system calls the folders of specs: another one has other content."""
        numbers: dict[str, int] = {}
        entries = self.store.entries
        for spec in wanted.levels:
            entry = entries.get(spec)
            if entry is None:
                continue
            folder = spec.rpartition("/")[0]
            if folder not in numbers:
                numbers[folder] = folder_number(self.root / folder)
            if entry.folder != numbers[folder]:
                self.store.manifest.put(replace(entry, folder=numbers[folder]))

    def _renamed(self, gone: list[str], wanted: Wanted) -> dict[str, str]:
        """Find specs that have another path now: with the same level's name or the same content."""
        entries = self.store.entries  # of an interrupted export there may be one without files
        new = [one for one in wanted.levels if one not in entries or not entries[one].files]
        if not gone or not new:
            return {}
        by_name = {wanted.levels[spec].name.casefold(): spec for spec in reversed(new)}
        renamed: dict[str, str] = {}
        for spec in gone:
            heir = by_name.get(self.store.entries[spec].level.casefold())
            if heir is not None and heir not in renamed.values():
                renamed[spec] = heir
        for spec in gone:
            digest = self.store.entries[spec].digest
            if spec in renamed or not digest or os.path.lexists(self.root / spec):
                continue
            for heir in new:
                if wanted.levels[heir].digest == digest and heir not in renamed.values():
                    renamed[spec] = heir
                    break
        return renamed

    def _is_deleted(self, entry: Entry, patterns: tuple[str, ...]) -> bool:
        """Whether a spec would be found if it were there, and its folder is the one it was in."""
        path = self.root / entry.spec
        if not would_be_found(entry.spec, patterns):
            return False
        try:
            os.lstat(path)
        except FileNotFoundError:
            number = folder_number(path.parent)
            return bool(number) and number == entry.folder
        except OSError:
            return False
        return False


def folder_number(folder: Path) -> int:
    """Return what the system calls a folder that can be read; 0 for none."""
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
        status = os.stat(folder)
    except OSError:
        return 0
    return status.st_ino if stat.S_ISDIR(status.st_mode) else 0
