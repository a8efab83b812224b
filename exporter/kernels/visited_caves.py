# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Clean, find and connect caves, for the generator `visited_caves`.

The grid lies column by column here, because that is the order in which the reference program
sweeps: the cell (x, y) is at `(x + 1) * stride + y + 1` with `stride = height + 2`, and a frame
of cells of value 2 makes tests for the edge unnecessary. Directions count north, south, east,
west; so `direction ^ 1` is the reverse, and two directions lie on one axis when they agree in
`>> 1`.

Uncompiled, the default map takes about 0.15 s; above 256 x 256 cells expect seconds.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

COMPILED: bool = cython.compiled

# C constants when compiled, so other modules cannot import these.
OUTSIDE: cython.int = 2
NO_DIRECTION: cython.int = 4

# How connecting ended.
CONNECTED = 0
NO_CAVES = 1
NO_ATTEMPTS_LEFT = 2
NO_EDGE = 3

# A search for an edge looks, after this many vain tries, whether there is any to be found. If
# so, a try succeeds with a chance of at least 1 in twice the cells to choose from, and 64 more
# tries for each of them fail once in 10**13 searches.
PATIENCE: cython.int = 4096
TRIES_PER_CELL: cython.int = 64


def clean(
    cells: cython.uchar[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    smoothing: cython.int,
    filling: cython.int,
    given: cython.uchar[::1] = None,
    first: cython.int = 0,
    end: cython.int = 6,
) -> None:
    """Smooth the edges of caves in five passes, then fill holes in one.

    Args:
        cells: uint8, framed columns, 1 for open cells, else 0; changed in place.
        width: The number of columns of the map.
        height: The number of rows of the map.
        smoothing: A one with at least this many zeros beside it becomes 0.
        filling: A zero with at least this many ones beside it becomes 1.
        given: uint8 like `cells`, 1 for cells that stay as they are; None for none.
        first: The first pass to make, from 0.
        end: One more than the last pass to make, at most 6.
    """
    sweep: cython.int
    x: cython.Py_ssize_t
    position: cython.Py_ssize_t
    stride: cython.Py_ssize_t = height + 2
    some_given: cython.bint = given is not None
    for sweep in range(first, end):
        value: cython.uchar = 1 if sweep < 5 else 0
        limit: cython.int = smoothing if sweep < 5 else filling
        for x in range(1, width + 1):
            for position in range(x * stride + 1, x * stride + 1 + height):
                if cells[position] != value or (some_given and given[position] != 0):
                    continue
                # Outside the map is neither zero nor one.
                count: cython.int = 0
                if cells[position - 1] == 1 - value:
                    count += 1
                if cells[position + 1] == 1 - value:
                    count += 1
                if cells[position + stride] == 1 - value:
                    count += 1
                if cells[position - stride] == 1 - value:
                    count += 1
                if count >= limit:
                    cells[position] = 1 - value


def find_caves(
    cells: cython.uchar[::1],
    stride: cython.Py_ssize_t,
    lower_limit: cython.longlong,
    upper_limit: cython.longlong,
    lone_cells: cython.bint,
    owners: cython.int[::1],
    members: cython.int[::1],
    starts: cython.int[::1],
    path: cython.int[::1],
    steps: cython.uchar[::1],
    given: cython.uchar[::1] = None,
) -> int:
    """List the cells of each cave; erase caves that are too small or large.

    A cave's cells are listed in the order of a depth-first fill that looks north, south, east,
    west; its first cell only when the fill comes back to it from the first neighbour.

    Args:
        cells: uint8, framed columns, 1 for open cells, else 0.
        stride: The number of cells in a framed column.
        lower_limit: Caves of this size or smaller are erased.
        upper_limit: Caves larger than this are erased.
        lone_cells: Whether a cell without neighbours is a cave of size 1. In the reference program
            it has size 0, and stays on the map without being a cave.
        owners: int32, all 0: receives the number of the cave (1, 2, ...) of every cell.
        members: int32: receives the positions of all caves' cells, cave after cave.
        starts: int32: receives the index in `members` where cave 1, 2, ... begins, and the end.
        path: int32, working space for one more than all cells.
        steps: uint8, working space of the same length.
        given: uint8 like `cells`, 1 for cells that stay as they are: a cave with such a cell is not
            erased, whatever its size. None for none.

    Returns:
        The number of caves that are left.
    """
    first: cython.Py_ssize_t
    neighbour: cython.Py_ssize_t
    index: cython.Py_ssize_t
    caves: cython.int = 0
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    some_given: cython.bint = given is not None
    starts[0] = 0
    for first in range(cells.shape[0]):
        if cells[first] != 1 or owners[first] != 0:
            continue
        path[0] = first
        steps[0] = 0
        depth: cython.Py_ssize_t = 0
        while depth >= 0:
            step: cython.int = steps[depth]
            if step == 4:
                depth -= 1
                continue
            steps[depth] = step + 1
            position: cython.Py_ssize_t = path[depth]
            if step == 0:
                neighbour = position - 1
            elif step == 1:
                neighbour = position + 1
            elif step == 2:
                neighbour = position + stride
            else:
                neighbour = position - stride
            if cells[neighbour] == 1 and owners[neighbour] == 0:
                owners[neighbour] = caves + 1
                members[end] = neighbour
                end += 1
                depth += 1
                path[depth] = neighbour
                steps[depth] = 0
        if end == begin:
            if not lone_cells and not (some_given and given[first] != 0):
                continue
            owners[first] = caves + 1
            members[end] = first
            end += 1
        is_retained: cython.bint = False
        if some_given:
            for index in range(begin, end):
                if given[members[index]] != 0:
                    is_retained = True
        if not is_retained and (end - begin <= lower_limit or end - begin > upper_limit):
            for index in range(begin, end):
                cells[members[index]] = 0
                owners[members[index]] = 0
            end = begin
        else:
            caves += 1
            starts[caves] = end
            begin = end
    return caves


@cython.final
@cython.cclass
class Connector:
    """Digs corridors between caves, as the reference program does.

    Args:
        cells: uint8, framed columns; receives the corridors.
        stride: The number of cells in a framed column.
        owners: int32: the cave of each cell, as `find_caves` left them.
        members: int32: the positions of all caves' cells, as `find_caves` left them.
        starts: int32: where each cave begins in `members`, as `find_caves` left them.
        attempt: int32 scratch: as many cells as one corridor can have, and two more.
        draws: The random numbers.
        spacing: Cells that must be empty on both sides of a corridor.
        shortest: The smallest number of cells of a straight run.
        longest: One more than the largest number of cells of a straight run.
        turns: A corridor has at most `turns + 1` straight runs.
        backtracking: Chance in percent that a corridor may turn back from its first direction; 0
            draws nothing, as in the reference program.
    """

    cells: cython.uchar[::1]
    offsets: cython.int[::1]
    free: cython.int[::1]
    owners: cython.int[::1]
    members: cython.int[::1]
    starts: cython.int[::1]
    attempt: cython.int[::1]
    draws: Draws
    spacing: cython.int
    shortest: cython.int
    longest: cython.int
    turns: cython.int
    backtracking: cython.int
    direction: cython.int
    corridors: cython.int[::1]
    count: cython.Py_ssize_t
    carved: cython.longlong

    def __init__(
        self,
        cells: cython.uchar[::1],
        stride: cython.Py_ssize_t,
        owners: cython.int[::1],
        members: cython.int[::1],
        starts: cython.int[::1],
        attempt: cython.int[::1],
        draws: Draws,
        spacing: cython.int,
        shortest: cython.int,
        longest: cython.int,
        turns: cython.int,
        backtracking: cython.int,
    ) -> None:
        self.cells = cells
        # How far the next cell in each direction lies.
        self.offsets = array("i", [-1, 1, stride, -stride])
        self.free = array("i", [0] * 5)
        self.owners = owners
        self.members = members
        self.starts = starts
        self.attempt = attempt
        self.draws = draws
        self.spacing = spacing
        self.shortest = shortest
        self.longest = longest
        self.turns = turns
        self.backtracking = backtracking
        # The direction the last search for an edge ended with; it lives on between rounds.
        self.direction = NO_DIRECTION
        # The cells of all corridors, in order: the first `count` of a buffer that grows.
        self.corridors = array("i", [0]) * 1024
        self.count = 0
        self.carved = 0

    def connect(
        self, caves: int, attempts: int, tell: Callable[[int], None] | None = None
    ) -> tuple[int, int, int]:
        """Connect all caves, or stop when no more corridors may be tried.

        Args:
            caves: The number of caves.
            attempts: Connecting stops after `attempts + 2` tries of a corridor.
            tell: Called after each corridor with the number of corridors; None for no calls.

        Returns:
            CONNECTED, NO_CAVES, NO_EDGE or NO_ATTEMPTS_LEFT; how many caves are not connected; and
            how many cells were opened.
        """
        rounds: cython.longlong = 0
        start: cython.Py_ssize_t
        if caves == 0:
            return NO_CAVES, 0, 0
        unconnected: cython.int = caves - 1
        connected: cython.int[::1] = array("i", [0]) * caves
        is_connected: cython.uchar[::1] = bytearray(caves + 1)
        count: cython.int = 1
        is_connected[0] = 1  # cells outside caves need no connecting
        connected[0] = self.draws.next(0, caves) + 1
        is_connected[connected[0]] = 1
        while unconnected > 0:
            if self.count == 0 or self.draws.next(0, 100) > 50:
                start = self.edge_of_cave(connected[self.draws.next(0, count)])
            else:
                start = self.edge_of_corridors()
            if start < 0:
                return NO_EDGE, unconnected, self.carved
            length: cython.Py_ssize_t = self.try_corridor(start)
            if length > 0:
                cave: cython.int = self.owners[self.attempt[length - 1]]
                if is_connected[cave] == 0:
                    self.build(length - 1)
                    is_connected[cave] = 1
                    connected[count] = cave
                    count += 1
                    unconnected -= 1
                    if tell is not None:
                        tell(count - 1)
            if rounds > attempts and unconnected > 0:
                return NO_ATTEMPTS_LEFT, unconnected, self.carved
            rounds += 1
        return CONNECTED, 0, self.carved

    @cython.cfunc
    def edge_of_cave(self, cave: cython.int) -> cython.Py_ssize_t:
        """Return a random closed cell at the edge of `cave`, or -1.

        It is found by walking straight from a cell of the cave. As in the reference program, the
        first call chooses any direction; in all later ones it must be on the same axis.
        """
        begin: cython.Py_ssize_t = self.starts[cave - 1]
        size: cython.Py_ssize_t = self.starts[cave] - begin
        tries: cython.longlong = 0
        while tries < PATIENCE + TRIES_PER_CELL * size:
            if tries == PATIENCE and not self.has_edge(begin, begin + size):
                return -1
            tries += 1
            position: cython.Py_ssize_t = self.members[begin + self.draws.next(0, size)]
            new: cython.int = self.draws.next(0, 4)
            while self.direction != NO_DIRECTION and new >> 1 != self.direction >> 1:
                new = self.draws.next(0, 4)
            self.direction = new
            step: cython.Py_ssize_t = self.offsets[new]
            position += step
            while self.cells[position] == 1:
                position += step
            if self.cells[position] == 0:
                return position
        return -1

    @cython.cfunc
    def has_edge(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether a straight walk from a cell of a cave meets an edge.

        The cave's cells are `members[begin:end]`; walks go both ways along the axis of `direction`.
        """
        index: cython.Py_ssize_t
        step: cython.Py_ssize_t = self.offsets[self.direction]
        _side: cython.int
        for index in range(begin, end):
            for _side in range(2):
                position: cython.Py_ssize_t = self.members[index] + step
                while self.cells[position] == 1:
                    position += step
                if self.cells[position] == 0:
                    return True
                step = -step
        return False

    @cython.cfunc
    def edge_of_corridors(self) -> cython.Py_ssize_t:
        """Return a random closed cell beside a corridor, or -1.

        The first and the last cell of `corridors` do not count, unless there is only one.
        """
        count: cython.Py_ssize_t = self.count
        tries: cython.longlong = 0
        position: cython.Py_ssize_t
        direction: cython.int
        while tries < PATIENCE + TRIES_PER_CELL * count:
            tries += 1
            position = self.corridors[0 if count == 1 else self.draws.next(1, count - 1)]
            free: cython.int = 0
            for direction in range(4):
                # Written and maybe overwritten, not skipped: a wrongly guessed branch costs more.
                self.free[free] = direction
                free += self.cells[position + self.offsets[direction]] == 0
            if free > 0:
                self.direction = self.free[self.draws.next(0, free)]
                return position + self.offsets[self.direction]
        return -1

    @cython.cfunc
    def try_corridor(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Plan a corridor from `start` in `attempt`, until it hits open cells.

        Returns:
            How many cells it has, with the open cell; 0 if it hit none or came too near to some.
        """
        position: cython.Py_ssize_t = start
        length: cython.Py_ssize_t = 1
        first: cython.int = self.direction
        direction: cython.int = self.direction
        turns: cython.int = self.turns
        memory: cython.bint = True
        if self.backtracking > 0:
            memory = self.draws.next(0, 100) >= self.backtracking
        self.attempt[0] = start
        while turns >= 0:
            turns -= 1
            run: cython.longlong = self.draws.next(self.shortest, self.longest)
            while run > 0:
                run -= 1
                position += self.offsets[direction]
                if self.cells[position] == 1:
                    self.attempt[length] = position
                    return length + 1
                if not self.is_clear(position, direction):
                    return 0
                self.attempt[length] = position
                length += 1
            if turns > 1:
                new: cython.int = self.draws.next(0, 4)
                while new == direction ^ 1 or (memory and new == first ^ 1):
                    new = self.draws.next(0, 4)
                direction = new
        return 0

    @cython.cfunc
    def is_clear(self, position: cython.Py_ssize_t, direction: cython.int) -> cython.bint:
        """Return whether a corridor in `direction` may enter `position`.

        The cell must be in the map and closed, with closed cells on both sides.
        """
        step: cython.Py_ssize_t = self.offsets[direction ^ 2]
        _side: cython.int
        _distance: cython.int
        if self.cells[position] != 0:
            return False
        for _side in range(2):
            beside: cython.Py_ssize_t = position
            for _distance in range(self.spacing):
                beside += step
                if self.cells[beside] == 1:
                    return False
                if self.cells[beside] == OUTSIDE:
                    break
            step = -step
        return True

    @cython.cfunc
    def build(self, length: cython.Py_ssize_t) -> cython.void:
        """Open the first `length` cells of `attempt`; add them to `corridors`."""
        index: cython.Py_ssize_t
        if self.count + length > len(self.corridors):
            grown: cython.int[::1] = array("i", [0]) * (2 * (self.count + length))
            for index in range(self.count):
                grown[index] = self.corridors[index]
            self.corridors = grown
        for index in range(length):
            if self.cells[self.attempt[index]] == 0:
                self.cells[self.attempt[index]] = 1
                self.carved += 1
            self.corridors[self.count] = self.attempt[index]
            self.count += 1
