"""Every metric once more, from its definition in words: plain loops over cells, no arrays."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import log2, sqrt
from statistics import pstdev

from exporter import write_blob
from exporter.model.level import Level

Cell = tuple[int, int]
STARTS = ["start", "entrance", "entry", "spawn", "player_start", "player", "stairs_up"]
EXITS = ["exit", "goal", "end", "finish", "stairs_down"]


class Slow:
    """A level as a set of floor cells (x, y) and the cells that each of them sees."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.width, self.height = level.width, level.height
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.floor = {cell for cell in self.cells if self._walkable(*cell)}

    def _walkable(self, x: int, y: int) -> bool:
        """Say whether some play layer has floor there, and none something solid."""
        result = False
        for layer in self.level.layers.values():
            if layer.role != "play" or layer.kind != "tiles" or not layer.grid_aligned:
                continue
            tile = next(item for item in layer.tiles if item.id == layer.cells[y, x])
            if not tile.walkable and tile.name not in ("empty", "nothing", "none", "other"):
                return False
            result = result or tile.walkable
        return result

    def beside(self, cell: Cell) -> list[Cell]:
        x, y = cell
        return [c for c in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if c in self.floor]

    def around(self, cell: Cell) -> list[Cell]:
        x, y = cell
        moves = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        return [(x + dx, y + dy) for dx, dy in moves]

    def walks(self, starts: Iterable[Cell], without: Cell | None = None) -> dict[Cell, int]:
        """Return the steps to every cell that can be reached."""
        steps = {cell: 0 for cell in starts if cell in self.floor}
        queue = deque(steps)
        while queue:
            here = queue.popleft()
            for there in self.beside(here):
                if there not in steps and there != without:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps

    def regions(self, cells: set[Cell] | None = None) -> list[set[Cell]]:
        left = set(self.floor if cells is None else cells)
        result = []
        for cell in self.cells:
            if cell in left:
                region = set(self.walks([cell]))
                result.append(region)
                left -= region
        return result

    @property
    def start(self) -> list[Cell]:
        regions = self.regions()
        if not regions:
            return []
        largest = max(regions, key=len)  # the first of equals
        return [next(cell for cell in self.cells if cell in largest)]

    def share(self, count: float) -> float:
        return count / len(self.floor) if self.floor else 0.0

    def placed(self, name: str) -> list[Cell]:
        return [(item.x, item.y) for item in self.level.objects if item.name == name]

    # --- sight --------------------------------------------------------------------------------

    def sighted(self) -> list[Cell]:
        sight = self.level.visibility
        assert sight is not None
        return [(x, y) for x, y in self.cells if (x, y) in self.floor and not sight.opaque[y, x]]

    def seen_from(self, cell: Cell) -> set[Cell]:
        sight = self.level.visibility
        assert sight is not None
        seen = sight.visible_from(*cell)
        return {(x, y) for x, y in self.cells if seen[y, x]}

    def circle(self) -> list[Cell]:
        """Return the offsets that are seen on an empty map."""
        import numpy as np

        from exporter import compute_visibility

        sight = self.level.visibility
        assert sight is not None
        side = 2 * sight.radius + 3
        middle = sight.radius + 1
        table = compute_visibility(
            np.zeros((side, side), bool), sight.radius, sight.algorithm, see_walls=sight.see_walls
        )
        seen = table.visible_from(middle, middle)
        return [(x - middle, y - middle) for y in range(side) for x in range(side) if seen[y, x]]

    def exposures(self) -> list[Fraction]:
        circle = len(self.circle())
        return [Fraction(len(self.seen_from(cell)), circle) for cell in self.sighted()]

    def within(self, cell: Cell) -> list[Cell]:
        """Return the other floor cells at an offset from which an empty map is seen from there."""
        x, y = cell
        floor = set(self.sighted())
        # A viewer is at the opposite of the offset.
        around = [(x - dx, y - dy) for dx, dy in self.circle() if (dx, dy) != (0, 0)]
        return [item for item in around if item in floor]


def squared(a: Cell, b: Cell) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def loops(slow: Slow) -> int:
    solid = {cell for cell in slow.cells if cell not in slow.floor}
    count = 0
    while solid:
        group, todo = set(), [solid.pop()]
        while todo:
            here = todo.pop()
            group.add(here)
            near = [item for item in slow.around(here) if item in solid]
            solid.difference_update(near)
            todo += near
        count += not any(x in (0, slow.width - 1) or y in (0, slow.height - 1) for x, y in group)
    return count


def corridors(slow: Slow) -> float:
    wide = set()
    for x, y in slow.cells:
        square = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
        if all(cell in slow.floor for cell in square):
            wide.update(square)
    return slow.share(len(slow.floor - wide))


def symmetry(slow: Slow) -> float:
    right, low = slow.width - 1, slow.height - 1
    ways: list[Callable[[int, int], Cell]] = [
        lambda x, y: (right - x, y),
        lambda x, y: (x, low - y),
        lambda x, y: (right - x, low - y),
    ]
    return max(
        sum(((x, y) in slow.floor) == (way(x, y) in slow.floor) for x, y in slow.cells)
        for way in ways
    ) / len(slow.cells)


def openness(slow: Slow) -> float:
    open_cells = sum(item in slow.floor for cell in slow.floor for item in slow.around(cell))
    return slow.share(open_cells / 8)


def chokes(slow: Slow) -> int:
    count = 0
    for cell in slow.floor:
        near = slow.beside(cell)
        if near:
            count += not set(near) <= set(slow.walks(near[:1], without=cell))
    return count


def cover(slow: Slow) -> float:
    total = 0
    cells = slow.sighted()
    views = {cell: slow.seen_from(cell) for cell in cells}
    for cell in cells:
        near = slow.within(cell)
        hidden = sum(cell not in views[item] for item in near)
        total += hidden * 1000 // len(near) if near else 1000
    return total / (1000 * len(cells)) if cells else 0.0


def ambush(slow: Slow) -> float:
    cells = slow.sighted()
    views = {cell: slow.seen_from(cell) for cell in cells}
    count = 0
    for cell in cells:
        around = slow.within(cell)
        near = [item for item in around if squared(item, cell) <= 9]
        far = [item for item in around if squared(item, cell) > 9]
        seen_near = sum(cell in views[item] for item in near)
        seen_far = sum(cell in views[item] for item in far)
        count += seen_near >= 6 and seen_far * 100 <= len(far) * 10
    return count / len(cells) if cells else 0.0


def longest_sight(slow: Slow) -> float:
    cells = slow.sighted()
    floor = set(cells)
    pairs = [squared(a, b) for a in cells for b in slow.seen_from(a) & floor]
    return sqrt(max(pairs, default=0))


def exposure_spread(slow: Slow) -> float:
    shares = slow.exposures()
    return float(pstdev(map(float, shares))) if shares else 0.0


def tile_entropy(slow: Slow) -> float:
    layer = [item for item in slow.level.layers.values() if item.role == "play"][-1]
    counts = Counter(int(layer.cells[y, x]) for x, y in slow.cells)
    return sum(count / len(slow.cells) * log2(len(slow.cells) / count) for count in counts.values())


def distance(slow: Slow, first: str, second: str) -> int | None:
    start, *others = slow.placed(first)
    steps = slow.walks([start])
    ends = others if first == second else slow.placed(second)
    reached = [steps[end] for end in ends if end in steps]
    return min(reached, default=None)


def path_cells(slow: Slow, first: str, second: str) -> tuple[int, set[Cell]] | None:
    """Return the steps from A to the nearest B, and the cells of all walks that are as short."""
    start = slow.placed(first)[0]
    there = slow.walks([start])
    ends = [end for end in slow.placed(second) if end in there]
    if not ends:
        return None
    end = min(ends, key=lambda item: there[item])
    back = slow.walks([end])
    steps = there[end]
    return steps, {cell for cell in there if there[cell] + back[cell] == steps}


def detours(slow: Slow, first: str, second: str) -> float | None:
    result = path_cells(slow, first, second)
    if result is None:
        return None
    steps = slow.walks(result[1])
    return slow.share(sum(steps.get(cell, 99) > 8 for cell in slow.floor))


def path_share(slow: Slow, first: str, second: str) -> float | None:
    result = path_cells(slow, first, second)
    return None if result is None else slow.share(result[0] + 1)


def path_steps(slow: Slow, first: str, second: str) -> int | None:
    result = path_cells(slow, first, second)
    return None if result is None else result[0]


def exit_path(
    measure: Callable[[Slow, str, str], float | None],
) -> Callable[[Slow], float | None]:
    """Measure between the objects that are thought to be start and exit."""

    def from_start_to_exit(slow: Slow) -> float | None:
        names = {item.name for item in slow.level.objects}
        first = next((name for name in STARTS if name in names), None)
        second = next((name for name in EXITS if name in names), None)
        return None if first is None or second is None else measure(slow, first, second)

    return from_start_to_exit


def rooms(slow: Slow) -> int | None:
    play = [layer for layer in slow.level.layers.values() if layer.role == "play"]
    return sum(len(item.rooms) for item in play) or None


def room_neighbours(slow: Slow) -> dict[tuple[str, int], dict[tuple[str, int], int]] | None:
    """Return of every room (layer, place) the rooms next to it, each with the doors on the way."""
    result: dict[tuple[str, int], dict[tuple[str, int], int]] = {}
    for layer in slow.level.layers.values():
        if layer.role == "play":
            result |= {(layer.name, index): {} for index in range(len(layer.rooms))}
            for way in layer.connections:
                item, other = ((layer.name, room) for room in way.rooms)
                doors = [result[item].get(other, 1), 1 if way.kind == "door" else 0]
                result[item][other] = result[other][item] = min(doors)
    return result or None


def room_at(slow: Slow, cell: Cell) -> tuple[str, int] | None:
    """Return the room of a walkable cell: that of the last layer, and there the smallest."""
    result = None
    for layer in slow.level.layers.values():
        if layer.role != "play" or layer.walkable is None:
            continue
        used: set[Cell] = set()
        order = range(len(layer.rooms))
        for position in sorted(order, key=lambda i: layer.rooms[i].width * layer.rooms[i].height):
            room = layer.rooms[position]
            inside = {
                (x, y)
                for x, y in slow.cells
                if room.x <= x < room.x + room.width and room.y <= y < room.y + room.height
                if layer.walkable[y, x] and (x, y) not in used
            }
            x, y = room.center
            middle = min(inside, key=lambda c: (abs(c[0] - x) + abs(c[1] - y), c[1], c[0]))
            reached, waiting = {middle}, [middle]
            while waiting:
                x, y = waiting.pop()
                for there in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                    if there in inside and there not in reached:
                        reached.add(there)
                        waiting.append(there)
            used |= reached
            if cell in reached:
                result = (layer.name, position)
    return result


def room_degree(slow: Slow) -> float | None:
    ways = room_neighbours(slow)
    return None if ways is None else sum(map(len, ways.values())) / len(ways)


def room_loops(slow: Slow) -> int | None:
    """Count the edges that a spanning forest of the rooms leaves over."""
    ways = room_neighbours(slow)
    if ways is None:
        return None
    parts = {room: {room} for room in ways}
    over = 0
    for item, others in ways.items():
        for other in others:
            if item < other and parts[item] is parts[other]:
                over += 1
            elif item < other:
                parts[item] |= parts[other]
                for room in parts[other]:
                    parts[room] = parts[item]
    return over


def dead_end_rooms(slow: Slow) -> int | None:
    ways = room_neighbours(slow)
    return None if ways is None else sum(len(way) == 1 for way in ways.values())


def path_doors(slow: Slow, first: str, second: str) -> int | None:
    """Relax every way until nothing changes."""
    ways = room_neighbours(slow)
    start, *others = slow.placed(first)
    ends = [room_at(slow, end) for end in (others if first == second else slow.placed(second))]
    if ways is None or room_at(slow, start) is None:
        return None
    doors = {room_at(slow, start): 0}
    for _ in ways:
        for item, there in ways.items():
            for other, door in there.items():
                if item in doors:
                    doors[other] = min(doors.get(other, 999), doors[item] + door)
    return min((doors[end] for end in ends if end is not None and end in doors), default=None)


def blob_bytes(slow: Slow) -> int:
    return len(write_blob(slow.level))


def mean(shares: list[Fraction]) -> float:
    return float(sum(shares) / len(shares)) if shares else 0.0


# Each metric by its name without arguments.
PLAIN: dict[str, Callable[[Slow], float | None]] = {
    # No level here has a mission; `tests/build/test_missions.py` measures those.
    "mission_backtracking": lambda level: None,
    "mission_branches": lambda level: None,
    "mission_rooms": lambda level: None,
    "ambush": ambush,
    "blob_bytes": blob_bytes,
    "chokes": chokes,
    "corridors": corridors,
    "cover": cover,
    "critical_path": exit_path(path_steps),
    "critical_path_doors": exit_path(path_doors),
    "critical_path_share": exit_path(path_share),
    "dead_ends": lambda slow: sum(len(slow.beside(cell)) == 1 for cell in slow.floor),
    "dead_end_rooms": dead_end_rooms,
    "detours": exit_path(detours),
    "exposure_max": lambda slow: float(max(slow.exposures(), default=Fraction(0))),
    "exposure_mean": lambda slow: mean(slow.exposures()),
    "exposure_spread": exposure_spread,
    "farthest": lambda slow: max(slow.walks(slow.start).values(), default=0),
    "floor": lambda slow: len(slow.floor) / len(slow.cells),
    "longest_sight": longest_sight,
    "loops": loops,
    "openness": openness,
    "regions": lambda slow: len(slow.regions()),
    "room_degree": room_degree,
    "room_loops": room_loops,
    "rooms": rooms,
    "symmetry": symmetry,
    "tile_entropy": tile_entropy,
}
# Each metric by its name, with texts and numbers as arguments.
WITH_ARGUMENTS: dict[str, Callable[..., float | None]] = {
    "critical_path": path_steps,
    "critical_path_doors": path_doors,
    "critical_path_share": path_share,
    "detours": detours,
    "distance": distance,
    "objects": lambda slow, name: len(slow.placed(name)),
    "reachable": lambda slow, most: slow.share(
        sum(steps <= most for steps in slow.walks(slow.start).values())
    ),
}
