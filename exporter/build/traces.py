"""Record how a layer is generated, for `preview --steps` and the studio.

A separate build makes the dependencies of the layer, then the layer with a `Trace`, which its
generator, the given cells, the joins of `connect` and the hand edits report their steps to. The
last frame is the finished layer. Steps are never stored: with them a layer is made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from exporter.build.build import Build
from exporter.generators.trace import MAXIMUM_BYTES, MAXIMUM_FRAMES, Cells, Frame, Trace
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange, Layer, LayerKind, Tile
from exporter.model.suggestions import unknown_name
from exporter.reading.level_spec import LevelSpec

# The last frame, where no step gives the finished layer.
FINISHED = "finished"


@dataclass(frozen=True, slots=True, eq=False)
class StepFrame:
    """A snapshot of a layer during its generation.

    Attributes:
        label: The finished step: `corridor 7`.
        cells: uint8 or uint16 [height, width], read-only: ids of `Steps.tiles`, or height samples.
    """

    label: str
    cells: Cells


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The snapshots of a layer during its generation.

    Attributes:
        layer: The finished layer; its role is that of the generator.
        tiles: The legend of all frames: the tiles of the layer under their ids, then the tiles
            of steps only. Empty for heights.
        frames: The steps in order, at least one. The last one is the finished layer.
        thinned: Whether these are an even choice of more steps.
    """

    layer: Layer
    tiles: tuple[Tile, ...]
    frames: tuple[StepFrame, ...]
    thinned: bool = False

    @property
    def kind(self) -> LayerKind:
        """`tiles` or `heights`."""
        return self.layer.kind

    @property
    def heights(self) -> HeightRange | None:
        """The scale of the samples in a layer of heights."""
        return self.layer.heights


def trace_layer(
    build: Build | LevelSpec,
    name: str,
    maximum: int = MAXIMUM_FRAMES,
    maximum_bytes: int = MAXIMUM_BYTES,
) -> Steps:
    """Build a layer of a level and record its steps.

    Args:
        build: A spec, or a build of which nothing is made yet: it may have a cache, from which the
            layers before this one are taken. Nothing else can be asked of it afterwards.
        name: The layer.
        maximum: Most frames.
        maximum_bytes: Most bytes of all frames; large layers have fewer, but always one.

    Raises:
        ParameterError: The level has no such layer.
        SpecError: A step cannot do what the spec asks, or a requirement of a layer before this one
            is not met.
        ValueError: `maximum` is below 1, or something of the build is made already.
    """
    if isinstance(build, LevelSpec):
        build = Build(build)
    spec = build.spec
    if name not in spec.layers:
        raise ParameterError(unknown_name("layer", name, list(spec.layers)))
    width, height = spec.layers[name].options.size or spec.size
    trace = Trace(width, height, maximum, maximum_bytes)
    layer = build.traced_layer(name, trace)
    if not trace.frames or not _is_finished(trace.frames[-1], layer):
        trace.frame(FINISHED, layer.cells, layer.tiles)
    tiles, frames = _in_one_legend(layer.tiles, trace.frames)
    return Steps(layer, tiles, frames, trace.thinned)


def _is_finished(frame: Frame, layer: Layer) -> bool:
    """Whether a frame shows the finished layer."""
    if not np.array_equal(frame.cells, layer.cells):
        return False
    known = {tile.id: tile for tile in layer.tiles}
    used = set(np.unique(frame.cells).tolist()) if frame.tiles != layer.tiles else set()
    return all(known.get(tile.id) == tile for tile in frame.tiles if tile.id in used)


def _in_one_legend(
    tiles: tuple[Tile, ...], frames: Iterable[Frame]
) -> tuple[tuple[Tile, ...], tuple[StepFrame, ...]]:
    """Merge the legends of frames, beginning with some tiles; map their ids."""
    numbers = {replace(tile, id=0): tile.id for tile in reversed(tiles)}
    legend = list(tiles)
    tables: dict[tuple[Tile, ...], Cells | None] = {}
    steps = []
    for frame in frames:
        if frame.tiles not in tables:
            tables[frame.tiles] = _table(frame.tiles, legend, numbers)
        table = tables[frame.tiles]
        cells = frame.cells if table is None else table[frame.cells]
        cells.flags.writeable = False
        steps.append(StepFrame(frame.label, cells))
    return tuple(legend), tuple(steps)


def _table(tiles: tuple[Tile, ...], legend: list[Tile], numbers: dict[Tile, int]) -> Cells | None:
    """Map every id of some tiles to a legend; None if all are equal.

    Args:
        tiles: The tiles.
        legend: Receives missing tiles.
        numbers: The ids of the legend by tile, whose own id is 0 here; grows with it.
    """
    table = np.arange(65536, dtype=np.uint16)
    at_home = set(legend)
    for tile in tiles:
        if tile in at_home:
            continue
        plain = replace(tile, id=0)
        if plain not in numbers:
            numbers[plain] = max((item.id for item in legend), default=-1) + 1
            legend.append(replace(tile, id=numbers[plain]))
        table[tile.id] = numbers[plain]
    if all(table[tile.id] == tile.id for tile in tiles):
        return None
    return table if max(item.id for item in legend) > 255 else table.astype(np.uint8)
