"""Apply the hand edits of a world to any window of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from exporter.build.edit_warnings import EditConflicts, edit_warnings
from exporter.build.edits import edit_layer, is_empty, with_empty_tile
from exporter.model.errors import Problem, SpecError
from exporter.model.hand_edits import EditConflict
from exporter.model.level import Layer
from exporter.model.windows import Window
from exporter.reading.edits import CellEdit
from exporter.reading.level_spec import LevelSpec


class WorldEdits:
    """The hand edits of one world, all of them of cells.

    Args:
        spec: The spec, with its edits if it has any.

    Raises:
        SpecError: There are edits of objects; they are impossible, since each chunk numbers its
            own.
    """

    def __init__(self, spec: LevelSpec) -> None:
        self._spec = spec
        self._conflicts: dict[str, dict[int, EditConflict]] = {}
        edits = spec.edits
        self.cells = {} if edits is None else {n: item for n, item in edits.layers.items() if item}
        if edits is not None and edits.objects:
            message = (
                "objects of a world cannot be edited by hand: each chunk numbers its own "
                "(remove these edits, or `chunk`)"
            )
            raise SpecError([edits.document.problem(("objects", 0), message)])

    def applied(self, layer: Layer, window: Window) -> Layer:
        """Return `layer` with the hand edits of its cells applied.

        `window` is the part of the world that the layer covers.
        """
        edits = self.cells.get(layer.name)
        if edits is None:
            return layer
        if layer.kind == "tiles" and self._empties[layer.name]:
            # Every window gets the tile, as a level does that has the edit anywhere.
            layer = replace(layer, tiles=with_empty_tile(layer.tiles))
        x, y = self._places[layer.name].T
        here = (x >= window.x) & (x < window.right) & (y >= window.y) & (y < window.bottom)
        inside = np.flatnonzero(here).tolist()
        if not inside:
            return layer
        moved = [
            replace(edits[index], at=(edits[index].at[0] - window.x, edits[index].at[1] - window.y))
            for index in inside
        ]
        edited = edit_layer(layer, moved, self._spec.layers[layer.name].parameters)
        known = self._conflicts.setdefault(layer.name, {})
        for conflict in edited.conflicts:
            known[inside[conflict.index]] = replace(conflict, index=inside[conflict.index])
        return edited.layer

    def windows(self, chunk: int) -> Iterator[Window]:
        """Yield windows that together contain all edited cells.

        `chunk` is the largest side of a window, in cells.
        """
        size = self._spec.size
        known = [self._places[name] for name in self.cells if name in self._spec.layers]
        if not known:
            return
        places = np.concatenate(known)
        places = places[(places[:, 0] < size[0]) & (places[:, 1] < size[1])]
        for part in np.unique(places // chunk, axis=0):
            here = places[(places // chunk == part).all(axis=1)]
            x, y = here.min(axis=0).tolist()
            right, bottom = (here.max(axis=0) + 1).tolist()
            yield Window(x, y, right - x, bottom - y, size)

    def warnings(self, layers: dict[str, Layer]) -> list[Problem]:
        """Return a warning, with its line, for each hand edit that does not fit.

        Call `applied` first, for each of `windows`. `layers` are the layers of any window, by name.
        """
        edits = self._spec.edits
        if edits is None:
            return []
        width, height = self._spec.size
        conflicts = {
            name: [
                *(item for _, item in sorted(self._conflicts.get(name, {}).items())),
                *(
                    EditConflict(index, "outside")
                    for index, edit in enumerate(of_layer)
                    if edit.at[0] >= width or edit.at[1] >= height
                ),
            ]
            for name, of_layer in self.cells.items()
        }
        # Layers of the world's size that take no memory, since messages name the size.
        nothing = np.broadcast_to(np.uint8(0), (height, width))
        displayed = {
            name: replace(item, cells=nothing, walkable=None) for name, item in layers.items()
        }
        names = [item.name for item in self._spec.objects]
        return edit_warnings(
            self._spec.level, edits, EditConflicts(conflicts, ()), displayed, names
        )

    @cached_property
    def _places(self) -> dict[str, NDArray[np.int64]]:
        return {
            name: np.array([edit.at for edit in edits], np.int64).reshape(-1, 2)
            for name, edits in self.cells.items()
        }

    @cached_property
    def _empties(self) -> dict[str, bool]:
        """Whether some edit removes the tile of a cell, for each edited layer."""
        return {
            name: any(self._empties_cell(edit) for edit in edits)
            for name, edits in self.cells.items()
        }

    def _empties_cell(self, edit: CellEdit) -> bool:
        width, height = self._spec.size
        return is_empty(edit.now) and edit.at[0] < width and edit.at[1] < height
