"""Read any rectangle of cells of an exported world from its chunk files.

    world = exporter.read_world("tiled/cavern.world.json")
    cells = world.cells("caves", x=8000, y=9000, width=200, height=100)
    seen = world.visible_from(8100, 9050)

Chunks are decoded on demand, and some are kept in memory.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.blob.levels import read_blob
from exporter.codecs import Limits
from exporter.model.errors import BlobError, ExporterError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_WORLD_SIDE
from exporter.model.world_part import SightRule

FORMAT = "level-exporter-world"
VERSION = 1
# Bytes of a description, and of a part.
_MAXIMUM_BYTES = 1 << 22
_MAXIMUM_PART_BYTES = 1 << 28
_CHUNKS = (64, 128, 256, 512, 1024, 2048)
_PATTERN = re.compile(r"[^/\\\0]+\.world/[^/\\\0]+\.\{column\}_\{row\}")
# Returns the content of a file beside the description, by its name.
ReadFile = Callable[[str], bytes]


@dataclass(slots=True, eq=False)
class StoredWorld:
    """An exported world, whose chunk files are read when needed.

    Attributes:
        name: The world's name.
        width: The number of columns of cells.
        height: The number of rows of cells.
        chunk: The side of a chunk in cells; those at the right and the bottom may be smaller.
        layers: For each layer, by name, its kind, role, and tiles or range of heights.
        sight: The rule of the field of view; None without one.
        pattern: The path of a chunk's file without suffix, with `{column}` and `{row}` to fill in.
        read_file: Reads a chunk's file by name.
        retained_parts: The number of decoded chunks kept in memory.
    """

    name: str
    width: int
    height: int
    chunk: int
    layers: Mapping[str, Mapping[str, Any]]
    sight: SightRule | None
    pattern: str
    read_file: ReadFile
    retained_parts: int = 16
    _parts: OrderedDict[tuple[int, int], Level] = field(default_factory=OrderedDict)

    @property
    def columns(self) -> int:
        """The number of chunks in a row of the world."""
        return -(-self.width // self.chunk)

    @property
    def rows(self) -> int:
        """The number of rows of chunks in the world."""
        return -(-self.height // self.chunk)

    def part(self, column: int, row: int) -> Level:
        """Read the chunk at `column` and `row` as a level.

        Raises:
            ValueError: There is no such chunk.
            BlobError: The chunk cannot be read, or belongs to another world.
        """
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise ValueError(
                f"there is no chunk ({column}, {row}) in a world of {self.columns} x {self.rows} "
                "chunks"
            )
        position = column, row
        result = self._parts.get(position)
        if result is None:
            result = self._parts[position] = self._read(column, row)
            if len(self._parts) > self.retained_parts:
                self._parts.popitem(last=False)
        self._parts.move_to_end(position)
        return result

    def cells(
        self, layer: str, x: int, y: int, width: int, height: int
    ) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """Read the cells of a layer in a rectangle: an array [height, width].

        Args:
            layer: The layer's name.
            x: The first column.
            y: The first row.
            width: The number of columns, at least 1.
            height: The number of rows, at least 1.

        Raises:
            ValueError: The rectangle is not inside the world, or there is no such layer.
            BlobError: A chunk cannot be read, or belongs to another world.
        """
        return self._window(x, y, width, height, lambda part: self._layer(part, layer).cells)

    def opaque(self, x: int, y: int, width: int, height: int) -> NDArray[np.bool_]:
        """Read which cells of a rectangle block sight: bool [height, width].

        `x` and `y` are its first column and row; `width` and `height` are at least 1.

        Raises:
            ValueError: The rectangle is not inside the world, or the world has no field of view.
            BlobError: A chunk cannot be read, or belongs to another world.
        """
        rule = self._rule()
        result: NDArray[np.bool_] = self._window(
            x, y, width, height, lambda part: self._layer(part, rule.layer).opaque
        )
        return result

    def visible_from(self, x: int, y: int) -> NDArray[np.bool_]:
        """Compute which cells around the cell (x, y) are seen from there.

        The result is bool [2 * radius + 1, 2 * radius + 1], with the cell itself in the middle, and
        the same as in the field of view of the whole map. Cells outside the world are not seen.

        Raises:
            ValueError: There is no such cell, or the world has no field of view.
            BlobError: A chunk cannot be read, or belongs to another world.
        """
        from exporter.visibility import compute_visibility

        rule = self._rule()
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise ValueError(
                f"the cell ({x}, {y}) is outside the world of {self.width} x {self.height} cells"
            )
        radius = rule.radius
        left, top = max(0, x - radius), max(0, y - radius)
        right, bottom = min(self.width, x + radius + 1), min(self.height, y + radius + 1)
        opaque = self.opaque(left, top, right - left, bottom - top)
        try:
            table = compute_visibility(opaque, radius, rule.algorithm, see_walls=rule.see_walls)
        except (ExporterError, ValueError) as error:
            raise BlobError(f"the visibility cannot be computed from the layer: {error}") from error
        seen = np.zeros((2 * radius + 1, 2 * radius + 1), bool)
        down, across = top - y + radius, left - x + radius
        here = slice(down, down + bottom - top), slice(across, across + right - left)
        seen[here] = table.visible_from(x - left, y - top)
        return seen

    # --- inside -------------------------------------------------------------------------------

    def _window(
        self, x: int, y: int, width: int, height: int, grid: Callable[[Level], NDArray[Any]]
    ) -> NDArray[Any]:
        if width < 1 or height < 1 or x < 0 or y < 0:
            raise ValueError(f"a window of {width} x {height} cells at ({x}, {y}) is empty")
        if x + width > self.width or y + height > self.height:
            raise ValueError(
                f"the window of {width} x {height} cells at ({x}, {y}) is not inside the world of "
                f"{self.width} x {self.height} cells"
            )
        if width * height > MAXIMUM_CELLS:
            raise ValueError(
                f"the window has {width * height:,} cells (allowed: {MAXIMUM_CELLS:,})"
            )
        result: NDArray[Any] | None = None
        for row in range(y // self.chunk, -(-(y + height) // self.chunk)):
            for column in range(x // self.chunk, -(-(x + width) // self.chunk)):
                cells = grid(self.part(column, row))
                if result is None:
                    result = np.empty((height, width), cells.dtype)
                left, top = column * self.chunk, row * self.chunk
                first, begin = max(top, y), max(left, x)
                last = min(top + cells.shape[0], y + height)
                end = min(left + cells.shape[1], x + width)
                result[first - y : last - y, begin - x : end - x] = cells[
                    first - top : last - top, begin - left : end - left
                ]
        assert result is not None
        return result

    def _layer(self, part: Level, name: str) -> Any:
        if name not in self.layers:
            raise ValueError(f"the world has no layer {name!r} (it has: {', '.join(self.layers)})")
        if name not in part.layers:
            raise BlobError(f"a chunk of {self.name!r} lacks the layer {name!r}")
        return part.layers[name]

    def _rule(self) -> SightRule:
        if self.sight is None:
            raise ValueError(f"the world {self.name!r} has no field of view")
        return self.sight

    def _read(self, column: int, row: int) -> Level:
        name = self.pattern.replace("{column}", str(column)).replace("{row}", str(row)) + ".lvb"
        try:
            data = self.read_file(name)
        except OSError as error:
            raise BlobError(f"{name} cannot be read ({error.strerror or error})") from None
        part = read_blob(data, Limits.for_strangers())
        width = min(self.chunk, self.width - column * self.chunk)
        height = min(self.chunk, self.height - row * self.chunk)
        if (part.width, part.height) != (width, height):
            raise BlobError(
                f"{name} has {part.width} x {part.height} cells, but its chunk of the world has "
                f"{width} x {height}"
            )
        for layer in part.layers.values():
            if layer.cells.shape != (height, width):
                raise BlobError(
                    f"{name} has a layer {layer.name!r} whose size differs from the world's"
                )
        return part


def read_world(path: str | Path) -> StoredWorld:
    """Open the exported world `path`; its chunk files are read when needed.

    `path` is the `<world>.world.json` of a target.

    Raises:
        BlobError: The file does not describe a world.
        OSError: The file cannot be read.
    """
    path = Path(path)

    def read(name: str) -> bytes:
        return read_input(path.parent / name, _MAXIMUM_PART_BYTES)

    return world_of(read_input(path, _MAXIMUM_BYTES), read)


def world_of(description: bytes, read_file: ReadFile) -> StoredWorld:
    """Open a world from the bytes of its JSON description.

    Args:
        description: The content of `<world>.world.json`; it may come from a stranger.
        read_file: Returns the content of a file beside the description, by name; raises OSError.

    Raises:
        BlobError: The bytes do not describe a world.
    """
    try:
        data = json.loads(description)
        if data["format"] != FORMAT or data["version"] != VERSION:
            raise ValueError("the format or version is not known")
        width, height = data["size"]
        for side in (width, height):
            if type(side) is not int or not 1 <= side <= MAXIMUM_WORLD_SIDE:
                raise ValueError(f"{side!r} is not a valid width or height")
        if data["chunk"] not in _CHUNKS or type(data["chunk"]) is not int:
            raise ValueError(f"{data['chunk']!r} is not a valid chunk size")
        pattern = data["parts"]
        if not isinstance(pattern, str) or not _PATTERN.fullmatch(pattern):
            raise ValueError("`parts` must be like `NAME.world/NAME.{column}_{row}`")
        layers = {str(item["name"]): dict(item) for item in data["layers"]}
        rule = data["visibility"]
        sight = None
        if rule is not None:
            radius = rule["radius"]
            if type(radius) is not int or not 1 <= radius <= 64 or rule["layer"] not in layers:
                raise ValueError("the radius or the layer of `visibility` is invalid")
            sight = SightRule(
                rule["layer"], str(rule["algorithm"]), radius, rule["see_walls"] is True
            )
        name = str(data["level"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BlobError(f"the description of the world cannot be read ({error})") from None
    return StoredWorld(name, width, height, data["chunk"], layers, sight, pattern, read_file)
