"""Convert a layer of an LDtk level or world to a `HandMap`."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from exporter.handmade.ldtk.definitions import LayerDefinition
from exporter.handmade.ldtk.entities import Entity, read_entities
from exporter.handmade.ldtk.grids import LdtkGrid, read_grid
from exporter.handmade.ldtk.joining import WorldFrame, frame_of, joined_cells, numbered
from exporter.handmade.ldtk.project import LdtkLevel, LdtkProject, LdtkWorld, listed
from exporter.handmade.maps import HandArea, HandLayer, HandMap, HandObject, HandTile
from exporter.model.errors import ParameterError
from exporter.model.level_values import Scalar
from exporter.model.suggestions import unknown_name

# Entities of all levels that are read together.
MAXIMUM_ENTITIES = 1 << 16
# The class of the areas that levels of a world become.
LEVEL_KIND = "level"


def level_map(project: LdtkProject, level: LdtkLevel, layer: str | None) -> HandMap:
    """Read `level`, one of the levels of `project`, as a map.

    `layer` is the name of the layer whose cells are read; None for the only one there is.

    Raises:
        ParameterError: The level cannot be read. If a parameter of the spec is wrong, its path is
            that parameter.
    """
    return _read(project, [level], chosen_layer(project, layer), ())


def world_map(project: LdtkProject, world: LdtkWorld, depth: int, layer: str | None) -> HandMap:
    """Read the levels of `world` at one world depth, `depth`, as one map.

    Each level is also an area of the map. `layer` is the name of the layer whose cells are read;
    None for the only one there is.

    Raises:
        ParameterError: A level cannot be read. If a parameter of the spec is wrong, its path is
            that parameter.
    """
    levels = [level for level in world.levels if level.depth == depth]
    depths = sorted({level.depth for level in world.levels})
    if not levels:
        raise ParameterError(
            f"no level has the world depth {depth} (known: {', '.join(map(str, depths))})",
            ("depth",),
        )
    not_read: tuple[str, ...] = ()
    if len(levels) < len(world.levels):
        others = ", ".join(str(other) for other in depths if other != depth)
        count = len(world.levels) - len(levels)
        not_read = (f"{count} levels at other world depths ({others})",)
    return _read(project, levels, chosen_layer(project, layer), not_read, joined=True)


def chosen_layer(project: LdtkProject, expected: str | None) -> LayerDefinition:
    """Return the layer of IntGrid values or tiles called `expected`.

    For None, return the only layer of IntGrid values, or without one, the only layer of tiles.

    Raises:
        ParameterError: No such layer, or `expected` is None and several could be meant; its path is
            the parameter `layer`. Its path is `file` if the project has no layer of cells.
    """
    layers = list(project.definitions.layers.values())
    able = [layer for layer in layers if layer.type in ("IntGrid", "Tiles")]
    names = [layer.name for layer in able]
    if expected is None:
        for kind in ("IntGrid", "Tiles"):
            result = [layer for layer in able if layer.type == kind]
            if len(result) == 1:
                return result[0]
            if result:
                raise ParameterError(
                    f"{project.name} has several layers of cells (write `layer` with the name of "
                    f"one of them: {listed(names)})",
                    ("layer",),
                )
        raise ParameterError(f"{project.name} has no layer of IntGrid values or tiles", ("file",))
    for layer in layers:
        if layer.name == expected and layer not in able:
            what = "entities" if layer.type == "Entities" else "tiles that rules make"
            raise ParameterError(
                f"the layer {expected!r} holds {what} (name one with IntGrid values or tiles: "
                f"{listed(names)})",
                ("layer",),
            )
        if layer.name == expected:
            return layer
    raise ParameterError(unknown_name("layer", expected, names), ("layer",))


def _read(
    project: LdtkProject,
    levels: Sequence[LdtkLevel],
    layer: LayerDefinition,
    not_read: tuple[str, ...],
    *,
    joined: bool = False,
) -> HandMap:
    """Read `layer` and the entities of `levels`, and join them to one map.

    `not_read` are things to warn of that the map lacks. If `joined`, each level is an area of the
    map.
    """
    grids: list[LdtkGrid] = []
    entities: list[Entity] = []
    for level in levels:
        instances = project.layer_instances(level)
        grids.append(read_grid(instances, level, layer, project.definitions))
        for entity in read_entities(instances, level, project.definitions):
            entities.append(entity)
            if len(entities) > MAXIMUM_ENTITIES:
                raise ParameterError(
                    f"{project.name} has more than {MAXIMUM_ENTITIES} entities in this level"
                )
    frame = frame_of(grids)
    tiles: dict[int, HandTile] = dict(layer.values)
    if layer.type == "Tiles":
        grids, tiles = numbered(grids, project.definitions)
    covered = sum(grid.covered for grid in grids)
    if covered:
        not_read = (*not_read, f"{covered} tiles of {layer.name!r} under others")
    referred = {iid for entity in entities for iid in entity.references.values()}
    areas = [_level_area(grid, frame) for grid in grids] if joined else []
    return HandMap(
        frame.width,
        frame.height,
        (HandLayer(layer.name, joined_cells(grids, frame), tiles),),
        tuple(_object(item, frame, referred) for item in entities if item.area is None),
        (*areas, *(_area(item, frame, referred) for item in entities if item.area is not None)),
        not_read,
    )


def _object(entity: Entity, frame: WorldFrame, referred: set[str]) -> HandObject:
    x, y = frame.cells(entity.column, entity.row)
    return HandObject(
        name="",
        kind=entity.kind,
        x=floor(x),
        y=floor(y),
        position=frame.cells(entity.x, entity.y),
        properties=_properties(entity, frame, referred),
        left_out=entity.left_out,
        group=entity.layer,
    )


def _area(entity: Entity, frame: WorldFrame, referred: set[str]) -> HandArea:
    assert entity.area is not None
    left, top, width, height = entity.area
    return HandArea(
        name=entity.name,
        kind=entity.kind,
        outline=_corners(frame, left, top, width, height),
        properties=_properties(entity, frame, referred),
        left_out=entity.left_out,
        group=entity.layer,
    )


def _level_area(grid: LdtkGrid, frame: WorldFrame) -> HandArea:
    width, height = grid.width * grid.size, grid.height * grid.size
    outline = _corners(frame, grid.x, grid.y, width, height)
    return HandArea(name=grid.level.name, kind=LEVEL_KIND, outline=outline)


def _corners(
    frame: WorldFrame, left: float, top: float, width: int, height: int
) -> tuple[tuple[float, float], ...]:
    right, bottom = left + width, top + height
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple(frame.cells(x, y) for x, y in corners)


def _properties(entity: Entity, frame: WorldFrame, referred: set[str]) -> dict[str, Scalar]:
    """Return the properties in the fields of `entity`.

    A point becomes two values, its column and row in cells of the map. A reference becomes the iid
    of its target. If the entity's own iid is in `referred`, it is a property, too.
    """
    properties: dict[str, Scalar] = dict(entity.fields)
    for name, (x, y) in entity.points.items():
        column, row = frame.cells(x, y)
        properties[f"{name}_x"], properties[f"{name}_y"] = floor(column), floor(row)
    properties.update(entity.references)
    if entity.iid in referred:
        properties["iid"] = entity.iid
    return properties
