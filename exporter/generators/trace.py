"""Record intermediate grids of a generator, for the preview of steps.

A frame is a snapshot of the grid with a label. A generator reports frames if `Request.trace` is not
None; its random numbers and its result are the same with a trace. A trace keeps an evenly spaced
choice of frames, so generators need not limit their number or size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Tile

MAXIMUM_FRAMES = 200
# All frames of a trace together. One is always kept, however large it is.
MAXIMUM_BYTES = 1 << 28

Cells = NDArray[np.uint8] | NDArray[np.uint16]
Grid = NDArray[Any]
# A grid, or a function that returns it, called only for a kept frame.
GridSource = Grid | Callable[[], Grid]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """An intermediate grid of a generator, recorded after a step.

    Attributes:
        label: The name of the finished step, such as `round 3 of 5`.
        cells: uint8 or uint16 [height, width], read-only.
        tiles: The tiles by id; empty for heights.
    """

    label: str
    cells: Cells
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Retained:
    """A kept frame, its kind of step, and its number in that kind, from 1."""

    step: str
    ordinal: int
    frame: Frame


class Trace:
    """Collects a limited number of evenly spaced frames of a layer.

    Each kind of step (`round`, `corridor`) is thinned separately: at first every frame is kept,
    then every second, every fourth, and so on. The kind with the most frames is thinned next, so
    that a few rounds are kept beside thousands of corridors. Which frames are kept depends only on
    their numbers.

    Args:
        width: The number of columns of the layer.
        height: The number of rows of the layer.
        maximum: The largest number of frames, at least 1.
        maximum_bytes: The largest size of all frames in bytes; one frame is always kept.

    Attributes:
        limit: The largest number of frames, by `maximum` and `maximum_bytes`.
        thinned: Whether frames were left out.

    Raises:
        ValueError: `maximum` is below 1.
    """

    def __init__(
        self,
        width: int,
        height: int,
        maximum: int = MAXIMUM_FRAMES,
        maximum_bytes: int = MAXIMUM_BYTES,
    ) -> None:
        if maximum < 1:
            raise ValueError(f"a trace cannot have {maximum} frames (needed: at least 1)")
        self._shape = (height, width)
        # Cells have two bytes at most.
        self.limit = max(1, min(maximum, maximum_bytes // (2 * width * height)))
        self.thinned = False
        self._frames: list[_Retained] = []
        self._ordinals: dict[str, int] = {}
        self._strides: dict[str, int] = {}

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames that were kept, in the order of the steps."""
        return tuple(item.frame for item in self._frames)

    def frame(
        self,
        step: str,
        cells: GridSource,
        tiles: tuple[Tile, ...] = (),
        *,
        number: int = 0,
        of: int = 0,
    ) -> None:
        """Record a frame after a step, unless its kind is thinned out.

        Args:
            step: The kind of step, without its number, such as `round`.
            cells: Integers from 0 to 65535, [height, width], which are copied; or a function that
                returns them.
            tiles: The tiles by id, also some that the finished layer lacks; empty for heights.
            number: The number of the step, from 1; 0 if steps are not counted.
            of: The number of all steps of the kind; 0 if unknown.

        Raises:
            ValueError: The cells have another shape, or numbers outside 0 to 65535.
        """
        ordinal = self._ordinals.get(step, 0) + 1
        self._ordinals[step] = ordinal
        if ordinal % self._strides.setdefault(step, 1):
            self.thinned = True
            return
        grid = _copied(cells() if callable(cells) else cells, self._shape)
        frame = Frame(_label(step, number, of), grid, tiles)
        self._frames.append(_Retained(step, ordinal, frame))
        while len(self._frames) > self.limit:
            self._thin()

    def teller(
        self, step: str, cells: Callable[[], Grid], tiles: tuple[Tile, ...] = (), of: int = 0
    ) -> Callable[[int], None]:
        """Return a callback that takes a step's number and records a frame.

        `step` is the kind of step, such as `round`, and `of` the number of its steps (0 if
        unknown). `cells` returns the grid after the step; `tiles` are its tiles by id.
        """

        def tell(number: int) -> None:
            self.frame(step, cells, tiles, number=number, of=of)

        return tell

    def every(self, total: int) -> int:
        """Return how many of `total` steps a generator makes before each frame.

        Frames are then few enough to be kept.
        """
        size = max(1, -(-total // self.limit))
        self.thinned |= size > 1
        return size

    def _thin(self) -> None:
        """Drop about half of the frames of the kind of step with the most.

        If no kind has two frames, every second of all frames is dropped.
        """
        self.thinned = True
        counts: dict[str, int] = {}
        for item in self._frames:
            counts[item.step] = counts.get(item.step, 0) + 1
        longest = max(counts, key=lambda step: counts[step])
        if counts[longest] == 1:
            # No step has a frame to spare: drop every second of all, never the last.
            self._frames = self._frames[::-1][::2][::-1]
            return
        stride = self._strides[longest] = 2 * self._strides[longest]
        self._frames = [
            item for item in self._frames if item.step != longest or item.ordinal % stride == 0
        ]


def portions(trace: Trace | None, total: int) -> Iterator[int]:
    """Divide `total` steps into portions; yield the size of each.

    A frame is recorded after each portion. Without a trace there is one portion. A kernel that
    makes many steps in one call is called once for each portion.
    """
    size = total if trace is None else trace.every(total)
    done = 0
    while True:
        yield min(size, total - done)
        done += size
        if done >= total:
            return


def _label(step: str, number: int, of: int) -> str:
    if not number:
        return step
    return f"{step} {number:,} of {of:,}" if of else f"{step} {number:,}"


def _copied(cells: Grid, shape: tuple[int, int]) -> Cells:
    """Return a read-only copy of a grid as uint8 or uint16.

    Raises:
        ValueError: The grid has another shape, or numbers outside 0 to 65535.
    """
    fits = cells.shape == shape and cells.dtype.kind in "bui"
    if fits and cells.dtype not in (np.bool_, np.uint8, np.uint16):
        fits = bool(cells.min() >= 0 and cells.max() <= 65535)
    if not fits:
        raise ValueError(
            f"the frame has type {cells.dtype} and shape {cells.shape} (needed: whole numbers "
            f"from 0 to 65535, shape {shape})"
        )
    small = cells.dtype in (np.bool_, np.uint8) or int(cells.max()) < 256
    copy: Cells = cells.astype(np.uint8) if small else cells.astype(np.uint16)
    copy.flags.writeable = False
    return copy
