"""Compute a level's metrics, puzzles, visibility and tileset.

Each step is a function of an `Inputs` object, which records what the step reads. The steps for
layers are in `layer_steps`, the steps for objects in `object_steps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from exporter.build.inputs import Inputs
from exporter.build.requirements import Figure
from exporter.grids.certificates import certify
from exporter.model.errors import NotMeasurableError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Certificate, Level, Puzzle, Table, walkable_cells
from exporter.streams import open_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.measures.measured import Measured
    from exporter.measures.names import NamedMetric
    from exporter.model.tileset import TilesetOptions, TilesetSource
    from exporter.visibility.table import VisibilityTable


def certify_level(inputs: Inputs) -> Certificate | None:
    """Compute proven facts about the walkable cells of the level.

    A certificate has facts such as the number of regions. The cells are those of all `play` layers;
    None if there is no such layer.
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
    """Return the steps from objects called `name` to the farthest cell.

    The result has one item, with the key `name`; its value is a text if no such object was placed.
    Only walkable cells that can be reached count. From an object on another cell the walk starts at
    the neighbouring cells.
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
    """Compute the metrics `names` of a level.

    Args:
        names: The metrics, as written in a spec.
        whole: Whether to measure the whole level, with tables, puzzles and tileset, which some
            metrics need.
        inputs: The level as far as it is finished.

    Returns:
        The values by metric; a text says why a value is missing.

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
    """Return the value of the metric `named`, or a text why it has none.

    `measured` is the level or layer to measure.

    Raises:
        ParameterError: The metric cannot be computed.
    """
    from exporter.measures.measuring import value_of

    try:
        return value_of(named, measured)
    except NotMeasurableError as error:
        return error.message


def make_puzzle(name: str, inputs: Inputs) -> Puzzle:
    """Make the puzzle `name` of the level.

    Raises:
        SpecError: This kind of puzzle cannot be made with the given parameters.
    """
    from exporter.puzzles import PUZZLES

    spec = inputs.spec("puzzles", name)
    stream = open_stream(inputs.spec("rng"), inputs.spec("seed"), name).child("puzzle")
    result: Puzzle = inputs.attempt(
        ("puzzles", name), PUZZLES.get(spec.kind).build, name, spec.parameters, stream, inputs.file
    )
    return result


@dataclass(frozen=True, eq=False)
class SightRequest:
    """All that is needed to compute which cells see which.

    Attributes:
        opaque: bool [height, width]: the cells that block sight.
        radius: How far one can see, in cells.
        algorithm: The name of the field-of-view algorithm.
        see_walls: Whether `raycast` shows the opaque cell that ends a ray; other algorithms always
            show it.
    """

    opaque: NDArray[np.bool_]
    radius: int
    algorithm: str
    see_walls: bool


def request_sight(inputs: Inputs) -> SightRequest:
    """Collect what the field of view is computed from; compute nothing.

    What is read can be hashed, to find a stored result.
    """
    expected = inputs.spec("visibility")
    opaque = inputs.layer(inputs.sight_layer()).opaque
    return SightRequest(opaque, expected.radius, expected.algorithm, expected.see_walls)


def compute_sight(request: SightRequest) -> VisibilityTable:
    """Compute which cells see which, from a result of `request_sight`.

    Raises:
        ValueError: The table would be too large.
    """
    from exporter.visibility import compute_visibility

    return compute_visibility(
        request.opaque, request.radius, request.algorithm, see_walls=request.see_walls
    )


def request_tileset(inputs: Inputs) -> tuple[TilesetOptions, bytes] | None:
    """Return the tileset's options and the bytes of its image.

    The bytes are empty if the tileset is drawn, not read. None if the spec has no tileset.
    """
    options = inputs.spec("tileset")
    if options is None:
        return None
    data = b""
    if options.image is not None:
        data = inputs.attempt(("tileset", "image"), inputs.file, options.image)
    return options, data


def open_tileset(request: tuple[TilesetOptions, bytes] | None) -> TilesetSource | None:
    """Load the tileset from a result of `request_tileset`.

    None if `request` is None.

    Raises:
        ParameterError: The image is invalid, or has too few tiles.
    """
    if request is None:
        return None
    from exporter.tilesets import source

    options, data = request
    return source.open_tileset(options, lambda _name: data)


def assemble_level(inputs: Inputs) -> Level:
    """Combine all finished results into a level.

    Raises:
        SpecError: The tileset does not fit the level's tiles.
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
        # Check here whether the pictures fit the tiles, because the line is known here.
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
