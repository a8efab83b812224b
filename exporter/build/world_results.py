"""Keep the layers and object cells that were built in a window of a world."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.build.world_objects import Cells, cells_in
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.windows import Window
from exporter.reading.build_order import BuildPart


@dataclass(slots=True)
class WindowResult:
    """The layers and object cells that were built in a window of a world.

    Attributes:
        layers: The layers by name.
        objects: The cells of the objects, as x and y in the world, by their group's index in the
            spec.
    """

    layers: dict[str, Layer] = field(default_factory=dict)
    objects: dict[int, Cells] = field(default_factory=dict)

    def add(self, part: BuildPart, content: Layer | Cells, window: Window, around: Window) -> None:
        """Add a layer or the cells of a group, cut down to `window`.

        Args:
            part: The layer or group.
            content: The built layer, or the cells of the group.
            window: The cells to keep.
            around: The larger window in which `content` was built.
        """
        if isinstance(content, Layer):
            self.layers[str(part.key)] = cut(content, window, around)
        else:
            self.objects[int(part.key)] = cells_in(content, window)


def cut(layer: Layer, window: Window, around: Window) -> Layer:
    """Cut `layer`, which covers the window `around`, down to `window`."""
    if window == around:
        return layer
    inside = window.within(around)
    walkable = layer.walkable
    return replace(
        layer,
        cells=frozen(layer.cells[inside]),
        walkable=None if walkable is None else frozen(walkable[inside]),
    )


def frozen(cells: NDArray[Any]) -> NDArray[Any]:
    """Return `cells` as a contiguous read-only array."""
    whole = np.ascontiguousarray(cells)
    whole.flags.writeable = False
    return whole
