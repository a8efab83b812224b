"""Connect the regions of a layer of a world by repeated surveys.

A survey reads every chunk with a margin, the halo. The first survey (`meetings`) returns the
regions of each chunk, and meetings: pairs of adjacent cells that are nearest to different regions,
between which a path can be opened. The second (`regions`) identifies regions that reach into other
chunks. Then the cheapest meetings are opened. If some regions are further apart than the halo, a
survey with a wider halo follows (`wider`), only in those blocks of chunks that may have more
meetings. If regions can only be joined along the border of the world, all starts again in another
phase, in which cells at the border may be opened.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.build.world_blocks import blocks_around, may_be_seen
from exporter.build.world_facts import Joins, cells_inside, parts_of_records, records
from exporter.grids.connectivity import PHASES
from exporter.grids.packed_arrays import pack_arrays, unpack_arrays
from exporter.grids.parted_joins import (
    Meetings,
    PartJoins,
    all_meetings,
    decode_meetings,
    decode_part_joins,
    encode_meetings,
    joined_parts,
)
from exporter.grids.parted_regions import decode_regions, encode_regions, whole_regions
from exporter.model.lazy_dataclass import dataclass
from exporter.model.windows import Window

Stage = Literal["meetings", "regions", "wider", "done"]
_STAGES: tuple[Stage, ...] = ("meetings", "regions", "wider", "done")
_UNKNOWN = -1
# Nearly all caves can be joined with this first halo.
FIRST_HALO = 16
_GROWTH = 4


class TooFarApartError(Exception):
    """Two regions are too far apart to be joined in windows of allowed size.

    `distance` is the largest distance in cells at which regions can be joined.
    """

    def __init__(self, distance: int) -> None:
        super().__init__(f"regions more than {distance} cells apart")
        self.distance = distance


@dataclass(frozen=True, slots=True, eq=False)
class Joining:
    """The state of connecting a layer's regions, between two surveys.

    A meeting is a pair of adjacent cells that are nearest to different regions.

    Attributes:
        joins: The joins decided so far.
        stage: What the next survey looks for: `meetings`, `regions` or `wider`; `done` at the end.
        phase: Which cells may be opened: 0 for the inside of the world, 1 also beside its corners,
            2 all.
        halo: The width of the margin around a chunk in cells.
        needed: At stage `regions`: the cells whose regions to find, ascending: uint32.
        parts: After stage `meetings`: the encoded regions of all chunks.
        meetings: After stage `meetings`: all meetings, encoded.
        unfinished: After stage `meetings`: the first cells of the chunks in which a wider halo may
            show more meetings, ascending: uint32.
    """

    joins: Joins = field(default_factory=lambda: Joins(_UNKNOWN, 1, _no_cells()))
    stage: Stage = "meetings"
    phase: int = 0
    halo: int = FIRST_HALO
    needed: NDArray[np.uint32] = field(default_factory=lambda: _no_cells())
    parts: bytes = b""
    meetings: bytes = b""
    unfinished: NDArray[np.uint32] = field(default_factory=lambda: _no_cells())


def _no_cells() -> NDArray[np.uint32]:
    return np.zeros(0, np.uint32)


def encode_joining(state: Joining) -> bytes:
    """Encode `state`, the state of joining a layer's regions, as bytes."""
    numbers = (
        state.joins.regions_before,
        state.joins.regions_after,
        _STAGES.index(state.stage),
        state.phase,
        state.halo,
    )
    return pack_arrays(
        {
            "numbers": np.array(numbers, "<i8"),
            "carved": state.joins.carved.astype("<u4"),
            "asked": state.needed.astype("<u4"),
            "unfinished": state.unfinished.astype("<u4"),
            "parts": np.frombuffer(state.parts, "<u1"),
            "meetings": np.frombuffer(state.meetings, "<u1"),
        }
    )


def decode_joining(data: bytes) -> Joining:
    """Decode the state of joining a layer's regions from bytes."""
    arrays = unpack_arrays(data)
    before, after, stage, phase, halo = arrays["numbers"].tolist()
    return Joining(
        Joins(before, after, arrays["carved"].astype(np.uint32)),
        _STAGES[stage],
        phase,
        halo,
        arrays["asked"].astype(np.uint32),
        arrays["parts"].tobytes(),
        arrays["meetings"].tobytes(),
        arrays["unfinished"].astype(np.uint32),
    )


def decode_joins(data: bytes) -> Joins:
    """Decode only the joins in an encoded state of joining."""
    return decode_joining(data).joins


def encode_wider(meetings: Meetings, unfinished: NDArray[np.uint32]) -> bytes:
    """Encode what a survey at stage `wider` finds in a block of chunks.

    `meetings` are pairs of cells between which a path could join regions. `unfinished` are the
    first cells of chunks that need a still wider halo.
    """
    return pack_arrays(
        {
            "meetings": np.frombuffer(encode_meetings(meetings), "<u1"),
            "unfinished": unfinished.astype("<u4"),
        }
    )


def _decode_wider(data: bytes) -> tuple[Meetings, NDArray[np.uint32]]:
    arrays = unpack_arrays(data)
    return decode_meetings(arrays["meetings"].tobytes()), arrays["unfinished"].astype(np.uint32)


def joined_around(joinings: Iterable[bytes], window: Window, reach: int, chunk: int) -> Window:
    """Return the window of opened cells that a survey of `window` reads.

    The survey of a layer reads the cells opened in the layers that it depends on, as far away as
    the widest margin of these layers.

    Args:
        joinings: The encoded state of joining the regions of each layer.
        window: The window to survey.
        reach: The width in cells of the margin on which the window's cells depend.
        chunk: The side of a chunk in cells.
    """
    # Layers whose joining has not begun are not among `joinings`: they have the first halo.
    around = window.grown(reach + FIRST_HALO)
    for data in joinings:
        state = decode_joining(data)
        looked_at = _looked_at(state, window, chunk).grown(reach + state.halo)
        left, top = min(around.x, looked_at.x), min(around.y, looked_at.y)
        right = max(around.right, looked_at.right)
        bottom = max(around.bottom, looked_at.bottom)
        around = Window(left, top, right - left, bottom - top, window.whole)
    return around


def _looked_at(state: Joining, window: Window, chunk: int) -> Window:
    return blocks_around(window, chunk, state.halo) if state.stage == "wider" else window


def narrowed_joining(data: bytes, window: Window, around: Window, chunk: int) -> bytes:
    """Reduce an encoded state of joining to what affects `window`.

    Args:
        data: The encoded state.
        window: The window to build or survey.
        around: The window of opened cells that are read, from `joined_around`.
        chunk: The side of a chunk in cells.
    """
    state = decode_joining(data)
    window = _looked_at(state, window, chunk)
    joins = state.joins
    return encode_joining(
        replace(
            state,
            joins=replace(joins, carved=cells_inside(joins.carved, around)),
            needed=cells_inside(state.needed, window),
            unfinished=cells_inside(state.unfinished, window),
            parts=b"",
            meetings=b"",
        )
    )


def settled_joining(data: bytes, state: Joining, size: tuple[int, int], chunk: int) -> Joining:
    """Return the next state of joining after a survey of all chunks.

    Args:
        data: The results of the survey for all chunks, combined; their form depends on
            `state.stage`.
        state: The state before the survey, which says what the survey looked for.
        size: Width and height of the world in cells.
        chunk: The side of a chunk in cells.

    Raises:
        TooFarApartError: Regions are left, and a wider halo would make the surveyed windows too
            large.
    """
    if state.stage != "regions":
        if state.stage == "meetings":
            state = _with_parts(
                [decode_part_joins(record) for record in parts_of_records(data)], state
            )
        else:
            state = _with_blocks(
                [_decode_wider(record) for record in parts_of_records(data)], state
            )
        if state.stage == "done" or state.needed.size:
            return state
        data = b""
    known: dict[int, int] = {}
    for record in parts_of_records(data):
        arrays = unpack_arrays(record)
        known |= dict(zip(arrays["cells"].tolist(), arrays["regions"].tolist(), strict=True))
    return _joined(state, known, size, chunk)


def _with_parts(parts: list[PartJoins], state: Joining) -> Joining:
    """Return the state after stage `meetings`, with all chunks' regions.

    `parts` are the results of the survey, one for each chunk.
    """
    count = whole_regions(part.regions for part in parts).count
    before = count if state.joins.regions_before == _UNKNOWN else state.joins.regions_before
    state = replace(state, joins=replace(state.joins, regions_before=before))
    if count == 0:
        nearest = min((part.nearest for part in parts if part.nearest is not None), default=None)
        middle = [] if nearest is None else [nearest[1]]
        return _done(state, np.array(middle, np.int64), len(middle))
    if count == 1:
        return _done(state, np.zeros(0, np.int64), 1)
    windows = [part.regions.window for part in parts if not part.finished]
    unfinished = np.array([window.y * window.whole[0] + window.x for window in windows], np.uint32)
    state = replace(
        state,
        unfinished=np.sort(unfinished),
        parts=records(*(encode_regions(part.regions) for part in parts)),
    )
    return _asking(state, all_meetings([part.meetings for part in parts]))


def _with_blocks(seen: list[tuple[Meetings, NDArray[np.uint32]]], state: Joining) -> Joining:
    """Return the state after stage `wider`, with the meetings of all blocks.

    `seen` has, for each block, its meetings, and its chunks that need a still wider halo.
    """
    meetings = all_meetings([decode_meetings(state.meetings), *(item for item, _ in seen)])
    unfinished = np.concatenate([_no_cells(), *(cells for _, cells in seen)])
    return _asking(replace(state, unfinished=np.sort(unfinished)), meetings)


def _asking(state: Joining, meetings: Meetings) -> Joining:
    """Return the state whose next survey finds the regions at `meetings`."""
    requested = meetings.needed().astype(np.uint32)
    return replace(state, stage="regions", needed=requested, meetings=encode_meetings(meetings))


def _joined(state: Joining, known: dict[int, int], size: tuple[int, int], chunk: int) -> Joining:
    """Join regions at the meetings found so far; return the next state.

    `known` has the number of the region of each needed cell. `size` is the world's size, `chunk`
    the side of a chunk, both in cells.
    """
    regions = [decode_regions(record) for record in parts_of_records(state.parts)]
    count = whole_regions(regions).count
    meetings = decode_meetings(state.meetings).answered(known)
    joined = joined_parts(count, regions, meetings, {})
    finished = not state.unfinished.size
    if joined.regions == 1 or (finished and state.phase == PHASES - 1):
        return _done(state, joined.opened, joined.regions)
    if finished:
        opened = np.union1d(state.joins.carved, joined.opened).astype(np.uint32)
        return Joining(replace(state.joins, carved=opened), phase=state.phase + 1)
    # A wider halo shows new meetings only in unfinished chunks.
    return replace(
        state,
        stage="wider",
        halo=_wider_halo(state.halo, size, chunk),
        needed=_no_cells(),
        meetings=encode_meetings(meetings),
    )


def _wider_halo(halo: int, size: tuple[int, int], chunk: int) -> int:
    """Return the width in cells of the margin to try after `halo`.

    `size` is the world's size, `chunk` the side of a chunk, both in cells. A world that can be
    surveyed at once gets an unlimited halo, because a detour around fixed walls may pass every
    cell.

    Raises:
        TooFarApartError: The windows to survey would be too large.
    """
    if may_be_seen(size, max(size)):
        return size[0] * size[1]
    if not may_be_seen(size, chunk + 2 * halo * _GROWTH):
        # Two regions meet between them, and each side is seen as far as the halo goes.
        raise TooFarApartError(2 * halo - 2)
    return halo * _GROWTH


def _done(state: Joining, opened: NDArray[np.int64], regions: int) -> Joining:
    carved = np.union1d(state.joins.carved, opened).astype(np.uint32)
    return Joining(Joins(state.joins.regions_before, regions, carved), "done", 0, 0)
