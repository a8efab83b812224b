"""The journal of a search: what became of each candidate, so that the search can go on.

A journal belongs to one search: the same spec and options, the same exporter. Going on means to
repeat the search with the results that are known, which takes no time, and then to look at further
candidates. A search that comes to its end removes its journal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Protocol

from exporter.pipeline.trials import Tried

# So many results are written at once.
_BATCH = 256


class Lines(Protocol):
    """Keeps lines of text, if it can: `exporter.store.searches.SearchLines`."""

    def read(self) -> list[str]:
        """Return what is kept."""

    def write(self, lines: Sequence[str]) -> None:
        """Keep these lines alone."""

    def append(self, lines: Sequence[str]) -> None:
        """Keep these lines, too."""

    def remove(self) -> None:
        """Keep nothing any more."""


class Journal:
    """The results of one search.

    Args:
        lines: Keeps them.
        metrics: How many values each level has.

    Attributes:
        remembered: How many results an earlier, interrupted run has left.
    """

    def __init__(self, lines: Lines, metrics: int) -> None:
        self._lines = lines
        self._known = _results(lines.read(), metrics)
        self._unsaved: list[Tried] = []
        self._saved = 0
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
        """Keep what is new."""
        if not self._begun:
            # What was damaged at the end of an earlier file goes.
            self._begun = True
            self._lines.write([_line(number, tried) for number, tried in enumerate(self._known)])
        # An interruption may come at any time: lines that are saved twice have the same number.
        first = self.remembered + self._saved
        self._lines.append([_line(first + index, one) for index, one in enumerate(self._unsaved)])
        self._saved, self._unsaved = self._saved + len(self._unsaved), []

    def remove(self) -> None:
        """Forget the search: it came to its end."""
        self._unsaved = []
        self._lines.remove()


def _line(number: int, tried: Tried) -> str:
    return json.dumps([number, tried.failure if tried.values is None else tried.values]) + "\n"


def _results(lines: Sequence[str], metrics: int) -> list[Tried]:
    """Return the results in lines, up to the first that is damaged or missing."""
    found: list[Tried] = []
    for line in lines:
        try:
            number, tried = _result(line, metrics)
        except (ValueError, TypeError, RecursionError):
            break
        if number == len(found):
            found.append(tried)
        elif number > len(found):
            break
    return found


def _result(line: str, metrics: int) -> tuple[int, Tried]:
    number, document = json.loads(line)
    if not line.endswith("\n") or type(number) is not int:
        raise ValueError("cut short, or no number")
    if isinstance(document, str) and document:
        return number, Tried(None, document)
    values = tuple(document)
    good = all(type(value) in (int, float) and math.isfinite(value) for value in values)
    if not good or len(values) != metrics:
        raise ValueError("not the values of a level")
    return number, Tried(values)
