"""The hallway: a checked spec becomes a level, and a level becomes the artifacts of its targets.

Everything here is pure but for the files a spec names, which are read through one door that
records what was read. Every stage can be taken from a memory instead of being run again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.generators import GENERATORS, Generated, Request
from exporter.grids.certificates import certify
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.keys import stage_key
from exporter.model.level import Layer, Level, PlacedObject, Puzzle, Table
from exporter.pipeline.requirements import broken_requirements, connected
from exporter.pipeline.stages import (
    Memory,
    RecordedLayers,
    Stages,
    Trace,
    decode_layer,
    decode_objects,
    decode_puzzle,
    encode_layer,
    encode_objects,
    encode_puzzle,
)
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LayerSpec, LevelSpec, PuzzleSpec, Requirements
from exporter.reading.references import late_layers
from exporter.streams import open_stream

if TYPE_CHECKING:
    from exporter.model.tileset import TilesetSource
    from exporter.visibility.table import VisibilityTable

MAXIMUM_INPUT_BYTES = 64 << 20


def build_level(spec: LevelSpec, root: Path | None = None) -> Level:
    """Build a level from its spec.

    Args:
        spec: The checked spec.
        root: The folder its input files must lie in; default: the spec's own folder.

    Raises:
        SpecError: When a step cannot do what the spec asks, or a requirement is not met.
    """
    return Building(spec, root).level()


class Building:
    """One build: the spec, what is finished so far, and the files read on the way.

    Args:
        spec: The checked spec.
        root: The folder its input files must lie in; default: the spec's own folder.
        memory: Where results of stages are kept; None runs every stage.
        identity: What stands for the exporter's own code in the keys of the stages.

    Attributes:
        inputs: SHA-256 of the files that were read, by path relative to the root; empty for one
            that could not be read.
    """

    def __init__(
        self,
        spec: LevelSpec,
        root: Path | None = None,
        memory: Memory | None = None,
        identity: str = "",
    ) -> None:
        self.spec = spec
        self.root = root if root is not None else spec.folder
        self.stages = Stages(memory, identity)
        self.inputs: dict[str, str] = {}
        self.layers: dict[str, Layer] = {}
        self.keys: dict[str, str] = {}
        self.objects: tuple[PlacedObject, ...] = ()
        self.objects_key = ""
        self.puzzles: dict[str, Puzzle] = {}
        self.puzzle_keys: list[str] = []
        self.table: VisibilityTable | None = None
        self.tileset_data: dict[str, bytes] = {}
        self.late = late_layers(spec.layers)
        self.prepared = False
        self.finished: Level | None = None

    def prepare(self) -> None:
        """Finish all that tells whether the level is new: layers, objects, puzzles.

        Raises:
            SpecError: When a step cannot do what the spec asks, or a requirement is not met.
        """
        if self.prepared:
            return
        spec = self.spec
        for name, layer in spec.layers.items():
            if name not in self.late:
                self._finish_layer(layer)
        self._place_objects()
        for name in spec.layers:
            if name in self.late:
                self._finish_layer(spec.layers[name])
        self.layers = {name: self.layers[name] for name in spec.layers}
        self._check_main_layer()
        self._build_puzzles()
        if spec.visibility is not None:
            self._visibility_layer()
        if spec.tileset is not None and spec.tileset.image is not None:
            self._attempt(("tileset", "image"), self._read_tileset, spec.tileset.image)
        self.prepared = True

    def key(self) -> str | None:
        """Return the hash of the whole level; None when something in it has none.

        Raises:
            SpecError: As `prepare`.
        """
        self.prepare()
        if not self.stages.complete:
            return None
        spec = self.spec
        return stage_key(
            "level",
            self.stages.identity,
            spec.level,
            repr((spec.size, spec.seed, spec.rng)),
            repr(list(self.keys.items())),
            self._visibility_key() if spec.visibility is not None else "",
            self.objects_key,
            repr(spec.tables),
            repr(self.puzzle_keys),
            repr(spec.properties),
            repr(spec.tileset),
            repr(sorted(self.inputs.items()) if spec.tileset is not None else ()),
        )

    def level(self) -> Level:
        """Return the finished level, always the same one.

        Raises:
            SpecError: When a step cannot do what the spec asks, or a requirement is not met.
        """
        if self.finished is None:
            self.prepare()
            self.finished = self._whole()
        return self.finished

    def _whole(self) -> Level:
        spec = self.spec
        visibility = self._visibility() if spec.visibility is not None else None
        level = Level(
            name=spec.level,
            width=spec.size[0],
            height=spec.size[1],
            seed=spec.seed,
            rng=spec.rng,
            layers=self.layers,
            visibility=visibility,
            visibility_layer=self._visibility_layer() if visibility is not None else None,
            objects=self.objects,
            tables=self._tables(),
            puzzles=self.puzzles,
            properties=spec.properties,
            tileset=self._tileset(),
        )
        if spec.tileset is not None:
            # Whether its pictures serve these tiles is found here, where the line is known.
            from exporter.tilesets import level_tileset

            self._attempt((), level_tileset, level)
        return level

    def _finish_layer(self, layer: LayerSpec) -> None:
        """Make a layer, or take it from memory; then see whether it keeps its requirements."""
        entry = GENERATORS.get(layer.generator)
        parts = (
            "layer",
            f"{entry.name} {entry.version}",
            repr(layer.parameters),
            repr((layer.options.size, layer.options.recipe)),
            repr((self.spec.size, self.spec.seed, self.spec.rng, layer.name)),
            self.objects_key if entry.stage == "derived" else "",
        )
        finished, key = self.stages.run(
            parts, self._holds, lambda trace: self._layer(layer, trace), encode_layer, decode_layer
        )
        self.layers[layer.name] = finished
        self.keys[layer.name] = key
        if layer.options.require is not None:
            path = ("layers", layer.name, "require")
            self._check_requirements(finished, layer.options.require, path)

    def _layer(self, layer: LayerSpec, trace: Trace) -> Layer:
        path: ValuePath = ("layers", layer.name)
        entry = GENERATORS.get(layer.generator)
        width, height = layer.options.size or self.spec.size
        request = Request(
            name=layer.name,
            width=width,
            height=height,
            stream=open_stream(self.spec.rng, self.spec.seed, layer.name),
            layers=RecordedLayers(dict(self.layers), self.keys, trace),
            read_file=self._recorded_reading(trace),
            visibility=self._recorded_visibility(trace),
            visibility_layer=self._visibility_layer()
            if entry.stage == "derived" and self.spec.visibility is not None
            else None,
            objects=self.objects,
        )
        generated: Generated = self._attempt(path, entry.generate, layer.parameters, request)
        walkable = connected(generated, getattr(layer.parameters, "connect", False))
        certificate = None
        if walkable.walkable is not None:
            certificate = certify(walkable.walkable, walkable.regions_before, walkable.cells_carved)
        generated = walkable.generated
        generated.cells.flags.writeable = False
        return Layer(
            name=layer.name,
            kind=generated.kind,
            cells=generated.cells,
            generator=entry.name,
            version=entry.version,
            tiles=generated.tiles,
            walkable=walkable.walkable,
            heights=generated.heights,
            complete=generated.complete,
            report=generated.report,
            rooms=generated.rooms,
            certificate=certificate,
            grid_aligned=layer.options.size in (None, self.spec.size),
        )

    def _holds(self, trace: Trace) -> bool:
        """Whether everything a stage once looked at is the same now."""
        if any(self.keys.get(name) != key for name, key in trace.layers.items()):
            return False
        if trace.names is not None and trace.names != list(self.layers):
            return False
        if trace.visibility is not None:
            try:
                if self.spec.visibility is None or trace.visibility != self._visibility_key():
                    return False
            except SpecError:
                return False
        for name, digest in trace.files.items():
            try:
                if hashlib.sha256(self._read_file(name)).hexdigest() != digest:
                    return False
            except ParameterError:
                return False
        return True

    def _recorded_reading(self, trace: Trace) -> Callable[[str], bytes]:
        def read_file(name: str) -> bytes:
            content = self._read_file(name)
            trace.files[name] = hashlib.sha256(content).hexdigest()
            return content

        return read_file

    def _recorded_visibility(self, trace: Trace) -> Callable[[], VisibilityTable] | None:
        if self.spec.visibility is None:
            return None

        def visibility() -> VisibilityTable:
            table = self._visibility()
            trace.visibility = self._visibility_key()
            return table

        return visibility

    def _visibility_key(self) -> str:
        visibility = self.spec.visibility
        assert visibility is not None
        layer = self._visibility_layer()
        return stage_key("visibility", layer, self.keys[layer], repr(visibility))

    def _attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> Any:
        """Run a step; what it cannot do becomes an error at the spec's line."""
        try:
            return step(*arguments)
        except ParameterError as error:
            # A generator may blame the seed or the size, which stand at the top of the spec.
            inside = (*path, *error.path)
            if (
                error.path
                and self.spec.document.get(inside) is None
                and error.path[0]
                in (
                    "seed",
                    "size",
                )
            ):
                inside = error.path
            raise self.spec.error(inside, error.message) from None

    def _read_file(self, name: str) -> bytes:
        if self.root is None or self.spec.folder is None:
            raise ParameterError(f"{name!r} cannot be read: the spec does not stand in a folder")
        root = self.root.resolve()
        path = (self.spec.folder / name).resolve()
        if not path.is_relative_to(root):
            raise ParameterError(f"{name!r} lies outside the project")
        try:
            if path.stat().st_size > MAXIMUM_INPUT_BYTES:
                raise ParameterError(
                    f"{name!r} is too large (allowed: {MAXIMUM_INPUT_BYTES} bytes)"
                )
            content = path.read_bytes()
        except OSError as error:
            # What was missed is an input too: the level is stale when it turns up.
            self.inputs[path.relative_to(root).as_posix()] = ""
            reason = (error.strerror or str(error)).lower()
            raise ParameterError(f"{name!r} cannot be read ({reason})") from None
        self.inputs[path.relative_to(root).as_posix()] = hashlib.sha256(content).hexdigest()
        return content

    def _place_objects(self) -> None:
        if not self.spec.objects:
            return
        parts = ("objects", repr(self.spec.objects), repr((self.spec.seed, self.spec.size)))
        self.objects, self.objects_key = self.stages.run(
            parts, self._holds, self._placed_objects, encode_objects, decode_objects
        )

    def _placed_objects(self, trace: Trace) -> tuple[PlacedObject, ...]:
        from exporter.placement.placing import place_objects

        # Objects have no ancestor among the reference programs: they use the portable stream.
        stream = open_stream("portable", self.spec.seed, "objects")
        layers = RecordedLayers(dict(self.layers), self.keys, trace)
        placed: tuple[PlacedObject, ...] = self._attempt(
            ("objects",), place_objects, self.spec.objects, layers, stream
        )
        return placed

    def _visibility_layer(self) -> str:
        """The name of the layer that blocks sight."""
        visibility = self.spec.visibility
        assert visibility is not None
        if visibility.layer is not None:
            layer = self.layers.get(visibility.layer)
            if layer is None or layer.kind != "tiles" or not layer.grid_aligned:
                raise self.spec.error(
                    ("visibility", "layer"),
                    f"{visibility.layer!r} is not a tile layer of the level's size",
                )
            return visibility.layer
        for name, layer in self.layers.items():
            if layer.kind == "tiles" and layer.grid_aligned and name not in self.late:
                return name
        raise self.spec.error(("visibility",), "visibility needs a tile layer of the level's size")

    def _visibility(self) -> VisibilityTable:
        if self.table is None:
            from exporter.visibility import compute_visibility

            visibility = self.spec.visibility
            assert visibility is not None
            opaque = self.layers[self._visibility_layer()].opaque
            try:
                self.table = compute_visibility(
                    opaque,
                    visibility.radius,
                    visibility.algorithm,
                    see_walls=visibility.see_walls,
                )
            except (ValueError, ParameterError) as error:
                raise self.spec.error(("visibility",), str(error)) from None
        return self.table

    def _tables(self) -> dict[str, Table]:
        if not self.spec.tables:
            return {}
        from exporter.tables.table import build_table

        return {
            name: self._attempt(("tables", name), build_table, name, parameters)
            for name, parameters in self.spec.tables.items()
        }

    def _build_puzzles(self) -> None:
        for puzzle in self.spec.puzzles.values():
            parts = ("puzzle", puzzle.name, puzzle.kind, repr(puzzle.parameters))
            self.puzzles[puzzle.name], key = self.stages.run(
                (*parts, repr((self.spec.seed, self.spec.rng))),
                self._holds,
                self._puzzle_maker(puzzle),
                encode_puzzle,
                decode_puzzle,
            )
            self.puzzle_keys.append(key)

    def _puzzle_maker(self, puzzle: PuzzleSpec) -> Callable[[Trace], Puzzle]:
        from exporter.puzzles import PUZZLES

        def make(trace: Trace) -> Puzzle:
            stream = open_stream(self.spec.rng, self.spec.seed, puzzle.name).child("puzzle")
            made: Puzzle = self._attempt(
                ("puzzles", puzzle.name),
                PUZZLES.get(puzzle.kind).build,
                puzzle.name,
                puzzle.parameters,
                stream,
                self._recorded_reading(trace),
            )
            return made

        return make

    def _read_tileset(self, name: str) -> None:
        """Read the tileset's image once: its hash is needed before its pixels are."""
        self.tileset_data[name] = self._read_file(name)

    def _tileset(self) -> TilesetSource | None:
        if self.spec.tileset is None:
            return None
        from exporter.tilesets.source import open_tileset

        opened: TilesetSource = self._attempt(
            (), open_tileset, self.spec.tileset, self.tileset_data.__getitem__
        )
        return opened

    def _check_main_layer(self) -> None:
        if self.spec.require is None:
            return
        name = None
        if self.spec.visibility is not None:
            name = self._visibility_layer()
        else:
            name = next((n for n, layer in self.layers.items() if layer.certificate), None)
        if name is None or self.layers[name].certificate is None:
            raise self.spec.error(("require",), "no layer has walkable cells to require this of")
        self._check_requirements(self.layers[name], self.spec.require, ("require",))

    def _check_requirements(self, layer: Layer, require: Requirements, path: ValuePath) -> None:
        broken = broken_requirements(layer, require)
        if broken:
            problems: list[Problem] = [
                self.spec.problem((*path, key), f"layer {layer.name!r}: {message}")
                for key, message in broken.items()
            ]
            raise SpecError(problems)
