"""Check the requirements of a level, such as connected regions and limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from exporter.generators import Generated
from exporter.grids.connectivity import TellJoin, join_regions
from exporter.grids.regions import Regions, label_regions
from exporter.model.errors import NotMeasurableError, Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Certificate, Layer, Level
from exporter.model.sizes import size_text
from exporter.reading.level_spec import LevelSpec
from exporter.reading.limit_keys import Budget, Limit, MetricLimit, Requirements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from exporter.generators.trace import Trace


class UnmetError(SpecError):
    """A level was built but does not meet its requirements.

    `distance` is by how much. For a broken limit, this is the difference between value and limit,
    as a share of the greater of the two; several are added up. None if a value is missing.
    """

    def __init__(
        self, problems: list[Problem] | tuple[Problem, ...], distance: float | None = None
    ) -> None:
        super().__init__(problems)
        self.distance = distance

    def __reduce__(self) -> Any:
        return (type(self), (self.problems, self.distance))


@dataclass(frozen=True, slots=True)
class Breach:
    """A requirement that a level does not meet.

    Attributes:
        text: The message.
        distance: The difference between value and limit, as a share of the greater one; None if
            unknown.
    """

    text: str
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class Distance:
    """The steps to the farthest cell that can be reached.

    Attributes:
        steps: The number of steps.
        start: The name of the objects where the walk starts; empty for the first cell of the
            largest region.
    """

    steps: int
    start: str = ""

    @property
    def text(self) -> str:
        """The distance as part of a message."""
        origin = f" from {self.start!r}" if self.start else ""
        return f"the farthest cell is {self.steps} steps away{origin}"


def unmet(result: Iterable[tuple[Problem, Breach]]) -> UnmetError:
    """Return one error about all requirements that a level does not meet.

    Each item of `result` has the problem, with its line, and the breach.
    """
    pairs = list(result)
    distances = [breach.distance for _, breach in pairs]
    known = [distance for distance in distances if distance is not None]
    total = math.fsum(known) if len(known) == len(distances) else None
    return UnmetError([problem for problem, _ in pairs], total)


@dataclass(frozen=True, slots=True)
class ConnectedCells:
    """A layer after its `connect` parameter was applied.

    Attributes:
        generated: The generated layer; cells were opened to join its regions.
        walkable: bool [height, width]; None for a layer without walkable tiles.
        regions_before: The number of regions before `connect`.
        cells_carved: The number of cells that were opened.
        regions: The numbered regions of the walkable cells after `connect`; None if not computed.
    """

    generated: Generated
    walkable: NDArray[np.bool_] | None
    regions_before: int
    cells_carved: int
    regions: Regions | None = None


# Keys of the report of a layer whose regions stay apart: their number, and whether the generator
# itself made everything requested.
SEPARATE_REGIONS = "separate_regions"
ALL_BUILT = "all_made"


def connected(
    generated: Generated,
    connect: bool | str,
    remaining: NDArray[np.bool_] | None = None,
    trace: Trace | None = None,
) -> ConnectedCells:
    """Join the regions of a layer as `connect` demands, and count them.

    Args:
        generated: The layer as generated.
        connect: The value of the layer's parameter `connect`.
        remaining: bool [height, width]: fixed cells, which are never opened. If they keep regions
            apart, the layer's report says that it is incomplete.
        trace: Records each joined pair of regions; None records nothing.
    """
    layer = generated
    if generated.kind == "heights":
        walkable = generated.walkable
        if walkable is None:
            return ConnectedCells(layer, None, 0, 0)
        regions = label_regions(walkable)
        return ConnectedCells(layer, walkable, regions.count, 0, regions)
    floor = next((tile.id for tile in generated.tiles if tile.walkable), None)
    if floor is None:
        return ConnectedCells(layer, None, 0, 0)
    probe = Layer(name="", kind="tiles", cells=generated.cells, generator="", tiles=generated.tiles)
    walkable = probe.lookup([tile.walkable for tile in generated.tiles])
    own_way = generated.regions_before is not None
    if connect != "guaranteed" and (connect is False or own_way):
        if generated.regions_before is not None:
            return ConnectedCells(layer, walkable, generated.regions_before, generated.carved)
        regions = label_regions(walkable)
        return ConnectedCells(layer, walkable, regions.count, generated.carved, regions)
    tell = None if trace is None else _join_teller(trace, generated, floor)
    joined = join_regions(walkable, remaining, tell)
    if joined.cells_carved:
        cells = generated.cells.copy()
        cells[joined.carved] = floor
        layer = replace(generated, cells=cells)
    if joined.regions.count != 1:
        remarks = {SEPARATE_REGIONS: joined.regions.count, ALL_BUILT: generated.complete}
        layer = replace(layer, complete=False, report={**generated.report, **remarks})
    before = joined.regions_before if generated.regions_before is None else generated.regions_before
    carved = generated.carved + joined.cells_carved
    return ConnectedCells(layer, joined.walkable, before, carved, joined.regions)


def _join_teller(trace: Trace, generated: Generated, floor: int) -> TellJoin:
    """Return a function that adds a frame to `trace` after each join.

    The function gets the cells that are walkable after the join. `floor` is the id of the tile for
    opened cells.
    """
    count = 0

    def tell(walkable: NDArray[np.bool_]) -> None:
        nonlocal count
        count += 1
        trace.frame(
            "join", partial(_opened, generated, walkable, floor), generated.tiles, number=count
        )

    return tell


def _opened(generated: Generated, walkable: NDArray[np.bool_], floor: int) -> NDArray[Any]:
    """Return the cells of a layer with the tile `floor` where opened.

    `walkable` are the cells that are walkable after cells were opened.
    """
    table = {tile.id: tile.walkable for tile in generated.tiles}
    closed = [number for number, open_cell in table.items() if not open_cell]
    cells = generated.cells.copy()
    cells[walkable & np.isin(cells, closed)] = floor
    return cells


def broken_limits(
    certificate: Certificate | None,
    complete: bool,
    require: Requirements,
    farthest: Distance | None = None,
) -> dict[str, Breach]:
    """Return a breach for each limit in `require` that is not met, by key.

    Args:
        certificate: Proven facts about the walkable cells; None without walkable cells.
        complete: Whether everything that the layer requests was made.
        require: The limits from the spec.
        farthest: The distance to compare with the limit `min_distance`; None for that of the
            certificate.
    """
    broken: dict[str, Breach] = {}
    if require.complete is not None and complete != require.complete:
        all_placed = "everything requested was placed"
        broken["complete"] = Breach(f"not {all_placed}" if require.complete else all_placed, 1.0)
    if certificate is None:
        names = [field.name for field in fields(Requirements)]
        requested = [key for key in names if getattr(require, key) is not None]
        return broken | {
            key: Breach("it has no walkable cells to measure")
            for key in requested
            if key != "complete"
        }
    if farthest is None:
        farthest = Distance(certificate.farthest)
    share = certificate.floor / certificate.cells
    measured = {
        "connected": (certificate.connected, f"{certificate.regions_after} separate regions"),
        "min_floor": (share, f"the share of walkable cells is {share:.4f}"),
        "max_floor": (share, f"the share of walkable cells is {share:.4f}"),
        "min_distance": (farthest.steps, farthest.text),
        "max_dead_ends": (certificate.dead_ends, f"{certificate.dead_ends} dead ends"),
        "max_chokes": (certificate.chokes, f"{certificate.chokes} choke cells"),
    }
    for key, (value, message) in measured.items():
        limit = getattr(require, key)
        if limit is None:
            continue
        remaining = value == limit
        if key.startswith("min_"):
            remaining = value >= limit
        elif key.startswith("max_"):
            remaining = value <= limit
        if not remaining:
            expected = str(limit).lower() if isinstance(limit, bool) else limit
            broken[key] = Breach(f"{message} (required: {expected})", _apart(value, limit))
    return broken


# The value of a metric, or why it has none.
Figure = int | float | str


def broken_metrics(
    limits: Iterable[MetricLimit], figures: Mapping[str, Figure]
) -> dict[tuple[str, ...], Breach]:
    """Return a breach for each of `limits` that is not met.

    The key of a breach is the limit's path below `require`. `figures` are the values of the
    metrics, by name; a text says why there is no value.
    """
    broken: dict[tuple[str, ...], Breach] = {}
    for limit in limits:
        figure = figures[limit.name]
        if isinstance(figure, str):
            broken[(limit.name,)] = Breach(figure)
            continue
        for bound, expected in _unkept(limit.limit, figure):
            words = bound.replace("_", " ")
            requested_text, displayed = f"{expected:.15g}", _figure_text(figure, expected)
            if bound == "equals":
                words = "exactly"
            text = f"{limit.name} is {displayed} (required: {words} {requested_text})"
            broken[(limit.name, bound)] = Breach(text, _apart(figure, expected))
    return broken


def _apart(item: float, other: float) -> float:
    """Return the difference of two numbers as a share of the greater one."""
    return abs(item - other) / max(abs(item), abs(other))


def _unkept(limit: Limit, figure: int | float) -> Iterable[tuple[str, float]]:
    if limit.at_least is not None and figure < limit.at_least:
        yield "at_least", limit.at_least
    if limit.at_most is not None and figure > limit.at_most:
        yield "at_most", limit.at_most
    if limit.equals is not None and figure != limit.equals:
        yield "equals", limit.equals


def _figure_text(figure: int | float, limit: float) -> str:
    """Format the value of a metric with four digits.

    If it would then look equal to its `limit`, it gets all digits.
    """
    if isinstance(figure, int):
        return str(figure)
    return repr(figure) if round(figure, 4) == limit else f"{figure:.4f}"


def check_blob(spec: LevelSpec, level: Level) -> None:
    """Check the size of the level's blob against the spec's `budget`.

    Raises:
        SpecError: The blob is larger than `budget` allows, or cannot be written.
    """
    from exporter.measures.measuring import measure

    if spec.budget is None or spec.budget.blob is None:
        return
    try:
        size = int(measure(level, ["blob_bytes"])["blob_bytes"])
    except NotMeasurableError as error:
        raise spec.error(("budget", "blob"), error.message) from None
    broken = broken_budget(spec.budget, [size], None)
    if broken:
        raise SpecError([spec.problem(("budget", key), text) for key, text in broken.items()])


def broken_budget(budget: Budget, blobs: Iterable[int], outputs: int | None) -> dict[str, str]:
    """Return a message for each limit of `budget` that is exceeded, by key.

    Args:
        budget: The limits from the spec on sizes of files.
        blobs: The size of each blob of the level, in bytes.
        outputs: The size of all files of the level, in bytes; None if unknown.
    """
    broken: dict[str, str] = {}
    largest = max(blobs, default=0)
    for key, what, size, most in (
        ("blob", "the blob has", largest, budget.blob),
        ("outputs", "all files of the level have", outputs, budget.outputs),
    ):
        if size is not None and most is not None and size > most:
            broken[key] = f"{what} {_sizes(size, most)}"
    return broken


def _sizes(size: int, most: int) -> str:
    """Format `size` and its limit; in bytes if both would round to one text."""
    if size_text(size) == size_text(most):
        return f"{size} bytes (budget: {most} bytes)"
    return f"{size_text(size)} (budget: {size_text(most)})"
