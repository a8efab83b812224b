"""Build a layer: generate it, set fixed cells, connect its regions.

Fixed cells are those that the parameters `fixed`, `only_in` and `never_in` set before generation;
regions are connected areas of walkable cells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.build.inputs import Inputs
from exporter.build.requirements import connected
from exporter.generators import GENERATORS, Generated, JoiningParameters, Request, Stage
from exporter.grids.certificates import certify
from exporter.model.level import Layer, PlacedObject
from exporter.model.parameters import Parameters, references
from exporter.reading.yaml_reader import Path as ValuePath
from exporter.streams import open_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.generators.given import FixedCells
    from exporter.generators.trace import Trace


def make_layer(name: str, inputs: Inputs, trace: Trace | None = None) -> Layer:
    """Build the layer `name`: generate it, set fixed cells, connect regions.

    Args:
        name: The layer's name.
        inputs: The inputs of the stage; each read is recorded.
        trace: Records the generator's steps; None records nothing.

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
    """Generate a layer without `connect`; return its walkable cells.

    Returns:
        bool [height, width]; None for a layer without `connect`.

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
    """Run the generator of the layer `name`, and set the fixed cells.

    Returns:
        The generator's result, the request to it, and the cells that `connect` must not open (bool
        [height, width]; None without any).
    """
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
    """Return the cells that a layer's parameters fix before generation.

    None if they fix none. `path` is the layer's path in the spec.
    """
    if not parameters.gives_cells:
        return None
    from exporter.generators.fixed import fixed_cells

    given: FixedCells = inputs.attempt(path, fixed_cells, parameters, request)
    return given


def _requested_objects(
    stage: Stage, parameters: Parameters, inputs: Inputs
) -> tuple[PlacedObject, ...]:
    """Return the objects that a layer's generator reads.

    These are the objects that its parameters name; for a generator of the stage `derived`, all
    objects.
    """
    if stage == "derived":
        return inputs.objects()
    names = [
        reference.name for reference in references(parameters) if reference.rule.to == "object"
    ]
    return tuple(item for name in dict.fromkeys(names) for item in inputs.objects_named(name))


def _ground(inputs: Inputs) -> tuple[Layer, ...]:
    """Return the layers on which objects are placed by default."""
    return tuple(inputs.layer(name) for name in inputs.ground_layers())
