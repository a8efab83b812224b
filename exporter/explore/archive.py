"""Keep varied levels: the best one in each niche of one to three metrics.

The range of each metric is divided into 20 parts, and a level belongs to the niche of its parts.
Each niche keeps one level, and new candidates are changed copies of kept levels, so that the search
reaches rare niches (Mouret and Clune, "Illuminating search spaces by mapping elites", 2015).

Candidates come in generations of a fixed size: the parents of a generation are known before any of
it is built, so the archive is the same for any number of processes.

Ranges cover the levels seen so far. When they grow, the kept levels move to the new niches; the
better of two in one niche stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exporter.build.trials import candidate_seed
from exporter.explore.candidates import Candidate, spread_candidate
from exporter.explore.varying import GENE_BITS
from exporter.model.lazy_dataclass import dataclass
from exporter.streams import derive_key

PARTS = 20
GENERATION = 200
# The percentage of candidates that are new points instead of changed copies.
_NEW_PERCENT = 10
# A changed parameter moves by at most this share of its range, and mostly by less.
_REACH_PERCENT = 15
_UNIT = 1 << GENE_BITS

Niche = tuple[int, ...]
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Elite:
    """The best level found in a niche: one part of the range of each metric.

    Attributes:
        candidate: The seed and parameters of the level.
        position: The level's values of the metrics that span the niches.
        cost: The sort key of the level's metrics: lower is better.
    """

    candidate: Candidate
    position: tuple[float, ...]
    cost: float

    @property
    def rank(self) -> tuple[float, int]:
        """A sort key for levels: better ones first, equally good ones by number."""
        return self.cost, self.candidate.number


class Archive:
    """The best level of each niche, among all levels added so far.

    `dimensions` is the number of metrics. A niche has the index of a part of each metric's range.

    Attributes:
        ranges: The least and the greatest value of each metric among these levels.
        elites: The kept levels by niche.
    """

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self.ranges: tuple[Range, ...] = ()
        self.elites: dict[Niche, Elite] = {}

    def add(self, generation: Sequence[Elite]) -> None:
        """Add a generation of levels; each niche keeps its best level.

        Of equally good levels the earlier one stays.
        """
        if not generation:
            return
        ranges = wider_ranges(self.ranges, [item.position for item in generation])
        remaining = list(self.elites.values()) if ranges != self.ranges else []
        if remaining:
            self.elites = {}
        self.ranges = ranges
        for item in (*remaining, *generation):
            niche = niche_of(item.position, ranges)
            there = self.elites.get(niche)
            if there is None or item.rank < there.rank:
                self.elites[niche] = item


def wider_ranges(ranges: Sequence[Range], places: Sequence[tuple[float, ...]]) -> tuple[Range, ...]:
    """Return the ranges of metrics, widened to contain further levels.

    Args:
        ranges: The least and the greatest value of each metric; empty at first.
        places: The values of all metrics, for each further level.
    """
    columns = [[*column] for column in zip(*places, strict=True)]
    for column, ends in zip(columns, ranges, strict=False):
        column += ends
    return tuple((min(column), max(column)) for column in columns)


def niche_of(position: Sequence[float], ranges: Sequence[Range], parts: int = PARTS) -> Niche:
    """Return the niche of a level: for each metric, the index of a part.

    Args:
        position: The level's value of each metric.
        ranges: The range of each metric.
        parts: How many equal parts each range is divided into.
    """
    return tuple(
        min(parts - 1, int((value - low) / (high - low) * parts)) if high > low else 0
        for value, (low, high) in zip(position, ranges, strict=True)
    )


def generation(
    level: str, first: int, size: int, dimensions: int, elites: Sequence[Elite]
) -> list[Candidate]:
    """Return the candidates to build next: changed copies of good levels.

    One in ten is a new point instead, evenly spread.

    Args:
        level: The name of the spec's level, from which the random numbers follow.
        first: The number of the first candidate.
        size: The number of candidates.
        dimensions: The number of varied parameters.
        elites: The levels to copy; if empty, all candidates are evenly spread.
    """
    return [
        _child(level, number, elites)
        if elites and dimensions and _draw(level, number, "kind") * 100 >> GENE_BITS >= _NEW_PERCENT
        else spread_candidate(level, number, dimensions)
        for number in range(first, first + size)
    ]


def farthest_first(
    elites: Sequence[Elite], ranges: Sequence[Range], accept: Callable[[Elite], bool], count: int
) -> list[Elite]:
    """Choose levels that differ most from each other; the best one first.

    Distances are Euclidean, in shares of the ranges; of equally far levels the best is taken
    (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985).

    Args:
        elites: The levels to choose from.
        ranges: The range of each metric.
        accept: Returns whether a level may be chosen; called only for the level whose turn it is.
        count: How many levels to choose at most.
    """
    left = sorted(elites, key=lambda elite: elite.rank)
    distances = [float("inf")] * len(left)
    chosen: list[Elite] = []
    while left and len(chosen) < count:
        index = max(range(len(left)), key=lambda at: (distances[at], -at))
        candidate = left.pop(index)
        distances.pop(index)
        if not accept(candidate):
            continue
        chosen.append(candidate)
        for at, other in enumerate(left):
            distances[at] = min(distances[at], _squared_distance(candidate, other, ranges))
    return chosen


def _child(level: str, number: int, elites: Sequence[Elite]) -> Candidate:
    """Return a changed copy of one of the levels `elites`, with a new seed.

    The copy gets `number`; random numbers follow from `number` and the name `level`.
    """
    parent = elites[_draw(level, number, "parent") * len(elites) >> GENE_BITS].candidate
    genes = tuple(
        _shift_gene(gene, _draw(level, number, "one", axis), _draw(level, number, "other", axis))
        for axis, gene in enumerate(parent.genes)
    )
    return Candidate(number, candidate_seed(level, number), genes)


def _shift_gene(gene: int, item: int, other: int) -> int:
    """Shift a value's position in its range at random, and return it.

    Positions are fractions of 2**64. `item` and `other` are random; their difference, scaled, is
    the shift, reflected at both ends of the range.
    """
    moved = gene + (item - other) * _REACH_PERCENT // 100
    moved = -moved if moved < 0 else moved
    return 2 * (_UNIT - 1) - moved if moved >= _UNIT else moved


def _draw(level: str, number: int, *purpose: str | int) -> int:
    return derive_key(("generation", level, number, *purpose))


def _squared_distance(item: Elite, other: Elite, ranges: Sequence[Range]) -> float:
    total = 0.0
    for first, second, (low, high) in zip(item.position, other.position, ranges, strict=True):
        if high > low:
            share = (first - second) / (high - low)
            total += share * share  # `**` asks the platform's mathematics
    return total
