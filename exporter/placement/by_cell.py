"""Place objects cell by cell: each cell alone decides if it gets one.

Every cell that passes the group's filters gets an object with the same chance, decided by the
cell's own random number. So a part of a map has the same objects as the whole map has there, and a
change far away moves no object.
"""

from __future__ import annotations

from exporter.model.errors import ParameterError
from exporter.model.parameters import Parameters

# The most objects of a group in one level, or chunk of a world: as many as `count` allows.
MOST_OBJECTS = 65536
# Options that read more than a cell and its surroundings.
_GLOBAL = (
    "count", "at", "spacing", "reachable_from", "far_from", "near", "on_path", "off_path", "room",
    "in_rooms", "dead_end_rooms", "on_critical_path", "off_critical_path", "region", "spawn",
)  # fmt: skip


def check_by_cell(item: Parameters, position: str, percent: float | None) -> None:
    """Check that `place: by_cell` has `percent` and no conflicting option.

    Args:
        item: The parameters of an object group.
        position: The value of `place`.
        percent: The value of `percent`, the chance of each cell.

    Raises:
        ParameterError: An option is missing or conflicts; the error has its path.
    """
    if position != "by_cell":
        if percent is not None:
            raise ParameterError(
                "`percent` has no effect without `place: by_cell` (add that, or write `count` "
                "instead)",
                ("percent",),
            )
        return
    if percent is None:
        raise ParameterError(
            "`by_cell` needs `percent`, the chance that a cell gets an object (write `percent: 2`)",
            ("place",),
        )
    for name in _GLOBAL:
        if getattr(item, name) != getattr(type(item), name):
            raise ParameterError(
                f"{name!r} needs the whole map, but `place: by_cell` decides each cell alone "
                "(remove one of them)",
                (name,),
            )
