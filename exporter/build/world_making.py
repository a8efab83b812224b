"""Build the layers and objects of any window of a world.

A layer or group of objects is built with a margin of cells around the window, its halo, since its
cells depend on those around. It is then cut to the size that later layers need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from exporter.build.files import InputFiles
from exporter.build.requirements import ALL_BUILT, SEPARATE_REGIONS
from exporter.build.world_edits import WorldEdits
from exporter.build.world_facts import Joins
from exporter.build.world_joining import decode_joins
from exporter.build.world_objects import Cells, cells_in, numbered_objects, place_in_window
from exporter.build.world_plan import GroupStep, LayerStep, Step, world_steps
from exporter.build.world_results import WindowResult, frozen
from exporter.build.world_surveys import Surveyed, WorldSurvey, decode_extremes, decode_ids
from exporter.generators import GENERATORS, Generated, JoiningParameters, Request
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.level import Layer
from exporter.model.parameters import references
from exporter.model.windows import Window
from exporter.reading.build_order import BuildPart, ground_layers, spec_graph
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import NO_SIGHT_LAYER
from exporter.reading.roles import finished_role, layer_roles
from exporter.reading.yaml_reader import Path as ValuePath
from exporter.streams import open_stream

if TYPE_CHECKING:
    from exporter.visibility.table import VisibilityTable


class WorldMaker:
    """Builds the layers and objects of any window of a world.

    Args:
        spec: The checked spec, which sets `chunk`.
        files: Reads the input files.

    Attributes:
        spec: The spec.
        size: Width and height of the world in cells.
        files: The input files.
        steps: How to build each layer and group of objects, in build order.
        edits: The hand edits.
        roles: The roles of layers, such as `play`, by name, as far as the spec determines them.

    Raises:
        SpecError: A generator or rule does not work chunk by chunk, or there are hand edits of
            objects.
    """

    def __init__(self, spec: LevelSpec, files: InputFiles) -> None:
        self.spec = spec
        self.size = spec.size
        self.files = files
        self.edits = WorldEdits(spec)
        self.roles = layer_roles(spec.layers)
        self._graph = spec_graph(spec)
        self.steps = world_steps(spec, self._graph)

    def sight_layer(self, layers: Mapping[str, Layer]) -> str:
        """Return the name of the layer among `layers` whose tiles block sight.

        Raises:
            SpecError: No layer has tiles that block sight.
        """
        visibility = self.spec.visibility
        assert visibility is not None
        if visibility.layer is not None:
            if visibility.layer in layers and layers[visibility.layer].kind == "tiles":
                return visibility.layer
            message = f"{visibility.layer!r} is not a tile layer of the level's size"
            raise self.spec.error(("visibility", "layer"), message)
        able = [
            name
            for name, layer in layers.items()
            if layer.role == "play" and name not in self._graph.late
        ]
        if not able:
            raise self.spec.error(("visibility",), NO_SIGHT_LAYER)
        return max(able, key=list(self.spec.layers).index)

    def step(self, name: str) -> LayerStep:
        """Return how to build the layer `name`."""
        return next(
            step for step in self.steps if isinstance(step, LayerStep) and step.name == name
        )

    def below(self, *names: str) -> list[Step]:
        """Return the steps that build what the layers `names` depend on.

        They are in build order; the layers themselves are left out.
        """
        result = {part for name in names for part in self.step(name).needs}
        for step in reversed(self.steps):
            if step.part in result:
                result.update(step.needs)
        return [step for step in self.steps if step.part in result]

    def including(self, *names: str) -> list[Step]:
        """Return the steps that build the layers `names`.

        The steps of all that they depend on are included, in build order.
        """
        expected = {step.part for step in self.below(*names)}
        expected |= {self.step(name).part for name in names}
        return [step for step in self.steps if step.part in expected]

    def build_window(self, steps: Sequence[Step], window: Window, known: Surveyed) -> WindowResult:
        """Build layers and groups of objects in one window.

        Args:
            steps: How to build each layer and group, with all that these depend on, in build order.
            window: The cells to build.
            known: The findings of the world's surveys: facts about the whole world.
        """
        built: dict[BuildPart, tuple[Window, Layer | Cells]] = {}
        for step in steps:
            remaining = window.grown(step.reach)
            requested = remaining.grown(step.halo)
            below = WindowResult()
            for part, (around, entry) in built.items():
                if part in step.needs:
                    below.add(part, entry, requested, around)
            if isinstance(step, LayerStep):
                built[step.part] = remaining, self._layer(step, requested, remaining, below, known)
            else:
                built[step.part] = remaining, self._group(step, requested, remaining, below)
        result = WindowResult()
        for part, (around, item) in built.items():
            result.add(part, item, window, around)
        return result

    def _group(self, step: GroupStep, window: Window, inner: Window, below: WindowResult) -> Cells:
        """Place a group in `window`; return only the objects inside `inner`.

        Their cells are those in the world. `below` has the layers and groups on which the group
        depends, in `window`.
        """
        cells: Cells = self.attempt(
            ("objects", step.index),
            place_in_window,
            self.spec.objects[step.index],
            step.number,
            window,
            below.layers,
            self._ground,
            below.objects.values(),
            open_stream("portable", self.spec.seed, "objects", (window.x, window.y)),
        )
        return cells_in(cells, inner)

    @cached_property
    def _ground(self) -> list[str]:
        spec = self.spec
        return ground_layers(spec.layers, self.roles, self._graph.late, spec.size)

    def _layer(
        self, step: LayerStep, window: Window, inner: Window, below: WindowResult, known: Surveyed
    ) -> Layer:
        """Build a layer in `window`, and cut it down to `inner`.

        `below` has the layers and groups on which the layer depends, in `window`; `known` has the
        findings of the world's surveys.
        """
        entry = GENERATORS.get(self.spec.layers[step.name].generator)
        generated, _ = self.generated(step, window, below, known)
        joins = known.get(WorldSurvey("joins", step.name).name)
        if joins is not None:
            generated = _joined(generated, decode_joins(joins), window)
        inside = inner.within(window)
        walkable = generated.walkable
        if generated.kind == "tiles":
            walkable = walkable_tiles(step.name, generated)
        layer = Layer(
            name=step.name,
            kind=generated.kind,
            cells=frozen(generated.cells[inside]),
            generator=entry.name,
            version=entry.version,
            tiles=generated.tiles,
            walkable=None if walkable is None else frozen(walkable[inside]),
            heights=generated.heights,
            complete=generated.complete,
            report=generated.report,
            measures=entry.role == "data",
        )
        layer = self.edits.applied(layer, inner)
        display = self.spec.layers[step.name].options.display()
        return replace(layer, role=finished_role(layer, self.roles[step.name]), display=display)

    def generated(
        self, step: LayerStep, window: Window, below: WindowResult, known: Surveyed
    ) -> tuple[Generated, NDArray[np.bool_] | None]:
        """Run a layer's generator in a window.

        The generator's report is dropped, since it does not describe a whole layer.

        Args:
            step: How the layer is built.
            window: The cells to build.
            below: The layers and groups on which the layer depends, built in this window.
            known: The findings of the world's surveys.

        Returns:
            The generated cells, and the cells that `connect` must not open (bool [height, width];
            None without any).
        """
        spec = self.spec.layers[step.name]
        entry = GENERATORS.get(spec.generator)
        path: ValuePath = ("layers", step.name)
        request = self.request(step, window, below, known)
        parameters = spec.parameters
        fixed = None
        if isinstance(parameters, JoiningParameters) and parameters.gives_cells:
            from exporter.generators.fixed import fixed_cells

            fixed = self.attempt(path, fixed_cells, parameters, request)
            request = replace(request, fixed=fixed)
        generated: Generated = self.attempt(path, entry.generate, parameters, request)
        if fixed is not None:
            from exporter.generators.fixed import restored

            generated = self.attempt(path, restored, fixed, generated)
        remaining = generated.kept
        if fixed is not None:
            remaining = fixed.kept if remaining is None else remaining | fixed.kept
        return replace(generated, report={}), remaining

    def request(
        self, step: LayerStep, window: Window, below: WindowResult, known: Surveyed
    ) -> Request:
        """Return the request to a layer's generator for one window.

        `step` is how the layer is built. `below` has the layers and groups on which the layer
        depends, in that window; `known` has the findings of the world's surveys.
        """
        spec = self.spec
        parameters = spec.layers[step.name].parameters
        late = GENERATORS.get(spec.layers[step.name].generator).stage != "map"
        with_sight = late and spec.visibility is not None
        named = {
            reference.name for reference in references(parameters) if reference.rule.to == "object"
        }
        expected = {
            index: item for index, item in below.objects.items() if self._named(index, named)
        }
        extremes = known.get(WorldSurvey("extremes", step.name).name)
        given = known.get(WorldSurvey("given", step.name).name)
        return Request(
            name=step.name,
            width=window.width,
            height=window.height,
            stream=open_stream(spec.rng, spec.seed, step.name, (window.x, window.y)),
            layers=below.layers,
            read_file=self.files.read,
            visibility=partial(self._sight, below.layers) if with_sight else None,
            visibility_layer=self.sight_layer(below.layers) if with_sight else None,
            objects=numbered_objects(spec.objects, expected, window),
            part=window,
            extremes=None if extremes is None else decode_extremes(extremes),
            given=None if given is None else decode_ids(given),
        )

    def _named(self, index: int, names: set[str]) -> bool:
        return self.spec.objects[index].name in names

    def _sight(self, layers: Mapping[str, Layer]) -> VisibilityTable:
        """Return which cells of a window see which; sight ends at the window."""
        from exporter.visibility import compute_visibility

        expected = self.spec.visibility
        assert expected is not None
        opaque = layers[self.sight_layer(layers)].opaque
        return compute_visibility(
            opaque, expected.radius, expected.algorithm, see_walls=expected.see_walls
        )

    def attempt(self, path: ValuePath, step: Any, *arguments: Any) -> Any:
        """Return `step(*arguments)`; give an error its line in the spec.

        Raises:
            SpecError: `step` raised a ParameterError; the line is at `path` in the spec.
        """
        try:
            return step(*arguments)
        except ParameterError as error:
            inside = (error.path,) if error.path[:1] == ("seed",) else ()
            position = error.path if inside else (*path, *error.path)
            raise SpecError([self._problem(position, error.message)]) from None

    def _problem(self, path: ValuePath, message: str) -> Problem:
        return self.spec.problem(path, message)


def _joined(generated: Generated, joins: Joins, window: Window) -> Generated:
    """Open the cells of a layer, in `window`, that join the world's regions."""
    floor = next((tile.id for tile in generated.tiles if tile.walkable), None)
    if floor is None:
        return generated  # as in a level: unwalkable cells have no regions
    cells = generated.cells.copy()
    cells[joins.inside(window)] = floor
    joined = replace(generated, cells=cells)
    if joins.regions_after != 1:
        remarks = {SEPARATE_REGIONS: joins.regions_after, ALL_BUILT: generated.complete}
        joined = replace(joined, complete=False, report=remarks)
    return joined


def walkable_tiles(name: str, generated: Generated) -> NDArray[np.bool_] | None:
    """Return which cells of the layer `name` have a walkable tile.

    bool [height, width]; None if no tile is walkable.
    """
    if not any(tile.walkable for tile in generated.tiles):
        return None
    layer = Layer(name, "tiles", generated.cells, "", tiles=generated.tiles)
    return layer.lookup([tile.walkable for tile in generated.tiles])
