"""What interrupted searches have seen, in the user's own folder: a file of lines for each search.

Losing one costs time and nothing else. So where nothing can be kept, nothing is; and of files that
nobody came back to only the latest stay.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from exporter.store.user_folder import user_folder

FOLDER = "searches"
_SUFFIX = ".jsonl"
_MOST_FILES = 20


class SearchLines:
    """The lines of one search.

    Args:
        key: What the search is known by: letters and digits.
        folder: Where the files lie; default: in the user's folder.
    """

    def __init__(self, key: str, folder: Path | None = None) -> None:
        self._path = (folder if folder is not None else user_folder() / FOLDER) / f"{key}{_SUFFIX}"

    def read(self) -> list[str]:
        """Return the lines; nothing where there are none. The last one may be cut short."""
        try:
            with open(self._path, encoding="utf-8", newline="\n") as file:
                return list(file)
        except (OSError, ValueError):
            return []

    def write(self, lines: Sequence[str]) -> None:
        """Replace all lines; remove the oldest other files if there are too many."""
        with contextlib.suppress(OSError):
            folder = self._path.parent
            folder.mkdir(parents=True, exist_ok=True)
            with open(self._path, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(lines)
            files = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
            for path in files[:-_MOST_FILES]:
                path.unlink(missing_ok=True)

    def append(self, lines: Sequence[str]) -> None:
        """Add lines at the end."""
        with (
            contextlib.suppress(OSError),
            open(self._path, "a", encoding="utf-8", newline="\n") as file,
        ):
            file.writelines(lines)

    def remove(self) -> None:
        """Forget the search: it came to its end."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
