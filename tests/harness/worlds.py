"""Worlds for tests: all their parts, and the same level made at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.build.build import build_level
from exporter.build.world import World
from exporter.build.world_surveys import Surveyed
from exporter.formats import Artifact
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS, Notice

LAYERS = """
layers:
  caves: {generator: cellular_caves}
  relief: {generator: heightmap, minimum: -40, maximum: 160}
  e: {generator: exposure}
visibility: {radius: 5}
"""


@dataclass(frozen=True)
class TestWorld:
    """A world and all that can be asked of it."""

    __test__ = False

    size: tuple[int, int] = (150, 100)
    chunk: int = 64
    layers: str = LAYERS

    @cached_property
    def _world(self) -> tuple[World, Surveyed, Mapping[str, Mapping[int, int]]]:
        world = World(parse_level(self._text(f"chunk: {self.chunk}\n"), "w.level.yaml"))
        known = world.surveyed()
        return world, known, world.grounds(known)

    def _text(self, chunk: str) -> bytes:
        return f"size: [{self.size[0]}, {self.size[1]}]\nseed: 7\n{chunk}{self.layers}".encode()

    @property
    def columns(self) -> int:
        return self._world[0].columns

    @property
    def rows(self) -> int:
        return self._world[0].rows

    def part(self, column: int, row: int) -> Level:
        world, known, grounds = self._world
        return world.part(column, row, known, grounds)

    def parts(self) -> Iterator[Level]:
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.part(column, row)

    def middle(self) -> Level:
        return self.part(self.columns // 2, self.rows // 2)

    @cached_property
    def whole(self) -> Level:
        """The level that is made at once."""
        return build_level(parse_level(self._text(""), "w.level.yaml"))

    def files(self, engine: str, **options: Any) -> dict[str, Artifact]:
        """All files of a target, those of the parts and those of the world."""
        files, _ = self.export(engine, **options)
        return files

    def export(self, engine: str, **options: Any) -> tuple[dict[str, Artifact], list[str | Notice]]:
        """All files of a target, and its warnings."""
        target = TARGETS.get(engine)
        chosen = target.options(path="out", **options)
        result = [target.export_part(part, chosen, "out") for part in self.parts()]
        result.append(target.export_world(self.middle(), chosen, "out"))
        files = {file.name: file for item in result for file in item.artifacts}
        return files, [warning for item in result for warning in item.warnings]

    def write(self, folder: Path, engine: str, **options: Any) -> Path:
        """Write all files of a target; return the folder."""
        for name, file in self.files(engine, **options).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        return folder


def sight_cells(size: tuple[int, int]) -> list[tuple[int, int]]:
    """Return cells everywhere, in all corners, and where four parts of 64 cells meet."""
    random = np.random.default_rng(8)
    width, height = size
    result = [(int(random.integers(width)), int(random.integers(height))) for _ in range(40)]
    result += [(x, y) for x in range(62, 67) for y in range(62, 67)]
    return [*result, (0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]


def square(cells: NDArray[np.bool_], at: tuple[int, int], radius: int, outside: bool) -> str:
    """Return the square around a cell, row after row."""
    x, y = at
    around = np.pad(cells, radius, constant_values=outside)
    side = 2 * radius + 1
    return "".join(map(str, around[y : y + side, x : x + side].astype(int).ravel().tolist()))
