"""Plot the levels of a spec by two metrics: its expressive range.

Levels with evenly spread parameters are measured, and a heat map counts them (Smith and Whitehead,
"Analyzing the expressive range of a level generator", 2010). Two specs, or two versions of one, are
compared over the same ranges.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.explore.archive import PARTS, Range
from exporter.explore.candidates import spread_candidate
from exporter.explore.finding import seconds_of_each
from exporter.explore.journal import Journal, judged
from exporter.explore.judging import Judges, MakeJudges, sensible_jobs
from exporter.explore.search import Search
from exporter.explore.sheets import draw_text
from exporter.formats.images.letters import text_width
from exporter.formats.images.png import encode_png
from exporter.formats.images.png_mark import mark_png
from exporter.model.lazy_dataclass import dataclass

_CELL = 16
_LEFT, _TOP, _GAP, _BOTTOM = 8, 30, 40, 58
_BACKGROUND = (24, 22, 30)
_INK = (226, 222, 210)
_FAINT = (150, 146, 160)
# From few levels to many: dark violet over orange to light yellow.
_COLORS = np.array(
    [(36, 33, 45), (58, 30, 92), (121, 40, 110), (190, 55, 84), (237, 105, 37), (251, 200, 70)],
    np.float64,
)


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The levels of one spec, as points of two metrics.

    Attributes:
        title: The title of the levels in a picture.
        metrics: The names of the two metrics: that of the horizontal and that of the vertical axis.
        places: The values of both metrics for every level that could be measured: float64 [number,
            2].
        tried: How many levels were tried.
        failed: How many could not be built or measured.
        first_failure: Why the first of these failed; empty if none did.
    """

    title: str
    metrics: tuple[str, str]
    places: NDArray[np.float64]
    tried: int
    failed: int
    first_failure: str

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The least and the greatest value of each metric; empty without levels."""
        if not len(self.places):
            return ()
        ends = zip(self.places.min(axis=0), self.places.max(axis=0), strict=True)
        return tuple((float(low), float(high)) for low, high in ends)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much the levels of two specs have in common, by two metrics.

    The range of each metric is divided into 20 parts, so there are 400 niches.

    Attributes:
        niches: How many niches each of the two specs fills.
        shared: How many niches both fill.
        overlap: The share of levels that fall into the same niches, 0 to 1: the sum over all niches
            of the lesser of the two shares of levels.
    """

    niches: tuple[int, int]
    shared: int
    overlap: float

    def document(self) -> dict[str, Any]:
        """Return the overlap as JSON data."""
        return {"niches": list(self.niches), "shared": self.shared, "overlap": self.overlap}


def survey(
    search: Search,
    title: str,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    journal: Journal | None = None,
    judges_for: MakeJudges | None = None,
) -> Survey:
    """Measure levels of a spec, with evenly spread parameters.

    Args:
        search: The spec and the parameters to vary; `budget` is the number of levels, and `spread`
            the two metrics.
        title: The title of the levels in a picture.
        jobs: The number of processes; None chooses.
        progress: Called with the number of tried levels, and the number of all.
        journal: Stores results, so that an interrupted survey can continue; None to store nothing.
        judges_for: Makes the object that builds levels on other machines; None to use processes of
            this one.
    """
    across, upwards = search.spread
    values = array("d")
    failed, reason = 0, ""
    named = [str(item) for item in search.plan.named()]
    columns = named.index(across), named.index(upwards)
    level, dimensions = search.spec.level, len(search.varied)
    candidates = (spread_candidate(level, n, dimensions) for n in range(search.budget))
    jobs = sensible_jobs(search.budget, seconds_of_each(search), jobs)
    result = judges_for(search.plan) if judges_for is not None else Judges(search.plan, jobs)
    with result as judges:
        for number, (_, attempted) in enumerate(judged(judges, candidates, journal)):
            if attempted.values is None:
                failed += 1
                reason = reason or attempted.failure
            else:
                values.extend(float(attempted.values[column]) for column in columns)
            if progress is not None:
                progress(number + 1, search.budget)
    places = np.array(values, np.float64).reshape(-1, 2)
    return Survey(title, (across, upwards), places, search.budget, failed, reason)


def counts(places: NDArray[np.float64], ranges: Sequence[Range]) -> NDArray[np.int64]:
    """Count the levels in each niche: int64 [20, 20], rows by second metric.

    A niche is a part of the first metric's range and a part of the second one's.

    Args:
        places: The two metrics of each level: float64 [levels, 2].
        ranges: The least and the greatest value of each metric.
    """
    parts = []
    for axis, (low, high) in enumerate(ranges):
        if high > low:
            share = (places[:, axis] - low) / (high - low) * PARTS
            parts.append(np.clip(share.astype(np.int64), 0, PARTS - 1))
        else:
            parts.append(np.zeros(len(places), np.int64))
    result = np.zeros((PARTS, PARTS), np.int64)
    np.add.at(result, (parts[1], parts[0]), 1)
    return result


def common_ranges(surveys: Sequence[Survey]) -> tuple[Range, ...]:
    """Return for each metric the range that contains the levels of `surveys`."""
    ranges = [item.ranges for item in surveys if item.ranges]
    if not ranges:
        return ((0.0, 0.0), (0.0, 0.0))
    return tuple(
        (min(item[axis][0] for item in ranges), max(item[axis][1] for item in ranges))
        for axis in range(2)
    )


def compared(item: Survey, other: Survey) -> Overlap:
    """Return how far the levels of the surveys `item` and `other` overlap."""
    ranges = common_ranges((item, other))
    first, second = counts(item.places, ranges), counts(other.places, ranges)
    shared = int(np.count_nonzero((first > 0) & (second > 0)))
    shares = [grid / max(1, int(grid.sum())) for grid in (first, second)]
    overlap = round(float(np.minimum(*shares).sum()), 6)
    niches = int(np.count_nonzero(first)), int(np.count_nonzero(second))
    return Overlap(niches, shared, overlap)


def heat_map(surveys: Sequence[Survey]) -> bytes:
    """Draw the levels of each survey as a heat map; return one PNG of all.

    The second metric increases upwards; all maps have the same ranges. A field of the map, one of
    20 by 20, is dark without a level; otherwise it is the lighter the more levels it has, by the
    square root of their share.
    """
    ranges = common_ranges(surveys)
    across, upwards = surveys[0].metrics
    side = PARTS * _CELL
    labels = [
        f"across: {across} {ranges[0][0]:.6g} to {ranges[0][1]:.6g}",
        f"upwards: {upwards} {ranges[1][0]:.6g} to {ranges[1][1]:.6g}",
    ]
    widest = max(text_width(text) * 2 for text in [*labels, *(item.title for item in surveys)])
    width = max(side, widest)
    picture = np.empty(
        (_TOP + side + _BOTTOM, 2 * _LEFT + len(surveys) * (width + _GAP) - _GAP, 3), np.uint8
    )
    picture[:] = _BACKGROUND
    for index, item in enumerate(surveys):
        left = _LEFT + index * (width + _GAP)
        grid = counts(item.places, ranges)
        cells = _color_niches(grid).repeat(_CELL, axis=0).repeat(_CELL, axis=1)
        picture[_TOP : _TOP + side, left : left + side] = cells
        draw_text(picture, item.title, left, 10, _INK)
        lines = [*labels, f"{int(np.count_nonzero(grid))} of {PARTS * PARTS} niches"]
        for number, line in enumerate(lines):
            draw_text(picture, line, left, _TOP + side + 8 + 16 * number, _FAINT)
    alpha = np.full((*picture.shape[:2], 1), 255, np.uint8)
    return mark_png(encode_png(np.concatenate([picture, alpha], axis=2), period=_CELL))


def _color_niches(grid: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Color a grid of level counts: uint8 [20, 20, 3].

    The row of the greatest second metric comes first.
    """
    most = max(1, int(grid.max()))
    heat = np.sqrt(grid[::-1] / most) * (len(_COLORS) - 2)
    lower = np.clip(heat.astype(np.int64), 0, len(_COLORS) - 3)
    between = (heat - lower)[..., None]
    colors = _COLORS[lower + 1] * (1 - between) + _COLORS[lower + 2] * between
    colors[grid[::-1] == 0] = _COLORS[0]
    return colors.round().astype(np.uint8)
