"""The cache: results of stages and contents of outputs, on disk, by key.

It lies in the project's state folder, is shared by every process that exports the project, and
may be deleted at any time. A file is the hash of its content and the content, so whatever is
damaged, cut off or half deleted is a miss and no more; nothing is unpickled. The files used
longest ago go first when it grows beyond its bound.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
from pathlib import Path

FOLDER = "cache"
MAXIMUM_BYTES = 256 << 20
# Pruning goes below the bound, so that it is not needed again at once.
KEPT_SHARE = 0.75
_SIZE = "size"
_KEY = re.compile(r"[0-9a-f]{64}")
_DIGEST_BYTES = 32


class Cache:
    """Bytes by key (64 hexadecimal digits) in a folder; see `exporter.pipeline.stages.StageCache`.

    Args:
        state: The project's state folder.
        maximum: The bound in bytes.
        forgetful: Find nothing, so that everything is made anew (and kept).
    """

    def __init__(
        self, state: Path, maximum: int = MAXIMUM_BYTES, *, forgetful: bool = False
    ) -> None:
        self.folder = state / FOLDER
        self.maximum = maximum
        self.forgetful = forgetful
        self._numbers = itertools.count()

    def load(self, key: str) -> bytes | None:
        """Return what was saved under a key, or None; a damaged file is removed."""
        path = self._path(key)
        if self.forgetful:
            return None
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            return None
        content = data[_DIGEST_BYTES:]
        if hashlib.sha256(content).digest() != data[:_DIGEST_BYTES]:
            with contextlib.suppress(OSError):
                os.unlink(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # used just now
        return content

    def save(self, key: str, data: bytes) -> None:
        """Keep `data` under a key; a disk that refuses costs the time of making it again."""
        path = self._path(key)
        temporary = f"{path}.{os.getpid()}.{next(self._numbers)}.tmp"
        content = hashlib.sha256(data).digest() + data
        try:
            try:
                self._write(temporary, content)
            except FileNotFoundError:
                if not self.folder.parent.is_dir():
                    return  # the project itself is gone and must not come back as an empty folder
                os.makedirs(os.path.dirname(path), exist_ok=True)
                self._write(temporary, content)
            os.replace(temporary, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)

    def grown(self, size: int) -> None:
        """Note that `size` bytes were saved, and prune when the bound is reached.

        The note is not exact when several processes write it; pruning counts the files.
        """
        if size <= 0:
            return
        path = self.folder / _SIZE
        total = size
        with contextlib.suppress(OSError, ValueError):
            total += int(path.read_text(encoding="ascii"))
        if total > self.maximum:
            total = self.prune()
        with contextlib.suppress(OSError):
            path.write_text(f"{total}\n", encoding="ascii")

    def prune(self) -> int:
        """Remove what was used longest ago until the bound is kept; return the size left."""
        found: list[tuple[int, int, str]] = []
        for folder in self._scan(str(self.folder)):
            for entry in self._scan(folder.path) if folder.is_dir() else ():
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    found.append((status.st_mtime_ns, status.st_size, entry.path))
        total = sum(size for _, size, _ in found)
        if total <= self.maximum:
            return total
        for _, size, path in sorted(found):
            if total <= self.maximum * KEPT_SHARE:
                break
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size
        return total

    @staticmethod
    def _scan(folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError:
            return []

    @staticmethod
    def _write(path: str, content: bytes) -> None:
        with open(path, "wb") as file:
            file.write(content)

    def _path(self, key: str) -> str:
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is not a cache key")
        return f"{self.folder}/{key[:2]}/{key[2:]}"
