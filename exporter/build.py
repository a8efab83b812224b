"""The hallway: a checked spec becomes a level, and a level becomes the artifacts of its targets.

Everything here is pure but for the files a spec names, which are read through one door that
records what was read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.errors import ParameterError, Problem, SpecError
from exporter.generators import GENERATORS, Generated, Request
from exporter.grids.certificates import certify
from exporter.grids.connectivity import join_regions
from exporter.grids.regions import label_regions
from exporter.level import Layer, Level, PlacedObject, Puzzle, Table
from exporter.spec.document import Path as ValuePath
from exporter.spec.model import LayerSpec, LevelSpec, Requirements
from exporter.streams import open_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.tilesets.source import TilesetSource
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
    return build_with_inputs(spec, root)[0]


def build_with_inputs(spec: LevelSpec, root: Path | None = None) -> tuple[Level, dict[str, str]]:
    """Build a level; also return the files that were read, by path, with their SHA-256."""
    building = _Building(spec, root)
    return building.level(), building.inputs


@dataclass(frozen=True, slots=True)
class _Walkable:
    """The walkable cells of a generated layer after connecting, and what connecting took."""

    generated: Generated
    walkable: NDArray[np.bool_] | None
    regions_before: int
    cells_carved: int


class _Building:
    """One build: the spec, what is finished so far, and the files read on the way."""

    def __init__(self, spec: LevelSpec, root: Path | None) -> None:
        self.spec = spec
        self.root = root if root is not None else spec.folder
        self.inputs: dict[str, str] = {}
        self.layers: dict[str, Layer] = {}
        self.objects: tuple[PlacedObject, ...] = ()
        self.table: VisibilityTable | None = None

    def level(self) -> Level:
        spec = self.spec
        for name, layer in spec.layers.items():
            if GENERATORS.get(layer.generator).stage == "map":
                self.layers[name] = self._layer(layer)
        self.objects = self._place_objects()
        for name, layer in spec.layers.items():
            if GENERATORS.get(layer.generator).stage == "derived":
                self.layers[name] = self._layer(layer)
        self._check_main_layer()
        visibility = self._visibility() if spec.visibility is not None else None
        return Level(
            name=spec.level,
            width=spec.size[0],
            height=spec.size[1],
            seed=spec.seed,
            rng=spec.rng,
            layers={name: self.layers[name] for name in spec.layers},
            visibility=visibility,
            visibility_layer=self._visibility_layer() if visibility is not None else None,
            objects=self.objects,
            tables=self._tables(),
            puzzles=self._puzzles(),
            properties=spec.properties,
            tileset=self._tileset(),
        )

    def _layer(self, layer: LayerSpec) -> Layer:
        path: ValuePath = ("layers", layer.name)
        entry = GENERATORS.get(layer.generator)
        width, height = layer.options.size or self.spec.size
        request = Request(
            name=layer.name,
            width=width,
            height=height,
            stream=open_stream(self.spec.rng, self.spec.seed, layer.name),
            layers=dict(self.layers),
            read_file=self._read_file,
            visibility=self._visibility if self.spec.visibility is not None else None,
            objects=self.objects,
        )
        generated: Generated = self._attempt(path, entry.generate, layer.parameters, request)
        walkable = _connected(generated, getattr(layer.parameters, "connect", False))
        certificate = None
        if walkable.walkable is not None:
            certificate = certify(walkable.walkable, walkable.regions_before, walkable.cells_carved)
        generated = walkable.generated
        generated.cells.flags.writeable = False
        finished = Layer(
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
        if layer.options.require is not None:
            self._check_requirements(finished, layer.options.require, (*path, "require"))
        return finished

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
            reason = (error.strerror or str(error)).lower()
            raise ParameterError(f"{name!r} cannot be read ({reason})") from None
        self.inputs[path.relative_to(root).as_posix()] = hashlib.sha256(content).hexdigest()
        return content

    def _place_objects(self) -> tuple[PlacedObject, ...]:
        if not self.spec.objects:
            return ()
        from exporter.placement import place_objects

        # Objects have no ancestor among the reference programs: they use the portable stream.
        stream = open_stream("portable", self.spec.seed, "objects")
        placed: tuple[PlacedObject, ...] = self._attempt(
            ("objects",), place_objects, self.spec.objects, dict(self.layers), stream
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
            if layer.kind == "tiles" and layer.grid_aligned:
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
            except ValueError as error:
                raise self.spec.error(("visibility",), str(error)) from None
        return self.table

    def _tables(self) -> dict[str, Table]:
        if not self.spec.tables:
            return {}
        from exporter.tables import build_table

        return {
            name: self._attempt(("tables", name), build_table, name, parameters)
            for name, parameters in self.spec.tables.items()
        }

    def _puzzles(self) -> dict[str, Puzzle]:
        if not self.spec.puzzles:
            return {}
        from exporter.puzzles import PUZZLES

        puzzles: dict[str, Puzzle] = {}
        for name, puzzle in self.spec.puzzles.items():
            stream = open_stream("portable", self.spec.seed, name).child("puzzle")
            puzzles[name] = self._attempt(
                ("puzzles", name),
                PUZZLES.get(puzzle.kind).build,
                name,
                puzzle.parameters,
                stream,
                self._read_file,
            )
        return puzzles

    def _tileset(self) -> TilesetSource | None:
        if self.spec.tileset is None:
            return None
        from exporter.tilesets.source import open_tileset

        opened: TilesetSource = self._attempt((), open_tileset, self.spec.tileset, self._read_file)
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


def _connected(generated: Generated, connect: bool | str) -> _Walkable:
    """Connect a generated layer as asked, and count its regions."""
    layer = generated
    if generated.kind == "heights":
        walkable = generated.walkable
        regions = label_regions(walkable).count if walkable is not None else 0
        return _Walkable(layer, walkable, regions, 0)
    floor = next((tile.id for tile in generated.tiles if tile.walkable), None)
    if floor is None:
        return _Walkable(layer, None, 0, 0)
    probe = Layer(name="", kind="tiles", cells=generated.cells, generator="", tiles=generated.tiles)
    walkable = probe.lookup([tile.walkable for tile in generated.tiles])
    own_way = generated.regions_before is not None
    if connect != "guaranteed" and (connect is False or own_way):
        before = generated.regions_before
        regions = label_regions(walkable).count if before is None else before
        return _Walkable(layer, walkable, regions, generated.carved)
    joined = join_regions(walkable)
    if joined.cells_carved:
        cells = generated.cells.copy()
        cells[joined.carved] = floor
        layer = replace(generated, cells=cells)
    before = joined.regions_before if generated.regions_before is None else generated.regions_before
    return _Walkable(layer, joined.walkable, before, generated.carved + joined.cells_carved)


def broken_requirements(layer: Layer, require: Requirements) -> dict[str, str]:
    """Say, by the requirement's key, which limits a layer does not keep, and its own figure."""
    broken: dict[str, str] = {}
    if require.complete is not None and layer.complete != require.complete:
        broken["complete"] = (
            "not everything asked for was placed"
            if require.complete
            else ("everything asked for was placed")
        )
    certificate = layer.certificate
    if certificate is None:
        asked = [key for key in vars(require) if getattr(require, key) is not None]
        return broken | {
            key: "it has no walkable cells to measure" for key in asked if key != "complete"
        }
    share = certificate.floor / certificate.cells
    measured = {
        "connected": (certificate.connected, f"{certificate.regions_after} separate regions"),
        "min_floor": (share, f"the share of walkable cells is {share:.4f}"),
        "max_floor": (share, f"the share of walkable cells is {share:.4f}"),
        "min_distance": (
            certificate.farthest,
            f"the farthest cell is {certificate.farthest} steps away",
        ),
        "max_dead_ends": (certificate.dead_ends, f"{certificate.dead_ends} dead ends"),
        "max_chokes": (certificate.chokes, f"{certificate.chokes} choke cells"),
    }
    for key, (value, message) in measured.items():
        limit = getattr(require, key)
        if limit is None:
            continue
        kept = value == limit
        if key.startswith("min_"):
            kept = value >= limit
        elif key.startswith("max_"):
            kept = value <= limit
        if not kept:
            wanted = str(limit).lower() if isinstance(limit, bool) else limit
            broken[key] = f"{message} (required: {wanted})"
    return broken
