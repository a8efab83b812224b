"""Levels that are played in real Godot: exporting them, asking the engine, judging its answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine_harness.godot import Godot
from engine_harness.levels import write_level
from exporter.grids.regions import label_regions
from exporter.model.level import Level

PROBE_LEVEL = Path(__file__).with_name("probe_level.gd")
TILE = 16
# Bits of a probed cell: five points, a box that nearly fills it, a small disc in its middle.
FREE, SOLID = 0, 0b1111111
# Godot's 32-bit numbers put points a little beside their places, in pixels.
NEAR = 0.05

Mask = NDArray[np.bool_]
Corners = list[list[float]]


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """Questions about a level: cells of an area, and paths between cells.

    Attributes:
        name: The level's name.
        shape: Height and width of the area.
        origin: Column and row of its upper left cell.
        camera: The position of a camera, in cells; None for no camera.
        pairs: int [pairs, 4]: columns and rows of start and target.
        most_polygons: How many polygons a path may look at; 0 for a plain `map_get_path`.
    """

    name: str
    shape: tuple[int, int]
    origin: tuple[int, int] = (0, 0)
    camera: tuple[float, float] | None = None
    pairs: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    most_polygons: int = 0

    @property
    def scene(self) -> str:
        """The scene's path in the game."""
        return f"res://levels/{self.name}.tscn"

    def question(self) -> dict[str, Any]:
        """Return the question for `probe_level.gd`."""
        requested: dict[str, Any] = {
            "scene": self.scene,
            "x": self.origin[0],
            "y": self.origin[1],
            "width": self.shape[1],
            "height": self.shape[0],
            "tile_size": TILE,
        }
        if self.camera is not None:
            requested["camera"] = [position * TILE for position in self.camera]
        if len(self.pairs):
            requested["pairs"] = ((self.pairs + 0.5) * TILE).tolist()
            requested["path_search_max_polygons"] = self.most_polygons
        return requested


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Godot's answers about a level.

    Attributes:
        cells: int [height, width], the bits of every cell.
        paths: For each pair the corners of the path, in pixels.
        nodes: The number of nodes of each class.
        tile_shapes: By layer, the shapes of its tiles: `collision`, `navigation`, `occlusion`.
        polygons: Polygons in the navigation map.
    """

    cells: NDArray[np.int64]
    paths: list[Corners]
    nodes: dict[str, int]
    tile_shapes: dict[str, list[str]]
    polygons: int


# Otherwise Godot builds navigation in the background, and on a busy machine parts of it come late.
AT_ONCE = """
[navigation]

world/map_use_async_iterations=false
world/region_use_async_iterations=false
"""


def new_game(godot: Godot, folder: Path) -> Path:
    """Write a project whose navigation is complete two physics frames after a level is added."""
    project = godot.new_project(folder)
    with (project / "project.godot").open("a", encoding="utf-8") as settings:
        settings.write(AT_ONCE)
    return project


def export_godot(level: Level, folder: Path, **options: Any) -> tuple[str, ...]:
    """Export a level into the folder `levels` of a game and return the warnings."""
    return tuple(write_level("godot", level, folder / "levels", **options).warnings)


def ask(godot: Godot, project: Path, probes: Iterable[Probe]) -> list[Answer]:
    """Return Godot's answer to each question; it may print neither error nor warning."""
    probes = list(probes)
    question = {"levels": [probe.question() for probe in probes]}
    answers = godot.query(project, PROBE_LEVEL, question, allow_warnings=False)
    return [
        Answer(
            np.array(answer["bodies"], np.int64).reshape(probe.shape),
            answer["paths"],
            answer["nodes"],
            answer["tile_shapes"],
            int(answer["polygons"]),
        )
        for probe, answer in zip(probes, answers, strict=True)
    ]


def random_pairs(walkable: Mask, count: int) -> NDArray[np.int64]:
    """Return pairs of cells that can be reached from each other, int [count, 4]: x, y, x, y."""
    regions = label_regions(walkable)
    rows, columns = np.nonzero(walkable)
    random = np.random.default_rng(1)
    starts = random.integers(0, len(rows), count)
    pairs = np.zeros((count, 4), np.int64)
    for index, start in enumerate(starts.tolist()):
        same = np.flatnonzero(
            regions.labels[rows, columns] == regions.labels[rows[start], columns[start]]
        )
        target = same[random.integers(0, len(same))]
        pairs[index] = columns[start], rows[start], columns[target], rows[target]
    return pairs


def wrong_cells(answer: Answer, walkable: Mask) -> list[list[int]]:
    """Return the cells, x and y, that are not wholly free or wholly solid as the mask says."""
    wrong = answer.cells != np.where(walkable, FREE, SOLID)
    result: list[list[int]] = np.argwhere(wrong)[:, ::-1].tolist()
    return result


def failed_paths(answer: Answer, probe: Probe) -> list[tuple[list[int], Corners]]:
    """Return the pairs, with their paths, whose path does not lead from start to target."""
    ends = (probe.pairs + 0.5) * TILE
    assert len(answer.paths) == len(ends)
    return [
        (pair.tolist(), path)
        for pair, end, path in zip(probe.pairs, ends, answer.paths, strict=True)
        if not path or np.abs(np.array(path[0] + path[-1]) - end).max() > NEAR
    ]


def crossings(answer: Answer, walkable: Mask, distance: float = 0.0) -> list[tuple[Corners, int]]:
    """Return the paths, with the piece, that come nearer than a distance to a solid cell.

    The distance is measured as agents are squares: a piece may not enter a solid cell that is
    larger by the distance on all sides. Beyond the map everything is solid.

    Args:
        answer: With the paths.
        walkable: bool [height, width].
        distance: In pixels.
    """
    margin = int(distance // TILE) + 1
    solid = np.pad(~walkable, margin, constant_values=True)
    grow = distance - NEAR
    result = []
    for path in answer.paths:
        corners = np.array(path).reshape(-1, 2)
        for index, (begin, end) in enumerate(pairwise(corners)):
            low = np.floor((np.minimum(begin, end) - distance) / TILE).astype(int) + margin
            high = np.floor((np.maximum(begin, end) + distance) / TILE).astype(int) + margin
            low = np.clip(low, 0, None)
            rows, columns = np.nonzero(solid[low[1] : high[1] + 1, low[0] : high[0] + 1])
            places = np.stack([columns, rows], 1) + low - margin
            if enters(begin, end, places * TILE - grow, (places + 1) * TILE + grow).any():
                result.append((path, index))
    return result


def enters(
    begin: NDArray[np.float64],
    end: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return which boxes a piece of a path enters; touching a side is not entering.

    Args:
        begin: float64 [2].
        end: float64 [2].
        lower: float64 [boxes, 2], the upper left corners.
        upper: float64 [boxes, 2], the lower right corners.
    """
    step = end - begin
    first, last = np.zeros(len(lower)), np.ones(len(lower))
    for axis in range(2):
        if step[axis] == 0:
            outside = (begin[axis] <= lower[:, axis]) | (begin[axis] >= upper[:, axis])
            last = np.where(outside, -1.0, last)
            continue
        item = (lower[:, axis] - begin[axis]) / step[axis]
        other = (upper[:, axis] - begin[axis]) / step[axis]
        first = np.maximum(first, np.minimum(item, other))
        last = np.minimum(last, np.maximum(item, other))
    return first < last
