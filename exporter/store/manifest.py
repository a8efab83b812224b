"""Record which files the exporter wrote for each spec, and their hashes.

The manifest is the file `manifest.json`, with a journal beside it that has a line for every change
since the manifest was written: saving one spec of a thousand appends one line. A line cut off by a
crash fails its checksum and ends the journal. The journal names the generation of its manifest; a
journal of another generation is ignored.

Manifest and journal have a seal, a hash keyed with a secret of the user and with the project's
path. A manifest without a valid seal comes from a stranger or a moved project. Then only the paths
and hashes of its outputs are trusted, and only for files in the project's target folders.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
from collections.abc import Collection, Iterator
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from exporter.store.atomic_files import Signature
from exporter.store.entries import (
    ManifestEntry,
    ProjectMark,
    entry_document,
    entry_of,
    is_shared,
    mark_of,
)
from exporter.store.folder import Folder
from exporter.store.held_files import refused
from exporter.store.indexes import Digests, IndexMarks, Location, home_of, trusted_hints
from exporter.store.user_folder import Seal

MANIFEST = "manifest.json"
JOURNAL = "manifest.journal"
# Size limit for parsing unsealed text: a few bytes of JSON can claim much memory.
MAXIMUM_BYTES = 256 << 20
MAXIMUM_HINT_BYTES = 8 << 20
VERSION = 3
# The form of the seal at the end of the manifest.
_SEAL = ',"seal":"'
_SEAL_DIGITS = 64
# From this number of entries on, it pays to hide them from the garbage collector.
_MANY_ENTRIES = 1000
# The first digits of its seal precede a line of the journal.
_LINE_DIGITS = 16


class Manifest:
    """The record of files that the exporter wrote, in the folder `state`.

    Change it only while holding the project's write lock. Several processes may read it.
    """

    def __init__(self, state: Path) -> None:
        self.state = state
        self.folder = Folder(state.parent, closed=False, follow=False)
        self.entries: dict[str, ManifestEntry] = {}
        self.project: ProjectMark | None = None
        # Whether the seal is missing, so that only paths and hashes of outputs are trusted.
        self.is_hint = False
        self.marks = IndexMarks()
        # Identities of the few entries that have any.
        self.identities: dict[str, dict[str, str]] = {}
        self._owners: dict[str, str] = {}
        # The specs that have each shared file as an output.
        self._sharers: dict[str, set[str]] = {}
        self._homes: Collection[str] | None = None
        self._hints: list[ManifestEntry] = []
        self._generation = 0
        self._base: tuple[int, ...] | None = None
        self._journal: tuple[int, int] | None = None
        self._lines: list[bytes] = []
        self._seen_project: tuple[int, int] | None = None

    # --- reading ------------------------------------------------------------------------------

    def refresh(self) -> bool:
        """Read the manifest again if another process changed it.

        Returns:
            Whether it was read; False if it is unchanged.
        """
        project = self._project_identity()
        if project == self._seen_project:
            if not self.is_other_on_disk() and self._base is not None:
                return False
            if self.entries and self._identity(MANIFEST) is None:
                # A deleted manifest is written again from memory.
                self._base = self._journal = None
                return True
        self._seen_project = project
        for _ in range(5):
            self._read()
            # Without the lock, another process may rewrite the manifest while we read.
            if self._identity(MANIFEST) == self._base:
                break
        return True

    def is_other_on_disk(self) -> bool:
        """Return whether another process wrote the manifest since it was read."""
        journal = self._identity(JOURNAL)
        seen = (journal[0], journal[1]) if journal is not None else None
        return self._identity(MANIFEST) != self._base or seen != self._journal

    def is_shared_with_others(self, path: str, spec: str) -> bool:
        """Return whether a spec other than `spec` also has the output `path`.

        Several specs can share a file such as a tileset.
        """
        return bool(self._sharers.get(path, set()) - {spec})

    def owner(self, path: str) -> str | None:
        """Return the spec that has the output `path`, ignoring case; None if none."""
        return self._owners.get(path.casefold())

    def _project_identity(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.state.parent)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _identity(self, name: str) -> tuple[int, ...] | None:
        try:
            status = os.lstat(self.state / name)
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _read(self) -> None:
        self._clear()
        self._generation, self._lines = 0, []
        self._base = self._identity(MANIFEST)
        self._journal = None
        try:
            data, _ = self.folder.read(self._path(MANIFEST), MAXIMUM_BYTES)
            self.is_hint = not self._is_sealed(data)
            if self.is_hint and len(data) > MAXIMUM_HINT_BYTES:
                raise ValueError("too large for a hint")
            with _uncollected():
                self._read_document(data)
                if len(self.entries) >= _MANY_ENTRIES:
                    gc.freeze()  # nor are they checked later
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
            self._start_anew()
            return
        except (RecursionError, MemoryError):
            self._start_anew()
            return
        if not self.is_hint:
            self._read_journal()

    def _read_document(self, data: bytes) -> None:
        document = json.loads(data)
        if document["version"] != VERSION:
            raise ValueError("the manifest has another version")
        self._read_base(document)

    def _start_anew(self) -> None:
        """Discard the content of a damaged manifest, so that all levels are built."""
        self._clear()
        self._base = None

    def _path(self, name: str) -> str:
        return f"{self.state.name}/{name}"

    @cached_property
    def _seal(self) -> Seal:
        return Seal(self.state.parent)

    def _is_sealed(self, data: bytes) -> bool:
        """Return whether the manifest file's text `data` ends with a valid seal.

        A seal is a keyed hash, which only this user can make.
        """
        end = len(data) - _SEAL_DIGITS - len('"}')
        start = end - len(_SEAL)
        if start < 0 or data[start:end] != _SEAL.encode() or data[-2:] != b'"}':
            return False
        digits = data[end:-2].decode("ascii", "replace")
        try:
            return self._seal.fits(bytes.fromhex(digits), b"manifest", data[:start])
        except ValueError:
            return False

    def _clear(self) -> None:
        self.entries, self.project, self._owners, self._sharers = {}, None, {}, {}
        self.marks, self.identities = IndexMarks(), {}
        self._hints = []

    def _read_base(self, document: dict[str, Any]) -> None:
        if self.is_hint:
            entries = map(entry_of, document["levels"])
            self._hints = [hint for entry in entries for hint in trusted_hints(entry)]
            if self._homes is not None:
                self.restrict(self._homes)
            return
        self._generation = int(document["generation"])
        self.project = mark_of(document["project"])
        levels = document["levels"]
        levels.reverse()
        while levels:  # taken from the list, so that no level is in memory twice
            self._remember(entry_of(levels.pop()))
        self._read_marks(document)

    def _read_journal(self) -> None:
        identity = self._identity(JOURNAL)
        if identity is None:
            return
        try:
            data, _ = self.folder.read(self._path(JOURNAL), MAXIMUM_BYTES)
        except OSError:
            return
        good = 0
        seal = self._seal
        for number, line in enumerate(data.splitlines(keepends=True)):
            change = _change_of(line, seal)
            if change is None or (number == 0) != ("generation" in change):
                break
            if number == 0 and change["generation"] != self._generation:
                break
            try:
                self._apply(change)
            except (KeyError, TypeError, ValueError, IndexError, AttributeError):
                break
            good += len(line)
        if good:
            self._journal = (identity[0], good)

    def _apply(self, change: dict[str, Any]) -> None:
        if "project" in change:
            self.project = mark_of(change["project"])
        elif "level" in change:
            self._remember(entry_of(change["level"]))
        elif "gone" in change:
            self._forget(change["gone"])
        elif "indexes" in change:
            self._read_marks(change)

    def _read_marks(self, data: dict[str, Any]) -> None:
        signatures = {
            str(home): (int(mark[0]), int(mark[1]), int(mark[2]))
            for home, mark in data["indexes"].items()
        }
        self.marks.mark(signatures, map(str, data["alone"]))

    def restrict(self, homes: Collection[str]) -> None:
        """Trust a manifest without a seal only for files in the folders `homes`.

        The folders are those in which the project's outputs lie.
        """
        self._homes = homes
        hints, self._hints = self._hints, []
        for hint in hints:
            outputs = tuple(
                replace(output, home=home)
                for output in hint.outputs
                for home in [home_of(output, homes)]
                if home is not None
            )
            if outputs:
                self._remember(replace(hint, outputs=outputs))

    # --- changing -----------------------------------------------------------------------------

    def _line(self, change: dict[str, Any]) -> bytes:
        text = json.dumps(change, separators=(",", ":")).encode()
        return b"%s %s\n" % (_line_seal(self._seal, text), text)

    def put(self, entry: ManifestEntry) -> None:
        """Replace the entry of `entry.spec`; `flush` writes the change to disk."""
        self._remember(entry)
        self._lines.append(self._line({"level": entry_document(entry)}))

    def drop(self, spec: str) -> None:
        """Remove the entry of `spec`; `flush` writes the change to disk."""
        self._forget(spec)
        self._lines.append(self._line({"gone": spec}))

    def mark(self, project: ProjectMark) -> None:
        """Remember the facts `project` of exporter.yaml; `flush` writes them."""
        self.project = project
        self._lines.append(self._line({"project": asdict(project)}))

    @property
    def indexes(self) -> dict[str, Signature]:
        """The signatures of the indexes when they last matched the manifest.

        They are by folder; empty if an entry has changed since.
        """
        return self.marks.current

    def mark_indexes(self, indexes: dict[str, Signature], alone: Collection[str] = ()) -> None:
        """Record that the indexes match the entries; `flush` writes this to disk.

        `indexes` are the signatures of the indexes, by folder; `alone` are the folders whose
        indexes list only files of the manifest.
        """
        self.marks.mark(indexes, alone)
        self._lines.append(self._line(_marks_document(self.marks)))

    def differences(self) -> dict[Location, tuple[Digests, Digests | None]]:
        """Return the files whose lines in the indexes must change.

        The result has the present and the new hashes of each file, by index folder and path; None
        as new hashes if no entry has the file any more.
        """
        return self.marks.differences(self.entries, self._sharers)

    def flush(self, *, durable: bool = False) -> None:
        """Write changes that are only in memory to the journal on disk.

        If `durable` is true, wait until they are on the disk, which is needed before new files are
        written.

        Raises:
            StoreError: The journal cannot be written; the state in memory still matches the files.
        """
        if not self._lines and (self._base is not None or not self.entries):
            return
        status = self._identity(JOURNAL)
        if self._base is None or self.is_hint:
            self.compact()
        elif status is None and self._journal is None:
            self._append(self._line({"generation": self._generation}), durable)
        elif status is not None and (status[0], status[1]) == self._journal:
            self._append(b"", durable)
        else:
            self.compact()  # the journal is not the one we read, or its end is damaged

    def _append(self, head: bytes, durable: bool) -> None:
        path = self.state / JOURNAL
        data = head + b"".join(self._lines)
        try:
            with self.folder.open(self.state.name) as state:
                descriptor = state.append(JOURNAL)
            try:
                before = os.fstat(descriptor).st_size
                try:
                    if os.write(descriptor, data) != len(data):
                        raise OSError(28, "No space left on device", str(path))
                    if durable:
                        os.fsync(descriptor)
                except OSError:
                    with contextlib.suppress(OSError):
                        os.ftruncate(descriptor, before)
                    raise
                after = os.fstat(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise refused(error, path) from None
        self._lines = []
        self._journal = (after.st_ino, after.st_size)

    @property
    def has_journal(self) -> bool:
        """Whether changes are in the journal that the manifest file lacks."""
        return self._journal is not None or self._base is None or bool(self._lines)

    def compact(self) -> None:
        """Rewrite the manifest file with all changes; remove the journal.

        Raises:
            StoreError: The manifest cannot be written; manifest and journal are unchanged.
        """
        generation = self._generation + 1
        with _uncollected():
            text = self._document_text(generation)
        seal = self._seal.of(b"manifest", text).hex()
        try:
            self.folder.write(self._path(MANIFEST), text + f'{_SEAL}{seal}"}}'.encode())
        except OSError as error:
            raise refused(error, self.state / MANIFEST) from None
        self.is_hint = False
        self._generation = generation
        self._base = self._identity(MANIFEST)
        self._lines = []
        self._journal = None
        # From here on the old journal is void whether or not it can be removed.
        with contextlib.suppress(OSError):
            self.folder.remove(self._path(JOURNAL))

    def _document_text(self, generation: int) -> bytes:
        """Return the JSON text of manifest number `generation`, without its seal."""
        document = {
            "version": VERSION,
            "generation": generation,
            "project": None if self.project is None else asdict(self.project),
            **_marks_document(self.marks),
            "levels": [entry_document(self.entries[spec]) for spec in sorted(self.entries)],
        }
        return json.dumps(document, separators=(",", ":"))[:-1].encode()

    def _remember(self, entry: ManifestEntry) -> None:
        self.marks.change(entry.spec, self.entries.get(entry.spec))
        self._disown(entry.spec)
        self.entries[entry.spec] = entry
        if entry.identities:
            self.identities[entry.spec] = entry.identities
        for output in entry.outputs:
            self._owners[output.path.casefold()] = entry.spec
            if is_shared(output.path):
                self._sharers.setdefault(output.path, set()).add(entry.spec)
        for output in entry.stale:
            self._owners.setdefault(output.path.casefold(), entry.spec)

    def _forget(self, spec: str) -> None:
        self.marks.change(spec, self.entries.get(spec))
        self._disown(spec)
        self.entries.pop(spec, None)

    def _disown(self, spec: str) -> None:
        self.identities.pop(spec, None)
        old = self.entries.get(spec)
        for output in old.files if old is not None else ():
            self._sharers.get(output.path, set()).discard(spec)
            folded = output.path.casefold()
            if self._owners.get(folded) == spec:
                del self._owners[folded]


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the garbage collector during a `with` block.

    The collector checks all objects again and again while their number grows; for ten thousand
    levels this took twice as long as everything else.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _marks_document(marks: IndexMarks) -> dict[str, Any]:
    return {"indexes": marks.current, "alone": sorted(marks.alone) if marks.current else []}


def _change_of(line: bytes, seal: Seal) -> dict[str, Any] | None:
    """Decode the change in a line of the journal.

    None if `line` is damaged: the checksum that `seal` computes does not fit.
    """
    digits, space, text = line[:_LINE_DIGITS], line[_LINE_DIGITS : _LINE_DIGITS + 1], line[:-1]
    text = text[_LINE_DIGITS + 1 :]
    if not line.endswith(b"\n") or space != b" " or digits != _line_seal(seal, text):
        return None
    try:
        change = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return change if isinstance(change, dict) else None


def _line_seal(seal: Seal, text: bytes) -> bytes:
    return seal.of(b"journal", text).hex()[:_LINE_DIGITS].encode()
