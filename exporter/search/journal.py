"""What an interrupted search has seen: kept in the user's folder, so that it can go on.

A journal belongs to one search: the same spec and options, the same exporter. It holds what became
of each candidate, in order. Going on means to repeat the search with these results, which takes no
time, and then to look at further candidates. A search that comes to its end removes its journal.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from pathlib import Path

from exporter.pipeline.trials import Tried

FOLDER = "searches"
# Journals of searches with which nobody went on are removed, but for so many.
_MOST_JOURNALS = 20
# So many results are written at once.
_BATCH = 256


class Journal:
    """The results of one search.

    Args:
        folder: Where journals lie.
        key: What the search is known by.

    Attributes:
        remembered: How many results an earlier, interrupted run has left.
    """

    def __init__(self, folder: Path, key: str) -> None:
        self._path = folder / f"{key}.jsonl"
        self._known = _read(self._path)
        self._unsaved: list[Tried] = []
        self._begun = False
        self.remembered = len(self._known)

    def known(self, number: int) -> Tried | None:
        """Return what became of a candidate, if an earlier run has seen it."""
        return self._known[number] if number < self.remembered else None

    def add(self, tried: Tried) -> None:
        """Note what became of the next candidate."""
        self._unsaved.append(tried)
        if len(self._unsaved) >= _BATCH:
            self.save()

    def save(self) -> None:
        """Write down what is new; where nothing can be kept, nothing is."""
        lines = [
            json.dumps([tried.failure if tried.values is None else tried.values]) + "\n"
            for tried in self._unsaved
        ]
        with contextlib.suppress(OSError):
            if not self._begun:
                self._begin()
            with open(self._path, "a", encoding="utf-8") as file:
                file.writelines(lines)
        self._unsaved = []

    def remove(self) -> None:
        """Forget the search: it came to its end."""
        self._unsaved = []
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _begin(self) -> None:
        """Make the folder, and the file as far as it is good; remove the oldest others."""
        self._begun = True
        folder = self._path.parent
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            json.dumps([tried.failure if tried.values is None else tried.values]) + "\n"
            for tried in self._known
        ]
        with open(self._path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        others = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        for path in others[:-_MOST_JOURNALS]:
            with contextlib.suppress(OSError):
                os.unlink(path)


def _read(path: Path) -> list[Tried]:
    """Return the results in a journal, up to the first that is damaged."""
    found: list[Tried] = []
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                found.append(_result(line))
    except (OSError, ValueError, TypeError, RecursionError):
        pass
    return found


def _result(line: str) -> Tried:
    (document,) = json.loads(line)
    if not line.endswith("\n"):
        raise ValueError("cut short")
    if isinstance(document, str) and document:
        return Tried(None, document)
    values = tuple(document)
    for value in values:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            raise ValueError("no number")
    return Tried(values)
