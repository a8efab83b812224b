"""Cache results of stages and contents of outputs on disk, by key.

The cache is in the project's state folder, is shared by all processes that export the project, and
may be deleted at any time. Each file starts with a seal, a hash of its key and content that only
this user can compute. So a damaged file, or one from another user, is ignored; nothing is
unpickled. When the cache exceeds its limit, the least recently used files are removed.
"""

from __future__ import annotations

import contextlib
import re
import stat
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from exporter.store.file_names import is_leftover
from exporter.store.folder import Directory, Folder
from exporter.store.user_folder import Seal

FOLDER = "cache"
MAXIMUM_BYTES = 256 << 20
# Pruning goes below the limit, so that it is not needed again at once.
RETAINED_SHARE = 0.75
_SIZE = "size"
_SIZE_BYTES = 32
_KEY = re.compile(r"[0-9a-f]{64}")
_BRANCH = re.compile(r"[0-9a-f]{2}")
_SEAL_BYTES = 32


class Cache:
    """A folder that caches bytes under keys of 64 hexadecimal digits.

    Args:
        state: The project's state folder, which contains the cache.
        maximum: The size limit in bytes; the least recently used files are removed above it.
        forgetful: Whether `load` always returns None, so that everything is built (and saved)
            again.
    """

    def __init__(
        self, state: Path, maximum: int = MAXIMUM_BYTES, *, forgetful: bool = False
    ) -> None:
        self.folder = state / FOLDER
        self.maximum = maximum
        self.forgetful = forgetful
        self._swept = False
        self._project = Folder(state.parent, closed=False, follow=False)
        self._folder = f"{state.name}/{FOLDER}"

    def load(self, key: str) -> bytes | None:
        """Return the content stored under `key`; None if missing or damaged.

        A damaged file is removed.
        """
        branch, name = self._split(key)
        if self.forgetful:
            return None
        try:
            with self._project.open(branch) as folder:
                data, _ = folder.read(name, MAXIMUM_BYTES)
                content = data[_SEAL_BYTES:]
                if not self._seal.fits(data[:_SEAL_BYTES], key.encode(), content):
                    with contextlib.suppress(OSError):
                        folder.unlink(name)
                    return None
                with contextlib.suppress(OSError):
                    folder.set_time(name)  # used just now
        except OSError:
            return None
        return content

    def save(self, key: str, data: bytes) -> None:
        """Store `data` under `key`; disk errors are ignored."""
        self.save_all({key: data})

    def save_all(self, contents: Mapping[str, bytes]) -> None:
        """Store each value of `contents` under its key; disk errors are ignored."""
        names = {key: self._split(key)[1] for key in contents}
        with contextlib.suppress(OSError):
            # A deleted project must not come back as an empty folder.
            state_name = self._folder.partition("/")[0]
            with (
                self._project.open(state_name) as state,
                state.enter(FOLDER, make=True) as cache,
            ):
                for key, data in contents.items():
                    content = self._seal.of(key.encode(), data) + data
                    with contextlib.suppress(OSError), cache.enter(key[:2], make=True) as branch:
                        branch.write(names[key], content, durable=False)

    def grown(self, size: int) -> None:
        """Add `size` bytes to the recorded size; prune the cache if it is too big.

        The first call also removes temporary files of killed processes. If several processes write
        the cache, the recorded size is not exact; `prune` measures the files.
        """
        if size <= 0:
            return
        if not self._swept:
            self._swept = True
            self._remove_leftovers()
        path = f"{self._folder}/{_SIZE}"
        total = size
        with contextlib.suppress(OSError, ValueError):
            data, _ = self._project.read(path, _SIZE_BYTES)
            total += max(0, int(data))
        if total > self.maximum:
            total = self.prune()
        with contextlib.suppress(OSError):
            self._project.write(path, f"{total}\n".encode(), durable=False)

    def prune(self) -> int:
        """Remove the least recently used files if the cache exceeds `maximum`.

        Returns:
            The size of the remaining files in bytes.
        """
        result: list[tuple[int, int, str]] = []
        with contextlib.suppress(OSError), self._project.open(self._folder) as cache:
            for branch in filter(_BRANCH.fullmatch, cache.names()):
                with contextlib.suppress(OSError):
                    result += self._files(branch)
        total = sum(size for _, size, _ in result)
        if total <= self.maximum:
            return total
        for _, size, path in sorted(result):
            if total <= self.maximum * RETAINED_SHARE:
                break
            with contextlib.suppress(OSError):
                self._project.remove(path)
            total -= size
        return total

    def _remove_leftovers(self) -> None:
        with contextlib.suppress(OSError), self._project.open(self._folder) as cache:
            _unlink_leftovers(cache)
            for name in filter(_BRANCH.fullmatch, cache.names()):
                with contextlib.suppress(OSError), cache.enter(name, make=False) as branch:
                    _unlink_leftovers(branch)

    def _files(self, branch: str) -> list[tuple[int, int, str]]:
        """Return (time in ns, size, path) of each file in the folder `branch`."""
        position = f"{self._folder}/{branch}"
        result = []
        with self._project.open(position) as folder:
            for name in folder.names():
                with contextlib.suppress(OSError):
                    status = folder.status(name)
                    if stat.S_ISREG(status.st_mode):
                        result.append((status.st_mtime_ns, status.st_size, f"{position}/{name}"))
        return result

    @cached_property
    def _seal(self) -> Seal:
        return Seal(self.folder.parent.parent)

    def _split(self, key: str) -> tuple[str, str]:
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is not a cache key")
        return f"{self._folder}/{key[:2]}", key[2:]


def _unlink_leftovers(folder: Directory) -> None:
    for name in filter(is_leftover, folder.names()):
        with contextlib.suppress(OSError):
            folder.unlink(name)
