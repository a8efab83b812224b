"""Build a window of a world as a level of its own.

The cells and objects are those of the world. Walking distances, sight and other measures end at the
window's edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from exporter.build.build import Build
from exporter.build.stages import StageCache, Track, untracked
from exporter.build.world_results import WindowResult
from exporter.generators import JoiningParameters
from exporter.placement.placed import PlacedGroup
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from exporter.build.world import World
    from exporter.build.world_surveys import Surveyed
    from exporter.model.windows import Window


class WindowBuild(Build):
    """A build of a window of a world from layers and objects built before.

    Requirements on the world are not checked.

    Args:
        world: The world.
        window: The window.
        known: The findings of the world's surveys: facts about the whole world.
        made: The layers and objects of the window.
        cache: Keeps the results of stages between builds; None runs every stage.
        before_step: Called before each step, with the step's name and its path in the spec.
        track: Called with the name of each stage; returns a context in which the stage runs.
    """

    def __init__(
        self,
        world: World,
        window: Window,
        known: Surveyed,
        made: WindowResult,
        cache: StageCache | None = None,
        before_step: Callable[[str, ValuePath], None] = lambda _step, _path: None,
        track: Track = untracked,
    ) -> None:
        size = window.width, window.height
        spec = replace(world.spec.without_limits(), size=size, chunk=None, edits=None)
        super().__init__(spec, world.files.root, cache, before_step=before_step, track=track)
        self.files = self.source.files = world.files
        self.origin = window.x, window.y
        self._world = world
        self._window = window
        self._known = known
        self._made = made

    def again(
        self, cache: StageCache | None, before_step: Callable[[str, ValuePath], None]
    ) -> Build:
        """Return a new build of the same window, which has not begun.

        `cache` keeps the results of stages; None runs every stage. `before_step` is called before
        each step, with the step's name and its path in the spec.
        """
        return WindowBuild(self._world, self._window, self._known, self._made, cache, before_step)

    def separate_cells(self, layer: str) -> NDArray[np.bool_] | None:
        """Return the walkable cells of `layer` before `connect` joined regions.

        bool [height, width]; None for a layer without `connect`.
        """
        parameters = self.spec.layers[layer].parameters
        if not isinstance(parameters, JoiningParameters) or parameters.connect is False:
            return None
        known = {name: found for name, found in self._known.items() if name != f"joins {layer}"}
        return self._world.made(self._window, known, [layer]).layers[layer].walkable

    def edited_cells(self, only: str | None = None) -> dict[tuple[int, int], str]:
        """Return `edit` for each hand-edited cell, by (x, y) in the window.

        Edits of other layers than `only` are left out; None includes all layers. Conflicts are not
        marked.
        """
        return dict.fromkeys(self._world.edited_cells(self._window, only), "edit")

    def _make_layer(self, name: str) -> None:
        self._before_layer(name)
        self.layers[name] = self._made.layers[name]
        self.source.layer_keys[name] = None

    def _place_group(self, index: int) -> None:
        self.groups.begin(index)
        self.before_step(f"objects {self.spec.objects[index].name!r}", ("objects", index))
        cells = self._made.objects[index] - np.array(self.origin)
        placed = PlacedGroup(tuple((x, y) for x, y in cells.tolist()))
        self.groups.finish(index, placed, None)


def joined_windows(rows: Iterable[Iterable[WindowResult]]) -> WindowResult:
    """Merge the results of adjacent windows into one.

    `rows` are the built windows in rows, from the top left.
    """
    grid = [[*row] for row in rows]
    first, whole = grid[0][0], WindowResult()
    for name, layer in first.layers.items():
        cells = np.block([[item.layers[name].cells for item in row] for row in grid])
        walkable: NDArray[np.bool_] | None = None
        if layer.walkable is not None:
            masks: Any = [[item.layers[name].walkable for item in row] for row in grid]
            walkable = np.block(masks)
            walkable.flags.writeable = False
        cells.flags.writeable = False
        whole.layers[name] = replace(layer, cells=cells, walkable=walkable)
    for index in first.objects:
        found = [item.objects[index] for row in grid for item in row]
        whole.objects[index] = np.concatenate(found)
    return whole
