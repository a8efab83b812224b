"""A world: a level that is made by parts, each with the cells that the whole would have there.

Every random number of a layer is counted by its place, so that a part needs no other part. What a
cell depends on lies within the halo of its generator: a part is made with the halo around it, from
parts of other layers that are as large, and cut to its size.

Some things have to be known of the whole before, as the extremes of heights that are stretched.
Surveys of all parts find them: see `World.surveys`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from exporter.generators import (
    GENERATORS,
    Generated,
    JoiningParameters,
    Request,
)
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import stage_key, value_key
from exporter.model.level import (
    Layer,
    Level,
    PlacedObject,
    SightRule,
    Surroundings,
    Tile,
    WorldPart,
    walkable_cells,
)
from exporter.model.parameters import file_names, references
from exporter.model.windows import Window
from exporter.pipeline.edits import edits_key
from exporter.pipeline.files import InputFiles, Reader
from exporter.pipeline.foreseen import file_problems
from exporter.pipeline.requirements import ALL_MADE, SEPARATE_REGIONS, unmet
from exporter.pipeline.world_edits import WorldEdits
from exporter.pipeline.world_facts import (
    Joins,
    WorldFacts,
    decode_facts,
    decode_joins,
    encode_cells,
    encode_masks,
    records,
    settled_cells,
    settled_joins,
)
from exporter.pipeline.world_limits import required_layers, unmet_requirements
from exporter.pipeline.world_made import Made, cut, frozen
from exporter.pipeline.world_objects import Cells, cells_in, numbered_objects, place_in_window
from exporter.pipeline.world_plan import GroupStep, LayerStep, Step, world_steps
from exporter.pipeline.world_surveys import (
    Survey,
    Surveyed,
    decode_extremes,
    decode_ids,
    encode_extremes,
    encode_ids,
    joined_surveys,
)
from exporter.reading.build_order import Part, ground_layers, spec_graph
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import NO_SIGHT_LAYER
from exporter.reading.roles import finished_role, layer_roles
from exporter.streams import open_stream

if TYPE_CHECKING:
    from exporter.model.tileset import TilesetSource
    from exporter.visibility.table import VisibilityTable

# How many cells around a part decide which pictures its cells show.
AROUND = 2


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
        SpecError: A file that it names is not there, or it has hand edits of objects.
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
        self._edits = WorldEdits(spec)
        missing = file_problems(spec, self.files)
        if missing:
            raise SpecError(missing)
        self._roles = layer_roles(spec.layers)
        self._graph = spec_graph(spec)
        self._steps = world_steps(spec, self._graph)

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
        """The hash of all of the spec that decides cells and objects."""
        spec = self.spec
        parts = [value_key((spec.size, spec.seed, spec.rng, spec.visibility))]
        for name, layer in spec.layers.items():
            entry = GENERATORS.get(layer.generator)
            options = value_key((layer.parameters, layer.options))
            parts += [name, entry.name, str(entry.version), options]
        parts += [value_key(one) for one in spec.objects]
        for name, edits in self._edits.cells.items():
            parts += ["edits", name, edits_key(edits)]
        if any(file_names(layer.parameters) for layer in spec.layers.values()):
            # Which files a drawn map names in turn is known once it was read.
            self.layers(Window(0, 0, 1, 1, self.size), {})
            parts += [text for one in sorted(self.files.hashes.items()) for text in one]
        return stage_key(*parts)

    def files_of_games(self) -> WorldFiles:
        """Return what reads files of game projects, and remembers them with the others."""
        return WorldFiles(self.files)

    def surveys(self) -> list[tuple[str, ...]]:
        """Return the surveys by their names, in rounds: those of one need what earlier ones found.

        Every part is surveyed once in a round (`survey`); then all that was found in it is settled
        (`settle`).
        """
        waiting = dict(self._surveys)
        rounds: list[tuple[str, ...]] = []
        while waiting:
            ready = [
                name for name, one in waiting.items() if not self._before(one) & waiting.keys()
            ]
            rounds.append(tuple(ready))
            waiting = {name: one for name, one in waiting.items() if name not in ready}
        return rounds

    def survey(self, names: Sequence[str], window: Window, known: Surveyed) -> dict[str, bytes]:
        """Return what surveys find in a part; what parts give is put together by `joined_surveys`.

        Args:
            names: The surveys, those of one round.
            window: The part.
            known: What is known from earlier rounds.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        return {name: self._survey(self._surveys[name], window, known) for name in names}

    def settle(self, names: Sequence[str], found: Surveyed) -> dict[str, bytes]:
        """Return what is known after a round, to be added to what was known before.

        Args:
            names: The surveys of the round.
            found: What all parts gave.
        """
        settled: dict[str, bytes] = {}
        for name in names:
            kind = self._surveys[name].kind
            if kind == "joins":
                settled[name] = settled_joins(found[name], self.size)
            elif kind == "cells":
                settled[name] = settled_cells(found[name], self.size)
            else:
                settled[name] = found[name]
        return settled

    def edit_warnings(self, known: Surveyed) -> list[Problem]:
        """Return a warning, at its place, for all hand edits that do not fit the world.

        Args:
            known: What all surveys found.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        for window in self._edits.windows(self.chunk):
            self.layers(window, known)
        return self._edits.warnings(self.layers(Window(0, 0, 1, 1, self.size), known))

    def facts(self, known: Surveyed) -> dict[str, WorldFacts]:
        """Return what is known of the walkable cells of layers, by their names.

        Only of those of which something is required; "" are all `play` layers together.
        """
        return {
            one.layer: decode_facts(known[name])
            for name, one in self._surveys.items()
            if one.kind == "cells"
        }

    def check(self, known: Surveyed) -> None:
        """Check what the spec requires of the world.

        Args:
            known: What all surveys found.

        Raises:
            UnmetError: It is not what the spec requires, at the lines that say so.
        """
        found = [
            (self.spec.problem(path, text), breach)
            for path, text, breach in unmet_requirements(self.spec, self.facts(known))
        ]
        if found:
            raise unmet(found)

    def surveyed(self) -> dict[str, bytes]:
        """Survey all parts, one after the other; see `surveys`.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        known: dict[str, bytes] = {}
        for names in self.surveys():
            found: Surveyed = {}
            for window in self.windows():
                found = joined_surveys(found, self.survey(names, window, known))
            known |= self.settle(names, found)
        return known

    def windows(self) -> Iterator[Window]:
        """Yield the cells of all parts, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.window(column, row)

    def layers(self, window: Window, known: Surveyed) -> dict[str, Layer]:
        """Make the layers of a part, as they are in the whole.

        Args:
            window: Any part of the world.
            known: What all surveys found.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        return self._all(window, known)[0]

    def objects(self, window: Window, known: Surveyed) -> tuple[PlacedObject, ...]:
        """Place the objects of a part, with cells and ids of the part; see `layers`."""
        return self._all(window, known)[1]

    def part(
        self,
        column: int,
        row: int,
        known: Surveyed,
        grounds: Mapping[str, Mapping[int, int]] | None = None,
    ) -> Level:
        """Make a part as a level, with what lies around it in `Layer.around`.

        It has no field of view: what a cell sees lies in other parts, too. Its objects are numbered
        from 1, as those of any level: in another part there are others with these ids.

        Args:
            column: The part's place from the left, from 0.
            row: Its place from the top, from 0.
            known: What all surveys found.
            grounds: See `WorldPart.grounds`.

        Raises:
            SpecError: A generator cannot do what the spec asks.
        """
        window = self.window(column, row)
        wide = window.grown(AROUND)
        inside = window.within(wide)
        made = self._made(self._steps, wide, known)
        layers = {}
        for name in self.spec.layers:
            layer = made.layers[name]
            around = Surroundings(layer.cells, inside, (wide.x, wide.y))
            layers[name] = replace(cut(layer, window, wide), around=around)
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
            objects=numbered_objects(self.spec.objects, made.objects, window),
            properties=self.spec.properties,
            tileset=self._tileset,
            part=part,
        )

    def grounds(self, known: Surveyed) -> dict[str, dict[int, int]]:
        """Return which ground lies around tiles, as it is in the part in the middle.

        Args:
            known: What all surveys found.

        Raises:
            SpecError: The spec's tileset does not fit the tiles.
        """
        from exporter.tilesets.surroundings import grounds_around

        middle = self.part(self.columns // 2, self.rows // 2, known)
        if middle.tileset is not None:
            # All parts have the same legends, so it fits all or none.
            from exporter.tilesets import level_tileset

            self._attempt((), level_tileset, middle.exported())
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

    @cached_property
    def _surveys(self) -> dict[str, Survey]:
        """All surveys by their names, in the order of the build."""
        found: list[Survey] = []
        for step in self._steps:
            if isinstance(step, GroupStep):
                continue
            parameters = self.spec.layers[step.name].parameters
            if step.parts.survey is not None and step.parts.surveyed(parameters):
                found.append(Survey("extremes", step.name))
            if isinstance(parameters, JoiningParameters):
                if isinstance(parameters.fixed, str):
                    found.append(Survey("given", step.name))
                if parameters.connect == "guaranteed":
                    found.append(Survey("joins", step.name))
        found += [Survey("cells", name) for name in required_layers(self.spec)]
        return {one.name: one for one in found}

    def _before(self, survey: Survey) -> set[str]:
        """Return the surveys that one needs: all of the layers below."""
        names = self._asked(survey.layer)
        steps = self._below(*names)
        if survey.kind == "cells":
            steps = self._with(*names)  # of the finished layer
        below = {step.name for step in steps if isinstance(step, LayerStep)}
        earlier = {
            name
            for name, one in self._surveys.items()
            if one.layer in below and one.kind != "cells"
        }
        if survey.kind == "joins":
            own = (Survey("extremes", survey.layer).name, Survey("given", survey.layer).name)
            earlier |= {name for name in own if name in self._surveys}
        return earlier

    def _survey(self, survey: Survey, window: Window, known: Surveyed) -> bytes:
        if survey.kind == "cells":
            around = window.grown(1)
            walkable = self._walkable(survey.layer, around, known)
            return records(encode_cells(walkable, window, around))
        step = self._step(survey.layer)
        if survey.kind == "joins":
            return records(self._separate(step, window, known))
        parameters = self.spec.layers[survey.layer].parameters
        if survey.kind == "given":
            assert isinstance(parameters, JoiningParameters)
            made = self._made(self._below(survey.layer), window, known)
            from exporter.generators._fixed import given_tiles

            given = self._attempt(
                ("layers", survey.layer),
                given_tiles,
                parameters,
                self._request(step, window, made, known),
            )
            return encode_ids(given)
        asked = window.grown(step.halo)
        made = self._made(self._below(survey.layer), asked, known)
        extremes = self._attempt(
            ("layers", survey.layer),
            step.parts.survey,
            parameters,
            self._request(step, asked, made, known),
            window.within(asked),
        )
        return encode_extremes(extremes)

    def _walkable(self, layer: str, window: Window, known: Surveyed) -> NDArray[np.bool_]:
        """Return the walkable cells of a layer in a window, or of all `play` layers together."""
        shape = window.height, window.width
        made = self._made(self._with(*self._asked(layer)), window, known).layers
        if not layer:
            return walkable_cells(made.values(), shape)
        walkable = made[layer].walkable
        return np.zeros(shape, bool) if walkable is None else walkable

    def _separate(self, step: LayerStep, window: Window, known: Surveyed) -> bytes:
        """Return the walkable cells of a part before its regions are joined, and the kept ones."""
        asked = window.grown(step.halo)
        below = self._made(self._below(step.name), asked, known)
        generated, kept = self._generated(step, asked, below, known)
        inside = window.within(asked)
        shape = window.height, window.width
        walkable = _walkable_tiles(step.name, generated)
        return encode_masks(
            window,
            np.zeros(shape, bool) if walkable is None else np.ascontiguousarray(walkable[inside]),
            np.zeros(shape, bool) if kept is None else np.ascontiguousarray(kept[inside]),
        )

    def _step(self, name: str) -> LayerStep:
        return next(
            step for step in self._steps if isinstance(step, LayerStep) and step.name == name
        )

    def _asked(self, layer: str) -> list[str]:
        """Return the layers that are surveyed: one, or all that may be `play` layers."""
        return [layer] if layer else [name for name, role in self._roles.items() if role == "play"]

    def _below(self, *names: str) -> list[Step]:
        """Return what layers are made from, also by others, in the order of the build."""
        found = {part for name in names for part in self._step(name).needs}
        for step in reversed(self._steps):
            if step.part in found:
                found.update(step.needs)
        return [step for step in self._steps if step.part in found]

    def _with(self, *names: str) -> list[Step]:
        """Return what layers are made from, and themselves, in the order of the build."""
        wanted = {step.part for step in self._below(*names)}
        wanted |= {self._step(name).part for name in names}
        return [step for step in self._steps if step.part in wanted]

    def _all(
        self, window: Window, known: Surveyed
    ) -> tuple[dict[str, Layer], tuple[PlacedObject, ...]]:
        made = self._made(self._steps, window, known)
        objects = numbered_objects(self.spec.objects, made.objects, window)
        return {name: made.layers[name] for name in self.spec.layers}, objects

    def _made(self, steps: Sequence[Step], window: Window, known: Surveyed) -> Made:
        """Make layers and objects in a window, with all that they are made from among them."""
        made: dict[Part, tuple[Window, Layer | Cells]] = {}
        for step in steps:
            kept = window.grown(step.reach)
            asked = kept.grown(step.halo)
            below = Made()
            for part, (around, one) in made.items():
                if part in step.needs:
                    below.add(part, one, asked, around)
            if isinstance(step, LayerStep):
                made[step.part] = kept, self._layer(step, asked, kept, below, known)
            else:
                made[step.part] = kept, self._group(step, asked, kept, below)
        found = Made()
        for part, (around, one) in made.items():
            found.add(part, one, window, around)
        return found

    def _group(self, step: GroupStep, asked: Window, kept: Window, below: Made) -> Cells:
        """Place a group in a window, and leave out what stands in the halo."""
        cells: Cells = self._attempt(
            ("objects", step.index),
            place_in_window,
            self.spec.objects[step.index],
            step.number,
            asked,
            below.layers,
            self._ground,
            below.objects.values(),
            open_stream("portable", self.spec.seed, "objects", (asked.x, asked.y)),
        )
        return cells_in(cells, kept)

    @cached_property
    def _ground(self) -> list[str]:
        """The layers that objects stand on which name none, as far as the spec tells."""
        spec = self.spec
        return ground_layers(spec.layers, self._roles, self._graph.late, spec.size)

    @cached_property
    def _tileset(self) -> TilesetSource | None:
        """The tiles' pictures, where the spec names some."""
        options = self.spec.tileset
        if options is None:
            return None
        from exporter.tilesets.source import open_tileset

        opened: TilesetSource = self._attempt((), open_tileset, options, self.files.read)
        return opened

    def _layer(
        self, step: LayerStep, asked: Window, kept: Window, below: Made, known: Surveyed
    ) -> Layer:
        """Make a layer in a window, and cut the halo off."""
        entry = GENERATORS.get(self.spec.layers[step.name].generator)
        generated, _ = self._generated(step, asked, below, known)
        joins = known.get(Survey("joins", step.name).name)
        if joins is not None:
            generated = _joined(generated, decode_joins(joins), asked)
        inside = kept.within(asked)
        walkable = generated.walkable
        if generated.kind == "tiles":
            walkable = _walkable_tiles(step.name, generated)
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
        layer = self._edits.applied(layer, kept)
        return replace(layer, role=finished_role(layer, self._roles[step.name]))

    def _generated(
        self, step: LayerStep, asked: Window, below: Made, known: Surveyed
    ) -> tuple[Generated, NDArray[np.bool_] | None]:
        """Run the generator of a layer in a window: return what it made, and the cells that stay.

        The report is not that of a whole layer, so it is left out.
        """
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
        kept = generated.kept
        if fixed is not None:
            kept = fixed.kept if kept is None else kept | fixed.kept
        return replace(generated, report={}), kept

    def _request(self, step: LayerStep, asked: Window, below: Made, known: Surveyed) -> Request:
        spec = self.spec
        parameters = spec.layers[step.name].parameters
        late = GENERATORS.get(spec.layers[step.name].generator).stage != "map"
        with_sight = late and spec.visibility is not None
        named = {one.name for one in references(parameters) if one.rule.to == "object"}
        wanted = {index: one for index, one in below.objects.items() if self._named(index, named)}
        extremes = known.get(Survey("extremes", step.name).name)
        given = known.get(Survey("given", step.name).name)
        return Request(
            name=step.name,
            width=asked.width,
            height=asked.height,
            stream=open_stream(spec.rng, spec.seed, step.name, (asked.x, asked.y)),
            layers=below.layers,
            read_file=self.files.read,
            visibility=partial(self._sight, below.layers) if with_sight else None,
            visibility_layer=self.sight_layer(below.layers) if with_sight else None,
            objects=numbered_objects(spec.objects, wanted, asked),
            part=asked,
            extremes=None if extremes is None else decode_extremes(extremes),
            given=None if given is None else decode_ids(given),
        )

    def _named(self, index: int, names: set[str]) -> bool:
        return self.spec.objects[index].name in names

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


def _joined(generated: Generated, joins: Joins, window: Window) -> Generated:
    """Return a layer in a window with the cells opened that join the regions of the whole."""
    floor = next((tile.id for tile in generated.tiles if tile.walkable), None)
    if floor is None:
        return generated  # as in a level: what cannot be walked on has no regions
    cells = generated.cells.copy()
    cells[joins.inside(window)] = floor
    joined = replace(generated, cells=cells)
    if joins.regions_after != 1:
        remarks = {SEPARATE_REGIONS: joins.regions_after, ALL_MADE: generated.complete}
        joined = replace(joined, complete=False, report=remarks)
    return joined


def _walkable_tiles(name: str, generated: Generated) -> NDArray[np.bool_] | None:
    """Return which tiles can be walked on; None if the layer has no tile for it, as in a level."""
    if not any(tile.walkable for tile in generated.tiles):
        return None
    layer = Layer(name, "tiles", generated.cells, "", tiles=generated.tiles)
    return layer.lookup([tile.walkable for tile in generated.tiles])
