"""Layers derived from visibility, against their definitions, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, sqrt
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from visibility_cases import RULES

from cases import each_case
from exporter import compute_visibility
from exporter.generators import GENERATORS, Generated, Request
from exporter.generators.ambush import Ambush
from exporter.generators.choke_visibility import ChokeVisibility
from exporter.generators.cover import Cover
from exporter.generators.exposure import Exposure
from exporter.generators.light import Light
from exporter.generators.watch_posts import WatchPosts
from exporter.grids.certificates import find_chokes
from exporter.measures.watch_posts import lower, watch_posts
from exporter.model.errors import ParameterError
from exporter.model.level import CLEAR, Layer, PlacedObject, Tile
from exporter.streams import open_stream
from exporter.visibility import sums
from exporter.visibility.table import VisibilityTable

TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, CLEAR),
    Tile(2, "water", False, False, CLEAR),
)
WIDTH, HEIGHT, RADIUS = 21, 13, 5


def ground(seed: int = 1, name: str = "ground") -> Layer:
    cells = np.random.default_rng(seed).choice(
        np.array([0, 1, 2], np.uint8), (HEIGHT, WIDTH), p=[0.7, 0.25, 0.05]
    )
    return Layer(name, "tiles", cells, "test", tiles=TILES, walkable=cells == 0)


def request(
    layers: tuple[Layer, ...] = (ground(),),
    rule: tuple[str, bool] = ("symmetric", False),
    objects: tuple[PlacedObject, ...] = (),
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Request:
    opaque = layers[0].opaque
    return Request(
        name="derived",
        width=size[0],
        height=size[1],
        stream=open_stream("portable", 1, "derived"),
        layers={layer.name: layer for layer in layers},
        visibility=lambda: compute_visibility(opaque, RADIUS, rule[0], see_walls=rule[1]),
        visibility_layer=layers[0].name,
        objects=objects,
    )


def make(parameters: Any, requested: Request) -> Generated:
    name = {
        Exposure: "exposure", Cover: "cover", Ambush: "ambush", Light: "light",
        ChokeVisibility: "choke_visibility", WatchPosts: "watch_posts",
    }[type(parameters)]  # fmt: skip
    entry = GENERATORS.get(name)
    assert entry.stage == "sight"
    return entry.generate(parameters, requested)


@each_case("rule", RULES)
@each_case("beyond", [0, 2, 5])
def test_viewers_are_counted_alike_singly_and_in_rows(
    rule: tuple[str, bool], beyond: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        layer = ground(seed)
        table = compute_visibility(layer.opaque, RADIUS, rule[0], see_walls=rule[1])
        viewers = np.random.default_rng(seed).random(layer.cells.shape) < 0.6
        for limit in (0, viewers.size):
            monkeypatch.setattr(sums, "_FEW_VIEWERS", limit)
            counts = sums.viewer_counts(table, viewers, beyond)
            expected = np.zeros(counts.shape, int)
            for (x, y), seen in fields_of_view(table).items():
                if not viewers[y, x] or layer.opaque[y, x]:
                    continue
                for to_y, to_x in np.argwhere(seen):
                    expected[to_y, to_x] += distance_squared((x, y), (to_x, to_y)) > beyond**2
            assert np.array_equal(counts, expected)


def fields_of_view(table: VisibilityTable) -> dict[tuple[int, int], Any]:
    height, width = table.shape
    return {(x, y): table.visible_from(x, y) for y in range(height) for x in range(width)}


def distance_squared(a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def names(result: Generated) -> Any:
    legend = {tile.id: tile.name for tile in result.tiles}
    return np.array([[legend[int(cell)] for cell in row] for row in result.cells])


def test_exposure_is_how_many_cells_a_cell_sees() -> None:
    requested = request()
    assert requested.visibility is not None
    table = requested.visibility()
    result = make(Exposure(), requested)
    floor_cells = ground().cells == 0
    full = table.count[floor_cells].max()
    assert result.kind == "heights"
    assert result.heights is not None
    assert (result.heights.maximum, result.heights.units) == (full, "cells")
    back = np.rint(result.cells.astype(float) * full / 65535)
    assert np.array_equal(back, np.where(floor_cells, table.count, 0))


def test_exposure_of_an_empty_circle_is_full() -> None:
    open_ground = Layer(
        "ground", "tiles", np.zeros((HEIGHT, WIDTH), np.uint8), "test", tiles=TILES,
        walkable=np.ones((HEIGHT, WIDTH), bool),
    )  # fmt: skip
    for rule in RULES:
        result = make(Exposure(full="circle"), request((open_ground,), rule))
        assert result.cells[6, 10] == 65535
        assert result.cells[0, 0] < 40000


def test_levels_make_tiles_of_equal_steps() -> None:
    samples = make(Exposure(), request()).cells.astype(int)
    result = make(Exposure(levels=4), request())
    assert result.kind == "tiles"
    assert [tile.name for tile in result.tiles] == ["blocked", *(f"exposure_{n}" for n in range(4))]
    floor_cells = ground().cells == 0
    assert np.array_equal(result.cells == 0, ~floor_cells)
    middle = floor_cells & (samples % 16384 > 400) & (samples % 16384 < 16000)
    assert np.array_equal(result.cells[middle], samples[middle] // 16384 + 1)


def test_one_level_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"value 1 is not allowed \(allowed: 0, or 2 to 16\)"):
        make(Exposure(levels=1), request())


@each_case("rule", RULES)
def test_cover_is_the_share_of_near_floor_that_does_not_see_a_cell(rule: tuple[str, bool]) -> None:
    requested = request(rule=rule)
    assert requested.visibility is not None
    table = requested.visibility()
    fields = fields_of_view(table)
    result = make(Cover(levels=0), requested)
    floor_cells = [(int(x), int(y)) for y, x in np.argwhere(ground().cells == 0)]
    reached = 25 if rule[0] != "raycast" else 24
    for x, y in floor_cells:
        near = [cell for cell in floor_cells if 0 < distance_squared(cell, (x, y)) <= reached]
        hidden = sum(not fields[cell][y, x] for cell in near)
        share = hidden * 1000 // len(near) if near else 1000
        assert result.cells[y, x] == floor(share * 65535 / 1000 + 0.5)
    assert not result.cells[ground().cells != 0].any()


@each_case("rule", RULES)
def test_an_ambush_is_seen_from_near_and_hardly_from_far(rule: tuple[str, bool]) -> None:
    requested = request(rule=rule)
    assert requested.visibility is not None
    fields = fields_of_view(requested.visibility())
    built = make(Ambush(near_radius=2, min_near_cells=2, max_far_percent=40), requested)
    result = names(built)
    floor_cells = [(int(x), int(y)) for y, x in np.argwhere(ground().cells == 0)]
    reached = 25 if rule[0] != "raycast" else 24
    ambushes = 0
    for x, y in floor_cells:
        others = [cell for cell in floor_cells if cell != (x, y)]
        near = [cell for cell in others if distance_squared(cell, (x, y)) <= 4]
        far = [cell for cell in others if 4 < distance_squared(cell, (x, y)) <= reached]
        near_viewers = sum(bool(fields[cell][y, x]) for cell in near)
        far_viewers = sum(bool(fields[cell][y, x]) for cell in far)
        expected = near_viewers >= 2 and far_viewers * 100 <= len(far) * 40
        assert (result[y, x] == "ambush") == expected
        ambushes += expected
    assert 0 < ambushes < len(floor_cells)
    assert built.report["ambush_cells"] == ambushes


@each_case("rule", RULES)
def test_chokes_are_watched_by_the_floor_that_sees_one(rule: tuple[str, bool]) -> None:
    requested = request(rule=rule)
    assert requested.visibility is not None
    fields = fields_of_view(requested.visibility())
    floor_cells = ground().cells == 0
    chokes = find_chokes(floor_cells)
    assert chokes.any()
    result = names(make(ChokeVisibility(), requested))
    for y, x in np.ndindex(HEIGHT, WIDTH):
        if not floor_cells[y, x]:
            assert result[y, x] == "blocked"
        elif chokes[y, x]:
            assert result[y, x] == "choke"
        else:
            sees = (fields[x, y] & chokes).any()
            assert result[y, x] == ("watching" if sees else "floor")


def lamp(number: int, x: int, y: int, name: str = "torch") -> PlacedObject:
    return PlacedObject(number, name, x, y)


@each_case("falloff", ["linear", "smooth", "none"])
@each_case("combine", ["brightest", "sum"])
def test_light_reaches_what_its_objects_see_and_fades(falloff: Any, combine: Any) -> None:
    lamps = (lamp(1, 3, 3), lamp(2, 6, 4), lamp(3, 20, 12), lamp(4, 0, 0, "rock"))
    requested = request(objects=lamps)
    result = make(
        Light(objects=("torch",), radius=7, falloff=falloff, combine=combine, ambient_percent=5),
        requested,
    )
    table = compute_visibility(ground().opaque, 7)
    expected = np.zeros((HEIGHT, WIDTH))
    for item in lamps[:3]:
        for y, x in np.argwhere(table.visible_from(item.x, item.y)):
            distance = sqrt(distance_squared((x, y), (item.x, item.y)))
            share = {"none": 1, "linear": 1 - distance / 8, "smooth": 1 - distance**2 / 64}[falloff]
            light = 65535 * share
            if combine == "sum":
                expected[y, x] = min(expected[y, x] + light, 65535)
            else:
                expected[y, x] = max(expected[y, x], light)
    expected = np.maximum(expected, 65535 * 0.05)
    # Distances are rounded to 256ths of a cell.
    assert np.abs(result.cells - expected).max() <= 3 * 65535 / (8 * 256) + 3
    assert result.report["lights"] == 3


def test_light_can_leave_out_what_is_no_floor() -> None:
    requested = request(objects=(lamp(1, 3, 3),))
    result = make(Light(objects=("torch",), ambient_percent=50, walls=False), requested)
    floor_cells = ground().cells == 0
    assert (result.cells[floor_cells] > 0).all()
    assert not result.cells[~floor_cells].any()


def test_an_object_that_detected_no_position_gives_no_light() -> None:
    requested = request(objects=(lamp(1, 3, 3),))
    both, item = (
        make(Light(objects=names), requested) for names in (("torch", "lamp"), ("torch",))
    )
    assert np.array_equal(both.cells, item.cells)
    assert not make(Light(objects=("lamp",)), requested).cells.any()


def greedy_posts(table: VisibilityTable, cells: Any) -> list[tuple[int, int]]:
    """The greedy choice as documented, counting everything again for every post."""
    places = [(int(x), int(y)) for y, x in np.argwhere(cells)]
    fields = fields_of_view(table)
    unseen = cells.copy()
    posts = []
    while unseen.any():
        best = max(places, key=lambda position: (fields[position] & unseen).sum())
        posts.append(best)
        unseen &= ~fields[best]
    return posts


@each_case("rule", RULES)
@each_case("seed", [1, 2, 3])
def test_watch_posts_are_the_greedy_choice(rule: tuple[str, bool], seed: int) -> None:
    layer = ground(seed)
    table = compute_visibility(layer.opaque, RADIUS, rule[0], see_walls=rule[1])
    posts, unseen = watch_posts(table, layer.cells == 0)
    assert posts == greedy_posts(table, layer.cells == 0)
    assert not unseen.any()


def test_watch_posts_see_all_floor_and_say_so() -> None:
    requested = request()
    assert requested.visibility is not None
    built = make(WatchPosts(), requested)
    result = names(built)
    seen = np.zeros((HEIGHT, WIDTH), bool)
    for y, x in np.argwhere(result == "post").tolist():
        seen |= requested.visibility().visible_from(x, y)
    assert seen[ground().cells == 0].all()
    assert built.complete
    assert built.report["posts"] == (result == "post").sum()


def test_a_limit_of_posts_leaves_the_rest_unseen() -> None:
    result = make(WatchPosts(max_posts=2), request())
    assert not result.complete
    assert (names(result) == "post").sum() == 2
    assert result.report["unseen"] == (names(result) == "unseen").sum() > 0


@each_case("rule", RULES)
def test_gains_fall_the_same_compiled_interpreted_and_in_numpy(
    interpreted: Callable[[str], ModuleType], rule: tuple[str, bool]
) -> None:
    kernel = interpreted("visibility_viewers")
    assert not kernel.COMPILED
    opaque = ground(4).opaque
    table = compute_visibility(opaque, RADIUS, rule[0], see_walls=rule[1])
    y, x = np.nonzero(~opaque)
    results = []
    for loop in (kernel.retract, None):
        gains = np.zeros(opaque.shape, np.int32)
        lower(table, gains, x[::3], y[::3], loop)
        results.append(gains)
    by_default = np.zeros(opaque.shape, np.int32)
    lower(table, by_default, x[::3], y[::3])
    assert np.array_equal(results[0][~opaque], results[1][~opaque])
    assert np.array_equal(by_default[~opaque], results[1][~opaque])
    assert (results[1] < 0).any()


def test_another_layer_or_radius_gives_a_table_of_its_own() -> None:
    other = ground(9, "other")
    result = make(Exposure(of="other", radius=3), request((ground(), other)))
    counts = compute_visibility(other.opaque, 3).count[other.cells == 0]
    assert result.heights is not None
    assert result.heights.maximum == counts.max()
    assert np.array_equal(result.cells == 0, other.cells != 0)


def test_derived_layers_need_visibility_and_a_tile_layer_of_the_levels_size() -> None:
    plain = Request("derived", WIDTH, HEIGHT, open_stream("portable", 1, "derived"))
    with pytest.raises(ParameterError, match="visibility"):
        make(Exposure(), plain)
    with pytest.raises(ParameterError, match="no layer 'cave'") as caught:
        make(Cover(of="cave"), request())
    assert caught.value.path == ("of",)
    relief = Layer("relief", "heights", np.zeros((HEIGHT, WIDTH), np.uint16), "test")
    with pytest.raises(ParameterError, match="not a tile layer"):
        make(Cover(of="relief"), request((ground(), relief)))
    with pytest.raises(ParameterError, match="cannot have its own size"):
        make(Cover(), request(size=(WIDTH + 1, HEIGHT)))


def test_a_map_without_floor_gives_empty_layers() -> None:
    cells = np.ones((HEIGHT, WIDTH), np.uint8)
    solid = Layer("ground", "tiles", cells, "test", tiles=TILES, walkable=cells == 0)
    requested = request((solid,))
    for parameters in (Exposure(), Cover(), Ambush(), ChokeVisibility(), WatchPosts()):
        assert not make(parameters, requested).cells.any()
