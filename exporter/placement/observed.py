"""Observe a group: its possible cells, and the filters of others.

The filters of the placement run again and count the cells that each of them removed, so the picture
shows the real decision. Placement itself does none of this.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from exporter.kernels.placement import clear_disc
from exporter.model.lazy_dataclass import dataclass
from exporter.placement.board import PlacementBoard
from exporter.placement.demands import Mask, Places, Surroundings
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placing import place_group

if TYPE_CHECKING:
    from exporter.streams import Stream


@dataclass(slots=True)
class RecordedPlaces(Places):
    """Places that note which cells each demand removed.

    Attributes:
        removed: For every step its cells: bool [height, width].
    """

    removed: list[Mask] = field(default_factory=list)

    def keep(self, mask: Mask, what: str, parameter: str) -> None:
        """Keep the cells of another mask, and note the others."""
        before = self.mask
        Places.keep(self, mask, what, parameter)
        self.removed.append(before & ~self.mask)


@dataclass(frozen=True, slots=True, eq=False)
class ExcludedCells:
    """The cells that a demand was the first to rule out.

    Attributes:
        what: The failed condition: `clear within 2`.
        parameter: The parameter that asks for it.
        cells: bool [height, width].
    """

    what: str
    parameter: str
    cells: Mask


@dataclass(frozen=True, slots=True, eq=False)
class ObservedGroup:
    """A group of objects, and the filter that decided each cell.

    Attributes:
        parameters: The group.
        placed: bool [height, width]: the cells that it got.
        crowded: bool [height, width]: cells that keep every demand, but are nearer than `spacing`
            to objects of that name.
        left: bool [height, width]: cells that another object of the group could have.
        refusals: The failed condition of every other cell. Each cell is in exactly one mask.
    """

    parameters: ObjectParameters
    placed: Mask
    crowded: Mask
    left: Mask
    refusals: tuple[ExcludedCells, ...]


def observe_group(
    item: ObjectParameters, number: int, surroundings: Surroundings, stream: Stream
) -> ObservedGroup:
    """Return the filter that decided each cell of a group.

    Too few places are no error: as many objects are placed as find one.

    Args:
        item: The objects.
        number: As in `place_group`.
        surroundings: Their surroundings on the map.
        stream: That of all objects.

    Raises:
        ParameterError: A demand cannot be understood on this map, such as one of a missing room.
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
