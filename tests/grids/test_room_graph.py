"""The room graph against a slow reading of its definition, and on maps drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.grids import room_graph
from exporter.grids.regions import label_regions
from exporter.grids.room_graph import room_edges, room_labels
from exporter.model.level import Connection, Room
from interpreted_kernels import interpreted

STEPS = [(0, -1), (-1, 0), (1, 0), (0, 1)]


def slow_labels(walkable, rooms):
    """Give rooms their cells as the definition says, cell by cell."""
    height, width = walkable.shape
    labels = np.zeros(walkable.shape, int)
    for index in sorted(range(len(rooms)), key=lambda i: rooms[i].width * rooms[i].height):
        room = rooms[index]
        free = {
            (x, y)
            for y in range(max(room.y, 0), min(room.y + room.height, height))
            for x in range(max(room.x, 0), min(room.x + room.width, width))
            if walkable[y, x] and not labels[y, x]
        }
        if not free:
            continue
        x, y = room.center
        seen = {min(free, key=lambda at: (abs(at[0] - x) + abs(at[1] - y), at[1], at[0]))}
        while True:
            more = {(x + dx, y + dy) for x, y in seen for dx, dy in STEPS} & free
            if more <= seen:
                break
            seen |= more
        for x, y in seen:
            labels[y, x] = index + 1
    return labels


def slow_territory(walkable, labels):
    """Return the nearest room of every cell and its steps, from all walks at once."""
    far = 10**6
    cells = [(x, y) for y, x in np.argwhere(walkable).tolist()]
    best = {(x, y): (0, labels[y, x]) if labels[y, x] else (far, 0) for x, y in cells}
    changed = True
    while changed:
        changed = False
        for x, y in cells:
            for dx, dy in STEPS:
                steps, room = best.get((x + dx, y + dy), (far, 0))
                if steps < far and (steps + 1, room) < best[x, y]:
                    best[x, y], changed = (steps + 1, room), True
    return best


def slow_edges(walkable, doors, rooms):
    """Find the ways with sets and dictionaries."""
    best = slow_territory(walkable, slow_labels(walkable, rooms))
    touching = {}
    for (x, y), (steps, room) in best.items():
        for dx, dy in STEPS:
            other = (x + dx, y + dy)
            steps_on, room_on = best.get(other, (0, 0))
            if room and room_on > room:
                position = (y + other[1], x + other[0])
                touching.setdefault((room, room_on), {})[position] = (
                    steps + steps_on,
                    (x, y),
                    other,
                )
    chosen = []
    for pair, places in touching.items():
        while places:
            group = [next(iter(places))]
            for y, x in group:
                near = [
                    at
                    for at in places
                    if at not in group and abs(at[0] - y) <= 2 and abs(at[1] - x) <= 2
                ]
                group += near
            shortest = min(places[at][0] for at in group)
            equal = sorted(at for at in group if places[at][0] == shortest)
            chosen.append((pair, *places[equal[(len(equal) - 1) // 2]][1:]))
            places = touching[pair] = {at: way for at, way in places.items() if at not in group}
    ways = [
        [at for at in [*walk(best, item)[::-1], *walk(best, two)] if doors[at[1], at[0]]]
        for _, item, two in chosen
    ]
    result = []
    for (pair, item, two), on_it in zip(chosen, ways, strict=True):
        kind = "door" if on_it else "opening"
        x, y = item if best[item][0] or not best[two][0] else two
        if on_it:
            x, y = min(on_it, key=lambda door: sum(door in way for way in ways))
        result.append(Connection((pair[0] - 1, pair[1] - 1), x, y, kind))
    return sorted(result, key=lambda edge: (edge.rooms, edge.y, edge.x))


def walk(best, at):
    cells = [at]
    while best[at][0]:
        steps, room = best[at]
        at = next(
            (at[0] + dx, at[1] + dy)
            for dx, dy in STEPS
            if best.get((at[0] + dx, at[1] + dy)) == (steps - 1, room)
        )
        cells.append(at)
    return cells


@st.composite
def maps(draw):
    width, height = draw(st.integers(1, 14)), draw(st.integers(1, 14))
    share = draw(st.sampled_from([0.5, 0.7, 0.9, 1.0]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    walkable = random.random((height, width)) < share
    doors = walkable & (random.random((height, width)) < draw(st.sampled_from([0, 0.1, 0.4])))
    rooms = []
    for number in range(draw(st.integers(0, 6))):
        x, y = draw(st.integers(-2, width)), draw(st.integers(-2, height))
        columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
        center = (x + draw(st.integers(-1, columns)), y + draw(st.integers(-1, rows)))
        rooms.append(Room(f"room_{number}", x, y, columns, rows, center))
    return walkable, doors, rooms


@settings(deadline=None, max_examples=120)
@given(maps())
def test_labels_and_ways_are_those_of_the_definition(drawn):
    walkable, doors, rooms = drawn
    labels = room_labels(walkable, rooms)
    np.testing.assert_array_equal(labels, slow_labels(walkable, rooms))
    assert labels.dtype == np.int32
    assert list(room_edges(walkable, doors, rooms)) == slow_edges(walkable, doors, rooms)


@settings(deadline=None, max_examples=100)
@given(maps())
def test_rooms_are_joined_by_ways_exactly_if_one_can_walk_between_them(drawn):
    walkable, doors, rooms = drawn
    edges = room_edges(walkable, doors, rooms)
    labels = room_labels(walkable, rooms)
    regions = label_regions(walkable).labels
    groups = list(range(len(rooms)))
    for edge in edges:
        item, other = (groups[room] for room in edge.rooms)
        groups = [item if group == other else group for group in groups]
    places = {number: tuple(np.argwhere(labels == number)[0]) for number in set(labels.flat) - {0}}
    for item, at in places.items():
        for other, there in places.items():
            assert (regions[at] == regions[there]) == (groups[item - 1] == groups[other - 1])


def test_uncompiled_graphs_are_the_same(monkeypatch):
    random = np.random.default_rng(5)
    walkable = random.random((60, 70)) < 0.8
    doors = random.random((60, 70)) < 0.1
    corners = random.integers(0, 60, (20, 2)).tolist()
    rooms = [Room(f"r{x}", x, y, 9, 6, (x + 4, y + 3)) for x, y in corners]
    compiled = room_edges(walkable, doors, rooms)
    kernel = interpreted("room_territories")
    monkeypatch.setattr(room_graph, "claim_rooms", kernel.claim_rooms)
    monkeypatch.setattr(room_graph, "spread_rooms", kernel.spread_rooms)
    assert room_edges(walkable, doors, rooms) == compiled
    assert len(compiled) > 10


def drawn(*lines):
    """Read a map: digits are cells of rooms, `+` doors, `.` corridors, `#` walls."""
    cells = np.array([list(line) for line in lines])
    rooms = []
    for digit in sorted(set(cells.flat) - set("#+.")):
        rows, columns = np.nonzero(cells == digit)
        left, top = int(columns.min()), int(rows.min())
        width, height = int(columns.max()) - left + 1, int(rows.max()) - top + 1
        center = (left + width // 2, top + height // 2)
        rooms.append(Room(f"room_{digit}", left, top, width, height, center))
    return cells != "#", cells == "+", rooms


def edges_of(*lines):
    return [(*edge.rooms, edge.x, edge.y, edge.kind) for edge in room_edges(*drawn(*lines))]


def test_a_corridor_is_one_way_in_its_middle():
    assert edges_of("#######", "11...22", "#######") == [(0, 1, 3, 1, "opening")]


def test_rooms_that_touch_are_connected_in_the_middle_of_where_they_touch():
    assert edges_of("112", "112", "112") == [(0, 1, 1, 1, "opening")]


def test_a_door_between_two_rooms_is_the_position():
    assert edges_of("11#22", "11+22", "11#22") == [(0, 1, 2, 1, "door")]


def test_where_three_corridors_meet_the_nearest_room_is_connected_to_the_others():
    result = edges_of("11....22", "####.###", "####.###", "####.###", "####33##")
    assert result == [(0, 1, 3, 0, "opening"), (1, 2, 4, 1, "opening")]


def test_the_door_at_the_branch_end_is_chosen():
    result = edges_of("11+....+22", "####.#####", "####.#####", "####+#####", "####33####")
    assert result == [(0, 1, 7, 0, "door"), (0, 2, 4, 3, "door")]


def test_two_corridors_between_two_rooms_are_two_ways():
    result = edges_of("11...22", "11###22", "11###22", "11.+.22")
    assert result == [(0, 1, 3, 0, "opening"), (0, 1, 3, 3, "door")]


def test_a_corridor_that_comes_back_to_its_room_connects_nothing():
    assert edges_of("11..", "11#.", "11..", "####", "2222") == []


def test_a_room_inside_of_another_has_its_cells():
    rooms = [Room("hall", 0, 0, 5, 5, (2, 2)), Room("altar", 2, 2, 1, 1, (2, 2))]
    walkable = np.ones((5, 5), bool)
    labels = room_labels(walkable, rooms)
    assert labels[2, 2] == 2
    assert (labels == 1).sum() == 24
    edges = room_edges(walkable, ~walkable, rooms)
    assert [edge.rooms for edge in edges] == [(0, 1)]


def test_a_corridor_in_the_corner_of_a_rectangle_is_not_of_the_room():
    walkable = np.array([[0, 0, 0, 1, 1], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0]], bool)
    rooms = [Room("cave", 0, 0, 4, 3, (1, 1))]
    assert room_labels(walkable, rooms).tolist() == [
        [0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
    ]


def test_a_door_that_nobody_can_pass_connects_nothing():
    walkable, doors, rooms = drawn("11+22")
    assert room_edges(walkable & ~doors, doors, rooms) == ()


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_rooms_have_no_ways(count):
    walkable, doors, rooms = drawn("11.", "11.")
    assert room_edges(walkable, doors, rooms[:count]) == ()
    assert (room_labels(walkable, rooms[:count]) > 0).sum() == 4 * count
