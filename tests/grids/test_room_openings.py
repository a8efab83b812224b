"""Cells of doors against a slow reading of their definition, and unchanged cells."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.grids.regions import label_regions
from exporter.grids.room_graph import room_labels
from exporter.grids.room_openings import door_places
from exporter.model.level import Room

SIDES = [(1, 0), (0, 1), (-1, 0), (0, -1)]


@st.composite
def maps(draw):
    """Blocks of floor with corridors between them, so that doors fit in many places."""
    width, height = draw(st.integers(1, 24)), draw(st.integers(1, 24))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    walkable = np.zeros((height, width), bool)
    rooms = []
    for number in range(draw(st.integers(0, 6))):
        x, y = int(random.integers(width)), int(random.integers(height))
        columns, rows = random.integers(1, 7, 2).tolist()
        walkable[y : y + rows, x : x + columns] = True
        room = Room(f"r{number}", x, y, columns, rows, (x + columns // 2, y + rows // 2))
        rooms.append(room)
    for _ in range(draw(st.integers(0, 8))):
        x, y = int(random.integers(width)), int(random.integers(height))
        broad, long = random.integers(1, 3), random.integers(3, 20)
        columns, rows = (broad, long) if random.random() < 0.5 else (long, broad)
        walkable[y : y + rows, x : x + columns] = True
    walkable &= random.random((height, width)) < draw(st.sampled_from([0.9, 1.0]))
    present = walkable & (random.random((height, width)) < draw(st.sampled_from([0, 0.05])))
    expected = random.random((height, width)) < 0.5 if draw(st.booleans()) else None
    return walkable, rooms, present, expected, draw(st.integers(1, 4))


class Cells:
    """Cells by (x, y); outside of the map nothing is set."""

    def __init__(self, mask):
        self.set = {(x, y) for y, x in np.argwhere(mask).tolist()}

    def __call__(self, x, y):
        return (x, y) in self.set


def slow_openings(walkable, labels):
    """Return the openings: the cells of the room's edge in order, and the side."""
    height, width = labels.shape

    def opens(x, y, dx, dy):
        if not (0 <= x < width and 0 <= y < height and labels[y, x]):
            return False
        if not (0 <= x + dx < width and 0 <= y + dy < height) or not walkable[y + dy, x + dx]:
            return False
        other = labels[y + dy, x + dx]
        return other == 0 or other > labels[y, x]

    for dx, dy in SIDES:
        for y, x in np.ndindex(labels.shape):
            back = (x - abs(dy), y - abs(dx))
            if not opens(x, y, dx, dy):
                continue
            if opens(*back, dx, dy) and labels[back[1], back[0]] == labels[y, x]:
                continue
            cells = [(x, y)]
            while True:
                step = (cells[-1][0] + abs(dy), cells[-1][1] + abs(dx))
                if not opens(*step, dx, dy) or labels[step[1], step[0]] != labels[y, x]:
                    break
                cells.append(step)
            yield cells, (dx, dy)


def slow_places(walkable, labels, present, expected, max_width):
    walks, ways = Cells(walkable), Cells(present & walkable)
    doors, walls, counts = [], [], [0, 0, 0]
    for cells, (dx, dy) in slow_openings(walkable, labels):
        counts[0] += 1
        front = [(x + dx, y + dy) for x, y in cells]
        if {*cells, *front} & ways.set:
            counts[1] += 1
            continue
        for line in (cells, front):
            (x, y), (last_x, last_y) = line[0], line[-1]
            ends = walks(x - abs(dy), y - abs(dx)) or walks(last_x + abs(dy), last_y + abs(dx))
            sides = [(x + s * dx, y + s * dy) for x, y in line for s in (-1, 0, 1)]
            if not ends and all(walks(*at) for at in sides):
                break
        else:
            counts[2] += 1
            continue
        if len(line) > max_width:
            counts[2] += 1
            continue
        door = line[(len(line) - 1) // 2]
        if any(ways(door[0] + a, door[1] + b) for a, b in SIDES):
            counts[1] += 1
            continue
        if expected is not None and not expected[door[1], door[0]]:
            continue
        doors.append(door)
        ways.set.add(door)
        for at in line:
            if at != door:
                walls.append(at)
                walks.set.remove(at)
    return doors, walls, counts


@settings(deadline=None, max_examples=120)
@given(maps())
def test_doors_are_where_the_definition_puts_them(drawn):
    walkable, rooms, present, expected, max_width = drawn
    labels = room_labels(walkable, rooms)
    result = door_places(walkable, labels, present, expected, max_width)
    doors, walls, counts = slow_places(walkable, labels, present, expected, max_width)
    assert list(result.doors) == doors
    assert list(result.walls) == walls
    assert [result.openings, result.existing, result.unfit] == counts


@settings(deadline=None, max_examples=120)
@given(maps())
def test_doors_stand_between_walls_and_never_touch_and_everything_stays_connected(drawn):
    walkable, rooms, present, expected, max_width = drawn
    result = door_places(walkable, room_labels(walkable, rooms), present, expected, max_width)
    after = walkable.copy()
    for x, y in result.walls:
        after[y, x] = False
    framed = np.pad(after, 1)
    for x, y in result.doors:
        column, row = framed[y : y + 3, x + 1], framed[y + 1, x : x + 3]
        assert column[1]
        assert sorted([column.tolist(), row.tolist()]) == [[False, True, False], [True] * 3]
        touching = {(x + dx, y + dy) for dx, dy in SIDES}
        assert not touching & {*result.doors, *Cells(present & walkable).set}
    before, now = label_regions(walkable), label_regions(after)
    assert before.count == now.count
    pairs = set(zip(before.labels[after].tolist(), now.labels[after].tolist(), strict=True))
    assert len(pairs) == now.count


def rooms_beside_each_other(*lines):
    """Return what `door_places` says of two rooms, drawn with the letters `a` and `b`."""
    cells = np.array([list(line) for line in lines])
    walkable = cells != "#"
    labels = (1 * (cells == "a") + 2 * (cells == "b")).astype(np.int32)
    return door_places(walkable, labels, np.zeros(cells.shape, bool))


def test_a_corridor_has_a_door_at_each_end():
    assert rooms_beside_each_other("#######", "a.....b", "#######").doors == ((1, 1), (5, 1))


def test_a_corridor_of_two_cells_has_one_door():
    result = rooms_beside_each_other("####", "a..b", "####")
    assert (result.doors, result.openings, result.existing) == (((1, 1),), 2, 1)


def test_no_door_lies_in_a_corner():
    result = rooms_beside_each_other("aa##", "aa.#", "##.#", "##b#")
    assert result.unfit == 1
    assert result.doors == ((2, 2),)


def test_walls_that_belong_to_the_room_have_its_doors():
    result = rooms_beside_each_other("######", "#aaa..", "######")
    assert result.doors == ((3, 1),)
