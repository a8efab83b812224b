"""Keep results of interrupted seed searches in the user's folder.

Losing a file costs only time. So errors of the file system are ignored, a file does not grow beyond
64 MB, and only the most recent files are kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from exporter.store.user_folder import user_folder

_FOLDER = "searches"
MAXIMUM_BYTES = 64 * 1000 * 1000
_SUFFIX = ".jsonl"
_MOST_FILES = 20


class SearchLines:
    """Stores the results of one search as lines of a file.

    Args:
        key: The name of the search: letters and digits.
        folder: The folder of the files; None for the user's folder.
        most: The largest size of the file in bytes.
    """

    def __init__(self, key: str, folder: Path | None = None, most: int = MAXIMUM_BYTES) -> None:
        self._path = (folder if folder is not None else user_folder() / _FOLDER) / f"{key}{_SUFFIX}"
        self._most = most

    def read(self) -> Iterator[str]:
        """Yield the stored lines; the last one may be truncated."""
        with contextlib.suppress(OSError, ValueError), open(self._path, "rb") as file:
            while line := file.readline(self._most):  # no line that was written is longer
                yield line.decode()

    def keep(self, count: int) -> None:
        """Cut the file to its first `count` lines; create it if it is missing.

        If there are too many files of searches, the oldest ones are removed.
        """
        with contextlib.suppress(OSError):
            folder = self._path.parent
            folder.mkdir(parents=True, exist_ok=True)
            with open(self._path, "ab+") as file:
                file.seek(0)
                for _ in range(count):
                    file.readline(self._most)
                file.truncate(file.tell())
            files = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
            for path in files[:-_MOST_FILES]:
                path.unlink(missing_ok=True)

    def append(self, lines: Sequence[str]) -> bool:
        """Append `lines`; return False if the file is full or cannot be written."""
        data = "".join(lines).encode()
        try:
            with open(self._path, "ab") as file:
                if os.fstat(file.fileno()).st_size + len(data) > self._most:
                    return False
                file.write(data)
        except OSError:
            return False
        return True

    def remove(self) -> None:
        """Remove the file; call this when the search has finished."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def remove_searches(folder: Path, but: Collection[str] = ()) -> None:
    """Remove search files in `folder`, except those to keep.

    Kept are the files whose search key begins with one of `but`.
    """
    with contextlib.suppress(OSError):
        for path in list(folder.glob(f"*{_SUFFIX}")):
            if not path.name.startswith(tuple(but)):
                path.unlink(missing_ok=True)
