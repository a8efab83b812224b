"""Define the keys of `require` and `budget`, the limits in a spec."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS
from exporter.model.parameters import About, ObjectName, Parameters, Within
from exporter.model.sizes import ByteSize

# Maximum number of seeds that must keep the limits of a level.
MAXIMUM_SEEDS = 1_000_000
# Beyond it, numbers with a fraction cannot count by one.
LARGEST_LIMIT = 1 << 53


@dataclass(frozen=True, kw_only=True)
class Requirements(Parameters):
    """Limits for a finished layer; measures of its cells are keys, too.

    A layer that breaks one fails the level, at the limit's line.
    """

    connected: Annotated[
        bool | None, About("Whether all walkable cells must form one 4-connected region.")
    ] = None
    complete: Annotated[
        bool | None, About("Whether the generator must have placed everything that was wanted.")
    ] = None
    min_floor: Annotated[float | None, Within(0, 1), About("Smallest share of walkable cells.")] = (
        None
    )
    max_floor: Annotated[float | None, Within(0, 1), About("Largest share of walkable cells.")] = (
        None
    )
    min_distance: Annotated[
        int | None,
        Within(0, MAXIMUM_CELLS),
        About("Smallest walking distance from the start to the farthest cell.", unit="steps"),
    ] = None
    max_dead_ends: Annotated[
        int | None, Within(0, MAXIMUM_CELLS), About("Largest number of dead ends.", unit="cells")
    ] = None
    max_chokes: Annotated[
        int | None,
        Within(0, MAXIMUM_CELLS),
        About("Largest number of choke cells (articulation points).", unit="cells"),
    ] = None

    def limits_cells(self) -> bool:
        """Return whether any limit is about walkable cells or placed objects."""
        return any(getattr(self, item.name) is not None for item in fields(Requirements))


@dataclass(frozen=True, kw_only=True)
class SeedShare(Parameters):
    """The share of other seeds with which the level must keep its limits."""

    of: Annotated[int, Within(1, MAXIMUM_SEEDS), About("Number of seeds to try.", "seeds")] = 1000
    at_least: Annotated[
        float,
        Within(0, 1),
        About("Smallest share of them, with a confidence of 95 %.", also=("share", "percent")),
    ] = 0.99


@dataclass(frozen=True, kw_only=True)
class LevelRequirements(Requirements):
    """Limits that the finished level must keep; else its export fails.

    The error points at the line of the broken limit.
    """

    start: Annotated[
        ObjectName | None,
        About(
            "Objects from which `min_distance` counts, the nearest of several; default: the first "
            "cell, row by row, of the largest region.",
            also=("from",),
            example="player",
        ),
    ] = None
    seeds: Annotated[
        SeedShare | None,
        About(
            "How many other seeds must keep these limits, too; only `--prove` tries them.",
            example="{of: 1000, at_least: 0.99}",
        ),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse `start` without a limit that uses it."""
        if self.start is not None and self.min_distance is None:
            message = "'start' needs 'min_distance' (as in `{min_distance: 60, start: player}`)"
            raise ParameterError(message, ("start",))


@dataclass(frozen=True, kw_only=True)
class Limit(Parameters):
    """Limits for a metric: a largest and a smallest value, or the only one."""

    at_least: Annotated[
        float | None,
        Within(0, LARGEST_LIMIT),
        About("Smallest value.", also=("min", "minimum", "above")),
    ] = None
    at_most: Annotated[
        float | None,
        Within(0, LARGEST_LIMIT),
        About("Largest value.", also=("max", "maximum", "below")),
    ] = None
    equals: Annotated[
        float | None, Within(0, LARGEST_LIMIT), About("The only value.", also=("exactly",))
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse limits that contradict each other or have no effect."""
        if self.equals is not None and (self.at_least is not None or self.at_most is not None):
            raise ParameterError(
                "`equals` cannot be combined with other limits (remove it, or the others)",
                ("equals",),
            )
        if self.equals is None and self.at_least is None and self.at_most is None:
            raise ParameterError("the limit is missing (write `{at_least: 0.5}`)")
        low, high = self.at_least, self.at_most
        if low is not None and high is not None and low > high:
            message = f"nothing is at most {high:g} and at least {low:g} (exchange the two numbers)"
            raise ParameterError(message, ("at_most",))


@dataclass(frozen=True, slots=True)
class MetricLimit:
    """A limit on a metric; `name` is written as in the spec."""

    name: str
    limit: Limit


@dataclass(frozen=True, kw_only=True)
class Budget(Parameters):
    """Largest sizes of the level's files.

    A level that exceeds one fails, at the size's line.
    """

    blob: Annotated[
        ByteSize | None, About("Largest size of the level's blob.", also=("lvb",), example="20 kB")
    ] = None
    outputs: Annotated[
        ByteSize | None,
        About(
            "Largest size of all files of the level in all targets together.",
            also=("files",),
            example="2 MB",
        ),
    ] = None
