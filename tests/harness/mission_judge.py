"""A slow judge of missions: every state of play on plain cells, straight from the definition.

It shares no code with the exporter. A state is the player's cell, the keys that she
has taken and the locks that she has opened.
"""

from __future__ import annotations

from collections import deque


def stranded_states(walkable, start, goal, locks, keys):
    """Return how many states a player can reach from which she cannot win any more.

    Args:
        walkable: Rows of booleans.
        start: Where she begins, (x, y).
        goal: Where she wins.
        locks: Their name, kind, cells and `opened_from`, each a tuple.
        keys: The cell of each key, and the name of the locks that it opens.
    """
    game = Game(walkable, locks, keys)
    if not game.floor(start) or any(
        start in cells and kind != "one_way" for _, kind, cells, _ in locks
    ):
        return 1
    begin = game.standing(start, frozenset(), frozenset())
    reached, came_from = {begin}, {}
    waiting = deque([begin])
    while waiting:
        state = waiting.popleft()
        for after in game.moves(*state):
            came_from.setdefault(after, []).append(state)
            if after not in reached:
                reached.add(after)
                waiting.append(after)
    winning = {state for state in reached if state[0] == goal}
    waiting = deque(winning)
    while waiting:
        for state in came_from.get(waiting.popleft(), ()):
            if state not in winning:
                winning.add(state)
                waiting.append(state)
    return len(reached - winning)


class Game:
    """The moves of a level."""

    def __init__(self, walkable, locks, keys):
        self.walkable, self.locks, self.keys = walkable, locks, keys

    def floor(self, cell):
        x, y = cell
        inside = 0 <= y < len(self.walkable) and 0 <= x < len(self.walkable[0])
        return inside and bool(self.walkable[y][x])

    def standing(self, cell, held, opened):
        """Standing on a key's cell, she has it."""
        here = {number for number, (position, _) in enumerate(self.keys) if position == cell}
        return cell, held | here, opened

    def moves(self, cell, held, opened):
        for there in _beside(cell):
            if self.floor(there) and self.may_step(cell, there, opened):
                yield self.standing(there, held, opened)
        for number, lock in enumerate(self.locks):
            if number not in opened and self.may_open(lock, cell, held, opened):
                yield cell, held, opened | {number}

    def may_step(self, cell, there, opened):
        for number, (_, kind, cells, entered_from) in enumerate(self.locks):
            if kind == "one_way":
                if there in cells and cell not in entered_from and cell not in cells:
                    return False
                if cell in cells and there in entered_from:
                    return False
            elif there in cells and number not in opened:
                return False
        return True

    def may_open(self, lock, cell, held, opened):
        name, kind, cells, opened_from = lock
        if kind == "one_way" or not any(item in cells for item in _beside(cell)):
            return False
        if kind == "shortcut":
            return cell in opened_from
        having = sum(self.keys[number][1] == name for number in held)
        if kind == "key":
            return having > 0
        spent = sum(self.locks[number][0] == name for number in opened)
        return having > spent


def _beside(cell):
    x, y = cell
    return (x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)
