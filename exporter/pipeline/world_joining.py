"""Joining the regions of a layer of a world: surveys of its parts, until one region is left.

First every part gives its regions and where their territories meet (`meetings`). Where a region
lies in another part, that part says which one it is (`regions`). Then the cheapest meetings are
opened. If regions are left that lie further apart than the halo shows, it begins again with a
larger halo; if they can only be joined along the border of the world, with another phase.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.grids.connectivity import PHASES
from exporter.grids.packed_arrays import pack_arrays, unpack_arrays
from exporter.grids.parted_joins import (
    all_meetings,
    decode_meetings,
    decode_part_joins,
    encode_meetings,
    joined_parts,
)
from exporter.grids.parted_regions import decode_regions, encode_regions, whole_regions
from exporter.model.limits import MAXIMUM_CELLS
from exporter.model.windows import Window
from exporter.pipeline.world_facts import Joins, cells_inside, parts_of_records, records

Stage = Literal["meetings", "regions", "done"]
_STAGES: tuple[Stage, ...] = ("meetings", "regions", "done")
_UNKNOWN = -1
# Nearly all caves are joined with the first; each of the next takes a survey of the whole world.
FIRST_HALO = 16
_GROWTH = 4


class TooFarApartError(Exception):
    """Regions are further apart than a halo can show; `distance` is how far it can."""

    def __init__(self, distance: int) -> None:
        super().__init__(f"regions more than {distance} cells apart")
        self.distance = distance


@dataclass(frozen=True, slots=True, eq=False)
class Joining:
    """How far the joining of the regions of a layer has come.

    Attributes:
        joins: What is decided.
        stage: What the next survey looks for.
        phase: See `exporter.grids.connectivity.carvable`.
        halo: How many cells around a part are looked at.
        asked: For `regions`: the cells whose regions are asked for, ascending: uint32.
        parts: For `regions`: the bytes of the regions of all parts.
        meetings: For `regions`: the bytes of all meetings.
        finished: For `regions`: whether the halo shows everything.
    """

    joins: Joins = field(default_factory=lambda: Joins(_UNKNOWN, 1, _no_cells()))
    stage: Stage = "meetings"
    phase: int = 0
    halo: int = FIRST_HALO
    asked: NDArray[np.uint32] = field(default_factory=lambda: _no_cells())
    parts: bytes = b""
    meetings: bytes = b""
    finished: bool = False


def _no_cells() -> NDArray[np.uint32]:
    return np.zeros(0, np.uint32)


def encode_joining(state: Joining) -> bytes:
    """Return how far a joining has come as bytes."""
    numbers = (
        state.joins.regions_before,
        state.joins.regions_after,
        _STAGES.index(state.stage),
        state.phase,
        state.halo,
        int(state.finished),
    )
    return pack_arrays(
        {
            "numbers": np.array(numbers, "<i8"),
            "carved": state.joins.carved.astype("<u4"),
            "asked": state.asked.astype("<u4"),
            "parts": np.frombuffer(state.parts, "<u1"),
            "meetings": np.frombuffer(state.meetings, "<u1"),
        }
    )


def decode_joining(data: bytes) -> Joining:
    """Return how far a joining has come from its bytes."""
    arrays = unpack_arrays(data)
    before, after, stage, phase, halo, finished = arrays["numbers"].tolist()
    return Joining(
        Joins(before, after, arrays["carved"].astype(np.uint32)),
        _STAGES[stage],
        phase,
        halo,
        arrays["asked"].astype(np.uint32),
        arrays["parts"].tobytes(),
        arrays["meetings"].tobytes(),
        bool(finished),
    )


def decode_joins(data: bytes) -> Joins:
    """Return what is decided, from the bytes of a joining."""
    return decode_joining(data).joins


def narrowed_joining(data: bytes, window: Window, reach: int) -> bytes:
    """Return what of a joining concerns a window of the world.

    Args:
        data: The bytes of the joining.
        window: The window.
        reach: How many cells around it its own cells may depend on.
    """
    state = decode_joining(data)
    around = window.grown(reach + state.halo)
    joins = state.joins
    return encode_joining(
        replace(
            state,
            joins=replace(joins, carved=cells_inside(joins.carved, around)),
            asked=cells_inside(state.asked, window),
            parts=b"",
            meetings=b"",
        )
    )


def settled_joining(data: bytes, state: Joining, size: tuple[int, int], chunk: int) -> Joining:
    """Return how far a joining has come after a survey of all parts.

    Args:
        data: What the parts gave: records of `PartJoins`, or of cells and their regions.
        state: How far it had come before.
        size: Width and height of the world.
        chunk: The side of its parts.

    Raises:
        TooFarApartError: No window that may be looked at once is large enough.
    """
    if state.stage == "meetings":
        parts = [decode_part_joins(one) for one in parts_of_records(data)]
        count = whole_regions(one.regions for one in parts).count
        before = count if state.joins.regions_before == _UNKNOWN else state.joins.regions_before
        state = replace(state, joins=replace(state.joins, regions_before=before))
        if count == 0:
            nearest = min((one.nearest for one in parts if one.nearest is not None), default=None)
            middle = [] if nearest is None else [nearest[1]]
            return _done(state, np.array(middle, np.int64), len(middle))
        if count == 1:
            return _done(state, np.zeros(0, np.int64), 1)
        meetings = all_meetings([one.meetings for one in parts])
        state = replace(
            state,
            stage="regions",
            asked=meetings.asked().astype(np.uint32),
            parts=records(*(encode_regions(one.regions) for one in parts)),
            meetings=encode_meetings(meetings),
            finished=all(one.finished for one in parts),
        )
        if state.asked.size:
            return state
        data = b""
    known: dict[int, int] = {}
    for one in parts_of_records(data):
        arrays = unpack_arrays(one)
        known |= dict(zip(arrays["cells"].tolist(), arrays["regions"].tolist(), strict=True))
    regions = [decode_regions(one) for one in parts_of_records(state.parts)]
    count = whole_regions(regions).count
    joined = joined_parts(count, regions, decode_meetings(state.meetings), known)
    if joined.regions == 1 or (state.finished and state.phase == PHASES - 1):
        return _done(state, joined.opened, joined.regions)
    again = replace(
        state, stage="meetings", asked=_no_cells(), parts=b"", meetings=b"", finished=False
    )
    if state.finished:
        opened = np.union1d(state.joins.carved, joined.opened).astype(np.uint32)
        joins = replace(state.joins, carved=opened)
        return replace(again, joins=joins, phase=state.phase + 1, halo=FIRST_HALO)
    halo = state.halo * _GROWTH
    side = chunk + 2 * halo
    if min(side, size[0]) * min(side, size[1]) > MAXIMUM_CELLS:
        # Two regions meet between them, and each side is seen as far as the halo goes.
        raise TooFarApartError(2 * state.halo - 2)
    return replace(again, halo=halo)


def _done(state: Joining, opened: NDArray[np.int64], regions: int) -> Joining:
    carved = np.union1d(state.joins.carved, opened).astype(np.uint32)
    return Joining(Joins(state.joins.regions_before, regions, carved), "done", 0, 0)
