"""Given cells stay, whatever is made around them, and nothing that joins regions opens them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from cases import each_case
from exporter.build.build import Build
from exporter.generators import GENERATORS, JoiningParameters, Request
from exporter.generators import rooms_and_corridors as rooms_generator
from exporter.generators import visited_caves as visited_caves_generator
from exporter.generators import wave_function_collapse as wfc
from exporter.generators._legend import Legend
from exporter.generators.given import FixedCells
from exporter.grids.regions import label_regions
from exporter.kernels import cellular_sweep, random_visits, random_walk, visited_caves
from exporter.kernels import maze as maze_kernel
from exporter.kernels import rooms as rooms_kernel
from exporter.model.errors import SpecError
from exporter.model.level import Layer
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from ldtk_projects import Layer as LdtkLayer
from ldtk_projects import Level as LdtkLevel
from ldtk_projects import Project as LdtkProject

ROOM = "####\n#..#\n#..+\n####\n"
SAMPLE = "........\n..####..\n..#..#..\n..####..\n........\n........\n"
# Parameters for each generator, beside its defaults: small things for small maps.
PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "bands": [
        {"of": "hills", "steps": [{"below": 0.5, "tile": "rock"}, {"tile": "grass"}]},
        {
            "of": "hills",
            "steps": [{"below": 0.6, "tile": "water"}, {"tile": "sand"}],
            "connect": "guaranteed",
        },
    ],
    "blank": [{}, {"tile": "wall"}],
    "bsp_rooms": [
        {"min_room_size": [3, 3]},
        {"corridor_width": 2, "extra_corridor_percent": 100},
        {"drawn_rooms": [{"art": ROOM, "turn": True}], "corridor_width": 2},
    ],
    "cellular_caves": [{}, {"update": "in_place"}, {"from_layer": "base"}],
    "drunkard": [{}, {"start": "random", "lifetime": 5, "border": 0, "floor_percent": 70}],
    "from_image": [{"image": "map.png"}],
    "from_ldtk": [{"file": "rooms.ldtk", "at": [0, 0], "fill": "floor"}],
    "from_tiled": [{"file": "village.tmj", "at": [1, 1], "fill": "floor"}],
    "irregular_rooms": [
        {"min_radius": 1, "max_radius": 3, "rooms": 6},
        {"drawn_rooms": [{"art": ROOM, "turn": True}], "rooms": 4},
        {"min_radius": 2, "max_radius": 2, "rooms": 9, "corridor_width": 3, "method": "merged"},
        {"drawn_rooms": [{"art": ROOM, "mirror": True}], "rooms": 5},
    ],
    "island_maze": [{"visits": 400}, {"visits": 400, "invert": True}],
    "mask": [{"of": "base", "by": "other"}],
    "maze": [{}, {"braid_percent": 100, "newest_percent": 30}, {"corridor_width": 3}],
    "prefabs": [
        {"prefabs": [{"art": ROOM, "count": 3}]},
        {"of": "base", "prefabs": [{"art": "##"}]},
    ],
    "rooms_and_corridors": [
        {"room_distance": 1, "max_room_size": [4, 4]},
        {"start": "connected_rooms", "room_shape": "irregular", "max_room_size": [5, 5]},
        {"room_shape": "irregular", "room_distance": 1, "max_room_size": [5, 5]},
    ],
    "stamp": [{"of": "base", "art": ROOM, "at": [[2, 1]]}],
    "subtract": [{"of": "base", "minus": ["other"]}],
    "union": [{"layers": ["base", "other"]}],
    "visited_caves": [
        {"visits": 400, "lower_limit": 2, "upper_limit": 60, "attempts": 300},
        {"visits": 300, "open_percent": 55, "attempts": 300, "connect": "guaranteed"},
        {"visits": 300, "connect": False},
    ],
    "voronoi": [{"draw": "terrains"}, {"draw": "walls", "sites": 9}, {"draw": "caves"}],
    "wave_function_collapse": [
        {"sample": SAMPLE, "attempts": 2},
        {"sample": SAMPLE, "pattern": 2, "periodic": True, "attempts": 2},
        {
            "tiles": [{"name": "floor"}, {"name": "wall", "walkable": False}, {"name": "sand"}],
            "adjacent": [["floor", "sand"], ["sand", "wall"], ["floor", "wall"]],
            "attempts": 2,
        },
    ],
}
CASES = [(name, index) for name, cases in PARAMETERS.items() for index in range(len(cases))]
WIDTH, HEIGHT = 23, 17
GENERATORS_MODULES = (visited_caves_generator, rooms_generator)


def drawing(plan: np.ndarray) -> str:
    """A drawing of a plan: 0 free, 1 floor, 2 wall, 3 door."""
    return "\n".join("".join(" .#+"[cell] for cell in row) for row in plan.tolist())


def spec(plan: np.ndarray, generator: str, **parameters: Any) -> dict[str, Any]:
    height, width = plan.shape
    return {
        "size": [width, height],
        "seed": parameters.pop("seed", 3),
        "rng": parameters.pop("rng", "portable"),
        "layers": {
            "empty": {"generator": "blank", "tile": "empty", "role": "none"},
            "plan": {"generator": "stamp", "of": "empty", "art": drawing(plan), "role": "none"},
            "base": {"generator": "cellular_caves", "role": "none"},
            "other": {"generator": "island_maze", "visits": 100, "role": "none"},
            "hills": {"generator": "heightmap", "feature_size": 6, "role": "none"},
            "map": {"generator": generator, **parameters},
        },
    }


def build(document: dict[str, Any], root: Path | None = None) -> Build:
    result = Build(parse_level(json.dumps(document).encode(), "x.level.yaml", root), root)
    result.prepare()
    return result


def check_given(layer: Layer, plan: np.ndarray) -> None:
    """Every given cell is as it is given: walkable or not, and of its kind."""
    walkable = layer.walkable
    if walkable is None:
        walkable = np.zeros(plan.shape, bool)
    assert walkable[(plan == 1) | (plan == 3)].all()
    assert not walkable[plan == 2].any()
    names = np.array([""] * 256, object)
    for tile in layer.tiles:
        names[tile.id] = tile.name
    assert set(names[layer.cells[plan == 3]]) <= {"door"}
    own = {name for name in names if name}
    if "wall" in own:
        assert set(names[layer.cells[plan == 2]]) <= {"wall"}


plans = arrays(
    np.int64,
    st.tuples(st.integers(5, HEIGHT), st.integers(5, WIDTH)),
    elements=st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2, 3]),
)


def whole_plans() -> dict[str, np.ndarray]:
    """Plans of one kind, and ones that leave little."""
    shape = (HEIGHT, WIDTH)
    border = np.full(shape, 2)
    border[1:-1, 1:-1] = 0
    halves = np.zeros(shape, int)
    halves[:, WIDTH // 2] = 2
    village = np.zeros(shape, int)
    village[4:11, 5:14] = 2
    village[5:10, 6:13] = 1
    village[7, 13] = 3
    cell = np.zeros(shape, int)
    cell[HEIGHT // 2, WIDTH // 2] = 2
    return {
        "none": np.zeros(shape, int),
        "floor": np.ones(shape, int),
        "wall": np.full(shape, 2),
        "border": border,
        "open border": (border == 2).astype(int),
        "halves": halves,
        "village": village,
        "middle": cell,
    }


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    pixels = np.random.default_rng(1).integers(0, 2, (HEIGHT, WIDTH), np.uint8) * 255
    Image.fromarray(pixels).save(folder / "map.png")
    drawn = LdtkLevel("Hall", {"Walls": (pixels // 255).tolist()})
    project = LdtkProject([drawn], [LdtkLayer("Walls", values={1: "wall"})])
    (folder / "rooms.ldtk").write_bytes(project.content())
    village = Path(__file__).parents[1] / "golden" / "files" / "village.tmj"
    (folder / "village.tmj").write_bytes(village.read_bytes())
    return folder


def test_every_generator_with_fixed_cells_is_listed() -> None:
    # Generators of files make nothing around given cells: the cells lie on top, as in `from_image`.
    able = {
        name
        for name in GENERATORS.built_in()
        if issubclass(GENERATORS.get(name).parameters, JoiningParameters)
    }
    assert able - {"from_tiled", "from_ldtk"} <= set(PARAMETERS)


@each_case("kind", whole_plans())
@each_case(("name", "index"), CASES)
def test_given_cells_stay_in_every_map(name: str, index: int, kind: str, pictures: Path) -> None:
    plan = whole_plans()[kind]
    joins = ({}, {"connect": "guaranteed"})
    for connect in joins if kind in ("none", "halves", "village") else joins[1:]:
        parameters = PARAMETERS[name][index] | connect
        result = build(spec(plan, name, **parameters, fixed="plan"), pictures)
        check_given(result.layers["map"], plan)
        if kind == "none":
            free = build(spec(plan, name, **parameters), pictures)
            assert np.array_equal(free.layers["map"].cells, result.layers["map"].cells)
            assert free.layers["map"].rooms == result.layers["map"].rooms


@each_case(("name", "index"), [case for case in CASES if case[0] != "from_image"])
@settings(deadline=None, max_examples=5)
@given(plan=plans, seed=st.integers(0, 99), guaranteed=st.booleans())
def test_random_given_cells_stay(
    name: str, index: int, plan: np.ndarray, seed: int, guaranteed: bool
) -> None:
    parameters = dict(PARAMETERS[name][index])
    if guaranteed:
        parameters["connect"] = "guaranteed"
    document = spec(plan, name, **parameters, fixed="plan", seed=seed)
    try:
        result = build(document)
    except SpecError:
        # Too small for this generator: then it is so without given cells.
        with pytest.raises(SpecError):
            build(spec(plan, name, **parameters, seed=seed))
        return
    layer = result.layers["map"]
    check_given(layer, plan)
    assert all(
        layer.walkable is None or plan[room.center[1], room.center[0]] != 2 for room in layer.rooms
    )
    if guaranteed:
        check_joined(result, plan == 2)


@each_case(("name", "index"), [case for case in CASES if case[0] != "from_image"])
@each_case("shape", [(1, 1), (1, 7), (3, 4)])
def test_given_cells_stay_in_the_smallest_maps(
    name: str, index: int, shape: tuple[int, int]
) -> None:
    for kind in (1, 2, 3):
        plan = np.zeros(shape, int)
        plan[shape[0] // 2, shape[1] // 2] = kind
        for whole in (plan, np.full(shape, kind)):
            document = spec(whole, name, **PARAMETERS[name][index], fixed="plan")
            document["layers"]["map"]["connect"] = "guaranteed"
            try:
                result = build(document)
            except SpecError as error:
                assert "given" not in str(error.problems[0].message)
                continue
            check_given(result.layers["map"], whole)
            check_joined(result, whole == 2)


def check_joined(result: Build, never_opened: np.ndarray) -> None:
    """The map is one region, or the given walls make that impossible, which is reported."""
    layer = result.layers["map"]
    assert layer.walkable is not None
    assert layer.certificate is not None
    regions = layer.certificate.regions_after
    assert regions == label_regions(layer.walkable).count
    # Everything but given walls, opened: regions still apart can never be joined.
    reachable = label_regions(~never_opened).labels
    apart = len(np.unique(reachable[layer.walkable]))
    assert regions == apart
    reported = [
        shortfall.message for shortfall in result.shortfalls() if "given" in shortfall.message
    ]
    ends = ("cannot be joined", "all cells are given")
    separate = [text for text in reported if any(end in text for end in ends)]
    assert bool(separate) == (regions != 1)
    assert not (layer.complete and regions != 1)


@each_case("rng", ["portable", "dotnet"])
@each_case("name", ["cellular_caves", "island_maze", "visited_caves", "drunkard"])
def test_masks_say_where_nothing_is_opened(name: str, rng: str, pictures: Path) -> None:
    plan = whole_plans()["village"]
    inside = (plan == 1) | (plan == 3)
    for key, closed in (("only_in", ~inside), ("never_in", inside)):
        result = build(spec(plan, name, **{key: "plan"}, rng=rng, connect="guaranteed"), pictures)
        layer = result.layers["map"]
        assert layer.walkable is not None
        assert not layer.walkable[closed].any()
        assert layer.walkable.any()
        assert len(layer.tiles) == 2


@each_case(("name", "index"), [case for case in CASES if not case[0].startswith("from_")])
def test_masks_close_cells_in_every_map(name: str, index: int) -> None:
    plan = whole_plans()["village"]
    closed = (plan == 1) | (plan == 3)
    layer = build(spec(plan, name, **PARAMETERS[name][index], never_in="plan")).layers["map"]
    assert layer.walkable is None or not layer.walkable[closed].any()


def test_a_given_cell_wins_over_a_mask() -> None:
    plan = whole_plans()["village"]
    result = build(spec(plan, "drunkard", fixed="plan", only_in="plan"))
    layer = result.layers["map"]
    assert layer.walkable is not None
    assert np.array_equal(layer.walkable, (plan == 1) | (plan == 3))


@pytest.mark.parametrize(
    ("name", "index"), [("cellular_caves", 0), ("island_maze", 0), ("voronoi", 2)]
)
def test_cells_far_from_given_ones_stay_as_they_were(name: str, index: int) -> None:
    plan = np.zeros((60, 60), int)
    plan[2:5, 2:5] = 2
    parameters = PARAMETERS[name][index]
    before = build(spec(np.zeros_like(plan), name, **parameters)).layers["map"].cells
    after = build(spec(plan, name, **parameters, fixed="plan")).layers["map"].cells
    assert (before == after)[12:, 12:].mean() > 0.97


def test_rooms_far_from_given_walls_stay_as_they_were() -> None:
    plan = np.zeros((80, 80), int)
    plan[:30, :30] = 2
    for name in ("irregular_rooms", "bsp_rooms"):
        before = build(spec(np.zeros_like(plan), name)).layers["map"].rooms
        after = build(spec(plan, name, fixed="plan")).layers["map"].rooms
        frames = {(room.x, room.y, room.width, room.height) for room in after}
        far = [room for room in before if room.x > 30 or room.y > 30]
        assert far
        assert all((room.x, room.y, room.width, room.height) in frames for room in far)


@pytest.mark.parametrize("name", ["bsp_rooms", "irregular_rooms"])
def test_corridors_go_around_given_walls(name: str) -> None:
    plan = np.zeros((60, 60), int)
    plan[8:52, 29:31] = 2
    plan[29:31, 8:52] = 2
    result = build(spec(plan, name, fixed="plan", seed=5))
    layer = result.layers["map"]
    assert layer.walkable is not None
    labels = label_regions(layer.walkable).labels
    centers = {labels[y, x] for x, y in (room.center for room in layer.rooms)}
    assert len(layer.rooms) > 3
    assert len(centers) == 1
    assert layer.complete == (len(layer.rooms) == layer.report.get("wanted", len(layer.rooms)))


@pytest.mark.parametrize("name", ["bsp_rooms", "irregular_rooms"])
def test_drawn_rooms_stay_whole_beside_given_cells(name: str) -> None:
    plan = np.random.default_rng(2).choice([0] * 60 + [1, 2], (60, 60))
    result = build(spec(plan, name, drawn_rooms=[{"art": ROOM}], fixed="plan")).layers["map"]
    check_given(result, plan)
    assert result.rooms
    walkable = result.walkable
    assert walkable is not None
    for room in result.rooms:
        part = slice(room.y, room.y + room.height), slice(room.x, room.x + room.width)
        assert not plan[part].any()
        assert walkable[part].astype(int).tolist() == [
            [0, 0, 0, 0],
            [0, 1, 1, 0],
            [0, 1, 1, 1],
            [0, 0, 0, 0],
        ]


def test_corridors_without_a_way_are_reported() -> None:
    plan = np.zeros((60, 60), int)
    plan[:, 30] = 2
    for name in ("bsp_rooms", "irregular_rooms"):
        result = build(spec(plan, name, fixed="plan"))
        layer = result.layers["map"]
        assert not layer.complete
        assert layer.walkable is not None
        # On each side all rooms are joined; in a cut room some cells may lie on the other side.
        labels = label_regions(layer.walkable).labels
        assert len({labels[y, x] for x, y in (room.center for room in layer.rooms)}) == 2
        text = result.shortfalls()[0].message
        assert "the given walls divide the rooms into 2 parts without a corridor" in text


def test_own_corridors_never_open_given_walls() -> None:
    plan = np.zeros((40, 60), int)
    plan[:, 28:32] = 2
    result = build(spec(plan, "visited_caves", fixed="plan", connect=True, attempts=3000))
    layer = result.layers["map"]
    check_given(layer, plan)
    assert not layer.complete
    assert "caves are not connected" in result.shortfalls()[0].message


def test_a_cave_with_given_floor_is_not_removed() -> None:
    plan = np.zeros((40, 40), int)
    plan[18:20, 18:20] = 1
    plan[17, 17:21] = plan[20, 17:21] = 2
    plan[17:21, 17] = plan[17:21, 20] = 2
    result = build(spec(plan, "visited_caves", fixed="plan", connect=False, lower_limit=50))
    check_given(result.layers["map"], plan)


def test_plain_tiles_are_the_generators_own_and_others_are_added() -> None:
    plan = whole_plans()["village"]
    layer = build(spec(plan, "visited_caves", fixed="plan")).layers["map"]
    assert [tile.name for tile in layer.tiles] == ["rock", "cave", "door"]
    terrain = build(spec(plan, "voronoi", fixed="plan")).layers["map"]
    assert {"floor", "wall", "door"} < {tile.name for tile in terrain.tiles}


def test_a_given_tile_that_means_something_else_is_an_error() -> None:
    document = spec(np.ones((9, 9), int), "island_maze", fixed="plan")
    document["layers"]["plan"]["glyphs"] = {".": {"name": "water"}}
    with pytest.raises(SpecError, match="the given tile 'water' can be walked on, but the"):
        build(document)


def test_objects_can_stand_on_given_tiles() -> None:
    document = spec(whole_plans()["village"], "cellular_caves", fixed="plan")
    document["objects"] = [{"name": "guard", "on_tile": "door"}]
    result = build(document)
    assert [(item.x, item.y) for item in result.level()[0].objects] == [(13, 7)]


@each_case(
    ("layer", "said"),
    [
        ({"generator": "heightmap", "fixed": "plan"}, "takes no 'fixed' \\(generators"),
        ({"generator": "outline", "of": "plan", "never_in": "plan"}, "takes no 'never_in'"),
        ({"generator": "maze", "fixed": "nowhere"}, "unknown layer 'nowhere'"),
        ({"generator": "maze", "fixed": "small"}, "the layer 'small' has 9 x 9 cells, this one"),
        ({"generator": "maze", "fixed": "high"}, "the layer 'high' holds heights, not tiles"),
        ({"generator": "maze", "fixed": {"file": "none.png"}}, "'none.png' cannot be read"),
        (
            {"generator": "maze", "fixed": {"file": "big.png"}},
            "big.png has 30 x 20 pixels, but the layer has 23",
        ),
        (
            {"generator": "maze", "fixed": {"file": "map.png", "legend": {"#000000": "wall"}}},
            "map.png has the colour #ffffff at pixel \\(.*transparent pixels are free",
        ),
        ({"generator": "maze", "fixed": 3}, "expected a name or a mapping with keys such as file"),
        ({"generator": "maze", "fixed": {"file": "map.png", "glyphs": {}}}, "unknown key 'glyphs'"),
    ],
)
def test_what_cannot_be_given_is_reported_at_its_line(
    layer: dict[str, Any], said: str, pictures: Path
) -> None:
    Image.new("L", (30, 20)).save(pictures / "big.png")
    document = spec(np.zeros((HEIGHT, WIDTH), int), "maze")
    del document["layers"]["map"]
    document["layers"]["small"] = {"generator": "blank", "size": [9, 9], "role": "none"}
    document["layers"]["high"] = {"generator": "heightmap"}
    document["layers"]["map"] = layer
    with pytest.raises(SpecError, match=said) as caught:
        build(document, pictures)
    assert caught.value.line is not None


def test_a_picture_gives_cells_and_its_transparent_pixels_are_free(tmp_path: Path) -> None:
    pixels = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    pixels[3:6, 4:8] = (0, 0, 0, 255)
    pixels[4, 5] = (255, 255, 255, 255)
    pixels[10, 10] = (0, 0, 255, 255)
    Image.fromarray(pixels).save(tmp_path / "plan.png")
    legend = {"#000000": "tree", "#ffffff": {"name": "lawn"}, "#0000ff": "water"}
    document = spec(np.zeros((HEIGHT, WIDTH), int), "drunkard")
    document["layers"]["map"]["fixed"] = {"file": "plan.png", "legend": legend}
    layer = build(document, tmp_path).layers["map"]
    names = {tile.name: tile for tile in layer.tiles}
    assert set(names) == {"floor", "wall", "tree", "lawn", "water"}
    assert (layer.cells == names["tree"].id).sum() == 11
    assert layer.cells[4, 5] == names["lawn"].id
    assert layer.cells[10, 10] == names["water"].id
    document["layers"]["map"]["fixed"] = {"file": "plan.png"}
    plain = build(document, tmp_path).layers["map"]
    assert [tile.name for tile in plain.tiles] == ["floor", "wall"]
    assert (plain.cells[3:6, 4:8] == 1).sum() == 11


def test_being_named_by_fixed_changes_no_role() -> None:
    document = spec(np.zeros((HEIGHT, WIDTH), int), "maze", fixed="plan", never_in="other")
    del document["layers"]["plan"]["role"], document["layers"]["other"]["role"]
    result = build(document)
    assert {result.layers[name].role for name in ("plan", "other", "map")} == {"play"}


# --- wave function collapse ---------------------------------------------------------------------

TWO = (wfc.WeightedTile(name="a"), wfc.WeightedTile(name="b", walkable=False, alone=True))
THREE = (*TWO, wfc.WeightedTile(name="c", alone=True))


def given_tiles(plan: np.ndarray, names: str) -> FixedCells:
    """Return the tiles of those names: -1 free, else the index in `names`."""
    tiles = {tile.name: tile for tile in THREE}
    legend = Legend()
    for name in names:
        legend.add(tiles[name])
    walkable = np.isin(plan, [n for n, name in enumerate(names) if tiles[name].walkable])
    return FixedCells(
        legend.tiles,
        plan.astype(np.int32),
        np.zeros(plan.shape, bool),
        walkable,
        (plan >= 0) & ~walkable,
    )


@settings(deadline=None, max_examples=80)
@given(
    plan=arrays(
        np.int64, st.tuples(st.integers(1, 3), st.integers(1, 3)), elements=st.integers(-1, 2)
    ),
    pairs=st.sets(st.sampled_from(["ab", "ac", "bc"])),
    periodic=st.booleans(),
    seed=st.integers(0, 9),
)
def test_given_tiles_constrain_their_neighbours_as_a_search_of_all_maps_does(
    plan: np.ndarray, pairs: set[str], periodic: bool, seed: int
) -> None:
    height, width = plan.shape
    fixed = given_tiles(plan, "abc")
    parameters = wfc.WaveFunctionCollapse(
        tiles=THREE, adjacent=tuple((p[0], p[1]) for p in sorted(pairs)), periodic=periodic
    )
    allowed = {(0, 0)} | {("abc".index(p[0]), "abc".index(p[1])) for p in pairs}
    allowed |= {(second, first) for first, second in allowed}

    def fits(cells: np.ndarray) -> bool:
        if ((plan >= 0) & (plan != cells)).any():
            return False
        sides = [(cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:])]
        if periodic:
            sides += [(cells[:, -1:], cells[:, :1]), (cells[-1:], cells[:1])]
        return all(
            pair in allowed
            for first, second in sides
            for pair in zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)
        )

    maps = [np.array(item).reshape(plan.shape) for item in product(range(3), repeat=plan.size)]
    solutions = [cells for cells in maps if fits(cells)]
    stream = open_stream("portable", seed, "map")
    result = wfc.generate(parameters, Request("map", width, height, stream, fixed=fixed))
    if result.complete:
        assert fits(result.cells)
    if not solutions:
        assert not result.complete
    if "contradiction" in result.report:
        assert not solutions
    elif len(solutions) == len(maps) or (plan >= 0).all():
        # Nothing is in the way, or nothing is left to choose.
        assert result.complete


@settings(deadline=None, max_examples=40)
@given(
    at=st.tuples(st.integers(0, 9), st.integers(0, 7)),
    periodic=st.booleans(),
    seed=st.integers(0, 99),
)
def test_every_square_around_a_given_tile_is_one_of_the_sample(
    at: tuple[int, int], periodic: bool, seed: int
) -> None:
    plan = np.zeros((8, 10), int)
    plan[at[1], at[0]] = 2
    document = spec(plan, "wave_function_collapse", sample=SAMPLE, pattern=2, seed=seed)
    document["layers"]["map"] |= {"fixed": "plan", "periodic": periodic}
    layer = build(document).layers["map"]
    check_given(layer, plan)
    assert layer.complete
    free = wfc.WaveFunctionCollapse(sample=SAMPLE, pattern=2, periodic=periodic)
    legend = Legend()
    patterns = wfc._patterns(free, Request("map", 10, 8, open_stream("portable", 1, "x")), legend)
    known = {item.tobytes() for item in patterns.tiles.astype(np.uint8)}
    cells = layer.cells.astype(np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(cells, (2, 2)).reshape(-1, 2, 2)
    assert {np.ascontiguousarray(window).tobytes() for window in windows} <= known


def test_a_contradiction_is_reported_before_any_attempt() -> None:
    sample = SAMPLE.replace("#..#", "#+.#")
    fitting, unfit = np.zeros((6, 6), int), np.zeros((6, 6), int)
    fitting[2, 2:4] = [2, 3]  # a door to the right of a wall, as in the sample
    unfit[2, 2:4] = [3, 2]
    parameters = {"sample": sample, "attempts": 9, "symmetry": False, "fixed": "plan"}
    layer = build(spec(fitting, "wave_function_collapse", **parameters)).layers["map"]
    assert "contradiction" not in layer.report
    result = build(spec(unfit, "wave_function_collapse", **parameters))
    layer = result.layers["map"]
    assert not layer.complete
    assert layer.report["attempts"] == 1
    check_given(layer, unfit)
    (text,) = [shortfall.message for shortfall in result.shortfalls()]
    assert text.startswith("layer 'map': no map has these given cells: nothing fits at (")


def test_tiles_that_the_sample_does_not_have_ask_nothing_of_their_neighbours() -> None:
    plan = np.full((9, 9), 0)
    plan[::2, ::2] = 3
    result = build(spec(plan, "wave_function_collapse", sample=SAMPLE, fixed="plan"))
    assert result.layers["map"].complete
    check_given(result.layers["map"], plan)


# --- mazes --------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(
    plan=arrays(
        np.int64,
        st.tuples(st.integers(3, 15), st.integers(3, 15)),
        elements=st.sampled_from([0, 0, 0, 0, 2]),
    ),
    seed=st.integers(0, 99),
    newest=st.integers(0, 100),
)
def test_a_maze_reaches_all_that_given_walls_leave_and_stays_perfect(
    plan: np.ndarray, seed: int, newest: int
) -> None:
    height, width = plan.shape
    document = spec(plan, "maze", fixed="plan", seed=seed, newest_percent=newest)
    walkable = build(document).layers["map"].walkable
    assert walkable is not None
    possible = np.zeros(plan.shape, bool)
    rows, columns = (height - 1) // 2, (width - 1) // 2
    possible[1 : 2 * rows : 2, 1 : 2 * columns] = True
    possible[1 : 2 * rows, 1 : 2 * columns : 2] = True
    possible &= plan != 2
    crossings = np.zeros(plan.shape, bool)
    crossings[1 : 2 * rows : 2, 1 : 2 * columns : 2] = True
    crossings &= plan != 2
    assert walkable[crossings].all()
    reachable = label_regions(possible).labels
    regions = label_regions(walkable)
    # As many parts as the given walls make, each without a loop: cells = ways + 1.
    assert regions.count == len(np.unique(reachable[crossings]))
    ways = int((walkable[:, 1:] & walkable[:, :-1]).sum() + (walkable[1:] & walkable[:-1]).sum())
    assert ways == int(walkable.sum()) - regions.count


def test_a_given_hall_is_one_cell_of_a_perfect_maze() -> None:
    plan = np.zeros((21, 21), int)
    plan[5:12, 7:16] = 1
    walkable = build(spec(plan, "maze", fixed="plan")).layers["map"].walkable
    assert walkable is not None
    assert label_regions(walkable).count == 1
    outside = walkable.copy()
    outside[5:12, 7:16] = False
    # Without the hall its exits lead to trees that nothing else joins.
    ways = int((outside[:, 1:] & outside[:, :-1]).sum() + (outside[1:] & outside[:-1]).sum())
    assert ways == int(outside.sum()) - label_regions(outside).count


# --- kernels ------------------------------------------------------------------------------------


def test_kernels_treat_given_cells_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = np.random.default_rng(4).choice([0, 0, 0, 0, 1, 2], (25, 31))
    attempted = [
        ("cellular_caves", {"update": "in_place"}),
        ("visited_caves", {"visits": 2000}),
        ("island_maze", {"visits": 2000}),
        ("drunkard", {"lifetime": 30}),
        ("maze", {"braid_percent": 50}),
        ("rooms_and_corridors", {"room_distance": 1, "room_shape": "irregular"}),
    ]
    compiled = [build(spec(plan, name, **more, fixed="plan")) for name, more in attempted]
    for module, names in (
        (cellular_sweep, ("sweep",)),
        (random_visits, ("visit",)),
        (random_walk, ("stagger",)),
        (maze_kernel, ("grow", "braid")),
        (visited_caves, ("clean", "find_caves", "Connector")),
        (rooms_kernel, ("Builder",)),
    ):
        slow = interpreted(module.__name__.rsplit(".", 1)[-1])
        homes = [module, *(GENERATORS_MODULES if module in (visited_caves, rooms_kernel) else ())]
        for home in homes:
            for name in names:
                if hasattr(home, name):
                    monkeypatch.setattr(home, name, getattr(slow, name))
    for (name, more), fast in zip(attempted, compiled, strict=True):
        again = build(spec(plan, name, **more, fixed="plan"))
        assert np.array_equal(again.layers["map"].cells, fast.layers["map"].cells), name


def test_a_region_that_given_walls_cut_off_is_counted() -> None:
    plan = whole_plans()["halves"]
    result = build(spec(plan, "cellular_caves", fixed="plan", connect="guaranteed"))
    assert not result.layers["map"].complete
    (text,) = [shortfall.message for shortfall in result.shortfalls()]
    assert text == (
        "layer 'map': 2 regions cannot be joined, because given cells between them are never "
        "opened (open some cells of `fixed`, `only_in` or `never_in`, or remove `connect`)"
    )
