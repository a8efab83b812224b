"""What is made of a world in a window: layers, and the cells of objects."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.build.world_objects import Cells, cells_in
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.windows import Window
from exporter.reading.build_order import Part


@dataclass(slots=True)
class Made:
    """Layers and objects in a window.

    Attributes:
        layers: The layers by name.
        objects: The cells of groups of objects in the world, by their places in the spec.
    """

    layers: dict[str, Layer] = field(default_factory=dict)
    objects: dict[int, Cells] = field(default_factory=dict)

    def add(self, part: Part, one: Layer | Cells, window: Window, around: Window) -> None:
        """Add what of a layer or group lies in a window.

        Args:
            part: Which one it is.
            one: What was made.
            window: The window.
            around: Where it was made.
        """
        if isinstance(one, Layer):
            self.layers[str(part.key)] = cut(one, window, around)
        else:
            self.objects[int(part.key)] = cells_in(one, window)


def cut(layer: Layer, window: Window, around: Window) -> Layer:
    """Return the part of a layer that lies in a window.

    Args:
        layer: The layer.
        window: The window.
        around: What the layer covers.
    """
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
    """Return cells in one piece that nobody changes."""
    whole = np.ascontiguousarray(cells)
    whole.flags.writeable = False
    return whole
