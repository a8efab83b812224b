"""Make the steps of a build: each is a function of its inputs.

make_layer        generator, then given cells, then connecting, then the certificate
place_group       one entry of `objects:`
certify_level     facts about the walkable cells of all `play` layers together
measure_farthest  how far the farthest of these cells is from objects
measure_level     metrics of the level
make_puzzle       one puzzle
assemble_level    the finished parts as one `Level`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from exporter.build.inputs import Inputs
from exporter.build.requirements import Figure, connected
from exporter.generators import GENERATORS, Generated, JoiningParameters, Request, Stage
from exporter.grids.certificates import certify
from exporter.model.errors import NotMeasurableError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import (
    Certificate,
    Layer,
    Level,
    PlacedObject,
    Puzzle,
    Table,
    walkable_cells,
)
from exporter.model.parameters import Parameters, references
from exporter.reading.document import Path as ValuePath
from exporter.streams import open_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.generators.given import FixedCells
    from exporter.generators.trace import Trace
    from exporter.grids.room_maps import RoomMap
    from exporter.measures.measured import Measured
    from exporter.measures.names import NamedMetric
    from exporter.model.tileset import TilesetOptions, TilesetSource
    from exporter.placement.board import Surroundings
    from exporter.placement.ground import Ground
    from exporter.placement.observed import ObservedGroup
    from exporter.placement.parameters import ObjectParameters
    from exporter.placement.placed import Placed
    from exporter.placement.spawn_rows import SpawnRow
    from exporter.visibility.table import VisibilityTable


def make_layer(name: str, inputs: Inputs, trace: Trace | None = None) -> Layer:
    """Make one layer.

    Args:
        name: The layer.
        inputs: The inputs.
        trace: Receives the steps, if given.

    Raises:
        SpecError: The generator cannot make the layer as specified.
    """
    path: ValuePath = ("layers", name)
    entry = GENERATORS.get(inputs.spec(*path, "generator"))
    parameters = inputs.spec(*path, "parameters")
    is_map = isinstance(parameters, JoiningParameters)
    generated, request, remaining = _generated(name, parameters, inputs, trace)
    connect = parameters.connect if is_map else False
    joined = connected(generated, connect, remaining, trace)
    certificate = None
    if joined.walkable is not None:
        certificate = certify(
            joined.walkable, joined.regions_before, joined.cells_carved, regions=joined.regions
        )
    generated = joined.generated
    generated.cells.flags.writeable = False
    return Layer(
        name=name,
        kind=generated.kind,
        cells=generated.cells,
        generator=entry.name,
        version=entry.version,
        tiles=generated.tiles,
        walkable=joined.walkable,
        heights=generated.heights,
        complete=generated.complete,
        report=generated.report,
        rooms=generated.rooms,
        masks=generated.masks,
        objects=generated.objects,
        certificate=certificate,
        grid_aligned=request.grid_aligned,
        measures=entry.role == "data",
    )


def cells_before_joining(name: str, inputs: Inputs) -> NDArray[np.bool_] | None:
    """Return walkable cells before joining regions: bool [height, width].

    The layer is generated again without `connect`. None for a layer that was not joined.

    Raises:
        SpecError: The generator cannot make the layer as specified.
    """
    parameters = inputs.spec("layers", name, "parameters")
    if not isinstance(parameters, JoiningParameters) or parameters.connect is False:
        return None
    separate = replace(parameters, connect=False)
    generated, _, remaining = _generated(name, separate, inputs)
    return connected(generated, False, remaining).walkable


def _generated(
    name: str, parameters: Parameters, inputs: Inputs, trace: Trace | None = None
) -> tuple[Generated, Request, NDArray[np.bool_] | None]:
    """Run a generator: return its result, its request, and the kept cells."""
    path: ValuePath = ("layers", name)
    entry = GENERATORS.get(inputs.spec(*path, "generator"))
    level_size = inputs.spec("size")
    own_size = inputs.spec(*path, "options", "size")
    width, height = own_size or level_size
    sight = entry.stage != "map" and inputs.spec("visibility") is not None
    request = Request(
        name=name,
        width=width,
        height=height,
        stream=open_stream(inputs.spec("rng"), inputs.spec("seed"), name),
        layers=inputs.layers,
        read_file=inputs.file,
        visibility=inputs.visibility if sight else None,
        visibility_layer=inputs.sight_layer() if sight else None,
        objects=_requested_objects(entry.stage, parameters, inputs),
        grid_aligned=own_size in (None, level_size),
        ground=(lambda: _ground(inputs)) if parameters.needs_ground() else None,
        trace=trace,
    )
    fixed = None
    if isinstance(parameters, JoiningParameters):
        fixed = _given_cells(inputs, path, parameters, request)
    if fixed is not None:
        request = replace(request, fixed=fixed)
    generated: Generated = inputs.attempt(path, entry.generate, parameters, request)
    if trace is not None and not trace.frames:
        trace.frame("generated", generated.cells, generated.tiles)
    if fixed is not None:
        from exporter.generators.fixed import restored

        generated = inputs.attempt(path, restored, fixed, generated)
        if trace is not None:
            trace.frame("given cells", generated.cells, generated.tiles)
    remaining = generated.kept
    if fixed is not None:
        remaining = fixed.kept if remaining is None else remaining | fixed.kept
    return generated, request, remaining


def _given_cells(
    inputs: Inputs, path: ValuePath, parameters: JoiningParameters, request: Request
) -> FixedCells | None:
    """Return the given cells of a layer; None without any."""
    if not parameters.gives_cells:
        return None
    from exporter.generators.fixed import fixed_cells

    given: FixedCells = inputs.attempt(path, fixed_cells, parameters, request)
    return given


def _requested_objects(
    stage: Stage, parameters: Parameters, inputs: Inputs
) -> tuple[PlacedObject, ...]:
    """Return the objects that a generator gets: the named ones, or all."""
    if stage == "derived":
        return inputs.objects()
    names = [
        reference.name for reference in references(parameters) if reference.rule.to == "object"
    ]
    return tuple(item for name in dict.fromkeys(names) for item in inputs.objects_named(name))


def _ground(inputs: Inputs) -> tuple[Layer, ...]:
    """Return the layers that make up the level's walkable cells."""
    return tuple(inputs.layer(name) for name in inputs.ground_layers())


def place_group(index: int, name: str, number: int, inputs: Inputs) -> Placed:
    """Place a group of objects.

    Args:
        index: Its index in the spec's `objects`, for messages only.
        name: The name of the objects.
        number: Which group of that name it is, from 1 in the order of the build.
        inputs: The inputs.

    Returns:
        Their cells, and the names of objects that are drawn from a table.

    Raises:
        SpecError: Something that is required finds no place.
    """
    from exporter.placement.placing import place_group

    item, surroundings = group_surroundings(index, name, number, inputs)
    # No reference program has such objects: they use the portable stream.
    stream = open_stream("portable", inputs.spec("seed"), "objects")
    path: ValuePath = ("objects", index)
    placed: Placed = inputs.attempt(path, place_group, item, number, surroundings, stream)
    return placed


def observe_group(index: int, name: str, number: int, inputs: Inputs) -> ObservedGroup:
    """Return a group's available cells, and why others are not.

    Arguments as in `place_group`; too few cells are no error.

    Raises:
        SpecError: A demand of the group cannot be understood on this map.
    """
    from exporter.placement.observed import observe_group

    item, surroundings = group_surroundings(index, name, number, inputs)
    stream = open_stream("portable", inputs.spec("seed"), "objects")
    path: ValuePath = ("objects", index)
    seen: ObservedGroup = inputs.attempt(path, observe_group, item, number, surroundings, stream)
    return seen


def group_surroundings(
    index: int, name: str, number: int, inputs: Inputs
) -> tuple[ObjectParameters, Surroundings]:
    """Return a group of objects and its surroundings at placement.

    Raises:
        SpecError: A named thing is missing.
    """
    from exporter.placement.board import Surroundings

    item = inputs.group(name, number)
    path: ValuePath = ("objects", index)
    return item, Surroundings(
        ground=inputs.attempt(path, inputs.ground, item.layer),
        taken=inputs.taken(name, number),
        earlier=inputs.object_cells(name),
        only_in=_mask(inputs, path, item, "only_in"),
        never_in=_mask(inputs, path, item, "never_in"),
        measured=_measured_layer(inputs, path, item),
        steps=lambda names, backup: inputs.walking_steps(item.layer, names, aside=backup),
        cells=lambda names: inputs.standing_cells(*names),
        rooms=lambda: inputs.rooms(item.layer),
        rows=_spawn_rows(inputs, path, item),
    )


def _spawn_rows(inputs: Inputs, path: ValuePath, item: ObjectParameters) -> tuple[SpawnRow, ...]:
    """Return the rows of the table of objects; empty without one."""
    if item.spawn is None:
        return ()
    from exporter.model.tables.table import build_table
    from exporter.placement.spawn_rows import spawn_rows

    name = item.spawn.table
    table = build_table(name, inputs.spec("tables", name))
    rows: tuple[SpawnRow, ...] = inputs.attempt(path, spawn_rows, item.spawn, table)
    return rows


def _mask(
    inputs: Inputs,
    path: ValuePath,
    item: ObjectParameters,
    parameter: Literal["only_in", "never_in"],
) -> NDArray[np.bool_] | None:
    """Return the walkable cells of the layer that a parameter names, if any."""
    from exporter.placement.ground import mask_of_layer

    name = getattr(item, parameter)
    if name is None:
        return None
    mask: NDArray[np.bool_] = inputs.attempt(path, mask_of_layer, inputs.layer(name), parameter)
    return mask


def _measured_layer(inputs: Inputs, path: ValuePath, item: ObjectParameters) -> Layer | None:
    """Return the layer that `steps` names, if any."""
    from exporter.placement.ground import heights_of_layer

    if item.steps is None:
        return None
    layer: Layer = inputs.attempt(path, heights_of_layer, inputs.layer(item.steps))
    return layer


def find_ground(name: str, inputs: Inputs) -> Ground:
    """Return the ground of objects: a named layer, or all ground layers.

    Raises:
        ParameterError: With the path of the parameter, if no object can be placed there.
    """
    from exporter.placement.ground import common_ground, ground_of_layer

    if name:
        return ground_of_layer(inputs.layer(name))
    return common_ground([inputs.layer(ground_layer) for ground_layer in inputs.ground_layers()])


def find_rooms(ground: str, inputs: Inputs) -> RoomMap | None:
    """Return the rooms of a ground; None without any.

    Args:
        ground: As in `find_ground`.
        inputs: The inputs.

    Raises:
        ParameterError: With the path of the parameter, if no object can be placed there.
    """
    from exporter.grids.room_maps import room_map

    return room_map(inputs.ground(ground or None).layers)


def measure_steps(
    layer: str, backup: int, names: tuple[str, ...], inputs: Inputs
) -> NDArray[np.int32]:
    """Return the steps from named objects; see `Inputs.walking_steps`.

    Raises:
        ParameterError: With the path of the parameter, if no object can be placed there.
    """
    from exporter.grids.walking import walking_steps

    ground = inputs.ground(layer or None)
    return walking_steps(ground.walkable, inputs.standing_cells(*names), aside=bool(backup))


def certify_level(inputs: Inputs) -> Certificate | None:
    """Measure the walkable cells of the level; None without a play layer.

    If one layer has the same cells, its certificate is used.
    """
    import numpy as np

    layers = [inputs.layer(name) for name in inputs.play_layers()]
    if not layers:
        return None
    width, height = inputs.spec("size")
    walkable = walkable_cells(layers, (height, width))
    for layer in layers:
        same = layer.walkable is not None and np.array_equal(layer.walkable, walkable)
        if same and layer.certificate is not None:
            return layer.certificate
    return certify(walkable)


def measure_farthest(name: str, inputs: Inputs) -> dict[str, Figure]:
    """Return the steps from the named object to the farthest cell, by name.

    A text instead of the steps says that there is no such object. The cells are the walkable ones
    of the level that can be reached; an object outside these cells counts from its neighbours.
    """
    from exporter.grids.walking import walking_steps

    objects = inputs.objects_named(name)
    if not objects:
        return {name: f"no object {name!r} is placed"}
    width, height = inputs.spec("size")
    layers = [inputs.layer(play_layer) for play_layer in inputs.play_layers()]
    walkable = walkable_cells(layers, (height, width))
    cells = [item.y * width + item.x for item in objects]
    steps = walking_steps(walkable, cells, aside=False)
    return {name: int(steps.max(initial=0, where=walkable))}


def measure_level(names: tuple[str, ...], whole: bool, inputs: Inputs) -> dict[str, Figure]:
    """Measure metrics of the level; a text is the reason for a missing one.

    Args:
        names: The metrics, as a spec has them.
        whole: Whether they need more of the level than its map, its sight and its objects.
        inputs: The level as far as it is finished.

    Raises:
        SpecError: A metric cannot be computed.
    """
    from exporter.measures.measured import Measured
    from exporter.measures.names import named_metric

    metrics = {name: named_metric(name) for name in names}
    if whole:
        level = assemble_level(inputs)
    else:
        width, height = inputs.spec("size")
        layers = {name: inputs.layer(name) for name in inputs.play_layers()}
        requested = any("objects" in metric.metric.needs for metric in metrics.values())
        objects = inputs.objects() if requested else ()
        mission = inputs.mission()
        level = Level(
            inputs.spec("level"), width, height, layers=layers, objects=objects, mission=mission
        )
    sight = inputs.visibility if inputs.spec("visibility") is not None else None
    measured = Measured(level, sight)
    return {
        name: inputs.attempt(("require", name), figure, item, measured)
        for name, item in metrics.items()
    }


def figure(named: NamedMetric, measured: Measured) -> Figure:
    """Return a metric of a level or layer, or the reason why it has none.

    Raises:
        ParameterError: It cannot be computed.
    """
    from exporter.measures.measuring import value_of

    try:
        return value_of(named, measured)
    except NotMeasurableError as error:
        return error.message


def make_puzzle(name: str, inputs: Inputs) -> Puzzle:
    """Make one puzzle.

    Raises:
        SpecError: Its kind cannot make it as specified.
    """
    from exporter.puzzles import PUZZLES

    spec = inputs.spec("puzzles", name)
    stream = open_stream(inputs.spec("rng"), inputs.spec("seed"), name).child("puzzle")
    result: Puzzle = inputs.attempt(
        ("puzzles", name),
        PUZZLES.get(spec.kind).build,
        name,
        spec.parameters,
        stream,
        inputs.file,
    )
    return result


@dataclass(frozen=True, eq=False)
class SightRequest:
    """All inputs of a field of view."""

    opaque: NDArray[np.bool_]
    radius: int
    algorithm: str
    see_walls: bool


def request_sight(inputs: Inputs) -> SightRequest:
    """Collect the inputs of the level's field of view, which is cheap."""
    expected = inputs.spec("visibility")
    opaque = inputs.layer(inputs.sight_layer()).opaque
    return SightRequest(opaque, expected.radius, expected.algorithm, expected.see_walls)


def compute_sight(request: SightRequest) -> VisibilityTable:
    """Compute a field of view.

    Raises:
        ValueError: It would be too large.
    """
    from exporter.visibility import compute_visibility

    return compute_visibility(
        request.opaque, request.radius, request.algorithm, see_walls=request.see_walls
    )


def request_tileset(inputs: Inputs) -> tuple[TilesetOptions, bytes] | None:
    """Collect the inputs of the level's tileset: options and image bytes."""
    options = inputs.spec("tileset")
    if options is None:
        return None
    data = b""
    if options.image is not None:
        data = inputs.attempt(("tileset", "image"), inputs.file, options.image)
    return options, data


def open_tileset(request: tuple[TilesetOptions, bytes] | None) -> TilesetSource | None:
    """Open a tileset.

    Raises:
        ParameterError: Its image is invalid, or lacks such tiles.
    """
    if request is None:
        return None
    from exporter.tilesets import source

    options, data = request
    return source.open_tileset(options, lambda _name: data)


def assemble_level(inputs: Inputs) -> Level:
    """Assemble the finished parts of a level.

    Raises:
        SpecError: The tileset does not fit.
    """
    width, height = inputs.spec("size")
    sight = inputs.spec("visibility") is not None
    level = Level(
        name=inputs.spec("level"),
        width=width,
        height=height,
        seed=inputs.spec("seed"),
        rng=inputs.spec("rng"),
        layers=inputs.all_layers(),
        visibility=inputs.visibility() if sight else None,
        visibility_layer=inputs.sight_layer() if sight else None,
        objects=inputs.objects(),
        tables=_tables(inputs),
        puzzles=inputs.puzzles(),
        properties=inputs.spec("properties"),
        tileset=inputs.tileset(),
        mission=inputs.mission(),
    )
    if level.tileset is not None:
        # Whether its pictures fit these tiles is found here, where the line is known.
        from exporter.tilesets import level_tileset

        inputs.attempt((), level_tileset, level.exported())
    return level


def _tables(inputs: Inputs) -> Mapping[str, Table]:
    parameters = inputs.spec("tables")
    if not parameters:
        return {}
    from exporter.model.tables.table import build_table

    # The reader has built them once, and reported the faults of rows.
    return {name: build_table(name, item) for name, item in parameters.items()}
