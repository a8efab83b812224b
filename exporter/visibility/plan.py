"""Compile a rule of sight, for one radius, to a tree of bit operations.

A rule is drawn for one wedge (a quadrant or an octant) as a tree. An origin is a cell that one
looks from. A node represents all origins from which a certain list of tiles is open (or opaque, if
the rule needs that): its bit map is its parent's AND the map shifted by one offset. A node *lights*
tiles: an origin in the node sees them. Paths that begin with the same tiles share their first
nodes. All geometry is computed while the tree is drawn, in exact fractions; to run a plan needs
only AND and OR.

Where many paths lead to the same state, a tree would repeat the rest for each of them. There, the
origins of nodes are *gathered* in a register (a further bit map), and a later node *takes* them.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass

# (across, along): `along` counts away from the origin on the wedge's axis.
Tile: TypeAlias = tuple[int, int]
# dx = xx * across + xy * along, dy = yx * across + yy * along
Wedge: TypeAlias = tuple[int, int, int, int]

QUADRANTS: tuple[Wedge, ...] = ((1, 0, 0, -1), (0, 1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0))
OCTANTS: tuple[Wedge, ...] = (*QUADRANTS, *((-xx, xy, -yx, yy) for xx, xy, yx, yy in QUADRANTS))

# When a lit tile is seen: whatever it is, only if it is open, only if it is opaque.
ALWAYS, OPEN, OPAQUE = 0, 1, 2

# Parts of an instruction's kind: the tile must be opaque, the result is added to the target,
# the source is emptied.
WANTS_OPAQUE, GATHERS, TAKES = 1, 2, 4

# Columns of SightPlan.instructions and SightPlan.finishes; the kernel reads them by these numbers.
SOURCE, TARGET, ACROSS, ALONG, KIND, OUTPUTS_BEGIN, OUTPUTS_END, SKIP = range(8)
FIRST_SLOT, SECOND_SLOT, OFFSET_X, OFFSET_Y, CONDITION, PLANE, MIRRORED = range(7)


@dataclass(frozen=True, slots=True, eq=False)
class SightPlan:
    """A compiled rule of sight for one radius; it works on any map.

    Attributes:
        radius: The radius the rule was drawn for.
        mutual: Whether of two open cells each sees the other or neither does, so that half the
            planes suffice.
        wedges: How the one drawn wedge (a quadrant or octant) is turned and mirrored onto the map.
        levels: The number of bit maps of origins that are kept: one of all ones, the registers for
            gathered origins, and one for each node of the longest path.
        instructions: int32 [nodes, 8], parents before children, each node followed by its whole
            subtree: level of the source and of the target, across and along of the tile, the kind,
            start and end of its slots in `outputs`, and the index after the subtree.
        outputs: int32 [n], the slots to which nodes add their origins.
        slots: The number of bit maps that collect origins: one for each lit tile and condition.
        finishes: int32 [wedges, n, 7], how the slots of a wedge are added to planes: a slot and the
            same or a second one; the offset (dx, dy) from origin to tile; what the tile must be
            (open, opaque or any); the plane; and 1 if the bits belong to the seen cell rather than
            to the origin.
        offsets: int16 [planes, 2], the (dx, dy) of each plane in reading order; of two opposite
            ones only the later if `mutual`.
    """

    radius: int
    mutual: bool
    wedges: tuple[Wedge, ...]
    levels: int
    instructions: NDArray[np.int32]
    outputs: NDArray[np.int32]
    slots: int
    finishes: NDArray[np.int32]
    offsets: NDArray[np.int16]


class _Node(NamedTuple):
    """A node of a `Sketch`: a test whether a tile is open, or opaque.

    `kind` is a sum of WANTS_OPAQUE, GATHERS (origins go to `register`) and TAKES (from there).
    """

    parent: int
    tile: Tile
    kind: int
    register: int


class Sketch:
    """The tree of a rule of sight while it is drawn.

    A node represents origins, cells that one looks from: those from which its tiles are open. Node
    0 has all open cells. A rule is drawn for one wedge, a quadrant or an octant; `wedges` says how
    to turn it to each of them.
    """

    ROOT = 0

    def __init__(self, wedges: tuple[Wedge, ...]) -> None:
        self.wedges = wedges
        self._nodes: list[_Node] = [_Node(-1, (0, 0), 0, 0)]
        self._numbers: dict[_Node, int] = {}
        # The tiles that each node lights; a dictionary keeps the order of drawing.
        self._lights: dict[tuple[int, int], None] = {}
        self._slots: dict[tuple[Tile, int], int] = {}

    def through(self, node: int, tile: Tile, *, opaque: bool = False) -> int:
        """Return the node for origins of `node` from which `tile` is open.

        With `opaque`, it must be opaque instead. Equal nodes are shared.
        """
        return self._shared(_Node(node, tile, WANTS_OPAQUE if opaque else 0, 0))

    def fork(self, node: int) -> int:
        """Return a new node with the same origins as `node`, which is not shared."""
        self._nodes.append(_Node(node, (0, 0), 0, 0))
        return len(self._nodes) - 1

    def gather(self, node: int, tile: Tile, register: int, *, opaque: bool = False) -> None:
        """Add to `register` the origins of `node` from which `tile` is open.

        With `opaque`, it must be opaque instead. Nodes run in the order in which they are drawn,
        each followed by all nodes below it. In this order, `take` must empty the register before
        anything else uses it.
        """
        kind = GATHERS | (WANTS_OPAQUE if opaque else 0)
        self._shared(_Node(node, tile, kind, register))

    def take(self, node: int, register: int) -> int:
        """Add a node with the origins gathered in `register`; return it.

        The register is empty afterwards. The parent `node` decides only when the new node runs; it
        passes no origins on.
        """
        self._nodes.append(_Node(node, (0, 0), TAKES, register))
        # Taking always happens; further nodes are left out if nothing was gathered.
        return self.fork(len(self._nodes) - 1)

    def _shared(self, node: _Node) -> int:
        result = self._numbers.get(node)
        if result is None:
            result = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return result

    def light(self, node: int, tile: Tile, when: int = ALWAYS) -> None:
        """Record that the origins of `node` see `tile`.

        `when` restricts this: OPEN or OPAQUE means only if the tile itself is so. Origins are the
        cells that one looks from.
        """
        slot = self._slots.setdefault((tile, when), len(self._slots))
        self._lights[node, slot] = None

    def compile(self, radius: int, *, mutual: bool) -> SightPlan:
        """Return the finished plan; nodes that light nothing are left out.

        `radius` is the one that the rule was drawn for. `mutual` says that, of two open cells, each
        sees the other or neither does.
        """
        instructions, outputs, levels = self._instructions()
        offsets = self._offsets(mutual)
        return SightPlan(
            radius=radius,
            mutual=mutual,
            wedges=self.wedges,
            levels=levels,
            instructions=np.array(instructions, np.int32).reshape(-1, 8),
            outputs=np.array(outputs, np.int32),
            slots=len(self._slots),
            finishes=self._finishes(offsets, mutual),
            offsets=np.array(offsets, np.int16).reshape(-1, 2),
        )

    def _instructions(self) -> tuple[list[list[int]], list[int], int]:
        """Return the fields `instructions`, `outputs` and `levels` of the plan."""
        lit: list[list[int]] = [[] for _ in self._nodes]
        for number, slot in self._lights:
            lit[number].append(slot)
        children: list[list[int]] = [[] for _ in self._nodes]
        # A child has a higher number than its parent, so one pass down finds the needed nodes.
        for number in range(len(self._nodes) - 1, 0, -1):
            node = self._nodes[number]
            if lit[number] or children[number] or node.kind & (GATHERS | TAKES):
                children[node.parent].append(number)
        instructions: list[list[int]] = []
        outputs: list[int] = []
        pending = [(self.ROOT, 1)]
        ancestors: list[int] = []
        deepest = 0
        registers = max(node.register for node in self._nodes)
        while pending:
            number, depth = pending.pop()
            while len(ancestors) >= depth:
                instructions[ancestors.pop()][SKIP] = len(instructions)
            ancestors.append(len(instructions))
            deepest = max(deepest, depth)
            _, (across, along), kind, register = self._nodes[number]
            source = registers + depth - 1 if depth > 1 else 0
            target = registers + depth
            if kind & GATHERS:
                target = register
            elif kind & TAKES:
                source = register
            begin = len(outputs)
            outputs.extend(lit[number])
            instructions.append([source, target, across, along, kind, begin, len(outputs), 0])
            pending.extend((child, depth + 1) for child in children[number])
        for index in ancestors:
            instructions[index][SKIP] = len(instructions)
        return instructions, outputs, registers + deepest + 1

    def _offsets(self, mutual: bool) -> list[tuple[int, int]]:
        every = {_laid(wedge, tile) for wedge in self.wedges for tile, _ in self._slots}
        return sorted(
            ((dx, dy) for dx, dy in every if not mutual or _is_later(dx, dy)),
            key=lambda offset: (offset[1], offset[0]),
        )

    def _finishes(self, offsets: list[tuple[int, int]], mutual: bool) -> NDArray[np.int32]:
        """Return how the collected bits are added to planes with these `offsets`.

        This is `SightPlan.finishes`. In a mutual rule a mirrored offset can only add the viewers of
        an opaque tile: the viewers of an open one are known from the other side. So the two slots
        of its tile are merged.
        """
        planes = {offset: plane for plane, offset in enumerate(offsets)}
        rows: list[list[list[int]]] = []
        for wedge in self.wedges:
            steps: list[list[int]] = []
            mirrored: dict[Tile, list[int]] = {}
            for (tile, when), slot in self._slots.items():
                dx, dy = _laid(wedge, tile)
                if (dx, dy) in planes:
                    steps.append([slot, slot, dx, dy, when, planes[dx, dy], 0])
                elif tile not in mirrored:
                    step = [slot, slot, dx, dy, OPAQUE, planes[-dx, -dy], 1]
                    mirrored[tile] = step
                    steps.append(step)
                else:
                    mirrored[tile][SECOND_SLOT] = slot
            rows.append(steps)
        longest = max(map(len, rows))
        for steps in rows:
            # Wedges with more pairs have fewer steps; an empty step has no condition to meet.
            steps.extend([[0, 0, 0, 0, -1, 0, 0]] * (longest - len(steps)))
        return np.array(rows, np.int32).reshape(len(rows), longest, 7)


def _laid(wedge: Wedge, tile: Tile) -> tuple[int, int]:
    xx, xy, yx, yy = wedge
    across, along = tile
    return xx * across + xy * along, yx * across + yy * along


def _is_later(dx: int, dy: int) -> bool:
    """Return whether (dx, dy) comes after its opposite in reading order."""
    return dy > 0 or (dy == 0 and dx > 0)
