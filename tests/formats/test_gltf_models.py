"""Models in three dimensions: closed walls, floors, objects where the level says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import trimesh

from cases import each_case
from exporter.build.build import build_level
from exporter.build.world import World
from exporter.geometry.pieces import convex_pieces
from exporter.grids.regions import label_regions
from exporter.model.errors import ParameterError
from exporter.model.level import HeightRange, Layer, Level, PlacedObject, Room, Tile
from exporter.model.mission import Lock, Mission
from exporter.model.world_part import WorldPart
from exporter.reading.reader import parse_level
from gltf_reader import Model, glb_of, model_of

TILES = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#202428"),
    Tile(2, "water", False, False, "#3366cc"),
    Tile(3, "door", True, True, "#8a5a2b"),
    Tile(4, "fence", False, False, "#aa8844"),
    Tile(5, "brick", False, True, "#aa4422"),
)
MAP = """\
###########
#...##....#
#.#.#..bb.#
#..#.+.b..#
#.~~##.%..#
##~~..###b#
###########"""

SMOOTH = (np.add.outer(np.arange(20) ** 2, np.arange(24) * 9) * 100).astype(np.uint16)
HILLS = {"smooth": SMOOTH, "terraces": SMOOTH // 13107 * 13107}


def level_of(text: str = MAP, **changes: object) -> Level:
    rows = text.split()
    cells = np.array([[".#~+%b".index(cell) for cell in row] for row in rows], np.uint8)
    layer = Layer("ground", "tiles", cells, "test", tiles=TILES)
    layer = replace(
        layer,
        walkable=layer.lookup([tile.walkable for tile in TILES]),
        rooms=(Room("west", 1, 1, 3, 3, (2, 1)),),
    )
    height, width = cells.shape
    level = Level("crypt", width, height, layers={"ground": layer})
    return replace(level, **changes)  # type: ignore[arg-type]


def cave(side: int, heights: str = "") -> Level:
    layers = f"{{{heights}g: {{generator: cellular_caves}}}}"
    spec = f"{{level: cave, size: [{side}, {side}], layers: {layers}}}"
    return build_level(parse_level(spec.encode(), "cave.level.yaml"))


def noise(seed: int, heights: np.ndarray | None = None) -> Level:
    """Walls in 45 of 100 cells, at random, on the ground if there are heights."""
    random = np.random.default_rng(seed)
    rows = [
        ["#" if cell < 45 else "." for cell in row] for row in random.integers(100, size=(20, 24))
    ]
    level = level_of("\n".join(map("".join, rows)))
    if heights is None:
        return level
    relief = Layer("relief", "heights", heights, "test", heights=HeightRange(-2, 8), role="data")
    return replace(level, layers={"relief": relief, **level.layers})


def walls_of(level: Level) -> np.ndarray:
    (tiles,) = level.play_layers()
    return tiles.lookup([not tile.walkable and tile.opaque for tile in tiles.tiles])


def assert_closed(triangles: np.ndarray) -> None:
    """Each edge is passed as often in one direction as in the other."""
    _, points = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    ring = points.reshape(-1, 3)
    edges = np.concatenate([ring[:, [0, 1]], ring[:, [1, 2]], ring[:, [2, 0]]])
    there, back = edges @ [1 << 32, 1], edges[:, ::-1] @ [1 << 32, 1]
    np.testing.assert_array_equal(np.sort(there), np.sort(back))


def test_walls_are_closed_and_have_the_volume_of_their_cells() -> None:
    for level in (level_of(), cave(64)):
        triangles = model_of(level, wall_height=2.5, cell_size=2).corners("walls").astype(float)
        assert_closed(triangles)
        mesh = trimesh.Trimesh(**trimesh.triangles.to_kwargs(triangles), process=False)
        assert mesh.volume == pytest.approx(walls_of(level).sum() * 2 * 2 * 2.5)
        assert mesh.nondegenerate_faces().all()
        # All sides that are seen, and no others.
        walls = np.pad(walls_of(level), 1)
        sides = sum(np.count_nonzero(walls[1:] != walls[:-1]) for walls in (walls, walls.T))
        assert mesh.area == pytest.approx(sides * 2 * 2.5 + walls.sum() * 2 * 4)


def pieces_of(model: Model, walls: np.ndarray) -> list[trimesh.Trimesh]:
    """The pieces of the walls, which are two where cells touch in an edge alone.

    There each piece gets corners of its own, by the part of the point's four cells that it is in.
    """
    corners = model.corners("walls").astype(float)
    inward = corners.mean(1, keepdims=True) - corners
    cells = corners + 0.1 * inward - 0.1 * model.corners("walls", "NORMAL")
    columns, rows = np.floor(cells[..., 0]).astype(int), np.floor(cells[..., 2]).astype(int)
    x, y = np.rint(corners[..., 0]).astype(int), np.rint(corners[..., 2]).astype(int)
    around = np.pad(walls, 1)
    pinched = around[y, x] & around[y + 1, x + 1] & ~around[y + 1, x] & ~around[y, x + 1]
    pinched |= ~around[y, x] & ~around[y + 1, x + 1] & around[y + 1, x] & around[y, x + 1]
    keys = np.concatenate([corners, (pinched * (2 * (rows - y) + columns - x))[..., None]], -1)
    points, faces = np.unique(keys.reshape(-1, 4).round(6), axis=0, return_inverse=True)
    mesh = trimesh.Trimesh(points[:, :3], faces.reshape(-1, 3), process=False)
    return list(mesh.split(only_watertight=False))


def test_each_piece_of_walls_is_watertight() -> None:
    for seed in range(8):
        level = noise(seed)
        walls, pieces = walls_of(level), pieces_of(model_of(level), walls_of(level))
        assert all(piece.is_watertight and piece.is_winding_consistent for piece in pieces)
        sizes = np.bincount(label_regions(walls).labels[walls])[1:]
        volumes = [piece.volume for piece in pieces]
        np.testing.assert_allclose(sorted(volumes), np.sort(sizes) * 3, rtol=1e-5)


def heights_below(triangles: np.ndarray) -> np.ndarray:
    """The height of the lowest of the triangles in the middle of each cell."""
    first, along, across = (
        triangles[:, 0],
        *(triangles[:, [1, 2]] - triangles[:, :1]).swapaxes(0, 1),
    )
    area = along[:, 0] * across[:, 2] - along[:, 2] * across[:, 0]
    seen = abs(area) > 1e-6
    first, along, across, area = first[seen], along[seen], across[seen], area[seen]
    result = np.full((20, 24), np.nan)
    for y, x in np.ndindex(result.shape):
        right, down = x + 0.5 - first[:, 0], y + 0.5 - first[:, 2]
        one = (right * across[:, 2] - down * across[:, 0]) / area
        two = (along[:, 0] * down - along[:, 2] * right) / area
        inside = (one > -1e-6) & (two > -1e-6) & (one + two < 1 + 1e-6)
        heights = first[:, 1] + one * along[:, 1] + two * across[:, 1]
        result[y, x] = heights[inside].min(initial=np.inf)
    return result


@each_case("kind", HILLS)
def test_tiles_stand_on_the_ground(kind: str) -> None:
    heights = HILLS[kind]
    things = tuple(PlacedObject(number, "chest", 3 * number, 5) for number in range(1, 7))
    level = replace(noise(1, heights), objects=things)
    model = model_of(level)
    ground = heights * (10 / 65535) - 2
    floors, walls, solid = (
        model.corners(mesh).astype(float) for mesh in ("floors", "walls", "ground")
    )
    assert_closed(walls)
    volume = trimesh.Trimesh(**trimesh.triangles.to_kwargs(walls), process=False).volume
    assert volume == pytest.approx(walls_of(level).sum() * 3)
    drawn = np.where(walls_of(level), heights_below(walls), heights_below(floors))
    # Smooth ground is an eighth of a cell away at most, and all things are on the same one.
    np.testing.assert_allclose(drawn, ground, atol=1 / 8 if kind == "smooth" else 1e-5)
    np.testing.assert_allclose(heights_below(solid), drawn, atol=1e-5)
    for thing, node in zip(things, model.children("objects"), strict=True):
        assert node["translation"][1] == pytest.approx(drawn[thing.y, thing.x], abs=1e-5)
    boxes = np.zeros_like(ground)
    for node in model.children("collision")[:-1]:
        corners = model.corners(model.document["meshes"][node["mesh"]]["name"])
        left, _, top = np.rint(corners.min((0, 1)) + node["translation"]).astype(int)
        right, _, bottom = np.rint(corners.max((0, 1)) + node["translation"]).astype(int)
        boxes[top:bottom, left:right] = node["translation"][1]
    np.testing.assert_array_less(boxes[walls_of(level)], drawn[walls_of(level)] + 1e-5)
    assert model.nodes["crypt"]["extras"]["ground"] == "relief"


@each_case("kind", HILLS)
def test_floors_meet_without_gaps_and_agents_walk_everywhere(kind: str) -> None:
    level = noise(2, HILLS[kind])
    model = model_of(level)
    walls = model.corners("walls")
    under = walls[model.corners("walls", "NORMAL")[:, 0, 1] < -0.1]
    ground = np.concatenate([model.corners("floors"), under[:, ::-1]])
    edges = {
        (tuple(first), tuple(second))
        for ends in ([0, 1], [1, 2], [2, 0])
        for first, second in ground[:, ends].tolist()
    }
    for first, second in edges:
        outer = any(first[axis] == second[axis] in (0, end) for axis, end in ((0, 24), (2, 20)))
        assert outer or (second, first) in edges
    corners = model.corners("navigation").astype(float)
    # In the middles of cells, and a quarter of a cell away from walls.
    x, y, z = corners[(corners[..., ::2] % 1 == 0.5).all(-1)].T
    drawn = heights_below(ground)
    np.testing.assert_allclose(y, drawn[z.astype(int), x.astype(int)], atol=1e-5)
    navigation = trimesh.Trimesh(**trimesh.triangles.to_kwargs(corners))
    parts = trimesh.graph.connected_components(
        navigation.face_adjacency, nodes=np.arange(len(navigation.faces))
    )
    assert len(parts) == len(label_regions(level.walkable()).sizes)


def test_normals_agree_with_the_winding() -> None:
    model = model_of(level_of(), ceiling=True)
    for mesh in ("floors", "walls", "liquids", "banks", "obstacles", "ceiling", "door"):
        corners, normals = model.corners(mesh), model.corners(mesh, "NORMAL")
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(across, axis=1, keepdims=True)
        assert len(corners)
        np.testing.assert_allclose(across / length, normals[:, 0], atol=1e-6)


def test_liquids_lie_below_the_floor_with_banks_around_them() -> None:
    model = model_of(level_of(), cell_size=2)
    assert set(model.corners("liquids")[..., 1].ravel()) == {-0.5}
    # Four cells of water have eight sides, half a metre high and two wide.
    banks = model.corners("banks").astype(float)
    assert trimesh.triangles.area(banks).sum() == pytest.approx(8 * 2 * 0.5)
    assert set(model.corners("floors")[..., 1].ravel()) == {0}


def test_doors_stand_across_their_passage() -> None:
    (door,) = model_of(level_of()).children("doors")
    assert door["translation"] == [5.5, 0, 3.5]
    assert door["extras"] == {
        "tile": "door",
        "layer": "ground",
        "cell": [5, 3],
        "walkable": True,
    }
    # One walks through it from west to east.
    assert "rotation" in door


def test_objects_are_in_their_cells_with_names_that_engines_leave() -> None:
    things = (
        PlacedObject(1, "chest", 1, 2, {"gold": 25, "opens": "red"}),
        PlacedObject(2, "cart_wheel", 9, 1),
        PlacedObject(3, "cart_wheel", 8, 1),
        PlacedObject(4, "wall_torch", 6, 5),
    )
    model = model_of(level_of(objects=things), cell_size=2)
    nodes = model.children("objects")
    for thing, node in zip(things, nodes, strict=True):
        assert node["translation"] == [thing.x * 2 + 1, 0, thing.y * 2 + 1]
        assert node["extras"] == {
            "name": thing.name,
            "kind": thing.kind,
            "id": thing.id,
            "cell": [thing.x, thing.y],
            "properties": dict(thing.properties),
        }
    # Godot would make VehicleWheel3Ds of `cart_wheel_1`.
    names = [node["name"] for node in nodes]
    assert names == ["chest", "cart_wheel_1_object", "cart_wheel_2_object", "wall_torch"]
    assert "KHR_lights_punctual" in model.document["extensionsUsed"]
    (room,) = model.children("rooms")
    assert (room["name"], room["translation"]) == ("west", [5, 0, 5])
    assert room["extras"]["minimum"] == [2, 0, 2]
    assert room["extras"]["maximum"] == [8, 3, 8]


def test_collision_and_navigation_are_those_of_the_plan() -> None:
    level = level_of()
    model = model_of(level)
    blocked = np.zeros((level.height, level.width), int)
    for node in model.children("collision"):
        assert node["name"].endswith("-convcolonly")
        mesh = model.document["meshes"][node["mesh"]]["name"]
        corners = model.corners(mesh) + node["translation"]
        (left, low, top), (right, high, bottom) = corners.min((0, 1)), corners.max((0, 1))
        if mesh == "ground":
            assert (left, low, top, right, high, bottom) == (0, -1, 0, level.width, 0, level.height)
        else:
            assert (low, high) == (0, 3)
            blocked[int(top) : int(bottom), int(left) : int(right)] += 1
    np.testing.assert_array_equal(blocked, ~level.walkable())
    assert "navigation-navmesh" in model.nodes
    triangles = model.corners("navigation").astype(float)
    pieces = convex_pieces(level.walkable(), 1, 4)
    np.testing.assert_array_equal(
        np.unique(triangles[..., ::2].reshape(-1, 2) * 4, axis=0),
        np.unique(pieces.vertices, axis=0),
    )


FEW = {
    # A quarter of two for each cell face that is seen.
    "flat": ("", 38_700),
    "terraces": (
        "relief: {generator: heightmap, maximum: 6, terraces: 4, terrace_sharpness_percent: 100}, ",
        63_400,
    ),
    "smooth": ("relief: {generator: heightmap, maximum: 6}, ", 97_000),
}


@each_case("kind", FEW)
def test_a_cave_has_few_triangles(kind: str) -> None:
    heights, most = FEW[kind]
    model = model_of(cave(256, heights))
    assert sum(len(model.corners(mesh)) for mesh in ("floors", "walls")) <= most
    assert_closed(model.corners("walls"))


def test_a_part_of_a_world_lies_where_it_is_in_the_world() -> None:
    part = WorldPart("isle", (22, 14), 11, 1, 1)
    assert model_of(level_of(part=part)).nodes["crypt"]["translation"] == [11, 0, 11]


def test_the_root_has_the_mission_with_its_locks() -> None:
    mission = Mission("start", "goal", (Lock("red", "key", ((1, 1),)),))
    root = model_of(level_of(mission=mission)).nodes["crypt"]
    assert root["extras"]["mission"]["locks"][0]["cells"] == [[1, 1]]


def test_parts_of_a_world_have_the_same_corners_where_they_meet() -> None:
    spec = b"{size: [128, 64], chunk: 64, layers: {ground: {generator: cellular_caves}}}"
    world = World(parse_level(spec, "caves.level.yaml"))
    for column, border in ((0, 64), (1, 0)):
        model = model_of(world.part(column, 0, world.surveyed()))
        corners = np.concatenate([model.corners(mesh) for mesh in ("floors", "walls")])
        begins, ends = corners.reshape(-1, 3), np.roll(corners, -1, 1).reshape(-1, 3)
        along = (begins[:, 0] == border) & (ends[:, 0] == border) & (begins[:, 1] == ends[:, 1])
        # Every side there ends at the next cell, whatever lies beside it.
        assert set(np.abs(ends - begins)[along][:, 2].tolist()) == {1.0}


def test_the_ground_of_parts_meets() -> None:
    spec = b"""{size: [128, 64], chunk: 64, layers: {
        relief: {generator: heightmap, maximum: 6}, caves: {generator: cellular_caves}}}"""
    world = World(parse_level(spec, "hills.level.yaml"))
    borders, normals = [], []
    for column, x in ((0, 64), (1, 0)):
        model = model_of(world.part(column, 0, world.surveyed()))
        border = model.corners("ground").reshape(-1, 3)
        borders.append({(y, z) for _, y, z in border[border[:, 0] == x].tolist()})
        floors, directions = (
            model.corners("floors", name).reshape(-1, 3) for name in ("POSITION", "NORMAL")
        )
        there = floors[:, 0] == x
        normals.append(
            dict(zip(floors[there, 2].tolist(), directions[there].tolist(), strict=True))
        )
    assert borders[0] == borders[1]
    assert len(borders[0]) == 2 * 64 + 1
    both = normals[0].keys() & normals[1].keys()
    assert len(both) > 20
    assert [normals[0][z] for z in both] == [normals[1][z] for z in both]


def test_heights_below_too_many_cells_are_refused() -> None:
    cells = np.zeros((2049, 2048), np.uint8)
    layers = {
        "ground": replace(level_of().layers["ground"], cells=cells, walkable=cells == 0),
        "relief": Layer("relief", "heights", cells.astype(np.uint16), "test"),
    }
    level = Level("plain", 2048, 2049, layers=layers)
    with pytest.raises(ParameterError, match=r"more than 4,194,304 cells.*write `chunk: 256`"):
        glb_of(level)


def test_heights_of_parts_meet() -> None:
    spec = b"{size: [128, 64], chunk: 64, layers: {relief: {generator: heightmap}}}"
    world = World(parse_level(spec, "hills.level.yaml"))
    borders, directions = [], []
    for column, x in ((0, 64), (1, 0)):
        model = model_of(world.part(column, 0, world.surveyed()))
        corners, normals = (
            model.corners("relief", name).reshape(-1, 3) for name in ("POSITION", "NORMAL")
        )
        assert corners[:, ::2].max() == 64
        border = corners[:, 0] == x
        borders.append({(y, z) for _, y, z in corners[border].tolist()})
        top = border & (normals[:, 1] > 0)
        directions.append(set(map(tuple, np.hstack([corners[top, 1:], normals[top]]).tolist())))
    assert borders[0] == borders[1]
    assert len(borders[0]) == 65 + 65  # and the skirt
    assert directions[0] == directions[1]


def test_heights_are_a_mesh_with_skirts() -> None:
    heights = np.array([[0, 65535, 0], [0, 0, 13107]], np.uint16)
    layer = Layer("relief", "heights", heights, "test", heights=HeightRange(-2, 8))
    model = model_of(Level("hill", 4, 3, layers={"relief": layer}), cell_size=2)
    corners = model.corners("relief").astype(float)
    assert [*corners.min((0, 1)), *corners.max((0, 1))] == [0, -4, 0, 8, 8, 6]
    assert {(4.0, 8.0, 0.0), (8.0, 0.0, 6.0)} <= {tuple(point) for point in corners.reshape(-1, 3)}
    mesh = trimesh.Trimesh(**trimesh.triangles.to_kwargs(corners))
    # Open only below: two triangles for each of the two cells, and for each of the six edges.
    assert len(mesh.faces) == 2 * 2 + 2 * 6
    assert mesh.is_winding_consistent
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = model.corners("relief", "NORMAL").astype(float)
    assert (across[:4, 1] > 0).all()
    assert (np.einsum("ij,ikj->ik", across, normals)[4:] > 0).all()
    assert [node["name"] for node in model.children("hill")] == ["relief-col"]


def test_equal_levels_give_equal_bytes() -> None:
    assert glb_of(level_of()) == glb_of(level_of())


@pytest.mark.parametrize("text", ["~", "#", ".", "+"])
def test_levels_of_one_kind_have_models(text: str) -> None:
    assert isinstance(model_of(level_of(text)), Model)
