"""Judge an exported map by plain search, as a player who knows nothing of the exporter.

The map is read by pytiled-parser. Names of the judge's demands are those of the recorded sessions.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytiled_parser

Cell = tuple[int, int]


class Map:
    """A finished map: its walkable cells, and the cells of its objects by name."""

    def __init__(self, file: Path) -> None:
        read = pytiled_parser.parse_map(file)
        self.size = [int(read.map_size.width), int(read.map_size.height)]
        tiles = {
            first + number: tile.properties
            for first, tileset in read.tilesets.items()
            for number, tile in tileset.tiles.items()
        }
        self.floor: set[Cell] = set()
        self.opaque: set[Cell] = set()
        self.tiles: dict[str, int] = {}
        self.objects: dict[str, list[Cell]] = {}
        # Cells of each lock of a name: a key that is used up opens all of one.
        self.locks: dict[str, list[set[Cell]]] = {}
        for lock in json.loads((read.properties or {}).get("mission", "{}")).get("locks", ()):
            cells = {(x, y) for x, y in lock["cells"]}
            self.locks.setdefault(lock["name"], []).append(cells)
        for layer in read.layers:
            if isinstance(layer, pytiled_parser.TileLayer):
                self._add_tiles(layer, tiles)
            elif isinstance(layer, pytiled_parser.ObjectLayer):
                width, height = read.tile_size
                for item in layer.tiled_objects:
                    cell = int(item.coordinates.x // width), int(item.coordinates.y // height)
                    self.objects.setdefault(item.name, []).append(cell)

    def _add_tiles(self, layer: pytiled_parser.TileLayer, tiles: dict[int, Any]) -> None:
        if (layer.properties or {}).get("role") != "play":
            return
        for y, row in enumerate(layer.data):
            for x, number in enumerate(row):
                tile = tiles[number & 0x1FFFFFFF]
                self.tiles[tile["name"]] = self.tiles.get(tile["name"], 0) + 1
                if tile["walkable"]:
                    self.floor.add((x, y))
                if tile["opaque"]:
                    self.opaque.add((x, y))

    def steps(self, start: Cell, closed: Collection[Cell] = ()) -> dict[Cell, int]:
        """Return how many steps every cell that can be reached is away."""
        free = self.floor - set(closed) | {start}
        steps, waiting = {start: 0}, deque([start])
        while waiting:
            last = waiting.popleft()
            for cell in _beside(last):
                if cell in free and cell not in steps:
                    steps[cell] = steps[last] + 1
                    waiting.append(cell)
        return steps

    def cell_of(self, name: str) -> Cell:
        """Return the cell of the only object of a name."""
        (cell,) = self.objects[name]
        return cell


def faults(map: Map, demands: dict[str, Any]) -> list[str]:
    """Return what a map lacks of the demands of a brief."""
    return [
        f"{demand} {value}: {fault}"
        for demand, values in demands.items()
        for value in (values if isinstance(values, list) and demand != "size" else [values])
        if (fault := _DEMANDS[demand](map, value))
    ]


def _size(map: Map, size: list[int]) -> str:
    return "" if map.size == size else f"is {map.size}"


def _count(map: Map, counts: dict[str, int]) -> str:
    counted = {name: len(map.objects.get(name, [])) for name in counts}
    return "" if counted == counts else f"is {counted}"


def _apart(map: Map, demand: dict[str, Any]) -> str:
    """All objects of a name are so many steps from the nearest of another."""
    steps = [map.steps(cell) for cell in map.objects[demand["to"]]]
    for cell in map.objects[demand["of"]]:
        distance = min((field[cell] for field in steps if cell in field), default=None)
        if distance is None:
            return f"{cell} cannot be reached"
        if not demand.get("at_least", 0) <= distance <= demand.get("at_most", 1 << 30):
            return f"{cell} is {distance} steps away"
    return ""


def _connected(map: Map, expected: bool) -> str:
    reached = len(map.steps(next(iter(map.floor))))
    return "" if (reached == len(map.floor)) == expected else f"{reached} of {len(map.floor)} cells"


def _winnable(map: Map, demand: dict[str, Any]) -> str:
    """The goal is reached with the keys one finds, and not if any of the locks stays closed."""
    start, goal, locks = map.cell_of(demand["start"]), map.cell_of(demand["goal"]), demand["locks"]
    for lock in locks:
        if goal in _played(map, start, locks, lock):
            return f"the goal can be reached without opening {lock}"
    return "" if goal in _played(map, start, locks) else "the goal cannot be reached"


def _played(map: Map, start: Cell, locks: list[str], never: str = "") -> dict[Cell, int]:
    """Return where one comes by taking all keys that can be reached, but opening one lock never."""
    closed = set(locks)
    while True:
        cells = {cell for lock in closed for cell in map.objects[f"{lock}_lock"]}
        reached = map.steps(start, cells)
        openable = {lock for lock in closed - {never} if map.cell_of(f"{lock}_key") in reached}
        if not openable:
            return reached
        closed -= openable


def _small_keys(map: Map, demand: dict[str, str]) -> str:
    """The goal can be reached in whatever order the keys of a lock are used up."""
    start, goal = map.cell_of(demand["start"]), map.cell_of(demand["goal"])
    doors = map.locks[demand["lock"]]
    keys = map.objects[f"{demand['lock']}_key"]
    waiting, seen = [frozenset[int]()], set()
    while waiting:
        opened = waiting.pop()
        closed = {index: door for index, door in enumerate(doors) if index not in opened}
        reached = map.steps(start, set().union(*closed.values()))
        spare = sum(key in reached for key in keys) - len(opened)
        ahead = [
            index
            for index, door in closed.items()
            if any(_beside(cell) & reached.keys() for cell in door)
        ]
        after = [opened | {index} for index in ahead] if spare > 0 else []
        if not after and goal not in reached:
            return f"stuck after {sorted(opened)}"
        waiting += [state for state in after if state not in seen]
        seen.update(after)
    return "" if goal not in map.steps(start, set().union(*doors)) else "the doors close nothing"


def _beside(cell: Cell) -> set[Cell]:
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def _behind(map: Map, demand: dict[str, str]) -> str:
    """An object can be reached only through the cells of a lock."""
    start, cell = map.cell_of(demand["start"]), map.cell_of(demand["object"])
    closed = map.objects[f"{demand['lock']}_lock"]
    if cell in map.steps(start, closed):
        return "can be reached without the key"
    return "" if cell in map.steps(start) else "cannot be reached at all"


def _off_way(map: Map, demand: dict[str, str]) -> str:
    """No object of a name lies on a shortest walk between two others."""
    ends = [map.steps(map.cell_of(demand[end])) for end in ("start", "goal")]
    whole = ends[0][map.cell_of(demand["goal"])]
    on = [cell for cell in map.objects[demand["object"]] if sum(end[cell] for end in ends) == whole]
    return f"{on} lie on a shortest walk" if on else ""


def _unseen(map: Map, demand: dict[str, str]) -> str:
    """No straight line of free cells leads from an object to any of another name."""
    eye = map.cell_of(demand["from"])
    seen = [
        cell for cell in map.objects[demand["object"]] if not map.opaque & set(_line(eye, cell))
    ]
    return f"{seen} are seen" if seen else ""


def _line(start: Cell, end: Cell) -> Iterator[Cell]:
    """Yield the cells of a line, those of its ends aside."""
    length = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    for step in range(1, length):
        yield (
            round(start[0] + (end[0] - start[0]) * step / length),
            round(start[1] + (end[1] - start[1]) * step / length),
        )


def _spaced(map: Map, demand: dict[str, Any]) -> str:
    """No two objects of a name are nearer than so many cells."""
    cells = map.objects[demand["object"]]
    near = [
        (a, b)
        for index, a in enumerate(cells)
        for b in cells[:index]
        if (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 < demand["at_least"] ** 2
    ]
    return f"{near[0]} are nearer" if near else ""


def _farthest(map: Map, demand: dict[str, Any]) -> str:
    steps = max(map.steps(map.cell_of(demand["from"])).values())
    within = demand.get("at_least", 0) <= steps <= demand.get("at_most", 1 << 30)
    return "" if within else f"is {steps}"


def _floor(map: Map, demand: dict[str, float]) -> str:
    share = len(map.floor) / (map.size[0] * map.size[1])
    within = demand.get("at_least", 0) <= share <= demand.get("at_most", 1)
    return "" if within else f"is {share:.3f}"


def _dead_ends(map: Map, demand: dict[str, int]) -> str:
    ends = sum(len(_beside(cell) & map.floor) == 1 for cell in map.floor)
    within = demand.get("at_least", 0) <= ends <= demand.get("at_most", 1 << 30)
    return "" if within else f"are {ends}"


def _has_tiles(map: Map, names: str) -> str:
    return "" if map.tiles.get(names) else f"has only {sorted(map.tiles)}"


_DEMANDS = {
    "size": _size,
    "count": _count,
    "apart": _apart,
    "connected": _connected,
    "winnable": _winnable,
    "small_keys": _small_keys,
    "behind": _behind,
    "off_way": _off_way,
    "unseen": _unseen,
    "spaced": _spaced,
    "farthest": _farthest,
    "floor": _floor,
    "dead_ends": _dead_ends,
    "tiles": _has_tiles,
}
