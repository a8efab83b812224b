"""Tell how far a pack is, and what none of its levels has yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from exporter.explore.archive import PARTS, Archive, Niche, Range
from exporter.explore.search import Search
from exporter.model.lazy_dataclass import dataclass

# Parts of a metric's range: each combination of such parts is a niche.
BINS = 10


@dataclass(frozen=True, slots=True)
class EmptyRange:
    """A part of a metric's range in which no level lies."""

    metric: str
    low: float
    high: float

    def document(self) -> dict[str, Any]:
        """Return it as JSON reports have it."""
        return {"metric": self.metric, "from": self.low, "to": self.high}


def empty_ranges(
    metrics: Sequence[str], ranges: Sequence[Range], niches: Iterable[Niche]
) -> tuple[EmptyRange, ...]:
    """Return the widest empty part of each metric's range, where there is one.

    Args:
        metrics: The metrics of `spread`.
        ranges: The range of each.
        niches: The niches that have levels.
    """
    found = []
    for metric, (low, high), bins in zip(metrics, ranges, zip(*niches, strict=True), strict=False):
        steps = pairwise(sorted({-1, *bins, BINS}))
        before, after = max(steps, key=lambda ends: ends[1] - ends[0])
        if after - before > 1 and high > low:
            step = (high - low) / BINS
            found.append(EmptyRange(metric, low + step * (before + 1), low + step * after))
    return tuple(found)


def empty_words(ranges: Sequence[EmptyRange]) -> str:
    """Return what no niche has, as in `, none with chokes 41 to 55`."""
    parts = " or ".join(f"{item.metric} {item.low:.4g} to {item.high:.4g}" for item in ranges)
    return f", none with {parts}" if parts else ""


class PackProgress:
    """How far the making of a pack is.

    Args:
        search: What is searched for.
        archive: The levels so far, with `spread`.

    Attributes:
        judged: How many candidates are judged.
        built: How many levels of the pack are built.
    """

    def __init__(self, search: Search, archive: Archive) -> None:
        self._search, self._archive = search, archive
        self.judged = self.built = 0

    def text(self, seconds: float) -> str:
        """Return a line with the rate in these seconds and what is missing."""
        search, archive = self._search, self._archive
        rate = self.judged / max(seconds, 0.001)
        text = (
            f"{self.built:,} of {search.count:,} levels, {self.judged:,} of {search.budget:,} "
            f"tried, {rate:,.0f}/s"
        )
        if not search.spread:
            return text
        niches = {tuple(part * BINS // PARTS for part in niche) for niche in archive.elites}
        empty = empty_words(empty_ranges(search.spread, archive.ranges, niches))
        return f"{text}; {len(niches):,} of {BINS ** len(search.spread):,} niches{empty}"
