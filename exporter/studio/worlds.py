"""Show a world that is too large to be built at once.

The studio builds a window, the part of the world in view, and an overview of the whole world from
samples. A window grows from its middle, piece by piece, until its time is over; then the page
requests the rest. Built pieces are cached, so that a moved view builds only the new ones.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from exporter.build.build import Build
from exporter.build.stages import StageCache, Track
from exporter.build.world import World
from exporter.build.world_results import WindowResult
from exporter.build.world_surveys import joined_surveys
from exporter.build.world_window import WindowBuild, joined_windows
from exporter.formats.preview import preview_pixels
from exporter.model.errors import SpecError
from exporter.model.level import Level
from exporter.model.parameters import file_names
from exporter.model.windows import Window
from exporter.project.level_files import signature
from exporter.studio.frames import BinaryMessage
from exporter.studio.tasks import Area

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from exporter.build.files import InputFiles
    from exporter.model.errors import Problem
    from exporter.model.level import Layer
    from exporter.reading.level_spec import LevelSpec

# A world of up to so many cells is surveyed as for an export, a larger one only by samples.
_SURVEYED = 1 << 22
_SAMPLES, _SAMPLE_SIDE = 12, 32
# The side of a piece in cells, the most pieces that are kept, and the longest side of a window in
# cells.
_PIECE, _KEPT, _LONGEST = 128, 256, 640
# The side in cells of the window that is shown first.
_FIRST = 256
# How long a message may wait for pieces, or for samples of the overview.
_SECONDS = 0.25
# Samples along the longer side of an overview. If they are at most so many cells apart, building
# all cells between them is faster than building each sample alone.
_OVERVIEW, _CLOSE = 64, 48
_ROUNDS = (8, 4, 2, 1)


class ShownWorld:
    """A world in the studio, with the pieces of it that were built last.

    Args:
        spec: The checked spec, which has the key `chunk`.
        root: The folder that input files must lie in; None for the spec's own folder.

    Attributes:
        warnings: The ways in which the page differs from an export.
        overview: A small picture of the whole world.

    Raises:
        SpecError: The spec cannot be built in chunks.
    """

    def __init__(self, spec: LevelSpec, root: Path | None) -> None:
        self._world = World(spec, root)
        self._exact = prod(spec.size) <= _SURVEYED
        try:
            self._known = self._world.surveyed() if self._exact else self._sampled()
            if any(file_names(layer.parameters) for layer in spec.layers.values()):
                self._world.made(Window(0, 0, 1, 1, self._world.size), self._known)
        except SpecError as error:
            error.files = (*self.files.hashes,)
            raise
        paths = [self.files.root / name for name in self.files.hashes if self.files.root]
        self._signatures = {path: signature(path) for path in paths}
        self.warnings = [] if self._exact else self._differences()
        self._pieces: OrderedDict[tuple[int, int], WindowResult] = OrderedDict()
        self.overview = Overview(self._world, self._known)

    def build(self, area: Area | None, cache: StageCache, track: Track) -> tuple[WindowBuild, bool]:
        """Build the window in view, or as much of it as time allows.

        Also return whether the window is complete.

        Args:
            area: The window; None for the middle of the world.
            cache: Stores the results of stages between builds.
            track: Returns, for a stage's name, the context to enter while the stage runs.
        """
        with track("window"):
            window, made, complete = self._window(_Pieces(area, self._world.size))
        built = WindowBuild(self._world, window, self._known, made, cache, track=track)
        return built, complete

    @property
    def is_current(self) -> bool:
        """Whether the input files are unchanged since they were read."""
        return all(signature(path) == known for path, known in self._signatures.items())

    @property
    def files(self) -> InputFiles:
        """The files that the spec of the world reads, with their hashes."""
        return self._world.files

    def facts(self, build: Build, complete: bool) -> dict[str, Any]:
        """Return where the window lies in the world, as `WorldData` for the page.

        `build` is the build of the window; `complete`: whether the window is all that was
        requested.
        """
        (x, y), (width, height) = build.origin, self._world.size
        return {"x": x, "y": y, "width": width, "height": height, "complete": complete}

    def _window(self, pieces: _Pieces) -> tuple[Window, WindowResult, bool]:
        """Build a window's pieces from its middle outwards while time is left.

        Return the window that was built, its cells, and whether it has all pieces.
        """
        end = perf_counter() + _SECONDS
        left, top, right, bottom = pieces.first
        self._piece(left, top)
        for side in pieces.sides():
            if perf_counter() > end:
                break
            left, top, right, bottom = side
            for row in range(top, bottom):
                for column in range(left, right):
                    self._piece(column, row)
        made = joined_windows(
            [self._piece(column, row) for column in range(left, right)]
            for row in range(top, bottom)
        )
        width, height = self._world.size
        x, y = left * _PIECE, top * _PIECE
        right, bottom = min(right * _PIECE, width), min(bottom * _PIECE, height)
        window = Window(x, y, right - x, bottom - y, self._world.size)
        while len(self._pieces) > _KEPT:
            self._pieces.popitem(last=False)
        return window, made, (x, y, right, bottom) == pieces.bounds

    def _piece(self, column: int, row: int) -> WindowResult:
        piece = self._pieces.get((column, row))
        if piece is None:
            width, height = self._world.size
            x, y = column * _PIECE, row * _PIECE
            window = Window(x, y, min(_PIECE, width - x), min(_PIECE, height - y), self._world.size)
            piece = self._pieces[column, row] = self._world.made(window, self._known)
        self._pieces.move_to_end((column, row))
        return piece

    def _sampled(self) -> dict[str, bytes]:
        """Return estimates of the surveys' results, from samples of the world.

        A survey collects a fact, such as the range of heights, from the whole world. Surveys for
        joining regions are left out, because samples cannot replace them.
        """
        known: dict[str, bytes] = {}
        width, height = self._world.size
        side = min(_SAMPLE_SIDE, width, height)
        windows = [
            Window(x, y, side, side, self._world.size)
            for y in np.linspace(0, height - side, _SAMPLES).astype(int).tolist()
            for x in np.linspace(0, width - side, _SAMPLES).astype(int).tolist()
        ]
        for names in self._world.surveys():
            names = tuple(name for name in names if name.startswith(("extremes ", "given ")))
            found: dict[str, bytes] = {}
            for window in windows if names else ():
                found = joined_surveys(found, self._world.survey(names, window, known))
            known |= self._world.settle(names, found, known)
            for name in names:
                kind, _, layer = name.partition(" ")
                if kind == "given":  # samples miss some tiles
                    known[name] = self._world.all_given(layer, known)
        return known

    def _differences(self) -> list[Problem]:
        """Return a warning for each way in which the page differs from an export."""
        spec = self._world.spec
        names = [name.split(" ") for names in self._world.surveys() for name in names]
        texts = {
            "extremes": f"{{}} is stretched as in {_SAMPLES**2} samples of this world; an export "
            "surveys all of it, so its values differ a little",
            "joins": "the regions of {} are not joined here, since that takes all of this world; "
            "an export joins them",
        }
        return [
            replace(
                spec.problem(("layers", layer, "generator"), texts[kind].format(repr(layer))),
                severity="warning",
            )
            for kind, layer in names
            if kind in texts
        ]


class _Pieces:
    """The pieces of an area, in an order from its middle outwards.

    Args:
        area: The area in view, which is cut to the world and around its middle; None for the middle
            of the world.
        size: The size of the world.

    Attributes:
        first: The piece in the middle: its left, top, right and bottom edge, counted in pieces.
        bounds: The left, top, right and bottom edge of all pieces together, in cells.
    """

    def __init__(self, area: Area | None, size: tuple[int, int]) -> None:
        x, y, width, height = area or (size[0] // 2, size[1] // 2, 0, 0)
        edges: list[tuple[int, int]] = []
        middles = []
        for first, length, whole in ((x, width, size[0]), (y, height, size[1])):
            side = min(max(length, 1) if area else _FIRST, _LONGEST, whole)
            start = min(max(first + (length - side) // 2, 0), whole - side)
            edges.append((start // _PIECE, -(-(start + side) // _PIECE)))
            middles.append((start + side / 2) / _PIECE)
        self._edges, self._middles = edges, middles
        (left, right), (top, bottom) = edges
        self.first = (int(middles[0]), int(middles[1]), int(middles[0]) + 1, int(middles[1]) + 1)
        self.bounds = (
            left * _PIECE,
            top * _PIECE,
            min(right * _PIECE, size[0]),
            min(bottom * _PIECE, size[1]),
        )

    def sides(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the edges of ever larger windows: the nearest side grows first."""
        (left, right), (top, bottom) = self._edges
        x, y = self._middles
        window = list(self.first)
        ends = (left, top, right, bottom)
        while True:
            distances = (x - window[0], y - window[1], window[2] - x, window[3] - y)
            open_sides = [side for side in range(4) if window[side] != ends[side]]
            if not open_sides:
                return
            side = min(open_sides, key=lambda side: distances[side])
            window[side] += -1 if side < 2 else 1
            yield window[0], window[1], window[2], window[3]


def overview_message(overview: Overview, facts: dict[str, object]) -> bytes:
    """Return the message with a world's overview, finer than the last one.

    Each call takes more samples of the world. `facts` are further fields of the message.

    Raises:
        SpecError: A generator cannot make a layer as specified.
    """
    frame = BinaryMessage()
    pixels = overview.picture()
    header = {
        "event": "overview",
        **facts,
        "problem": None,
        "complete": overview.complete,
        "columns": pixels.shape[1],
        "rows": pixels.shape[0],
        "step": overview.step,
        "pixels": frame.array(pixels),
    }
    return frame.message(header)


class Overview:
    """A picture of a whole world, from more samples at each call of `picture`.

    `known` has the results of the surveys: facts about the whole world, such as the range of
    heights.
    """

    def __init__(self, world: World, known: dict[str, bytes]) -> None:
        self._world = world
        self._known = known
        longest = max(world.size)
        self.step = -(-longest // _OVERVIEW)
        self._shape = tuple(-(-side // self.step) for side in reversed(world.size))
        self._layers: dict[str, Layer] = {}
        self._there = np.zeros(self._shape, bool)
        self._left = self._close() if self.step <= _CLOSE else self._apart()
        self.complete = False

    def picture(self, seconds: float = _SECONDS) -> NDArray[np.uint8]:
        """Take more samples; return the picture so far: RGBA, a pixel for each.

        Samples are taken for about `seconds` seconds, and at least until the whole world has a
        coarse picture.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        end = perf_counter() + seconds
        for made, place, cells in self._left:
            self._add(made, place, cells)
            # The first picture is coarse, but shows the whole world.
            if perf_counter() > end and self._there.all():
                break
        else:
            self.complete = True
        rows, columns = self._shape
        world = self._world.spec
        level = Level(world.level, columns, rows, layers=self._layers)
        pixels, _ = preview_pixels(level, scale=1)
        return np.concatenate([pixels, self._there[..., None] * np.uint8(255)], axis=2)

    def _add(
        self, made: WindowResult, place: tuple[slice, slice], cells: tuple[slice, slice]
    ) -> None:
        if not self._layers:
            # Only what is seen is made from now on.
            width, height = self._shape[1], self._shape[0]
            names = list(self._world.spec.layers)
            empty = {
                name: replace(
                    made.layers[name],
                    cells=np.zeros(self._shape, made.layers[name].cells.dtype),
                    walkable=None,
                )
                for name in names
            }
            level = Level("", width, height, layers=empty)
            shown = level.seen_layers() or level.tile_layers() or level.height_layers()
            if not level.seen_layers() and level.height_layers():
                shown = level.height_layers()[:1]
            self._layers = {layer.name: layer for layer in shown}
        for name, layer in self._layers.items():
            layer.cells[place] = made.layers[name].cells[cells]
        self._there[place] = True

    def _made(self, window: Window) -> WindowResult:
        return self._world.made(window, self._known, [*self._layers])

    def _apart(self) -> Iterator[tuple[WindowResult, tuple[slice, slice], tuple[slice, slice]]]:
        """Yield samples that are built one by one, coarse pictures first.

        Each comes with the part of the picture that it fills, and the cells that it uses.
        """
        rows, columns = self._shape
        (width, height), step = self._world.size, self.step
        for stride in _ROUNDS:
            for row in range(0, rows, stride):
                for column in range(0, columns, stride):
                    if stride < _ROUNDS[0] and not (row % (2 * stride) or column % (2 * stride)):
                        continue  # of an earlier round
                    x = min(column * step + step // 2, width - 1)
                    y = min(row * step + step // 2, height - 1)
                    place = slice(row, row + stride), slice(column, column + stride)
                    window = Window(x, y, 1, 1, self._world.size)
                    yield self._made(window), place, (slice(0, 1), slice(0, 1))

    def _close(self) -> Iterator[tuple[WindowResult, tuple[slice, slice], tuple[slice, slice]]]:
        """Yield samples from windows of the world that are built as a whole.

        Each window comes with the part of the picture that it fills, and the cells that it uses.
        """
        rows, columns = self._shape
        (width, height), step = self._world.size, self.step
        count = max(1, 2 * _PIECE // step)
        first = slice(0, None, step)
        for row in range(0, rows, count):
            for column in range(0, columns, count):
                x, y = column * step, row * step
                side = count * step
                window = Window(x, y, min(side, width - x), min(side, height - y), self._world.size)
                place = slice(row, row + count), slice(column, column + count)
                yield self._made(window), place, (first, first)
