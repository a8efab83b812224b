"""Overlays match their slow definitions, on maps of several generators."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import slow_overlays as slow
from built_levels import built
from cases import each_case
from exporter.build.observed import compute_overlay
from exporter.measures import overlays
from exporter.measures.maps import (
    FIRST_NUMBER,
    Circle,
    Label,
    OverlayMap,
    Path,
    classes,
    colored,
    palette,
    scale,
)
from exporter.measures.names import named_overlay
from exporter.model.errors import ParameterError

CAVE = """\
size: [26, 18]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, wall_percent: 47, connect: {connect}}}
objects:
  - {{name: start}}
  - {{name: chest, count: 4, spacing: 3, clear_radius: 1, required: false}}
visibility: {{radius: 5}}
"""
HALL = """\
size: [40, 30]
seed: 5
layers:
  ground: {generator: rooms_and_corridors, connect: guaranteed}
  doors: {generator: doors, of: ground}
objects:
  - {name: stairs_up}
visibility: {radius: 6}
"""
SEEDS = range(1, 6)


def cells_named(result: OverlayMap, name: str) -> set[slow.Cell]:
    (item,) = [item for item in result.classes if item.name == name]
    cells = set(slow.cells_of(result.values == item.id))
    assert len(cells) == item.count
    return cells


def numbers_of(result: OverlayMap) -> dict[slow.Cell, int]:
    return {
        (x, y): int(result.values[y, x]) - FIRST_NUMBER
        for x, y in slow.cells_of(result.values >= FIRST_NUMBER)
    }


@each_case("seed", SEEDS)
@each_case("connect", ["false", "guaranteed"])
def test_maps_of_walkable_cells_are_their_definitions(seed: int, connect: str) -> None:
    build = built(CAVE.format(seed=seed, connect=connect))
    floor = build.level()[0].walkable()
    expected = slow.regions(floor)
    overlay = compute_overlay("regions", build)
    assert [
        cells_named(overlay, f"region {rank}") for rank in range(1, 1 + len(expected[:7]))
    ] == expected[:7]
    rest = set().union(*expected[7:])
    assert set(slow.cells_of(overlay.values == 8)) == rest
    dead = {item for item in slow.cells_of(floor) if len(slow.neighbours(floor, *item)) == 1}
    assert cells_named(compute_overlay("dead_ends", build), "dead end") == dead
    assert cells_named(compute_overlay("chokes", build), "choke") == slow.chokes(floor)
    cells, square = set(slow.cells_of(floor)), list(product((0, 1), (0, 1)))
    corners = [(x, y) for x, y in cells if all((x + a, y + b) in cells for a, b in square)]
    wide = {(x + a, y + b) for x, y in corners for a, b in square}
    assert cells_named(compute_overlay("corridors", build), "one cell wide") == cells - wide


@each_case("seed", SEEDS)
def test_steps_and_reach_are_walks_of_all_cells(seed: int) -> None:
    build = built(CAVE.format(seed=seed, connect="false"))
    level, _ = build.level()
    floor = level.walkable()
    things: dict[str, list[slow.Cell]] = {}
    for item in level.objects:
        things.setdefault(item.name, []).append((item.x, item.y))
    for name, sources in (("steps", things["start"]), ("reach:chest", things["chest"])):
        overlay = compute_overlay(name, build)
        expected = slow.steps(floor, sources)
        assert numbers_of(overlay) == expected
        assert cells_named(overlay, "cannot be reached") == set(slow.cells_of(floor)) - set(
            expected
        )
        assert overlay.scale is not None
        assert (overlay.scale.low, overlay.scale.high) == (0, max(expected.values()))
        assert [(mark.x, mark.y) for mark in overlay.marks if isinstance(mark, Circle)] == sources


@each_case("seed", SEEDS)
def test_the_farthest_cell_has_a_shortest_walk(seed: int) -> None:
    build = built(CAVE.format(seed=seed, connect="false"))
    floor = build.level()[0].walkable()
    overlay = compute_overlay("farthest", build)
    start = min(slow.regions(floor)[0], key=lambda cell: (cell[1], cell[0]))
    expected = slow.steps(floor, [start])
    path, label = overlay.marks
    assert isinstance(path, Path)
    assert isinstance(label, Label)
    assert path.cells[0] == start
    assert len(path.cells) - 1 == max(expected.values()) == expected[path.cells[-1]]
    assert all(slow.near(a, b, 1) for a, b in zip(path.cells, path.cells[1:], strict=False))
    assert all(floor[y, x] for x, y in path.cells)
    assert label == Label(*path.cells[-1], f"{max(expected.values())} steps")


@each_case(
    "layer",
    [
        "{generator: cellular_caves, wall_percent: 55, connect: guaranteed}",
        "{generator: rooms_and_corridors, rooms: 8, connect: guaranteed}",
        "{generator: visited_caves, connect: true, attempts: 2000}",
        "{generator: visited_caves, connect: guaranteed}",
    ],
)
def test_carved_cells_are_as_many_as_the_certificate_counts(layer: str) -> None:
    carved = 0
    for seed in (1, 2, 3):
        build = built(f"size: [48, 40]\nseed: {seed}\nlayers:\n  ground: {layer}\n")
        level, _ = build.level()
        overlay = compute_overlay("carved", build)
        cells = cells_named(overlay, "opened to join regions")
        certificate = level.layers["ground"].certificate
        assert certificate is not None
        assert len(cells) == certificate.cells_carved
        floor = level.walkable()
        assert all(floor[y, x] for x, y in cells)
        # Without them there are the regions that there were.
        for x, y in cells:
            floor[y, x] = False
        assert len(slow.regions(floor)) == certificate.regions_before
        carved += len(cells)
        assert np.array_equal(compute_overlay("carved:ground", build).values, overlay.values)
    assert carved or "rooms" in layer


def test_sight_is_counted_from_the_cells_that_are_seen() -> None:
    build = built(CAVE.format(seed=2, connect="guaranteed"))
    level, _ = build.level()
    floor, sight = level.walkable(), level.visibility
    assert sight is not None
    seen = {cell: sight.visible_from(*cell) for cell in slow.cells_of(floor)}
    exposure = numbers_of(compute_overlay("exposure", build))
    assert exposure == {cell: int(item.sum()) for cell, item in seen.items()}
    shares = {}
    ambushes = set()
    for cell in seen:
        around = [item for item in seen if item != cell and slow.near(item, cell, 25)]
        viewers = [item for item in around if seen[item][cell[1], cell[0]]]
        hidden = len(around) - len(viewers)
        shares[cell] = hidden * 1000 // len(around) // 10 if around else 100
        close = [viewer for viewer in viewers if slow.near(viewer, cell, 9)]
        far = [item for item in around if not slow.near(item, cell, 9)]
        if len(close) >= 6 and (len(viewers) - len(close)) * 100 <= len(far) * 10:
            ambushes.add(cell)
    assert numbers_of(compute_overlay("cover", build)) == shares
    assert cells_named(compute_overlay("ambush", build), "ambush") == ambushes
    posts = compute_overlay("watch_posts", build)
    chosen = cells_named(posts, "post")
    together = np.logical_or.reduce([seen[item] for item in chosen])
    assert together[floor].all()
    assert posts.classes[1].count == 0
    # Each of them sees most of the cells that the ones before it leave.
    left = set(seen)
    for label in posts.marks:
        assert isinstance(label, Label)
        gains = {item: sum(bool(seen[item][y, x]) for x, y in left) for item in seen}
        assert gains[label.x, label.y] == max(gains.values())
        left -= {(x, y) for x, y in left if seen[label.x, label.y][y, x]}
    assert not left


def test_rooms_tell_their_neighbours_and_where_ways_are() -> None:
    build = built(HALL)
    level, _ = build.level()
    overlay = compute_overlay("rooms", build)
    layers = [layer for layer in level.play_layers() if layer.rooms]
    rooms = [room for layer in layers for room in layer.rooms]
    ways = [way for layer in layers for way in layer.connections]
    assert [mark.text for mark in overlay.marks if isinstance(mark, Label)] == [
        room.name for room in rooms
    ]
    assert [mark.cells[1] for mark in overlay.marks if isinstance(mark, Path)] == [
        (way.x, way.y) for way in ways
    ]
    assert cells_named(overlay, "door") == {(way.x, way.y) for way in ways if way.kind == "door"}
    assert cells_named(overlay, "door")
    names = {0: "room without a way", 1: "room with one neighbour", 2: "room with two neighbours"}
    marked = cells_named(overlay, "door") | cells_named(overlay, "opening")
    for number, room in enumerate(rooms):
        others = {item for way in ways if number in way.rooms for item in way.rooms} - {number}
        cell = room.center
        if cell not in marked and level.walkable()[cell[1], cell[0]]:
            assert overlay.describe(*cell) == names.get(len(others), "room with more neighbours")


@each_case("seed", SEEDS)
def test_circles_are_cells_within_euclidean_distances(seed: int) -> None:
    build = built(CAVE.format(seed=seed, connect="guaranteed"))
    level, _ = build.level()
    overlay = compute_overlay("circles:chest", build)
    chests = [(item.x, item.y) for item in level.objects if item.name == "chest"]
    assert chests
    for y in range(level.height):
        for x in range(level.width):
            expected = ""
            if any(slow.near((x, y), chest, 3 * 3 - 1) for chest in chests):
                expected = "nearer than spacing 3"
            if any(slow.near((x, y), chest, 1) for chest in chests):
                expected = "clear within 1"
            if (x, y) in chests:
                expected = "chest"
            assert overlay.describe(x, y) == expected
    circles = {(mark.x, mark.y, mark.radius) for mark in overlay.marks if isinstance(mark, Circle)}
    assert circles == {(x, y, radius) for x, y in chests for radius in (1, 3)}


def test_every_overlay_works_and_says_what_it_shows() -> None:
    text = HALL.replace("stairs_up}", "stairs_up}\n  - {name: chest, count: 2}")
    build = built(f"{text}\nmission: {{start: stairs_up, goal: exit}}\n")
    level, _ = build.level()
    result = overlays()
    assert len(result) == 17
    for name, item in result.items():
        text = f"{name}:chest" if not item.plain else name
        overlay = compute_overlay(text, build)
        assert overlay.values.shape == (level.height, level.width)
        ids = {kind.id for kind in overlay.classes}
        assert set(np.unique(overlay.values[overlay.values < FIRST_NUMBER]).tolist()) <= ids | {0}
        assert item.summary.endswith(".")
        assert colored(overlay).shape == (level.height, level.width, 4)


@each_case(
    ("name", "message"),
    [
        ("choke", "unknown overlay 'choke' (did you mean 'chokes'?)"),
        ("why", "did you mean 'refused'?"),
        ("chokes:ground", "the overlay 'chokes' takes no argument (write chokes)"),
        ("reach", "the overlay 'reach' needs the name of objects (write reach:NAME)"),
        ("refused:", "the name after 'refused:' is missing (write refused:NAME)"),
    ],
)
def test_a_wrong_name_is_reported_with_a_way_out(name: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        named_overlay(name)
    assert message in caught.value.message


@each_case(
    ("name", "message"),
    [
        ("reach:chst", "unknown object 'chst' (did you mean 'chest'?)"),
        ("reach:none", "the level has no object 'none'"),
        ("circles:chest:3", "there is no entry 3 of 'chest' (allowed: 1 to 2)"),
        ("circles:chest:x", "'x' is not the number of an entry of chest (write chest:2)"),
        ("carved:grund", "unknown layer 'grund' (did you mean 'ground'?)"),
        ("carved:small", "the layer 'small' differs in size from the level"),
        (
            "exposure",
            "the level has no `visibility:` (write `visibility: {radius: 8}` at the left margin)",
        ),
        ("rooms", "no layer was built of rooms (use rooms_and_corridors"),
    ],
)
def test_what_a_level_lacks_is_reported(name: str, message: str) -> None:
    build = built(
        "size: [20, 16]\nlayers:\n  ground: {generator: cellular_caves}\n"
        "  small: {generator: heightmap, size: [9, 9]}\n"
        "objects: [{name: chest}, {name: chest}, "
        "{name: none, count: 1, required: false, clear_radius: 9}]\n"
    )
    with pytest.raises(ParameterError) as caught:
        compute_overlay(name, build)
    assert message in caught.value.message


def test_later_classes_lie_above_earlier_ones_and_counts_are_of_what_is_seen() -> None:
    first = np.array([[True, True, False]])
    second = np.array([[False, True, False]])
    result = classes((first, "a"), (second, "b", "#010203"))
    assert result.values.tolist() == [[1, 2, 0]]
    assert [item.count for item in result.classes] == [1, 1]
    assert (result.describe(0, 0), result.describe(1, 0), result.describe(2, 0)) == ("a", "b", "")
    assert colored(result)[0].tolist() == [[230, 159, 0, 255], [1, 2, 3, 255], [0, 0, 0, 0]]


@pytest.mark.parametrize(("most", "kind"), [(65_279, np.uint16), (65_280, np.int32)])
def test_numbers_that_sixteen_bits_do_not_hold_get_more(most: int, kind: type) -> None:
    numbers = np.array([[5, most, 7]], np.int32)
    result = scale(numbers, np.array([[True, True, False]]), "steps")
    assert result.values.dtype == kind
    assert result.scale is not None
    assert (result.scale.low, result.scale.high) == (5, most)
    assert (result.describe(0, 0), result.describe(1, 0)) == ("5 steps", f"{most} steps")
    colors = colored(result)[0]
    assert colors[0].tolist() == palette(result)[1, 0].tolist() == [0, 34, 78, 255]
    assert colors[1].tolist() == palette(result)[1, 255].tolist() == [254, 232, 56, 255]
    assert colors[2].tolist() == [0, 0, 0, 0]


def test_brightness_rises_along_the_scale() -> None:
    """Also eyes that see no colours can read it."""
    ramp = palette(classes((np.ones((1, 1), bool), "a")))[1, :, :3].astype(int)
    brightness = ramp @ (299, 587, 114)
    assert (np.diff(brightness) >= 0).all()


def test_a_map_without_floor_has_overlays_too() -> None:
    text = (
        "size: [5, 4]\nlayers:\n  ground: {generator: blank, tile: wall}\nvisibility: {radius: 3}\n"
    )
    build = built(text)
    for name in ("regions", "carved", "dead_ends", "chokes", "steps", "farthest", "exposure"):
        assert not compute_overlay(name, build).values.any()
