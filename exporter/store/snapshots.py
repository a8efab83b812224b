"""Detect changed files by their signature; read only those again.

A file's signature (times, inode, size) shows when its content must be hashed again; the hash shows
whether it changed. Some file systems store times in whole seconds: there a file can change twice
without its time changing, so its content is read every time.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection
from pathlib import Path

from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.store.atomic_files import Signature, signature_of

_WHOLE_SECOND = 1_000_000_000

FileSignature = tuple[Signature, int]
# Returns a name for a file from its path, hash and content.
Namer = Callable[[str, str, bytes], str]


@dataclass(slots=True)
class Snapshot:
    """A file's signature and content hash when it was last read.

    Attributes:
        signature: The signature (times, inode, size) by which a change is noticed; None if missing.
        digest: The SHA-256 of the content; empty for a file that could not be read.
        name: What the `namer` of `look_at` returned for the file; else empty.
    """

    signature: FileSignature | None
    digest: str
    name: str = ""


class Snapshots:
    """Remembers files below the folder `root`, to find out which have changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._seen: dict[str, Snapshot] = {}

    def signature(self, path: str) -> FileSignature | None:
        """Return the present signature of the file `path`; None if missing."""
        try:
            status = os.stat(f"{self.root}/{path}")
        except OSError:
            return None
        return signature_of(status), status.st_size

    def look_at(self, path: str, namer: Namer | None = None) -> Snapshot:
        """Return the snapshot of the file `path`; read it only if it changed.

        `namer` computes the snapshot's `name` from the file's path, hash and content; without a
        `namer` the name is empty.

        Raises:
            OSError: The file cannot be read.
        """
        status = os.stat(f"{self.root}/{path}")
        signature = (signature_of(status), status.st_size)
        seen = self._seen.get(path)
        if seen is not None and (not seen.digest or (namer is not None and not seen.name)):
            seen = None
        if seen is not None and seen.signature == signature and not _is_coarse(signature):
            return seen
        content = self._read(path)
        digest = hashlib.sha256(content).hexdigest()
        if seen is not None and seen.digest == digest:
            seen.signature = signature
            return seen
        name = namer(path, digest, content) if namer is not None else ""
        self._seen[path] = Snapshot(signature, digest, name)
        return self._seen[path]

    def digest(self, path: str) -> str:
        """Return the SHA-256 of the file `path` when it was last read."""
        return self._seen[path].digest

    def note_unread(self, path: str) -> None:
        """Record the signature of `path`, which could not be read.

        When the signature changes later, the file is read again.
        """
        self._seen[path] = Snapshot(self.signature(path), "")

    def keep(self, paths: Collection[str]) -> None:
        """Forget all files but those at `paths`."""
        for path in self._seen.keys() - paths:
            del self._seen[path]

    def differ(self) -> bool:
        """Return whether a remembered file has changed since it was read."""
        return any(self._differs(path, seen) for path, seen in self._seen.items())

    def _differs(self, path: str, seen: Snapshot) -> bool:
        signature = self.signature(path)
        if signature is None:
            return seen.signature is not None
        if signature == seen.signature and not _is_coarse(signature):
            return False
        if not seen.digest:
            return signature != seen.signature
        try:
            same = hashlib.sha256(self._read(path)).hexdigest() == seen.digest
        except OSError:
            return True
        if same:
            seen.signature = signature
        return not same

    def _read(self, path: str) -> bytes:
        return read_input(f"{self.root}/{path}", MAXIMUM_INPUT_BYTES)


def _is_coarse(signature: FileSignature) -> bool:
    (modified, changed, _), _ = signature
    return modified % _WHOLE_SECOND == 0 and changed % _WHOLE_SECOND == 0
