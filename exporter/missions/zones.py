"""Divide a map into zones by locks, and choose the zone of each key.

A zone is the part of the map between locks. The locks are opened one after another, and each key is
put where a player can be by then (*assumed fill* as in game randomizers, but forwards). Gates that
lead around a lock are closed with it. If the mission has one-ways or shortcuts, some of these gates
become such instead, from the far side: then one route is guarded and the other only leads back.
"""

from __future__ import annotations

from collections import Counter

from exporter.missions.demands import UnmetDemandError, share_error
from exporter.missions.gates import Gate
from exporter.missions.parameters import LockParameters, is_within
from exporter.missions.tree import Choices, Tree
from exporter.model.mission import Lock


class Zones:
    """The zones between the locks of a map, each named by its first block.

    A block is a part of the map between gates, the lines that locks can close; a zone has the
    blocks between locks.

    Args:
        tree: The blocks as a tree.
        choices: The random choices.
        careful: Whether keys that are used up must lie before all locks that they open.
    """

    def __init__(self, tree: Tree, choices: Choices, *, careful: bool) -> None:
        self.tree, self.choices, self.careful = tree, choices, careful
        self.survey = tree.survey
        self.parameters, self.ground = tree.parameters, tree.ground
        # Whether each key must lie behind the lock before, as a gate leads around several.
        self.forced = False
        self.closed: dict[int, list[Gate]] = {}  # of each chosen edge the gates it closes
        self.sided: list[tuple[int, Gate, int]] = []  # lock, gate, side from which it opens
        self.edges = self._choose_edges()
        self._zones()
        self.order = self._opening_order()
        self._choose_sided()

    def _choose_edges(self) -> dict[int, tuple[int, LockParameters]]:
        """Choose the edges of the tree to close, and the lock of each."""
        chain = self.choices.shuffled(self.survey.chain)
        chosen: dict[int, tuple[int, LockParameters]] = {}
        for index, lock in enumerate(self.parameters.locks):
            if lock.for_ is not None:
                chosen[self.tree.reserved[lock.for_]] = index, lock
        if not chain:
            return chosen
        able = [
            block
            for block, gates in self.tree.around.items()
            if len(gates) < self.tree.most_gates and block not in self.tree.reserved.values()
        ]
        path = set()
        at = self.tree.goal_block
        while at in self.tree.gate_to:
            path.add(at)
            at = self.tree.parent[at]
        main = self.choices.shuffled([block for block in able if block in path])
        side = self.choices.shuffled([block for block in able if block not in path])
        # A lock beside the way to the goal holds the key of a later one.
        most = len(chain) - (self.survey.seal is None)
        beside = min(len(side), most, self.choices.below(0, len(chain) // 2 + 1))
        beside = max(beside, len(chain) - len(main))
        if beside > min(len(side), most):
            possible = len(main) + min(len(side), max(most, 0))
            raise UnmetDemandError(
                ("locks",),
                f"{len(chain)} locks on the path to the goal need as many connections that close "
                f"off a region, but only {possible} were found (use fewer locks, or a layer with "
                "more rooms and narrow connections)",
                len(chain) - possible,
            )
        places = [*main[: len(chain) - beside], *side[:beside]]
        # Locks with demands choose first, then locks that open once.
        chain.sort(key=lambda item: (item[1].name not in self.parameters.behind, item[1].kind))
        total = self.tree.cells_behind[self.tree.start_block]
        for index, lock in chain:
            fit = places
            expected = self.parameters.behind.get(lock.name)
            if expected is not None and lock.kind == "key":
                shares = {block: self.tree.cells_behind[block] / total for block in places}
                fit = [block for block in places if is_within(shares[block], expected)]
                if not fit:
                    others = [block for block in main if block not in chosen]
                    fit = [
                        b for b in others if is_within(self.tree.cells_behind[b] / total, expected)
                    ]
                if not fit:
                    raise share_error(lock.name, expected, shares.values())
            if lock.kind == "small_key":
                fit = [block for block in fit if not self.tree.around[block]] or fit
            block = self.choices.pick(fit)
            if block in places:
                places.remove(block)
            else:
                places.pop(0)
            chosen[block] = index, lock
        return chosen

    def _zones(self) -> None:
        """Find the zone of each block: the last closed edge on the way to it.

        The zone has the number of the first block behind that edge.
        """
        self.without_keys: set[int] = set()
        self.zone: dict[int, int] = {}
        self.zone_parent: dict[int, int] = {}
        for block in sorted(self.tree.parent, key=lambda item: self.tree.depth[item]):
            before = self.tree.parent[block]
            if block == self.tree.start_block:
                self.zone[block] = block
            elif block in self.edges:
                self.zone[block] = block
                self.zone_parent[block] = self.zone[before]
            else:
                self.zone[block] = self.zone[before]

    def _opening_order(self) -> dict[int, int]:
        """Draw the order in which locks are opened.

        Return the position in this order of each edge with a lock.
        """
        self.on_way: set[int] = set()
        zone: int | None = self.zone[self.tree.goal_block]
        while zone is not None:
            self.on_way.add(zone)
            zone = self.zone_parent.get(zone)
        waiting = [block for block, (_, lock) in self.edges.items() if lock.for_ is None]
        order: dict[int, int] = {}
        while waiting:
            able = [
                block
                for block in waiting
                if self.zone_parent[block] in order
                or self.zone_parent[block] == self.tree.start_block
            ]
            main = [block for block in waiting if block in self.on_way]
            if self.survey.seal is None and len(main) == 1 and len(waiting) > 1:
                # Something has to lie behind the others.
                able = [block for block in able if block != main[0]]
            if not able:
                raise UnmetDemandError(
                    ("locks",),
                    "the last lock on the path to the goal would open a region with nothing "
                    "but locks",
                )
            block = self.choices.pick(able)
            waiting.remove(block)
            order[block] = len(order)
        return order

    def _choose_sided(self) -> None:
        """Choose gates for one-ways and shortcuts, which have two unlike sides.

        Such a gate leads around a lock, or is inside a zone. Other gates around a lock are closed
        together with the lock.
        """
        gates = self.survey.blocks.gates
        crossing: dict[int, list[int]] = {}
        for block in self.edges:
            for number in self.tree.around[block]:
                crossing.setdefault(number, []).append(block)
        for block in self.edges:
            self.closed[block] = [gates[self.tree.gate_to[block]]]
        waiting = self.choices.shuffled(self.survey.sided)
        # First the gates around several locks, which only one of them can close.
        order = sorted(crossing, key=lambda number: (-len(crossing[number]), number))
        for number in order:
            blocks = crossing[number]
            far = self._far_side(gates[number])
            if waiting and far is not None and (len(blocks) > 1 or self.choices.below(0, 2)):
                index, _ = waiting.pop()
                self.sided.append((index, gates[number], far))
            else:
                # A lock opened last is no way around earlier ones.
                last = max(blocks, key=lambda item: self.order.get(item, len(self.order)))
                self.closed[last].append(gates[number])
                self.forced |= len(blocks) > 1
        inside = self.choices.shuffled(
            [number for number in self.tree.spare if number not in crossing]
        )
        for index, lock in waiting:
            if inside:
                gate = gates[inside.pop()]
                first, second = (self.tree.depth[block] for block in gate.blocks)
                far = int(second > first) if first != second else self.choices.below(0, 2)
                if lock.kind == "one_way":
                    far = self.choices.below(0, 2)
                self.sided.append((index, gate, far))
            elif lock.kind == "one_way" and self._last_drop(index):
                continue
            else:
                raise UnmetDemandError(
                    ("locks", index),
                    f"no detour is left for {lock.name!r}: a {lock.kind} needs a connection on a "
                    "cycle of the room graph (use a layer with more loops, or remove it)",
                )

    def _far_side(self, gate: Gate) -> int | None:
        """Return which side of `gate`, 0 or 1, is in a zone behind the other side.

        Return None if neither is.
        """
        zones = [self.zone[block] for block in gate.blocks]
        for side in (0, 1):
            zone: int | None = zones[side]
            while zone is not None:
                zone = self.zone_parent.get(zone)
                if zone == zones[1 - side]:
                    return side
        return None

    def _last_drop(self, index: int) -> bool:
        """Put a one-way into a gate on the path to the goal.

        `index` is the one-way's entry in the spec's `locks`. The blocks behind the gate need no way
        back, so they get no keys. Return False if no gate is suitable.
        """
        if self.survey.seal is not None or any(lock == index for lock, _, _ in self.sided):
            return False
        zone = self.zone[self.tree.goal_block]
        block = self.tree.goal_block
        able = []
        while block in self.tree.gate_to and self.zone[block] == zone and block not in self.edges:
            if not self.tree.around[block]:
                able.append(block)
            block = self.tree.parent[block]
        if not able:
            return False
        block = self.choices.pick(able)
        gate = self.survey.blocks.gates[self.tree.gate_to[block]]
        self.sided.append((index, gate, int(gate.blocks[1] == self.tree.parent[block])))
        self.without_keys.add(block)
        return True

    def key_zones(self) -> list[tuple[int, list[int]]]:
        """Choose a zone for each key, so that all locks can be opened in turn.

        Return for each key the index of its lock's entry, and the blocks (parts of the map between
        gates) where the key may lie.
        """
        blocks_of: dict[int, list[int]] = {}
        behind_drop = self.tree.behind(self.without_keys)
        for block, zone in self.zone.items():
            retained_free = block in self.tree.reserved.values() or block in behind_drop
            if not retained_free and self.survey.has_cells(block):
                blocks_of.setdefault(zone, []).append(block)
        given = Counter(key.opens for key in self.ground.keys)
        opened = [self.tree.start_block]
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
                raise UnmetDemandError(
                    ("locks", index), f"no free cell is left for the key of {lock.name!r}"
                )
            filled = [zone for zone in empty if zone in able]
            if filled:
                empty.remove(filled[0])
                chosen = filled[0]
            else:
                newest = self.choices.below(0, 2) or self.forced
                chosen = able[-1] if newest else self.choices.pick(able)
            keys.append((index, blocks_of[chosen]))

        for block in self.order:
            put(*self.edges[block])
            opened.append(block)
            if block not in self.on_way and block not in holding:
                empty.append(block)
        if self.survey.seal is not None:
            put(*self.survey.seal)
        if empty:
            raise UnmetDemandError(
                ("locks",), "a lock beside the path to the goal would guard no key"
            )
        for index, lock in enumerate(self.parameters.locks):
            if lock.for_ is not None:
                put(index, lock)
        return keys

    def _is_behind_small(self, zone: int, lock: LockParameters) -> bool:
        """Return whether `zone` is behind a lock of `lock`, with keys used up.

        `lock` is an entry in the spec's `locks`; False if it is of another kind than `small_key`.
        """
        at: int | None = zone
        while at is not None:
            if at in self.edges and self.edges[at][1] is lock and lock.kind == "small_key":
                return True
            at = self.zone_parent.get(at)
        return False

    def locks(self) -> dict[int, list[Lock]]:
        """Return the locks of each entry in the spec's `locks`, by its index.

        A lock at the goal has no cells yet.
        """
        result: dict[int, list[Lock]] = {i: [] for i in range(len(self.parameters.locks))}
        for block, (index, lock) in self.edges.items():
            cells = tuple(cell for gate in self.closed[block] for cell in gate.cells)
            result[index].append(Lock(lock.name, lock.kind, cells))
        for index, gate, side in self.sided:
            lock = self.parameters.locks[index]
            result[index].append(Lock(lock.name, lock.kind, gate.cells, gate.sides[side]))
        return result
