"""Report progress of a pack, and ranges of metrics without any level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Any

from exporter.explore.archive import Archive, Range, niche_of
from exporter.explore.search import Search
from exporter.model.lazy_dataclass import dataclass

# How many bins each metric's range has; each combination of bins is a niche.
BINS = 10


@dataclass(frozen=True, slots=True)
class EmptyRange:
    """The values from `low` to `high` of `metric`, which no level has."""

    metric: str
    low: float
    high: float

    def document(self) -> dict[str, Any]:
        """Return the metric and both ends of the range as JSON data."""
        return {"metric": self.metric, "from": self.low, "to": self.high}


def empty_ranges(
    metrics: Sequence[str], ranges: Sequence[Range], positions: Sequence[tuple[float, ...]]
) -> tuple[EmptyRange, ...]:
    """Return for each metric the widest range in which no level lies.

    Metrics without such a range are left out.

    Args:
        metrics: The names of the metrics.
        ranges: The least and the greatest value of each metric; the range that is searched.
        positions: The values of these metrics, for each level. If all values of a metric are whole,
            so are the ends of its empty range.
    """
    found = []
    niches = {niche_of(position, ranges, BINS) for position in positions}
    columns = zip(zip(*niches, strict=True), zip(*positions, strict=True), strict=True)
    for metric, (low, high), (bins, values) in zip(metrics, ranges, columns, strict=False):
        steps = pairwise(sorted({-1, *bins, BINS}))
        before, after = max(steps, key=lambda ends: ends[1] - ends[0])
        if after - before == 1 or high == low:
            continue
        first, last = (low + (high - low) * part / BINS for part in (before + 1, after))
        if all(value.is_integer() for value in (low, high, *values)):
            # A bin ends before its upper end; only the last one has it.
            first, last = ceil(first), floor(last) if after == BINS else ceil(last) - 1
        if first <= last:
            found.append(EmptyRange(metric, first, last))
    return tuple(found)


def empty_words(ranges: Sequence[EmptyRange]) -> str:
    """Return a clause that lists empty ranges: `, none with chokes 41 to 55`."""
    parts = " or ".join(f"{item.metric} {item.low:.4g} to {item.high:.4g}" for item in ranges)
    return f", none with {parts}" if parts else ""


class PackProgress:
    """The progress of making a pack, and the line that reports it.

    Args:
        search: The search for the pack's levels.
        archive: If `search.spread` names metrics, the best level found for each combination of
            their ranges; otherwise empty.

    Attributes:
        judged: Number of candidates measured so far.
        built: Number of levels built so far.
    """

    def __init__(self, search: Search, archive: Archive) -> None:
        self._search, self._archive = search, archive
        self.judged = self.built = 0

    def text(self, seconds: float) -> str:
        """Return a line with counts, the rate and ranges without any level.

        `seconds` is the time since the beginning.
        """
        search, archive = self._search, self._archive
        rate = self.judged / max(seconds, 0.001)
        text = (
            f"{self.built:,} of {search.count:,} levels, {self.judged:,} of {search.budget:,} "
            f"tried, {rate:,.0f}/s"
        )
        if not search.spread:
            return text
        positions = [elite.position for elite in archive.elites.values()]
        niches = {niche_of(position, archive.ranges, BINS) for position in positions}
        empty = empty_words(empty_ranges(search.spread, archive.ranges, positions))
        return f"{text}; {len(niches):,} of {BINS ** len(search.spread):,} niches{empty}"
