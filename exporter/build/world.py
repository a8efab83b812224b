"""Build a world chunk by chunk, equal to building it as a whole.

A world is a level too large to build at once. Random numbers depend on the cell's position, so a
chunk needs no other chunk. A cell depends only on cells within a certain distance, the halo of its
generator. So a chunk is built with a margin of that width and then cut to size.

Some facts about the whole world are needed first, such as its lowest and highest point. Surveys,
which read every chunk, collect them; a collected fact is called a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.build.edits import edits_key
from exporter.build.files import InputFiles
from exporter.build.missing_files import file_problems
from exporter.build.world_certificates import WorldCertificate, world_certificate
from exporter.build.world_facts import WorldFacts
from exporter.build.world_joining import decode_joins
from exporter.build.world_making import WorldMaker
from exporter.build.world_objects import numbered_objects
from exporter.build.world_results import WindowResult, cut
from exporter.build.world_surveying import WorldSurveys
from exporter.build.world_surveys import Surveyed, WorldSurvey, encode_ids, joined_surveys
from exporter.generators import GENERATORS, JoiningParameters
from exporter.model.errors import Problem, SpecError
from exporter.model.keys import stage_key, value_key
from exporter.model.level import Layer, Level, PlacedObject, Surroundings, Tile
from exporter.model.parameters import file_names
from exporter.model.windows import Window
from exporter.model.world_part import SightRule, WorldPart
from exporter.reading.level_spec import LevelSpec

if TYPE_CHECKING:
    from exporter.model.tileset import TilesetSource

# The margin of a chunk, in cells, on which the pictures of its cells depend.
AROUND = 2


class WorldFiles:
    """Reads files of game projects for a world, and records dependencies."""

    def __init__(self, files: InputFiles) -> None:
        self._files = files

    def game_file(self, game: str, name: str) -> bytes:
        """Return the content of file `name` in the game project `game`.

        `game` is the game project's folder, relative to the folder of input files; `name` is
        relative to `game`.
        """
        return self._files.read(name, game)

    def record_missing(self, path: str) -> None:
        """Record that the world depends on `path`, which is missing.

        `path` is relative to the folder that input files must lie in.
        """
        self._files.record_missing(path)


class World:
    """A world: a level that is built in square chunks.

    Args:
        spec: The checked spec, which sets `chunk`.
        root: The folder that input files must lie in; None for the spec's own folder.

    Attributes:
        spec: The spec.
        chunk: The side of a chunk in cells.
        size: Width and height of the world in cells.
        files: Reads the input files; has the hashes of those read so far.

    Raises:
        ValueError: The spec has no `chunk`.
        SpecError: A file that the spec names is missing, or the spec has hand edits of objects.
    """

    def __init__(self, spec: LevelSpec, root: Path | None = None) -> None:
        if spec.chunk is None:
            raise ValueError(f"the level {spec.level!r} is not a world: its spec has no `chunk`")
        self.spec = spec
        self.chunk = spec.chunk
        self.size = spec.size
        self.files = InputFiles(root if root is not None else spec.folder, spec.folder)
        missing = file_problems(spec, self.files)
        if missing:
            error = SpecError(missing)
            error.files = (*self.files.hashes,)
            raise error
        self._maker = WorldMaker(spec, self.files)
        self._surveys = WorldSurveys(self._maker)

    @property
    def columns(self) -> int:
        """The number of chunks in each row."""
        return -(-self.size[0] // self.chunk)

    @property
    def rows(self) -> int:
        """The number of rows of chunks."""
        return -(-self.size[1] // self.chunk)

    def window(self, column: int, row: int) -> Window:
        """Return the cells of the chunk at `column` and `row`, both from 0.

        Chunks of the last column and row may be smaller.

        Raises:
            ValueError: There is no such chunk.
        """
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise ValueError(
                f"there is no chunk ({column}, {row}) in a world of {self.columns} x {self.rows} "
                "chunks"
            )
        x, y = column * self.chunk, row * self.chunk
        width = min(self.chunk, self.size[0] - x)
        height = min(self.chunk, self.size[1] - y)
        return Window(x, y, width, height, self.size)

    @cached_property
    def key(self) -> str:
        """A hash of all settings that affect the world's cells and objects."""
        spec = self.spec
        parts = [value_key((spec.size, spec.seed, spec.rng, spec.visibility))]
        for name, layer in spec.layers.items():
            entry = GENERATORS.get(layer.generator)
            options = value_key((layer.parameters, layer.options))
            parts += [name, entry.name, str(entry.version), options]
        parts += [value_key(item) for item in spec.objects]
        for name, edits in self._maker.edits.cells.items():
            parts += ["edits", name, edits_key(edits)]
        if any(file_names(layer.parameters) for layer in spec.layers.values()):
            # A drawn map must be read before its own files are known.
            self.layers(Window(0, 0, 1, 1, self.size), {})
            parts += [text for item in sorted(self.files.hashes.items()) for text in item]
        return stage_key(*parts)

    def files_of_games(self) -> WorldFiles:
        """Return a reader for files of game projects.

        The files count as inputs of the world.
        """
        return WorldFiles(self.files)

    def surveys(self) -> list[tuple[str, ...]]:
        """Return the names of the surveys of this world, in rounds.

        A survey collects a fact from all chunks. A round needs the findings of the rounds before.
        """
        return self._surveys.rounds()

    def survey(self, names: Sequence[str], window: Window, known: Surveyed) -> dict[str, bytes]:
        """Run the surveys `names` on one chunk; return the results by survey.

        `window` are the cells of the chunk, `known` the findings of earlier rounds of surveys.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        return self._surveys.survey(names, window, known)

    def settle(self, names: Sequence[str], findings: Surveyed, known: Surveyed) -> dict[str, bytes]:
        """Combine the results of all chunks into findings about the world.

        `names` are surveys of one round, `findings` the results of all chunks by survey, and
        `known` the findings of earlier rounds.

        Raises:
            SpecError: Regions are too far apart to be joined.
        """
        return self._surveys.settle(names, findings, known)

    def unsettled(self, names: Sequence[str], known: Surveyed) -> tuple[str, ...]:
        """Return which surveys of a round must run again on all chunks.

        `names` are the surveys of the round, `known` the findings after it.
        """
        return self._surveys.unsettled(names, known)

    @property
    def reach(self) -> int:
        """The width in cells of the margin on which a chunk's cells depend."""
        return AROUND + max((step.reach + step.halo for step in self._maker.steps), default=0)

    def facts(self, known: Surveyed) -> dict[str, WorldFacts]:
        """Return facts about the walkable cells of layers, by layer.

        The key "" is for all `play` layers together; layers without requirements are left out.
        `known` are the findings of all surveys.
        """
        return self._surveys.facts(known)

    def certificate(self, name: str, known: Surveyed, *, alone: bool) -> WorldCertificate:
        """Return the certificate (proven facts) of layer `name`.

        Args:
            name: The name of the layer.
            known: The findings of all surveys.
            alone: Whether this is the only `play` layer, so that facts about all `play` layers are
                true of this one.
        """
        facts = self.facts(known)
        joins = known.get(WorldSurvey("joins", name).name)
        return world_certificate(
            self.size,
            None if joins is None else decode_joins(joins),
            facts.get(name, facts.get("") if alone else None),
            edited=name in self._maker.edits.cells,
        )

    def check(self, known: Surveyed) -> None:
        """Check the requirements that need facts about the whole world.

        `known` are the findings of all surveys.

        Raises:
            UnmetError: A requirement is not met; the error points at its line.
        """
        self._surveys.check(known)

    def sight_layer(self, layers: Mapping[str, Layer]) -> str:
        """Return the name of the layer among `layers` whose tiles block sight.

        Raises:
            SpecError: No layer has tiles that block sight.
        """
        return self._maker.sight_layer(layers)

    def edit_warnings(self, known: Surveyed) -> list[Problem]:
        """Return a warning, with its line, for each hand edit that does not fit.

        `known` are the findings of all surveys.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        for window in self._maker.edits.windows(self.chunk):
            self.layers(window, known)
        return self._maker.edits.warnings(self.layers(Window(0, 0, 1, 1, self.size), known))

    def surveyed(self) -> dict[str, bytes]:
        """Run all surveys on all chunks; return the findings by survey.

        A survey collects a fact about the whole world, such as the lowest point of a layer.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        known: dict[str, bytes] = {}
        for names in self.surveys():
            left = names
            while left:
                result: Surveyed = {}
                for window in self.windows():
                    result = joined_surveys(result, self.survey(left, window, known))
                known |= self.settle(left, result, known)
                left = self.unsettled(left, known)
        return known

    def windows(self) -> Iterator[Window]:
        """Yield the cells of each chunk, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.window(column, row)

    def layers(self, window: Window, known: Surveyed) -> dict[str, Layer]:
        """Build the layers in `window`; each cell is as in the whole world.

        `window` may be any rectangle of the world; `known` are the findings of all surveys.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        return self._all(window, known)[0]

    def objects(self, window: Window, known: Surveyed) -> tuple[PlacedObject, ...]:
        """Place the objects in `window`.

        Their cells are relative to the window, and their ids begin with 1. `known` are the findings
        of all surveys.
        """
        return self._all(window, known)[1]

    def part(
        self,
        column: int,
        row: int,
        known: Surveyed,
        grounds: Mapping[str, Mapping[int, int]] | None = None,
    ) -> Level:
        """Build the chunk at `column` and `row` (both from 0) as a level.

        `around` of each layer also has the cells up to two beyond the chunk, on which the pictures
        at its edge depend. Fields of view are not computed, since they reach into other chunks.
        Objects are numbered from 1, so ids repeat in other chunks. `known` are the findings of all
        surveys (facts collected from the whole world), by name. `grounds` has, for each layer and
        tile id, the id of the tile that usually surrounds it.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        window = self.window(column, row)
        wide = window.grown(AROUND)
        inside = window.within(wide)
        result = self._maker.build_window(self._maker.steps, wide, known)
        layers = {}
        for name in self.spec.layers:
            layer = result.layers[name]
            around = Surroundings(layer.cells, inside, (wide.x, wide.y))
            layers[name] = replace(cut(layer, window, wide), around=around)
        sight = None
        if (rule := self.spec.visibility) is not None:
            blocking = self._maker.sight_layer(layers)
            sight = SightRule(blocking, rule.algorithm, rule.radius, rule.see_walls)
        part = WorldPart(
            self.spec.level,
            self.size,
            self.chunk,
            column,
            row,
            grounds or {},
            sight,
            frozenset(group.name for group in self.spec.objects),
        )
        return Level(
            name=f"{self.spec.level}.{column}_{row}",
            width=window.width,
            height=window.height,
            seed=self.spec.seed,
            rng=self.spec.rng,
            layers=layers,
            objects=numbered_objects(self.spec.objects, result.objects, window),
            properties=self.spec.properties,
            tileset=self._tileset,
            part=part,
        )

    def grounds(self, known: Surveyed) -> dict[str, dict[int, int]]:
        """Return which tile usually surrounds each tile, by their ids and layer.

        The chunk in the middle of the world decides for all. `known` are the findings of all
        surveys.

        Raises:
            SpecError: The spec's tileset does not fit the tiles.
        """
        from exporter.tilesets.surroundings import grounds_around

        middle = self.part(self.columns // 2, self.rows // 2, known)
        if middle.tileset is not None:
            # All chunks have the same tiles, so the tileset fits all or none.
            from exporter.tilesets import level_tileset

            self._maker.attempt((), level_tileset, middle.exported())
        legends: dict[tuple[Tile, ...], list[Layer]] = {}
        for layer in middle.tile_layers():
            legends.setdefault(layer.tiles, []).append(layer)
        return {
            layer.name: grounds_around(layers) for layers in legends.values() for layer in layers
        }

    def made(self, window: Window, known: Surveyed, names: Sequence[str] = ()) -> WindowResult:
        """Build the layers and object cells in `window`.

        `known` are the findings of all surveys. `names` are the layers to build, together with all
        that they depend on; empty for everything.
        """
        steps = self._maker.including(*names) if names else self._maker.steps
        return self._maker.build_window(steps, window, known)

    def all_given(self, name: str, known: Surveyed) -> bytes:
        """Return the finding of a `given` survey for the case of every tile.

        A `given` survey finds which tiles the fixed cells of the layer `name` have anywhere. This
        result can replace it; it says that every tile occurs. `known` are the findings of earlier
        surveys.
        """
        parameters = self.spec.layers[name].parameters
        assert isinstance(parameters, JoiningParameters)
        assert isinstance(parameters.fixed, str)
        fixed = parameters.fixed
        made = self.made(Window(0, 0, 1, 1, self.size), known, [fixed])
        return encode_ids([tile.id for tile in made.layers[fixed].tiles])

    def edited_cells(self, window: Window, only: str | None = None) -> set[tuple[int, int]]:
        """Return the hand-edited cells in `window`, relative to the window.

        `only` is the layer whose edits to return; None for all layers.
        """
        return {
            (edit.at[0] - window.x, edit.at[1] - window.y)
            for name, edits in self._maker.edits.cells.items()
            if only in (None, name)
            for edit in edits
            if window.holds(*edit.at)
        }

    def _all(
        self, window: Window, known: Surveyed
    ) -> tuple[dict[str, Layer], tuple[PlacedObject, ...]]:
        result = self.made(window, known)
        objects = numbered_objects(self.spec.objects, result.objects, window)
        return {name: result.layers[name] for name in self.spec.layers}, objects

    @cached_property
    def _tileset(self) -> TilesetSource | None:
        options = self.spec.tileset
        if options is None:
            return None
        from exporter.tilesets.source import open_tileset

        opened: TilesetSource = self._maker.attempt((), open_tileset, options, self.files.read)
        return opened
