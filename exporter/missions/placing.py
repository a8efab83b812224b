"""Draws where the locks and keys of a mission go, until all demands are met and the proof holds.

The blocks between the gates of a map (`gates`) are spanned by a tree from the start. Each edge of
the tree can be closed together with the gates that lead around it; the edges that are chosen cut
the map into zones. Locks are then opened in thought, one after another, and each key is put where
a player can be by then: *assumed fill*, as randomizers of games do it, but forwards. Gates that
lead around a lock become one-ways or shortcuts from its far side where the mission has some: two
routes between two places, one guarded and one that only leads back.

What is drawn is then proven (`proof`) and measured (`walks`). If it fails, all is drawn again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import distance_from
from exporter.grids.regions import label_regions
from exporter.missions.gates import Blocks, Gate, find_blocks
from exporter.missions.parameters import (
    CountRange,
    LockParameters,
    MissionParameters,
    ShareRange,
    is_within,
)
from exporter.missions.proof import needed_locks, prove
from exporter.missions.states import Cell, Key, MissionMap
from exporter.missions.walks import Walk, shortest_walk
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection, Lock
from exporter.streams import Draws, PortableStream

# How often all is drawn, and the cells of start, goal and keys for one choice of locks.
ATTEMPTS = 120
CELL_ATTEMPTS = 40
# A lock closes at most so many gates.
MOST_GATES = 3

Path = tuple[str | int, ...]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, eq=False)
class MissionGround:
    """What a mission is placed on.

    Attributes:
        walkable: bool [height, width].
        free: bool [height, width]: where its objects may stand.
        rooms: int32 [height, width]: the room of each cell from 1 on, 0 for none.
        connections: The connections of the rooms.
        given: The cells of the start, the goal and optional objects that the level has already,
            by name.
        keys: The keys that it has already.
    """

    walkable: NDArray[np.bool_]
    free: NDArray[np.bool_]
    rooms: NDArray[np.int32]
    connections: Sequence[Connection]
    given: Mapping[str, Cell]
    keys: Sequence[Key] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a mission is.

    Attributes:
        cells: The cells of start, goal and optional objects, by name.
        locks: The locks.
        keys: The keys.
    """

    cells: Mapping[str, Cell]
    locks: tuple[Lock, ...]
    keys: tuple[Key, ...]


class UnmetError(Exception):
    """One attempt does not meet a demand.

    Args:
        path: The demand, below `mission`.
        message: What is in the way.
        distance: How far it is from being met.
    """

    def __init__(self, path: Path, message: str, distance: float = 0) -> None:
        super().__init__(message)
        self.path, self.message, self.distance = path, message, distance


def place_mission(
    parameters: MissionParameters, ground: MissionGround, stream: PortableStream
) -> Plan:
    """Place a mission.

    Raises:
        ParameterError: A demand cannot be met, with its path below `mission`.
    """
    survey = _Survey(parameters, ground)
    unmet: Counter[Path] = Counter()
    nearest: dict[Path, UnmetError] = {}
    for number in range(ATTEMPTS):
        try:
            return _Attempt(survey, stream.draws("mission", number), number).plan()
        except UnmetError as error:
            unmet[error.path] += 1
            known = nearest.get(error.path)
            if known is None or error.distance < known.distance:
                nearest[error.path] = error
    path, _ = unmet.most_common(1)[0]
    raise ParameterError(nearest[path].message, path)


class _Survey:
    """What all attempts have in common.

    Attributes:
        blocks: The blocks of the map, and the gates between them.
        gates: Of each block its gates to other blocks.
        floor: bool [height, width]: the region in which the mission takes place.
        dead_ends: The blocks with one gate, and the cells of a dead end in each.
    """

    def __init__(self, parameters: MissionParameters, ground: MissionGround) -> None:
        self.parameters = parameters
        self.ground = ground
        self._check_given()
        self._check_loops()
        self.floor = self._region()
        keep = np.zeros(ground.walkable.shape, bool)
        for x, y in (*ground.given.values(), *(key.cell for key in ground.keys)):
            keep[y, x] = True
        between = ground.connections if parameters.needs_rooms else ()
        self.blocks: Blocks = find_blocks(self.floor, between, keep)
        count = len(self.blocks.sizes)
        self.gates: list[list[int]] = [[] for _ in range(count + 1)]
        for number, gate in enumerate(self.blocks.gates):
            first, second = gate.blocks
            if first != second:
                self.gates[first].append(number)
                self.gates[second].append(number)
        self.dead_ends = self._dead_ends() if parameters.optional else {}
        self.chain = [
            (index, lock)
            for index, lock in enumerate(parameters.locks)
            for _ in range(lock.count)
            if lock.has_keys and lock.at is None and lock.for_ is None
        ]
        self.seal = next(
            ((i, item) for i, item in enumerate(parameters.locks) if item.at is not None), None
        )
        self.sided = [
            (index, lock)
            for index, lock in enumerate(parameters.locks)
            if lock.kind in ("one_way", "shortcut")
        ]

    def _check_given(self) -> None:
        walkable = self.ground.walkable
        for name, (x, y) in self.ground.given.items():
            if not walkable[y, x]:
                raise ParameterError(
                    f"{name!r} is at [{x}, {y}], where nobody can walk (move it)",
                    self.path_of(name),
                )

    def path_of(self, name: str) -> Path:
        """Return the parameter that names an object."""
        parameters = self.parameters
        if name in parameters.optional:
            return ("optional", parameters.optional.index(name))
        return ("start",) if name == parameters.start else ("goal",)

    def _check_loops(self) -> None:
        from exporter.grids.room_paths import room_cycles, room_graph

        expected = self.parameters.loops
        if expected is None:
            return
        cycles = room_cycles(room_graph(int(self.ground.rooms.max()), self.ground.connections))
        if not is_within(cycles, expected):
            raise ParameterError(
                f"the room graph has {cycles} independent cycles, not {_range_text(expected)} "
                "(change the layer: more or fewer corridors, or another seed)",
                ("loops",),
            )

    def _region(self) -> NDArray[np.bool_]:
        regions = label_regions(self.ground.walkable)
        if not regions.sizes.size:
            raise ParameterError("there is nothing to walk on")
        number = regions.largest
        for name, (x, y) in self.ground.given.items():
            if name == self.parameters.start:
                number = int(regions.labels[y, x])
        region: NDArray[np.bool_] = regions.labels == number
        for name, (x, y) in self.ground.given.items():
            if not region[y, x]:
                raise ParameterError(
                    f"no way leads to {name!r} at [{x}, {y}] (connect the layer, or move it)",
                    self.path_of(name),
                )
        return region

    def _dead_ends(self) -> dict[int, NDArray[np.bool_]]:
        """Return the cells of rooms with one connection in blocks with one gate."""
        degree: Counter[int] = Counter()
        for connection in self.ground.connections:
            degree.update(number + 1 for number in set(connection.rooms))
        lonely = [room for room, count in degree.items() if count == 1]
        in_dead_end = np.isin(self.ground.rooms, lonely) & self.floor
        result = {}
        for block, gates in enumerate(self.gates):
            if len(gates) == 1:
                cells = in_dead_end & (self.blocks.labels == block)
                if cells.any():
                    result[block] = cells
        return result

    def block_at(self, cell: Cell) -> int:
        """Return the block of a cell that no gate may close."""
        return int(self.blocks.labels[cell[1], cell[0]])


class _Attempt:
    """One draw of everything.

    Args:
        survey: What all attempts have in common.
        draws: The random numbers.
        number: Which attempt it is.
    """

    def __init__(self, survey: _Survey, draws: Draws, number: int) -> None:
        self.survey = survey
        self.parameters, self.ground = survey.parameters, survey.ground
        self.draws = draws
        self.number = number
        # Keys that are used up lie in front of all locks that they open, every other time.
        self.careful = number % 2 == 1
        # Whether each key must lie behind the lock before, as a gate leads around several.
        self.forced = False
        self.most_gates = MOST_GATES + number // 30
        self.closed: dict[int, list[Gate]] = {}  # of each chosen edge the gates it closes
        self.sided: list[tuple[int, Gate, int]] = []  # lock, gate, side from which it opens

    def plan(self) -> Plan:
        """Draw, prove and measure.

        Raises:
            UnmetError: A demand is not met.
        """
        self.start_block = self._start_block()
        self._span()
        self.goal_block = self._goal_block()
        self.reserved = self._reserve_dead_ends()
        self.edges = self._choose_edges()
        self._zones()
        self.order = self._opening_order()
        self._choose_sided()
        plan = self._place_cells(self._key_zones())
        self._check(plan)
        return plan

    # --- drawing ------------------------------------------------------------------------------

    def _pick(self, items: Sequence[Item]) -> Item:
        position: int = self.draws.next(0, len(items))
        return items[position]

    def _shuffled(self, items: Sequence[Item]) -> list[Item]:
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            other = self.draws.next(0, last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def _start_block(self) -> int:
        given = self.ground.given.get(self.parameters.start)
        if given is not None:
            return self.survey.block_at(given)
        able = [block for block in range(1, len(self.survey.gates)) if self._has_cells(block)]
        if not able:
            raise UnmetError(("start",), "no cell is free for it (remove objects)")
        ends = [block for block in able if len(self.survey.gates[block]) == 1]
        return self._pick(ends if len(ends) > 2 and self.draws.next(0, 2) else able)

    def _has_cells(self, block: int) -> bool:
        return bool((self.ground.free & (self.survey.blocks.labels == block)).any())

    def _span(self) -> None:
        """Span the blocks by a tree from the start, broad or deep by turns."""
        gates = self.survey.blocks.gates
        deep = bool(self.number & 2)
        self.parent: dict[int, int] = {self.start_block: 0}
        self.gate_to: dict[int, int] = {}
        self.depth: dict[int, int] = {self.start_block: 0}
        waiting: deque[tuple[int, int, int]] = deque()

        def look_from(block: int) -> None:
            for number in self._shuffled(self.survey.gates[block]):
                first, second = gates[number].blocks
                waiting.append((block, number, second if first == block else first))

        look_from(self.start_block)
        while waiting:
            block, number, there = waiting.pop() if deep else waiting.popleft()
            if there in self.parent:
                continue
            self.parent[there], self.gate_to[there] = block, number
            self.depth[there] = self.depth[block] + 1
            look_from(there)
        # Which gates lead around each edge; an edge is called after its far block.
        tree = set(self.gate_to.values())
        self.around: dict[int, list[int]] = {block: [] for block in self.gate_to}
        self.spare: list[int] = []  # gates that are no edge of the tree
        for number, gate in enumerate(gates):
            if number in tree or gate.blocks[0] not in self.parent:
                continue
            self.spare.append(number)
            first, second = gate.blocks
            while first != second:
                if self.depth[first] < self.depth[second]:
                    first, second = second, first
                self.around[first].append(number)
                first = self.parent[first]
        self.cells_behind = {
            block: int(self.survey.blocks.sizes[block - 1]) for block in self.parent
        }
        for block in sorted(self.gate_to, key=lambda item: -self.depth[item]):
            self.cells_behind[self.parent[block]] += self.cells_behind[block]

    def _goal_block(self) -> int:
        given = self.ground.given.get(self.parameters.goal)
        if given is not None:
            return self.survey.block_at(given)
        if not self.gate_to:
            return self.start_block
        far = sorted(
            (block for block in self.gate_to if self._has_cells(block)),
            key=lambda block: (self._edges_before(block), self.depth[block], block),
        )
        if not far:
            raise UnmetError(("goal",), "no cell is free for it (remove objects)")
        low = len(far) // 2
        position: int = max(self.draws.next(low, len(far)) for _ in range(2))
        return far[position]

    def _edges_before(self, block: int) -> int:
        """Return how many edges between the start and a block can be closed."""
        count = 0
        while block in self.gate_to:
            count += len(self.around[block]) < self.most_gates
            block = self.parent[block]
        return count

    def _reserve_dead_ends(self) -> dict[str, int]:
        """Choose the dead end of each optional object."""
        parameters, given = self.parameters, self.ground.given
        reserved: dict[str, int] = {}
        open_ends = [
            block
            for block in self.survey.dead_ends
            if block not in (self.start_block, self.goal_block) and block in self.parent
        ]
        for name in parameters.optional:
            if name not in given:
                continue
            block = self.survey.block_at(given[name])
            if block not in open_ends or not self._in_dead_end(block, given[name]):
                x, y = given[name]
                raise UnmetError(
                    self.survey.path_of(name),
                    f"{name!r} at [{x}, {y}] stands in no dead end (move it into a room with one "
                    "connection)",
                )
            open_ends.remove(block)
            reserved[name] = block
        open_ends = [
            block for block in open_ends if (self.survey.dead_ends[block] & self.ground.free).any()
        ]
        for index, name in enumerate(parameters.optional):
            if name in reserved:
                continue
            if not open_ends:
                count = len(self.survey.dead_ends)
                raise UnmetError(
                    ("optional", index),
                    f"no dead end is left for {name!r}: the map has {count}, beside those of start "
                    "and goal (leave it out, or make a layer with more rooms of one connection)",
                )
            block = self._pick(open_ends)
            open_ends.remove(block)
            reserved[name] = block
        return reserved

    def _in_dead_end(self, block: int, cell: Cell) -> bool:
        return bool(self.survey.dead_ends[block][cell[1], cell[0]])

    def _choose_edges(self) -> dict[int, tuple[int, LockParameters]]:
        """Choose the edges that are closed, and the lock of each."""
        chain = self._shuffled(self.survey.chain)
        chosen: dict[int, tuple[int, LockParameters]] = {}
        for index, lock in enumerate(self.parameters.locks):
            if lock.for_ is not None:
                chosen[self.reserved[lock.for_]] = index, lock
        if not chain:
            return chosen
        able = [
            block
            for block, gates in self.around.items()
            if len(gates) < self.most_gates and block not in self.reserved.values()
        ]
        path = set()
        at = self.goal_block
        while at in self.gate_to:
            path.add(at)
            at = self.parent[at]
        main = self._shuffled([block for block in able if block in path])
        side = self._shuffled([block for block in able if block not in path])
        # A lock beside the way to the goal holds the key of a later one.
        most = len(chain) - (self.survey.seal is None)
        beside = min(len(side), most, self.draws.next(0, len(chain) // 2 + 1))
        beside = max(beside, len(chain) - len(main))
        if beside > min(len(side), most):
            possible = len(main) + min(len(side), max(most, 0))
            raise UnmetError(
                ("locks",),
                f"{len(chain)} locks on the way to the goal need as many places that close a part "
                f"of the map; {possible} were found (use fewer locks, or a layer with more rooms "
                "and narrow connections)",
                len(chain) - possible,
            )
        places = [*main[: len(chain) - beside], *side[:beside]]
        # Those with demands choose first, then those that open once.
        chain.sort(key=lambda item: (item[1].name not in self.parameters.behind, item[1].kind))
        total = self.cells_behind[self.start_block]
        for index, lock in chain:
            fit = places
            expected = self.parameters.behind.get(lock.name)
            if expected is not None and lock.kind == "key":
                shares = {block: self.cells_behind[block] / total for block in places}
                fit = [block for block in places if is_within(shares[block], expected)]
                if not fit:
                    others = [block for block in main if block not in chosen]
                    fit = [b for b in others if is_within(self.cells_behind[b] / total, expected)]
                if not fit:
                    raise self._share_error(lock.name, expected, shares.values())
            if lock.kind == "small_key":
                fit = [block for block in fit if not self.around[block]] or fit
            block = self._pick(fit)
            if block in places:
                places.remove(block)
            else:
                places.pop(0)
            chosen[block] = index, lock
        return chosen

    def _share_error(self, name: str, wanted: ShareRange, shares: Iterable[float]) -> UnmetError:
        near = min(shares, key=lambda share: _distance(share, wanted), default=0.0)
        return UnmetError(
            ("behind", name),
            f"no lock has {_range_text(wanted)} of the cells behind it (the nearest is {near:.2f})",
            _distance(near, wanted),
        )

    def _choose_sided(self) -> None:
        """Make one-ways and shortcuts of gates that lead around, or stand within a zone."""
        gates = self.survey.blocks.gates
        crossing: dict[int, list[int]] = {}
        for block in self.edges:
            for number in self.around[block]:
                crossing.setdefault(number, []).append(block)
        for block in self.edges:
            self.closed[block] = [gates[self.gate_to[block]]]
        waiting = self._shuffled(self.survey.sided)
        # First those that lead around several locks, which only one of them can close.
        order = sorted(crossing, key=lambda number: (-len(crossing[number]), number))
        for number in order:
            blocks = crossing[number]
            far = self._far_side(gates[number])
            if waiting and far is not None and (len(blocks) > 1 or self.draws.next(0, 2)):
                index, _ = waiting.pop()
                self.sided.append((index, gates[number], far))
            else:
                # What is opened last is no way around what was opened before.
                last = max(blocks, key=lambda item: self.order.get(item, len(self.order)))
                self.closed[last].append(gates[number])
                self.forced |= len(blocks) > 1
        inside = self._shuffled([number for number in self.spare if number not in crossing])
        for index, lock in waiting:
            if inside:
                gate = gates[inside.pop()]
                first, second = (self.depth[block] for block in gate.blocks)
                far = int(second > first) if first != second else self.draws.next(0, 2)
                if lock.kind == "one_way":
                    far = self.draws.next(0, 2)
                self.sided.append((index, gate, far))
            elif lock.kind == "one_way" and self._last_drop(index):
                continue
            else:
                raise UnmetError(
                    ("locks", index),
                    f"no way around is left for {lock.name!r}: a {lock.kind} needs a connection on "
                    "a cycle of the room graph (use a layer with more loops, or remove it)",
                )

    def _far_side(self, gate: Gate) -> int | None:
        """Return the side of a gate that lies behind the other one's zone; None if neither does."""
        zones = [self.zone[block] for block in gate.blocks]
        for side in (0, 1):
            zone: int | None = zones[side]
            while zone is not None:
                zone = self.zone_parent.get(zone)
                if zone == zones[1 - side]:
                    return side
        return None

    def _last_drop(self, index: int) -> bool:
        """Let a one-way lead on to the goal behind the last lock, from where nothing is needed."""
        if self.survey.seal is not None or any(lock == index for lock, _, _ in self.sided):
            return False
        zone = self.zone[self.goal_block]
        block = self.goal_block
        able = []
        while block in self.gate_to and self.zone[block] == zone and block not in self.edges:
            if not self.around[block]:
                able.append(block)
            block = self.parent[block]
        if not able:
            return False
        block = self._pick(able)
        gate = self.survey.blocks.gates[self.gate_to[block]]
        self.sided.append((index, gate, int(gate.blocks[1] == self.parent[block])))
        self.without_keys.add(block)
        return True

    def _zones(self) -> None:
        """Find the zone of each block: that of the last closed edge before it."""
        self.without_keys: set[int] = set()
        self.zone: dict[int, int] = {}
        self.zone_parent: dict[int, int] = {}
        for block in sorted(self.parent, key=lambda item: self.depth[item]):
            before = self.parent[block]
            if block == self.start_block:
                self.zone[block] = block
            elif block in self.edges:
                self.zone[block] = block
                self.zone_parent[block] = self.zone[before]
            else:
                self.zone[block] = self.zone[before]

    def _opening_order(self) -> dict[int, int]:
        """Draw the order in which the locks are opened in thought: the place of each edge."""
        self.on_way: set[int] = set()
        zone: int | None = self.zone[self.goal_block]
        while zone is not None:
            self.on_way.add(zone)
            zone = self.zone_parent.get(zone)
        waiting = [block for block, (_, lock) in self.edges.items() if lock.for_ is None]
        order: dict[int, int] = {}
        while waiting:
            able = [
                block
                for block in waiting
                if self.zone_parent[block] in order or self.zone_parent[block] == self.start_block
            ]
            main = [block for block in waiting if block in self.on_way]
            if self.survey.seal is None and len(main) == 1 and len(waiting) > 1:
                # Something has to lie behind the others.
                able = [block for block in able if block != main[0]]
            if not able:
                raise UnmetError(
                    ("locks",), "the last lock on the way to the goal opens a part with locks only"
                )
            block = self._pick(able)
            waiting.remove(block)
            order[block] = len(order)
        return order

    def _key_zones(self) -> list[tuple[int, list[int]]]:
        """Open the locks in thought, and choose the zone of each key.

        Returns:
            The lock of each key, and the blocks where it may lie.
        """
        blocks_of: dict[int, list[int]] = {}
        behind_drop = self._behind(self.without_keys)
        for block, zone in self.zone.items():
            retained_free = block in self.reserved.values() or block in behind_drop
            if not retained_free and self._has_cells(block):
                blocks_of.setdefault(zone, []).append(block)
        given = Counter(key.opens for key in self.ground.keys)
        opened = [self.start_block]
        empty: list[int] = []  # zones beside the way that hold no key yet
        holding = {self.zone.get(self.survey.block_at(key.cell)) for key in self.ground.keys}
        keys: list[tuple[int, list[int]]] = []

        def put(index: int, lock: LockParameters) -> None:
            if given[lock.name]:
                given[lock.name] -= 1
                return
            able = [
                zone
                for zone in opened
                if blocks_of.get(zone) and not (self.careful and self._is_behind_small(zone, lock))
            ]
            if not able:
                raise UnmetError(("locks", index), f"no cell is left for the key of {lock.name!r}")
            filled = [zone for zone in empty if zone in able]
            if filled:
                empty.remove(filled[0])
                chosen = filled[0]
            else:
                newest = self.draws.next(0, 2) or self.forced
                chosen = able[-1] if newest else self._pick(able)
            keys.append((index, blocks_of[chosen]))

        for block in self.order:
            put(*self.edges[block])
            opened.append(block)
            if block not in self.on_way and block not in holding:
                empty.append(block)
        if self.survey.seal is not None:
            put(*self.survey.seal)
        if empty:
            raise UnmetError(("locks",), "a lock beside the way to the goal guards no key")
        for index, lock in enumerate(self.parameters.locks):
            if lock.for_ is not None:
                put(index, lock)
        return keys

    def _behind(self, blocks: set[int]) -> set[int]:
        """Return some blocks and all that follow them in the tree."""
        result = set(blocks)
        for block in sorted(self.gate_to, key=lambda item: self.depth[item]):
            if self.parent[block] in result:
                result.add(block)
        return result

    def _is_behind_small(self, zone: int, lock: LockParameters) -> bool:
        """Whether a zone lies behind a lock that uses up the same keys."""
        at: int | None = zone
        while at is not None:
            if at in self.edges and self.edges[at][1] is lock and lock.kind == "small_key":
                return True
            at = self.zone_parent.get(at)
        return False

    # --- cells --------------------------------------------------------------------------------

    def _place_cells(self, keys: Sequence[tuple[int, list[int]]]) -> Plan:
        """Choose the cells of start, keys, goal and optional objects.

        Raises:
            UnmetError: None are as many steps apart as is demanded.
        """
        locks = self._locks()
        problem: UnmetError | None = None
        tries = CELL_ATTEMPTS if self.parameters.steps else 1
        for _ in range(tries):
            try:
                return _Cells(self, locks, keys).plan()
            except UnmetError as error:
                if problem is None or error.distance < problem.distance:
                    problem = error
        assert problem is not None
        raise problem

    def _locks(self) -> dict[int, list[Lock]]:
        """Return the locks of each entry of the spec; that at the goal has no cells yet."""
        result: dict[int, list[Lock]] = {i: [] for i in range(len(self.parameters.locks))}
        for block, (index, lock) in self.edges.items():
            cells = tuple(cell for gate in self.closed[block] for cell in gate.cells)
            result[index].append(Lock(lock.name, lock.kind, cells))
        for index, gate, side in self.sided:
            lock = self.parameters.locks[index]
            result[index].append(Lock(lock.name, lock.kind, gate.cells, gate.sides[side]))
        return result

    def block_cells(self, blocks: Sequence[int]) -> NDArray[np.bool_]:
        """Return the free cells of some blocks, those in rooms if there are any."""
        labels = self.survey.blocks.labels
        mask: NDArray[np.bool_] = self.ground.free & (
            labels == blocks[0] if len(blocks) == 1 else np.isin(labels, blocks)
        )
        inside = mask & (self.ground.rooms > 0)
        return inside if inside.any() else mask

    def pick_block(self, blocks: Sequence[int]) -> int:
        """Choose one of some blocks."""
        return self._pick(blocks)

    def pick_cell(self, mask: NDArray[np.bool_]) -> Cell:
        """Choose a cell of a mask that has some."""
        cells = np.flatnonzero(mask)
        y, x = divmod(int(cells[self.draws.next(0, cells.size)]), mask.shape[1])
        return x, y

    # --- what is demanded ---------------------------------------------------------------------

    def _check(self, plan: Plan) -> None:
        """Prove and measure a plan.

        Raises:
            UnmetError: A demand is not met, or the goal can be lost.
        """
        parameters = self.parameters
        mission = MissionMap(
            self.ground.walkable,
            plan.cells[parameters.start],
            plan.cells[parameters.goal],
            plan.locks,
            plan.keys,
        )
        try:
            play = prove(mission).play
        except ParameterError as error:
            raise UnmetError(("locks",), error.message) from None
        if play is not None:
            raise UnmetError(("locks",), f"the goal can be lost: {', '.join(play)}")
        needed = needed_locks(mission)
        for position, lock in enumerate(plan.locks):
            index = next(i for i, item in enumerate(parameters.locks) if item.name == lock.name)
            expected = parameters.locks[index]
            if expected.has_keys and expected.for_ is None and not needed >> position & 1:
                raise UnmetError(
                    ("locks", index), f"the goal can be reached without opening {lock.name!r}"
                )
        for name, share in parameters.behind.items():
            value = share_behind(mission, name)
            if not is_within(value, share):
                raise self._share_error(name, share, (value,))
        if parameters.rooms is None and not parameters.optional:
            return
        walk = shortest_walk(mission)
        if walk is None:
            raise UnmetError(("locks",), "the shortest complete walk has too many choices")
        self._check_walk(plan, walk)

    def _check_walk(self, plan: Plan, walk: Walk) -> None:
        rooms = walked_rooms(walk, self.ground.rooms)
        expected = self.parameters.rooms
        if expected is not None and not is_within(len(rooms), expected):
            raise UnmetError(
                ("rooms",),
                f"no shortest complete walk with {_range_text(expected)} rooms was found (the "
                f"nearest enters {len(rooms)} of {int(self.ground.rooms.max())})",
                _distance(len(rooms), expected),
            )
        for index, name in enumerate(self.parameters.optional):
            x, y = plan.cells[name]
            if int(self.ground.rooms[y, x]) in rooms:
                raise UnmetError(
                    ("optional", index), f"the shortest complete walk enters the room of {name!r}"
                )


class _Cells:
    """One choice of cells, for locks that are chosen."""

    def __init__(
        self,
        attempt: _Attempt,
        locks: Mapping[int, Sequence[Lock]],
        keys: Sequence[tuple[int, list[int]]],
    ) -> None:
        self.attempt = attempt
        self.parameters, self.ground = attempt.parameters, attempt.ground
        self.locks = locks
        self.keys = keys
        self.taken = ~self.ground.free
        self.ends: dict[str, Cell] = {}
        self.placed: list[tuple[int, Cell]] = []
        self._fields: dict[tuple[str, str], NDArray[np.int32]] = {}

    def plan(self) -> Plan:
        """Choose the cells, each by how many steps it shall be from those before it.

        Raises:
            UnmetError: No cell is as demanded.
        """
        attempt, parameters, given = self.attempt, self.parameters, self.ground.given
        names = {"start": parameters.start, "goal": parameters.goal}
        blocks = {"start": attempt.start_block, "goal": attempt.goal_block}
        for key in self.ground.keys:
            self.ends.setdefault(key.opens, key.cell)
        for end, name in names.items():
            if name in given:
                self._put(end, given[name])
        if "start" not in self.ends:
            self._put("start", self._choose("start", [blocks["start"]]))
        cells: dict[str, Cell] = {}
        for name, block in attempt.reserved.items():
            mask = attempt.survey.dead_ends[block] & ~self.taken
            if name not in given and not mask.any():
                raise UnmetError(attempt.survey.path_of(name), f"no cell is free for {name!r}")
            cells[name] = given[name] if name in given else attempt.pick_cell(mask)
            self.taken[cells[name][1], cells[name][0]] = True
        for index, zone in self.keys:
            name = parameters.locks[index].name
            cell = self._choose(name, zone)
            self._put(name, cell)
            self.placed.append((index, cell))
        if "goal" not in self.ends:
            self._put("goal", self._choose("goal", [blocks["goal"]]))
        for pair, expected in parameters.steps.items():
            first, last = parameters.ends_of(pair)
            x, y = self.ends[last]
            steps = int(self._field(first, last)[y, x])
            self._judge(pair, expected, steps)
        cells[parameters.start], cells[parameters.goal] = self.ends["start"], self.ends["goal"]
        locks = [lock for index in sorted(self.locks) for lock in self._finished(index)]
        keys = [Key(cell, parameters.locks[index].name) for index, cell in self.placed]
        return Plan(cells, tuple(locks), (*self.ground.keys, *keys))

    def _finished(self, index: int) -> Sequence[Lock]:
        expected = self.parameters.locks[index]
        if expected.at is None:
            return self.locks[index]
        return (Lock(expected.name, expected.kind, (self.ends["goal"],)),)

    def _put(self, end: str, cell: Cell) -> None:
        # Of several small keys none is an end of `steps`.
        self.ends[end] = cell
        self.taken[cell[1], cell[0]] = True

    def _choose(self, end: str, blocks: Sequence[int]) -> Cell:
        """Choose the cell of an end."""
        demands = [
            (pair, expected, first if last == end else last)
            for pair, expected in self.parameters.steps.items()
            for first, last in (self.parameters.ends_of(pair),)
            if end in (first, last)
        ]
        if not demands:
            blocks = [self.attempt.pick_block(blocks)]
        mask = self.attempt.block_cells(blocks) & ~self.taken
        if not mask.any():
            path: Path = (end,) if end in ("start", "goal") else ("locks",)
            raise UnmetError(path, f"no cell is free for the {_end_text(end)}")
        for pair, expected, other in demands:
            if other not in self.ends:
                continue
            first, last = self.parameters.ends_of(pair)
            steps = self._field(other, last if last == end else first, last)
            low, high = expected if isinstance(expected, tuple) else expected.limits
            fits = mask & (steps >= (1 if low is None else max(int(low), 1)))
            if high is not None:
                fits &= steps <= int(high)
            if not fits.any():
                values = np.unique(steps[mask & (steps > 0)]).tolist()
                nearest = min(values, key=lambda value: _distance(value, expected), default=0)
                self._judge(pair, expected, nearest)
                raise UnmetError(
                    ("steps", pair), f"no cells are {_range_text(expected)} steps apart"
                )
            mask = fits
        if end == "goal":
            mask = self._off_the_way(mask)
        return self.attempt.pick_cell(mask)

    def _off_the_way(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Leave out cells on a shortest way to the key of the lock at the goal."""
        seal = self.attempt.survey.seal
        if seal is None or seal[1].name not in self.ends:
            return mask
        name = seal[1].name
        there = self._field("start", "", "")
        back = self._field(name, "", "")
        x, y = self.ends[name]
        off: NDArray[np.bool_] = mask & (there + back != there[y, x])
        if not off.any():
            raise UnmetError(
                ("locks", seal[0]), f"the goal would lie on the way to the key of {name!r}"
            )
        return off

    def _field(self, source: str, last: str, closing: str | None = None) -> NDArray[np.int32]:
        """Return the steps from an end to every cell, as one pair of `steps` counts them.

        Args:
            source: The end.
            last: The other end.
            closing: The end that the pair names last, whose own lock is closed; default: `last`.
        """
        closing = last if closing is None else closing
        known = self._fields.get((source, closing))
        if known is not None:
            return known
        floor = self.attempt.survey.floor.copy()
        for index, lock in enumerate(self.parameters.locks):
            if lock.name != closing:
                continue
            for closed_cell in self._closed_cells(index):
                floor[closed_cell[1], closed_cell[0]] = False
        x, y = self.ends[source]
        sources = np.zeros(floor.shape, bool)
        sources[y, x] = True
        field = distance_from(sources, floor)
        if closing and self.parameters.locks and "goal" not in self.ends:
            return field  # a lock at the goal closes more, once it stands
        self._fields[source, closing] = field
        return field

    def _closed_cells(self, index: int) -> Sequence[Cell]:
        lock = self.parameters.locks[index]
        if lock.at is not None:
            return (self.ends["goal"],) if "goal" in self.ends else ()
        return [cell for item in self.locks[index] for cell in item.cells]

    def _judge(self, pair: str, wanted: tuple[int, int] | CountRange, steps: int) -> None:
        if steps < 0 or not is_within(steps, wanted):
            first, last = (_end_text(end) for end in self.parameters.ends_of(pair))
            near = "no way leads there" if steps < 0 else f"the nearest has {steps}"
            raise UnmetError(
                ("steps", pair),
                f"no cells for {first} and {last} are {_range_text(wanted)} steps apart ({near})",
                _distance(steps, wanted) if steps >= 0 else 1 << 30,
            )


def _end_text(end: str) -> str:
    return end if end in ("start", "goal") else f"key of {end!r}"


def walked_rooms(walk: Walk, rooms: NDArray[np.int32]) -> set[int]:
    """Return the rooms that a walk enters.

    Args:
        walk: The walk.
        rooms: int32 [height, width]: the room of each cell from 1 on, 0 for none.
    """
    return {int(rooms[y, x]) for x, y in walk.cells} - {0}


def share_behind(mission: MissionMap, name: str) -> float:
    """Return the share of walkable cells that cannot be reached without a lock's key."""
    graph = mission.graph
    assert graph.start is not None
    opened = sum(1 << i for i, lock in enumerate(mission.locks) if lock.name != name)
    reached = graph.reached(graph.start, opened)
    specials = len(graph.specials)
    sizes = np.bincount(graph.labels.ravel(), minlength=graph.count - specials + 1)
    inside = (reached & ((1 << specials) - 1)).bit_count()
    inside += sum(
        int(sizes[node - specials + 1])
        for node in range(specials, graph.count)
        if reached >> node & 1
    )
    total = int(mission.walkable.sum())
    return (total - inside) / total


def _range_text(expected: ShareRange | CountRange | tuple[int, int]) -> str:
    low, high = expected if isinstance(expected, tuple) else expected.limits
    if low is None:
        return f"at most {high:g}"
    if high is None:
        return f"at least {low:g}"
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _distance(value: float, expected: ShareRange | CountRange | tuple[int, int]) -> float:
    """Return how far a value is outside of limits."""
    low, high = expected if isinstance(expected, tuple) else expected.limits
    below = 0 if low is None else low - value
    above = 0 if high is None else value - high
    return max(below, above, 0)
