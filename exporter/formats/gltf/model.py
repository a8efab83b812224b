"""Make a 3D model's nodes: surfaces, doors, objects, rooms, shapes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats._rooms import layer_rooms
from exporter.formats.gltf.glb import LIGHTS, GlbBuilder, Primitive
from exporter.formats.gltf.ground import TOLERANCE, ModelGround, ground_layer, level_ground
from exporter.formats.gltf.materials import TERRAIN, Materials
from exporter.formats.gltf.names import (
    COLLISION,
    GROUND_COLLISION,
    NAVIGATION,
    TERRAIN_COLLISION,
    node_name,
)
from exporter.formats.gltf.plan import CellPlan, Kind, level_plan
from exporter.formats.gltf.surfaces import ModelScale, box, plan_surfaces
from exporter.formats.gltf.terrain import terrain_triangles
from exporter.geometry.pieces import convex_pieces
from exporter.geometry.rectangles import rectangles
from exporter.geometry.sloped_pieces import UNITS, sloped_pieces
from exporter.geometry.surfaces import piece_triangles, renumbered
from exporter.model.level import Level, PlacedObject
from exporter.model.texts import unused_name
from exporter.tilesets import Tileset, level_tileset

DEFAULT_SCALE = ModelScale(cell=1.0, wall=3.0)
# The geometry functions take no larger maps.
LONGEST_SIDE = 8192
# With noisy heights a cell takes up to 920 bytes, and a file has at most 4 GB.
MOST_CELLS_ON_HEIGHTS = 1 << 22
# An agent keeps off walls by a quarter of a cell: one unit of four.
_AGENT_RADIUS, _UNITS = 1, UNITS
# Shares of a cell: how thick a door is, and how far the floor's box goes down.
_DOOR_THICKNESS, _FLOOR_THICKNESS = 0.2, 1.0
# A turn by a quarter around the axis upwards, as a quaternion.
_QUARTER_TURN = [0.0, 0.5**0.5, 0.0, 0.5**0.5]
# Parts of names of objects that give light.
_LIGHTS = frozenset(
    {"brazier", "campfire", "candle", "lamp", "lantern", "light", "torch", "torches"}
)
# Where a flame hangs as a share of a wall's height, how far its light reaches in cells, and its
# strength in candela for cells of one metre.
_FLAME_HEIGHT, _LIGHT_CELLS, _CANDELA = 0.6, 8.0, 5.0


def level_model(
    level: Level,
    scale: ModelScale = DEFAULT_SCALE,
    ceiling: bool = False,
    tileset: Tileset | None = None,
) -> bytes:
    """Return the level as a 3D model, binary glTF.

    `ceiling` adds a ceiling above all tiles except walls. `tileset` is the level's tileset; if
    None, it is made here.

    Raises:
        ValueError: The level is too large for one model.
    """
    if max(level.width, level.height) > LONGEST_SIDE:
        raise ValueError(f"the level is larger than a model can be, {LONGEST_SIDE} cells a side")
    if level.width * level.height > MOST_CELLS_ON_HEIGHTS and ground_layer(level) is not None:
        raise ValueError(
            f"the level has heights and more than {MOST_CELLS_ON_HEIGHTS:,} cells, too many for a "
            "model"
        )
    tileset = tileset or level_tileset(level)
    builder = GlbBuilder()
    plan = level_plan(level)
    ground = level_ground(level, plan.cells + 1, scale.cell)
    model = _Model(level, builder, Materials(builder, level, tileset), scale, ground)
    children = [
        *model.terrain(),
        *model.surfaces(plan, ceiling),
        *model.doors(plan),
        *model.objects(),
        *model.rooms(),
        *model.collision(),
        *model.navigation(),
    ]
    return builder.file(model.root(children))


class _Model:
    """Adds the nodes of one level to a glTF file.

    Its methods yield the numbers of the nodes that become children of the root.
    """

    def __init__(
        self,
        level: Level,
        builder: GlbBuilder,
        materials: Materials,
        scale: ModelScale,
        ground: ModelGround | None,
    ) -> None:
        self._level = level
        self._builder = builder
        self._materials = materials
        self._scale = scale
        self._ground = ground

    def root(self, children: Sequence[int]) -> dict[str, Any]:
        """Return the root node, whose children are the nodes numbered `children`.

        In a chunk of a world, its translation is the chunk's position in the world.
        """
        level = self._level
        extras: dict[str, Any] = {
            "level": level.name,
            "seed": level.seed,
            "rng": level.rng,
            "size": [level.width, level.height],
            "cell_size": self._scale.cell,
            "wall_height": self._scale.wall,
            "properties": dict(level.properties),
        }
        if self._ground is not None:
            extras["ground"] = self._ground.layer
        if level.mission is not None:
            extras["mission"] = level.mission.description()
        node: dict[str, Any] = {
            "name": node_name(level.name),
            "extras": extras,
        }
        if children:
            node["children"] = list(children)
        if level.part is not None:
            x, y = level.part.origin
            node["translation"] = [x * self._scale.cell, 0.0, y * self._scale.cell]
        return node

    def terrain(self) -> Iterable[int]:
        """Add a mesh with collision for each height layer that is terrain.

        Add none if there are play layers, which stand on the terrain.
        """
        level, cell = self._level, self._scale.cell
        if level.play_layers():
            return
        for layer in level.height_layers():
            if layer.measures or min(layer.width, layer.height) < 2:
                continue
            size = level.width * cell, level.height * cell
            triangles = terrain_triangles(layer, size, skirt=cell)
            material = {"name": layer.name, "pbrMetallicRoughness": TERRAIN}
            primitive = self._builder.add_triangles(triangles, self._builder.add_material(material))
            mesh = self._builder.add_mesh(layer.name, [primitive])
            name = f"{layer.name}{TERRAIN_COLLISION}"
            yield self._builder.add_node({"name": name, "mesh": mesh})

    def surfaces(self, plan: CellPlan, ceiling: bool) -> Iterable[int]:
        """Add a node for each mesh of `plan`: floors, walls, maybe a `ceiling`."""
        meshes: dict[str, list[Primitive]] = {}
        for surface in plan_surfaces(plan, self._scale, ceiling, self._ground):
            material = self._materials.number(plan.kinds[surface.kind], surface.upright)
            primitive = self._builder.add_triangles(surface.triangles, material)
            meshes.setdefault(surface.mesh, []).append(primitive)
        for name in sorted(meshes):
            mesh = self._builder.add_mesh(name, meshes[name])
            yield self._builder.add_node({"name": name, "mesh": mesh})

    def doors(self, plan: CellPlan) -> Iterable[int]:
        """Add a node for each door, turned to face the floors at its sides."""
        kinds = [kind.door for kind in plan.kinds]
        if not any(kinds):
            return
        doors = plan.of_cells([float(door) for door in kinds], 0.0)[1:-1, 1:-1] > 0
        walkable = np.pad(self._level.walkable(), 1)
        meshes: dict[Kind, int] = {}
        children = []
        for number, (y, x) in enumerate(np.argwhere(doors).tolist(), start=1):
            kind = plan.kinds[plan.cells[y, x]]
            if kind not in meshes:
                meshes[kind] = self._door_mesh(kind)
            around = walkable[y : y + 3, x : x + 3]
            turned = around[1, [0, 2]].sum() > around[[0, 2], 1].sum()
            extras = {
                "tile": kind.tile.name,
                "layer": kind.layer,
                "cell": [x, y],
                "walkable": kind.tile.walkable,
            }
            node = {
                "name": f"door_{number}",
                "translation": self._middle(x, y),
                "mesh": meshes[kind],
                "extras": extras,
            }
            if turned:
                node["rotation"] = _QUARTER_TURN
            children.append(self._builder.add_node(node))
        yield self._builder.add_node({"name": "doors", "children": children})

    def objects(self) -> Iterable[int]:
        """Add a node for each object, on the ground in the middle of its cell."""
        counts = Counter(thing.name for thing in self._level.objects)
        seen: Counter[str] = Counter()
        used: set[str] = set()
        children = []
        for thing in self._level.objects:
            seen[thing.name] += 1
            numbered = f"{thing.name}_{seen[thing.name]}" if counts[thing.name] > 1 else thing.name
            children.append(self._object(thing, unused_name(node_name(numbered), used)))
        if children:
            yield self._builder.add_node({"name": "objects", "children": children})

    def rooms(self) -> Iterable[int]:
        """Add an empty node in the middle of each room of the play layers."""
        children = []
        for layer in self._level.play_layers():
            for entry in layer_rooms(layer):
                room = entry.room
                size = [room.width, room.height]
                lowest, highest = self._bounds(room.x, room.y, room.width, room.height)
                low = [room.x * self._scale.cell, lowest, room.y * self._scale.cell]
                high = [
                    (room.x + room.width) * self._scale.cell,
                    highest + self._scale.wall,
                    (room.y + room.height) * self._scale.cell,
                ]
                extras = {
                    "layer": layer.name,
                    "cell": [room.x, room.y],
                    "size": size,
                    "center": list(room.center),
                    "neighbours": list(entry.neighbours),
                    "doors": [list(door) for door in entry.doors],
                    "minimum": low,
                    "maximum": high,
                }
                node = {
                    "name": node_name(room.name),
                    "translation": [(low[0] + high[0]) / 2, lowest, (low[2] + high[2]) / 2],
                    "extras": extras,
                }
                children.append(self._builder.add_node(node))
        if children:
            yield self._builder.add_node({"name": "rooms", "children": children})

    def collision(self) -> Iterable[int]:
        """Add collision shapes: boxes over unwalkable cells, and the ground."""
        level, cell = self._level, self._scale.cell
        if not level.play_layers():
            return
        indices = self._builder.add_indices(_BOX, 8)
        meshes: dict[tuple[int, int, float], int] = {}
        children = []
        step = TOLERANCE * cell
        boxes = rectangles(~level.walkable()).tolist()
        for number, (x, y, width, depth) in enumerate(boxes, start=1):
            lowest, highest = self._bounds(x, y, width, depth)
            # Rounded up to steps, so that many boxes share a mesh.
            rise = math.ceil((highest - lowest) / step) * step
            key = width, depth, rise + self._scale.wall
            if key not in meshes:
                corners = _box_corners(width * cell, key[2], depth * cell)
                meshes[key] = self._shape(f"box_{width}x{depth}", corners, indices)
            middle = [(x + width / 2) * cell, lowest, (y + depth / 2) * cell]
            node = {"name": f"box_{number}{COLLISION}", "mesh": meshes[key]}
            children.append(self._builder.add_node(node | {"translation": middle}))
        children.append(self._builder.add_node(self._ground_collision(indices)))
        yield self._builder.add_node({"name": "collision", "children": children})

    def navigation(self) -> Iterable[int]:
        walkable, ground = self._level.walkable(), self._ground
        if ground is None:
            pieces = convex_pieces(walkable, _AGENT_RADIUS, _UNITS)
        else:
            pieces = sloped_pieces(walkable, ground.uneven)
        if not len(pieces):
            return
        count = len(pieces.vertices)
        positions = np.zeros((count, 3), np.float32)
        positions[:, ::2] = pieces.vertices * (self._scale.cell / _UNITS)
        if ground is not None:
            positions[:, 1] = ground.at(pieces.vertices / _UNITS)
        indices = self._builder.add_indices(piece_triangles(pieces)[:, ::-1].reshape(-1), count)
        mesh = self._shape("navigation", positions, indices)
        yield self._builder.add_node({"name": f"navigation{NAVIGATION}", "mesh": mesh})

    def _ground_collision(self, indices: int) -> dict[str, Any]:
        """Return the node of the ground's collision shape: a box, or triangles.

        Level ground is a box; `indices` is the number of the accessor of a box's vertex indices.
        """
        cell = self._scale.cell
        if self._ground is None:
            size = self._level.width * cell, self._level.height * cell
            corners = _box_corners(size[0], -_FLOOR_THICKNESS * cell, size[1])
            return {
                "name": f"ground{COLLISION}",
                "mesh": self._shape("ground", corners, indices),
                "translation": [size[0] / 2, 0.0, size[1] / 2],
            }
        used, triangles = renumbered(self._ground.triangles)
        rows, columns = np.divmod(used, self._ground.halves.shape[1])
        places = [columns * (cell / 2), self._ground.halves[rows, columns], rows * (cell / 2)]
        # On the plan triangles are clockwise as seen from above.
        numbers = self._builder.add_indices(triangles[:, ::-1].ravel(), len(used))
        mesh = self._shape("ground", np.stack(places, 1).astype(np.float32), numbers)
        return {"name": f"ground{GROUND_COLLISION}", "mesh": mesh}

    def _bounds(self, x: int, y: int, width: int, depth: int) -> tuple[float, float]:
        if self._ground is None:
            return 0.0, 0.0
        return self._ground.bounds(x, y, width, depth)

    def _shape(self, name: str, positions: NDArray[np.float32], indices: int) -> int:
        attributes = self._builder.add_positions(positions)
        primitive = Primitive(attributes, indices, self._materials.unseen())
        return self._builder.add_mesh(name, [primitive])

    def _door_mesh(self, kind: Kind) -> int:
        cell = self._scale.cell
        half, thick = cell / 2, cell * _DOOR_THICKNESS / 2
        leaf = box((-half, 0.0, -thick), (half, self._scale.wall, thick), cell)
        material = self._materials.number(kind, True)
        return self._builder.add_mesh(kind.tile.name, [self._builder.add_triangles(leaf, material)])

    def _object(self, thing: PlacedObject, name: str) -> int:
        extras = {
            "name": thing.name,
            "kind": thing.kind,
            "id": thing.id,
            "cell": [thing.x, thing.y],
            "properties": dict(thing.properties),
        }
        node: dict[str, Any] = {
            "name": name,
            "translation": self._middle(thing.x, thing.y),
            "extras": extras,
        }
        if not _LIGHTS.isdisjoint(thing.name.lower().replace("-", "_").split("_")):
            node["children"] = [self._light()]
        return self._builder.add_node(node)

    def _light(self) -> int:
        cell = self._scale.cell
        number = self._builder.add_light(
            {
                "type": "point",
                "color": [1.0, 0.75, 0.45],
                "intensity": _CANDELA * cell * cell,
                "range": _LIGHT_CELLS * cell,
            }
        )
        return self._builder.add_node(
            {
                "name": "flame",
                "translation": [0.0, _FLAME_HEIGHT * self._scale.wall, 0.0],
                "extensions": {LIGHTS: {"light": number}},
            }
        )

    def _middle(self, x: int, y: int) -> list[float]:
        height = 0.0 if self._ground is None else float(self._ground.middles[y, x])
        return [(x + 0.5) * self._scale.cell, height, (y + 0.5) * self._scale.cell]


# Triangles between the eight corners of a box, by bits: 1 right, 2 up, 4 near.
_BOX = np.array(
    [
        [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6]],
        [[0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]],
        [[0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3]],
    ]
).ravel()


def _box_corners(width: float, height: float, depth: float) -> NDArray[np.float32]:
    """Return the corners of an upright box; if `height` < 0, it goes down.

    The origin is in the middle of the face that the box rises from, or hangs from.
    """
    low, high = min(height, 0.0), max(height, 0.0)
    return np.array(
        [
            (x * width / 2, (low, high)[y], z * depth / 2)
            for z in (-1, 1)
            for y in (0, 1)
            for x in (-1, 1)
        ],
        np.float32,
    )
