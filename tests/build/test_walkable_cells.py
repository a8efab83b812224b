"""One mask of walkable cells: the same for the level, its objects and its limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.build import object_steps
from exporter.build.build import Build, build_level
from exporter.build.inputs import Inputs
from exporter.build.results import decode_certificate, encode_certificate
from exporter.grids.certificates import certify
from exporter.grids.distances import distance_from
from exporter.model.errors import ParameterError, SpecError
from exporter.model.level import CLEAR, Certificate, Layer, Level, Room, Tile
from exporter.model.level_values import LayerRole
from exporter.placement.parameters import ObjectParameters
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from memory_cache import MemoryCache
from placed_objects import place_objects

TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, CLEAR),
    Tile(2, "nothing", False, False, CLEAR),
    Tile(3, "door", True, True, CLEAR),
)
UNKNOWN = 9  # an id that the legend does not have
ROLES: tuple[LayerRole, ...] = ("play", "picture", "data", "none")
WIDTH, HEIGHT = 5, 3


@st.composite
def stacks(draw: st.DrawFn) -> list[Layer]:
    """Draw a few layers of all roles, with and without the level's size."""
    layers = []
    for number in range(draw(st.integers(0, 4))):
        ids = st.sampled_from([0, 1, 2, 3, UNKNOWN])
        cells = draw(st.lists(ids, min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT))
        grid = np.array(cells, np.uint8).reshape(HEIGHT, WIDTH)
        walkable = np.isin(grid, (0, 3))
        role, aligned = draw(st.sampled_from(ROLES)), draw(st.booleans())
        name = f"layer_{number}"
        layers.append(
            Layer(name, "tiles", grid, "x", 1, TILES, walkable, role=role, grid_aligned=aligned)
        )
    return layers


def walks(layers: Sequence[Layer], x: int, y: int) -> bool:
    """Say whether a cell can be walked on, as the page on roles says it."""
    open_, barred = False, False
    for layer in layers:
        if layer.role != "play" or not layer.grid_aligned:
            continue
        number = int(layer.cells[y, x])
        tile = next((tile for tile in layer.tiles if tile.id == number), None)
        if tile is not None and tile.walkable:
            open_ = True
        elif tile is not None and tile.name != "nothing":
            barred = True
    return open_ and not barred


@given(stacks())
@settings(deadline=None)
def test_the_mask_is_what_every_cell_says(layers: list[Layer]) -> None:
    level = Level("probe", WIDTH, HEIGHT, layers={layer.name: layer for layer in layers})
    expected = [[walks(layers, x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
    assert level.walkable().tolist() == expected
    opaque = np.zeros((HEIGHT, WIDTH), bool)
    for layer in level.play_layers():
        opaque |= np.isin(layer.cells, (1, 3))
    assert np.array_equal(level.opaque(), opaque)


@given(stacks(), st.integers(0, 2**31))
@settings(deadline=None)
def test_objects_stand_where_the_mask_is_open(layers: list[Layer], seed: int) -> None:
    play = [layer.name for layer in layers if layer.role == "play" and layer.grid_aligned]
    by_name = {layer.name: layer for layer in layers}
    many = ObjectParameters(name="a", count=WIDTH * HEIGHT, required=False)
    stream = open_stream("portable", seed, "objects")
    if not play:
        with pytest.raises(ParameterError, match="no `play` layer"):
            place_objects([many], by_name, play, stream)
        return
    placed = place_objects([many], by_name, play, stream)
    cells = {(x, y) for y in range(HEIGHT) for x in range(WIDTH) if walks(layers, x, y)}
    assert {(item.x, item.y) for item in placed} == cells


def drawn(name: str, *rows: str, role: LayerRole = "play", rooms: tuple[Room, ...] = ()) -> Layer:
    """A layer from a drawing: `.` floor, `#` wall, space nothing, `+` door."""
    grid = np.array([[".# +".index(sign) for sign in row] for row in rows], np.uint8)
    walkable = np.isin(grid, (0, 3))
    return Layer(name, "tiles", grid, "x", 1, TILES, walkable, role=role, rooms=rooms)


def stand(*objects: ObjectParameters, layers: Sequence[Layer]) -> dict[str, set[tuple[int, int]]]:
    """Return the cells of the objects by their names."""
    play = [layer.name for layer in layers if layer.role == "play"]
    by_name = {layer.name: layer for layer in layers}
    placed = place_objects(objects, by_name, play, open_stream("portable", 1, "objects"))
    cells: dict[str, set[tuple[int, int]]] = {}
    for item in placed:
        cells.setdefault(item.name, set()).add((item.x, item.y))
    return cells


GRASS = drawn("grass", ".....", ".....", "#####")
ROCKS = drawn("rocks", "  #  ", "  #  ", "     ")


def test_steps_go_around_what_lies_on_any_play_layer() -> None:
    start = ObjectParameters(name="start", at=(0, 0))
    far = ObjectParameters(name="far", count=9, reachable_from="start", required=False)
    assert stand(start, far, layers=[GRASS, ROCKS])["far"] == {(1, 0), (0, 1), (1, 1)}
    alone = far.__class__(name="far", count=9, layer="grass", reachable_from="start")
    assert len(stand(start, alone, layers=[GRASS, ROCKS])["far"]) == 9


def test_a_tile_is_that_of_the_last_play_layer_that_has_it_and_is_free() -> None:
    on_floor = ObjectParameters(name="a", count=15, on_tile="floor", required=False)
    doors = drawn("doors", "+    ", "     ", "     ")
    # Each of the legends has all tiles: the last play layer counts.
    assert "a" not in stand(on_floor, layers=[GRASS, ROCKS])
    plain = Layer("grass", "tiles", GRASS.cells, "x", 1, TILES[:2], GRASS.walkable)
    rocks = Layer("rocks", "tiles", ROCKS.cells, "x", 1, TILES[1:3], ROCKS.walkable)
    result = stand(on_floor, layers=[plain, rocks])["a"]
    assert result == {(x, y) for x in (0, 1, 3, 4) for y in (0, 1)}
    on_wall = ObjectParameters(name="a", count=15, on_tile="wall", required=False)
    assert stand(on_wall, layers=[plain, rocks])["a"] == {(2, 0), (2, 1)}
    on_door = ObjectParameters(name="a", on_tile="door")
    assert stand(on_door, layers=[plain, rocks, doors])["a"] == {(0, 0)}
    with pytest.raises(ParameterError, match=r"unknown tile 'dor'.*'door'") as caught:
        stand(ObjectParameters(name="a", on_tile="dor"), layers=[plain, doors])
    assert caught.value.path == (0, "on_tile")


def test_a_room_is_that_of_the_last_play_layer_that_has_it() -> None:
    left, right = Room("hall", 0, 0, 2, 1, (0, 0)), Room("hall", 3, 0, 2, 1, (3, 0))
    lower = drawn("lower", ".....", rooms=(left, Room("cell", 2, 0, 1, 1, (2, 0))))
    upper, backup = drawn("upper", ".....", rooms=(right,)), drawn("aside", ".....", role="data")
    in_hall = ObjectParameters(name="a", count=2, room="hall")
    assert stand(in_hall, layers=[lower, upper, backup])["a"] == {(3, 0), (4, 0)}
    in_cell = ObjectParameters(name="a", room="cell")
    assert stand(in_cell, layers=[lower, upper])["a"] == {(2, 0)}
    on_lower = ObjectParameters(name="a", count=2, room="hall", layer="lower")
    assert stand(on_lower, layers=[lower, upper])["a"] == {(0, 0), (1, 0)}


def test_layers_that_leave_nothing_free_together_are_named() -> None:
    layers = [drawn("left", "..##"), drawn("right", "##..")]
    with pytest.raises(ParameterError, match="layers left, right leave none free together"):
        stand(ObjectParameters(name="a"), layers=layers)
    with pytest.raises(ParameterError) as caught:
        stand(ObjectParameters(name="a"), layers=[drawn("wall", "####")])
    assert "together" not in caught.value.message


# --- the whole build ------------------------------------------------------------------------------

SPEC = """\
size: [24, 16]
seed: 5
layers:
  ground: {generator: cellular_caves, wall_percent: 30}
  upper: {generator: cellular_caves, wall_percent: 20}
  aside: {generator: blank, tile: wall, role: data}
"""


def built(more: str) -> Build:
    build = Build(parse_level((SPEC + more).encode(), "probe.level.yaml"))
    build.prepare()
    return build


def test_the_ground_is_created_once_and_only_of_the_layers_that_are_walked_on() -> None:
    build = built("")
    ground = build.source.answer(("ground", ""))
    assert [layer.name for layer in ground.layers] == ["ground", "upper"]
    assert build.source.answer(("ground", "")) is ground
    inputs = Inputs(build.source)
    object_steps.find_ground("", inputs)
    assert ("layer", "aside") not in inputs.questions


def test_the_limits_of_a_level_are_those_of_its_mask() -> None:
    level, _ = built("").level()
    mask = level.walkable()
    certificate = certify(mask)
    assert not np.array_equal(mask, level.layers["ground"].walkable)
    share = certificate.floor / certificate.cells
    built(f"require: {{min_floor: {share - 1e-6}, max_floor: {share + 1e-6}}}\n")
    built(f"require: {{min_distance: {certificate.farthest}}}\n")
    built(f"require: {{max_chokes: {certificate.chokes}}}\n")
    for limit in (
        f"min_floor: {share + 1e-3}",
        f"max_floor: {share - 1e-3}",
        f"min_distance: {certificate.farthest + 1}",
        f"max_dead_ends: {certificate.dead_ends - 1}",
        f"max_chokes: {certificate.chokes - 1}",
    ):
        if "-1" not in limit:
            with pytest.raises(SpecError, match="together: "):
                built(f"require: {{{limit}}}\n")


def test_the_only_play_layer_is_named() -> None:
    alone = SPEC.replace("wall_percent: 30}", "wall_percent: 30, role: data}")
    spec = parse_level(f"{alone}require: {{max_floor: 0}}\n".encode(), "probe.level.yaml")
    with pytest.raises(SpecError, match="layer 'upper': the share"):
        Build(spec).prepare()


def test_whether_a_level_is_complete_concerns_its_play_layers() -> None:
    art = '"###\\n#.#\\n###"'
    lacking = (
        f"  lacking: {{generator: prefabs, prefabs: [{{art: {art}, count: 999}}], role: %s}}\n"
    )
    built(lacking % "data" + "require: {complete: true}\n")
    with pytest.raises(SpecError, match="together: not everything requested was placed in lacking"):
        built(lacking % "play" + "require: {complete: true}\n")


def test_distances_of_objects_follow_the_mask() -> None:
    objects = "objects: [{name: a}, {name: b, far_from: a}]\n"
    level = build_level(parse_level((SPEC + objects).encode(), "probe.level.yaml"))
    a, b = level.objects
    start = np.zeros((level.height, level.width), bool)
    start[a.y, a.x] = True
    steps = distance_from(start, level.walkable())
    assert steps[b.y, b.x] == steps.max() > 0


@pytest.mark.parametrize("start", [None, (2, 3)])
def test_a_certificate_comes_back_from_bytes(start: tuple[int, int] | None) -> None:
    certificate = Certificate(4, 1, 9, 500, 851, 61, start, 5, 6)
    assert decode_certificate(encode_certificate(certificate)) == certificate
    assert decode_certificate(encode_certificate(None)) is None
    with pytest.raises((ValueError, TypeError, KeyError)):
        decode_certificate(b"{}")


def test_a_role_makes_no_layer_anew() -> None:
    cache = MemoryCache()

    def stages(text: str) -> dict[str, bytes]:
        build = Build(parse_level(text.encode(), "probe.level.yaml"), None, cache, "identity")
        build.prepare()
        new = dict(build.stages.unsaved)
        cache.update(new)
        return new

    assert stages(SPEC)
    assert not stages(SPEC.replace("wall_percent: 20}", "wall_percent: 20, role: none}"))
    objects = "objects: [{name: a, count: 9}]\n"
    assert stages(SPEC + objects)
    # Where objects stand depends on roles.
    assert stages(SPEC.replace("wall_percent: 20}", "wall_percent: 20, role: none}") + objects)
