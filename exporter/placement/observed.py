"""Explain a group's placement: the filter that excluded each cell.

The filters of the placement run once more and record the cells that each of them removed, so the
explanation shows the real decision. Placement itself records nothing.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from exporter.kernels.placement import clear_disc
from exporter.model.lazy_dataclass import dataclass
from exporter.placement.board import PlacementBoard
from exporter.placement.demands import GroupSurroundings, Mask, Places
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placing import place_group

if TYPE_CHECKING:
    from exporter.streams import Stream


@dataclass(slots=True)
class RecordedPlaces(Places):
    """The cells that a group can use, and which cells each filter removed.

    Attributes:
        removed: For each filter the removed cells: bool [height, width].
    """

    removed: list[Mask] = field(default_factory=list)

    def keep(self, mask: Mask, what: str, parameter: str) -> None:
        """Apply a filter: keep cells also in `mask`; record the cells removed.

        `what` describes the filter in messages; `parameter` is the group's parameter that asks for
        it.
        """
        before = self.mask
        Places.keep(self, mask, what, parameter)
        self.removed.append(before & ~self.mask)


@dataclass(frozen=True, slots=True, eq=False)
class ExcludedCells:
    """The cells that one filter removed, after all filters before it.

    Attributes:
        what: The failed condition, such as `clear within 2`.
        parameter: The parameter with this condition.
        cells: bool [height, width].
    """

    what: str
    parameter: str
    cells: Mask


@dataclass(frozen=True, slots=True, eq=False)
class ObservedGroup:
    """An object group, and why each cell was or was not used.

    Each cell is in exactly one mask.

    Attributes:
        parameters: The group's parameters in the spec.
        placed: bool [height, width]: the cells of the placed objects.
        crowded: bool [height, width]: cells that pass every filter, but are nearer than `spacing`
            to objects of that name.
        left: bool [height, width]: cells where a further object of the group could be.
        refusals: All other cells, by the first filter that they failed.
    """

    parameters: ObjectParameters
    placed: Mask
    crowded: Mask
    left: Mask
    refusals: tuple[ExcludedCells, ...]


def observe_group(
    item: ObjectParameters, number: int, surroundings: GroupSurroundings, stream: Stream
) -> ObservedGroup:
    """Place a group again, and return why each cell was or was not used.

    Too few cells are no error: as many objects are placed as possible.

    Args:
        item: The group's parameters in the spec.
        number: The group's number among the groups of its name, from 1.
        surroundings: The map around the group.
        stream: The random stream of all objects.

    Raises:
        ParameterError: A rule has no meaning on this map, such as one that names a missing room.
    """
    board = PlacementBoard(item, surroundings, stream.portable.child(item.name, number))
    standing = board.demands.standing()
    places = board.demands.places(RecordedPlaces)
    assert isinstance(places, RecordedPlaces)
    fitting = places.mask
    placed = np.zeros_like(standing)
    free = board.free_cells(fitting)
    for x, y in place_group(replace(item, required=False), number, surroundings, stream).cells:
        placed[y, x] = True
        clear_disc(free.data, board.width, board.halves.data, y * board.width + x)
    left = free.reshape(standing.shape).astype(bool)
    refusals = [
        ExcludedCells(what, parameter, cells)
        for (what, _, parameter), cells in zip(places.steps, places.removed, strict=True)
    ]
    # The first step is the ground; with `at` only one cell was checked.
    what, _, parameter = places.steps[0]
    refusals[0] = ExcludedCells(what, parameter, ~standing)
    reported = np.logical_or.reduce([fitting, *(refusal.cells for refusal in refusals)])
    if item.at is not None:
        refusals.append(ExcludedCells(f"[{item.at[0]}, {item.at[1]}]", "at", ~reported))
    elif not reported.all():
        parameter = "on_path" if item.on_path is not None else "off_path"
        refusals.append(ExcludedCells("on a map with such a way", parameter, ~reported))
    return ObservedGroup(item, placed, fitting & ~left & ~placed, left & ~placed, tuple(refusals))
