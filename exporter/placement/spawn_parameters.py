"""Define objects that are drawn from a table until a budget is spent."""

from __future__ import annotations

from typing import Annotated, Literal

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS
from exporter.model.parameters import About, Name, Names, ObjectName, Parameters, Within

# Objects of one entry.
MAXIMUM_SPAWNED = 65536
Points = Annotated[int, Within(0, 1_000_000)]
ColumnName = Annotated[str, Within(1, 64, length=True), Names("column")]


@dataclass(frozen=True, kw_only=True)
class Spawn(Parameters):
    """Turn rows of a table into objects, by weight and the rooms' points.

    A row costs its `danger`. In each room, rows that the remaining points can pay for are drawn
    until none is left, and get cells of the room. An object has the values of its row as
    properties, and the entry's values, which replace values of the same name.
    """

    table: Annotated[
        Annotated[Name, Names("table")],
        About("Table of `tables` whose rows appear.", also=("rows",)),
    ]
    budget: Annotated[
        Points | tuple[Points, Points],
        About(
            "Points of a room. Two numbers are those at the first and at the second object of "
            "`along`: a room between them has points in proportion to its share of the way.",
            "points",
            also=("points",),
            example="[3, 12]",
        ),
    ]
    along: Annotated[
        tuple[ObjectName, ObjectName] | None,
        About(
            "Two objects between which the way is measured. The share of a room is a / (a + b), "
            "where a and b are the steps to its middle from the first and the second object. "
            "Rooms that cannot be reached from both have no points.",
            also=("path", "between"),
            example="[start, exit]",
        ),
    ] = None
    per: Annotated[
        Literal["room", "map"] | Annotated[int, Within(16, MAXIMUM_CELLS)],
        About(
            "What the points are for: each `room` (or named area) of the layer, the whole `map`, "
            "or so many cells to stand on. With a number the map is divided into squares of about "
            "so many cells, each of which has points in proportion to its cells to stand on; of a "
            "fraction of a point it gets one or none by chance.",
            also=("each",),
        ),
    ] = "room"
    at_most: Annotated[
        Annotated[int, Within(1, MAXIMUM_SPAWNED)] | None,
        About(
            "Largest number of objects in a room, square or map. Points left then are not spent.",
            also=("max", "maximum", "limit"),
        ),
    ] = None
    danger: Annotated[
        ColumnName, About("Column with the points that a row costs: whole numbers above 0.")
    ] = "danger"
    weight: Annotated[
        ColumnName,
        About(
            "Column with the weight of a row: a row of weight 6 is drawn three times as often as "
            "one of weight 2, a row of weight 0 never.",
            also=("chance", "probability", "rarity", "frequency"),
        ),
    ] = "weight"
    earliest: Annotated[
        ColumnName | None,
        About("Column with the share of the way, in percent, before which a row does not appear."),
    ] = None
    latest: Annotated[
        ColumnName | None,
        About("Column with the share of the way, in percent, after which a row does not appear."),
    ] = None

    @property
    def budgets(self) -> tuple[int, int]:
        """The budget in points at the start and the end of the path."""
        return self.budget if isinstance(self.budget, tuple) else (self.budget, self.budget)

    def check(self, width: int, height: int) -> None:
        """Check the options against each other."""
        del width, height
        if self.along is None:
            if isinstance(self.budget, tuple):
                raise ParameterError(
                    "the budget has two numbers, but no path (add `along: [start, exit]` with "
                    "names of your objects, or write one number)",
                    ("budget",),
                )
            for name in ("earliest", "latest"):
                if getattr(self, name) is not None:
                    raise ParameterError(
                        f"{name!r} needs a path between two objects (add `along: [start, exit]` "
                        "with names of your objects)",
                        (name,),
                    )
        elif self.along[0] == self.along[1]:
            raise ParameterError(
                f"the path starts and ends at {self.along[0]!r} (name two different objects)",
                ("along", 1),
            )
        elif self.per == "map":
            raise ParameterError(
                "the whole map has one budget, so it cannot change along a path (write `per: "
                "room` or a number of cells, or remove `along`)",
                ("along",),
            )
