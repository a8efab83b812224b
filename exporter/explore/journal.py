"""Record results of candidates, so that a stopped search can continue.

A journal belongs to one search: the same spec, options and exporter. A continued search repeats
itself with the recorded results, which takes no time, and then measures further candidates.

Results are read one by one, so a long journal takes no memory. A search that ends removes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

from exporter.build.trials import Attempt
from exporter.explore.candidates import Candidate
from exporter.explore.judging import Judging

# How many results are written at once.
_BATCH = 256


class LineStore(Protocol):
    """Stores lines of text, such as those of a journal."""

    def read(self) -> Iterator[str]:
        """Yield the stored lines, in order."""

    def keep(self, count: int) -> None:
        """Keep only the first `count` lines."""

    def append(self, lines: Sequence[str]) -> bool:
        """Store lines after the others; return False if there is no room for them."""

    def remove(self) -> None:
        """Delete all stored lines."""


class Journal:
    """The recorded results of one search, in the order of its candidates.

    For one candidate after another, a search calls `known` and, if that returns None, `add`.

    Args:
        lines: Stores the results, one on each line.
        metrics: How many metrics are measured of each level.

    Attributes:
        resumable: How many stored results an interrupted search need not compute again.
    """

    def __init__(self, lines: LineStore, metrics: int) -> None:
        self._lines = lines
        self._known = _results(lines, metrics)
        self._read = 0
        self._unsaved: list[Attempt] = []
        self._begun = False
        self._full = False
        self.resumable = 0

    def known(self) -> Attempt | None:
        """Return the recorded result of the next candidate; None if not recorded."""
        if self._begun or (result := next(self._known, None)) is None:
            return None
        self._read, attempted = result
        self.resumable += 1
        return attempted

    def add(self, attempt: Attempt) -> None:
        """Record the result of the candidate for which `known` returned None."""
        if self._full:
            return
        self._unsaved.append(attempt)
        if len(self._unsaved) >= _BATCH:
            self.save()

    def save(self) -> None:
        """Store the results added since the last call."""
        if not self._unsaved:
            return
        if not self._begun:
            # Damaged lines at the end of an earlier file are dropped.
            self._begun = True
            self._lines.keep(self._read)
        # An interruption may come at any time: lines that are saved twice have the same number.
        lines = [_line(self.resumable + index, item) for index, item in enumerate(self._unsaved)]
        if self._lines.append(lines):
            self.resumable, self._unsaved = self.resumable + len(self._unsaved), []
        else:
            self._full, self._unsaved = True, []

    def remove(self) -> None:
        """Delete the stored results, because the search is complete."""
        self._unsaved = []
        self._known.close()
        self._lines.remove()


def judged(
    judges: Judging, candidates: Iterable[Candidate], journal: Journal | None
) -> Iterator[tuple[Candidate, Attempt]]:
    """Yield each candidate with its result, from the journal or a build.

    Args:
        judges: Builds and measures candidates.
        candidates: The candidates, in the order of the search.
        journal: The recorded results, to which new ones are added; None to record nothing.
    """
    source = iter(candidates)
    waiting: list[Candidate] = []

    def unknown() -> Iterator[Candidate]:
        for candidate in source:
            waiting.append(candidate)
            yield candidate

    for candidate in source:
        known = journal.known() if journal is not None else None
        if known is None:
            source = chain([candidate], source)
            break
        yield candidate, known
    for attempted in judges.judged(unknown()):
        candidate = waiting.pop(0)
        if journal is not None:
            journal.add(attempted)
        yield candidate, attempted


def _line(number: int, attempted: Attempt) -> str:
    if attempted.values is None:
        return json.dumps([number, attempted.failure, attempted.distance]) + "\n"
    return json.dumps([number, attempted.values]) + "\n"


def _results(lines: LineStore, metrics: int) -> Generator[tuple[int, Attempt]]:
    """Yield results up to the first damaged one.

    Each comes with the number of lines read so far.
    """
    expected = 0
    for count, line in enumerate(lines.read(), 1):
        try:
            number, attempted = _result(line, metrics)
        except (ValueError, TypeError, RecursionError):
            return
        if number > expected:
            return
        if number == expected:
            expected += 1
            yield count, attempted


def _result(line: str, metrics: int) -> tuple[int, Attempt]:
    number, document, *more = json.loads(line)
    if not line.endswith("\n") or type(number) is not int:
        raise ValueError("the line is incomplete, or does not begin with a number")
    if isinstance(document, str):
        (distance,) = more
        if not document or not (distance is None or _is_finite(distance)):
            raise ValueError("malformed failure of a level")
        return number, Attempt(None, document, distance)
    values = tuple(document)
    if more or len(values) != metrics or not all(map(_is_finite, values)):
        raise ValueError("malformed values of a level")
    return number, Attempt(values)


def _is_finite(value: object) -> bool:
    try:
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:  # an integer of hundreds of digits
        return False
