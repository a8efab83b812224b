"""Rooms in the blocks of a lattice."""

from __future__ import annotations

from collections import Counter

from cases import each_case
from exporter.build.build import build_level
from exporter.grids.regions import label_regions
from exporter.model.errors import SpecError
from exporter.model.level import Layer
from exporter.reading.reader import parse_level

COLUMNS, ROWS, WIDTH, HEIGHT = 8, 6, 11, 9


def lattice(parameters: str, seed: int = 1) -> Layer:
    """Return a layer of 8 x 6 blocks."""
    text = (
        f"size: [{COLUMNS * WIDTH}, {ROWS * HEIGHT}]\nseed: {seed}\nlayers:\n"
        f"  ground: {{generator: room_lattice, columns: 8, rows: 6, {parameters}}}\n"
    )
    return build_level(parse_level(text.encode(), "lattice.level.yaml")).layers["ground"]


def blocks_of(layer: Layer) -> list[tuple[int, int]]:
    """Return the block of each room."""
    return [(room.center[0] // WIDTH, room.center[1] // HEIGHT) for room in layer.rooms]


@each_case("rooms", [1, 6, 20, 48])
def test_rooms_have_a_block_each_and_are_joined_with_adjacent_ones(rooms: int) -> None:
    for seed in range(5):
        layer = lattice(f"rooms: {rooms}, loop_percent: 30", seed)
        blocks = blocks_of(layer)
        assert len(set(blocks)) == len(blocks) == rooms
        for room, (column, row) in zip(layer.rooms, blocks, strict=True):
            assert column * WIDTH < room.x < room.x + room.width < (column + 1) * WIDTH
            assert row * HEIGHT < room.y < room.y + room.height < (row + 1) * HEIGHT
        for connection in layer.connections:
            (a, b), (c, d) = (blocks[room] for room in connection.rooms)
            assert abs(a - c) + abs(b - d) == 1
        assert layer.walkable is not None
        assert label_regions(layer.walkable).sizes.size == 1
        assert len({frozenset(item.rooms) for item in layer.connections}) >= rooms - 1


def test_loops_leave_dead_ends_as_they_are() -> None:
    tree, loops = lattice("rooms: 30, loop_percent: 0"), lattice("rooms: 30, loop_percent: 100")
    assert blocks_of(tree) == blocks_of(loops)
    assert len(tree.connections) == 29 < len(loops.connections)

    def dead_ends(layer: Layer) -> set[int]:
        degrees = Counter(room for item in layer.connections for room in item.rooms)
        return {room for room, count in degrees.items() if count == 1}

    assert len(dead_ends(tree)) >= 6
    assert dead_ends(tree) == dead_ends(loops)


@each_case(
    ("parameters", "message"),
    [
        ("rooms: 49", "8 x 6 blocks hold 48 rooms, not 49"),
        ("min_room_size: [3, 8]", "a block has a height of 9 cells, and a room of 8 needs 10"),
    ],
)
def test_rooms_that_do_not_fit_are_refused(parameters: str, message: str) -> None:
    try:
        lattice(parameters)
    except SpecError as error:
        assert message in str(error)
    else:
        raise AssertionError("it was accepted")
