"""Record how a layer is generated, for `preview --steps` and the studio.

A separate build makes the layers on which the layer depends, then the layer itself. A `Trace`
records a frame, the cells of the layer, after each step of the generator, after fixed cells are
set, after each join of regions, and after the hand edits. The last frame is the finished layer.
Nothing of this is cached.
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

# The label of the last frame, if no step shows the finished layer.
FINISHED = "finished"


@dataclass(frozen=True, slots=True, eq=False)
class StepFrame:
    """The cells of a layer after one step of its generation.

    Attributes:
        label: The name of the finished step, such as `corridor 7`.
        cells: uint8 or uint16 [height, width], read-only: ids of tiles in `Steps.tiles`, or height
            samples.
    """

    label: str
    cells: Cells


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The frames of a layer during its generation.

    Attributes:
        layer: The finished layer, with the default role of its generator.
        tiles: The tiles of all frames by id: first those of the finished layer, then those that
            occur only in earlier steps. Empty for heights.
        frames: The frames in order, at least one; the last one shows the finished layer.
        thinned: Whether steps were left out, evenly, to stay below the limits on number and size.
    """

    layer: Layer
    tiles: tuple[Tile, ...]
    frames: tuple[StepFrame, ...]
    thinned: bool = False

    @property
    def kind(self) -> LayerKind:
        """Whether the layer has `tiles` or `heights`."""
        return self.layer.kind

    @property
    def heights(self) -> HeightRange | None:
        """The scale of height samples; None for a layer of tiles."""
        return self.layer.heights


def trace_layer(
    build: Build | LevelSpec,
    name: str,
    maximum: int = MAXIMUM_FRAMES,
    maximum_bytes: int = MAXIMUM_BYTES,
) -> Steps:
    """Build the layer `name` of a level, and return the frames of its steps.

    Args:
        build: A spec, or a build that has not begun and cannot be used afterwards; layers before
            this one come from its cache, if it has one.
        name: One of the spec's layers.
        maximum: The largest number of frames.
        maximum_bytes: The largest total size of the frames in bytes; at least one frame is kept.

    Raises:
        ParameterError: The level has no such layer.
        SpecError: A step is impossible as specified, or an earlier layer does not meet its
            requirements.
        ValueError: `maximum` is below 1, or the build has begun.
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
    if not np.array_equal(frame.cells, layer.cells):
        return False
    known = {tile.id: tile for tile in layer.tiles}
    used = set(np.unique(frame.cells).tolist()) if frame.tiles != layer.tiles else set()
    return all(known.get(tile.id) == tile for tile in frame.tiles if tile.id in used)


def _in_one_legend(
    tiles: tuple[Tile, ...], frames: Iterable[Frame]
) -> tuple[tuple[Tile, ...], tuple[StepFrame, ...]]:
    """Convert the tile ids of all `frames` to one common numbering.

    Return the tiles by common id, which begin with `tiles`, and the converted frames.
    """
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
    """Return an array that maps a frame's tile ids to the common ids.

    None if the ids are equal.

    Args:
        tiles: The tiles of the frame.
        legend: The tiles by common id; missing tiles are appended.
        numbers: The common id of each tile; missing tiles are added.
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
