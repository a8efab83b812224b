"""Show for each cell why no object of a group could be placed there."""

from __future__ import annotations

from exporter.measures import measure
from exporter.measures.maps import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    RED,
    SKY,
    YELLOW,
    OverlayMap,
    classes,
)
from exporter.measures.measured import Measured

# Colours for the requirements that exclude cells, used in turn.
_COLORS = (ORANGE, RED, PINK, BLUE, "#8c6d31", "#6a51a3")


@measure("refused", arguments=("entry",), also=("why", "demands"))
def refused(level: Measured, entry: str) -> OverlayMap:
    """The first requirement of an object that each cell does not meet.

    Cells that could have another object, and cells that are only nearer than `spacing` to one of
    that name, are separate classes.
    """
    seen = level.making.observed_group(level.entry(entry))
    reasons = [
        (
            refusal.cells,
            f"not {refusal.what}" + (f" ({refusal.parameter})" if number else ""),
            _COLORS[(number - 1) % len(_COLORS)] if number else GREY,
        )
        for number, refusal in enumerate(seen.refusals)
    ]
    return classes(
        (seen.placed, "placed", GREEN),
        (seen.left, "could stand here", SKY),
        (seen.crowded, f"nearer than spacing {seen.parameters.spacing}", YELLOW),
        *reasons,
    )
