"""A world: a level that is made by parts, each with the cells that the whole would have there.

Every random number of a layer is counted by its place, so that a part needs no other part. What a
cell depends on lies within the halo of its generator: a part is made with the halo around it, from
parts of other layers that are as large, and cut to its size.

Some generators have to know the extremes of the whole layer, as those that stretch heights. These
are found before, in a survey of all parts: see `World.surveys`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from exporter.generators import (
    GENERATORS,
    Extremes,
    Generated,
    JoiningParameters,
    Parts,
    Request,
)
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import stage_key, value_key
from exporter.model.level import Layer, Level, SightRule, Surroundings, Tile, WorldPart
from exporter.model.windows import Window
from exporter.pipeline.files import InputFiles, Reader
from exporter.pipeline.foreseen import file_problems
from exporter.reading.build_order import Need, Part, spec_graph
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import NO_SIGHT_LAYER
from exporter.reading.roles import finished_role, layer_roles
from exporter.reading.world_rules import parts_of
from exporter.streams import open_stream

if TYPE_CHECKING:
    from exporter.visibility.table import VisibilityTable

# How many cells around a part decide which pictures its cells show.
AROUND = 2
# Layers whose extremes are known, by name.
Surveyed = Mapping[str, Extremes]


@dataclass(frozen=True, slots=True)
class _Step:
    """How a layer of a world is made: by what, and how far around a part it is needed."""

    name: str
    parts: Parts
    halo: int
    reach: int
    needs: tuple[str, ...]


class WorldFiles:
    """Reads the files of game projects, as the inputs of a stage do.

    Args:
        files: The input files of the world.
    """

    def __init__(self, files: InputFiles) -> None:
        self._files = files

    def game_file(self, game: str, name: str) -> bytes:
        """Return the content of a file: see `exporter.pipeline.inputs.Inputs.game_file`."""
        return self._files.read(name, game)

    def expect(self, place: str) -> None:
        """Note that a file was looked for in vain, by its path relative to the root."""
        self._files.expect(place)


class World:
    """A level that is made by parts.

    Args:
        spec: The checked spec; it has `chunk`.
        root: The folder its input files must lie in; default: the spec's own folder.
        reader: Reads the input files: see `InputFiles`.

    Attributes:
        spec: The spec.
        chunk: The side of its parts in cells.
        size: Width and height in cells.
        files: The input files, with the hashes of those that were read.

    Raises:
        ValueError: The spec has no `chunk`.
        SpecError: A file that it names is not there.
    """

    def __init__(
        self, spec: LevelSpec, root: Path | None = None, reader: Reader = read_input
    ) -> None:
        if spec.chunk is None:
            raise ValueError(f"the level {spec.level!r} has no `chunk`")
        self.spec = spec
        self.chunk = spec.chunk
        self.size = spec.size
        self.files = InputFiles(root if root is not None else spec.folder, spec.folder, reader)
        if spec.edits is not None and spec.edits.count:
            message = "a world takes no hand edits (remove the file, or `chunk`)"
            raise SpecError([Problem(message, spec.edits.document.file)])
        missing = file_problems(spec, self.files)
        if missing:
            raise SpecError(missing)
        self._roles = layer_roles(spec.layers)
        self._graph = spec_graph(spec)
        self._steps = self._plan()

    @property
    def columns(self) -> int:
        """Parts in a row."""
        return -(-self.size[0] // self.chunk)

    @property
    def rows(self) -> int:
        """Rows of parts."""
        return -(-self.size[1] // self.chunk)

    def window(self, column: int, row: int) -> Window:
        """Return the cells of a part; those at the right and the bottom may be smaller.

        Raises:
            ValueError: There is no such part.
        """
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise ValueError(f"no part ({column}, {row}) in {self.columns} x {self.rows} parts")
        x, y = column * self.chunk, row * self.chunk
        width = min(self.chunk, self.size[0] - x)
        height = min(self.chunk, self.size[1] - y)
        return Window(x, y, width, height, self.size)

    @cached_property
    def key(self) -> str:
        """The hash of all of the spec that decides cells."""
        spec = self.spec
        parts = [value_key((spec.size, spec.seed, spec.rng, spec.visibility))]
        for name, layer in spec.layers.items():
            entry = GENERATORS.get(layer.generator)
            parts += [name, entry.name, str(entry.version), value_key(layer.parameters)]
        return stage_key(*parts)

    def files_of_games(self) -> WorldFiles:
        """Return what reads files of game projects, and remembers them with the others."""
        return WorldFiles(self.files)

    def surveys(self) -> list[tuple[str, ...]]:
        """Return the layers to survey, in rounds: those of a round need the extremes of earlier.

        Every part is surveyed once in a round: see `survey`.
        """
        wanted = [step for step in self._steps if self._is_surveyed(step)]
        rounds: list[tuple[str, ...]] = []
        known: set[str] = set()
        while wanted:
            ready = [one for one in wanted if not self._unknown_below(one.name) - known]
            rounds.append(tuple(one.name for one in ready))
            known.update(rounds[-1])
            wanted = [one for one in wanted if one.name not in known]
        return rounds

    def survey(self, names: Sequence[str], window: Window, known: Surveyed) -> dict[str, Extremes]:
        """Return the extremes of layers in a part.

        Args:
            names: The layers, those of one round.
            window: The part.
            known: The extremes of the whole of the layers of earlier rounds.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        found: dict[str, Extremes] = {}
        for name in names:
            step = self._step(name)
            survey = step.parts.survey
            assert survey is not None
            asked = window.grown(step.halo)
            below = self._made(self._below(name), asked, known)
            request = self._request(step, asked, below, known)
            parameters = self.spec.layers[name].parameters
            found[name] = self._attempt(
                ("layers", name), survey, parameters, request, window.within(asked)
            )
        return found

    def extremes(self) -> dict[str, Extremes]:
        """Survey all parts, one after the other; see `surveys`.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        known: dict[str, Extremes] = {}
        for names in self.surveys():
            found: dict[str, Extremes] = {}
            for row in range(self.rows):
                for column in range(self.columns):
                    here = self.survey(names, self.window(column, row), known)
                    found = joined_surveys(found, here)
            known.update(found)
        return known

    def layers(self, window: Window, known: Surveyed) -> dict[str, Layer]:
        """Make the layers of a part, as they are in the whole.

        Args:
            window: Any part of the world.
            known: The extremes of the layers that `surveys` names.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        names = [step.name for step in self._steps]
        made = self._made(names, window, known)
        return {name: made[name] for name in self.spec.layers}

    def part(
        self,
        column: int,
        row: int,
        known: Surveyed,
        grounds: Mapping[str, Mapping[int, int]] | None = None,
    ) -> Level:
        """Make a part as a level, with what lies around it in `Layer.around`.

        It has no field of view: what a cell sees lies in other parts, too.

        Args:
            column: The part's place from the left, from 0.
            row: Its place from the top, from 0.
            known: The extremes of the layers that `surveys` names.
            grounds: See `WorldPart.grounds`.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        window = self.window(column, row)
        wide = window.grown(AROUND)
        inside = window.within(wide)
        layers = {}
        for name, layer in self.layers(wide, known).items():
            around = Surroundings(layer.cells, inside, (wide.x, wide.y))
            layers[name] = replace(_cut(layer, window, wide), around=around)
        sight = None
        if (rule := self.spec.visibility) is not None:
            blocking = self.sight_layer(layers)
            sight = SightRule(blocking, rule.algorithm, rule.radius, rule.see_walls)
        part = WorldPart(self.spec.level, self.size, self.chunk, column, row, grounds or {}, sight)
        return Level(
            name=f"{self.spec.level}.{column}_{row}",
            width=window.width,
            height=window.height,
            seed=self.spec.seed,
            rng=self.spec.rng,
            layers=layers,
            properties=self.spec.properties,
            part=part,
        )

    def grounds(self, known: Surveyed) -> dict[str, dict[int, int]]:
        """Return which ground lies around tiles, as it is in the part in the middle.

        Args:
            known: The extremes of the layers that `surveys` names.
        """
        from exporter.tilesets.surroundings import grounds_around

        middle = self.part(self.columns // 2, self.rows // 2, known)
        legends: dict[tuple[Tile, ...], list[Layer]] = {}
        for layer in middle.tile_layers():
            legends.setdefault(layer.tiles, []).append(layer)
        return {
            layer.name: grounds_around(layers) for layers in legends.values() for layer in layers
        }

    def sight_layer(self, layers: Mapping[str, Layer]) -> str:
        """Return the name of the layer that blocks sight, among those that are made.

        Raises:
            SpecError: None does.
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

    # --- inside -------------------------------------------------------------------------------

    def _plan(self) -> tuple[_Step, ...]:
        """Return the layers in the order of the build, and how far around a part each is needed."""
        order = [str(one.key) for one in self._graph.ordered() if one.kind == "layer"]
        needs = {name: self._needs(Part("layer", name)) for name in order}
        reach = dict.fromkeys(order, 0)
        steps: list[_Step] = []
        for name in reversed(order):
            try:
                parts, halo = parts_of(self.spec, self.spec.layers[name])
            except ParameterError as error:
                raise self.spec.error(("layers", name, *error.path), error.message) from None
            for one in needs[name]:
                reach[one] = max(reach[one], reach[name] + halo)
            steps.append(_Step(name, parts, halo, reach[name], needs[name]))
        return tuple(reversed(steps))

    def _needs(self, part: Part) -> tuple[str, ...]:
        """Return the layers that a part of the build needs, also by what stands for several."""
        found: dict[str, None] = {}
        waiting: list[Need] = list(self._graph.needs.get(part, ()))
        while waiting:
            one = waiting.pop(0).part
            if one.kind == "layer":
                found[str(one.key)] = None
            else:
                waiting += self._graph.needs.get(one, ())
        return tuple(found)

    def _step(self, name: str) -> _Step:
        return next(step for step in self._steps if step.name == name)

    def _is_surveyed(self, step: _Step) -> bool:
        parameters = self.spec.layers[step.name].parameters
        return step.parts.survey is not None and step.parts.surveyed(parameters)

    def _below(self, name: str) -> list[str]:
        """Return the layers that one is made from, also by others, in the order of the build."""
        found = set(self._step(name).needs)
        for step in reversed(self._steps):
            if step.name in found:
                found.update(step.needs)
        return [step.name for step in self._steps if step.name in found]

    def _unknown_below(self, name: str) -> set[str]:
        """Return the layers below one that are surveyed."""
        return {one for one in self._below(name) if self._is_surveyed(self._step(one))}

    def _made(self, names: Sequence[str], window: Window, known: Surveyed) -> dict[str, Layer]:
        """Make layers, with all that they are made from among them, cut to a window."""
        made: dict[str, tuple[Window, Layer]] = {}
        for name in names:
            step = self._step(name)
            kept = window.grown(step.reach)
            asked = kept.grown(step.halo)
            below = {
                one: _cut(layer, asked, around)
                for one, (around, layer) in made.items()
                if one in step.needs
            }
            made[name] = kept, self._layer(step, asked, kept, below, known)
        return {name: _cut(layer, window, around) for name, (around, layer) in made.items()}

    def _layer(
        self,
        step: _Step,
        asked: Window,
        kept: Window,
        below: Mapping[str, Layer],
        known: Surveyed,
    ) -> Layer:
        """Make a layer in a window, and cut the halo off."""
        spec = self.spec.layers[step.name]
        entry = GENERATORS.get(spec.generator)
        path: ValuePath = ("layers", step.name)
        request = self._request(step, asked, below, known)
        parameters = spec.parameters
        fixed = None
        if isinstance(parameters, JoiningParameters) and parameters.gives_cells:
            from exporter.generators._fixed import fixed_cells

            fixed = self._attempt(path, fixed_cells, parameters, request)
            request = replace(request, fixed=fixed)
        generated: Generated = self._attempt(path, entry.generate, parameters, request)
        if fixed is not None:
            from exporter.generators._fixed import restored

            generated = self._attempt(path, restored, fixed, generated)
        inside = kept.within(asked)
        walkable = generated.walkable
        if generated.kind == "tiles":
            tiles = Layer(step.name, "tiles", generated.cells, entry.name, tiles=generated.tiles)
            walkable = tiles.lookup([tile.walkable for tile in generated.tiles])
        layer = Layer(
            name=step.name,
            kind=generated.kind,
            cells=_fixed(generated.cells[inside]),
            generator=entry.name,
            version=entry.version,
            tiles=generated.tiles,
            walkable=None if walkable is None else _fixed(walkable[inside]),
            heights=generated.heights,
            measures=entry.role == "data",
        )
        return replace(layer, role=finished_role(layer, self._roles[step.name]))

    def _request(
        self, step: _Step, asked: Window, below: Mapping[str, Layer], known: Surveyed
    ) -> Request:
        sight = self._steps and GENERATORS.get(self.spec.layers[step.name].generator).stage != "map"
        with_sight = bool(sight) and self.spec.visibility is not None
        return Request(
            name=step.name,
            width=asked.width,
            height=asked.height,
            stream=open_stream(self.spec.rng, self.spec.seed, step.name, (asked.x, asked.y)),
            layers=below,
            read_file=self.files.read,
            visibility=partial(self._sight, below) if with_sight else None,
            visibility_layer=self.sight_layer(below) if with_sight else None,
            part=asked,
            extremes=known.get(step.name),
        )

    def _sight(self, layers: Mapping[str, Layer]) -> VisibilityTable:
        """Return what the cells of a window see in it."""
        from exporter.visibility import compute_visibility

        wanted = self.spec.visibility
        assert wanted is not None
        opaque = layers[self.sight_layer(layers)].opaque
        return compute_visibility(
            opaque, wanted.radius, wanted.algorithm, see_walls=wanted.see_walls
        )

    def _attempt(self, path: ValuePath, step: Any, *arguments: Any) -> Any:
        """Run a step; what it cannot do becomes an error at `path` of the spec."""
        try:
            return step(*arguments)
        except ParameterError as error:
            inside = (error.path,) if error.path[:1] == ("seed",) else ()
            place = error.path if inside else (*path, *error.path)
            raise SpecError([self._problem(place, error.message)]) from None

    def _problem(self, path: ValuePath, message: str) -> Problem:
        return self.spec.problem(path, message)


def joined_surveys(one: Surveyed, other: Surveyed) -> dict[str, Extremes]:
    """Return what two parts together give; the order of parts makes no difference."""
    joined = dict(one)
    for name, extremes in other.items():
        joined[name] = joined[name].joined(extremes) if name in joined else extremes
    return joined


def encode_surveyed(known: Surveyed) -> bytes:
    """Return what surveys found as bytes."""
    rows = [[name, one.least, one.greatest] for name, one in sorted(known.items())]
    return json.dumps(rows, separators=(",", ":")).encode()


def decode_surveyed(data: bytes) -> Surveyed:
    """Return what bytes say that surveys found.

    Raises:
        ValueError: They are not from `encode_surveyed`.
    """
    try:
        return {
            str(name): Extremes(int(least), int(greatest))
            for name, least, greatest in json.loads(data)
        }
    except (TypeError, RecursionError) as error:
        raise ValueError("no survey") from error


def _cut(layer: Layer, window: Window, around: Window) -> Layer:
    """Return the part of a layer that lies in a window."""
    if (window.x, window.y, window.width, window.height) == (
        around.x,
        around.y,
        around.width,
        around.height,
    ):
        return layer
    inside = window.within(around)
    walkable = layer.walkable
    return replace(
        layer,
        cells=_fixed(layer.cells[inside]),
        walkable=None if walkable is None else _fixed(walkable[inside]),
    )


def _fixed(cells: Any) -> Any:
    """Return cells in one piece that nobody changes."""
    whole = np.ascontiguousarray(cells)
    whole.flags.writeable = False
    return whole
